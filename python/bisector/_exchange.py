"""An Explanation as a table of others: pandas, Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .explanation import Explanation

_BEFORE = ("prediction", "g", "tie")
_BEHIND = ("remainder", "outside")


def table_columns(explanation: Explanation, prefix: str) -> list[tuple[str, Any]]:
    """Names and columns: prediction, g, tie, the relevance of each feature, remainder, outside; what
    an explanation does not have is left out. Where a feature is called like one of ours, ours gets
    underscores."""
    values = np.atleast_2d(explanation.values)
    names = explanation.feature_names
    names = [names] if isinstance(names, str) else list(names)
    if values.shape[1] != len(names):  # of one feature, for several rows
        values = values.reshape(-1, len(names))
    features = [prefix + name for name in names]
    taken = set(features)
    return [*_own(explanation, _BEFORE, taken), *zip(features, values.T),
            *_own(explanation, _BEHIND, taken)]


def _own(explanation: Explanation, names: tuple[str, ...], taken: set[str]) -> list[tuple[str, Any]]:
    found = []
    for name in names:
        column = getattr(explanation, name)
        if column is None:
            continue
        while name in taken:
            name += "_"
        taken.add(name)
        found.append((name, np.atleast_1d(column)))
    return found


def to_frame(explanation: Explanation, prefix: str) -> Any:
    import pandas

    columns = table_columns(explanation, prefix)
    rows = len(columns[0][1])
    index = explanation.index if np.ndim(explanation.index) == 1 else None
    if index is None or len(index) != rows:
        index = pandas.RangeIndex(rows)
    frames = [pandas.DataFrame({name: column}, index=index) for name, column in columns]
    return pandas.concat(frames, axis=1)


def to_arrow(explanation: Explanation, prefix: str) -> Any:
    import pyarrow as pa

    columns = table_columns(explanation, prefix)
    return pa.Table.from_arrays([pa.array(np.ascontiguousarray(column)) for _, column in columns],
                                names=[name for name, _ in columns])
