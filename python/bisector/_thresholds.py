"""Calibrated probabilities and thresholds of two-class machines, as an intercept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ._kinds import has_iterated_probabilities
from ._links import Link
from .errors import UnsupportedModelError


@dataclass(frozen=True)
class Threshold:
    """The second class is predicted if f + shift > 0, and also at 0 if `is_reached`.

    `probability` is a threshold on the probability of the second class, from an outer layer of the
    model. With a sigmoid calibration, that probability is
    1 / (1 + exp(-(slope * (f + shift) + logit)))."""

    shift: float = 0.0
    probability: float | None = None
    slope: float | None = None
    logit: float = 0.0
    is_reached: bool = False

    @property
    def sigmoid(self) -> Link:
        """From f + shift to probabilities, for a sigmoid calibration."""
        assert self.slope is not None
        return Link(self.slope, self.logit)


def _logit(probability: float) -> float:
    if not 0.0 < probability < 1.0:
        raise UnsupportedModelError(f"the threshold on the probability is {probability:g}, so that "
                                    "all rows get the same prediction, expected a number between 0 and 1")
    return float(np.log(probability / (1.0 - probability)))


def threshold_of(model: Any, outer: Threshold) -> Threshold:
    """The threshold of a FixedThresholdClassifier or a TunedThresholdClassifierCV."""
    from sklearn.utils.validation import check_is_fitted

    inside = getattr(model, "estimator_", None) or model.estimator
    check_is_fitted(inside)
    if outer != Threshold():
        raise UnsupportedModelError(f"the {type(model).__name__} is inside another threshold or a "
                                    "calibration, expected it outermost")
    if len(model.classes_) != 2:
        raise UnsupportedModelError(f"the {type(model).__name__} has {len(model.classes_)} "
                                    "classes, expected two")
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
        return replace(outer, probability=float(threshold), is_reached=is_second)
    return replace(outer, shift=-float(threshold), is_reached=is_second)


def calibrated_threshold(model: Any, one: Any, outer: Threshold) -> Threshold:
    """The threshold of one calibrated classifier in a CalibratedClassifierCV."""
    count = len(model.classes_)
    is_alone = len(model.calibrated_classifiers_) == 1
    if one.method == "temperature" and count == 2 and is_alone and outer.probability in (None, 0.5):
        return Threshold()  # The temperature does not change the sign.
    if count != 2 or not (one.method == "sigmoid" or (one.method == "isotonic" and is_alone)):
        raise UnsupportedModelError(
            f"the CalibratedClassifierCV ({one.method}, {count} classes) may predict otherwise "
            "than the estimator inside, expected two classes and method='sigmoid', or 'isotonic' "
            "with ensemble=False")
    if outer.shift != 0.0:
        raise UnsupportedModelError("a threshold on the decision function of a "
                                    "CalibratedClassifierCV, expected a threshold on its probabilities")
    probability = 0.5 if outer.probability is None else outer.probability
    if one.method == "isotonic":
        side = "left" if outer.is_reached else "right"
        return Threshold(shift=-_reached(one.calibrators[0], probability, side),
                         is_reached=outer.is_reached)
    sigmoid = one.calibrators[0]
    if sigmoid.a_ >= 0.0:
        raise UnsupportedModelError("the calibration reverses the decision (a_ is not below 0), "
                                    "expected one that keeps its direction")
    logit = _logit(probability)
    return Threshold(shift=float((sigmoid.b_ + logit) / sigmoid.a_),
                     slope=float(-sigmoid.a_), logit=logit)


def _reached(isotonic: Any, probability: float, side: Any) -> float:
    """The f above which an isotonic regression is above the probability. If it is constant there,
    `side` chooses the left or the right end."""
    f, p = np.asarray(isotonic.X_thresholds_), np.asarray(isotonic.y_thresholds_)
    above = int(np.searchsorted(p, probability, side=side))
    if above in (0, len(p)):
        raise UnsupportedModelError(
            f"the isotonic calibration is never on one side of {probability:g}, so that all rows "
            "get the same prediction, expected one with both sides")
    part = (probability - p[above - 1]) / (p[above] - p[above - 1])
    return float(f[above - 1] + part * (f[above] - f[above - 1]))


def is_vote(estimator: Any) -> bool:
    """True for classifiers that vote, whose probabilities are shares of votes."""
    return hasattr(estimator, "predict_proba") and hasattr(estimator, "_fit_X")


def probability_shift(estimator: Any, probability: float) -> float:
    """The shift for a threshold on an estimator's own probabilities: where their sigmoid has that
    value. The probabilities of neighbors are shares of votes, which are shifted themselves."""
    if is_vote(estimator):
        return -probability
    sigmoid = _own_sigmoid(estimator)
    if sigmoid is None:
        raise UnsupportedModelError(
            f"a threshold on the probabilities of a {type(estimator).__name__}, expected "
            "neighbors, a LogisticRegression, an SVC or NuSVC with probability=True, or a calibrated machine")
    return (sigmoid.offset - _logit(probability)) / sigmoid.slope


def _own_sigmoid(estimator: Any) -> Link | None:
    """The sigmoid from an estimator's decision values to its probabilities of two classes."""
    last = getattr(estimator, "steps", [("", estimator)])[-1][1]
    if type(last).__name__ == "LogisticRegression" and len(last.classes_) == 2:
        return Link(1.0, 0.0)
    slopes: Any = getattr(estimator, "_probA", None)
    offsets: Any = getattr(estimator, "_probB", None)
    if slopes is None or len(slopes) != 1 or slopes[0] >= 0.0:
        return None
    # In LIBSVM, P(first class) = 1 / (1 + exp(A d + B)), and its d is -f for two classes.
    return Link(-float(slopes[0]), float(offsets[0]))


def link_of(estimator: Any, threshold: Threshold, shift: float) -> Link | None:
    """The sigmoid from the library's decision values, which include `shift`, to probabilities."""
    if threshold.slope is not None:
        return threshold.sigmoid
    sigmoid = None if has_iterated_probabilities(estimator) else _own_sigmoid(estimator)
    return sigmoid and Link(sigmoid.slope, sigmoid.offset - sigmoid.slope * shift)
