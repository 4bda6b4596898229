"""Explainer.flip: every answer is confirmed by the original pipeline, and constraints are kept."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, OneClassSVM

import bisector

ESTIMATORS = {
    "svm": lambda: SVC(),
    "linear": lambda: SVC(kernel="linear"),
    "knn": lambda: KNeighborsClassifier(5),
    "weighted": lambda: KNeighborsClassifier(7, weights="distance"),
    "centroids": lambda: NearestCentroid(),
}


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris, load_wine])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_row_flips(load, name):
    X, y = load(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), ESTIMATORS[name]()).fit(X, y)
    rows = X[::29]
    flips = bisector.Explainer(pipeline, X).flip(rows)
    assert flips.found.all()
    assert np.array_equal(pipeline.predict(flips.data), flips.prediction)
    assert (flips.prediction != pipeline.predict(rows)).all()
    assert np.array_equal(flips.changed, flips.data != rows)
    assert (flips.radius <= flips.distance).all()
    scaler = pipeline[0]
    assert np.allclose(flips.distance, np.linalg.norm(
        scaler.transform(flips.data) - scaler.transform(rows), axis=1))
    assert (flips.data >= X.min(axis=0) - 1e-12).all()
    assert (flips.data <= X.max(axis=0) + 1e-12).all()


def credit(rows=300):
    random = np.random.default_rng(0)
    frame = pd.DataFrame({
        "duration": random.integers(6, 48, rows), "amount": random.integers(500, 9000, rows),
        "savings": random.choice(["none", "some", "much"], rows),
        "housing": random.choice(["rent", "own"], rows)})
    risk = (frame["duration"] / 24 + frame["amount"] / 5000 - 1.5 * (frame["savings"] == "much")
            - (frame["housing"] == "own"))
    return frame, np.where(risk > 1.0, "bad", "good")


def credit_pipeline(estimator):
    columns = make_column_transformer(
        (StandardScaler(), ["duration", "amount"]), (OneHotEncoder(), ["savings"]),
        (OrdinalEncoder(), ["housing"]))
    return make_pipeline(columns, estimator)


@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5)])
def test_levels_and_whole_numbers(estimator):
    X, y = credit()
    pipeline = credit_pipeline(estimator).fit(X, y)
    rows = X.iloc[:40]
    flips = bisector.Explainer(pipeline, X).flip(rows, fix=["housing"], decrease=["amount"])
    frame = flips.to_frame()
    assert len(frame) == np.count_nonzero(flips.found) > 20
    assert set(frame["savings"]) <= {"none", "some", "much"}
    assert (frame["duration"] == frame["duration"].round()).all()
    own = rows.loc[frame.index]
    assert (frame["housing"] == own["housing"]).all()
    assert (frame["amount"] <= own["amount"]).all()
    assert (pipeline.predict(frame[list(X.columns)]) == frame["prediction"]).all()
    assert (frame["prediction"] != pipeline.predict(own)).all()


def test_sentences_say_what_changes():
    X, y = credit()
    flips = bisector.Explainer(credit_pipeline(SVC()).fit(X, y), X).flip(X.iloc[:5], changes=1)
    for sentence, changed in zip(flips.sentences(), flips.changed):
        assert ("would be" in sentence and "→" in sentence) == changed.any()
        assert changed.sum() <= 1


def test_several_answers_change_different_columns():
    X, y = load_wine(return_X_y=True)
    flips = bisector.Explainer(make_pipeline(StandardScaler(), SVC()).fit(X, y), X).flip(
        X[:4], count=3)
    assert flips.data.shape == (4, 3, 13)
    assert flips.distance.shape == flips.prediction.shape == (4, 3)
    for changed, distance in zip(flips.changed, flips.distance):
        found = {tuple(one) for one in changed[np.isfinite(distance)]}
        assert len(found) == np.count_nonzero(np.isfinite(distance))


def test_only_and_to():
    X, y = load_iris(return_X_y=True)
    model = SVC().fit(X, y)
    flips = bisector.Explainer(model, X).flip(X[:10], only=[2, 3], to=2)
    assert (flips.prediction[flips.found] == 2).all() and flips.found.any()
    assert not flips.changed[:, :2].any()


def test_regressors_reach_a_value():
    X, y = load_diabetes(return_X_y=True)
    model = KernelRidge(kernel="rbf", gamma=5.0, alpha=0.1).fit(X, y)
    explainer = bisector.Explainer(model, X)
    flips = explainer.flip(X[:10], to=150.0)
    own = model.predict(X[:10])
    assert flips.found.all()
    assert ((own < 150.0) == (flips.prediction >= 150.0)).all()
    with pytest.raises(ValueError, match="to=VALUE"):
        explainer.flip(X[:2])


@pytest.mark.parametrize("detector", [OneClassSVM(nu=0.1), LocalOutlierFactor(novelty=True)])
def test_detectors(detector):
    X, _ = load_iris(return_X_y=True)
    detector.fit(X)
    flips = bisector.Explainer(detector).flip(X[::15] + 0.3)
    assert (flips.prediction != detector.predict(X[::15] + 0.3))[flips.found].all()
    assert flips.found.mean() > 0.5


def test_refusals():
    X, y = load_iris(return_X_y=True)
    explainer = bisector.Explainer(SVC().fit(X, y), X)
    with pytest.raises(ValueError, match="no column 'age'"):
        explainer.flip(X[:2], fix=["age"])
    with pytest.raises(TypeError, match="a list of names"):
        explainer.flip(X[:2], fix="age")
    with pytest.raises(ValueError, match="no class 7"):
        explainer.flip(X[:2], to=7)
    with pytest.raises(ValueError, match="at least 1"):
        explainer.flip(X[:2], count=0)
