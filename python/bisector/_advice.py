"""What to type for a model that cannot be explained exactly."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

from ._kinds import deciding_estimator, is_sklearn

# Classifiers whose prediction is not the sign or the largest value of their decision function.
_BY_PREDICTION = ("FixedThresholdClassifier", "TunedThresholdClassifierCV", "OutputCodeClassifier")
# Detectors that score a row relative to the other rows of the same call: no function of one row.
_RELATIVE = ("COF", "SOD", "LOCI", "SOS", "COPOD", "ECOD", "ROD", "LODA")
# The models of shap.TreeExplainer, and the evaluations that shap.PermutationExplainer allows.
_TREES = re.compile("(DecisionTree|ExtraTrees?|RandomForest|HistGradientBoosting|GradientBoosting)"
                    "(Classifier|Regressor)")
_TREE_LIBRARIES = ("xgboost", "lightgbm", "catboost")
_SHAP_EVALUATIONS = 500
_BY_PROBABILITY = ("BaggingClassifier", "VotingClassifier", "StackingClassifier")


def function_advice(model: Any) -> tuple[str, ...]:
    """The call that explains the outermost model as a function of its rows; none if it is not a
    function of each row."""
    if type(model).__module__.startswith("pyod.") and type(model).__name__ in _RELATIVE:
        return ()
    if getattr(model, "novelty", True) is False:  # LocalOutlierFactor cannot predict a new row.
        return ()
    if "precomputed" in (getattr(decides := deciding_estimator(model), "kernel", ""),
                         getattr(decides, "metric", "")):  # Its columns are not features.
        return ()
    if _is_tree(model):
        return ("shap.TreeExplainer(model)(X)",)
    first = getattr(model, "steps", [("", model)])[0][1]
    if is_sklearn(first, "DictVectorizer", "FeatureHasher", "PatchExtractor"):  # No rows of a table.
        return ()
    function = _function_of(model)
    if function is None:
        return ()
    if is_sklearn(first, "CountVectorizer", "HashingVectorizer"):
        return (f"shap.PermutationExplainer({function}, shap.maskers.Text())(X)",)
    if _has_text_columns(model):
        return (f"shap.KernelExplainer({function}, shap.sample(X_train, 50), keep_index=True)(X)",)
    columns = getattr(model, "n_features_in_", 0)
    most = f", max_evals={2 * columns + 1}" if 2 * columns + 1 > _SHAP_EVALUATIONS else ""
    return (*_member_advice(model),
            f"shap.PermutationExplainer({function}, X_train)(X{most})")


def _is_tree(model: Any) -> bool:
    """True for the trees and ensembles that shap.TreeExplainer takes."""
    kind = type(model)
    if kind.__name__ == "GradientBoostingClassifier" and len(model.classes_) > 2:
        return False
    return kind.__module__.split(".")[0] in _TREE_LIBRARIES or bool(
        kind.__module__.startswith("sklearn.") and _TREES.match(kind.__name__))


def _has_text_columns(model: Any) -> bool:
    """True if an encoder inside the model knows texts."""
    parts = [part[1] for part in (*getattr(model, "steps", ()), *getattr(model, "transformers_", ()))]
    parts += [getattr(model, name) for name in ("best_estimator_", "estimator_", "estimator")
              if hasattr(model, name)]
    return any(np.asarray(levels).dtype.kind in "OUS" for levels in getattr(model, "categories_", ())
               ) or any(map(_has_text_columns, parts))


def _member_advice(model: Any) -> tuple[str, ...]:
    """The call that explains a part of the model: the first of several targets, or the target
    before it is transformed back."""
    from ._adapt import adapt

    name = {"MultiOutputClassifier": "estimators_", "MultiOutputRegressor": "estimators_",
            "TransformedTargetRegressor": "regressor_"}.get(type(model).__name__)
    part: Any = getattr(model, name, None) if name else None
    first = "[0]" if isinstance(part, list) else ""
    try:
        adapt(part[0] if first else part)
    except (TypeError, ValueError):
        return ()
    return (f"bisector.Explainer(model.{name}{first}, X_train)(X)",)


def _function_of(model: Any) -> str | None:
    """The output of a model that decides its prediction, as a Python expression."""
    classes: Any = getattr(model, "classes_", ())
    if len(classes) and (isinstance(classes[0], str) or not hasattr(classes[0], "__len__")):
        return _classifier_function(model, len(classes))
    if _has_several_targets(model):
        first = "lambda X: model.predict(X)[:, 0]"
        return ("lambda X: 1.0 * (model.predict(X)[:, 0] == model.classes_[0][0])" if len(classes)
                else first)
    for name in ("decision_function", "score_samples"):
        if hasattr(model, name):
            return f"model.{name}"
    if hasattr(model, "cluster_centers_") and hasattr(model, "predict"):
        return "lambda X: 1.0 * (model.predict(X) == 0)"
    if hasattr(model, "predict"):
        return "model.predict"
    return "lambda X: model.kneighbors(X)[0][:, -1]" if hasattr(model, "kneighbors") else None


def _classifier_function(model: Any, classes: int) -> str:
    decides = deciding_estimator(model)
    kind = type(decides).__name__
    if _has_several_labels(decides):  # One number for each label.
        function = "decision_function" if hasattr(model, "decision_function") else "predict_proba"
        return f"lambda X: model.{function}(X)[:, 0]"
    if kind not in _BY_PREDICTION and getattr(decides, "multi_class", "") != "one_vs_one":
        if hasattr(model, "decision_function") and kind not in _BY_PROBABILITY:
            return "model.decision_function" if classes == 2 else (
                "lambda X: model.decision_function(X)[:, 0]")
        if hasattr(model, "predict_proba"):
            return f"lambda X: model.predict_proba(X)[:, {1 if classes == 2 else 0}]"
    return f"lambda X: 1.0 * (model.predict(X) == model.classes_[{1 if classes == 2 else 0}])"


def _has_several_targets(model: Any) -> bool:
    """True if the predictions of a row of zeros are several numbers. Models of texts and categories
    refuse such a row, and their targets are not counted."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.ndim(np.squeeze(model.predict(np.zeros((1, model.n_features_in_))))) > 0
    except (AttributeError, TypeError, ValueError):
        return False


def _has_several_labels(model: Any) -> bool:
    binarizer = getattr(model, "label_binarizer_", getattr(model, "_label_binarizer", None))
    return str(getattr(binarizer, "y_type_", "")).startswith("multilabel")
