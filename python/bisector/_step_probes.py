"""Unknown steps, tried on generated rows: are they affine, or do they work column by column?"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._columns import transformed
from ._tables import Floats

_ROWS = 16
_MOST_INPUTS = 4096  # Trying needs one row per input.
_TOLERANCE = 1e-6
# Names of the attribute with the point that a transformer subtracts.
_CENTERS = ("mean_", "xbar_", "_x_mean")


class TriedStep:
    """A fitted transformer as a function of rows, which may refuse them."""

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
        """The output of the step; None if it raises an error or its output is not finite numbers."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                made = transformed(self.step, rows.copy())
        except Exception:  # A step may raise anything.
            return None
        fits = made.ndim == 2 and len(made) == len(rows) and made.dtype == np.float64
        return made if fits and np.all(np.isfinite(made)) else None

    def samples(self) -> tuple[Floats, Floats] | None:
        """Rows that the step accepts, of many sizes if possible, and its output for them."""
        for domain in self._domains:
            rows = domain(_ROWS)
            made = self(rows)
            if made is not None:
                return rows, made
        return None


def affine_map(step: Any, inputs: int) -> tuple[Floats, Floats, Floats] | None:
    """(center, matrix, offset) with step(x) = matrix @ (x - center) + offset on all rows that were
    tried; None if there is no such map."""
    tried = TriedStep(step, inputs)
    found = tried.samples() if inputs <= _MOST_INPUTS else None
    if found is None:
        return None
    rows, made = found
    ends = tried(np.vstack([np.zeros((1, inputs)), np.eye(inputs)]))
    if ends is None:
        return None
    matrix, offset = (ends[1:] - ends[0]).T, ends[0]
    if not is_close(rows @ matrix.T + offset, made, np.abs(rows)
                    @ np.abs(matrix.T) + np.abs(offset)):
        return None
    center = _center(step, matrix, offset)
    if center is None:
        return np.zeros(inputs), matrix, offset
    return center, matrix, np.zeros(len(matrix))


def _center(step: Any, matrix: Floats, offset: Floats) -> Floats | None:
    """The point that the step maps to zero, if the step stores it. It is the mean of the data, and
    many other points may be mapped to zero."""
    for name in _CENTERS:
        center = np.ravel(np.asarray(getattr(step, name, []), dtype=np.float64))
        if len(center) == matrix.shape[1] and is_close(
                matrix @ center, -offset, np.abs(matrix) @ np.abs(center)):
            return center
    return None


def is_close(ours: Floats, theirs: Floats, summands: Floats | float) -> bool:
    """`summands`: the sizes of the numbers that were added, which bound the rounding errors."""
    if ours.shape != theirs.shape:
        return False
    return bool(np.all(np.abs(ours - theirs) <= _TOLERANCE * (np.abs(theirs) + summands) + 1e-12))


def column_owners(step: Any, inputs: int) -> list[int] | None:
    """The input that each output depends on; None if an output depends on several inputs.

    Each input is changed alone: the outputs that change belong to it. Then all inputs but one are
    changed, which must not change the outputs of that one."""
    tried = TriedStep(step, inputs)
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
        changed = np.any(after != made, axis=0)
        if np.any(owners[changed] >= 0):
            return None
        owners[changed] = n
    if np.any(owners < 0) or not _depends_on_owner_only(tried, rows, made, owners):
        return None
    return [int(owner) for owner in owners]


def _depends_on_owner_only(tried: TriedStep, rows: Floats, made: Floats, owners: Any) -> bool:
    others = np.roll(rows, 1, axis=0)
    for n in range(rows.shape[1]):
        moved = others.copy()
        moved[:, n] = rows[:, n]
        after = tried(moved)
        own = owners == n
        if after is None or not np.array_equal(after[:, own], made[:, own]):
            return False
    return True
