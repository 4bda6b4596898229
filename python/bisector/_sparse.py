"""Sparse rows, explained in parts of which only one is dense at a time."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._progress import Progress, shown
from .errors import InvalidRowError
from .explanation import PER_ROW, Explanation

_NUMBERS = 1 << 21  # Numbers of a dense part: 16 MB.
_IN_PARTS = ("values", "standard_errors", *PER_ROW)


def explain_sparse(X: Any, explain: Callable[[Any, int, bool], Explanation], progress: Progress,
                   per_level: bool) -> Explanation:
    """The explanation of sparse rows; `data` are the rows of X, still sparse."""
    X = X.tocsr()
    rows = X.shape[0]
    size = max(16, _NUMBERS // max(1, X.shape[1]))
    whole = explain(X[:0].toarray(), 0, per_level)
    filled = {name: np.empty((rows, *np.shape(getattr(whole, name))[1:]),
                             getattr(whole, name).dtype)
              for name in _IN_PARTS if getattr(whole, name) is not None}
    dense_rows = []
    with shown(progress, "explaining", rows) as callback:
        for first in range(0, rows, size):
            part = _explain_part(X, first, size, explain, per_level)
            end = first + len(part)
            dense_rows += [part.data] if per_level else []
            for name, column in filled.items():
                column[first:end] = getattr(part, name)
            if callback is not None:
                callback(end, rows)
    for name, column in filled.items():
        setattr(whole, name, column)
    whole.row = np.arange(1, rows + 1)
    whole.data = np.vstack([whole.data, *dense_rows]) if per_level else X
    return whole


def _explain_part(X: Any, first: int, size: int, explain: Callable[[Any, int, bool], Explanation],
                  per_level: bool) -> Explanation:
    """Errors have the row's position in X and not in the part."""
    try:
        return explain(X[first:first + size].toarray(), first, per_level)
    except InvalidRowError as error:
        raise error.shifted(first) from None
