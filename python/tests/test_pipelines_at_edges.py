"""Pipelines are explained by what their own transformers compute, also where equality matters; and
new users' first calls work."""

import pickle
import types

import numpy as np
import pandas as pd
import pytest
from advice import followed
from datasets import CLASSIFICATION, REGRESSION
from sklearn import linear_model
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import BaggingClassifier, BaggingRegressor
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    QuantileTransformer,
    StandardScaler,
)
from sklearn.svm import SVC, SVR

import bisector

IRIS, KINDS = load_iris(return_X_y=True)
X, Y = CLASSIFICATION["wine"]()
D, DY = REGRESSION["diabetes"]()


@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler()], ids=str)
@pytest.mark.parametrize("steps", [
    [KBinsDiscretizer(5, encode="ordinal"), SVC()],
    [KBinsDiscretizer(4, encode="onehot-dense", strategy="uniform"), SVC()],
    [QuantileTransformer(n_quantiles=20), SVC()],
    [Binarizer(threshold=0.2), SVC()],
    [KNeighborsClassifier(5, metric="hamming")],
    [KBinsDiscretizer(3, encode="ordinal"), KNeighborsClassifier(5, metric="hamming")],
], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_predictions_at_the_edges_of_bins_are_those_of_the_pipeline(scaler, steps):
    model = make_pipeline(scaler, *steps).fit(IRIS, KINDS)
    rows = np.vstack([IRIS, _edges_of(model)])
    explanation = bisector.Explainer(model)(rows)
    differs = explanation.prediction != model.predict(rows)
    assert not np.any(differs & ~explanation.tie)


def _edges_of(model):
    """Rows at which the discretizer's output changes, before the scaler."""
    step = model[1]
    edges = (np.array(list(step.bin_edges_)) if hasattr(step, "bin_edges_") else
             step.quantiles_.T if hasattr(step, "quantiles_") else np.zeros((4, 2)))
    if any(np.ndim(row) == 0 for row in edges):
        edges = np.array([row[:3] for row in edges])
    return model[0].inverse_transform(edges.T)


@pytest.mark.parametrize("kind", [str, object, "category"])
@pytest.mark.parametrize("names", [True, False])
def test_categories_that_consist_of_digits_stay_text(kind, names):
    generator = np.random.default_rng(0)
    zips = generator.choice(["10115", "20095", "80331"], 90)
    table = pd.DataFrame({"zip": pd.Series(zips, dtype=kind), "grade": generator.choice(
        ["1", "2", "3"], 90)})
    y = (zips == "10115").astype(int)
    rows = table if names else table.to_numpy(dtype=object)
    model = make_pipeline(OneHotEncoder(), SVC()).fit(rows, y)
    explanation = bisector.Explainer(model)(rows)
    np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
    assert set(explanation.data[:, 0]) == set(zips)


REFUSED = {
    "bagging behind a scaler": lambda: make_pipeline(
        StandardScaler(), BaggingClassifier(SVC(), 3, random_state=0)).fit(X, Y == 1),
    "bagging of classes": lambda: make_pipeline(
        StandardScaler(), BaggingClassifier(SVC(), 3, random_state=0)).fit(X, Y),
    "Gaussian process of three classes": lambda: make_pipeline(
        StandardScaler(), GaussianProcessClassifier(optimizer=None)).fit(X[::3], Y[::3]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_advice_explains_the_prediction_of_the_whole_model(name):
    model = REFUSED[name]()
    with pytest.raises(bisector.UnsupportedModelError) as refusal:
        bisector.Explainer(model)
    for explanation in followed(refusal.value, model, X[:5], X):
        assert np.abs(explanation.values).max() > 0.0


def test_advice_takes_tables_with_text():
    table = pd.DataFrame({"town": ["Ulm", "Bonn", "Kiel"] * 30, "area": np.arange(90.0)})
    model = make_pipeline(
        pytest.importorskip("sklearn.compose").make_column_transformer(
            (OneHotEncoder(), ["town"]), remainder="passthrough"),
        pytest.importorskip("sklearn.tree").DecisionTreeRegressor(max_depth=4))
    model.fit(table, np.arange(90.0) + 50.0 * (table["town"] == "Ulm"))
    with pytest.raises(bisector.UnsupportedModelError) as refusal:
        bisector.Explainer(model)
    explanation, = followed(refusal.value, model, table.head(6), table)
    assert np.abs(explanation.values).min(axis=0).max() > 0.0


@pytest.mark.parametrize("name", ["HBOS", "CBLOF", "COF", "ECOD", "SOD"])
@pytest.mark.filterwarnings("ignore")
def test_other_detectors_of_pyod_are_refused_with_advice_that_works(name):
    module = pytest.importorskip(f"pyod.models.{name.lower()}")
    detector = getattr(module, name)().fit(X[:60, :4])
    with pytest.raises(bisector.UnsupportedModelError, match=f"{name} is not supported") as refusal:
        bisector.Explainer(detector)
    assert "expected one of PyOD's KNN, LOF" in str(refusal.value)
    if name not in ("COF", "ECOD", "SOD"):  # Their scores depend on the other rows of the same call.
        followed(refusal.value, detector, X[:3, :4], X[:60, :4])


def test_members_of_an_ensemble_are_compared_by_their_complete_state():
    """More than a thousand quantiles, which differ between the members only in the middle."""
    rows = np.random.default_rng(0).normal(size=(1500, 2))
    y = rows[:, 0] * np.abs(rows[:, 1])
    model = BaggingRegressor(make_pipeline(QuantileTransformer(n_quantiles=1200), SVR(gamma=0.5)), 2,
                             random_state=0).fit(rows, y)
    first, second = (one[0] for one in model.estimators_)
    second.__dict__.update({**vars(first), "quantiles_": first.quantiles_.copy()})
    second.quantiles_[500:700] = np.linspace(second.quantiles_[500], second.quantiles_[699], 200)
    with pytest.raises(bisector.UnsupportedModelError, match="machines of one kernel"):
        bisector.Explainer(model)
    second.quantiles_ = first.quantiles_.copy()
    explanation = bisector.Explainer(model)(rows[:50])
    np.testing.assert_allclose(explanation.prediction, model.predict(rows[:50]), rtol=1e-8)


def test_a_series_is_one_row():
    frame = pd.DataFrame(X, columns=[f"c{d}" for d in range(13)])
    explainer = bisector.Explainer(make_pipeline(StandardScaler(), SVC()).fit(frame, Y))
    np.testing.assert_array_equal(explainer(frame.iloc[3]).values, explainer(frame[3:4]).values)
    assert len(explainer.evidence(frame.iloc[3])) == 5


def test_the_background_is_the_second_argument():
    model = SVC().fit(X, Y)
    np.testing.assert_array_equal(bisector.Explainer(model, X)(X[:9]).values,
                                  bisector.Explainer(model, background=X)(X[:9]).values)


def test_clusters_of_shap_as_the_background_count_by_their_weights():
    shap = pytest.importorskip("shap")
    model = SVC().fit(X, Y)
    clusters = shap.kmeans(X, 5)
    repeated = np.repeat(clusters.data, np.round(200 * clusters.weights).astype(int), axis=0)
    np.testing.assert_array_equal(bisector.Explainer(model, clusters)(X[:9]).values,
                                  bisector.Explainer(model, repeated)(X[:9]).values)


def test_a_masker_of_shap_is_a_background():
    shap = pytest.importorskip("shap")
    model = SVC().fit(X, Y)
    masker = shap.maskers.Independent(X, max_samples=len(X))
    np.testing.assert_array_equal(bisector.Explainer(model, masker)(X[:9]).values,
                                  bisector.Explainer(model, masker.data)(X[:9]).values)


def test_aufc_can_be_pickled():
    score = bisector.aufc(SVC().fit(X, Y), X, background=X, max_rows=5, samples=3)
    copied = pickle.loads(pickle.dumps(score))
    assert copied == score and copied.standard_error == score.standard_error
    np.testing.assert_array_equal(copied.values, score.values)


def test_a_missing_value_names_the_column_and_an_imputer_that_works():
    frame = pd.DataFrame(
    X, columns=[
        f"c{d}" for d in range(13)], index=[
            f"p{n}" for n in range(
                len(X))])
    model = make_pipeline(StandardScaler(), SVC()).fit(frame, Y)
    holes = frame.copy()
    holes.iloc[7, 4] = np.nan
    with pytest.raises(bisector.InvalidRowError, match='feature "c4" is nan.*SimpleImputer') as error:
        bisector.Explainer(model)(holes)
    assert error.value.row == 7 and "index 'p7'" in str(error.value)
    repaired = make_pipeline(SimpleImputer(), StandardScaler(), SVC()).fit(frame, Y)
    assert np.all(np.isfinite(bisector.Explainer(repaired)(holes).values))


CLASSIFIERS = [linear_model.LogisticRegression(), linear_model.RidgeClassifier(),
               linear_model.SGDClassifier(random_state=0), linear_model.Perceptron(),
               LinearDiscriminantAnalysis()]
REGRESSORS = [linear_model.LinearRegression(), linear_model.Ridge(), linear_model.Lasso(0.1),
              linear_model.ElasticNet(0.1), linear_model.BayesianRidge(),
              linear_model.HuberRegressor(max_iter=1000), linear_model.SGDRegressor(random_state=0)]


@pytest.mark.parametrize("labels", [Y, Y == 1], ids=["three classes", "two classes"])
@pytest.mark.parametrize("estimator", CLASSIFIERS, ids=lambda one: type(one).__name__)
@pytest.mark.filterwarnings("ignore")
def test_linear_classifiers_are_explained_exactly_on_their_output(estimator, labels):
    model = make_pipeline(StandardScaler(), estimator).fit(X, labels)
    explanation = bisector.Explainer(model, X)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))
    np.testing.assert_allclose(explanation.remainder, 0.0, atol=1e-8)
    if len(model.classes_) == 2:
        np.testing.assert_allclose(explanation.output, model.decision_function(X), atol=1e-8)
        weights = np.ravel(model[-1].coef_) / model[0].scale_
        expected = (X - X.mean(axis=0)) * weights
        np.testing.assert_allclose(explanation.values, expected, atol=1e-6)


@pytest.mark.parametrize("estimator", REGRESSORS, ids=lambda one: type(one).__name__)
@pytest.mark.filterwarnings("ignore")
def test_linear_regressors_are_explained_exactly_on_their_output(estimator):
    model = make_pipeline(StandardScaler(), estimator).fit(D, DY)
    explanation = bisector.Explainer(model, D)(D[:50])
    np.testing.assert_allclose(explanation.prediction, model.predict(D[:50]), rtol=1e-8)
    np.testing.assert_allclose(explanation.remainder, 0.0, atol=1e-8)


def test_a_linear_one_class_machine_is_explained():
    model = linear_model.SGDOneClassSVM(random_state=0).fit(X)
    explanation = bisector.Explainer(model)(X)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X))


def test_training_rows_at_the_threshold_of_an_ellipse_are_inside():
    """Rows of bins repeat, so that some are exactly at the threshold."""
    from sklearn.covariance import EllipticEnvelope

    rows = IRIS[np.random.default_rng(0).permutation(len(IRIS))]
    model = make_pipeline(KBinsDiscretizer(4, encode="onehot-dense"),
                          EllipticEnvelope(random_state=0, support_fraction=0.9)).fit(rows[::2])
    assert np.any(np.abs(model.decision_function(rows)) < 1e-12)
    np.testing.assert_array_equal(bisector.Explainer(model, rows)(rows).prediction,
                                  model.predict(rows))


def test_a_report_without_the_command_says_what_to_install(tmp_path, monkeypatch):
    from bisector import _command

    monkeypatch.delenv("BISECTOR_COMMAND", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(_command, "files", lambda name: tmp_path)
    with pytest.raises(FileNotFoundError, match=r"make build .*pip install \. "):
        bisector.report(SVC().fit(X, Y), X, tmp_path / "report.html")


def test_the_error_for_unsupported_models_is_a_value_error_and_a_type_error():
    for kind in (ValueError, TypeError, bisector.UnsupportedModelError):
        with pytest.raises(kind):
            bisector.Explainer(types.SimpleNamespace())
    copied = pickle.loads(pickle.dumps(bisector.UnsupportedModelError("problem", "advice")))
    assert copied.advice == ("advice",) and copied.problem == "problem"
