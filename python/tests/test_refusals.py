"""Models that cannot be explained are refused with a message that says what to type instead."""

import re

import numpy as np
import pytest
from advice import followed
from datasets import CLASSIFICATION, REGRESSION
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import (ExtraTreesRegressor, GradientBoostingRegressor,
                              HistGradientBoostingClassifier, RandomForestClassifier,
                              RandomForestRegressor)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, DotProduct, Matern
from sklearn.kernel_approximation import RBFSampler
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import (ClassifierChain, MultiOutputClassifier, MultiOutputRegressor,
                                 RegressorChain)
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, NuSVC
from sklearn.tree import DecisionTreeClassifier

import bisector

X, Y = CLASSIFICATION["wine"]()
T = REGRESSION["diabetes"]()


@pytest.mark.parametrize("model, words", [
    (SVC(kernel=lambda a, b: a @ b.T), "a function as its kernel, expected 'rbf'"),
    (KNeighborsClassifier(weights=lambda d: d + 1.0), "expected weights='uniform' or weights='distance'"),
    (KNeighborsClassifier(p=np.inf), "not a sum over the features"),
    (KNeighborsClassifier(metric=lambda a, b: abs(a - b).sum()), "a function as its metric"),
    (NearestCentroid(priors="empirical"), "expected priors='uniform'"),
    (CalibratedClassifierCV(SVC(), cv=3), "expected method='sigmoid' and ensemble=False"),
    (CalibratedClassifierCV(SVC(), cv=3, ensemble=False, method="isotonic"),
     "expected method='sigmoid' and ensemble=False"),
    (GridSearchCV(SVC(), {"C": [1.0]}, refit=False), "refit=True"),
], ids=lambda value: None if isinstance(value, str) else type(value).__name__)
def test_unsupported_classifiers_are_refused(model, words):
    model.fit(X, Y)
    with pytest.raises(ValueError, match=words):
        bisector.Explainer(model)


@pytest.mark.parametrize("model, words", [
    (KernelRidge(kernel="cosine"), "expected 'rbf'"),
    (GaussianProcessRegressor(Matern(nu=0.9), optimizer=None), "expected RBF, Matern"),
    (GaussianProcessRegressor(RBF() + DotProduct(), optimizer=None, alpha=1.0), "expected RBF"),
    (SVR(kernel=lambda a, b: a @ b.T), "expected 'rbf'"),
], ids=lambda value: None if isinstance(value, str) else type(value).__name__)
def test_regressors(model, words):
    model.fit(*T)
    with pytest.raises(ValueError, match=words):
        bisector.Explainer(model)


@pytest.mark.parametrize("model", [
    KernelRidge(kernel="rbf"), KNeighborsRegressor(), KNeighborsClassifier(), Ridge(),
    make_pipeline(StandardScaler(), KNeighborsRegressor()), MultiOutputRegressor(SVR()),
    MultiOutputClassifier(SVC()), MultiOutputRegressor(RandomForestRegressor(5)),
    RegressorChain(SVR()), ClassifierChain(SVC())], ids=str)
def test_several_targets_are_refused_with_advice_for_the_first(model):
    model.fit(X, np.column_stack([Y == 1, Y == 2]).astype(int))
    with pytest.raises(bisector.UnsupportedModelError) as error:
        bisector.Explainer(model)
    explained = followed(error.value, model, X[:6], X)
    has_member = "MultiOutput" in type(model).__name__ and "Forest" not in str(model)
    assert len(explained) == 1 + has_member


@pytest.mark.parametrize("model, words", [
    (RandomForestClassifier(5), "RandomForestClassifier is not supported, expected a fitted model of"),
    (make_pipeline(RBFSampler(), SVC()), "cannot be mapped back through the RBFSampler"),
], ids=lambda value: None if isinstance(value, str) else type(value).__name__)
def test_unsupported_kinds_of_models_are_refused(model, words):
    model.fit(X, Y)
    with pytest.raises(TypeError, match=words):
        bisector.Explainer(model)


@pytest.mark.parametrize("model", [SVC(), KNeighborsClassifier(), make_pipeline(SVC())],
                         ids=["SVC", "KNN", "pipeline"])
def test_unfitted_models_are_refused(model):
    with pytest.raises(ValueError, match="not fitted"):
        bisector.Explainer(model)


@pytest.mark.parametrize("model", [
    DecisionTreeClassifier(), RandomForestClassifier(5), ExtraTreesRegressor(5),
    GradientBoostingRegressor(n_estimators=5), HistGradientBoostingClassifier(max_iter=3)],
    ids=lambda model: type(model).__name__)
def test_trees_are_refused_with_the_explainer_of_trees(model):
    with pytest.raises(bisector.UnsupportedModelError) as error:
        bisector.Explainer(model.fit(X, Y))
    assert error.value.advice == ("shap.TreeExplainer(model)(X)",)
    followed(error.value, model, X[:6], X)


@pytest.mark.parametrize("estimator", [SVC(kernel="precomputed"), NuSVC(nu=0.3, kernel="precomputed"),
                                       SVR(kernel="precomputed"),
                                       KernelRidge(kernel="precomputed"),
                                       KNeighborsClassifier(metric="precomputed")], ids=str)
def test_precomputed_columns_are_no_features(estimator):
    model = estimator.fit(np.abs(X @ X.T), Y)
    with pytest.raises(bisector.UnsupportedModelError, match="columns are .* no features") as error:
        bisector.Explainer(model)
    assert error.value.advice == ()
    typed = re.search(r"for example (.*) with the rows", error.value.problem)[1]
    fitted = eval(typed, {**globals(), "X": X, "y": Y})
    assert bisector.Explainer(fitted, X)(X[:3]).shape == (3, X.shape[1])


def test_a_transformed_target_is_refused_with_the_model_inside():
    rows, target = T
    model = TransformedTargetRegressor(SVR(), func=np.log1p, inverse_func=np.expm1).fit(rows, target)
    with pytest.raises(bisector.UnsupportedModelError, match="model.regressor_") as error:
        bisector.Explainer(model, rows)
    assert error.value.advice[0] == "bisector.Explainer(model.regressor_, X_train)(X)"
    followed(error.value, model, rows[:4], rows)


def test_texts_of_an_unknown_model_are_explained_by_their_words():
    shap = pytest.importorskip("shap")
    texts = np.array(["good fine day", "bad awful rain", "nice good sun", "awful bad snow"] * 5)
    model = make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(texts, [1, 0, 1, 0] * 5)
    with pytest.raises(bisector.UnsupportedModelError) as error:
        bisector.Explainer(model)
    call, = error.value.advice
    assert call.startswith("shap.PermutationExplainer(")
    explanation = eval(call, {"shap": shap, "model": model, "X": texts[:3]})
    total = explanation.base_values + explanation.values.sum(axis=1)
    np.testing.assert_allclose(total, model.predict_proba(texts[:3])[:, 1])


def test_objects_that_are_not_models_are_refused():
    with pytest.raises(TypeError, match="expected a fitted scikit-learn model"):
        bisector.Explainer(3)
    with pytest.raises(TypeError, match="expected a fitted object"):
        bisector.Explainer(SVC)
    with pytest.raises(TypeError, match=r"shap.PermutationExplainer\(model, X_train\)\(X\)"):
        bisector.Explainer(lambda rows: rows[:, 0])


def test_missing_and_damaged_files_are_refused(tmp_path):
    with pytest.raises(OSError, match="nothing.npz"):
        bisector.Explainer(tmp_path / "nothing.npz")
    (tmp_path / "text.model").write_text("svm_type c_svc\nkernel_type linear\n")
    with pytest.raises(ValueError, match="text.model:2: "):
        bisector.Explainer(tmp_path / "text.model")


def test_a_subclass_with_its_own_decision_is_refused():
    class Turned(SVC):
        def decision_function(self, rows):
            return -super().decision_function(rows)

    model = Turned().fit(X, Y == 1)
    with pytest.raises(ValueError, match="does not predict as its parameters say"):
        bisector.Explainer(model)


def test_a_subclass_with_its_own_transform_is_refused():
    class Squared(StandardScaler):
        def transform(self, rows, copy=None):
            return super().transform(rows) ** 2

    model = make_pipeline(Squared(), SVC()).fit(X, Y)
    with pytest.raises(ValueError, match="does not transform as its parameters say"):
        bisector.Explainer(model)


def test_a_subclass_with_its_own_prediction_is_refused():
    class Contrary(KNeighborsClassifier):
        def predict(self, rows):
            return self.classes_[-1] - super().predict(rows)

    with pytest.raises(ValueError, match="does not predict as its parameters say"):
        bisector.Explainer(Contrary().fit(X, Y))


@pytest.mark.parametrize("options, words", [
    ({"method": "lrp", "eta": 2.0}, "eta is 2, expected a number from 0 to 1"),
    ({"method": "lrp", "kappa": 1}, "kappa is for neighbors"),
    ({"method": "auto", "eta": 0.5}, "eta is a parameter of lrp, lrp-path and lrp-expected, not of auto"),
    ({"method": "lrp", "references": 5}, "references is a parameter of auto, lrp-expected"),
    ({"method": "lrp-expected", "references": 0}, "references is 0, expected a whole number from 1"),
    ({"method": "lrp-expected", "references": "auto"},
     'references is "auto", expected a whole number from 1 to 10000'),
    ({"method": "lrp-expected", "side": "left"}, 'side is "left", expected all, other or both'),
    ({"method": "lrp", "neighborhood": 0.5}, "neighborhood is a parameter of lrp-path"),
    ({"method": "lrp-path", "neighborhood": 1.5}, "expected a number from 0 to 1"),
    ({"method": "lrp", "view": "data"}, "view is a parameter of auto, not of lrp"),
    ({"view": "mine"}, 'view is "mine", expected model or data'),
    ({"unit": "euro"}, 'unit is "euro", expected "g", "decision" or "share"'),
    ({"background": X[:0]}, "no rows"),
    ({"level": 1.0}, "a level is for regressors"),
    ({"positive_class": "Riesling"}, 'no class "Riesling", expected one of 0, 1, 2'),
    ({"method": "magic"}, 'no method "magic", expected one of auto, lrp'),
    ({"method": "occlusion", "eta": 0.3}, "eta is a parameter of .* not of occlusion"),
    ({"steps": 3}, "steps is a parameter of ig, not of auto"),
    ({"on": "g"}, "on is a parameter of gi, .* not of auto"),
    ({"reference": "moon"}, '"origin", "mean" or a row'),
    ({"reference": np.zeros(3)}, "3 features, expected 13 as the model has"),
    ({"precision": "half"}, '"double" or "float"'),
    ({"n_jobs": 0}, "n_jobs is 0"),
    ({"feature_names": ["a"]}, "1 feature names, expected 13"),
], ids=str)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        bisector.Explainer(SVC().fit(X, Y), **options)


def test_an_invalid_row_is_named_by_its_position_in_x():
    rows = np.tile(X, (200, 1))
    rows[30001, 2] = np.nan
    with pytest.raises(ValueError, match="row 30002, "):
        bisector.Explainer(SVC().fit(X, Y))(rows)


def test_evidence_of_a_baseline_is_refused():
    with pytest.raises(ValueError, match="expected lrp"):
        bisector.Explainer(SVC().fit(X, Y), method="gi").evidence(X[0])


def test_gradients_of_neighbors_are_refused():
    model = KNeighborsClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="not defined for KNN"):
        bisector.Explainer(model, method="gi")(X)


def test_a_misspelled_argument_has_the_similar_one_in_its_error():
    model = SVC().fit(X, Y)
    with pytest.raises(TypeError, match="argument 'back_ground', did you mean 'background'"):
        bisector.Explainer(model, back_ground=X)
    with pytest.raises(TypeError, match=r"^aufc\(\) .* argument 'methods', did you mean 'method'"):
        bisector.aufc(model, X, background=X, methods=["lrp"])
    with pytest.raises(TypeError, match="argument 'qqq'$"):
        bisector.Explainer(model, qqq=1)


def test_a_model_file_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.npz: there is no such file"):
        bisector.Explainer(tmp_path / "missing.npz")
