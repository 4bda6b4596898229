"""Fitted estimators of scikit-learn as the library's predictors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import Floats

SUPPORTED = (
    "SVC, NuSVC, SVR, NuSVR, OneClassSVM, KernelRidge, GaussianProcessRegressor, "
    "KNeighborsClassifier, NearestCentroid and KMeans, also behind a Pipeline, in a search such as "
    "GridSearchCV or in a CalibratedClassifierCV, or the path of a model file"
)


@dataclass
class Adapted:
    """A predictor, with what the library does not keep of the estimator."""

    predictor: Any
    labels: NDArray[Any] | None = None  # in the predictor's order; None for regressors
    rows: NDArray[np.int64] | None = None  # for every point its row in the training data
    scale: Floats | None = None  # of the features, in front of the predictor


def adapt_estimator(estimator: Any, shift: float = 0.0) -> Adapted:
    """`shift` is added to the decision value of a two-class machine."""
    from sklearn import cluster, gaussian_process, kernel_ridge, neighbors, svm

    kinds = (
        ((svm.SVC, svm.NuSVC), _classifier),
        ((svm.SVR, svm.NuSVR), _support_vector_regressor),
        (svm.OneClassSVM, _one_class),
        (kernel_ridge.KernelRidge, _kernel_ridge),
        (gaussian_process.GaussianProcessRegressor, _gaussian_process),
        (neighbors.KNeighborsClassifier, _neighbors),
        (neighbors.NearestCentroid, _nearest_centroid),
        ((cluster.KMeans, cluster.MiniBatchKMeans), _clusters),
    )
    for kind, adapt in kinds:
        if isinstance(estimator, kind):
            _require_fitted(estimator)
            if shift == 0.0:
                return adapt(estimator)
            if adapt is not _classifier:
                break
            return _classifier(estimator, shift)
    if shift != 0.0:
        raise ValueError(
            f"a calibrated {type(estimator).__name__} decides by its probabilities, expected an SVC "
            "or NuSVC with two classes: explain the estimator inside instead"
        )
    raise TypeError(
        f"cannot explain a {type(estimator).__name__}, expected a fitted one of {SUPPORTED}. For "
        "any other function of rows there is bisector.explain(f, X, method=...) with occlusion or "
        "shapley"
    )


def _require_fitted(estimator: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        raise ValueError(
            f"the {type(estimator).__name__} is not fitted, expected a fitted one: call fit first"
        ) from None


def _dense(values: Any) -> Floats:
    if hasattr(values, "toarray"):
        values = values.toarray()
    return np.ascontiguousarray(values, dtype=np.float64)


def _text(labels: Any) -> list[str]:
    return [str(label) for label in labels]


def _gamma(estimator: Any) -> float:
    kernel = estimator.kernel
    if not (isinstance(kernel, str) and kernel == "rbf"):
        raise ValueError(
            f"{type(estimator).__name__} has the kernel {kernel!r}, expected 'rbf': the method "
            "needs a kernel of the distance. bisector.explain(model.decision_function, X, "
            "method='shapley') works for any function"
        )
    return float(estimator._gamma)


def _machine(estimator: Any) -> _core.KernelMachine:
    return _core.KernelMachine(_dense(estimator.support_vectors_),
                               _dense(estimator.dual_coef_).ravel(), _gamma(estimator),
                               float(estimator.intercept_[0]))


def _classifier(estimator: Any, shift: float = 0.0) -> Adapted:
    gamma = _gamma(estimator)
    classes = estimator.classes_
    if getattr(estimator, "break_ties", False) and len(classes) > 2:
        raise ValueError(
            "break_ties=True decides by more than the votes of the pairs, expected "
            "break_ties=False: set_params(break_ties=False) needs no new fit"
        )
    points, coefficients = _dense(estimator.support_vectors_), _dense(estimator.dual_coef_)
    counts = np.asarray(estimator.n_support_, dtype=np.int64)
    intercepts = _dense(estimator.intercept_)
    order = np.arange(len(points))
    if len(classes) == 2:
        # The library's first class is that of pool P, which is classes_[1] for two classes.
        order = np.roll(order, -int(counts[0]))
        classes, counts = classes[::-1], counts[::-1].copy()
        points, coefficients = points[order], np.ascontiguousarray(coefficients[:, order])
        intercepts = intercepts + shift
    predictor = _core.KernelClassifier(points, counts, coefficients, intercepts, gamma,
                                       _text(classes))
    return Adapted(predictor, classes, np.asarray(estimator.support_, dtype=np.int64)[order])


def _support_vector_regressor(estimator: Any) -> Adapted:
    machine = _machine(estimator)
    # The targets are gone; the mean of the predictions at the support vectors stands for theirs.
    mean = _values(machine, _dense(estimator.support_vectors_)).mean()
    return Adapted(_core.KernelRegressor(machine, float(mean)),
                   rows=np.asarray(estimator.support_, dtype=np.int64))


def _one_class(estimator: Any) -> Adapted:
    return Adapted(_core.OneClassMachine(_machine(estimator)), np.array([1, -1]),
                   np.asarray(estimator.support_, dtype=np.int64))


def _values(machine: _core.KernelMachine, rows: Floats) -> Floats:
    decide = _core.DecisionFunction(_core.Model(_core.KernelRegressor(machine)))
    return decide(rows)[0][:, 0]


def _require_one_target(estimator: Any, coefficients: Floats) -> Floats:
    if coefficients.ndim == 2 and coefficients.shape[1] != 1:
        raise ValueError(
            f"the {type(estimator).__name__} predicts {coefficients.shape[1]} targets, expected "
            "one: fit one model for each target"
        )
    return coefficients.ravel()


def _kernel_ridge(estimator: Any) -> Adapted:
    if not (isinstance(estimator.kernel, str) and estimator.kernel == "rbf"):
        raise ValueError(
            f"KernelRidge has the kernel {estimator.kernel!r}, expected 'rbf': the method needs a "
            "kernel of the distance"
        )
    points = _dense(estimator.X_fit_)
    coefficients = _require_one_target(estimator, _dense(estimator.dual_coef_))
    gamma = 1.0 / points.shape[1] if estimator.gamma is None else float(estimator.gamma)
    machine = _core.KernelMachine(points, coefficients, gamma, 0.0)
    # (K + alpha I) coefficients = y gives the mean target back, where rows had equal weights.
    targets = _values(machine, points) + float(np.ravel(estimator.alpha)[0]) * coefficients
    return Adapted(_core.KernelRegressor(machine, float(targets.mean())),
                   rows=np.arange(len(points)))


def _gaussian_process(estimator: Any) -> Adapted:
    if not hasattr(estimator, "X_train_"):
        raise ValueError("the GaussianProcessRegressor is not fitted, expected a fitted one")
    points = _dense(estimator.X_train_)
    alpha = _require_one_target(estimator, _dense(estimator.alpha_))
    kernel = _GaussianKernel(estimator.kernel_)
    mean = float(np.ravel(estimator._y_train_mean)[0])
    deviation = float(np.ravel(estimator._y_train_std)[0])
    scale = None
    gamma = 0.5
    if np.ndim(kernel.length) > 0 and np.size(kernel.length) > 1:
        scale = 1.0 / np.asarray(kernel.length, dtype=np.float64)
        points = points * scale
    else:
        gamma = float(0.5 / np.ravel(kernel.length)[0] ** 2)
    machine = _core.KernelMachine(points, deviation * kernel.factor * alpha, gamma,
                                  mean + deviation * kernel.constant * float(alpha.sum()))
    target = mean + deviation * float(np.mean(estimator.y_train_))
    return Adapted(_core.KernelRegressor(machine, target), rows=np.arange(len(points)),
                   scale=scale)


class _GaussianKernel:
    """factor * RBF(length) + constant, read from a kernel of a Gaussian process."""

    def __init__(self, kernel: Any):
        self.factor, self.constant = 1.0, 0.0
        self.length: Any = None
        self._add(kernel, 1.0)
        if self.length is None:
            raise self._unsupported(kernel)

    def _add(self, kernel: Any, factor: float) -> None:
        from sklearn.gaussian_process import kernels

        if isinstance(kernel, kernels.Sum):
            self._add(kernel.k1, factor)
            self._add(kernel.k2, factor)
        elif isinstance(kernel, kernels.Product) and isinstance(kernel.k1, kernels.ConstantKernel):
            self._add(kernel.k2, factor * kernel.k1.constant_value)
        elif isinstance(kernel, kernels.Product) and isinstance(kernel.k2, kernels.ConstantKernel):
            self._add(kernel.k1, factor * kernel.k2.constant_value)
        elif isinstance(kernel, kernels.ConstantKernel):
            self.constant += factor * kernel.constant_value
        elif isinstance(kernel, kernels.WhiteKernel):
            pass  # noise: nothing at a new row
        elif type(kernel) is kernels.RBF and self.length is None:
            self.length, self.factor = kernel.length_scale, factor
        else:
            raise self._unsupported(kernel)

    @staticmethod
    def _unsupported(kernel: Any) -> ValueError:
        return ValueError(
            f"the Gaussian process has the kernel {kernel}, expected one RBF, times a constant and "
            "plus white noise or a constant where wanted"
        )


def _neighbors(estimator: Any) -> Adapted:
    if estimator.weights not in (None, "uniform"):
        raise ValueError(
            f"KNeighborsClassifier has weights={estimator.weights!r}, expected 'uniform': weighted "
            "votes have no such network. Fit it with weights='uniform'"
        )
    metric = estimator.effective_metric_
    p = (estimator.effective_metric_params_ or {}).get("p", 2)
    if not (metric in ("euclidean", "l2") or (metric == "minkowski" and p == 2)):
        raise ValueError(
            f"KNeighborsClassifier has the metric {estimator.metric!r} (p={estimator.p}), expected "
            "the Euclidean one: metric='minkowski' with p=2, or 'euclidean'"
        )
    if (estimator.effective_metric_params_ or {}).get("w") is not None:
        raise ValueError("KNeighborsClassifier weights its features, expected no metric_params")
    if estimator.outputs_2d_:
        raise ValueError("KNeighborsClassifier has several targets, expected one: fit one for each")
    if isinstance(estimator._fit_X, np.ndarray) or hasattr(estimator._fit_X, "toarray"):
        points = _dense(estimator._fit_X)
        predictor = _core.NeighborModel(points, np.asarray(estimator._y, dtype=np.int64),
                                        _text(estimator.classes_), int(estimator.n_neighbors))
        return Adapted(predictor, estimator.classes_, np.arange(len(points)))
    raise TypeError("KNeighborsClassifier was fitted on a tree, expected on an array of rows")


def _nearest_centroid(estimator: Any) -> Adapted:
    if estimator.metric != "euclidean":
        raise ValueError(
            f"NearestCentroid has the metric {estimator.metric!r}, expected 'euclidean'"
        )
    priors = getattr(estimator, "class_prior_", None)
    if priors is not None and not np.allclose(priors, 1.0 / len(estimator.classes_)):
        raise ValueError(
            "NearestCentroid has unequal priors, which decide beside the distance, expected "
            "priors='uniform'"
        )
    predictor = _core.CentroidModel(_dense(estimator.centroids_), _text(estimator.classes_))
    return Adapted(predictor, estimator.classes_, np.arange(len(estimator.classes_)))


def _clusters(estimator: Any) -> Adapted:
    labels = np.arange(len(estimator.cluster_centers_))
    predictor = _core.CentroidModel(_dense(estimator.cluster_centers_), _text(labels))
    return Adapted(predictor, labels, labels)
