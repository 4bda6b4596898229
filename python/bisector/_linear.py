"""Linear models: on their own, and as kernel machines behind a Nystroem."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._adapted import Adapted, dense, name_of, require_one_target, text, two_class, values_of
from ._kernels import dot_product, pairwise_kernel
from ._kinds import is_sklearn
from ._tables import Floats
from .errors import UnsupportedModelError


def adapt_linear_classifier(estimator: Any, shift: float = 0.0) -> Adapted:
    """Machines of the dot product, whose points are the weights."""
    weights = np.atleast_2d(dense(estimator.coef_))
    return _classifier(estimator, weights, np.eye(len(weights)), dot_product(), shift, None)


def adapt_linear_regressor(estimator: Any) -> Adapted:
    weights = np.atleast_2d(dense(estimator.coef_))
    require_one_target(estimator, weights.T)
    machine = _core.KernelMachine(weights, np.ones(1), dot_product(), _intercepts(estimator)[0])
    return Adapted(_core.KernelRegressor(machine))


def adapt_linear_one_class(estimator: Any) -> Adapted:
    """A half-space: SGDOneClassSVM."""
    machine = _core.KernelMachine(np.atleast_2d(dense(estimator.coef_)), np.ones(1), dot_product(),
                                  -float(estimator.offset_[0]))
    return Adapted(_core.OneClassMachine(machine), np.array([1, -1]))


def _intercepts(estimator: Any) -> Floats:
    return np.atleast_1d(np.asarray(estimator.intercept_, dtype=np.float64)).ravel()


def _classifier(estimator: Any, points: Floats, coefficients: Floats, kernel: Any, shift: float,
                rows: Any) -> Adapted:
    """`coefficients` has a row for each machine: one for two classes, else one for each class."""
    classes = estimator.classes_
    machines = 1 if len(classes) == 2 else len(classes)
    if len(coefficients) != machines:
        raise UnsupportedModelError(
            f"the {name_of(estimator)} has several labels for a row, expected one: fit one model "
            "for each label")
    intercepts = np.ascontiguousarray(np.broadcast_to(_intercepts(estimator) + shift, (machines,)))
    if machines == 1:
        return two_class(points, coefficients[0], kernel, intercepts[0], classes, rows)
    predictor = _core.KernelClassifier.one_vs_rest(points, np.ascontiguousarray(coefficients),
                                                   intercepts, kernel, text(classes))
    return Adapted(predictor, np.asarray(classes), rows)


def adapt_nystroem(pipeline: Any, shift: float = 0.0) -> Adapted:
    """A Nystroem and a linear model: K(x, components) normalization' coef + intercept."""
    nystroem, linear = pipeline.steps[0][1], pipeline.steps[1][1]
    points = dense(nystroem.components_)
    kernel = pairwise_kernel(nystroem, points.shape[1])
    rows = np.asarray(nystroem.component_indices_, dtype=np.int64)
    weights = np.atleast_2d(dense(linear.coef_))
    coefficients = weights @ np.asarray(nystroem.normalization_, dtype=np.float64)
    if name_of(linear) == "SGDOneClassSVM":
        machine = _core.KernelMachine(points, coefficients[0], kernel, -float(linear.offset_[0]))
        return Adapted(_core.OneClassMachine(machine), np.array([1, -1]), rows)
    if hasattr(linear, "classes_"):
        return _classifier(linear, points, coefficients, kernel, shift, rows)
    require_one_target(linear, coefficients.T)
    machine = _core.KernelMachine(points, coefficients[0], kernel, _intercepts(linear)[0])
    mean = float(values_of(machine, points).mean())
    return Adapted(_core.KernelRegressor(machine, mean), rows=rows)


def is_sampled_kernel(step: Any, estimator: Any) -> bool:
    """True for a Nystroem and a linear model, which together are a kernel machine."""
    return is_sklearn(step, "Nystroem") and is_sklearn(
        estimator, "LinearClassifierMixin", "LinearModel", "SGDRegressor", "SGDOneClassSVM")
