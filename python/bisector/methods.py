"""explain(): any method, for a model or for any function of rows."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from . import _core
from ._tables import Floats, column_names, is_frame, numbers, opened, require_rows
from .explainer import Explainer, options_for
from .explanation import Explanation

_NEEDS_GRADIENT = ("gi", "ig", "sensitivity")
_FOR_FUNCTIONS = ("occlusion", "shapley", *_NEEDS_GRADIENT)


def explain(model: Any, X: Any, method: str | None = None, **options: Any) -> Explanation:
    """Explains the rows of X by any method.

    `model` is what Explainer takes, with its options, or an Explainer, whose method and options stay
    where no others are given, or any function f(X) of rows that gives one number for each. A function is explained by "occlusion" and "shapley", and where `gradient`
    (rows to gradients) is given also by "gi", "ig" and "sensitivity"; its options are `reference`
    ("origin", "mean" or a row; default: the mean of `background`, or of X), `background`, `steps`,
    `sequences`, `seed` and `feature_names`.
    """
    if is_function(model):
        return _explain_function(model, X, method or "auto", **options)
    if isinstance(model, Explainer):
        return Explainer(model, **{**options_for(model, method), **options})(X)
    return Explainer(model, method=method, **options)(X)


def is_function(model: Any) -> bool:
    return callable(model) and not hasattr(model, "fit") and not isinstance(model, (type, Explainer))


def _explain_function(function: Callable[[Any], Any], X: Any, method: str, *,
                      gradient: Callable[[Any], Any] | None = None, reference: Any = None,
                      background: Any = None, steps: int = 10, sequences: int = 10, seed: int = 0,
                      feature_names: Sequence[str] | None = None) -> Explanation:
    _require_for_functions(method, gradient)
    X = opened(X)
    require_rows(X)
    rows = numbers(X)
    f = values_of(function, X)
    point = _reference_point(reference, rows if background is None else numbers(opened(background)))
    values = _relevance(method, f, _gradients_of(gradient, X), rows, point, steps, sequences, seed)
    names = feature_names or column_names(X) or [f"x{d + 1}" for d in range(rows.shape[1])]
    output = f(rows) if len(rows) else np.empty(0)
    base = np.full(len(output), float(f(point[None, :])[0]))
    settings = {"method": method, "reference": point.tolist(), "unit": "decision"}
    return Explanation(values, output, rows, list(names), method=method, settings=settings,
                       prediction=output, decision=output, base_values=base,
                       remainder=output - base - values.sum(axis=1),
                       index=getattr(X, "index", None))


def _require_for_functions(method: str, gradient: Any) -> None:
    if method not in _FOR_FUNCTIONS:
        raise ValueError(
            f"method {method} needs a model, and this is a function: expected occlusion or shapley, "
            "or with a gradient gi, ig or sensitivity"
        )
    if method in _NEEDS_GRADIENT and gradient is None:
        raise ValueError(f"method {method} was given without a gradient, expected gradient=... "
                         "(rows to gradients), or occlusion or shapley")


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


def like(X: Any, rows: Floats) -> Any:
    """Rows in the container that X is, so that a model finds its columns' names."""
    return type(X)(rows, columns=X.columns) if is_frame(X) else rows


def values_of(function: Callable[[Any], Any], X: Any) -> Callable[[Floats], Floats]:
    """f as a function of arrays that gives float64, one for each row."""

    def values(rows: Floats) -> Floats:
        result = np.asarray(function(like(X, rows)))
        if result.ndim == 2 and result.shape[1] == 1:
            result = result[:, 0]
        if result.ndim != 1 or result.dtype.kind not in "fiub":
            raise ValueError(
                f"the function gave an array of shape {result.shape} and type {result.dtype}, "
                "expected one number for each row, such as lambda X: f(X)[:, 1]"
            )
        return np.ascontiguousarray(result, dtype=np.float64)

    return values


def _gradients_of(gradient: Callable[[Any], Any] | None, X: Any) -> Any:
    if gradient is None:
        return None
    return lambda rows: np.ascontiguousarray(gradient(like(X, rows)), dtype=np.float64)


def _reference_point(reference: Any, background: Floats) -> Floats:
    if isinstance(reference, str) and reference == "origin":
        return np.zeros(background.shape[1])
    if reference is None or (isinstance(reference, str) and reference == "mean"):
        if len(background) == 0:
            return np.zeros(background.shape[1])
        return np.asarray(background.mean(axis=0))
    if isinstance(reference, str):
        raise ValueError(f'reference is "{reference}", expected "origin", "mean" or a row')
    return np.ascontiguousarray(np.ravel(np.asarray(reference)), dtype=np.float64)
