"""explain_neighbors(): neighbors from another index give the explanation of all training rows."""

import numpy as np
import pytest
from datasets import CLASSIFICATION
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

import bisector

X, LABELS = CLASSIFICATION["wine"]()
X = StandardScaler().fit_transform(X)
ROWS = X[::11] + 0.1
SIZES = {label: int(np.sum(LABELS == label)) for label in np.unique(LABELS)}


def of_each_class(rows, count, metric="euclidean"):
    """Positions of the `count` nearest rows of each class."""
    found = []
    for row in rows:
        if metric == "cosine":
            distances = 1.0 - X @ row / np.linalg.norm(X, axis=1) / np.linalg.norm(row)
        else:
            distances = (np.abs(X - row) ** (1 if metric == "manhattan" else 2)).sum(axis=1)
        order = np.argsort(distances, kind="stable")
        found.append(np.concatenate([order[LABELS[order] == label][:count] for label in SIZES]))
    return np.array(found)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan"])
def test_the_nearest_of_each_class_give_the_explanation_of_all_rows(metric):
    k = 5
    model = KNeighborsClassifier(k, metric=metric).fit(X, LABELS)
    wanted = bisector.Explainer(model, method="lrp", unit="g", reference="origin")(ROWS)
    found = bisector.explain_neighbors(ROWS, of_each_class(ROWS, 2 * k + 1, metric), LABELS, k=k,
                                       vectors=X, class_sizes=SIZES, exact=True, metric=metric)
    assert np.all(found.certified)
    np.testing.assert_allclose(found.values, wanted.values, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.g, wanted.g, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(found.prediction, wanted.prediction)
    np.testing.assert_array_equal(found.positive_class, wanted.positive_class)
    np.testing.assert_array_equal(found.versus, wanted.versus)
    np.testing.assert_allclose(found.decision, wanted.decision, atol=1e-12)


def test_rows_add_up_in_both_units():
    places = of_each_class(ROWS, 11)
    for unit in ("g", "share"):
        found = bisector.explain_neighbors(ROWS, places, LABELS, k=5, vectors=X, unit=unit)
        total = found.base_values + found.values.sum(axis=1) + found.remainder
        np.testing.assert_allclose(total, found.output, atol=1e-9)
    assert np.all(np.abs(found.values).sum(axis=1) + np.abs(found.remainder) < 100.0 + 1e-9)


def test_vectors_may_be_given_instead_of_positions():
    places = of_each_class(ROWS, 11)
    wanted = bisector.explain_neighbors(ROWS, places, LABELS, k=5, vectors=X)
    found = bisector.explain_neighbors(ROWS, X[places], LABELS[places], k=5)
    np.testing.assert_array_equal(found.values, wanted.values)


def test_only_an_exact_index_is_certified():
    places = of_each_class(ROWS, 11)
    options = {"k": 5, "vectors": X, "class_sizes": SIZES}
    assert not bisector.explain_neighbors(ROWS, places, LABELS, **options).certified.any()
    few = of_each_class(ROWS, 3)
    assert not bisector.explain_neighbors(ROWS, few, LABELS, exact=True, **options).certified.any()


def test_a_certificate_holds_for_lists_of_any_length():
    """A certified row has the explanation of all rows, whatever the index left out."""
    k = 5
    wanted = bisector.Explainer(KNeighborsClassifier(k).fit(X, LABELS), method="lrp", unit="g",
                                reference="origin")(ROWS)
    certified = 0
    for count in range(k, 16):
        found = bisector.explain_neighbors(ROWS, of_each_class(ROWS, count), LABELS, k=k, vectors=X,
                                           class_sizes=SIZES, exact=True)
        rows = found.certified
        certified += rows.sum()
        np.testing.assert_allclose(found.values[rows], wanted.values[rows], rtol=1e-9, atol=1e-9)
    assert certified > 0


def test_ties_at_the_last_neighbor_are_not_certified():
    points = np.array([[0.0], [1.0], [1.0], [-2.0], [-3.0], [-3.0]])
    labels = np.array(["a", "a", "a", "b", "b", "b"])
    sizes = {"a": 30, "b": 30}
    found = bisector.explain_neighbors([[-0.4]], [[0, 1, 2, 3, 4, 5]], labels, k=1, vectors=points,
                                       class_sizes=sizes, exact=True)
    assert found.certified[0]  # One neighbor of each class is used, and the second is farther.
    twice = np.array([[0.0], [0.0], [-2.0], [-2.0]])
    found = bisector.explain_neighbors([[-0.4]], [[0, 1, 2, 3]], labels[[0, 1, 3, 4]], k=1,
                                       vectors=twice, class_sizes=sizes, exact=True)
    assert not found.certified[0]


def test_distances_of_other_vectors_are_refused():
    places = of_each_class(ROWS, 11)
    squared = ((X[places] - ROWS[:, None, :]) ** 2).sum(axis=2)
    for told in (squared, np.sqrt(squared)):
        bisector.explain_neighbors(ROWS, places, LABELS, k=5, vectors=X,
                                   distances=told.astype(np.float32))
    with pytest.raises(ValueError, match="the index gives the distance"):
        bisector.explain_neighbors(ROWS, places, LABELS, k=5, vectors=X, distances=squared * 1.5)


def test_incomplete_neighbors_are_refused():
    places = of_each_class(ROWS, 5)
    with pytest.raises(ValueError, match="expected the 5 nearest of every class"):
        bisector.explain_neighbors(ROWS, places[:, :4], LABELS, k=5, vectors=X)
    with pytest.raises(ValueError, match="expected vectors=..."):
        bisector.explain_neighbors(ROWS, places, LABELS, k=5)
    with pytest.raises(ValueError, match="a neighbor twice"):
        bisector.explain_neighbors(ROWS, np.repeat(places, 2, axis=1), LABELS, k=5, vectors=X)
    with pytest.raises(ValueError, match='expected "g" or "share"'):
        bisector.explain_neighbors(ROWS, places, LABELS, k=5, vectors=X, unit="decision")


def test_certified_follows_the_rows():
    found = bisector.explain_neighbors(ROWS, of_each_class(ROWS, 11), LABELS, k=5, vectors=X,
                                       class_sizes=SIZES, exact=True)
    assert found[:3].certified.shape == (3,)
    assert bisector.Explainer(KNeighborsClassifier().fit(X, LABELS))(ROWS).certified is None
