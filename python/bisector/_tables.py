"""Containers that users pass as X: arrays, lists, data frames, Arrow tables, sparse matrices."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ._vectors import has_vectors, spread
from .errors import InvalidRowError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_LARGEST = 1e100  # The library refuses larger numbers.
_TRUTH = {"true": 1.0, "false": 0.0}


def is_frame(X: Any) -> bool:
    """True for a table with named columns, as in pandas and polars."""
    return hasattr(X, "columns") and hasattr(X, "to_numpy")


def is_series(X: Any) -> bool:
    """True for a pandas Series, which may be one row of a data frame."""
    return hasattr(X, "to_frame") and hasattr(X, "index") and len(getattr(X, "shape", ())) == 1


def is_sparse(X: Any) -> bool:
    """True for a matrix or an array of SciPy."""
    return hasattr(X, "toarray") and hasattr(X, "tocsr")


def dense(data: Any) -> Any:
    return data.toarray() if is_sparse(data) else data


def opened(X: Any) -> Any:
    """X as a NumPy array or a data frame, with one column for each entry of a vector column."""
    if type(X) is np.ndarray and X.dtype != object:  # Fast, which counts for single rows.
        return X
    return spread(_opened(X))


def _opened(X: Any) -> Any:
    if hasattr(X, "collect") and hasattr(X, "lazy"):  # A lazy frame of polars.
        X = X.collect()
    if hasattr(X, "column_names") and hasattr(X, "to_pandas"):  # An Arrow table.
        return X.to_pandas()
    if hasattr(X, "to_frame") and len(getattr(X, "shape", ())) == 1 and has_vectors(X):  # A column of vectors.
        return X.to_frame()
    if is_series(X):
        return X.to_frame().T.infer_objects()
    if is_sparse(X):
        return X.toarray()
    if not isinstance(X, np.ndarray) and not is_frame(X):
        X = _exchanged(X)
    if isinstance(X, np.ma.MaskedArray):
        if np.ma.is_masked(X):
            raise ValueError("X has masked entries, expected a number in every cell")
        return X.data
    return X if is_frame(X) or isinstance(X, np.ndarray) else np.asarray(X)


def opened_background(background: Any) -> Any:
    """Background rows, also those of a masker of SHAP; clusters of shap.kmeans are repeated in
    proportion to their weights."""
    if hasattr(background, "weights") and hasattr(background, "group_names"):
        centers = np.asarray(background.data, dtype=np.float64)
        weights = np.asarray(background.weights, dtype=np.float64)
        counts = np.maximum(1, np.round(200.0 * weights / weights.sum())).astype(int)
        return np.repeat(centers, counts, axis=0)
    if type(background).__module__.startswith("shap.maskers"):
        return background.data
    return background


def _exchanged(X: Any) -> Any:
    """X from one of the exchange protocols: the Arrow stream or DLPack."""
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        try:
            import pyarrow
        except ImportError:
            raise ImportError(f"pyarrow is needed to read a {type(X).__name__}: "
                              "pip install pyarrow") from None
        return pyarrow.table(X).to_pandas()
    if hasattr(X, "__dlpack__"):
        X = X.detach() if hasattr(X, "detach") else X  # A tensor of torch with gradients.
        try:
            return np.from_dlpack(X)
        except (BufferError, RuntimeError, TypeError):  # On another device, or of another type.
            X = X.cpu() if hasattr(X, "cpu") else X
    return X


class labeled_rows:
    """Adds the label of a data frame's index to an error about a row. A class, because it is faster
    than a generator, which counts for single rows."""

    def __init__(self, X: Any):
        self._table = X

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, InvalidRowError) or error.label is not None:
            return
        index = getattr(self._table, "index", None) if is_frame(self._table) else None
        if index is not None and not _is_default(index):
            raise error.labeled(index) from None


class checked_cells:
    """Replaces an error of the library about a cell by one that says what to do. `names` makes the
    names of the features, which takes longer than the explanation of one row."""

    def __init__(self, rows: Floats, names: Callable[[], Sequence[str]]):
        self._rows, self._names = rows, names

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, ValueError):
            return
        problem = invalid_cell(self._rows, self._names())
        if problem is not None:
            raise problem from None


def invalid_cell(rows: Floats, names: Sequence[str]) -> InvalidRowError | None:
    """The first cell that is missing, infinite or too large; None if there is none."""
    valid = np.abs(rows) <= _LARGEST
    if np.all(valid):
        return None
    row, column = (int(n) for n in np.argwhere(~valid)[0])
    value = rows[row, column]
    what_to_do = ("add an imputer to the model's pipeline, for example "
                  "sklearn.impute.SimpleImputer()" if np.isnan(value) else
                  f"its size must be at most {_LARGEST:g}")
    return InvalidRowError(row, f'feature "{names[column]}" is {value:g}, expected a number: '
                                f"{what_to_do}")


def _is_default(index: Any) -> bool:
    """True for the default index of pandas, whose labels are the row numbers."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def require_rows(X: Any, given: Any) -> None:
    """Refuses an X that is no table. `given` is X before it was opened."""
    if len(X.shape) == 2:
        return
    found = (f"is a {type(given).__name__}" if len(X.shape) == 0 else
             f"has {len(X.shape)} dimension{'s' if len(X.shape) != 1 else ''}")
    if isinstance(given, dict) or X.shape[:1] > (0,) and isinstance(X[0], dict):
        typed = "type pandas.DataFrame(X)"
    elif hasattr(given, "__next__"):
        typed = "type list(X)"
    elif len(X.shape) == 0:
        typed = "such as an array or a data frame"
    else:
        typed = ("for a single row type numpy.reshape(X, (1, -1))" if len(X.shape) == 1 else
                 "type numpy.reshape(X, (len(X), -1))")
    raise ValueError(f"X {found}, expected rows x features: {typed}")


def column_names(X: Any) -> list[str] | None:
    return [str(name) for name in X.columns] if is_frame(X) else None


def default_names(count: int) -> list[str]:
    """Names of features that have none."""
    return list(_default_names(count))


@lru_cache(maxsize=8)
def _default_names(count: int) -> tuple[str, ...]:
    return tuple(f"x{d + 1}" for d in range(count))


def selected(X: Any, names: Sequence[str] | None, count: int) -> Any:
    """The model's columns: by name if the model and X have names, else by position."""
    if is_frame(X) and names is not None:
        present = [str(name) for name in X.columns]
        missing = [name for name in names if name not in present]
        if missing:
            raise ValueError(f'X has no column "{missing[0]}", expected the columns that the model '
                             f"was fitted on: {_instead_of(missing[0], present, names)}")
        if present == list(names):
            return X
        return columns_at(X, [present.index(name) for name in names])
    if X.shape[1] != count:
        raise ValueError(f"X has {X.shape[1]} features, expected {count} as the model has")
    return X


def _instead_of(name: str, present: Sequence[str], names: Sequence[str]) -> str:
    """What to type if X has no column of this name. `names` are those of the model."""
    from difflib import get_close_matches

    of_lower = {one.lower(): one for one in present if one not in names}
    similar = get_close_matches(name.lower(), list(of_lower), 1)
    if not similar:
        return f"add it, as X.assign(**{{{name!r}: ...}})"
    return f"type X.rename(columns={{{of_lower[similar[0]]!r}: {name!r}}})"


def columns_at(X: Any, positions: Sequence[int]) -> Any:
    """Some columns, in the same kind of container."""
    return X.iloc[:, list(positions)] if hasattr(X, "iloc") else X[:, list(positions)]


def numbers(X: Any) -> Floats:
    """X as float64, without a copy where possible."""
    if isinstance(X, np.ndarray) and X.dtype == np.float64:
        return X
    try:
        if is_frame(X):
            return _frame_numbers(X)
        if X.dtype.kind in "c":
            raise ValueError("X has complex numbers, expected real numbers")
        return np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        problem = _cell_without_number(X)
        if problem is not None or is_sparse(X):
            raise (problem or ValueError(str(error))) from None
    words = np.asarray(X, dtype=object)  # "TRUE" and "false" are numbers, too.
    return np.asarray(np.frompyfunc(_number_of, 1, 1)(words), dtype=np.float64)


def _number_of(value: Any) -> Any:
    """1 for the text "TRUE" of R, 0 for "False" of Python; others as they are."""
    return _TRUTH.get(value.strip().lower(), value) if isinstance(value, str) else value


def _frame_numbers(X: Any) -> Floats:
    if any(_dtype_kind(dtype) in "mMc" for dtype in X.dtypes):
        raise ValueError("X has dates or complex numbers, expected real numbers")
    try:
        values = X.to_numpy(dtype=np.float64, na_value=np.nan)
    except TypeError:  # polars has no argument na_value.
        values = np.asarray(X.to_numpy(), dtype=np.float64)
    return np.asarray(values, dtype=np.float64)


def _dtype_kind(dtype: Any) -> str:
    return str(getattr(dtype, "kind", "O"))


def _cell_without_number(X: Any) -> InvalidRowError | None:
    """The first cell that cannot be read as a number."""
    names = column_names(X) or default_names(X.shape[1])
    for position in range(X.shape[1]):
        column = np.asarray(columns_at(X, [position]), dtype=object).ravel()
        for row, value in enumerate(column):
            if not _reads_as_number(value):
                return InvalidRowError(row, f'feature "{names[position]}" is {value!r}, expected a '
                                            f"number: {_to_numbers(value, names[position])}")
    return None


def _to_numbers(value: Any, name: str) -> str:
    """What to do about a cell that is not a number."""
    if _is_date(value):
        return ("fit the model on numbers instead of dates, for example on days: "
                f"X[{name!r}] = (X[{name!r}] - X[{name!r}].min()).dt.days")
    return ("add an encoder to the model's pipeline, for example "
            "sklearn.preprocessing.OneHotEncoder()")


def _is_date(value: Any) -> bool:
    return hasattr(value, "isoformat") or isinstance(value, (np.datetime64, np.timedelta64))


def _reads_as_number(value: Any) -> bool:
    if isinstance(value, (complex, np.complexfloating)) or _is_date(value):
        return False
    try:
        float(_number_of(value))
    except (TypeError, ValueError):
        return False
    return True


def cells(X: Any) -> NDArray[Any]:
    """X as it is displayed: numbers if all cells are numbers, else objects. Text that consists of
    digits, such as a zip code, stays text."""
    if isinstance(X, np.ndarray):
        return X
    if not any(_is_text(X, position, dtype) for position, dtype in enumerate(X.dtypes)):
        try:
            return numbers(X)
        except ValueError:  # Dates, for example.
            pass
    return np.asarray(X.to_numpy(), dtype=object)


def _is_text(X: Any, position: int, dtype: Any) -> bool:
    if _dtype_kind(dtype) in "biuf" or getattr(dtype, "is_numeric", bool)():
        return False
    column = np.asarray(columns_at(X, [position]), dtype=object).ravel()
    return any(isinstance(value, str) for value in column)
