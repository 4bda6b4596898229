"""The mean of explanations, for machines whose calibrated probabilities are averaged."""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from ._adapt import Averaged
from ._composed import prepare
from ._links import Link, linked
from ._tables import Floats
from .errors import UnsupportedModelError
from .explanation import Explanation

if TYPE_CHECKING:
    from ._thresholds import Threshold


class Average:
    """The explanation of the mean probability minus the threshold, whose sign is the prediction.

    Each machine is explained on its own and converted to its probability. The mean over the machines
    has the mean of their base values and adds up to the mean probability."""

    kind = "averaged machines"

    def __init__(self, averaged: Averaged, arguments: Mapping[str, Any]):
        self.arguments = dict(arguments)
        if arguments["output"] == "logit":
            raise UnsupportedModelError("the model averages probabilities, which have no logit in "
                                        "common, expected output=\"probability\" or ensemble=False")
        self.members = [prepare(member, {**arguments, "unit": "decision", "progress": False,
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
        if self.settings["unit"] == "share":
            return 0.0
        rows = [member.at_reference() for member in self.members]
        sign = 1.0 if rows[0]["positive"][0] == 0 else -1.0  # Class 0 is classes_[1].
        second = float(np.mean([_probability(threshold, sign * row["base"][0])
                                for threshold, row in zip(self.thresholds, rows)]))
        if self.arguments["output"] == "probability":
            return second if sign > 0.0 else 1.0 - second
        return sign * (second - _threshold_probability(self.thresholds[0]))

    def predict(self, X: Any) -> Any:
        decisions = [member.decide(X)[0][:, 0] for member in self.members]
        above = sum(_probability(threshold, f) for f, threshold in zip(decisions, self.thresholds))
        second = above > len(self.thresholds) * _threshold_probability(self.thresholds[0])
        return self.labels[np.where(second, 0, 1)]

    def explain(self, X: Any, per_level: bool = False) -> Explanation:
        parts = [linked(member.explain(X, per_level), _link(threshold), "probability")
                 for member, threshold in zip(self.members, self.thresholds)]
        if any(part.feature_names != parts[0].feature_names for part in parts):
            raise ValueError("per_level=True, and the averaged machines have different levels, "
                             "expected per_level=False")
        mean = copy.copy(parts[0])
        for name in ("values", "base_values", "output", "remainder"):
            setattr(mean, name, np.mean([getattr(part, name) for part in parts], axis=0))
        mean.standard_errors = mean.correction = mean.stretch = mean.references = None
        mean.outside = np.all([part.outside for part in parts], axis=0)
        return self._in_unit(mean)

    def _in_unit(self, mean: Explanation) -> Explanation:
        """Subtracts the threshold, unless the probability itself is explained."""
        second = _threshold_probability(self.thresholds[0])
        threshold = np.where(mean.positive_index == 0, second, 1.0 - second)
        decision = mean.output - threshold
        mean.g = mean.decision = decision
        mean.tie = decision == 0.0
        mean.prediction_index = np.where(
            decision * np.where(mean.positive_index == 0, 1.0, -1.0) > 0.0, 0, 1)
        mean.settings = self.settings
        if self.arguments["output"] == "probability":
            mean.settings = MappingProxyType({**self.settings, "output": "probability"})
            return mean
        mean.base_values, mean.output = mean.base_values - threshold, decision
        return _shares(mean) if self.settings["unit"] == "share" else mean


def _shares(mean: Explanation) -> Explanation:
    """Relevance and remainder in percent of the sum of their absolute values; the base value is 0."""
    total = np.abs(mean.values).sum(axis=1) + np.abs(mean.remainder)
    factor = np.divide(100.0, total, out=np.zeros(len(total)), where=total > 0.0)
    mean.values, mean.remainder = mean.values * factor[:, None], mean.remainder * factor
    mean.base_values = np.zeros(len(total))
    mean.output = mean.values.sum(axis=1) + mean.remainder
    return mean


def _link(threshold: Threshold) -> Link:
    assert threshold.slope is not None
    return Link(threshold.slope, threshold.logit)


def _threshold_probability(threshold: Threshold) -> float:
    return float(1.0 / (1.0 + np.exp(-threshold.logit)))


def _probability(threshold: Threshold, f: Floats) -> Floats:
    assert threshold.slope is not None
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-(threshold.slope * f + threshold.logit))))
