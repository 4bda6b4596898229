"""An estimator as a predictor of the library, and functions that all its readers use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import Floats, is_sparse
from .errors import UnsupportedModelError


@dataclass
class Adapted:
    """A predictor, with the parts of the estimator that the library does not keep."""

    predictor: Any
    labels: NDArray[Any] | None = None  # In the predictor's order; None for regressors.
    rows: NDArray[np.int64] | None = None  # The training row of each point, if it is known.
    scale: Floats | None = None  # Multiplies the features before the predictor.
    matrix: Floats | None = None  # The same, if features are mixed.
    predict: Callable[[Any], Any] | None = None  # If the estimator has no such method.
    search: Any = None  # The OwnSearch of neighbors.

    def fitted_on(self, rows: Any) -> Adapted:
        """The same for an estimator that was fitted on these rows of the table. None: on rows that
        are not known."""
        known = rows is not None and self.rows is not None
        return replace(self, rows=np.asarray(rows, dtype=np.int64)[self.rows] if known else None)


def dense(values: Any) -> Floats:
    if hasattr(values, "toarray"):
        values = values.toarray()
    return np.ascontiguousarray(values, dtype=np.float64)


def points_of(values: Any) -> Any:
    """The points of a model. Sparse points are expanded by the library, without a second copy."""
    if not is_sparse(values):
        return dense(values)
    rows = values.tocsr()
    return _core.SparseRows(rows.indptr.astype(np.int64), rows.indices.astype(np.int64),
                            rows.data.astype(np.float64), rows.shape[1])


def text(labels: Any) -> list[str]:
    return [str(label) for label in labels]


def name_of(estimator: Any) -> str:
    return type(estimator).__name__


def precomputed(estimator: Any, option: str, numbers: str, instead: str) -> UnsupportedModelError:
    """The refusal of a model of similarities or distances that the user computed."""
    return UnsupportedModelError(
        f"{name_of(estimator)} has the {option} 'precomputed': its columns are {numbers} to training "
        f"rows and no features, expected a {option} of the features, for example "
        f"{name_of(estimator)}({option}={instead!r}).fit(X, y) with the rows that they were computed of")


def require_one_target(estimator: Any, coefficients: Floats) -> Floats:
    if coefficients.ndim == 2 and coefficients.shape[1] != 1:
        raise UnsupportedModelError(
            f"the {name_of(estimator)} predicts {coefficients.shape[1]} targets, expected one: fit "
            "one model for each target"
        )
    return coefficients.ravel()


def two_class(points: Floats, coefficients: Floats, kernel: Any, intercept: float, classes: Any,
              rows: Any, **front: Any) -> Adapted:
    """One machine that predicts classes[1] if its value is above zero."""
    order = np.argsort(coefficients < 0.0, kind="stable")
    above = int(np.count_nonzero(coefficients >= 0.0))
    predictor = _core.KernelClassifier(
        points[order], coefficients[order][None, :], np.array([float(intercept)]), kernel,
        text(classes[::-1]), points_per_class=np.array([above, len(points) - above]))
    return Adapted(predictor, np.asarray(classes)[::-1],
                   None if rows is None else np.asarray(rows)[order], **front)


def values_of(machine: _core.KernelMachine, rows: Any) -> Floats:
    """The values of a kernel machine. Sparse rows are expanded in parts."""
    decide = _core.DecisionFunction(_core.Model(_core.KernelRegressor(machine)))
    parts = range(0, rows.shape[0], 64) if is_sparse(rows) else [None]
    return np.concatenate([decide(dense(rows if first is None else rows[first:first + 64]))[0][:, 0]
                           for first in parts])
