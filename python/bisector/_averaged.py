"""The mean of explanations, for machines whose calibrated probabilities are averaged."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Mapping

import numpy as np

from ._adapt import Averaged
from ._prepared import Prepared
from ._tables import Floats
from ._thresholds import Threshold
from .errors import UnsupportedModelError
from .explanation import Explanation

_SUMMED = ("base_values", "remainder", "correction")


class Average:
    """Each machine is explained on its own. Its relevance is scaled to its contribution to the mean
    probability above the threshold, whose sign is the model's prediction. Base values, relevance
    and remainder add up to that probability minus the threshold."""

    kind = "averaged machines"

    def __init__(self, averaged: Averaged, arguments: Mapping[str, Any]):
        self.arguments = dict(arguments)
        if arguments["output"] == "logit":
            raise UnsupportedModelError("the model averages probabilities, which have no logit in "
                                        "common, expected output=\"probability\" or ensemble=False")
        self.members = [Prepared(member, {**arguments, "unit": "decision", "progress": False,
                                          "output": "decision"})
                        for member in averaged.members]
        self.thresholds = averaged.thresholds
        first = self.members[0]
        self.columns, self.names, self.labels = first.columns, first.names, first.labels
        self.asked, self.method = first.asked, first.method
        self.feature_names, self.known_names = first.feature_names, first.known_names
        unit = "share" if arguments["unit"] == "share" else "decision"
        self.settings = MappingProxyType({**first.settings, "unit": unit,
                                          "machines": len(self.members)})

    @property
    def expected_value(self) -> float:
        raise ValueError("the base values of averaged machines differ from row to row, expected a "
                         "single machine: use Explanation.base_values")

    def predict(self, X: Any) -> Any:
        decisions = [member.decide(X)[0][:, 0] for member in self.members]
        above = sum(_probability(threshold, f) for f, threshold in zip(decisions, self.thresholds))
        second = above > len(self.thresholds) * _threshold_probability(self.thresholds[0])
        return self.labels[np.where(second, 0, 1)]

    def explain(self, X: Any, per_level: bool = False) -> Explanation:
        parts = [member.explain(X, per_level) for member in self.members]
        if any(part.feature_names != parts[0].feature_names for part in parts):
            raise ValueError("per_level=True, and the averaged machines have different levels, "
                             "expected per_level=False")
        outputs = [_output(part, threshold) for part, threshold in zip(parts, self.thresholds)]
        output = np.asarray(sum(outputs)) / len(parts)
        unit = (_ratio(np.full(len(output), 100.0), np.abs(output))
                if self.settings["unit"] == "share" else np.ones(len(output)))
        factors = [_ratio(one, part.decision) * unit / len(parts)
                   for one, part in zip(outputs, parts)]
        found = self._mean(parts, factors, output, output * unit)
        return self._probability(found) if self.arguments["output"] == "probability" else found

    def _probability(self, found: Explanation) -> Explanation:
        """The same explanation of the mean probability itself, without the threshold."""
        second = _threshold_probability(self.thresholds[0])
        threshold = np.where(found.positive_index == 0, second, 1.0 - second)
        found.base_values, found.output = found.base_values + threshold, found.output + threshold
        found.settings = MappingProxyType({**found.settings, "output": "probability"})
        return found

    def _mean(self, parts: list[Explanation], factors: list[Floats], decision: Floats,
              output: Floats) -> Explanation:
        first = parts[0]
        summed: dict[str, Any] = {
            name: sum(getattr(part, name) * factor for part, factor in zip(parts, factors))
            for name in _SUMMED}
        values = np.asarray(sum(part.values * factor[:, None]
                                for part, factor in zip(parts, factors)))
        for_first = decision * np.where(first.positive_index == 0, 1.0, -1.0) > 0.0
        return Explanation(values, output, first.data, first.feature_names, method=first.method,
                           settings=self.settings, classes=first.classes,
                           prediction_index=np.where(for_first, 0, 1),
                           positive_index=first.positive_index,
                           negative_index=first.negative_index, g=decision, decision=decision,
                           tie=decision == 0.0, index=first.index,
                           outside=np.all([part.outside for part in parts], axis=0), **summed)


def _output(part: Explanation, threshold: Threshold) -> Floats:
    """The contribution of one machine to the probability of the positive class."""
    sign = np.where(part.positive_index == 0, 1.0, -1.0)  # The library's class 0 is classes_[1].
    probability = _probability(threshold, part.decision * sign)
    return np.asarray((probability - _threshold_probability(threshold)) * sign)


def _threshold_probability(threshold: Threshold) -> float:
    return float(1.0 / (1.0 + np.exp(-threshold.logit)))


def _probability(threshold: Threshold, f: Floats) -> Floats:
    assert threshold.slope is not None
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-(threshold.slope * f + threshold.logit))))


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole != 0.0)
