"""Votes where distances are equal, zero, or equal but for the rounding of a scaler."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bisector

METHODS = ("lrp", "lrp-path", "lrp-expected", "neighborhood", "occlusion", "shapley")


def of_sklearn(model: Any, X: Any, explanation: Any) -> Any:
    """The shares of the vote of each row's pair of classes, as predict_proba has them."""
    shares = model.predict_proba(X)
    place = {label: n for n, label in enumerate(model.classes_)}
    rows = np.arange(len(X))
    return (shares[rows, [place[label] for label in explanation.positive_class]]
            - shares[rows, [place[label] for label in explanation.versus]])


def integers(seed: int, rows: int) -> tuple[Any, Any]:
    """Three columns of small integers, as in studies of patients: many distances are equal."""
    generator = np.random.default_rng(seed)
    X = np.column_stack([generator.integers(30, 84, rows), generator.integers(58, 70, rows),
                         generator.geometric(0.25, rows) - 1]).astype(float)
    return X, (X[:, 2] + generator.normal(scale=4.0, size=rows) > 4.0).astype(int)


def sonar_like() -> tuple[Any, Any]:
    X, y = make_classification(208, 60, n_informative=12, class_sep=0.6, random_state=1)
    return X, y


@pytest.mark.parametrize("data", [lambda: load_breast_cancer(return_X_y=True), sonar_like])
@pytest.mark.parametrize("method", METHODS)
def test_a_scaler_in_a_pipeline_changes_no_explanation_of_weights_by_distance(
        data: Any, method: str) -> None:
    X, y = data()
    train, held_out = slice(0, None, 2), slice(1, 80, 2)
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier(5, weights="distance"))
    pipeline.fit(X[train], y[train])
    scale, model = pipeline[0].transform, pipeline[1]
    rows = np.vstack([X[held_out], X[train][:20]])
    inside = bisector.Explainer(pipeline, X[train], method=method)(rows)
    outside = bisector.Explainer(model, scale(X[train]), method=method)(scale(rows))
    assert np.abs(inside.values).max() > 0.01
    np.testing.assert_allclose(inside.values, outside.values, atol=1e-6)
    np.testing.assert_allclose(inside.base_values, outside.base_values, atol=1e-6)
    np.testing.assert_allclose(inside.output, outside.output, atol=1e-6)
    # More than nothing: the values explain most of the output of held-out rows.
    if method in ("lrp-path", "lrp-expected"):
        assert np.median(np.abs(inside.remainder)) < 1e-6


def test_regressors_by_distance_have_the_same_values_behind_a_scaler() -> None:
    generator = np.random.default_rng(3)
    X = generator.normal(size=(300, 6)) * [1.0, 10.0, 0.1, 300.0, 1.0, 5.0] + 40.0
    y = X[:, 0] + np.sin(X[:, 2] * 10.0)
    pipeline = make_pipeline(StandardScaler(), KNeighborsRegressor(9, weights="distance")).fit(X, y)
    scaled = pipeline[0].transform(X)
    for method in METHODS:
        inside = bisector.Explainer(pipeline, X, method=method)(X[:40])
        outside = bisector.Explainer(pipeline[1], scaled, method=method)(scaled[:40])
        assert np.abs(inside.values).max() > 0.01
        np.testing.assert_allclose(inside.values, outside.values, atol=1e-6)
        np.testing.assert_allclose(inside.output, pipeline.predict(X[:40]), atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("is_scaled", [False, True])
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_ties_have_the_votes_of_sklearn(seed: int, weights: str, is_scaled: bool,
                                        algorithm: str) -> None:
    X, y = integers(seed, 306)
    model = KNeighborsClassifier(5, weights=weights, algorithm=algorithm)
    model = make_pipeline(StandardScaler(), model) if is_scaled else model
    model.fit(X, y)
    explainer = bisector.Explainer(model, X)
    explanation, every = explainer(X), explainer(X, classes="all")
    votes = 5.0 if weights == "uniform" else 1.0
    np.testing.assert_allclose(explanation.output / votes, of_sklearn(model, X, explanation),
                               atol=1e-6)
    np.testing.assert_allclose(every.output / votes, 2.0 * model.predict_proba(X) - 1.0, atol=1e-6)
    assert explanation.tie.any() and explanation.tie.mean() < 0.7
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, atol=1e-9)
    copy = pickle.loads(pickle.dumps(explainer))(X[::-1])
    np.testing.assert_array_equal(copy.values[::-1], explanation.values)


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_regressors_take_the_neighbors_of_sklearn(weights: str, algorithm: str) -> None:
    X, y = np.random.default_rng(0).integers(0, 6, (400, 4)).astype(float), np.arange(400.0)
    model = make_pipeline(StandardScaler(), KNeighborsRegressor(5, weights=weights,
                                                                algorithm=algorithm)).fit(X, y)
    explainer = bisector.Explainer(model, X, method="shapley", sequences=8, seed=1)
    explanation = explainer(X[:60])
    np.testing.assert_allclose(explanation.prediction, model.predict(X[:60]), atol=1e-6)
    # Random draws depend on the number of the row.
    np.testing.assert_array_equal(explanation.values[30:],
                                  explainer(np.vstack([X[100:130], X[30:60]])).values[30:])


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_rows_in_which_sklearn_rounds_are_flagged(offset: float, weights: str) -> None:
    """Brute force computes distances by scalar products, which lose digits of large numbers."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X + offset
    model = KNeighborsClassifier(5, weights=weights, algorithm="brute").fit(X, y)
    explanation = bisector.Explainer(model, X)(X)
    differs = np.abs(explanation.output / (5.0 if weights == "uniform" else 1.0)
                     - of_sklearn(model, X, explanation)) > 1e-6
    assert differs.any() == (weights == "distance")
    np.testing.assert_array_equal(explanation.tie, differs)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_rows_that_were_drawn_twice_have_the_votes_of_sklearn(weights: str) -> None:
    generator = np.random.default_rng(0)
    places = np.round(generator.normal(size=(120, 6)), 1) * 0.37 - 0.78
    drawn = generator.integers(120, size=600)  # Many rows at one place, of both classes.
    X, y = places[drawn], generator.integers(2, size=600)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(7, weights=weights)).fit(X, y)
    rows = np.vstack([places, places[:60] + 0.01])
    explanation = bisector.Explainer(model, X)(rows)
    votes = 7.0 if weights == "uniform" else 1.0
    np.testing.assert_allclose(explanation.output / votes, of_sklearn(model, rows, explanation),
                               atol=1e-6)
    assert explanation.tie.any()


def test_a_radius_that_several_distances_have_is_a_tie() -> None:
    X, y = integers(1, 200)
    model = RadiusNeighborsClassifier(5.0).fit(X, y)
    explanation = bisector.Explainer(model, X)(X)
    differs = np.abs(explanation.output - of_sklearn(model, X, explanation)) > 1e-6
    assert not np.any(differs & ~explanation.tie)
