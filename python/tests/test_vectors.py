"""Columns of vectors, such as embeddings, in every container: one feature for each entry."""

import numpy as np
import pandas
import polars
import pytest
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler

import bisector

X, Y = load_wine(return_X_y=True)
MODEL = make_pipeline(StandardScaler(), Normalizer(), KNeighborsClassifier(5)).fit(X, Y)
NAMES = [f"embedding[{n}]" for n in range(13)]
WANTED = bisector.Explainer(MODEL, X)(X)


def objects(values):
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


FRAMES = {
    "pandas, arrays": lambda: pandas.DataFrame({"embedding": objects(X)}),
    "pandas, lists": lambda: pandas.DataFrame({"embedding": [list(row) for row in X]}),
    "pandas, a series": lambda: pandas.Series(objects(X), name="embedding"),
    "polars, arrays": lambda: polars.DataFrame({"embedding": X}),
    "polars, lists": lambda: polars.DataFrame({"embedding": [list(row) for row in X]}),
    "polars, a series": lambda: polars.DataFrame({"embedding": X})["embedding"],
    "polars, lazy": lambda: polars.DataFrame({"embedding": X}).lazy(),
}


@pytest.mark.parametrize("name", FRAMES)
def test_vectors_of_data_frames(name):
    explanation = bisector.Explainer(MODEL, X)(FRAMES[name]())
    np.testing.assert_array_equal(explanation.values, WANTED.values)
    np.testing.assert_array_equal(explanation.data, X)
    assert explanation.feature_names == NAMES


def test_vectors_of_arrays_of_objects():
    for rows in (objects(X), objects(X)[:, None]):
        np.testing.assert_array_equal(bisector.Explainer(MODEL, X)(rows).values, WANTED.values)


def test_vectors_beside_numbers_are_found_by_the_names_of_the_model():
    frame = pandas.DataFrame(X, columns=[*NAMES[:12], "age"])
    model = KNeighborsClassifier(5).fit(frame, Y)
    table = pandas.DataFrame({"id": np.arange(len(X)), "embedding": objects(X[:, :12]),
                              "age": X[:, 12]}, index=np.arange(len(X)) + 100)
    explanation = bisector.Explainer(model, table)(table)
    np.testing.assert_array_equal(explanation.values, bisector.Explainer(model, frame)(frame).values)
    assert list(explanation.index[:2]) == [100, 101]
    grouped = bisector.Explainer(model, table, groups="columns")(table)
    assert grouped.feature_names == ["embedding", "age"]
    np.testing.assert_allclose(grouped.values[:, 0], explanation.values[:, :12].sum(axis=1))


def test_groups_take_the_names_of_the_background():
    table = pandas.DataFrame({"embedding": objects(X)})
    explanation = bisector.Explainer(MODEL, table, groups="columns")(table)
    assert explanation.feature_names == ["embedding"]
    np.testing.assert_allclose(explanation.values[:, 0], WANTED.values.sum(axis=1))


def test_vectors_come_back_as_fixed_size_lists():
    pa = pytest.importorskip("pyarrow")
    explanation = bisector.Explainer(MODEL, X)(FRAMES["pandas, arrays"]())
    table = explanation.to_arrow("relevance_", vectors=True)
    assert table.column_names[:2] == ["row", "prediction"]
    column = table.column("relevance_embedding").combine_chunks()
    assert column.type == pa.list_(pa.float64(), 13)
    np.testing.assert_array_equal(column.flatten().to_numpy().reshape(-1, 13), WANTED.values)
    assert explanation.to_arrow().num_columns == table.num_columns + 12
    assert polars.DataFrame(table).schema["relevance_embedding"] == polars.Array(polars.Float64, 13)


@pytest.mark.parametrize("bad, words", [
    ([1.0] * 12, 'row 3, column "embedding" has 12 numbers, expected a vector of 13'),
    (None, 'row 3, column "embedding" is None, expected a vector of 13'),
])
def test_a_vector_of_another_length_is_named(bad, words):
    rows = [list(row) for row in X]
    rows[2] = bad
    with pytest.raises(ValueError, match=words):
        bisector.Explainer(MODEL, X)(pandas.DataFrame({"embedding": rows}))


def test_words_in_lists_are_no_vectors_and_groups_need_vectors():
    with pytest.raises(ValueError, match="is .'a', 'b'., expected a number"):
        bisector.Explainer(MODEL, X)(pandas.DataFrame({"words": [["a", "b"]] * 3, **{
            str(n): [0.0] * 3 for n in range(12)}}))
    with pytest.raises(ValueError, match='groups is "columns" and no column is a vector'):
        bisector.Explainer(MODEL, X, groups="columns")
    with pytest.raises(ValueError, match='groups is "rows", expected "columns"'):
        bisector.Explainer(MODEL, X, groups="rows")
