"""Fitted estimators of scikit-learn as predictors of the library."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core
from ._adapted import (Adapted, dense, name_of, points_of, require_one_target, text, two_class,
                       values_of)
from ._detectors import (adapt_elliptic_envelope, adapt_kernel_density, adapt_local_outlier_factor,
                         adapt_nearest_neighbors, adapt_one_class, adapt_pyod, one_class_machine)
from ._kernels import ProcessKernel, pairwise_kernel, svm_kernel
from ._kinds import sklearn_kind
from ._linear import (adapt_linear_classifier, adapt_linear_one_class, adapt_linear_regressor,
                      adapt_nystroem)
from ._neighbors import (adapt_bisecting_clusters, adapt_clusters, adapt_nearest_centroid,
                         adapt_neighbor_regressor, adapt_neighbors)
from ._steps import not_fitted, require_fitted
from .errors import UnsupportedModelError

SUPPORTED = (
    "SVC, NuSVC, SVR, NuSVR, OneClassSVM, LinearSVC, LogisticRegression, Ridge and other linear "
    "models, KernelRidge, GaussianProcessClassifier and Regressor, KNeighborsClassifier and "
    "Regressor, RadiusNeighborsClassifier and Regressor, NearestCentroid, KMeans, "
    "LocalOutlierFactor, EllipticEnvelope, KernelDensity and NearestNeighbors (with level=), also "
    "in a Pipeline, in a search such as GridSearchCV or in a CalibratedClassifierCV, or the path "
    "of a model file"
)

# Libraries whose estimators have scikit-learn's names and attributes.
_SIMILAR = ("cuml", "sklearnex", "daal4py", "onedal", "thundersvm")
_PYOD = ("KNN", "LOF", "KDE", "OCSVM")


def adapt_estimator(estimator: Any, shift: float = 0.0, level: float | None = None) -> Adapted:
    """`shift` is added to the decision value of a two-class machine; `level` is the threshold of
    detectors that have none of their own."""
    adapt = require_supported(estimator)
    require_fitted(estimator)
    if adapt in _WITH_LEVEL:
        return adapt(estimator, level)
    if shift == 0.0:
        return adapt(estimator)
    if adapt not in _WITH_SHIFT:
        raise UnsupportedModelError(
            f"a calibration or a threshold around a {name_of(estimator)}, expected an SVC, NuSVC, "
            "linear model or neighbors of two classes")
    return adapt(estimator, shift)


def needs_level(estimator: Any) -> bool:
    """True for a detector that has a score and no threshold."""
    return _reader(estimator) in _WITH_LEVEL


def require_supported(estimator: Any) -> Callable[..., Adapted]:
    """The function that reads an estimator of this kind."""
    adapt = _reader(estimator)
    if adapt is None and type(estimator).__module__.startswith("pyod."):
        raise UnsupportedModelError(f"{name_of(estimator)} is not supported, expected one of "
                                    f"PyOD's {', '.join(_PYOD)}")
    if adapt is None:
        raise UnsupportedModelError(f"{name_of(estimator)} is not supported, expected a fitted "
                                    f"model of these kinds: {SUPPORTED}")
    return adapt


def _reader(estimator: Any) -> Callable[..., Adapted] | None:
    kind = sklearn_kind(estimator, _READERS)
    if kind is not None:
        return _READERS[kind]
    library, name = type(estimator).__module__.split(".")[0], name_of(estimator)
    if library == "pyod" and name in _PYOD:
        return adapt_pyod
    return _READERS.get(name) if library in _SIMILAR else None


def _classifier(estimator: Any, shift: float = 0.0) -> Adapted:
    kernel = svm_kernel(estimator)
    classes = estimator.classes_
    points, coefficients = estimator.support_vectors_, dense(estimator.dual_coef_)
    if np.ndim(estimator.n_support_) == 0 and len(classes) == 2:  # cuML has one count for all.
        return two_class(dense(points), coefficients.ravel(), kernel,
                         float(estimator.intercept_[0]) + shift, classes, estimator.support_)
    counts = np.asarray(estimator.n_support_, dtype=np.int64)
    intercepts = dense(estimator.intercept_)
    order = np.arange(points.shape[0])
    if len(classes) == 2:
        # The library's first class is that of positive values, which is classes_[1] here.
        order = np.roll(order, -int(counts[0]))
        classes, counts = classes[::-1], counts[::-1].copy()
        points, coefficients = points[order], np.ascontiguousarray(coefficients[:, order])
        intercepts = intercepts + shift
    predictor = _core.KernelClassifier(points_of(points), coefficients, intercepts, kernel,
                                       text(classes), points_per_class=counts)
    if getattr(estimator, "break_ties", False) and len(classes) > 2:
        predictor = predictor.with_broken_ties()
    return Adapted(predictor, classes, np.asarray(estimator.support_, dtype=np.int64)[order])


def _support_vector_regressor(estimator: Any) -> Adapted:
    machine = one_class_machine(estimator)
    # The targets are not stored. The mean prediction at the support vectors replaces their mean.
    mean = values_of(machine, estimator.support_vectors_).mean()
    return Adapted(_core.KernelRegressor(machine, float(mean)),
                   rows=np.asarray(estimator.support_, dtype=np.int64))


def _kernel_ridge(estimator: Any) -> Adapted:
    points = dense(estimator.X_fit_)
    coefficients = require_one_target(estimator, dense(estimator.dual_coef_))
    factor, constant, scale = 1.0, 0.0, None
    if isinstance(estimator.kernel, str) or callable(estimator.kernel) and not hasattr(
            estimator.kernel, "theta"):
        kernel = pairwise_kernel(estimator, points.shape[1])
    else:
        process = ProcessKernel(estimator.kernel)
        kernel, factor, constant, scale = (process.kernel, process.factor, process.constant,
                                           process.scale)
        points = points if scale is None else points * scale
    machine = _core.KernelMachine(points, factor * coefficients, kernel,
                                  constant * float(coefficients.sum()))
    # (K + alpha I) coefficients = y gives the mean target, if all rows had equal weights.
    targets = values_of(machine, points) + float(np.ravel(estimator.alpha)[0]) * coefficients
    return Adapted(_core.KernelRegressor(machine, float(targets.mean())),
                   rows=np.arange(len(points)), scale=scale)


def _process_regressor(estimator: Any) -> Adapted:
    if not hasattr(estimator, "X_train_"):
        raise not_fitted(estimator)
    alpha = require_one_target(estimator, dense(estimator.alpha_))
    kernel = ProcessKernel(estimator.kernel_)
    mean = float(np.ravel(estimator._y_train_mean)[0])
    deviation = float(np.ravel(estimator._y_train_std)[0])
    points = dense(estimator.X_train_)
    points = points if kernel.scale is None else points * kernel.scale
    machine = _core.KernelMachine(points, deviation * kernel.factor * alpha, kernel.kernel,
                                  mean + deviation * kernel.constant * float(alpha.sum()))
    target = mean + deviation * float(np.mean(estimator.y_train_))
    return Adapted(_core.KernelRegressor(machine, target), rows=np.arange(len(points)),
                   scale=kernel.scale)


def _process_classifier(estimator: Any) -> Adapted:
    if estimator.n_classes_ > 2:
        raise UnsupportedModelError(
            f"the GaussianProcessClassifier has {estimator.n_classes_} classes, whose "
            "probabilities depend on the variances of its latent functions, expected two classes")
    return _laplace(estimator.base_estimator_)


def _laplace(estimator: Any) -> Adapted:
    """The latent mean of Laplace's approximation is a kernel machine, whose sign is the class."""
    kernel = ProcessKernel(estimator.kernel_)
    points = dense(estimator.X_train_)
    points = points if kernel.scale is None else points * kernel.scale
    residuals = np.asarray(estimator.y_train_ - estimator.pi_, dtype=np.float64)
    adapted = two_class(points, kernel.factor * residuals, kernel.kernel,
                        kernel.constant * float(residuals.sum()), estimator.classes_,
                        np.arange(len(points)), scale=kernel.scale)
    adapted.predict = estimator.predict
    return adapted


_READERS: dict[str, Callable[..., Adapted]] = {
    "SVC": _classifier,
    "NuSVC": _classifier,
    "SVR": _support_vector_regressor,
    "NuSVR": _support_vector_regressor,
    "OneClassSVM": adapt_one_class,
    "LinearSVC": adapt_linear_classifier,
    "LinearSVR": adapt_linear_regressor,
    "SGDOneClassSVM": adapt_linear_one_class,
    "SGDRegressor": adapt_linear_regressor,
    "LinearClassifierMixin": adapt_linear_classifier,
    "LinearModel": adapt_linear_regressor,
    "KernelRidge": _kernel_ridge,
    "GaussianProcessRegressor": _process_regressor,
    "GaussianProcessClassifier": _process_classifier,
    "_BinaryGaussianProcessClassifierLaplace": _laplace,
    "KNeighborsClassifier": adapt_neighbors,
    "KNeighborsRegressor": adapt_neighbor_regressor,
    "RadiusNeighborsClassifier": adapt_neighbors,
    "RadiusNeighborsRegressor": adapt_neighbor_regressor,
    "NearestCentroid": adapt_nearest_centroid,
    "LocalOutlierFactor": adapt_local_outlier_factor,
    "KernelDensity": adapt_kernel_density,
    "NearestNeighbors": adapt_nearest_neighbors,
    "EllipticEnvelope": adapt_elliptic_envelope,
    "KMeans": adapt_clusters,
    "MiniBatchKMeans": adapt_clusters,
    "BisectingKMeans": adapt_bisecting_clusters,
    "Pipeline": adapt_nystroem,
}
_WITH_LEVEL = (adapt_kernel_density, adapt_nearest_neighbors)
_WITH_SHIFT = (_classifier, adapt_linear_classifier, adapt_nystroem, adapt_neighbors)
