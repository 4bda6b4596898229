"""Explainer.flip: every answer is confirmed by the original pipeline, and constraints are kept."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import (load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine,
                              make_blobs, make_circles, make_classification, make_gaussian_quantiles,
                              make_moons)
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, OneClassSVM

import bisector

ESTIMATORS = {
    "svm": lambda: SVC(),
    "linear": lambda: SVC(kernel="linear"),
    "knn": lambda: KNeighborsClassifier(5),
    "weighted": lambda: KNeighborsClassifier(7, weights="distance"),
    "centroids": lambda: NearestCentroid(),
}


DATASETS = {
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "digits": lambda: [part[:500] for part in load_digits(return_X_y=True)],
    "moons": lambda: make_moons(200, noise=0.3, random_state=0),
    "circles": lambda: make_circles(200, noise=0.1, factor=0.5, random_state=0),
    "shells": lambda: make_gaussian_quantiles(n_samples=200, n_features=6, n_classes=3, random_state=0),
    "blobs": lambda: make_blobs(200, n_features=3, centers=4, cluster_std=3.0, random_state=0),
    "rare class": lambda: make_classification(300, 12, n_informative=5, weights=[0.9], random_state=0),
    "wrong labels": lambda: make_classification(300, 8, n_informative=4, flip_y=0.2, random_state=1),
}


@pytest.mark.parametrize("data", DATASETS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_row_flips(data, name):
    X, y = DATASETS[data]()
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


@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5)])
def test_the_nearest_real_row_with_the_other_outcome(estimator):
    X, y = load_wine(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), estimator).fit(X, y)
    frame = pd.DataFrame(X, index=[f"bottle {n}" for n in range(len(X))]).rename(columns=str)
    named = make_pipeline(StandardScaler(), estimator).fit(frame, y)
    rows, predicted = X[::17], pipeline.predict(X)
    flips = bisector.Explainer(pipeline, X).flip(rows)
    points = pipeline[0].transform(X)
    for n, row in enumerate(pipeline[0].transform(rows)):
        others = np.flatnonzero(predicted != pipeline.predict(rows)[n])
        distances = np.linalg.norm(points[others] - row, axis=1)
        assert flips.nearest_row[n] == others[np.argmin(distances)]
        assert flips.nearest_distance[n] == pytest.approx(distances.min())
        assert np.array_equal(flips.nearest[n], X[flips.nearest_row[n]])
    assert (flips.distance <= flips.nearest_distance + 1e-9).all()
    table = bisector.Explainer(named, frame).flip(frame.iloc[::17]).to_frame()
    assert list(table["nearest_row"]) == [f"bottle {n}" for n in flips.nearest_row]
    assert "nearest real row with the other outcome: row " in flips.sentences()[0]


def test_no_real_row_has_the_other_outcome():
    X, y = load_iris(return_X_y=True)
    model = KNeighborsClassifier(5).fit(X, y)
    flips = bisector.Explainer(model).flip(X[:3])
    assert flips.nearest_row == [None] * 3 and np.isinf(flips.nearest_distance).all()
    assert np.array_equal(flips.nearest, X[:3])


@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5)])
def test_columns_of_a_one_hot_group_change_together(estimator):
    frame, y = credit()
    X = pd.get_dummies(frame, columns=["savings", "housing"], dtype=float)
    savings = [name for name in X if name.startswith("savings_")]
    housing = [name for name in X if name.startswith("housing_")]
    model = make_pipeline(StandardScaler(), estimator).fit(X, y)
    explainer = bisector.Explainer(model, X, groups={"savings": savings, "housing": housing})
    flips = explainer.flip(X.iloc[:40], fix=["housing_own"])
    frame = flips.to_frame()
    assert len(frame) > 20
    assert (frame[savings].sum(axis=1) == 1).all() and frame[savings].isin([0, 1]).all(axis=None)
    assert (frame[housing] == X.loc[frame.index, housing]).all(axis=None)
    assert (frame[savings] != X.loc[frame.index, savings]).any(axis=None)
    assert (model.predict(frame[list(X.columns)]) == frame["prediction"]).all()


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


@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5)])
def test_flips_are_the_same_without_a_radius(estimator):
    X, y = load_wine(return_X_y=True)
    explainer = bisector.Explainer(make_pipeline(StandardScaler(), estimator).fit(X, y == 1), X)
    flips, without = explainer.flip(X[:10]), explainer.flip(X[:10], radius=False)
    assert (flips.radius > 0).all() and (without.radius == 0).all()
    assert np.array_equal(flips.data, without.data)


def test_another_answer_replaces_one_that_the_original_model_does_not_confirm():
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    explainer = bisector.Explainer(model, X)
    first = explainer.flip(X[:6])
    own, predict = model.predict(X[:6]), model.predict

    def disagreeing(rows):
        """Keeps the class of the rows for the answers that were found first."""
        refused = (rows[:, None, :] == first.data[None, :, :]).all(axis=2)
        return np.where(refused.any(axis=1), own[refused.argmax(axis=1)], predict(rows))

    model.predict = disagreeing
    flips = explainer.flip(X[:6])
    assert flips.found.all()
    assert (flips.data != first.data).any(axis=1).all()


@pytest.mark.parametrize("classes", [3, 4])
@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5), NearestCentroid()])
def test_one_answer_is_as_near_as_the_best_of_several(estimator, classes):
    X, y = make_classification(300, 8, n_informative=5, n_classes=classes, random_state=classes)
    explainer = bisector.Explainer(make_pipeline(StandardScaler(), estimator).fit(X, y), X)
    one, several = explainer.flip(X[:12]), explainer.flip(X[:12], count=3)
    assert (one.distance <= several.distance[:, 0]).all()


def test_columns_of_a_frame_in_another_order_and_further_ones():
    X, y = credit()
    explainer = bisector.Explainer(credit_pipeline(SVC()).fit(X, y), X)
    rows = X.iloc[:5]
    expected = explainer.flip(rows).to_frame()
    found = explainer.flip(rows[[*reversed(X.columns)]].assign(note="x")).to_frame()
    pd.testing.assert_frame_equal(found, expected)


def test_a_second_call_gives_the_same_answers():
    X, y = credit()
    explainer = bisector.Explainer(credit_pipeline(SVC()).fit(X[60:], y[60:]), X[60:])
    fresh = bisector.Explainer(credit_pipeline(SVC()).fit(X[60:], y[60:]), X[60:])
    for options in ({}, {}, {"fix": ["amount"]}, {"count": 2}, {"to": "good"}, {}):
        first = explainer.flip(X[:20], **options)
        alone = [fresh.flip(X[n:n + 1], **options) for n in range(20)]
        assert np.array_equal(first.distance, np.concatenate([one.distance for one in alone]))
        assert np.array_equal(first.data, np.concatenate([one.data for one in alone]))


def test_behind_a_normalizer_the_advice_can_be_typed():
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(Normalizer(), StandardScaler(), SVC()).fit(X, y)
    with pytest.raises(bisector.UnsupportedModelError, match="the Normalizer mixes") as error:
        bisector.Explainer(model, X).flip(X[:3])
    names = {"bisector": bisector, "model": model, "X": X[:3], "X_train": X}
    flips = eval(error.value.advice[0], names)
    assert (model[1:].predict(flips.data) != model.predict(X[:3])).all()


def test_frames_of_polars():
    polars = pytest.importorskip("polars")
    X, y = load_iris(return_X_y=True)
    frame = polars.DataFrame({f"x{n}": X[:, n] for n in range(4)})
    model = SVC().fit(X, y)
    flips = bisector.Explainer(model, X).flip(frame[:3])
    assert flips.found.all() and np.array_equal(model.predict(flips.data), flips.prediction)


def test_only_and_to():
    X, y = load_iris(return_X_y=True)
    model = SVC().fit(X, y)
    flips = bisector.Explainer(model, X).flip(X[:10], only=[2, 3], to=2)
    assert (flips.prediction[flips.found] == 2).all() and flips.found.any()
    assert not flips.changed[:, :2].any()


def test_rows_that_have_the_class_to_reach_say_so():
    X, y = load_iris(return_X_y=True)
    flips = bisector.Explainer(SVC().fit(X, y), X).flip(X[[0, 60]], to=0)
    assert flips.sentences()[0].startswith("is already 0") and not flips.found[0]
    assert flips.sentences()[1].startswith("would be 0 if: ") and flips.found[1]


def test_no_rows_have_no_flips():
    X, y = load_iris(return_X_y=True)
    flips = bisector.Explainer(make_pipeline(StandardScaler(), SVC()).fit(X, y), X).flip(X[:0])
    assert len(flips) == 0 and flips.data.shape == (0, 4) and flips.sentences() == []
    assert len(flips.to_frame()) == 0


@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5)])
def test_a_constant_column_stays(estimator):
    X, y = load_iris(return_X_y=True)
    X = np.hstack([X, np.full((len(X), 1), 7.0)])
    model = make_pipeline(StandardScaler(), estimator).fit(X, y)
    flips = bisector.Explainer(model, X).flip(X[::30])
    assert flips.found.all() and not flips.changed[:, 4].any()


@pytest.mark.parametrize("estimator", [SVC(), KNeighborsClassifier(5)])
def test_the_same_bits_for_threads_and_parts(estimator):
    X, y = load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), estimator).fit(X, y == 1)
    one, two = (bisector.Explainer(model, X, n_jobs=jobs) for jobs in (1, 2))
    whole, parts = one.flip(X[:28]), [two.flip(X[n:n + 7]) for n in range(0, 28, 7)]
    assert np.array_equal(whole.data, np.concatenate([part.data for part in parts]))
    assert np.array_equal(whole.radius, np.concatenate([part.radius for part in parts]))


def test_regressors_reach_a_value():
    X, y = load_diabetes(return_X_y=True)
    model = KernelRidge(kernel="rbf", gamma=5.0, alpha=0.1).fit(X, y)
    explainer = bisector.Explainer(model, X)
    flips = explainer.flip(X[:10], to=150.0)
    own = model.predict(X[:10])
    assert flips.found.all()
    assert ((own < 150.0) == (flips.prediction >= 150.0)).all()
    assert all(sentence.startswith("would reach 150 if: ")
               and "nearest real row that reaches 150: row " in sentence
               for sentence in flips.sentences())
    with pytest.raises(ValueError, match="to=VALUE"):
        explainer.flip(X[:2])
    with pytest.raises(ValueError, match="to is 'high', expected a number"):
        explainer.flip(X[:2], to="high")


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
    with pytest.raises(ValueError, match="increase and decrease both name 1"):
        explainer.flip(X[:2], increase=[0, 1], decrease=[1])
    with pytest.raises(ValueError, match="no class 7"):
        explainer.flip(X[:2], to=7)
    with pytest.raises(ValueError, match="at least 1"):
        explainer.flip(X[:2], count=0)
