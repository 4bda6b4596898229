"""What to type for a model that cannot be explained exactly."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

# Classifiers whose prediction is not the sign or the largest value of their decision function.
_BY_PREDICTION = ("FixedThresholdClassifier", "TunedThresholdClassifierCV", "OutputCodeClassifier")
# Detectors that score a row relative to the other rows of the same call: no function of one row.
_RELATIVE = ("COF", "SOD", "LOCI", "SOS", "COPOD", "ROD", "LODA")
_BY_PROBABILITY = ("BaggingClassifier", "VotingClassifier", "StackingClassifier")


def function_advice(model: Any) -> tuple[str, ...]:
    """The call that explains the outermost model as a function of its rows; none if it is not a
    function of each row."""
    if type(model).__module__.startswith("pyod.") and type(model).__name__ in _RELATIVE:
        return ()
    if getattr(model, "novelty", True) is False:  # LocalOutlierFactor cannot predict a new row.
        return ()
    first = getattr(model, "steps", [("", model)])[0][1]
    if "feature_extraction" in type(first).__module__:  # Texts are not rows of a table.
        return ()
    function = _function_of(model)
    if function is None:
        return ()
    return (*_member_advice(model),
            f"bisector.explain({function}, X, background=X_train, method='shapley')")


def _member_advice(model: Any) -> tuple[str, ...]:
    """The call that explains the first of several targets, if it has a model of its own."""
    from ._adapt import adapt

    if type(model).__name__ not in ("MultiOutputClassifier", "MultiOutputRegressor"):
        return ()
    try:
        adapt(model.estimators_[0])
    except (TypeError, ValueError):
        return ()
    return ("bisector.Explainer(model.estimators_[0], X_train)(X)",)


def _function_of(model: Any) -> str | None:
    """The output of a model that decides its prediction, as a Python expression."""
    classes: Any = getattr(model, "classes_", ())
    if len(classes) and (isinstance(classes[0], str) or not hasattr(classes[0], "__len__")):
        return _classifier_function(model, len(classes))
    if _has_several_targets(model):
        first = "lambda X: model.predict(X)[:, 0]"
        return f"{first} == model.classes_[0][0]" if len(classes) else first
    for name in ("decision_function", "score_samples"):
        if hasattr(model, name):
            return f"model.{name}"
    if hasattr(model, "cluster_centers_") and hasattr(model, "predict"):
        return "lambda X: model.predict(X) == 0"
    if hasattr(model, "predict"):
        return "model.predict"
    return "lambda X: model.kneighbors(X)[0][:, -1]" if hasattr(model, "kneighbors") else None


def _classifier_function(model: Any, classes: int) -> str:
    decides = _deciding_estimator(model)
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
    return f"lambda X: model.predict(X) == model.classes_[{1 if classes == 2 else 0}]"


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


def _deciding_estimator(model: Any) -> Any:
    """The last step of a pipeline, or the estimator that a search found."""
    if hasattr(model, "best_estimator_"):
        return _deciding_estimator(model.best_estimator_)
    if hasattr(model, "steps") and hasattr(model, "named_steps"):
        return _deciding_estimator(model.steps[-1][1])
    return model
