"""Paths from references to rows through a function before a model, and means over their steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._adapt import Subject
from ._prepared import Prepared
from ._tables import Floats, Integers


def gradient_rule(subject: Subject) -> dict[str, Any]:
    """The method whose relevance is a gradient: of g, or of f for kernels of the dot product."""
    kernel = getattr(subject.model.predictor, "kernel", None)
    of_products = kernel is not None and not kernel.is_of_distance
    return {"method": "gi"} if of_products else {"method": "lrp", "eta": 0.0}


def contrasted_pairs(one: Prepared, rows: Floats) -> tuple[Integers, Integers]:
    """The classes that each row contrasts, as positions in the labels of the model."""
    count = len(rows)
    if one.labels is None:
        return np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    names = list(one.subject.model.labels)
    settings = one.core.settings
    if settings.positive and settings.negative:
        return (np.full(count, names.index(settings.positive)),
                np.full(count, names.index(settings.negative)))
    found = one.core(rows)
    return found["positive"].astype(np.int64), found["negative"].astype(np.int64)


@dataclass(frozen=True)
class PathPlan:
    """References of one pair of classes and the place on each path at which a gradient is taken."""

    chosen: Integers
    fractions: Floats
    base: float  # The mean of g over the references.

    @staticmethod
    def draw(g: Floats, count: int, seed: int, both_sides: bool) -> PathPlan:
        """Draws `count` references; half of them have a positive g if both sides are wanted. The
        places are the midpoints of equal parts of a path, spread over both sides alike."""
        generator = np.random.default_rng(seed)
        usable = np.flatnonzero(np.isfinite(g))
        if len(usable) == 0:
            raise ValueError("g is infinite at every reference, expected references near the "
                             "training data")
        sides = [usable[g[usable] > 0.0], usable[~(g[usable] > 0.0)]]
        if not both_sides or min(len(side) for side in sides) == 0:
            sides = [usable]
        chosen, fractions = np.empty(count, dtype=np.int64), (np.arange(count) + 0.5) / count
        for n, side in enumerate(sides):
            places = generator.permutation(np.arange(n, count, len(sides)))
            chosen[places] = _drawn(side, len(places), generator)
        return PathPlan(chosen, fractions, float(np.mean(g[chosen])))


def _drawn(rows: Integers, count: int, generator: np.random.Generator) -> Integers:
    """Draws without replacement, and repeats all rows first if they are fewer."""
    repeats = [generator.permutation(rows) for _ in range(-(-count // len(rows)))]
    return np.concatenate(repeats)[:count]


class PathPlans:
    """The plan of each pair of classes. `rows` are the references as the model takes them."""

    def __init__(self, one: Prepared, rows: Floats, count: int, seed: int):
        self._model, self._rows, self._count, self._seed = one, rows, count, seed
        self._known: dict[tuple[int, int], PathPlan] = {}

    def of(self, positive: int, negative: int) -> PathPlan:
        pair = positive, negative
        if pair not in self._known:
            count = len(self._rows)
            g, _ = self._model.core.gradients(self._rows, np.full(count, positive),
                                              np.full(count, negative))
            model = self._model.subject.model
            both_sides = not (model.is_regressor or model.is_detector)
            self._known[pair] = PathPlan.draw(g, self._count, self._seed, both_sides)
        return self._known[pair]


class RunningMoments:
    """Mean and variance of arrays that come in batches."""

    def __init__(self) -> None:
        self.count = 0
        self.mean: Floats = np.zeros(())
        self._squares: Floats = np.zeros(())

    def add(self, batch: Floats) -> None:
        """Adds one array for each entry of the first axis."""
        count, mean = len(batch), batch.mean(axis=0)
        squares = ((batch - mean) ** 2).sum(axis=0)
        change, total = mean - self.mean, self.count + count
        self._squares = self._squares + squares + change ** 2 * (self.count * count / total)
        self.mean = self.mean + change * (count / total)
        self.count = total

    @property
    def standard_error(self) -> Floats:
        """The standard error of the mean."""
        return np.asarray(np.sqrt(self._squares / (self.count - 1) / self.count))
