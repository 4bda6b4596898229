"""Every layout, type and container of X gives the same numbers."""

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import bisector

X, Y = CLASSIFICATION["classification"]()
EXPLAINERS = {
    "SVC": bisector.Explainer(SVC().fit(X, Y)),
    "KNN": bisector.Explainer(KNeighborsClassifier(3).fit(X, Y)),
}


def laid_out(rows, layout):
    if layout == "F":
        return np.asfortranarray(rows)
    if layout == "strided":
        wide = np.ones((2 * len(rows), 3 * rows.shape[1]), dtype=rows.dtype)
        wide[::2, ::3] = rows
        return wide[::2, ::3]
    if layout == "reversed":
        return np.ascontiguousarray(rows[::-1, ::-1])[::-1, ::-1]
    if layout == "part of rows":
        return np.hstack([rows, rows])[:, :rows.shape[1]]
    return np.ascontiguousarray(rows)


def contained(rows, container):
    if container == "frame":
        return pd.DataFrame(rows)
    if container == "list":
        return rows.tolist()
    if container == "sparse":
        return sparse.csr_matrix(rows)
    if container == "read-only":
        rows = rows.copy()
        rows.flags.writeable = False
    return rows


@settings(max_examples=150, deadline=None)
@given(kind=st.sampled_from(sorted(EXPLAINERS)), count=st.integers(0, 300),
       layout=st.sampled_from(["C", "F", "strided", "reversed", "part of rows"]),
       dtype=st.sampled_from(["f8", "f4", "f2", "i8", "i1", "u2", "?", ">f8", "O"]),
       container=st.sampled_from(["array", "frame", "list", "sparse", "read-only"]),
       n_jobs=st.sampled_from([1, 2, -1]))
def test_every_layout_type_and_container_gives_the_same_numbers(
    kind, count, layout, dtype, container, n_jobs):
    rows = (2.0 * X[:count]).astype(dtype) if dtype != "u2" else np.abs(X[:count]).astype(dtype)
    if container == "list" and count == 0:
        container = "array"
    if container == "sparse" and dtype in ("O", "f2", ">f8"):  # not for SciPy
        container = "frame"
    explainer = EXPLAINERS[kind]
    wanted = explainer(np.ascontiguousarray(rows, dtype=np.float64))
    found = bisector.Explainer(explainer, n_jobs=n_jobs)(contained(laid_out(rows, layout),
                                                                   container))
    np.testing.assert_array_equal(found.values, wanted.values)
    for name in ("g", "base_values", "remainder", "outside"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))
    np.testing.assert_array_equal(found.prediction, wanted.prediction)
    assert found.values.shape == (count, X.shape[1]) and found.values.dtype == np.float64


@settings(max_examples=40, deadline=None)
@given(rows=st.integers(0, 6), columns=st.integers(0, 20), dimensions=st.integers(0, 4))
def test_wrong_shapes_are_refused(rows, columns, dimensions):
    shape = (rows, columns, 2, 2)[:dimensions]
    if shape == (rows, X.shape[1]):
        return
    with pytest.raises(ValueError, match="features|dimension"):
        EXPLAINERS["SVC"](np.zeros(shape))


@settings(max_examples=60, deadline=None)
@given(row=st.integers(0, 299), column=st.integers(0, 11),
       value=st.sampled_from([np.nan, np.inf, -np.inf, 1e101]))
def test_missing_and_infinite_cells_are_named(row, column, value):
    rows = X.copy()
    rows[row, column] = value
    with pytest.raises(ValueError, match=f'row {row + 1}, feature "x{column + 1}" is .*expected'):
        EXPLAINERS["SVC"](rows)


def test_rows_are_counted_from_the_first_in_long_input():
    rows = np.tile(X, (300, 1))
    rows[-2, 3] = np.nan
    explainer = bisector.Explainer(EXPLAINERS["KNN"], method="lrp")
    with pytest.raises(ValueError, match=f'row {len(rows) - 1}, feature "x4" is nan'):
        explainer(rows)


@pytest.mark.parametrize("cell", ["red", None, pd.Timestamp("2020-01-01"), 1 + 2j])
def test_cells_that_are_not_numbers_are_named(cell):
    frame = pd.DataFrame(X, columns=[f"c{d}" for d in range(12)]).astype(object)
    frame.iloc[4, 2] = cell
    with pytest.raises(ValueError, match='row 5, feature "(c2|x3)" is .*expected'):
        EXPLAINERS["SVC"](frame)


@pytest.mark.parametrize("given", [
    lambda: X[3], lambda: X[3].tolist(), lambda: X[:4].reshape(4, 3, 4), lambda: iter(X[:5]),
    lambda: dict(enumerate(X[:5].T)), lambda: [dict(enumerate(row)) for row in X[:5]]],
    ids=["row", "list", "blocks", "iterator", "columns", "records"])
def test_what_is_no_table_is_refused_with_what_to_type(given):
    with pytest.raises(ValueError, match="expected rows x features") as error:
        EXPLAINERS["SVC"](given())
    typed = str(error.value).rpartition("type ")[2]
    rows = eval(typed, {"numpy": np, "pandas": pd, "X": given()})
    found = EXPLAINERS["SVC"](rows)
    np.testing.assert_allclose(found.data, X[3:4] if len(found) == 1 else X[:len(found)])


@pytest.mark.parametrize("given", [None, "text", 3.0, []], ids=repr)
def test_what_has_no_rows_is_refused(given):
    with pytest.raises(ValueError, match="expected rows x features"):
        EXPLAINERS["SVC"](given)
    with pytest.raises(ValueError, match="^background, X .*expected rows x features"):
        bisector.Explainer(SVC().fit(X, Y), "text" if given is None else given)


def test_a_misnamed_column_is_refused_with_its_similar_name():
    frame = pd.DataFrame(X, columns=[f"Column {d}" for d in range(12)])
    explainer = bisector.Explainer(SVC().fit(frame, Y), frame)
    other = frame.rename(columns={"Column 3": "column_3"})
    with pytest.raises(ValueError, match='no column "Column 3"') as error:
        explainer(other)
    renamed = eval(str(error.value).rpartition("type ")[2], {"X": other})
    np.testing.assert_array_equal(explainer(renamed).values, explainer(frame).values)
    with pytest.raises(ValueError, match=r"X.assign\(\*\*{'Column 3': \.\.\.}\)"):
        explainer(pd.DataFrame({"size": X[:, 0]}).join(frame.iloc[:, :3]))


def test_a_cell_that_an_encoder_refuses_is_named():
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, QuantileTransformer

    towns = np.random.default_rng(0).choice(["Ulm", "Bonn"], len(X))
    frame = pd.DataFrame({"town": towns, "area": X[:, 0]})
    steps = make_column_transformer((OneHotEncoder(), ["town"]),
                                    (QuantileTransformer(n_quantiles=20), ["area"]))
    model = make_pipeline(steps, SVC()).fit(frame, Y)
    explainer = bisector.Explainer(model, frame)
    unknown = frame.assign(town="Rom")
    with pytest.raises(ValueError, match='of "town" refuses X .*Rom.*handle_unknown="ignore"'):
        explainer(unknown)
    model.set_params(columntransformer__onehotencoder__handle_unknown="ignore").fit(frame, Y)
    repaired = bisector.Explainer(model, frame)(unknown)
    np.testing.assert_array_equal(repaired.prediction, model.predict(unknown))
    with pytest.raises(bisector.InvalidRowError, match='row 8, feature "area" is inf'):
        explainer(frame.assign(area=np.where(np.arange(len(X)) == 7, np.inf, X[:, 0])))


def test_swapped_arguments_and_files_of_python_objects_are_refused_with_what_to_type(tmp_path):
    joblib = pytest.importorskip("joblib")
    model = SVC().fit(X, Y)
    for table in (X, pd.DataFrame(X)):
        with pytest.raises(bisector.UnsupportedModelError, match=r"type bisector.Explainer\(model, X"):
            bisector.Explainer(table, model)
    path = str(tmp_path / "model.joblib")
    joblib.dump(model, path)
    with pytest.raises(ValueError, match="a file of Python objects") as error:
        bisector.Explainer(path)
    names = {"bisector": bisector, "X_train": X}
    exec(str(error.value).rpartition("type ")[2].replace("; ", "; explainer = "), names)
    explainer = names["explainer"]
    np.testing.assert_array_equal(explainer(X).values, bisector.Explainer(model, X)(X).values)
    with pytest.raises(ValueError, match="versus is given alone, expected positive_class="):
        bisector.Explainer(model, X, versus=1)


def test_cells_of_the_background_are_named():
    frame = pd.DataFrame(X, columns=[f"c{d}" for d in range(12)])
    frame.iloc[4, 2] = np.nan
    with pytest.raises(ValueError, match='background, row 5, feature "c2" is nan, .*SimpleImputer'):
        bisector.Explainer(SVC().fit(X, Y), frame)


def test_the_advice_for_dates_makes_numbers():
    frame = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=len(X)), "size": X[:, 0]})
    numbers = frame.assign(day=np.arange(len(X)))
    explainer = bisector.Explainer(SVC().fit(numbers, Y), numbers)
    with pytest.raises(ValueError, match="numbers instead of dates") as error:
        explainer(frame)
    exec(str(error.value).rpartition("on days: ")[2], {"X": frame})
    np.testing.assert_array_equal(explainer(frame).values, explainer(numbers).values)


def test_missing_values_of_pandas_are_named():
    frame = pd.DataFrame(np.round(X)).astype("Int64")
    EXPLAINERS["SVC"](frame)
    frame.iloc[2, 1] = pd.NA
    with pytest.raises(ValueError, match="row 3, feature .* is nan"):
        EXPLAINERS["SVC"](frame)


def test_categoricals_of_numbers_are_numbers_and_those_of_text_are_refused():
    frame = pd.DataFrame(np.round(X))
    wanted = EXPLAINERS["SVC"](frame).values
    frame[0] = frame[0].astype("category")
    np.testing.assert_array_equal(EXPLAINERS["SVC"](frame).values, wanted)
    frame[0] = pd.Categorical(["a"] * len(frame))
    with pytest.raises(ValueError, match="is 'a', expected a number"):
        EXPLAINERS["SVC"](frame)


@pytest.mark.parametrize("words", [(False, True), ("FALSE", "TRUE"), ("False", "True"),
                                   ("false", "true")], ids=str)
def test_truth_values_are_one_and_zero(words):
    rows = pd.DataFrame(X[:, :3]).assign(sick=X[:, 3] > 0)
    explainer = bisector.Explainer(SVC().fit(rows.set_axis(list("abcd"), axis=1), Y))
    wanted = explainer(rows.to_numpy(float)).values
    given = rows.set_axis(list("abcd"), axis=1).assign(
        d=np.array(words, dtype=object)[rows["sick"].to_numpy(int)])
    np.testing.assert_array_equal(explainer(given).values, wanted)
    np.testing.assert_array_equal(explainer(given.to_numpy(object)).values, wanted)
    np.testing.assert_array_equal(bisector.Explainer(explainer, background=given)(given).values,
                                  bisector.Explainer(explainer, background=rows.to_numpy(float))(
                                      rows.to_numpy(float)).values)


def test_infinite_cells_have_the_usual_message():
    explainer = bisector.Explainer(SVC().fit(X, Y))
    for value in (np.inf, -np.inf, "inf"):
        rows = X[:5].astype(object)
        rows[2, 1] = value
        with pytest.raises(ValueError, match="row 3, feature \"x2\" is -?inf, expected a number"):
            explainer(rows)


def test_masked_entries_are_refused():
    np.testing.assert_array_equal(EXPLAINERS["SVC"](np.ma.array(X)).values,
                                  EXPLAINERS["SVC"](X).values)
    with pytest.raises(ValueError, match="masked"):
        EXPLAINERS["SVC"](np.ma.array(X, mask=X > 1))


def test_float64_rows_are_not_copied():
    explanation = EXPLAINERS["SVC"](X)
    assert np.shares_memory(explanation.data, X)


def test_names_come_from_model_frame_or_caller():
    names = [f"c{d}" for d in range(12)]
    frame = pd.DataFrame(X, columns=names)
    assert EXPLAINERS["SVC"](X).feature_names == [f"x{d + 1}" for d in range(12)]
    assert EXPLAINERS["SVC"](frame).feature_names == names
    named = bisector.Explainer(SVC().fit(frame, Y))
    assert named(X).feature_names == names
    other = [f"other {d}" for d in range(12)]
    assert bisector.Explainer(named, feature_names=other)(frame).feature_names == other


def test_sparse_rows_stay_sparse(tmp_path):
    rows = sparse.csr_matrix(np.where(np.abs(X) > 0.7, X, 0.0))
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array):
        explanation = EXPLAINERS["SVC"](kind(rows))
        dense = EXPLAINERS["SVC"](rows.toarray())
        np.testing.assert_array_equal(explanation.values, dense.values)
        np.testing.assert_array_equal(explanation.tie, dense.tie)
        assert sparse.issparse(explanation.data) and explanation.data.nnz == rows.nnz
    for part in (3, slice(2, 9), (slice(None), 4), (slice(1, 5), [1, 3]), ([5, 2], slice(None)),
                 (2, 3)):
        np.testing.assert_array_equal(
            explanation[part].data.toarray() if sparse.issparse(explanation[part].data)
            else explanation[part].data, dense[part].data)
    explanation.save(tmp_path / "sparse.npz")
    np.testing.assert_array_equal(
    bisector.Explanation.load(
        tmp_path /
        "sparse.npz").data,
         dense.data)
    np.testing.assert_allclose(explanation.mean().data, dense.mean().data)
    bisector.plots.beeswarm(explanation)
    empty = EXPLAINERS["SVC"](rows[:0])
    assert empty.shape == (0, X.shape[1]) and empty.data.shape == empty.shape


def test_sparse_rows_are_read_in_parts(monkeypatch):
    from bisector import _sparse

    monkeypatch.setattr(_sparse, "_NUMBERS", 20 * X.shape[1])
    rows = sparse.csr_matrix(X)
    for method in ("lrp", "lrp-expected", "shapley"):
        explainer = bisector.Explainer(EXPLAINERS["KNN"], method=method, seed=None if method == "lrp"
                                       else 3)
        np.testing.assert_array_equal(explainer(rows).values, explainer(X).values)
    seen = []
    bisector.Explainer(EXPLAINERS["SVC"], progress=lambda done, total: seen.append((done, total)))(
        rows)
    assert seen[-1] == (len(X), len(X)) and len(seen) == 15
    rows[47, 3] = np.nan
    with pytest.raises(ValueError, match='row 48, feature "x4" is nan'):
        EXPLAINERS["SVC"](rows)


def test_errors_name_the_index_of_a_frame():
    frame = pd.DataFrame(X, columns=[f"c{d}" for d in range(12)],
                         index=[f"patient {n}" for n in range(len(X))])
    frame.iloc[41, 2] = np.nan
    for call in (EXPLAINERS["SVC"], EXPLAINERS["KNN"].predict):
        with pytest.raises(ValueError, match=r"row 42 \(index 'patient 41'\), feature "):
            call(frame)
    with pytest.raises(ValueError, match="row 42, feature"):
        EXPLAINERS["SVC"](frame.reset_index(drop=True))
    words = frame.astype(object)
    words.iloc[3, 1] = "red"
    with pytest.raises(ValueError, match=r"row 4 \(index 'patient 3'\), feature \"c1\" is 'red'"):
        EXPLAINERS["SVC"](words)


def test_dlpack_tensors_are_not_copied():
    class Tensor:
        __dlpack__ = staticmethod(lambda **options: X.__dlpack__(**options))
        __dlpack_device__ = staticmethod(lambda: X.__dlpack_device__())

    found = EXPLAINERS["SVC"](Tensor())
    np.testing.assert_array_equal(found.values, EXPLAINERS["SVC"](X).values)
    assert np.shares_memory(found.data, X)


def test_arrow_streams_are_read():
    pa = pytest.importorskip("pyarrow")
    names = [f"c{d}" for d in range(12)]
    table = pa.table({name: X[:, d] for d, name in enumerate(names)})

    class Relation:
        columns = names

        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    wanted = EXPLAINERS["SVC"](X)
    for given in (table, Relation(), table.to_batches()[0]):
        found = EXPLAINERS["SVC"](given)
        np.testing.assert_array_equal(found.values, wanted.values)
        assert found.feature_names == names


def test_polars_frames_are_read():
    polars = pytest.importorskip("polars")
    names = [f"c{d}" for d in range(12)]
    frame = polars.DataFrame({name: X[:, d] for d, name in enumerate(names)})
    wanted = EXPLAINERS["SVC"](X)
    for given in (frame, frame.lazy(), frame.lazy().with_columns(polars.col("c1") * 1.0)):
        found = EXPLAINERS["SVC"](given)
        np.testing.assert_array_equal(found.values, wanted.values)
        assert found.feature_names == names
    named = bisector.Explainer(SVC().fit(pd.DataFrame(X, columns=names), Y))
    shuffled = frame.select([*reversed(names)])
    np.testing.assert_array_equal(named(shuffled).values, named(X).values)


def test_duckdb_relations_are_read():
    duckdb = pytest.importorskip("duckdb")
    names = [f"c{d}" for d in range(12)]
    frame = pd.DataFrame(X, columns=names)  # noqa: F841: DuckDB finds it by its name
    found = EXPLAINERS["SVC"](duckdb.sql("select * from frame"))
    np.testing.assert_array_equal(found.values, EXPLAINERS["SVC"](X).values)
