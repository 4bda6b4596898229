"""Explanations of calibrated probabilities and of their logits."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ._kinds import deciding_estimator, has_iterated_probabilities
from ._tables import Floats
from .errors import UnsupportedModelError
from .explanation import Explanation

OUTPUTS = ("decision", "probability", "logit")


@dataclass(frozen=True)
class Link:
    """The logit of the probability of classes_[1] is slope * f + offset; f is the decision value
    of the library."""

    slope: float
    offset: float

    def probability(self, f: Floats) -> Floats:
        return probability(self.slope * f + self.offset)


def require_output(output: str, unit: str | None) -> None:
    """Refuses unknown outputs, and units other than that of the output."""
    if output not in OUTPUTS:
        raise ValueError(f'output is "{output}", expected "decision", "probability" or "logit"')
    if output != "decision" and unit not in (None, "decision"):
        raise ValueError(f'output is "{output}" with unit "{unit}", expected unit="decision"')


def require_link(link: Link | None, output: str, model: Any) -> None:
    """Refuses probabilities and logits of a model that has none."""
    if output == "decision" or link is not None:
        return
    reason = "the model has no calibrated probabilities of two classes"
    expected = "two classes and a LogisticRegression or a CalibratedClassifierCV with method='sigmoid'"
    if has_iterated_probabilities(model):
        kind = type(deciding_estimator(model)).__name__
        reason = f"scikit-learn iterates the probabilities of an {kind} to about 0.003 only"
        expected = f"CalibratedClassifierCV({kind}(), ensemble=False) in its place"
    column = 1 if len(getattr(model, "classes_", ())) == 2 else 0
    advice = (f"shap.PermutationExplainer(lambda X: model.predict_proba(X)[:, {column}], X_train)(X)",
              ) if hasattr(model, "predict_proba") else ()
    raise UnsupportedModelError(f'output is "{output}", and {reason}, expected {expected}', *advice)


def linked(explanation: Explanation, link: Link, output: str) -> Explanation:
    """The explanation of the logit or the probability, with the same signs and the same order."""
    sign = np.where(explanation.positive_index == 0, 1.0, -1.0)  # Class 0 is classes_[1].
    base, end = (link.slope * part + sign * link.offset
                 for part in (explanation.base_values, explanation.output))
    factor: Any = np.full(len(end), link.slope)
    if output == "probability":
        rise = end - base
        base, end = probability(base), probability(end)
        slopes = base * (1.0 - base)
        factor *= np.divide(end - base, rise, out=slopes, where=np.abs(rise) > 1e-12)
    part = copy.copy(explanation)
    part.base_values, part.output = base, end
    part.values = explanation.values * factor[:, None]
    part.remainder = explanation.remainder * factor
    part.correction = None
    if explanation.standard_errors is not None:
        part.standard_errors = explanation.standard_errors * factor[:, None]
    part.settings = MappingProxyType({**explanation.settings, "output": output})
    return part


def both_classes(explanation: Explanation) -> Explanation:
    """The output of both classes, from that of classes_[1]: probabilities add up to 1, other
    outputs to 0."""
    if explanation.unit != "decision":
        raise ValueError("all classes need the unit decision; leave out the unit")
    whole = copy.copy(explanation)
    start = 1.0 if explanation.settings.get("output") == "probability" else 0.0
    for name, of_first in (("values", 0.0), ("remainder", 0.0), ("base_values", start),
                           ("output", start)):
        values = getattr(explanation, name)
        setattr(whole, name, np.stack([of_first - values, values], axis=-1))
    whole.decision, whole.g, whole.standard_errors = whole.output, None, None
    whole.positive_index = whole.negative_index = None
    # Class 0 is classes_[1].
    whole.classes = np.asarray(explanation.classes)[::-1]
    whole.prediction_index = 1 - np.asarray(explanation.prediction_index)
    whole.settings = MappingProxyType({**explanation.settings, "classes": "all"})
    return whole


def probability(logit: Any) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-logit)))


def in_shares(explanation: Explanation) -> Explanation:
    """Changes relevance and remainder to percent of the sum of their absolute values; the base value
    is 0 then."""
    total = np.abs(explanation.values).sum(axis=1) + np.abs(explanation.remainder)
    factor = np.divide(100.0, total, out=np.zeros(len(total)), where=total > 0.0)
    explanation.values = explanation.values * factor[:, None]
    explanation.remainder = explanation.remainder * factor
    explanation.base_values = np.zeros(len(total))
    explanation.output = explanation.values.sum(axis=1) + explanation.remainder
    return explanation
