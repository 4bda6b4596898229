"""Gower's distance as a metric of scikit-learn, against its definition and on a table with text."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OrdinalEncoder

import bisector


def table(rows=120):
    random = np.random.default_rng(3)
    X = pd.DataFrame({"area": random.normal(70, 20, rows), "floor": random.integers(0, 6, rows),
                      "town": random.choice(["Bonn", "Kiel", "Ulm"], rows),
                      "heating": random.choice(["gas", "oil"], rows)})
    return X, X["area"] + 60.0 * (X["town"] == "Bonn")


def pipeline(neighbors):
    columns = make_column_transformer((MinMaxScaler(), ["area", "floor"]),
                                      (OrdinalEncoder(), ["town", "heating"]))
    return make_pipeline(columns, neighbors)


def by_definition(a, b, is_category, ranges, weights):
    parts = [float(x != y) if category else abs(x - y) / reach
             for x, y, category, reach in zip(a, b, is_category, ranges)]
    return float(np.average(parts, weights=weights))


def test_the_distance_is_that_of_the_definition():
    random = np.random.default_rng(0)
    ranges, weights = [2.0, 1.0, 5.0], [1.0, 0.5, 3.0]
    metric = bisector.Gower([1], ranges=ranges, weights=weights)
    plain = bisector.Gower([1])
    for _ in range(50):
        a, b = random.normal(size=(2, 3))
        a[1], b[1] = random.integers(0, 3, 2)
        expected = by_definition(a, b, [False, True, False], ranges, weights)
        assert metric(a, b) == pytest.approx(expected, rel=1e-14)
        assert plain(a, b) == pytest.approx(
            by_definition(a, b, [False, True, False], [1.0] * 3, None), rel=1e-14)


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_relevance_is_mapped_back_to_the_columns_of_the_table(weights):
    X, y = table()
    model = pipeline(KNeighborsRegressor(7, weights=weights, metric=bisector.Gower([2, 3])))
    model.fit(X, y)
    rows, _ = table(40)
    rows["area"] += 0.37
    explanation = bisector.Explainer(model)(rows)
    assert explanation.feature_names == list(X.columns)
    np.testing.assert_allclose(explanation.prediction, model.predict(rows), rtol=1e-9)
    level = explanation.settings["level"]
    sure = ~explanation.tie & (np.abs(model.predict(rows) - level) > 1e-9)
    assert sure.mean() > 0.9
    np.testing.assert_array_equal((explanation.g > 0)[sure], (model.predict(rows) > level)[sure])
    whole = explanation.values.sum(axis=1) + explanation.base_values + explanation.remainder
    np.testing.assert_allclose(explanation.output, explanation.prediction, rtol=1e-9)
    np.testing.assert_allclose(whole, explanation.output, rtol=1e-9)
    mean = np.abs(explanation.values).mean(axis=0)
    assert mean[X.columns.get_loc("town")] > mean[X.columns.get_loc("heating")]


def test_model_files_keep_the_columns(tmp_path):
    X, y = table()
    model = pipeline(KNeighborsRegressor(7, metric=bisector.Gower([2, 3]))).fit(X, y)
    explainer = bisector.Explainer(model)
    explainer.save(tmp_path / "model.npz")
    ours, theirs = bisector.Explainer(tmp_path / "model.npz")(X), explainer(X)
    np.testing.assert_array_equal(ours.values, theirs.values)
    assert list(ours.feature_names) == list(X.columns)
    # Removed features are imputed with values of real rows.
    assert np.isfinite(bisector.aufc(explainer, X, max_rows=5, samples=5))


def test_gower_can_be_cloned_and_searched():
    X, y = table()
    model = pipeline(KNeighborsClassifier(5, metric=bisector.Gower([2, 3])))
    search = GridSearchCV(model, {"kneighborsclassifier__n_neighbors": [3, 5]}, cv=2)
    search.fit(X, np.where(y > 90, "dear", "cheap"))
    explanation = bisector.Explainer(search)(X)
    sure = ~explanation.tie
    np.testing.assert_array_equal(explanation.prediction[sure], search.predict(X)[sure])
    assert repr(clone(model)) == repr(model)


def test_wrong_positions_ranges_and_weights_are_refused():
    with pytest.raises(ValueError, match="expected numbers above 0"):
        bisector.Gower([0], ranges=[1.0, 0.0])
    for metric in (bisector.Gower([4]), bisector.Gower([0], ranges=[1.0])):
        with pytest.raises(ValueError, match="does not fit 2 columns, expected positions of categories below 2"):
            metric(np.zeros(2), np.zeros(2))
