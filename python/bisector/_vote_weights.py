"""Functions as `weights=` of neighbors, recognized as one of the library's own weights."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Callable

import numpy as np

from . import _core
from ._tables import Floats

_GRID = np.logspace(-6.0, 6.0, 121)
_STEP = 10  # Positions of the grid per factor of ten.
_LEAST = 1e-250  # Smaller weights have lost digits.
_RATES = (1.0, *(np.arange(1, 33) / 2.0))


@dataclass(frozen=True)
class VoteWeights:
    """(offset + d**power)**-rate, exp(-rate * d**power), "uniform" or "distance"."""

    form: Any = _core.VoteWeights.uniform
    offset: float = 0.0
    power: float = 1.0
    rate: float = 1.0

    def decay(self, unit: float) -> Any:
        """The same weights for distances that are `unit` times as long, up to a common factor."""
        raised = unit**self.power
        if self.form == _core.VoteWeights.exponential:
            return _core.VoteDecay(0.0, self.power, self.rate / raised)
        return _core.VoteDecay(self.offset * raised, self.power, self.rate)


def find_weights(function: Callable[[Any], Any]) -> VoteWeights | None:
    """The weights that a function gives, up to rounding and a common factor of each row. None for
    other functions, and if a weight depends on several distances."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            logs, at_zero = _logs_of(function)
            found = _constant(logs) or _exponential(logs) or _inverse(logs, at_zero)
    except Exception:  # The user's function may raise anything.
        return None
    return found


def _logs_of(function: Callable[[Any], Any]) -> tuple[Floats, float]:
    """The logarithms of the weights on the grid, and that at distance 0, which may be infinite."""
    weights = _weights_at(function, _GRID[None, :])[0]
    pairs = _GRID.reshape(-1, 11)[:, ::-1].copy()
    apart = _weights_at(function, pairs)[:, ::-1]
    logs, again = np.log(weights), np.log(apart)
    steps, steps_again = np.diff(logs.reshape(-1, 11)), np.diff(again)
    known = weights.reshape(-1, 11)[:, 1:] > _LEAST
    if not np.allclose(steps[known], steps_again[known], rtol=1e-9, atol=1e-9):
        raise ValueError("a weight depends on other distances")
    positive = weights > 0.0
    if not positive[0] or np.any(positive[1:] & ~positive[:-1]):
        raise ValueError("a weight of zero")
    zero = _weights_at(function, np.array([[0.0, _GRID[0]]]))[0]
    at_zero = float(np.log(zero[0]) - np.log(zero[1]) + logs[0])
    return logs, np.inf if np.isnan(at_zero) else at_zero


def _weights_at(function: Callable[[Any], Any], distances: Floats) -> Floats:
    weights = np.asarray(function(distances.copy()), dtype=np.float64)
    if weights.shape != distances.shape:
        raise ValueError("not a weight for each distance")
    return weights


def _is_equal(logs: Floats, expected: Floats) -> bool:
    """True if both agree up to a common factor. Weights that lost their digits must be small."""
    known = logs > np.log(_LEAST)
    difference = logs[known] - expected[known]
    shift = difference[np.argmin(np.abs(logs[known]))]
    allowed = 1e-10 * (1.0 + np.abs(logs[known]))
    return bool(np.count_nonzero(known) > 2 * _STEP and np.all(np.abs(difference - shift) <= allowed)
                and np.all(expected[~known] + shift <= np.log(_LEAST) + 1.0))


def _rounded(number: float) -> float:
    """The short decimal number that equals this one up to rounding."""
    near = float(f"{number:.9g}")
    return near if abs(near - number) <= 1e-11 * abs(number) else number


def _power(values: Floats) -> float | None:
    """p of values c + K d**p, from the last three that are a factor of ten apart."""
    if len(values) <= 2 * _STEP:
        return None
    first, middle, last = values[-1 - 2 * _STEP], values[-1 - _STEP], values[-1]
    ratio = (last - middle) / (middle - first)
    return _rounded(float(np.log10(ratio))) if ratio > 1.0 and np.isfinite(ratio) else None


def _constant(logs: Floats) -> VoteWeights | None:
    return VoteWeights() if _is_equal(logs, np.zeros(len(logs))) else None


def _exponential(logs: Floats) -> VoteWeights | None:
    known = logs[logs > np.log(_LEAST)]
    power = _power(-known)
    if power is None:
        return None
    last, before = _GRID[len(known) - 1] ** power, _GRID[len(known) - 1 - _STEP] ** power
    rate = _rounded(float((known[-1 - _STEP] - known[-1]) / (last - before)))
    found = VoteWeights(_core.VoteWeights.exponential, 0.0, power, rate)
    return found if _is_equal(logs, -rate * _GRID**power) else None


def _inverse(logs: Floats, at_zero: float) -> VoteWeights | None:
    if not np.all(np.isfinite(logs)):
        return None
    if np.isinf(at_zero):
        slope = _rounded(float((logs[0] - logs[-1]) / np.log(_GRID[-1] / _GRID[0])))
        found = VoteWeights(_core.VoteWeights.inverse, 0.0, slope, 1.0)
        return found if slope > 0.0 and _is_equal(logs, -slope * np.log(_GRID)) else None
    for rate in _RATES:
        # (w / w(0))**(-1 / rate) - 1 is d**power / offset.
        power = _power(np.expm1((at_zero - logs) / rate))
        if power is None:
            continue
        offset = _rounded(float(_GRID[-1]**power / np.expm1((at_zero - logs[-1]) / rate)))
        if offset > 0.0 and _is_equal(logs, -rate * np.log(offset + _GRID**power)):
            return VoteWeights(_core.VoteWeights.inverse, offset, power, float(rate))
    return None
