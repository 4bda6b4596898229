"""importance(): features of models that have neither coef_ nor feature_importances_."""

import numpy as np
import pytest
from datasets import REGRESSION
from scipy.stats import spearmanr
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.feature_selection import RFE, RFECV, SelectFromModel
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import bisector


@pytest.fixture(scope="module")
def ring():
    """Two of eight columns matter, and a linear model cannot find them."""
    X = np.random.default_rng(0).normal(size=(400, 8)) * np.array([1, 1, 1, 1, 5, 1, 1, 1])
    return X, np.hypot(X[:, 2], X[:, 5]) > 1.2


@pytest.mark.parametrize("model", [SVC(C=10.0), KNeighborsClassifier(9),
                                   make_pipeline(StandardScaler(), SVC(C=10.0))],
                         ids=["SVC", "KNN", "pipeline"])
def test_recursive_elimination_finds_the_features_that_matter(model, ring):
    if not isinstance(model, type(make_pipeline(SVC()))):
        ring = StandardScaler().fit_transform(ring[0]), ring[1]
    selector = RFE(model, n_features_to_select=2, importance_getter=bisector.importance).fit(*ring)
    assert list(np.flatnonzero(selector.support_)) == [2, 5]
    explanation = bisector.Explainer(selector)(ring[0])  # and the whole is explained
    np.testing.assert_array_equal(explanation.prediction, selector.predict(ring[0]))


def test_selection_finds_the_features_that_matter(ring):
    rows = StandardScaler().fit_transform(ring[0])
    by_size = SelectFromModel(SVC(C=10.0), importance_getter=bisector.importance, max_features=2,
                              threshold=-np.inf)
    assert list(by_size.fit(rows, ring[1]).get_support(indices=True)) == [2, 5]
    by_score = RFECV(SVC(C=10.0), importance_getter=bisector.importance, cv=3, step=2,
                     min_features_to_select=2)
    assert set(np.flatnonzero(by_score.fit(rows, ring[1]).support_)) >= {2, 5}


def test_importance_without_rows_uses_the_points_of_the_model(ring):
    model = make_pipeline(StandardScaler(), PCA(), SVC()).fit(*ring)
    found = bisector.importance(model, ring[0], method="lrp")
    wanted = np.abs(bisector.Explainer(model, method="lrp", unit="decision")(ring[0]).values)
    np.testing.assert_allclose(found, wanted.mean(axis=0))
    with pytest.raises(ValueError, match=r"expected rows: bisector.importance\(model, X\)"):
        bisector.importance(model)


def test_points_are_mapped_back_through_a_scaler(ring):
    X, y = ring
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    points = X[model[-1].support_]
    np.testing.assert_allclose(bisector.importance(model), bisector.importance(model, points),
                               rtol=1e-6)


def test_regressors():
    X, y = REGRESSION["friedman 1"]()
    found = bisector.importance(make_pipeline(StandardScaler(), SVR(C=10.0)).fit(X, y))
    assert set(np.argsort(found)[-4:]) == {0, 1, 3, 2} or set(np.argsort(found)[-3:]) == {0, 1, 3}


def test_the_readme_example_ranks_features_as_exact_shapley_values_do():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    sizes = [np.abs(bisector.Explainer(model, X, **options)(X).values).mean(axis=0)
             for options in ({}, {"method": "shapley-exact", "references": 100})]
    assert spearmanr(*sizes).statistic >= 0.97
