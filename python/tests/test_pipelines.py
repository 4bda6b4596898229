"""Pipelines are explained by their original columns and names."""

import pickle

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (MaxAbsScaler, MinMaxScaler, OneHotEncoder, OrdinalEncoder,
                                   RobustScaler, StandardScaler)
from sklearn.svm import SVC, SVR

import bisector


@pytest.fixture
def cars():
    """A table with numbers, text and categories; the outcome depends on all of them."""
    generator = np.random.default_rng(3)
    n = 240
    frame = pd.DataFrame({
        "weight": generator.normal(1400, 250, n),
        "fuel": generator.choice(["diesel", "petrol", "electric"], n),
        "power": generator.normal(90, 30, n),
        "size": pd.Categorical(generator.choice(["small", "medium", "large"], n)),
        "owner": generator.integers(0, 5, n),
    })
    score = ((frame["weight"] - 1400) / 250 - (frame["power"] - 90) / 30
             + 2.0 * (frame["fuel"] == "electric") + (frame["size"] == "large"))
    return frame, np.where(score + generator.normal(0, 0.3, n) > 0.7, "thirsty", "frugal")


def encoding(**one_hot):
    return ColumnTransformer([
        ("numbers", make_pipeline(StandardScaler()), ["power", "weight"]),
        ("fuel", OneHotEncoder(**one_hot), ["fuel"]),
        ("size", OrdinalEncoder(categories=[["small", "medium", "large"]]), ["size"]),
        ("owner", "passthrough", ["owner"]),
    ])


@pytest.mark.parametrize("scalers", [
    (StandardScaler(),), (StandardScaler(with_mean=False),), (StandardScaler(with_std=False),),
    (MinMaxScaler((-1, 2)),), (RobustScaler(),), (RobustScaler(with_centering=False),),
    (MaxAbsScaler(),), (MinMaxScaler(), StandardScaler(), PCA(5)),
    (StandardScaler(), PCA(), RobustScaler()), ("passthrough", StandardScaler()),
], ids=str)
def test_scalers_are_explained_through(scalers):
    X, y = CLASSIFICATION["wine"]()
    X = 5.0 * X + 20.0
    model = make_pipeline(*scalers, SVC(gamma=0.1)).fit(X, y)
    explanation = bisector.Explainer(model)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))
    assert explanation.shape == X.shape


@pytest.mark.parametrize("one_hot", [
    {}, {"drop": "first"}, {"sparse_output": False}, {"handle_unknown": "ignore"},
    {"min_frequency": 80, "handle_unknown": "infrequent_if_exist"}, {"drop": "if_binary"},
], ids=str)
@pytest.mark.parametrize("estimator", [SVC(C=10.0), KNeighborsClassifier(7)], ids=["SVC", "KNN"])
def test_encoders_are_explained_through(cars, one_hot, estimator):
    X, y = cars
    model = make_pipeline(encoding(**one_hot), estimator).fit(X, y)
    explanation = bisector.Explainer(model)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))
    assert list(explanation.feature_names) == list(X.columns)
    assert explanation.shape == (len(X), 5)
    # What the levels have, the column has: the same model on the encoded rows, summed by hand.
    encoded = model[:-1].transform(X)
    encoded = encoded.toarray() if hasattr(encoded, "toarray") else encoded
    inner = bisector.Explainer(model[-1])(encoded)
    levels = encoded.shape[1] - 4
    owners = [2, 0, *([1] * levels), 3, 4]
    wanted = np.zeros((len(X), 5))
    for feature, column in enumerate(owners):
        wanted[:, column] += inner.values[:, feature]
    np.testing.assert_allclose(explanation.values, wanted, atol=1e-8)
    assert explanation.data[0, 1] == X["fuel"].iloc[0]


def test_relevance_of_a_column_is_the_sum_over_its_levels(cars):
    """With eta = 1 the reference does not matter, so the encoded model gives the same numbers."""
    X, y = cars
    model = make_pipeline(encoding(), SVC()).fit(X, y)
    explanation = bisector.Explainer(model, method="lrp", eta=1.0)(X)
    inner = bisector.Explainer(model[-1], method="lrp", eta=1.0)(model[:-1].transform(X))
    np.testing.assert_allclose(explanation[:, "power"].values, inner.values[:, 0], atol=1e-9)
    np.testing.assert_allclose(explanation[:, "weight"].values, inner.values[:, 1], atol=1e-9)
    np.testing.assert_allclose(explanation[:, "fuel"].values, inner.values[:, 2:5].sum(axis=1),
                               atol=1e-9)
    per_level = bisector.Explainer(model, method="lrp", eta=1.0)(X, per_level=True)
    np.testing.assert_allclose(per_level.values, inner.values, atol=1e-9)
    assert per_level.feature_names == ["power", "weight", "fuel_diesel", "fuel_electric",
                                       "fuel_petrol", "size", "owner"]


def test_columns_are_found_by_name_in_any_order(cars):
    X, y = cars
    model = make_pipeline(encoding(), SVC()).fit(X, y)
    explainer = bisector.Explainer(model)
    wanted = explainer(X)
    shuffled = X.assign(more=1.0)[["owner", "more", "fuel", "weight", "size", "power"]]
    found = explainer(shuffled)
    np.testing.assert_array_equal(found.values, wanted.values)
    with pytest.raises(ValueError, match='no column "fuel"'):
        explainer(X.drop(columns="fuel"))


def test_dropped_and_repeated_columns_are_explained():
    X, y = CLASSIFICATION["wine"]()
    frame = pd.DataFrame(X, columns=[f"c{d}" for d in range(X.shape[1])])
    columns = make_column_transformer((StandardScaler(), ["c3", "c1"]), ("drop", ["c0"]),
                                      (MinMaxScaler(), ["c1", "c5"]), remainder="drop")
    model = make_pipeline(columns, SVC()).fit(frame, y)
    explanation = bisector.Explainer(model)(frame)
    np.testing.assert_array_equal(explanation.prediction, model.predict(frame))
    used = np.abs(explanation.values).max(axis=0) > 0
    assert [name for name, is_used in zip(frame.columns, used) if is_used] == ["c1", "c3", "c5"]


def test_transformer_weights_are_explained_through():
    X, y = CLASSIFICATION["iris"]()
    columns = ColumnTransformer([("a", StandardScaler(), [2]), ("b", PCA(2), slice(0, 2))],
                                remainder="passthrough", transformer_weights={"b": 0.3})
    model = make_pipeline(columns, SVC()).fit(X, y)
    explanation = bisector.Explainer(model)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))


def test_an_encoder_without_a_column_transformer_is_explained_through():
    X = np.array([["a", "x"], ["b", "x"], ["a", "y"], ["c", "y"]] * 10, dtype=object)
    y = np.array([0, 1, 0, 1] * 10)
    model = make_pipeline(OneHotEncoder(), SVC()).fit(X, y)
    explanation = bisector.Explainer(model)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))
    assert explanation.shape == X.shape


def test_an_unknown_level_is_named(cars):
    X, y = cars
    model = make_pipeline(encoding(), SVC()).fit(X, y)
    with pytest.raises(ValueError, match="unknown categories"):
        bisector.Explainer(model)(X.assign(fuel="steam"))


def test_searches_are_explained_by_their_best_estimator():
    X, y = CLASSIFICATION["breast cancer"]()
    search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 10.0]}).fit(X, y)
    explanation = bisector.Explainer(search)(X)
    np.testing.assert_array_equal(explanation.prediction, search.predict(X))


def test_calibration_moves_the_threshold():
    X, y = CLASSIFICATION["breast cancer"]()
    y = (y == 1) & (X[:, 0] < 0.8)  # unbalanced, so that the threshold moves
    model = CalibratedClassifierCV(make_pipeline(StandardScaler(), SVC(C=0.01)), ensemble=False,
                                   method="sigmoid").fit(X, y)
    explanation = bisector.Explainer(model)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))
    inside = model.calibrated_classifiers_[0].estimator
    assert np.any(inside.predict(X) != model.predict(X)), "the test shows nothing"


@pytest.mark.parametrize("model", [SVC(), KNeighborsClassifier(3)], ids=["SVC", "KNN"])
def test_pickled_explainers_give_the_same_numbers(cars, model):
    X, y = cars
    model = make_pipeline(encoding(), model).fit(X, y)
    explainer = bisector.Explainer(model, method="lrp-path", eta=0.3, unit="share")
    copy = pickle.loads(pickle.dumps(explainer))
    np.testing.assert_array_equal(copy(X).values, explainer(X).values)
    np.testing.assert_array_equal(copy(X).prediction, explainer(X).prediction)
    assert copy.settings == explainer.settings


def test_saved_models_give_the_same_numbers(cars, tmp_path):
    X, y = cars
    X = X[["weight", "fuel", "power", "size"]]
    columns = ColumnTransformer([
        ("weight", StandardScaler(), ["weight"]), ("fuel", OneHotEncoder(), ["fuel"]),
        ("power", StandardScaler(), ["power"]), ("size", OrdinalEncoder(), ["size"])])
    explainer = bisector.Explainer(make_pipeline(columns, SVC()).fit(X, y))
    explainer.save(tmp_path / "cars.npz")
    found = bisector.Explainer(tmp_path / "cars.npz")(X)
    wanted = explainer(X)
    np.testing.assert_allclose(found.values, wanted.values, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.prediction, wanted.prediction)
    assert list(found.feature_names) == list(wanted.feature_names)
    per_level = bisector.Explainer(tmp_path / "cars.npz")(X, per_level=True)
    assert per_level.feature_names == ["weight", "fuel=diesel", "fuel=electric", "fuel=petrol",
                                       "power", "size"]


def test_regressors_behind_a_scaler_are_explained():
    X, y = CLASSIFICATION["wine"]()
    X = 4.0 * X + 9.0
    model = make_pipeline(StandardScaler(), SVR()).fit(X, X[:, 0] + y)
    explanation = bisector.Explainer(model, level=10.0)(X)
    np.testing.assert_allclose(explanation.prediction, model.predict(X), rtol=1e-9)
    assert explanation.level == 10.0
    np.testing.assert_array_equal(explanation.g > 0, model.predict(X) > 10.0)
