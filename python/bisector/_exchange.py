"""An explanation as an object of pandas, Arrow or SHAP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import Floats, dense
from ._vectors import packed

if TYPE_CHECKING:
    from .explanation import Explanation

# Columns whose attribute has another name.
_ATTRIBUTES = {"class": "positive_class", "base": "base_values"}


def table_columns(explanation: Explanation, prefix: str = "",
                  details: bool = False) -> list[tuple[str, Any]]:
    """Names and columns of the explanation, as the command writes them: row, prediction, class,
    versus, output, base, the relevance of each feature, remainder, outside, tie, for models that
    impute missing values the names of the imputed columns; then the details.
    Columns that the explanation does not have are left out. A feature with the name of another
    column gets underscores."""
    if explanation.has_class_axis:
        raise ValueError("the explanation has all classes, and a table has one: choose it, as in "
                         "explanation[:, :, 0]")
    before, after, more = _core.explanation_columns(explanation.classes is not None)
    names = explanation.feature_names
    names = [names] if isinstance(names, str) else list(names)
    values = _by_feature(explanation.values, len(names))
    rows = values.shape[1]
    first, last = _present(explanation, before, rows), _present(explanation, after, rows)
    if explanation.imputed is not None:
        last.append(("imputed", _filled_in(_by_feature(explanation.imputed, len(names)).T, names)))
    if details:
        last += _present(explanation, more, rows)
        if explanation.standard_errors is not None:
            errors = _by_feature(explanation.standard_errors, len(names))
            last += [(f"standard error of {name}", column) for name, column in zip(names, errors)]
    taken = {name for name, _ in (*first, *last)}
    features = [(free_name(prefix + name, taken), column) for name, column in zip(names, values)]
    return [*first, *features, *last]


def _filled_in(imputed: Any, names: list[str]) -> Any:
    """The names of the imputed columns of each row, as in the command's CSV."""
    return np.array(["; ".join(name for name, is_own in zip(names, row) if is_own)
                     for row in imputed], dtype=object)


def _by_feature(values: Any, count: int) -> Any:
    """One column for each feature."""
    values = np.atleast_2d(values)
    if values.shape[1] != count:  # One feature of several rows.
        values = values.reshape(-1, count)
    return values.T


def _present(explanation: Explanation, names: Iterable[str], rows: int) -> list[tuple[str, Any]]:
    columns = [(name, getattr(explanation, _ATTRIBUTES.get(name, name))) for name in names]
    return [(name, np.broadcast_to(column, rows)) for name, column in columns if column is not None]


def free_name(name: str, taken: set[str]) -> str:
    """The name, with underscores if it is taken."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def to_frame(explanation: Explanation, prefix: str, details: bool) -> Any:
    import pandas

    columns = table_columns(explanation, prefix, details)
    rows = len(columns[0][1])
    index = explanation.index if np.ndim(explanation.index) == 1 else None
    if index is None or len(index) != rows:
        index = pandas.RangeIndex(rows)
    frames = [pandas.DataFrame({name: column}, index=index) for name, column in columns]
    return pandas.concat(frames, axis=1)


def to_arrow(explanation: Explanation, prefix: str, details: bool, vectors: bool) -> Any:
    import pyarrow as pa

    columns = table_columns(explanation, prefix, details)
    if vectors:
        columns = packed(dict(columns))
    return pa.Table.from_arrays([arrow_array(column) for _, column in columns],
                                names=[name for name, _ in columns])


def arrow_array(column: Any) -> Any:
    """A column of Arrow. An empty column of objects has the type of text."""
    import pyarrow as pa

    if isinstance(column, pa.Array):
        return column
    is_text = column.dtype == object and all(isinstance(value, str) for value in column)
    return pa.array(np.ascontiguousarray(column), pa.string() if is_text else None)


_UNITS = {"g": "g", "decision": "output of the model", "share": "percent"}


def to_shap(explanation: Explanation, remainder: bool | None) -> Any:
    import shap

    has_rows = np.ndim(explanation.output) == (2 if explanation.has_class_axis else 1)
    values, base, remaining = (
        np.asarray(part) if has_rows else np.asarray(part)[None]
        for part in (explanation.values, explanation.base_values, explanation.remainder))
    data, names = np.atleast_2d(dense(explanation.data)), explanation.feature_names
    is_shared = remainder or (remainder is None and explanation.unit != "decision"
                              and len(np.unique(base, axis=0)) > 1)
    common = np.broadcast_to(base.mean(axis=0), base.shape) if is_shared else base
    added = (remaining + (base - common))[:, None]
    least = 1e-9 * np.abs(explanation.output).max(initial=0.0)
    if is_shared or remainder is None and np.any(np.abs(added) > least):
        values, base = np.hstack([values, added]), common
        data, names = _with_column(data, added), [*names, "not explained"]
    shown = data if data.dtype == object else None  # Colors need numbers; labels show the cells.
    rows = shap.Explanation(values=values, base_values=base, display_data=shown,
                            data=data if shown is None else codes(data), feature_names=names,
                            output_names=_output_name(explanation))
    return rows if has_rows else rows[0]


def _with_column(data: NDArray[Any], column: NDArray[Any]) -> NDArray[Any]:
    first = column.reshape(len(column), -1)[:, :1]
    return np.hstack([data, first.astype(data.dtype)])


def _output_name(explanation: Explanation) -> Any:
    unit = _UNITS[explanation.unit]
    if explanation.has_class_axis:
        return explanation.output_names
    if explanation.classes is None:
        if explanation.level is None:
            return f"f ({unit})"
        above = f" above {explanation.level:.6g}" if explanation.unit == "g" else ""
        return f"prediction{above} ({unit})"
    positive, negative = (np.unique(np.ravel(names)) for names in
                          (explanation.positive_class, explanation.versus))
    if len(positive) == len(negative) == 1:
        return f"{positive[0]} rather than {negative[0]} ({unit})"
    return f"{positive[0] if len(positive) == 1 else 'the class of the row'} ({unit})"


def codes(data: NDArray[Any]) -> Floats:
    """Text as numbers: the positions of the values in their sorted order."""
    table = data.reshape(-1, data.shape[-1])
    result = np.empty(table.shape)
    for column in range(table.shape[1]):
        try:
            result[:, column] = table[:, column].astype(np.float64)
        except (TypeError, ValueError):
            texts = np.array([str(value) for value in table[:, column]])
            result[:, column] = np.unique(texts, return_inverse=True)[1]
    return result.reshape(data.shape)
