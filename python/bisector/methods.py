"""explain(): any method, for a model or for any function of rows."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import (Floats, cells, column_names, default_names, is_frame, opened,
                      opened_background, require_rows)
from .explainer import Explainer, options_for
from .explanation import Explanation

_NEEDS_GRADIENT = ("gi", "ig", "sensitivity")
_FOR_FUNCTIONS = ("occlusion", "shapley", *_NEEDS_GRADIENT)
_FEW_ROWS = 10  # The mean of fewer rows is no useful reference.


def explain(model: Any, X: Any, method: str | None = None, **options: Any) -> Explanation:
    """Explain the rows of X by any method.

    Parameters
    ----------
    model : estimator, path-like, Explainer or callable
        A model that `Explainer` takes, an `Explainer`, whose method and options are used unless
        others are given, or any function of rows that returns one number for each row.
    X : table
        The rows to explain. Columns of X may be text if the function takes text.
    method : str, optional
        For a model, a method of `Explainer`. For a function, "shapley" (the default) or
        "occlusion"; with `gradient` also "gi", "ig" and "sensitivity".
    **options
        For a model, the options of `Explainer`. For a function: `gradient` (a function from rows
        to gradients), `background` (rows that represent the data), `reference` ("origin", "mean"
        or a row; by default the mean of the background, for text the most frequent value),
        `steps`, `sequences`, `seed` and `feature_names`.

    Returns
    -------
    Explanation

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, random_state=0).fit(X, y == 1)
    >>> def probability(rows):
    ...     return forest.predict_proba(rows)[:, 1]
    >>> bisector.explain(probability, X[:2], background=X, method="shapley").values.shape
    (2, 4)
    """
    if is_function(model):
        return _explain_function(model, X, method or "shapley", **options)
    if isinstance(model, Explainer):
        return Explainer(model, **{**options_for(model, method), **options})(X)
    return Explainer(model, method=method, **options)(X)


def is_function(model: Any) -> bool:
    """True for a function of rows, and not for a model."""
    return callable(model) and not hasattr(
        model, "fit") and not isinstance(model, (type, Explainer))


class TableCodes:
    """Rows of a table as numbers: text becomes the position of its value among the known values."""

    def __init__(self, tables: Sequence[Any]):
        self.like = tables[0]
        columns = [np.concatenate([cells(table)[:, d] for table in tables])
                   for d in range(tables[0].shape[1])]
        self.values = [None if _is_numeric(column) else _distinct(column) for column in columns]

    def encode(self, X: Any) -> Floats:
        given = cells(X)
        rows = np.empty(given.shape)
        for d, values in enumerate(self.values):
            if values is None:
                rows[:, d] = given[:, d]
            else:
                place = {value: n for n, value in enumerate(values)}
                rows[:, d] = [place[value] for value in given[:, d]]
        return rows

    def decode(self, rows: Floats) -> Any:
        """Rows in the container of X, so that a model finds the names of its columns."""
        columns: list[NDArray[Any]] = [
            rows[:, d] if values is None else
            np.array(values, dtype=object)[rows[:, d].astype(np.int64)]
            for d, values in enumerate(self.values)]
        is_text = any(values is not None for values in self.values)
        if not is_frame(self.like):
            return np.column_stack(columns).astype(object) if is_text else rows
        if not is_text:
            return type(self.like)(rows, columns=self.like.columns)
        return type(self.like)(dict(zip(self.like.columns, columns)))

    def mean(self, rows: Floats) -> Floats:
        """The mean of numbers, the most frequent value of text."""
        point = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
        for d, values in enumerate(self.values):
            if values is not None and len(rows):
                point[d] = np.argmax(np.bincount(rows[:, d].astype(np.int64)))
        return np.asarray(point)


def _is_numeric(column: NDArray[Any]) -> bool:
    return column.dtype.kind in "fiub" or all(
        isinstance(value, (int, float, np.number)) for value in column)


def _distinct(column: NDArray[Any]) -> list[Any]:
    return sorted(dict.fromkeys(column), key=str)


def _explain_function(function: Callable[[Any], Any], X: Any, method: str, *,
                      gradient: Callable[[Any], Any] | None = None, reference: Any = None,
                      background: Any = None, steps: int = 10, sequences: int = 10, seed: int = 0,
                      feature_names: Sequence[str] | None = None) -> Explanation:
    _require_for_functions(method, gradient)
    rows_given, X = X, opened(X)
    require_rows(X, rows_given)
    if background is None and reference is None and len(X) < _FEW_ROWS:
        raise ValueError(f"X has {len(X)} row{'s' if len(X) != 1 else ''} and no background is "
                         "given, so that there is nothing to compare the rows with: add "
                         "background=..., for example the training rows")
    given = X if background is None else opened(opened_background(background))
    table = TableCodes([X, given])
    rows, point = table.encode(X), _reference_point(reference, table, given)
    f = values_of(function, table.decode)
    gradients = None if gradient is None else _gradients_of(gradient, table)
    values = _relevance(method, f, gradients, rows, point, steps, sequences, seed)
    names = feature_names or column_names(X) or default_names(rows.shape[1])
    output = f(rows) if len(rows) else np.empty(0)
    base = np.full(len(output), float(f(point[None, :])[0]))
    settings = {"method": method, "reference": point.tolist(), "unit": "decision"}
    return Explanation(values, output, cells(X), list(names), method=method, settings=settings,
                       prediction_index=output, decision=output, base_values=base,
                       remainder=output - base - values.sum(axis=1),
                       index=getattr(X, "index", None))


def _require_for_functions(method: str, gradient: Any) -> None:
    if method not in _FOR_FUNCTIONS:
        raise ValueError(
            f"method {method} needs a model, and this is a function: expected occlusion or "
            "shapley, or with a gradient gi, ig or sensitivity"
        )
    if method in _NEEDS_GRADIENT and gradient is None:
        raise ValueError(f"method {method} needs a gradient: add gradient=..., a function from "
                         "rows to gradients, or use occlusion or shapley")


def _relevance(method: str, f: Any, gradients: Any, rows: Floats, point: Floats, steps: int,
               sequences: int, seed: int) -> Floats:
    if method == "occlusion":
        return np.asarray(_core.occlusion(f, rows, point))
    if method == "shapley":
        return np.asarray(_core.sampled_shapley(f, rows, point, sequences, seed))
    if method == "gi":
        return np.asarray(_core.gradient_times_input(gradients, rows, point))
    if method == "ig":
        return np.asarray(_core.integrated_gradients(gradients, rows, point, steps))
    return np.asarray(_core.sensitivity(f, gradients, rows))


def values_of(function: Callable[[Any], Any], decode: Callable[[Floats], Any]
              ) -> Callable[[Floats], Floats]:
    """The function with arrays of numbers as its argument and its result."""

    def values(rows: Floats) -> Floats:
        result = np.asarray(function(decode(rows)))
        if result.ndim == 2 and result.shape[1] == 1:
            result = result[:, 0]
        if result.ndim != 1 or result.dtype.kind not in "fiub":
            raise ValueError(
                f"the function returned an array of shape {result.shape} and type {result.dtype}, "
                "expected one number for each row, for example lambda X: f(X)[:, 1]"
            )
        return np.ascontiguousarray(result, dtype=np.float64)

    return values


def _gradients_of(gradient: Callable[[Any], Any], table: TableCodes) -> Callable[[Floats], Floats]:
    return lambda rows: np.ascontiguousarray(gradient(table.decode(rows)), dtype=np.float64)


def _reference_point(reference: Any, table: TableCodes, background: Any) -> Floats:
    if isinstance(reference, str) and reference == "origin":
        return np.zeros(background.shape[1])
    if reference is None or (isinstance(reference, str) and reference == "mean"):
        return table.mean(table.encode(background))
    if isinstance(reference, str):
        raise ValueError(f'reference is "{reference}", expected "origin", "mean" or a row')
    return np.ascontiguousarray(np.ravel(np.asarray(reference)), dtype=np.float64)
