"""Where a two-class machine is cut: calibrated probabilities and thresholds as an intercept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Cut:
    """The second class is predicted where f + shift > 0, and at 0 itself if `is_reached` says so.

    While a model is opened, `probability` is the threshold that stands outside, on the second class's
    probability. `slope` is that of a calibration in front of it: then the probability is
    1 / (1 + exp(-(slope * (f + shift) + logit)))."""

    shift: float = 0.0
    probability: float | None = None
    slope: float | None = None
    logit: float = 0.0
    is_reached: bool = False


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
    is_second = label is None or label != model.classes_[0]
    if not is_second:
        threshold = 1.0 - threshold if by_probability else -threshold
    if by_probability:
        return replace(cut, probability=float(threshold), is_reached=is_second)
    return replace(cut, shift=-float(threshold), is_reached=is_second)


def inside_calibration(path: str) -> str:
    return f"bisector.Explainer({path}.calibrated_classifiers_[0].estimator)"


def calibrated_cut(model: Any, one: Any, cut: Cut, path: str) -> Cut:
    """Of one calibrated classifier in a CalibratedClassifierCV."""
    count = len(model.classes_)
    is_alone = len(model.calibrated_classifiers_) == 1
    if one.method == "temperature" and count == 2 and is_alone and cut.probability in (None, 0.5):
        return Cut()  # it keeps the sign
    advice = f"explain a machine inside: {inside_calibration(path)}"
    if count != 2 or not (one.method == "sigmoid" or (one.method == "isotonic" and is_alone)):
        raise ValueError(
            f"the CalibratedClassifierCV ({one.method}, {count} classes) may decide otherwise than "
            "the estimator inside, expected two classes and method='sigmoid', or 'isotonic' with "
            f"ensemble=False: {advice}"
        )
    if cut.shift != 0.0:
        raise ValueError(f"a threshold on the decision function of a CalibratedClassifierCV, expected "
                         f"one on its probabilities: {advice}")
    probability = 0.5 if cut.probability is None else cut.probability
    if one.method == "isotonic":
        side = "left" if cut.is_reached else "right"
        return Cut(shift=-_reached(one.calibrators[0], probability, side, advice),
                   is_reached=cut.is_reached)
    sigmoid = one.calibrators[0]
    if sigmoid.a_ >= 0.0:
        raise ValueError(
            "the calibration turns the decision around (a_ is not below 0), expected one that keeps "
            f"its direction: {advice}"
        )
    logit = _logit(probability)
    return Cut(shift=float((sigmoid.b_ + logit) / sigmoid.a_), slope=float(-sigmoid.a_), logit=logit)


def _reached(isotonic: Any, probability: float, side: Any, advice: str) -> float:
    """The f above which an isotonic regression, which never falls, is above the probability; where it
    stays at the probability, the one end of that or the other."""
    f, p = np.asarray(isotonic.X_thresholds_), np.asarray(isotonic.y_thresholds_)
    above = int(np.searchsorted(p, probability, side=side))
    if above in (0, len(p)):
        raise ValueError(f"the isotonic calibration is never on one side of {probability:g}, so that "
                         f"it decides alike for all rows, expected one that has both sides: {advice}")
    part = (probability - p[above - 1]) / (p[above] - p[above - 1])
    return float(f[above - 1] + part * (f[above] - f[above - 1]))


def is_vote(estimator: Any) -> bool:
    """True for classifiers that vote, whose probabilities are shares of votes."""
    return hasattr(estimator, "predict_proba") and hasattr(estimator, "_fit_X")


def probability_shift(estimator: Any, probability: float, path: str) -> float:
    """For a threshold on an estimator's own probabilities: where their sigmoid has that value. Those
    of neighbors are shares of votes, and what is shifted."""
    if is_vote(estimator):
        return -probability
    if type(getattr(estimator, "steps", [("", estimator)])[-1][1]).__name__ == "LogisticRegression":
        return -_logit(probability)
    slopes: Any = getattr(estimator, "_probA", ())
    offsets: Any = getattr(estimator, "_probB", ())
    if len(slopes) != 1 or slopes[0] >= 0.0:
        raise ValueError(
            f"a threshold on the probabilities of a {type(estimator).__name__} is not one on a "
            "machine's output, expected neighbors, an SVC or NuSVC with probability=True, a "
            "LogisticRegression behind a Nystroem, or a calibrated one: "
            f"explain the model without the threshold: bisector.Explainer({path})"
        )
    # LIBSVM: P(first class) = 1 / (1 + exp(A d + B)) of its own d, which is -f for two classes.
    return float((offsets[0] - _logit(probability)) / -slopes[0])
