"""Fitted estimators of scikit-learn as the library's predictors."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core
from ._adapted import (
    Adapted,
    any_function,
    dense,
    name_of,
    points_of,
    require_one_target,
    text,
    two_class,
    values_of,
)
from ._detectors import (
    adapt_elliptic_envelope,
    adapt_kernel_density,
    adapt_local_outlier_factor,
    adapt_nearest_neighbors,
    adapt_one_class,
    adapt_pyod,
    one_class_machine,
    refuse_sgd_one_class,
)
from ._kernels import ProcessKernel, pairwise_kernel, svm_kernel
from ._linear import adapt_linear_classifier, adapt_linear_regressor, adapt_nystroem
from ._neighbors import (
    adapt_bisecting_clusters,
    adapt_clusters,
    adapt_nearest_centroid,
    adapt_neighbor_regressor,
    adapt_neighbors,
    adapt_radius_neighbors,
    adapt_radius_regressor,
)

SUPPORTED = (
    "SVC, NuSVC, SVR, NuSVR, OneClassSVM, LinearSVC, LinearSVR, KernelRidge, "
    "GaussianProcessClassifier and Regressor, KNeighborsClassifier and Regressor, "
    "RadiusNeighborsClassifier and Regressor, NearestCentroid, KMeans, LocalOutlierFactor, "
    "EllipticEnvelope, KernelDensity and NearestNeighbors (with level=), Nystroem and a linear model, "
    "also behind a Pipeline, in a search such as GridSearchCV or in a CalibratedClassifierCV, or the "
    "path of a model file"
)

# Libraries whose estimators have scikit-learn's names and attributes.
_ALIKE = ("cuml", "sklearnex", "daal4py", "onedal", "thundersvm")
_PYOD = ("KNN", "LOF", "KDE", "OCSVM")


def adapt_estimator(estimator: Any, shift: float = 0.0, level: float | None = None) -> Adapted:
    """`shift` is added to the decision value of a two-class machine; `level` is the threshold of
    detectors that have none of their own."""
    adapt = _reader(estimator)
    if adapt is None:
        raise TypeError(
            f"cannot explain a {name_of(estimator)}, expected a fitted one of {SUPPORTED}. For "
            "any other function of rows there is bisector.explain(f, X, method=...) with occlusion or "
            "shapley"
        )
    _require_fitted(estimator)
    if adapt in (adapt_kernel_density, adapt_nearest_neighbors):
        return adapt(estimator, level)
    if shift == 0.0:
        return adapt(estimator)
    if adapt not in (_classifier, adapt_linear_classifier, adapt_nystroem, adapt_neighbors,
                     adapt_radius_neighbors):
        raise ValueError(
            f"a calibrated {name_of(estimator)} decides by its probabilities, expected an SVC, "
            "NuSVC or neighbors of two classes: explain the estimator inside instead"
        )
    return adapt(estimator, shift)


def needs_level(estimator: Any) -> bool:
    """True for what has a score and no threshold."""
    return _reader(estimator) in (adapt_kernel_density, adapt_nearest_neighbors)


def _reader(estimator: Any) -> Callable[..., Adapted] | None:
    kinds = _kinds()
    for kind, adapt in kinds:
        if isinstance(estimator, kind):
            return adapt
    library, name = type(estimator).__module__.split(".")[0], name_of(estimator)
    if library == "pyod" and name in _PYOD:
        return adapt_pyod
    if library in _ALIKE:
        return next((adapt for kind, adapt in kinds if kind.__name__ == name), None)
    return None


def _kinds() -> list[tuple[Any, Callable[..., Adapted]]]:
    from sklearn import cluster, covariance, gaussian_process, kernel_ridge, linear_model
    from sklearn import neighbors, pipeline, svm
    from sklearn.gaussian_process._gpc import _BinaryGaussianProcessClassifierLaplace

    return [
        (svm.SVC, _classifier),
        (svm.NuSVC, _classifier),
        (svm.SVR, _support_vector_regressor),
        (svm.NuSVR, _support_vector_regressor),
        (svm.OneClassSVM, adapt_one_class),
        (svm.LinearSVC, adapt_linear_classifier),
        (svm.LinearSVR, adapt_linear_regressor),
        (kernel_ridge.KernelRidge, _kernel_ridge),
        (gaussian_process.GaussianProcessRegressor, _process_regressor),
        (gaussian_process.GaussianProcessClassifier, _process_classifier),
        (_BinaryGaussianProcessClassifierLaplace, _laplace),
        (neighbors.KNeighborsClassifier, adapt_neighbors),
        (neighbors.KNeighborsRegressor, adapt_neighbor_regressor),
        (neighbors.RadiusNeighborsClassifier, adapt_radius_neighbors),
        (neighbors.RadiusNeighborsRegressor, adapt_radius_regressor),
        (neighbors.NearestCentroid, adapt_nearest_centroid),
        (neighbors.LocalOutlierFactor, adapt_local_outlier_factor),
        (neighbors.KernelDensity, adapt_kernel_density),
        (neighbors.NearestNeighbors, adapt_nearest_neighbors),
        (covariance.EllipticEnvelope, adapt_elliptic_envelope),
        (linear_model.SGDOneClassSVM, refuse_sgd_one_class),
        (cluster.KMeans, adapt_clusters),
        (cluster.MiniBatchKMeans, adapt_clusters),
        (cluster.BisectingKMeans, adapt_bisecting_clusters),
        (pipeline.Pipeline, adapt_nystroem),
    ]


def _require_fitted(estimator: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        raise ValueError(
            f"the {name_of(estimator)} is not fitted, expected a fitted one: call fit first"
        ) from None
    except (TypeError, AttributeError):
        pass  # of another library, with a notion of its own


def _classifier(estimator: Any, shift: float = 0.0) -> Adapted:
    kernel = svm_kernel(estimator)
    classes = estimator.classes_
    points, coefficients = estimator.support_vectors_, dense(estimator.dual_coef_)
    if np.ndim(estimator.n_support_) == 0 and len(classes) == 2:  # cuML counts all of them together
        return two_class(dense(points), coefficients.ravel(), kernel,
                         float(estimator.intercept_[0]) + shift, classes, estimator.support_)
    counts = np.asarray(estimator.n_support_, dtype=np.int64)
    intercepts = dense(estimator.intercept_)
    order = np.arange(points.shape[0])
    if len(classes) == 2:
        # The library's first class is that of pool P, which is classes_[1] for two classes.
        order = np.roll(order, -int(counts[0]))
        classes, counts = classes[::-1], counts[::-1].copy()
        points, coefficients = points[order], np.ascontiguousarray(coefficients[:, order])
        intercepts = intercepts + shift
    predictor = _core.KernelClassifier(points_of(points), counts, coefficients, intercepts, kernel,
                                       text(classes))
    if getattr(estimator, "break_ties", False) and len(classes) > 2:
        predictor = predictor.with_broken_ties()
    return Adapted(predictor, classes, np.asarray(estimator.support_, dtype=np.int64)[order])


def _support_vector_regressor(estimator: Any) -> Adapted:
    machine = one_class_machine(estimator)
    # The targets are gone; the mean of the predictions at the support vectors stands for theirs.
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
    # (K + alpha I) coefficients = y gives the mean target back, where rows had equal weights.
    targets = values_of(machine, points) + float(np.ravel(estimator.alpha)[0]) * coefficients
    return Adapted(_core.KernelRegressor(machine, float(targets.mean())),
                   rows=np.arange(len(points)), scale=scale)


def _process_regressor(estimator: Any) -> Adapted:
    if not hasattr(estimator, "X_train_"):
        raise ValueError("the GaussianProcessRegressor is not fitted, expected a fitted one")
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
        is_pairs = estimator.multi_class == "one_vs_one"
        compared, part, function = (
            ("breaks ties of votes by probabilities", "a pair of classes",
             "lambda X: model.predict(X) == model.classes_[0]") if is_pairs else
            ("takes the largest probability", "one class against the rest",
             "lambda X: model.predict_proba(X)[:, 0]"))
        raise ValueError(
            f"the GaussianProcessClassifier has {estimator.n_classes_} classes and {compared}, and "
            "these hang on the variances of its latent functions beside their values, expected two "
            f"classes: explain {part}, bisector.Explainer(model.base_estimator_.estimators_[0]), or "
            f"bisector.explain({function}, X, method='shapley') works for any function of rows"
        )
    return _laplace(estimator.base_estimator_)


def _laplace(estimator: Any) -> Adapted:
    """The latent mean of Laplace's approximation is a kernel machine; its sign decides."""
    kernel = ProcessKernel(estimator.kernel_, any_function(estimator))
    points = dense(estimator.X_train_)
    points = points if kernel.scale is None else points * kernel.scale
    pull = np.asarray(estimator.y_train_ - estimator.pi_, dtype=np.float64)
    adapted = two_class(points, kernel.factor * pull, kernel.kernel,
                        kernel.constant * float(pull.sum()), estimator.classes_,
                        np.arange(len(points)), scale=kernel.scale)
    adapted.predict = estimator.predict
    return adapted
