"""Gower's distance, for tables with numbers and categories."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._tables import Floats


class Gower:
    """The metric of a table with categories, for the neighbors of scikit-learn.

    The distance of two rows is the mean over the columns of |a - b| / range for numbers, and of 0 or
    1, equal or not, for categories, which stay one column each:

        columns = make_column_transformer((MinMaxScaler(), numbers), (OrdinalEncoder(), texts))
        metric = bisector.Gower(categorical=range(len(numbers), len(numbers) + len(texts)))
        model = make_pipeline(columns, KNeighborsClassifier(metric=metric))

    categorical: the positions of the categories among the columns that the neighbors see. ranges:
    one number for each column (those of categories are not looked at); by default 1, for numbers
    that a MinMaxScaler has put between 0 and 1. weights: how much each column counts, 1 by default.
    """

    def __init__(self, categorical: Sequence[int], ranges: Sequence[float] | None = None,
                 weights: Sequence[float] | None = None):
        self.categorical = tuple(int(position) for position in categorical)
        self.ranges = None if ranges is None else tuple(float(value) for value in ranges)
        self.weights = None if weights is None else tuple(float(value) for value in weights)
        self._of: tuple[Floats, Floats] | None = None  # what the columns count, by kind
        for name, values in (("ranges", self.ranges), ("weights", self.weights)):
            if values is not None and not all(np.isfinite(value) and value > 0.0 for value in values):
                raise ValueError(f"the {name} are {values}, expected numbers above 0")

    def __call__(self, a: Any, b: Any) -> float:
        """Between two rows, as scikit-learn asks for it."""
        if self._of is None or len(self._of[0]) != len(a):
            counts, unit = self._counts(len(a)), self.unit(len(a))
            numbers = np.where(counts > 0.0, 0.0, self._scale(len(a)))
            self._of = counts / unit, numbers / unit
        counts, numbers = self._of
        return float(counts @ (a != b) + numbers @ np.abs(a - b))

    def distance(self, columns: int) -> _core.Distance:
        """The sum in the place of the mean, behind scale()."""
        return _core.Distance(1.0, self._counts(columns).tolist())

    def scale(self, columns: int) -> Floats:
        return np.where(self._counts(columns) > 0.0, 1.0, self._scale(columns))

    def unit(self, columns: int) -> float:
        return float(columns if self.weights is None else sum(self.weights))

    def _counts(self, columns: int) -> Floats:
        """What a category counts; 0 for a number."""
        outside = [position for position in self.categorical if not 0 <= position < columns]
        given = [values for values in (self.ranges, self.weights) if values is not None]
        if outside or any(len(values) != columns for values in given):
            raise ValueError(f"Gower was made for other columns than the {columns} that are there, "
                             "expected positions of categories below that, and as many ranges and "
                             "weights")
        counts = np.zeros(columns)
        counts[list(self.categorical)] = 1.0
        return counts if self.weights is None else counts * np.asarray(self.weights)

    def _scale(self, columns: int) -> Floats:
        weights = np.ones(columns) if self.weights is None else np.asarray(self.weights)
        return weights if self.ranges is None else weights / np.asarray(self.ranges)

    def __repr__(self) -> str:
        return (f"Gower(categorical={list(self.categorical)}, ranges={self.ranges}, "
                f"weights={self.weights})")
