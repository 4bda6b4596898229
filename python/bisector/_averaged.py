"""The mean of explanations, for machines whose calibrated probabilities are averaged."""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any, Mapping

import numpy as np

from ._adapt import Averaged
from ._composed import prepare
from ._links import in_shares, linked, probability
from .errors import UnsupportedModelError
from .explanation import Explanation


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
        methods = {member.method: member for member in self.members}
        if len(methods) > 1:  # One decision for all machines.
            one = methods["shapley-exact"]
            self.members = [member if member.method == one.method else
                            prepare(subject, {**member.arguments, "method": one.method,
                                              "references": one.settings["references"]})
                            for member, subject in zip(self.members, averaged.members)]
        self.links = averaged.links
        self._threshold = float(probability(self.links[0].offset))  # Of the probability.
        first = self.members[0] if len(methods) == 1 else one
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
        second = float(np.mean([link.probability(sign * row["base"][0])
                                for link, row in zip(self.links, rows)]))
        if self.arguments["output"] == "probability":
            return second if sign > 0.0 else 1.0 - second
        return sign * (second - self._threshold)

    def predict(self, X: Any) -> Any:
        decisions = [member.decide(X)[0][:, 0] for member in self.members]
        above = sum(link.probability(f) for f, link in zip(decisions, self.links))
        second = above > len(self.links) * self._threshold
        return self.labels[np.where(second, 0, 1)]

    def explain(self, X: Any, per_level: bool = False) -> Explanation:
        parts = [linked(member.explain(X, per_level), link, "probability")
                 for member, link in zip(self.members, self.links)]
        if any(part.feature_names != parts[0].feature_names for part in parts):
            raise ValueError("per_level=True, and the averaged machines have different levels, "
                             "expected per_level=False")
        mean = copy.copy(parts[0])
        for name in ("values", "base_values", "output", "remainder"):
            setattr(mean, name, np.mean([getattr(part, name) for part in parts], axis=0))
        mean.standard_errors = mean.correction = mean.stretch = None
        mean.outside = np.all([part.outside for part in parts], axis=0)
        mean.unexplained = np.any([part.unexplained for part in parts], axis=0)
        mean.alike = np.all([part.alike for part in parts], axis=0)
        return self._in_unit(mean)

    def _in_unit(self, mean: Explanation) -> Explanation:
        """Subtracts the threshold, unless the probability itself is explained."""
        threshold = np.where(mean.positive_index == 0, self._threshold, 1.0 - self._threshold)
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
        return in_shares(mean) if self.settings["unit"] == "share" else mean
