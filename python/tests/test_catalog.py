"""Every transformer and every meta-estimator of scikit-learn, found by introspection: explained
exactly, or refused with advice that works. The table in docs/guide/steps.md is what was found;
BISECTOR_WRITE_CATALOG=1 writes it again."""

import inspect
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from advice import followed
from datasets import CLASSIFICATION, REGRESSION
from sklearn.base import clone, is_regressor
from sklearn.experimental import enable_halving_search_cv, enable_iterative_imputer  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils import all_estimators

import bisector

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "steps.md"
X, Y = CLASSIFICATION["breast cancer"]()
X, Y = X[:150, :6] - X[:150, :6].min(axis=0) + 0.1, Y[:150]
W, WY = CLASSIFICATION["wine"]()
D, DY = REGRESSION["friedman 1"]()
LEVELS = np.random.default_rng(0).choice(list("abc"), size=(len(Y), 3)).astype(object)
TEXTS = np.array([" ".join(row) + (" good" if y else " bad") for row, y in zip(LEVELS, Y)])

# What is no step in front of a table: labels, kernels, images, one
# column, texts that come as others.
NOT_FOR_TABLES = {
    "DictVectorizer": "takes dictionaries", "FeatureHasher": "takes dictionaries",
    "IsotonicRegression": "takes one column", "KernelCenterer": "takes kernels",
    "LabelBinarizer": "for labels", "LabelEncoder": "for labels", "MultiLabelBinarizer": "for labels",
    "PatchExtractor": "takes pictures", "TSNE": "has no transform",
    "CCA": "gives two tables at fit", "PLSCanonical": "gives two tables at fit",
    "PLSRegression": "gives two tables at fit", "PLSSVD": "gives two tables at fit",
    "KNeighborsTransformer": "gives a graph", "RadiusNeighborsTransformer": "gives a graph"}
TEXT = ("CountVectorizer", "HashingVectorizer", "TfidfVectorizer")
OF_LEVELS = ("OneHotEncoder", "OrdinalEncoder", "TargetEncoder")
OF_MODELS = {
    "ColumnTransformer": lambda kind: kind([("a", StandardScaler(), [0, 2]), ("b", "passthrough", [3])]),
    "FeatureUnion": lambda kind: kind([("a", StandardScaler()), ("b", clone(StandardScaler()))]),
    "RFE": lambda kind: kind(LogisticRegression(max_iter=1000), n_features_to_select=3),
    "RFECV": lambda kind: kind(LogisticRegression(max_iter=1000), cv=2),
    "SelectFromModel": lambda kind: kind(LogisticRegression(max_iter=1000)),
    "SequentialFeatureSelector": lambda kind: kind(KNeighborsClassifier(3), cv=2,
                                                   n_features_to_select=2),
    "StackingClassifier": lambda kind: kind([("a", KNeighborsClassifier(3)), ("b", SVC())], cv=2),
    "VotingClassifier": lambda kind: kind([("a", KNeighborsClassifier(3)), ("b", SVC())]),
    "StackingRegressor": lambda kind: kind([("a", SVR()), ("b", SVR(C=3.0))], cv=2),
    "VotingRegressor": lambda kind: kind([("a", SVR()), ("b", SVR(C=3.0))]),
    "SparseCoder": lambda kind: kind(np.eye(6)),
    "GenericUnivariateSelect": lambda kind: kind(mode="k_best", param=3),
    "GaussianRandomProjection": lambda kind: kind(3), "SparseRandomProjection": lambda kind: kind(3),
    "RandomTreesEmbedding": lambda kind: kind(5), "MiniBatchDictionaryLearning":
        lambda kind: kind(3, max_iter=2), "DictionaryLearning": lambda kind: kind(3, max_iter=2)}


def made(name, kind):
    if name in OF_MODELS:
        return OF_MODELS[name](kind)
    parameters = inspect.signature(kind).parameters
    few = {"n_components": 1 if name == "LinearDiscriminantAnalysis" else 3,
           "max_iter": 20 if "MiniBatch" in name or name in ("SparsePCA", "BernoulliRBM") else None}
    given = {key: value for key, value in few.items() if key in parameters and value is not None}
    return kind(**given)


def outcome(model, rows, targets):
    """The outcome: exact, or refused with advice that was followed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(rows, targets)
        predicted = model.predict(rows)
        try:
            explanation = bisector.Explainer(model)(rows)
        except bisector.UnsupportedModelError as error:
            followed(error, model, rows[:6], rows)
            if "bisector.Explainer(model, X_train)(X)" in error.advice:
                return "exact, with a background"
            return ("refused: explain the part behind it" if "[1:]" in error.advice[0] else
                    "refused: explain it as a function of its rows")
    if explanation.classes is None:
        np.testing.assert_allclose(explanation.prediction, predicted, rtol=1e-8)
    else:
        apart = explanation.prediction != predicted
        assert not np.any(apart & ~explanation.tie)
    return "exact"


def transformers():
    return dict(all_estimators(type_filter="transformer"))


@pytest.fixture(scope="module")
def table():
    return {}


@pytest.mark.parametrize("name", [name for name in transformers() if name not in NOT_FOR_TABLES])
def test_every_transformer_is_explained_exactly_or_refused_with_advice(name, table):
    step = made(name, transformers()[name])
    rows = TEXTS if name in TEXT else LEVELS if name in OF_LEVELS else X
    if name == "MissingIndicator":
        rows = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    targets = Y if not is_regressor(step) else Y.astype(float)
    model = make_pipeline(step, SVR() if is_regressor(step) and "Regressor" in name else SVC())
    table[name] = outcome(model, rows, targets)


META = {
    "AdaBoostClassifier": lambda kind: (kind(SVC()), W, WY),
    "AdaBoostRegressor": lambda kind: (kind(SVR(), n_estimators=3), D, DY),
    "BaggingClassifier": lambda kind: (kind(SVC(), 3), W, WY),
    "BaggingRegressor": lambda kind: (kind(SVR(), 3), D, DY),
    "CalibratedClassifierCV": lambda kind: (kind(SVC()), X, Y),
    "FixedThresholdClassifier": lambda kind: (kind(SVC(), threshold=0.3), X, Y),
    "FrozenEstimator": lambda kind: (kind(SVC().fit(X, Y)), X, Y),
    "GridSearchCV": lambda kind: (kind(SVC(), {"C": [1.0, 3.0]}), X, Y),
    "HalvingGridSearchCV": lambda kind: (kind(SVC(), {"C": [1.0, 3.0]}), X, Y),
    "HalvingRandomSearchCV": lambda kind: (kind(SVC(), {"C": [1.0, 3.0]}), X, Y),
    "RandomizedSearchCV": lambda kind: (kind(SVC(), {"C": [1.0, 3.0]}, n_iter=2), X, Y),
    "OneVsOneClassifier": lambda kind: (kind(SVC()), W, WY),
    "OneVsRestClassifier": lambda kind: (kind(SVC()), W, WY),
    "OutputCodeClassifier": lambda kind: (kind(SVC(), random_state=0), W, WY),
    "Pipeline": lambda kind: (kind([("a", StandardScaler()), ("b", SVC())]), X, Y),
    "RANSACRegressor": lambda kind: (kind(SVR(), min_samples=30, random_state=0), D, DY),
    "RFE": lambda kind: (kind(SVC(), importance_getter=bisector.importance), X, Y),
    "RFECV": lambda kind: (kind(SVC(), importance_getter=bisector.importance, cv=2), X, Y),
    "SelfTrainingClassifier": lambda kind: (
        kind(KNeighborsClassifier(3)), X, np.where(np.arange(len(Y)) % 3, Y, -1)),
    "StackingClassifier": lambda kind: (kind([("a", SVC()), ("b", KNeighborsClassifier())], cv=2), X, Y),
    "StackingRegressor": lambda kind: (kind([("a", SVR()), ("b", SVR(C=3.0))], cv=2), D, DY),
    "TransformedTargetRegressor": lambda kind: (kind(SVR(), transformer=StandardScaler()), D, DY),
    "TunedThresholdClassifierCV": lambda kind: (kind(SVC(), cv=2), X, Y),
    "VotingClassifier": lambda kind: (kind([("a", SVC()), ("b", KNeighborsClassifier())]), X, Y),
    "VotingRegressor": lambda kind: (kind([("a", SVR()), ("b", SVR(C=3.0))]), D, DY),
}
# Several targets, which no single explanation is about, and selectors, which are steps.
NO_SINGLE_TARGET = {"ClassifierChain", "MultiOutputClassifier", "MultiOutputRegressor",
                    "RegressorChain"}
STEPS = {"ColumnTransformer", "FeatureUnion", "SelectFromModel", "SequentialFeatureSelector"}


def metas():
    """Estimators that are made of estimators."""
    words = {"estimator", "estimators", "regressor", "steps"}
    return {name: kind for name, kind in all_estimators()
            if words & set(inspect.signature(kind).parameters) and name != "IterativeImputer"
            or name in META}


def test_every_meta_estimator_is_known():
    assert set(metas()) - set(META) - NO_SINGLE_TARGET - STEPS == set()


@pytest.mark.parametrize("name", sorted(META))
def test_every_meta_estimator_is_explained_exactly_or_refused_with_advice(name, table):
    if name not in metas():
        pytest.skip(f"this scikit-learn has no {name}")
    table[name + " "] = outcome(*META[name](metas()[name]))


def test_the_table_in_the_guide_is_current(table):
    steps = {name: words for name, words in table.items() if not name.endswith(" ")}
    if set(steps) != set(transformers()) - set(NOT_FOR_TABLES):
        pytest.skip("not all of the catalog was run")
    steps.update({name: f"no step of a table: {words}" for name, words in NOT_FOR_TABLES.items()})
    metas_found = {name.strip(): words for name, words in table.items() if name.endswith(" ")}
    parts = ["\n| step | outcome |\n| --- | --- |\n",
             *(f"| {name} | {words} |\n" for name, words in sorted(steps.items())),
             "\n| meta-estimator | outcome |\n| --- | --- |\n",
             *(f"| {name} | {words} |\n" for name, words in sorted(metas_found.items()))]
    text = PAGE.read_text(encoding="utf-8")
    wanted = text[:text.index("\n| step |")] + "".join(parts)
    if os.environ.get("BISECTOR_WRITE_CATALOG"):
        PAGE.write_text(wanted, encoding="utf-8")
    else:
        assert text == wanted, "BISECTOR_WRITE_CATALOG=1 writes docs/guide/steps.md again"
