"""Functions as weights of neighbors are recognized with their parameters, or refused."""

import numpy as np
import pytest
from datasets import CLASSIFICATION
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import bisector
from bisector._vote_weights import find_weights

FOUND = [
    (lambda d: 1.0 / d, ("inverse", 0.0, 1.0, 1.0)),
    (lambda d: 5.0 / d**2, ("inverse", 0.0, 2.0, 1.0)),
    (lambda d: d**-3.7, ("inverse", 0.0, 3.7, 1.0)),
    (lambda d: 1.0 / (d + 1e-10), ("inverse", 1e-10, 1.0, 1.0)),
    (lambda d: 1.0 / (d + np.finfo(float).eps), ("inverse", np.finfo(float).eps, 1.0, 1.0)),
    (lambda d: 1.0 / (1e4 + d), ("inverse", 1e4, 1.0, 1.0)),
    (lambda d: 1.0 / np.sqrt(d**2 + 0.1), ("inverse", 0.1, 2.0, 0.5)),
    (lambda d: (1.0 + d**2 / 7.0) ** -4.0, ("inverse", 7.0, 2.0, 4.0)),
    (lambda d: 1.0 / (1.0 + d**1.5), ("inverse", 1.0, 1.5, 1.0)),
    (lambda d: np.exp(-d / 50.0), ("exponential", 0.0, 1.0, 0.02)),
    (lambda d: np.exp(-1e-4 * d), ("exponential", 0.0, 1.0, 1e-4)),
    (lambda d: np.exp(-(d**2) / (2.0 * 0.7**2)), ("exponential", 0.0, 2.0, 1.0 / (2.0 * 0.7**2))),
    (lambda d: np.exp(-1000.0 * d**2), ("exponential", 0.0, 2.0, 1000.0)),
    (lambda d: np.exp(-np.sqrt(d)), ("exponential", 0.0, 0.5, 1.0)),
    (lambda d: np.exp(-d) / np.exp(-d).sum(axis=1, keepdims=True), ("exponential", 0.0, 1.0, 1.0)),
    (np.ones_like, ("uniform", 0.0, 1.0, 1.0)),
]


@pytest.mark.parametrize("function, expected", FOUND, ids=[str(case[1]) for case in FOUND])
def test_known_weight_functions_are_recognized(function, expected):
    found = find_weights(function)
    assert found.form.name == expected[0]
    assert (found.offset, found.power, found.rate) == pytest.approx(expected[1:], rel=1e-11)


NOT_FOUND = {
    "increasing": lambda d: 1.0 + d,
    "nothing from 1 on": lambda d: np.maximum(1.0 - d, 0.0),
    "cut off": lambda d: 1.0 / np.maximum(d, 1e-10),
    "another one at 0": lambda d: np.where(d == 0.0, 1e10, 1.0 / d),
    "by the farthest": lambda d: 1.1 - d / d.max(axis=1, keepdims=True),
    "by the rank": lambda d: np.arange(d.shape[1], 0, -1.0) * np.ones_like(d),
    "a sum": lambda d: np.exp(-d) + 0.01,
    "a logarithm": lambda d: 1.0 / np.log(2.0 + d),
    "negative": lambda d: -1.0 / d,
    "zero": lambda d: 0.0 * d,
    "one for all": lambda d: 1.0,
    "that fails": lambda d: d.nothing,
}


@pytest.mark.parametrize("function", NOT_FOUND.values(), ids=NOT_FOUND)
def test_other_weight_functions_are_refused(function):
    assert find_weights(function) is None


def test_files_and_pickles_keep_weight_functions(tmp_path):
    X, y = CLASSIFICATION["wine"]()
    model = KNeighborsClassifier(7, weights=lambda d: 1.0 / (0.5 + d) ** 2).fit(X, y)
    explainer = bisector.Explainer(model)
    explainer.save(tmp_path / "model.npz")
    np.testing.assert_array_equal(
    bisector.Explainer(
        tmp_path /
        "model.npz")(X).values,
         explainer(X).values)


def test_rows_far_from_the_data_have_a_prediction():
    X, y = np.arange(8.0)[:, None], np.array([0, 1, 1, 0, 0, 1, 1, 0])
    model = KNeighborsClassifier(3, weights=lambda d: np.exp(-9.0 * d**2)).fit(X, y)
    far = np.array([[-1e3], [1e6]])
    with pytest.raises(ValueError, match="zero weights"):
        model.predict(far)
    explanation = bisector.Explainer(model)(far)
    np.testing.assert_array_equal(explanation.prediction, [0, 0])
    assert np.isfinite(explanation.g).all() and np.isfinite(explanation.values).all()


def test_exact_matches_with_infinite_weights_decide():
    """Of one class alone they win; a mean is that of the points at the row."""
    X, y = np.array([[0.0], [0.1], [0.2], [5.0], [5.0], [5.1]]), np.array([0, 1, 1, 0, 1, 0])
    model = KNeighborsClassifier(3, weights=lambda d: 1.0 / d**2).fit(X, y)
    rows = np.array([[0.0], [0.1], [5.0]])
    explanation = bisector.Explainer(model)(rows)
    np.testing.assert_array_equal(explanation.tie, [False, False, True])
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
    mean = KNeighborsRegressor(3, weights=lambda d: 1.0 / d**2).fit(X, y.astype(float))
    assert bisector.Explainer(mean)(rows).prediction == pytest.approx([0.0, 1.0, 0.5])
