"""What people pass as X: arrays, lists, data frames, Arrow tables, sparse matrices."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def is_frame(X: Any) -> bool:
    """A table whose columns have names: pandas, polars."""
    return hasattr(X, "columns") and hasattr(X, "to_numpy")


def is_sparse(X: Any) -> bool:
    """A matrix or an array of SciPy."""
    return hasattr(X, "toarray") and hasattr(X, "tocsr")


def dense(data: Any) -> Any:
    return data.toarray() if is_sparse(data) else data


def opened(X: Any) -> Any:
    """X with the containers that only wrap another one taken off."""
    if hasattr(X, "collect") and hasattr(X, "lazy"):  # polars, not computed yet
        X = X.collect()
    if hasattr(X, "column_names") and hasattr(X, "to_pandas"):  # Arrow
        return X.to_pandas()
    if is_sparse(X):
        return X.toarray()
    if not isinstance(X, np.ndarray) and not is_frame(X):
        X = _exchanged(X)
    if isinstance(X, np.ma.MaskedArray):
        if np.ma.is_masked(X):
            raise ValueError("X has masked entries, expected a number in every cell")
        return X.data
    if is_frame(X) or isinstance(X, np.ndarray):
        return X
    return np.asarray(X)


def _exchanged(X: Any) -> Any:
    """What comes by one of the protocols for exchanging data: a stream of Arrow, DLPack."""
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        try:
            import pyarrow
        except ImportError:
            raise ImportError(f"a {type(X).__name__} comes as a stream of Arrow, which pyarrow reads: "
                              "expected it to be installed (pip install pyarrow)") from None
        return pyarrow.table(X).to_pandas()
    if hasattr(X, "__dlpack__"):
        X = X.detach() if hasattr(X, "detach") else X  # of torch, with gradients
        try:
            return np.from_dlpack(X)
        except (BufferError, RuntimeError, TypeError):  # on another device, or of another type
            X = X.cpu() if hasattr(X, "cpu") else X
    return X


@contextmanager
def rows_by_index(X: Any) -> Iterator[None]:
    """Errors that count rows also say what the data frame's index calls them."""
    try:
        yield
    except ValueError as error:
        counted = re.match(r"row (\d+)(?=,)", str(error))
        index = getattr(X, "index", None) if is_frame(X) else None
        if counted is None or index is None or _is_counted(index):
            raise
        name = index[int(counted[1]) - 1]
        text = f"{counted[0]} (index {name!r}){str(error)[counted.end():]}"
        raise ValueError(text) from None


def _is_counted(index: Any) -> bool:
    """The default index, which says no more than the row's number."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def require_rows(X: Any) -> None:
    if len(X.shape) != 2:
        raise ValueError(
            f"X has {len(X.shape)} dimension{'s' if len(X.shape) != 1 else ''}, expected rows x "
            "features (a single row: X.reshape(1, -1))"
        )


def column_names(X: Any) -> list[str] | None:
    return [str(name) for name in X.columns] if is_frame(X) else None


def selected(X: Any, names: Sequence[str] | None, count: int) -> Any:
    """The columns that a model wants: by name where both have names, else by position."""
    if is_frame(X) and names is not None:
        have = [str(name) for name in X.columns]
        missing = [name for name in names if name not in have]
        if missing:
            raise ValueError(
                f'X has no column "{missing[0]}", expected the columns that the model was fitted on'
            )
        if have == list(names):
            return X
        return columns_at(X, [have.index(name) for name in names])
    if X.shape[1] != count:
        raise ValueError(f"the data have {X.shape[1]} features, the model {count}")
    return X


def columns_at(X: Any, positions: Sequence[int]) -> Any:
    """Some columns, in the same kind of container."""
    return X.iloc[:, list(positions)] if hasattr(X, "iloc") else X[:, list(positions)]


def numbers(X: Any) -> Floats:
    """X as float64, a view of its memory where that is possible."""
    if isinstance(X, np.ndarray) and X.dtype == np.float64:
        return X
    try:
        if is_frame(X):
            return _frame_numbers(X)
        if X.dtype.kind in "c":
            raise ValueError("X has complex numbers, expected real ones")
        return np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(_not_a_number(X) or str(error)) from None


def _frame_numbers(X: Any) -> Floats:
    if any(_dtype_kind(dtype) in "mMc" for dtype in X.dtypes):
        raise ValueError("not numbers")
    try:
        values = X.to_numpy(dtype=np.float64, na_value=np.nan)  # pandas, with its missing values
    except TypeError:
        values = np.asarray(X.to_numpy(), dtype=np.float64)
    return np.asarray(values, dtype=np.float64)


def _dtype_kind(dtype: Any) -> str:
    return str(getattr(dtype, "kind", "O"))


def _not_a_number(X: Any) -> str | None:
    """Which cell cannot be read as a number, in words."""
    names = column_names(X)
    for position in range(X.shape[1]):
        column = np.asarray(columns_at(X, [position]), dtype=object).ravel()
        for row, value in enumerate(column):
            if not _reads_as_number(value):
                name = names[position] if names else f"x{position + 1}"
                return (
                    f'row {row + 1}, feature "{name}" is {value!r}, expected a number (an encoder '
                    "in the model's pipeline takes text)"
                )
    return None


def _reads_as_number(value: Any) -> bool:
    if isinstance(value, (complex, np.complexfloating, np.datetime64, np.timedelta64)):
        return False
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not hasattr(value, "isoformat")


def cells(X: Any) -> NDArray[Any]:
    """X as it is shown: numbers where all are numbers, else objects."""
    if isinstance(X, np.ndarray):
        return X
    try:
        return numbers(X)
    except ValueError:
        return np.asarray(X.to_numpy(), dtype=object)
