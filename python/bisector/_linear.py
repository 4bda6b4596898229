"""Linear models: as they are (LinearSVC), and as kernel machines behind a Nystroem."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._adapted import Adapted, dense, name_of, text, two_class
from ._kernels import dot_product, pairwise_kernel
from ._tables import Floats


def adapt_linear_classifier(estimator: Any, shift: float = 0.0) -> Adapted:
    """Machines of the dot product: the weights are their points."""
    weights, intercepts = dense(estimator.coef_), _intercepts(estimator)
    return _classifier(weights, np.eye(len(weights)), dot_product(), intercepts + shift,
                       estimator.classes_, None)


def adapt_linear_regressor(estimator: Any) -> Adapted:
    weights = np.atleast_2d(dense(estimator.coef_))
    machine = _core.KernelMachine(weights, np.ones(1), dot_product(), float(_intercepts(estimator)[0]))
    return Adapted(_core.KernelRegressor(machine))


def _intercepts(estimator: Any) -> Floats:
    return np.atleast_1d(np.asarray(estimator.intercept_, dtype=np.float64)).ravel()


def _classifier(points: Floats, coefficients: Floats, kernel: Any, intercepts: Floats, classes: Any,
                rows: Any) -> Adapted:
    """`coefficients` has a row for each machine: one for two classes, else one for each class."""
    intercepts = np.ascontiguousarray(np.broadcast_to(intercepts, (len(coefficients),)))
    if len(classes) == 2:
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
    if name_of(linear) == "SGDOneClassSVM":
        coefficients = dense(linear.coef_).ravel() @ nystroem.normalization_
        machine = _core.KernelMachine(points, coefficients, kernel, -float(linear.offset_[0]))
        return Adapted(_core.OneClassMachine(machine), np.array([1, -1]), rows)
    weights = np.atleast_2d(dense(linear.coef_))
    coefficients = weights @ np.asarray(nystroem.normalization_, dtype=np.float64)
    intercepts = _intercepts(linear)
    if hasattr(linear, "classes_"):
        return _classifier(points, coefficients, kernel, intercepts + shift, linear.classes_, rows)
    if len(coefficients) != 1:
        raise ValueError(f"the {name_of(linear)} predicts {len(coefficients)} targets, expected one: "
                         "fit one model for each target")
    machine = _core.KernelMachine(points, coefficients[0], kernel, float(intercepts[0]))
    mean = _core.DecisionFunction(_core.Model(_core.KernelRegressor(machine)))(points)[0].mean()
    return Adapted(_core.KernelRegressor(machine, float(mean)), rows=rows)


def is_sampled_kernel(step: Any, estimator: Any) -> bool:
    """True for a Nystroem and a linear model, which are a kernel machine together."""
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import SGDOneClassSVM, SGDRegressor
    from sklearn.linear_model._base import LinearClassifierMixin, LinearModel

    linear = (LinearClassifierMixin, LinearModel, SGDRegressor, SGDOneClassSVM)
    return isinstance(step, Nystroem) and isinstance(estimator, linear)
