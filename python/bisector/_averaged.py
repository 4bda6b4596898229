"""The mean of explanations, for machines whose calibrated probabilities are averaged."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ._tables import Floats
from ._thresholds import Cut
from .explanation import Explanation

if TYPE_CHECKING:
    from .explainer import Explainer

_SUMMED = ("base_values", "remainder", "correction")


class Average:
    """Each machine is explained by its own network and counted in what it adds to the mean
    probability above the threshold, which has its decision's sign. So relevance, base and remainder
    add up to the mean probability less the threshold, whose sign is the model's decision."""

    def __init__(self, members: Sequence[Explainer], cuts: Sequence[Cut], unit: str):
        self.members, self.cuts, self.unit = members, cuts, unit

    @property
    def settings(self) -> MappingProxyType[str, Any]:
        unit = "share" if self.unit == "share" else "decision"
        return MappingProxyType({**self.members[0].settings, "unit": unit,
                                 "machines": len(self.members)})

    def predict(self, X: Any) -> Any:
        above = sum(_probability(cut, f) for f, cut in zip(self._decisions(X), self.cuts))
        second = above > len(self.cuts) * _threshold(self.cuts[0])
        labels = self.members[0].classes
        return labels[np.where(second, 0, 1)]

    def _decisions(self, X: Any) -> list[Floats]:
        return [member._decide(member._columns.read(X).features)[0][:, 0]
                for member in self.members]

    def __call__(self, X: Any, per_level: bool) -> Explanation:
        whys = [member(X, per_level=per_level) for member in self.members]
        if any(why.feature_names != whys[0].feature_names for why in whys):
            raise ValueError("per_level=True, and the averaged machines know different levels, "
                             "expected per_level=False")
        parts = [self._part(why, cut) for why, cut in zip(whys, self.cuts)]
        output = np.asarray(sum(parts)) / len(parts)
        share = _shares(output) if self.unit == "share" else np.ones(len(output))
        factors = [_ratio(part, why.decision) * share / len(parts)
                   for part, why in zip(parts, whys)]
        return self._mean(whys, factors, output, output * share)

    @staticmethod
    def _part(why: Explanation, cut: Cut) -> Floats:
        """What one machine adds, for the class that is asked about."""
        sign = np.where(why._positive == 0, 1.0, -1.0)  # the library's first class is the second
        f = why.decision * sign
        return np.asarray((_probability(cut, f) - _threshold(cut)) * sign)

    def _mean(self, whys: Sequence[Explanation], factors: Sequence[Floats], decision: Floats,
              output: Floats) -> Explanation:
        first = whys[0]
        summed: dict[str, Any] = {
            name: sum(getattr(why, name) * factor for why, factor in zip(whys, factors))
            for name in _SUMMED}
        values = np.asarray(sum(why.values * factor[:, None] for why, factor in zip(whys, factors)))
        for_first = decision * np.where(first._positive == 0, 1.0, -1.0) > 0.0
        return Explanation(values, output, first.data, first.feature_names, method=first.method,
                           settings=self.settings, classes=first.classes,
                           prediction=np.where(for_first, 0, 1), positive=first._positive,
                           negative=first._negative, g=decision, decision=decision,
                           tie=decision == 0.0, index=first.index,
                           outside=np.all([why.outside for why in whys], axis=0), **summed)


def _threshold(cut: Cut) -> float:
    return float(1.0 / (1.0 + np.exp(-cut.logit)))


def _probability(cut: Cut, f: Floats) -> Floats:
    assert cut.slope is not None
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-(cut.slope * f + cut.logit))))


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole != 0.0)


def _shares(output: Floats) -> Floats:
    return np.divide(100.0, np.abs(output), out=np.zeros(len(output)), where=output != 0.0)
