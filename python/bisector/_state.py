"""Comparison of fitted objects by their complete state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._tables import is_sparse


def is_same_state(one: Any, other: Any) -> bool:
    """True if two fitted objects have equal attributes, compared number by number."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return _is_same_array(one, other)
    if is_sparse(one):
        return bool(one.shape == other.shape and (one != other).nnz == 0)
    if isinstance(one, dict):
        return list(one) == list(other) and all(is_same_state(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(is_same_state, one, other))
    if isinstance(one, (str, bytes, int, float, complex, np.generic, set, frozenset)):
        return bool(one == other) or (one != one and other != other)
    state = getattr(one, "__dict__", None)
    if state is not None and not callable(one):
        return is_same_state(state, other.__dict__)
    return bool(one == other)


def _is_same_array(one: Any, other: Any) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype == object:
        return all(map(is_same_state, one.ravel().tolist(), other.ravel().tolist()))
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))
