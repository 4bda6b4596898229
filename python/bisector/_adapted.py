"""What an estimator becomes, and what all readers of estimators need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import Floats, is_sparse


@dataclass
class Adapted:
    """A predictor, with what the library does not keep of the estimator."""

    predictor: Any
    labels: NDArray[Any] | None = None  # in the predictor's order; None for regressors
    rows: NDArray[np.int64] | None = None  # for every point its row in the training data
    scale: Floats | None = None  # of the features, in front of the predictor
    matrix: Floats | None = None  # the same for a map that mixes them
    predict: Callable[[Any], Any] | None = None  # where the estimator has none of this name


def dense(values: Any) -> Floats:
    if hasattr(values, "toarray"):
        values = values.toarray()
    return np.ascontiguousarray(values, dtype=np.float64)


def points_of(values: Any) -> Any:
    """A model's points. Sparse ones become dense inside the library alone: once is enough."""
    if not is_sparse(values):
        return dense(values)
    rows = values.tocsr()
    return _core.SparseRows(rows.indptr.astype(np.int64), rows.indices.astype(np.int64),
                            rows.data.astype(np.float64), rows.shape[1])


def text(labels: Any) -> list[str]:
    return [str(label) for label in labels]


def name_of(estimator: Any) -> str:
    return type(estimator).__name__


def any_function(estimator: Any) -> str:
    """What is left for a model that decides by something else."""
    classes = len(getattr(estimator, "classes_", ()))
    if hasattr(estimator, "decision_function"):
        function = "model.decision_function" if classes <= 2 else (
            "lambda X: model.decision_function(X)[:, 0]")
    elif hasattr(estimator, "predict_proba"):
        function = "lambda X: model.predict_proba(X)[:, 1]"
    else:
        function = "lambda X: model.predict(X) == model.classes_[1]" if classes else "model.predict"
    return f"bisector.explain({function}, X, method='shapley') works for any function of rows"


def require_one_target(estimator: Any, coefficients: Floats) -> Floats:
    if coefficients.ndim == 2 and coefficients.shape[1] != 1:
        raise ValueError(
            f"the {name_of(estimator)} predicts {coefficients.shape[1]} targets, expected one: fit "
            "one model for each target"
        )
    return coefficients.ravel()


def two_class(points: Floats, coefficients: Floats, kernel: Any, intercept: float, classes: Any,
              rows: Any, **front: Any) -> Adapted:
    """One machine that speaks for classes[1] where it is above zero."""
    order = np.argsort(coefficients < 0.0, kind="stable")
    above = int(np.count_nonzero(coefficients >= 0.0))
    predictor = _core.KernelClassifier(
        points[order], np.array([above, len(points) - above]), coefficients[order][None, :],
        np.array([float(intercept)]), kernel, text(classes[::-1]))
    return Adapted(predictor, np.asarray(classes)[::-1],
                   None if rows is None else np.asarray(rows)[order], **front)


def values_of(machine: _core.KernelMachine, rows: Any) -> Floats:
    decide = _core.DecisionFunction(_core.Model(_core.KernelRegressor(machine)))
    parts = range(0, rows.shape[0], 64) if is_sparse(rows) else [None]
    return np.concatenate([decide(dense(rows if first is None else rows[first:first + 64]))[0][:, 0]
                           for first in parts])
