"""Gower's distance, for tables with numbers and categories."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._tables import Floats


class Gower:
    """Gower's distance as a metric for the neighbors of scikit-learn.

    The distance of two rows is the mean over the columns: |a - b| / range for numbers, and 0
    (equal) or 1 (different) for categories. Each category is one column.

    Parameters
    ----------
    categorical : sequence of int
        Positions of the categories among the columns that the neighbors see.
    ranges : sequence of float, optional
        One number for each column; those of categories are ignored. The default is 1, for numbers
        that a MinMaxScaler has scaled to [0, 1].
    weights : sequence of float, optional
        The weight of each column of the weighted mean; 1 by default.

    Examples
    --------
    >>> import bisector
    >>> from sklearn.compose import make_column_transformer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler, OrdinalEncoder
    >>> columns = make_column_transformer((MinMaxScaler(), ["area"]), (OrdinalEncoder(), ["town"]))
    >>> metric = bisector.Gower(categorical=[1])
    >>> model = make_pipeline(columns, KNeighborsClassifier(metric=metric))
    """

    def __init__(self, categorical: Sequence[int], ranges: Sequence[float] | None = None,
                 weights: Sequence[float] | None = None):
        self.categorical = tuple(int(position) for position in categorical)
        self.ranges = None if ranges is None else tuple(float(value) for value in ranges)
        self.weights = None if weights is None else tuple(float(value) for value in weights)
        self._of: tuple[Floats, Floats] | None = None  # Weights of categories and of numbers.
        for name, values in (("ranges", self.ranges), ("weights", self.weights)):
            if values is not None and not all(np.isfinite(
                value) and value > 0.0 for value in values):
                raise ValueError(f"the {name} are {values}, expected numbers above 0")

    def __call__(self, a: Any, b: Any) -> float:
        """The distance of two rows."""
        if self._of is None or len(self._of[0]) != len(a):
            counts, unit = self._counts(len(a)), self.unit(len(a))
            numbers = np.where(counts > 0.0, 0.0, self._scale(len(a)))
            self._of = counts / unit, numbers / unit
        counts, numbers = self._of
        return float(counts @ (a != b) + numbers @ np.abs(a - b))

    def distance(self, columns: int) -> _core.Distance:
        """The sum over the columns after `scale`; the mean is the sum divided by `unit`."""
        return _core.Distance(1.0, self._counts(columns).tolist())

    def scale(self, columns: int) -> Floats:
        """The factor of each column before the distance."""
        return np.where(self._counts(columns) > 0.0, 1.0, self._scale(columns))

    def unit(self, columns: int) -> float:
        """The sum of the weights."""
        return float(columns if self.weights is None else sum(self.weights))

    def _counts(self, columns: int) -> Floats:
        """The weight of each category; 0 for a number."""
        outside = [position for position in self.categorical if not 0 <= position < columns]
        given = [values for values in (self.ranges, self.weights) if values is not None]
        if outside or any(len(values) != columns for values in given):
            raise ValueError(f"Gower does not fit {columns} columns, expected positions of "
                             f"categories below {columns}, and {columns} ranges and weights")
        counts = np.zeros(columns)
        counts[list(self.categorical)] = 1.0
        return counts if self.weights is None else counts * np.asarray(self.weights)

    def _scale(self, columns: int) -> Floats:
        weights = np.ones(columns) if self.weights is None else np.asarray(self.weights)
        return weights if self.ranges is None else weights / np.asarray(self.ranges)

    def __repr__(self) -> str:
        return (f"Gower(categorical={list(self.categorical)}, ranges={self.ranges}, "
                f"weights={self.weights})")
