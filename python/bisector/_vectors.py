"""Columns whose cells are vectors, such as embeddings: one feature for each entry."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidRowError


def entry_names(name: str, size: int) -> list[str]:
    """The names of the features of a vector column."""
    return [f"{name}[{entry}]" for entry in range(size)]


def vector_of(name: str) -> str | None:
    """The vector column that a feature such as "embedding[3]" belongs to; None for others."""
    stem, bracket, entry = name.rpartition("[")
    return stem if bracket and entry[:-1].isdigit() and entry.endswith("]") else None


def vector_groups(names: Sequence[str]) -> dict[str, list[str]]:
    """The features of every vector column."""
    groups: dict[str, list[str]] = {}
    for name in names:
        stem = vector_of(name)
        if stem is not None:
            groups.setdefault(stem, []).append(name)
    if not groups:
        raise ValueError('groups is "columns" and no column is a vector, expected features such as '
                         '"embedding[0]", or groups as a dictionary')
    return groups


def is_vector(cell: Any) -> bool:
    """True for a sequence of numbers."""
    if not isinstance(cell, (np.ndarray, list, tuple)) or len(cell) == 0:
        return False
    return np.ndim(cell[0]) == 0 and np.asarray(cell[0]).dtype.kind in "fiu"


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell)


def has_vectors(column: Any) -> bool:
    """True if the first cell that is not missing is a vector."""
    column = column.to_numpy() if hasattr(column, "to_numpy") else column
    return is_vector(next((cell for cell in column if not _is_missing(cell)), None))


def stacked(column: Any, name: str) -> NDArray[np.float64]:
    """Rows x entries of a column of vectors."""
    cells = list(column)
    size = len(next(cell for cell in cells if is_vector(cell)))
    for row, cell in enumerate(cells):
        if not is_vector(cell) or len(cell) != size:
            found = f"has {len(cell)} numbers" if is_vector(cell) else f"is {cell!r}"
            raise InvalidRowError(row, f'column "{name}" {found}, expected a vector of {size} numbers '
                                       "in every row")
    return np.array(cells, dtype=np.float64).reshape(len(cells), size)


def spread(X: Any) -> Any:
    """X with one column for each entry of its vector columns; X itself if it has none."""
    if isinstance(X, np.ndarray):
        return _spread_array(X)
    chosen = [n for n, dtype in enumerate(X.dtypes)
              if not _is_scalar(dtype) and has_vectors(_column(X, n))]
    if not chosen:
        return X
    columns: dict[str, Any] = {}
    for n, name in enumerate(X.columns):
        if n not in chosen:
            columns[str(name)] = X.iloc[:, n] if hasattr(X, "iloc") else X.to_series(n)
            continue
        values = stacked(_column(X, n), str(name))
        columns.update(zip(entry_names(str(name), values.shape[1]), values.T))
    index = {"index": X.index} if hasattr(X, "index") else {}
    return type(X)(columns, **index)


def _spread_array(X: NDArray[Any]) -> Any:
    """An array of objects: each row a vector, or columns of vectors and numbers."""
    if X.dtype != object or X.ndim not in (1, 2) or len(X) == 0:
        return X
    if X.ndim == 1:
        return stacked(X, "0") if has_vectors(X) else X
    if not any(has_vectors(column) for column in X.T):
        return X
    return np.hstack([stacked(column, str(n)) if has_vectors(column) else column[:, None]
                      for n, column in enumerate(X.T)])


def _column(X: Any, position: int) -> Any:
    """A column whose cells are numbers, objects or arrays."""
    return X.iloc[:, position] if hasattr(X, "iloc") else X.to_series(position).to_numpy()


def _is_scalar(dtype: Any) -> bool:
    """True for columns of numbers, which need no look at their cells."""
    is_numeric = getattr(dtype, "is_numeric", None)  # Of polars.
    return str(getattr(dtype, "kind", "O")) in "biufmM" or bool(is_numeric and is_numeric())


def packed(columns: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Columns of Arrow, in which the entries of a vector column are a fixed-size list."""
    import pyarrow as pa

    vectors: dict[str, list[Any]] = {}
    result: list[tuple[str, Any]] = []
    for name, column in columns.items():
        stem = vector_of(name)
        if stem is None or stem in columns:
            result.append((name, column))
        else:
            if stem not in vectors:
                result.append((stem, None))
            vectors.setdefault(stem, []).append(column)
    lists = {stem: pa.FixedSizeListArray.from_arrays(
        pa.array(np.ascontiguousarray(np.transpose(entries)).ravel()), len(entries))
        for stem, entries in vectors.items()}
    return [(name, lists[name] if column is None else column) for name, column in result]
