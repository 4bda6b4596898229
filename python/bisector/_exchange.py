"""An Explanation as an object of others: pandas, Arrow, SHAP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._tables import Floats, dense

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


_UNITS = {"g": "g of the network", "decision": "the model's own units", "share": "per cent"}


def to_shap(explanation: Explanation, remainder: bool | None) -> Any:
    import shap

    values = np.atleast_2d(explanation.values)
    data, names, shown = np.atleast_2d(dense(explanation.data)), explanation.feature_names, None
    base, left = np.atleast_1d(explanation.base_values), np.atleast_1d(explanation.remainder)
    if remainder or (remainder is None and np.unique(base).size > 1):
        common = np.full_like(base, base.mean())
        left = (left + (base - common))[:, None]
        values, base = np.hstack([values, left]), common
        data, names = np.hstack([data, left.astype(data.dtype)]), [*names, "remainder"]
    if data.dtype == object:  # colors need numbers, labels the cells themselves
        data, shown = codes(data), data
    rows = shap.Explanation(values=values, base_values=base, data=data, display_data=shown,
                            feature_names=names, output_names=_output_name(explanation))
    return rows if explanation.values.ndim == 2 else rows[0]


def _output_name(explanation: Explanation) -> str:
    unit = _UNITS[explanation.unit]
    if explanation.classes is None:
        above = "f" if explanation.level is None else f"prediction above {explanation.level:.6g}"
        return f"{above} ({unit})"
    for_, against = (np.unique(np.ravel(names)) for names in
                     (explanation.positive_class, explanation.versus))
    if len(for_) == len(against) == 1:
        return f"{for_[0]} rather than {against[0]} ({unit})"
    return f"{for_[0] if len(for_) == 1 else 'the class of the row'} ({unit})"


def codes(data: NDArray[Any]) -> Floats:
    """Columns of text as numbers, in the order of their sorted values."""
    table = data.reshape(-1, data.shape[-1])
    result = np.empty(table.shape)
    for column in range(table.shape[1]):
        try:
            result[:, column] = table[:, column].astype(np.float64)
        except (TypeError, ValueError):
            texts = np.array([str(value) for value in table[:, column]])
            result[:, column] = np.unique(texts, return_inverse=True)[1]
    return result.reshape(data.shape)
