"""Recipes of docs/guide/neighbors.md: neighbors from FAISS, usearch and hnswlib."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

import bisector

X, LABELS = load_digits(return_X_y=True)
X = X[:, X.std(axis=0) > 0.0] + np.random.default_rng(0).normal(0.0, 0.1, (len(X), 61))
X, ROWS, LABELS = X[:1500].astype(np.float32), X[1500:1510].astype(np.float32), LABELS[:1500]
CLASSES = np.unique(LABELS)
SIZES = {label: int(np.sum(LABELS == label)) for label in CLASSES}
K = 5


def of_each_class(search_of):
    """Positions and squared distances of the 2 k nearest rows of each class. search_of(vectors) is a
    function from rows to positions among the vectors and distances."""
    places, distances = [], []
    for label in CLASSES:
        members = np.flatnonzero(LABELS == label)
        found, told = search_of(X[members])(ROWS)
        places.append(members[found])
        distances.append(told)
    return np.hstack(places), np.hstack(distances)


def faiss_flat(vectors):
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    return lambda rows: index.search(rows, 2 * K)[::-1]


def faiss_hnsw(vectors):
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexHNSWFlat(vectors.shape[1], 16)
    index.add(vectors)
    return lambda rows: index.search(rows, 2 * K)[::-1]


def usearch_exact(vectors):
    usearch = pytest.importorskip("usearch.index")

    def search(rows):
        found = usearch.search(vectors, rows, 2 * K, usearch.MetricKind.L2sq, exact=True)
        return found.keys.astype(np.int64), found.distances
    return search


def hnswlib_index(vectors):
    hnswlib = pytest.importorskip("hnswlib")
    index = hnswlib.Index("l2", vectors.shape[1])
    index.init_index(len(vectors))
    index.add_items(vectors)
    index.set_ef(50)

    def search(rows):
        found, told = index.knn_query(rows, 2 * K)
        return found.astype(np.int64), told
    return search


@pytest.mark.parametrize("search_of", [faiss_flat, usearch_exact])
def test_exact_indexes_are_certified(search_of):
    places, distances = of_each_class(search_of)
    found = bisector.explain_neighbors(ROWS, places, LABELS, k=K, vectors=X, distances=distances,
                                       class_sizes=SIZES, exact=True)
    assert np.all(found.certified)
    assert _same_rows(found).all()


@pytest.mark.parametrize("search_of", [faiss_hnsw, hnswlib_index])
def test_graphs_are_approximate(search_of):
    places, distances = of_each_class(search_of)
    found = bisector.explain_neighbors(ROWS, places, LABELS, k=K, vectors=X, distances=distances,
                                       class_sizes=SIZES)
    assert not found.certified.any()
    assert _same_rows(found).mean() >= 0.8


def _same_rows(found):
    model = KNeighborsClassifier(K).fit(X, LABELS)
    wanted = bisector.Explainer(model, method="lrp", unit="g", reference="origin")(ROWS)
    np.testing.assert_array_equal(found.prediction, wanted.prediction)
    return np.isclose(found.values, wanted.values, rtol=1e-6, atol=1e-6).all(axis=1)
