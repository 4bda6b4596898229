"""Where a two-class machine is cut: calibrated probabilities and thresholds as an intercept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Cut:
    """The second class is predicted where f + shift > 0.

    While a model is opened, `probability` is the threshold that stands outside, on the second class's
    probability. `slope` is that of a calibration in front of it: then the probability is
    1 / (1 + exp(-(slope * (f + shift) + logit)))."""

    shift: float = 0.0
    probability: float | None = None
    slope: float | None = None
    logit: float = 0.0


def _logit(probability: float) -> float:
    if not 0.0 < probability < 1.0:
        raise ValueError(f"the threshold on the probability is {probability:g}, which decides alike "
                         "for all rows, expected a number between 0 and 1")
    return float(np.log(probability / (1.0 - probability)))


def threshold_of(model: Any, cut: Cut, path: str) -> Cut:
    """Of a FixedThresholdClassifier or a TunedThresholdClassifierCV."""
    from sklearn.utils.validation import check_is_fitted

    inside = getattr(model, "estimator_", None) or model.estimator
    check_is_fitted(inside)
    if cut != Cut():
        raise ValueError(f"the {type(model).__name__} stands in another one, or in a calibration, "
                         f"expected it outermost: explain {path} itself")
    if len(model.classes_) != 2:
        raise ValueError(f"the {type(model).__name__} has {len(model.classes_)} classes, expected two")
    asked = model.response_method
    methods = ["predict_proba", "decision_function"] if asked == "auto" else [asked]
    method = next(name for name in methods if hasattr(inside, name))
    by_probability = method == "predict_proba"
    threshold = model.best_threshold_ if hasattr(model, "best_threshold_") else model.threshold
    if isinstance(threshold, str):
        threshold = 0.5 if by_probability else 0.0
    scorer = getattr(model, "_curve_scorer", None)
    label = model.pos_label if scorer is None else scorer._get_pos_label()
    if label is not None and label == model.classes_[0]:
        threshold = 1.0 - threshold if by_probability else -threshold
    if by_probability:
        return replace(cut, probability=float(threshold))
    return replace(cut, shift=-float(threshold))


def calibrated_cut(model: Any, one: Any, cut: Cut, path: str) -> Cut:
    """Of one calibrated classifier in a CalibratedClassifierCV."""
    count = len(model.classes_)
    if one.method == "temperature" and count == 2 and len(model.calibrated_classifiers_) == 1 and (
            cut.probability in (None, 0.5)):
        return Cut()  # it keeps the sign
    advice = f"explain a machine inside: bisector.Explainer({path}.calibrated_classifiers_[0].estimator)"
    if one.method != "sigmoid" or count != 2:
        raise ValueError(
            f"the CalibratedClassifierCV ({one.method}, {count} classes) may decide otherwise than "
            f"the estimator inside, expected method='sigmoid' and two classes: {advice}"
        )
    sigmoid = one.calibrators[0]
    if sigmoid.a_ >= 0.0:
        raise ValueError(
            "the calibration turns the decision around (a_ is not below 0), expected one that keeps "
            f"its direction: {advice}"
        )
    if cut.shift != 0.0:
        raise ValueError(f"a threshold on the decision function of a CalibratedClassifierCV, expected "
                         f"one on its probabilities: {advice}")
    logit = _logit(0.5 if cut.probability is None else cut.probability)
    return Cut(shift=float((sigmoid.b_ + logit) / sigmoid.a_), slope=float(-sigmoid.a_), logit=logit)


def platt_shift(estimator: Any, probability: float, path: str) -> float:
    """For a threshold on the probabilities of an SVC itself: where its own sigmoid has that value."""
    slopes: Any = getattr(estimator, "_probA", ())
    offsets: Any = getattr(estimator, "_probB", ())
    if len(slopes) != 1 or slopes[0] >= 0.0:
        raise ValueError(
            f"a threshold on the probabilities of a {type(estimator).__name__} is not one on a "
            "machine's output, expected an SVC or NuSVC with probability=True, or a calibrated one: "
            f"explain the model without the threshold: bisector.Explainer({path})"
        )
    # LIBSVM: P(first class) = 1 / (1 + exp(A d + B)) of its own d, which is -f for two classes.
    return float((offsets[0] - _logit(probability)) / -slopes[0])
