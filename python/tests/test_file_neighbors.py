"""FileNeighbors: rows that stay in a file are explained as rows in memory are."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import bisector

RANDOM = np.random.default_rng(3)
LABELS = np.array(["no", "yes", "perhaps"])[np.arange(2000) % 3]
ROWS = (RANDOM.normal(size=(2000, 70)) + np.arange(2000)[:, None] % 3).astype("float32")
X = RANDOM.normal(size=(7, 70)) + 1.0


@pytest.fixture
def path(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    return tmp_path / "rows.npy"


def in_memory(weights="uniform", rows=ROWS, labels=LABELS):
    return KNeighborsClassifier(9, weights=weights, algorithm="brute").fit(rows.astype(float), labels)


def assert_same(found, expected):
    for name in ("values", "base_values", "output", "prediction", "outside", "tie"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_explanations_are_those_of_rows_in_memory(path, weights):
    model = bisector.FileNeighbors(path, LABELS, k=9, weights=weights)
    found = bisector.Explainer(model)
    expected = bisector.Explainer(in_memory(weights))
    assert found.method == expected.method == "lrp-expected"
    assert_same(found(X), expected(X))
    assert np.array_equal(found.predict(X), in_memory(weights).predict(X))
    assert np.array_equal(found(X, classes="all").values, expected(X, classes="all").values)


def test_mapped_arrays_and_parts_of_them(path):
    mapped = np.load(path, mmap_mode="r")
    expected = bisector.Explainer(in_memory(rows=ROWS[300:1700], labels=LABELS[300:1700]))(X)
    for rows in (mapped[300:1700], np.asarray(mapped)[100:][200:1600]):
        model = bisector.FileNeighbors(rows, LABELS[300:1700], k=9)
        assert_same(bisector.Explainer(model)(X), expected)


def test_a_saved_model_names_the_file(path):
    explainer = bisector.Explainer(bisector.FileNeighbors(path, LABELS, k=9))
    explainer.save(path.parent / "model.npz")
    assert_same(bisector.Explainer(path.parent / "model.npz")(X), explainer(X))
    with pytest.raises(ValueError, match="expected both in one folder"):
        explainer.save("elsewhere.npz")


@pytest.mark.parametrize("rows, message", [
    (ROWS, "expected a path or numpy.load"),
    (lambda path: np.load(path, mmap_mode="c"), "expected a path or numpy.load"),
    (lambda path: np.load(path, mmap_mode="r")[:, 1:], "consecutive rows"),
    (lambda path: np.load(path, mmap_mode="r")[::2], "consecutive rows"),
])
def test_other_rows_are_refused(path, rows, message):
    rows = rows(path) if callable(rows) else rows
    with pytest.raises(ValueError, match=message):
        bisector.Explainer(bisector.FileNeighbors(rows, LABELS[: len(rows)]))


def test_functions_that_need_the_rows_in_memory_say_so(path):
    explainer = bisector.Explainer(bisector.FileNeighbors(path, LABELS, k=9))
    with pytest.raises(ValueError, match="expected rows in memory"):
        explainer.flip(X[:1])
    with pytest.raises(ValueError, match="expected \\(rows, features\\) and \\(rows,\\)"):
        bisector.Explainer(bisector.FileNeighbors(path, LABELS[1:]))
