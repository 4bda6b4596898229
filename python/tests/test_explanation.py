"""Explanations: fields, indexing, files and formats of other libraries."""

import copy
import pickle
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, SVR

import bisector

NAMES = [f"feature {d}" for d in range(13)]


@pytest.fixture
def wine():
    X, y = CLASSIFICATION["wine"]()
    return pd.DataFrame(X, columns=NAMES, index=[f"bottle {n}" for n in range(len(X))]), y


@pytest.fixture
def explanation(wine):
    X, y = wine
    return bisector.Explainer(SVC().fit(X, y == 1))(X)


def test_fields_have_the_shapes_of_x(wine, explanation):
    X, _ = wine
    assert explanation.values.shape == X.shape
    assert explanation.base_values.shape == (len(X),)
    np.testing.assert_array_equal(explanation.data, X.to_numpy())
    assert explanation.feature_names == NAMES
    assert explanation.output_names == "True"
    assert 0.0 <= explanation.eta <= 1.0
    np.testing.assert_array_equal(explanation.output, explanation.decision)
    assert explanation.unit == "decision" and explanation.outside.dtype == explanation.tie.dtype == bool
    assert explanation.remainder.shape == explanation.correction.shape == (len(X),)
    assert repr(explanation).startswith(f"<bisector.Explanation of {len(X)} x 13 by "
                                        f"{explanation.method}, unit decision")


def test_explanations_are_indexed_by_rows_and_columns(explanation):
    one = explanation[3]
    assert one.values.shape == (13,) and np.ndim(one.g) == 0
    assert one.prediction == explanation.prediction[3]
    np.testing.assert_array_equal(explanation[2:5].values, explanation.values[2:5])
    assert np.ndim(one.base_values) == np.ndim(one.remainder) == np.ndim(one.outside) == 0
    np.testing.assert_array_equal(explanation[2:5].remainder, explanation.remainder[2:5])
    mask = explanation.g > 0
    assert len(explanation[mask]) == mask.sum()
    assert set(explanation[mask].versus) == {False}
    column = explanation[:, "feature 4"]
    np.testing.assert_array_equal(column.values, explanation.values[:, 4])
    assert column.feature_names == "feature 4"
    two = explanation[:10, ["feature 1", 2]]
    assert two.shape == (10, 2) and two.feature_names == ["feature 1", "feature 2"]
    assert explanation[0, 1].values == explanation.values[0, 1]
    assert sum(1 for _ in explanation[:7]) == 7
    with pytest.raises(KeyError, match='no feature "color"'):
        explanation[:, "color"]


def test_for_predicted_turns_the_sign_of_rows(explanation):
    turned = explanation.for_predicted()
    assert np.all(turned.g >= 0)
    np.testing.assert_array_equal(turned.positive_class, turned.prediction)
    np.testing.assert_array_equal(np.abs(turned.values), np.abs(explanation.values))
    np.testing.assert_allclose(
        turned.base_values + turned.values.sum(axis=1) + turned.remainder, turned.output,
        atol=1e-12)
    was_turned = turned.output != explanation.output
    assert 0 < was_turned.sum() < len(turned)
    for name in ("base_values", "remainder", "correction"):
        np.testing.assert_array_equal(getattr(turned, name)[was_turned],
                                      -getattr(explanation, name)[was_turned])


def test_frames_have_all_columns_and_the_index(wine, explanation):
    frame = explanation.to_frame()
    assert list(frame.columns) == ["row", "prediction", "class", "versus", "output", "base", *NAMES,
                                   "remainder", "outside", "tie"]
    assert list(frame.index) == list(wine[0].index)
    np.testing.assert_array_equal(frame["row"], np.arange(1, len(frame) + 1))
    np.testing.assert_array_equal(frame["class"], explanation.positive_class)
    np.testing.assert_array_equal(frame["versus"], explanation.versus)
    np.testing.assert_array_equal(frame["base"], explanation.base_values)
    np.testing.assert_array_equal(explanation[[7, 2]].to_frame()["row"], [8, 3])
    np.testing.assert_array_equal(frame["feature 2"], explanation.values[:, 2])
    np.testing.assert_array_equal(frame["remainder"], explanation.remainder)
    np.testing.assert_array_equal(frame["outside"], explanation.outside)
    assert len(explanation[0].to_frame()) == 1


def test_standard_errors_and_stretch_are_those_of_the_method(wine):
    X, y = wine
    model = SVC().fit(X, y == 1)
    drawn = bisector.Explainer(model, X, method="lrp-expected", references=20)(X)
    assert drawn.standard_errors.shape == X.shape and np.all(drawn.standard_errors >= 0.0)
    assert np.mean(drawn.standard_errors > 0.0) > 0.9
    assert drawn.stretch.shape == (len(X),) and np.all(drawn.stretch > 0.0)
    assert np.any(drawn.stretch != 1.0)
    # More references have smaller errors, about by the square root of their number.
    many = bisector.Explainer(model, X, method="lrp-expected", references=80)(X)
    assert 0.3 < many.standard_errors.mean() / drawn.standard_errors.mean() < 0.75
    in_g = bisector.Explainer(model, X, method="lrp-expected", unit="g")(X)
    np.testing.assert_array_equal(in_g.stretch, 1.0)
    for method in ("lrp", "lrp-path", "shapley-exact"):
        assert bisector.Explainer(model, method=method)(X).standard_errors is None
    part = drawn[2:5, ["feature 1", 3]]
    np.testing.assert_array_equal(part.standard_errors, drawn.standard_errors[2:5, [1, 3]])
    np.testing.assert_array_equal(part.stretch, drawn.stretch[2:5])
    turned = drawn.for_predicted()
    was_turned = turned.output != drawn.output
    np.testing.assert_array_equal(turned.stretch[was_turned], 1.0 / drawn.stretch[was_turned])
    np.testing.assert_array_equal(turned.stretch[~was_turned], drawn.stretch[~was_turned])
    np.testing.assert_array_equal(turned.standard_errors, drawn.standard_errors)


def test_details_of_a_frame_have_the_columns_of_the_command(wine):
    X, y = wine
    explanation = bisector.Explainer(SVC().fit(X, y == 1), X, method="lrp-expected")(X)
    frame, plain = explanation.to_frame(details=True), explanation.to_frame()
    errors = [f"standard error of {name}" for name in NAMES]
    assert list(frame.columns) == [*plain.columns, "g", "decision", "correction", "stretch", *errors]
    np.testing.assert_array_equal(frame[errors], explanation.standard_errors)
    np.testing.assert_array_equal(frame["base"], explanation.base_values)
    np.testing.assert_allclose(frame["base"] + frame[NAMES].sum(axis=1) + frame["remainder"],
                               frame["output"], atol=1e-9)
    one = explanation[3, "feature 4"].to_frame(details=True)
    assert one["standard error of feature 4"][0] == explanation.standard_errors[3, 4]
    numbers = bisector.Explainer(SVR().fit(X, y), X, method="lrp", level=1.5)(X)
    assert list(numbers.to_frame(details=True).columns) == [
        "row", "prediction", "output", "base", *NAMES, "remainder", "outside", "tie", "g",
        "decision", "correction", "stretch", "level"]
    assert np.all(numbers.to_frame(details=True)["level"] == 1.5)


def test_a_frame_has_one_of_all_classes(wine):
    X, y = wine
    every = bisector.Explainer(SVC().fit(X, y))(X, classes="all")
    with pytest.raises(ValueError, match="has all classes, and a table has one: choose it"):
        every.to_frame()
    frame = every[:, :, 1].to_frame()
    assert set(frame["class"]) == {1} and set(frame["versus"]) == {"the rest"}
    np.testing.assert_array_equal(frame[NAMES], every.values[:, :, 1])


@pytest.mark.parametrize("kind", ["classes", "words", "numbers", "text", "function", "row"])
def test_saved_explanations_are_loaded_unchanged(kind, wine, explanation, tmp_path):
    X, y = wine
    if kind == "words":
        explanation = bisector.Explainer(KNeighborsClassifier(4).fit(X, np.array(
            ["Barolo", "Grignolino", "Barbera"], dtype=object)[y]))(X)
    elif kind == "numbers":
        explanation = bisector.Explainer(SVR().fit(X, y))(X)
    elif kind == "text":
        explanation.data = explanation.data.astype(object)
        explanation.data[:, 0] = "red"
    elif kind == "row":
        explanation = explanation[5]
    explanation.save(tmp_path / "saved.npz")
    found = bisector.Explanation.load(tmp_path / "saved.npz")
    for name in ("values", "base_values", "remainder", "correction", "output", "data", "g",
                 "decision", "prediction", "positive_class", "versus", "tie", "outside", "unit"):
        np.testing.assert_array_equal(getattr(found, name), getattr(explanation, name))
    assert list(found.feature_names) == list(explanation.feature_names)
    assert (found.method, dict(found.settings)) == (explanation.method, dict(explanation.settings))
    np.load(tmp_path / "saved.npz", allow_pickle=False)["meta"]
    assert [path.name for path in tmp_path.iterdir()] == ["saved.npz"]


def test_other_files_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", values=np.zeros(3))
    with pytest.raises(ValueError, match="other.npz: .*expected a file of Explanation.save"):
        bisector.Explanation.load(tmp_path / "other.npz")


def test_files_of_another_version_are_refused(explanation, tmp_path):
    explanation.save(tmp_path / "saved.npz")
    arrays = dict(np.load(tmp_path / "saved.npz"))
    arrays["meta"] = np.array(str(arrays["meta"]).replace('"version": 3', '"version": 1'))
    np.savez(tmp_path / "older.npz", **arrays)
    with pytest.raises(ValueError, match="older.npz: the file has no 'version 3'"):
        bisector.Explanation.load(tmp_path / "older.npz")


def test_the_interface_of_shap_is_supported(wine):
    X, y = wine
    explainer = bisector.Explainer(SVC().fit(X, y == 1), method="shapley-exact")
    values = explainer.shap_values(X)
    f = explainer(X).decision
    np.testing.assert_allclose(values.sum(axis=1) + explainer.expected_value, f, atol=1e-9)


def test_evidence_names_rows_of_the_training_data(wine):
    X, y = wine
    model = SVC().fit(X, y == 1)
    explainer = bisector.Explainer(model, method="lrp", eta=1.0, unit="g")
    row = X.iloc[[7]]
    network = explainer.network(row)
    assert network.g == pytest.approx(explainer(row).g[0], rel=1e-9)
    assert network.detection.shape == (len(network.positive), len(network.negative))
    assert network.positive_weights.sum() == pytest.approx(1.0)
    total = len(network.positive) * len(network.negative)
    pairs = explainer.evidence(row, count=total)
    assert sum(pair.weight for pair in pairs) == pytest.approx(1.0)
    np.testing.assert_allclose(sum(pair.relevance for pair in pairs), explainer(row).values[0],
                               atol=1e-9)
    for pair in pairs[:10]:
        assert pair.positive is None or y[pair.positive] == 1
        assert pair.negative is None or y[pair.negative] != 1
    points = X.to_numpy()
    if pairs[0].positive is not None and pairs[0].negative is not None:
        distance = ((points - points[7]) ** 2).sum(axis=1)
        weights = dict(zip(model.support_, model.dual_coef_[0]))
        z = [distance[n] - np.log(abs(weights[n])) / model._gamma
             for n in (pairs[0].negative, pairs[0].positive)]
        assert pairs[0].activation == pytest.approx(z[0] - z[1], rel=1e-9)


def test_regressors_are_compared_with_a_level():
    X, y = REGRESSION["diabetes"]()
    model = SVR(C=100.0).fit(X, y)
    explanation = bisector.Explainer(model, level=150.0)(X)
    np.testing.assert_array_equal(explanation.g > 0, model.predict(X) > 150.0)
    np.testing.assert_allclose(explanation.decision, model.predict(X) - 150.0, atol=1e-8)
    assert explanation.output_names == "above" and explanation.versus[0] == "below"


@pytest.mark.parametrize("of", ["rows", "one row", "one feature"])
def test_explanations_can_be_pickled_and_copied(of, explanation):
    part = {"rows": explanation, "one row": explanation[3], "one feature": explanation[:, 2]}[of]
    for found in (pickle.loads(pickle.dumps(part)), copy.copy(part), copy.deepcopy(part)):
        for name in ("values", "base_values", "data", "g", "prediction", "positive_class", "tie"):
            np.testing.assert_array_equal(getattr(found, name), getattr(part, name))
        assert dict(found.settings) == dict(part.settings)
        np.testing.assert_array_equal(found.index, part.index)
        assert list(found.feature_names) == list(part.feature_names)
    deep = copy.deepcopy(part)
    deep.values[...] = 0.0
    assert np.any(part.values)


def test_absolute_values_and_reductions(explanation):
    sizes = explanation.abs
    np.testing.assert_array_equal(sizes.values, np.abs(explanation.values))
    assert sizes.base_values is None and sizes.output is None and explanation.output is not None
    mean = explanation.abs.mean(0)
    np.testing.assert_allclose(mean.values, np.abs(explanation.values).mean(axis=0))
    assert mean.feature_names == explanation.feature_names and mean.shape == (13,)
    assert mean.positive_class == explanation.positive_class[0] and mean.prediction is None
    signed = explanation.mean()
    assert signed.base_values + signed.values.sum() + signed.remainder == pytest.approx(signed.output)
    assert list(mean.to_frame().columns) == ["class", "versus", *NAMES]
    assert len(sizes.to_frame()) == len(explanation)
    np.testing.assert_array_equal(explanation.mean(axis=1), explanation.values.mean(axis=1))
    np.testing.assert_array_equal(explanation.sum(0).values, explanation.values.sum(axis=0))
    np.testing.assert_array_equal(explanation.abs.max(0).values, sizes.values.max(axis=0))
    with pytest.raises(ValueError, match="expected several rows and axis 0 or 1"):
        explanation.mean(axis=2)
    with pytest.raises(ValueError, match="expected several rows"):
        explanation[0].mean()


def test_the_smallest_values_and_the_order_of_features(explanation):
    np.testing.assert_array_equal(explanation.min(0).values, explanation.values.min(axis=0))
    np.testing.assert_array_equal(explanation.min(1), explanation.values.min(axis=1))
    assert explanation.min(0).output is None
    importance = np.abs(explanation.values).mean(axis=0)
    np.testing.assert_array_equal(explanation.abs.mean(0).argsort, np.argsort(importance))


def test_the_mean_over_several_pairs_of_classes_has_no_class(wine):
    X, y = wine
    mean = bisector.Explainer(SVC().fit(X, y))(X).mean()
    assert mean.classes is None and mean.values.shape == (13,)


def test_html_is_an_escaped_table(wine):
    X, y = wine
    X = X.rename(columns={"feature 0": "<script>alert(1)</script>", "feature 1": "a & b"})
    labels = np.array(["<b>yes</b>", "no"])[(y == 1).astype(int)]
    explanation = bisector.Explainer(SVC().fit(X, labels))(X.rename(index={"bottle 0": "<i>"}))
    for part in (explanation, explanation[0], explanation.abs, explanation.mean(), explanation[:0],
                 explanation[:, ["a & b", 3]], explanation[:, 0]):
        text = part._repr_html_()
        assert "<script" not in text and "<b>" not in text and "<i>" not in text
        ElementTree.fromstring(text)  # well-formed
    whole = ElementTree.fromstring(explanation._repr_html_())
    assert len(whole.findall(".//tbody/tr")) == 11  # ten rows, and what is left
    one = ElementTree.fromstring(explanation[0]._repr_html_())
    assert {cell.text for cell in one.findall(".//tbody/tr/td")} >= {"a & b"}


def test_a_feature_gets_an_underscore_if_a_column_has_its_name():
    X, y = CLASSIFICATION["moons"]()
    for names in (["prediction", "outside"], ["base", "base_"], ["tie", "row"]):
        frame = pd.DataFrame(X, columns=names)
        explanation = bisector.Explainer(SVC().fit(frame, y))(frame)
        table = explanation.to_frame()
        assert len(set(table.columns)) == len(table.columns) == 11
        np.testing.assert_array_equal(table.iloc[:, 6], explanation.values[:, 0])
    assert list(table.columns) == ["row", "prediction", "class", "versus", "output", "base", "tie_",
                                   "row_", "remainder", "outside", "tie"]
    prefixed = explanation.to_frame(prefix="why ")
    assert list(prefixed.columns) == ["row", "prediction", "class", "versus", "output", "base",
                                      "why tie", "why row", "remainder", "outside", "tie"]


def test_arrow_and_dlpack(explanation):
    np.testing.assert_array_equal(np.from_dlpack(explanation), explanation.values)
    assert np.shares_memory(np.from_dlpack(explanation), explanation.values)
    np.testing.assert_array_equal(np.asarray(explanation), explanation.values)
    pa = pytest.importorskip("pyarrow")
    table = pa.table(explanation)
    assert table.column_names == list(explanation.to_frame().columns)
    np.testing.assert_array_equal(table["feature 2"].to_numpy(), explanation.values[:, 2])
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(explanation).shape == (len(explanation), 22)
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select count(*), min(output) from explanation").fetchall() == [
        (len(explanation), explanation.output.min())]


def test_explainers_have_the_parameter_interface_of_scikit_learn(wine):
    from sklearn.base import clone

    X, y = wine
    model = SVC().fit(X, y == 1)
    explainer = bisector.Explainer(model, method="lrp", eta=0.25, unit="share")
    params = explainer.get_params()
    assert params["model"] is model and params["eta"] == 0.25 and params["unit"] == "share"
    for copied in (clone(explainer), copy.copy(explainer), copy.deepcopy(explainer),
                   bisector.Explainer(**params)):
        assert copied is not explainer and copied.get_params()["eta"] == 0.25
        np.testing.assert_array_equal(copied(X).values, explainer(X).values)
    changed = clone(explainer).set_params(eta=1.0)
    assert changed.settings["eta"] == 1.0 and explainer.settings["eta"] == 0.25
    with pytest.raises(ValueError, match="no parameter 'depth', expected some of model, background"):
        explainer.set_params(depth=3)


def test_literal_types_are_those_of_the_library():
    from typing import get_args

    from bisector import _core, _options

    for literal, kind in ((_options.UnitName, _core.Unit), (_options.PrecisionName, _core.Precision)):
        assert set(get_args(literal)) == {member.name for member in kind}


def test_samples_are_rows_without_repeats(explanation):
    sample = explanation.sample(10, random_state=3)
    assert sample.shape == (10, 13) and len(np.unique(sample.data, axis=0)) == 10
    assert len(explanation.sample(10_000)) == len(explanation)
    assert len(explanation.sample(500, replace=True)) == 500


def test_cohorts_by_name_and_by_a_tree_contain_every_row_once(explanation):
    by_name = explanation.cohorts(np.where(explanation.g > 0, "yes", "no"))
    assert set(by_name) == {"yes", "no"} and np.all(by_name["yes"].g > 0)
    by_tree = explanation.cohorts(4)
    assert 2 <= len(by_tree) <= 4
    assert sum(len(part) for part in by_tree.values()) == len(explanation)
    assert all(any(name in cohort for name in NAMES) for cohort in by_tree)
    with pytest.raises(ValueError, match="one for each row"):
        explanation.cohorts(["a"])


def test_hierarchical_clustering_puts_equal_rows_next_to_each_other(explanation):
    rows = explanation[[0, 40, 90, 0, 40, 90]]
    order = rows.hclust()
    assert sorted(order) == list(range(6))
    pairs = [{int(a) % 3, int(b) % 3} for a, b in zip(order[::2], order[1::2])]
    assert pairs == [{0}, {1}, {2}] or all(len(pair) == 1 for pair in pairs)
    assert sorted(explanation.hclust(axis=1)) == list(range(13))
