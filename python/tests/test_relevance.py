"""Relevance in the unit g equals the reference implementation from the definition, to 1e-9 of a
row's largest."""

import itertools

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from reference import (drawn_paths, kernel_relevance, kernel_state, mersenne_twister_64, middles,
                       neighbor_relevance, neighbor_state, neighborhood_rule, path_relevance,
                       path_rule)
from sklearn.decomposition import PCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, OneClassSVM

import bisector

ROWS = 25


def require_equal(found, wanted):
    relevance, g, *base = wanted
    scale = max(np.abs(relevance).max(), 1e-12)
    np.testing.assert_allclose(found.values, relevance, rtol=0, atol=1e-9 * scale)
    assert found.g == pytest.approx(g, rel=1e-9, abs=1e-9 * scale)
    if base:
        assert found.base_values == pytest.approx(base[0], rel=1e-9, abs=1e-9 * scale)


@pytest.mark.parametrize("eta", [None, 0.0, 0.35, 1.0])
@pytest.mark.parametrize("name", ["breast cancer", "moons", "circles", "spirals"])
def test_two_class_machines_equal_the_definition(name, eta):
    X, y = CLASSIFICATION[name]()
    model = SVC(C=3.0).fit(X, y)
    explainer = bisector.Explainer(model, method="lrp", eta=eta, unit="g")
    explanation = explainer(X[:ROWS])
    for row in range(ROWS):
        require_equal(explanation[row], kernel_relevance(
            X[row], model.support_vectors_, model.dual_coef_[0], model._gamma,
            model.intercept_[0], explainer.settings))


@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_machines_of_many_classes_equal_the_definition(name):
    X, y = CLASSIFICATION[name]()
    model = SVC().fit(X, y)
    explainer = bisector.Explainer(model, method="lrp", positive_class=2, versus=0,
                                   unit="g")
    explanation = explainer(X[:ROWS])
    start = np.concatenate([[0], np.cumsum(model.n_support_)])
    coefficients = np.zeros(len(model.support_vectors_))
    coefficients[start[0]:start[1]] = -model.dual_coef_[1, start[0]:start[1]]
    coefficients[start[2]:start[3]] = -model.dual_coef_[0, start[2]:start[3]]
    for row in range(ROWS):
        require_equal(explanation[row], kernel_relevance(
            X[row], model.support_vectors_, coefficients, model._gamma, -model.intercept_[1],
            explainer.settings))


@pytest.mark.parametrize("name", ["diabetes", "friedman 1"])
@pytest.mark.parametrize("model", [SVR(C=50.0), KernelRidge(kernel="rbf", gamma=0.2)],
                         ids=["SVR", "KernelRidge"])
def test_regressors(name, model):
    X, y = REGRESSION[name]()
    model.fit(X, y)
    explainer = bisector.Explainer(model, method="lrp", unit="g")
    explanation = explainer(X[:ROWS])
    points = getattr(model, "support_vectors_", getattr(model, "X_fit_", None))
    intercept = getattr(model, "intercept_", [0.0])[0] - explainer.settings["level"]
    for row in range(ROWS):
        require_equal(explanation[row], kernel_relevance(
            X[row], points, np.ravel(model.dual_coef_), explainer.settings["gamma"], intercept,
            explainer.settings))


def test_one_class_machines_equal_the_original():
    X, _ = CLASSIFICATION["wine"]()
    model = OneClassSVM(nu=0.3).fit(X)
    explainer = bisector.Explainer(model, method="lrp", unit="g")
    explanation = explainer(X[:ROWS])
    for row in range(ROWS):
        require_equal(explanation[row], kernel_relevance(
            X[row], model.support_vectors_, model.dual_coef_[0], model._gamma,
            model.intercept_[0], explainer.settings))


@pytest.mark.parametrize("k", [1, 5, 8])
@pytest.mark.parametrize("name", ["moons", "classification", "blobs"])
def test_neighbors_equal_the_definition(name, k):
    X, y = CLASSIFICATION[name]()
    model = KNeighborsClassifier(k).fit(X[::2], y[::2])
    explainer = bisector.Explainer(model, method="lrp", unit="g")
    explanation = explainer(X[1::2][:ROWS])
    for row in range(ROWS):
        require_equal(explanation[row], neighbor_relevance(
            X[1::2][row], X[::2], y[::2], explanation.positive_class[row], explanation.versus[row],
            k, explainer.settings))


def test_the_random_numbers_are_those_of_the_c_standard_library():
    assert next(itertools.islice(mersenne_twister_64(5489), 9999, None)) == 9981545732273789042


def kernel_states(model, settings):
    """Pools and g of a fitted kernel machine of two classes, or of a regressor, at any point."""
    points = getattr(model, "support_vectors_", getattr(model, "X_fit_", None))
    intercept = getattr(model, "intercept_", [0.0])[0] - settings.get("level", 0.0)
    return lambda x: kernel_state(x, points, np.ravel(model.dual_coef_), settings["gamma"],
                                  intercept, settings["beta"])


@pytest.mark.parametrize("model", [SVC(C=3.0), SVR(C=3.0), OneClassSVM(nu=0.3),
                                   KernelRidge(kernel="rbf", gamma=0.2)],
                         ids=lambda model: type(model).__name__)
def test_the_path_rule_equals_the_definition(model):
    X, y = CLASSIFICATION["circles"]()
    explainer = bisector.Explainer(model.fit(X, y), method="lrp-path", path_steps=4,
                                   unit="g")
    state = kernel_states(model, explainer.settings)
    paths = middles(explainer.settings["reference"], 4)
    explanation = explainer(X[:ROWS])
    for row in range(ROWS):
        require_equal(explanation[row],
                      path_relevance(X[row], paths, state, explainer.settings["eta"]))


@pytest.mark.parametrize("side", ["all", "other", "both"])
@pytest.mark.parametrize("model", [SVC(C=3.0), SVR(C=3.0), OneClassSVM(nu=0.3),
                                   KernelRidge(kernel="rbf", gamma=0.2)],
                         ids=lambda model: type(model).__name__)
def test_the_expected_path_rule_equals_the_definition(model, side):
    X, y = CLASSIFICATION["circles"]()
    background = X[100:140]
    explainer = bisector.Explainer(model.fit(X, y), method="lrp-expected", references=9, side=side,
                                   seed=4, eta=0.2, background=background, unit="g")
    state = kernel_states(model, explainer.settings)
    background_g = [state(row)[1] for row in background]
    explanation = explainer(X[:ROWS])
    for row in range(ROWS):
        paths = drawn_paths(background, background_g, explanation.g[row], explainer.settings, 4)
        require_equal(explanation[row], path_relevance(X[row], paths, state, 0.2))


@pytest.mark.parametrize("side", ["all", "other", "both"])
def test_the_expected_path_rule_of_neighbors_equals_the_definition(side):
    X, y = CLASSIFICATION["moons"]()
    points, background = X[::2], X[1::2][:50]
    model = KNeighborsClassifier(5).fit(points, y[::2])
    explainer = bisector.Explainer(model, method="lrp-expected", references=8, side=side, seed=1,
                                   background=background, unit="g")

    def state(x):
        return neighbor_state(x, points, y[::2], 1, 0, 5, explainer.settings["kappa"])

    background_g = [state(row)[1] for row in background]
    explanation = explainer(X[1::2][:ROWS])
    for row in range(ROWS):
        paths = drawn_paths(background, background_g, explanation.g[row], explainer.settings, 1)
        require_equal(explanation[row],
                      path_relevance(X[1::2][row], paths, state, explainer.settings["eta"]))


def test_the_models_own_points_are_references_without_a_background():
    X, y = REGRESSION["diabetes"]()
    model = KernelRidge(kernel="rbf", gamma=0.05).fit(X[:80], y[:80])
    explainer = bisector.Explainer(model, method="lrp-expected", unit="g")
    state = kernel_states(model, explainer.settings)
    background_g = [state(row)[1] for row in X[:80]]
    explanation = explainer(X[80:90])
    for row in range(10):
        paths = drawn_paths(X[:80], background_g, explanation.g[row], explainer.settings, 0)
        require_equal(explanation[row], path_relevance(X[80 + row], paths, state, 0.0))


@pytest.mark.parametrize("method, share", [("neighborhood", 1.0), ("lrp-path", 0.25)])
def test_the_neighborhood_rule_equals_the_definition(method, share):
    X, y = CLASSIFICATION["wine"]()
    model = SVC().fit(X, y == 1)
    of_path = {} if share == 1.0 else {"neighborhood": share, "eta": 0.1}
    explainer = bisector.Explainer(model, method=method, background=X, unit="g", **of_path)
    explanation = explainer(X[:ROWS])
    predicted = model.predict(X)
    for row in range(ROWS):
        wanted = neighborhood_rule(X[row], X[predicted], X[~predicted])
        if share < 1.0:
            paths = middles(explainer.settings["reference"], 5)
            path = path_rule(X[row], paths, kernel_states(model, explainer.settings), 0.1)
            scale = np.abs(path).sum() / np.abs(wanted).sum()
            wanted = (1 - share) * path + share * scale * wanted
        require_equal(explanation[row], (wanted, explanation.g[row]))


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("components", [4, 13])
def test_relevance_behind_pca_equals_the_definition(components, whiten):
    X, y = CLASSIFICATION["wine"]()
    X, y = 3.0 * X + 10.0, y == 1
    model = make_pipeline(PCA(components, whiten=whiten), SVC(gamma=0.05)).fit(X, y)
    pca, svc = model.steps[0][1], model.steps[1][1]
    scale = np.sqrt(pca.explained_variance_)[:, None] if whiten else 1.0
    A = pca.components_ / scale
    explainer = bisector.Explainer(model, method="lrp", unit="g")
    explanation = explainer(X[:ROWS])
    for row in range(ROWS):
        relevance, g = kernel_relevance(
            X[row], svc.support_vectors_, svc.dual_coef_[0], svc._gamma, svc.intercept_[0],
            explainer.settings, (A, -A @ pca.mean_))
        np.testing.assert_allclose(explanation.values[row], relevance, rtol=0,
                                   atol=1e-8 * np.abs(relevance).max())
        assert explanation.g[row] == pytest.approx(g, rel=1e-8, abs=1e-8)


def test_a_scaler_before_the_model_does_not_change_the_relevance():
    X, y = CLASSIFICATION["breast cancer"]()
    raw = X * 7.0 + 3.0
    scaler = StandardScaler().fit(raw)
    svc = SVC().fit(scaler.transform(raw), y)
    pipeline = make_pipeline(StandardScaler(), SVC()).fit(raw, y)
    inside = bisector.Explainer(svc)(scaler.transform(raw))
    outside = bisector.Explainer(pipeline)(raw)
    np.testing.assert_allclose(outside.values, inside.values, rtol=0,
                               atol=1e-9 * np.abs(inside.values).max())
