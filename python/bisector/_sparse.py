"""Sparse rows, explained in parts of which only one is dense at a time."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._progress import Progress, shown
from .explanation import _PER_ROW, Explanation

_NUMBERS = 1 << 21  # of a dense part: 16 MB


def explain_sparse(X: Any, explain: Callable[[Any, int, bool], Explanation], progress: Progress,
                   per_level: bool) -> Explanation:
    """`data` of the result are the rows of X, sparse as they are."""
    X = X.tocsr()
    rows = X.shape[0]
    part = max(16, _NUMBERS // max(1, X.shape[1]))
    whole = explain(X[:0].toarray(), 0, per_level)
    values = np.empty((rows, whole.values.shape[1]))
    filled = {name: None if getattr(whole, name) is None else
              np.empty(rows, getattr(whole, name).dtype) for name in _PER_ROW}
    made = []
    with shown(progress, "explaining", rows) as callback:
        for first in range(0, rows, part):
            why = explain_part(X, first, part, explain, per_level)
            end = first + len(why)
            values[first:end] = why.values
            made += [why.data] if per_level else []
            for name, column in filled.items():
                if column is not None:
                    column[first:end] = getattr(why, name)
            if callback is not None:
                callback(end, rows)
    whole.values = values
    for name, column in filled.items():
        setattr(whole, name, column)
    whole.data = np.vstack([whole.data, *made]) if per_level else X
    return whole


def explain_part(X: Any, first: int, part: int, explain: Callable[[Any, int, bool], Explanation],
                 per_level: bool) -> Explanation:
    """An error counts the rows of all parts."""
    try:
        return explain(X[first:first + part].toarray(), first, per_level)
    except ValueError as error:
        words = str(error).split(",", 1)
        number = words[0].removeprefix("row ")
        if not words[0].startswith("row ") or not number.isdigit():
            raise
        raise ValueError(f"row {first + int(number)},{words[1]}") from None
