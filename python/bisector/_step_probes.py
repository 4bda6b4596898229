"""Steps that nobody told us about, tried on made-up rows: is it affine, does it go column by column?
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._columns import transformed
from ._tables import Floats

_ROWS = 16
_MOST_INPUTS = 4096  # trying takes a row for each
_TOLERANCE = 1e-6
_CENTERS = ("mean_", "xbar_", "_x_mean")  # what transformers call the point that they take off


class Tried:
    """A fitted transformer as a function of rows that may refuse them."""

    def __init__(self, step: Any, inputs: int):
        self.step, self.inputs = step, inputs
        self.generator = np.random.default_rng(0)
        self._domains = (
            lambda rows: self.generator.normal(size=(rows, inputs))
            * 10.0 ** self.generator.integers(-3, 7, size=(rows, 1)),
            lambda rows: self.generator.normal(size=(rows, inputs)),
            lambda rows: self.generator.uniform(0.1, 3.0, size=(rows, inputs)),
        )

    def __call__(self, rows: Floats) -> Floats | None:
        """None where the step cannot take the rows, or makes something else of them than numbers."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                made = transformed(self.step, rows.copy())
        except Exception:  # of the step: whatever it does not like
            return None
        fits = made.ndim == 2 and len(made) == len(rows) and made.dtype == np.float64
        return made if fits and np.all(np.isfinite(made)) else None

    def samples(self) -> tuple[Floats, Floats] | None:
        """Rows that the step takes, of all sizes where it takes those, and what it makes of them."""
        for domain in self._domains:
            rows = domain(_ROWS)
            made = self(rows)
            if made is not None:
                return rows, made
        return None


def affine_map(step: Any, inputs: int) -> tuple[Floats, Floats, Floats] | None:
    """(center, matrix, offset) of a step with step(x) = matrix @ (x - center) + offset on all the
    rows that were tried; None for another."""
    tried = Tried(step, inputs)
    found = tried.samples() if inputs <= _MOST_INPUTS else None
    if found is None:
        return None
    rows, made = found
    ends = tried(np.vstack([np.zeros((1, inputs)), np.eye(inputs)]))
    if ends is None:
        return None
    matrix, offset = (ends[1:] - ends[0]).T, ends[0]
    if not is_close(rows @ matrix.T + offset, made, np.abs(rows) @ np.abs(matrix.T) + np.abs(offset)):
        return None
    center = _center(step, matrix, offset)
    if center is None:
        return np.zeros(inputs), matrix, offset
    return center, matrix, np.zeros(len(matrix))


def _center(step: Any, matrix: Floats, offset: Floats) -> Floats | None:
    """The point that becomes zero, where the step has it: the data's mean, from which a row is then
    measured, and not the nearest point to the origin that the matrix maps there."""
    for name in _CENTERS:
        center = np.ravel(np.asarray(getattr(step, name, []), dtype=np.float64))
        if len(center) == matrix.shape[1] and is_close(
                matrix @ center, -offset, np.abs(matrix) @ np.abs(center)):
            return center
    return None


def is_close(ours: Floats, theirs: Floats, summands: Floats | float) -> bool:
    """`summands`: how large the numbers are that these are sums of, which is what they round by."""
    if ours.shape != theirs.shape:
        return False
    return bool(np.all(np.abs(ours - theirs) <= _TOLERANCE * (np.abs(theirs) + summands) + 1e-12))


def column_owners(step: Any, inputs: int) -> list[int] | None:
    """Which input each output depends on, where that is one; None for a step that mixes them.

    Each input in turn is moved while the others stay: outputs that follow are its own. Then all but
    one are moved at a time, which must change no output of that one."""
    tried = Tried(step, inputs)
    found = tried.samples() if inputs <= _MOST_INPUTS else None
    if found is None:
        return None
    rows, made = found
    others = rows[::-1]
    owners = np.full(made.shape[1], -1)
    for n in range(inputs):
        moved = rows.copy()
        moved[:, n] = others[:, n]
        after = tried(moved)
        if after is None or after.shape != made.shape:
            return None
        follows = np.any(after != made, axis=0)
        if np.any(owners[follows] >= 0):
            return None
        owners[follows] = n
    if np.any(owners < 0) or not _is_its_own(tried, rows, made, owners):
        return None
    return [int(owner) for owner in owners]


def _is_its_own(tried: Tried, rows: Floats, made: Floats, owners: Any) -> bool:
    others = np.roll(rows, 1, axis=0)
    for n in range(rows.shape[1]):
        moved = others.copy()
        moved[:, n] = rows[:, n]
        after = tried(moved)
        own = owners == n
        if after is None or not np.array_equal(after[:, own], made[:, own]):
            return False
    return True
