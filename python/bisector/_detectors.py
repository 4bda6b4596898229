"""Outlier detectors of scikit-learn and PyOD as predictors of the library."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._adapted import Adapted, dense, name_of, points_of, values_of
from ._kernels import svm_kernel
from ._neighbors import metric_of, root_of, training_rows
from .errors import UnsupportedModelError

_LABELS = np.array([1, -1])  # Inside and outside, as in scikit-learn.
_Score = _core.OutlierScore
_Form = _core.KernelForm


def one_class_machine(estimator: Any, shift: float = 0.0) -> _core.KernelMachine:
    return _core.KernelMachine(points_of(estimator.support_vectors_),
                               dense(estimator.dual_coef_).ravel(), svm_kernel(estimator),
                               float(estimator.intercept_[0]) + shift)


def adapt_one_class(estimator: Any) -> Adapted:
    return Adapted(_core.OneClassMachine(one_class_machine(estimator)), _LABELS,
                   np.asarray(estimator.support_, dtype=np.int64))


def adapt_local_outlier_factor(estimator: Any) -> Adapted:
    if not estimator.novelty:
        raise UnsupportedModelError(
            "LocalOutlierFactor(novelty=False) scores its training rows and no others, expected "
            "novelty=True: to explain new rows, fit it again by "
            "model.set_params(novelty=True).fit(X_train). Training rows then have other scores, "
            "because each counts as its own neighbor")
    return _factor(estimator, -float(estimator.offset_))


def _factor(estimator: Any, threshold: float) -> Adapted:
    return _neighborhood(estimator, int(estimator.n_neighbors_), _Score.local_outlier_factor,
                         threshold)


def _neighborhood(estimator: Any, k: int, score: Any, threshold: float) -> Adapted:
    """A detector on the points of a neighbor search. A threshold on a distance is in its unit."""
    points = training_rows(estimator)
    metric = metric_of(estimator, points.shape[1])
    unit = 1.0 if score == _Score.local_outlier_factor else metric.unit
    predictor = _core.OutlierDetector(metric.map(points), k, score, threshold * unit, metric.distance)
    return Adapted(predictor, _LABELS, np.arange(points.shape[0]), **metric.front)


def adapt_nearest_neighbors(estimator: Any, level: float | None) -> Adapted:
    if level is None:
        raise UnsupportedModelError(
            "NearestNeighbors has distances and no threshold, expected level=...: the distance to "
            "the n_neighbors-th neighbor beyond which a row is outside",
            "bisector.Explainer(model, level=np.quantile(model.kneighbors()[0][:, -1], 0.95))(X)")
    adapted = _neighborhood(estimator, int(estimator.n_neighbors), _Score.kth_distance, level)
    adapted.predict = lambda rows: np.where(estimator.kneighbors(rows)[0][:, -1] <= level, 1, -1)
    return adapted


def adapt_elliptic_envelope(estimator: Any) -> Adapted:
    """The Mahalanobis distance to one point, and a threshold."""
    matrix = root_of(np.asarray(estimator.precision_, dtype=np.float64))
    center = np.asarray(estimator.location_, dtype=np.float64)[None, :] @ matrix.T
    # Training rows at the threshold are inside. The root and the matrix round their distances.
    threshold = float(np.sqrt(-estimator.offset_)) * (1.0 + 1e-12)
    return Adapted(_core.OutlierDetector(center, 1, _Score.kth_distance, threshold), _LABELS,
                   None, matrix=matrix)


def adapt_kernel_density(estimator: Any, level: float | None) -> Adapted:
    if level is None:
        raise UnsupportedModelError(
            "KernelDensity has densities and no threshold, expected level=...: the log density of "
            "score_samples below which a row is outside",
            "bisector.Explainer(model, level=np.quantile(model.score_samples(X_train), 0.05))(X)")
    adapted = _density(estimator, level)
    adapted.predict = lambda rows: np.where(estimator.score_samples(rows) >= level, 1, -1)
    return adapted


def _density(estimator: Any, level: float) -> Adapted:
    points = dense(estimator.tree_.data)
    weights = estimator.tree_.sample_weight
    weights = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=np.float64)
    shares = weights / weights.sum()
    kernel = _density_kernel(estimator)
    # Our kernel is 1 at distance 0; the density has a normalization constant in addition.
    point = points[:1]
    value = values_of(_core.KernelMachine(points, shares, kernel, 0.0), point)[0]
    log_norm = float(estimator.score_samples(point)[0] - np.log(value))
    floor = float(np.exp(level - log_norm))
    if not floor > 0.0:
        raise ValueError(f"level is {level:g} and no density is below it, expected a log density of "
                         "score_samples")
    machine = _core.KernelMachine(points, shares, kernel, -floor)
    return Adapted(_core.OneClassMachine(machine), _LABELS, np.arange(len(points)))


def _density_kernel(estimator: Any) -> _core.Kernel:
    width, name = float(estimator.bandwidth_), estimator.kernel
    power = metric_of(estimator, 1).distance.power
    if name == "gaussian" and power == 2.0:
        return _core.Kernel(0.5 / width**2)
    if name == "exponential" and power == 2.0:
        return _core.Kernel([_core.KernelTerm(_Form.matern12, 1.0 / width)])
    if name == "exponential" and power == 1.0:
        return _core.Kernel([_core.KernelTerm(_Form.exponential, 1.0 / width)],
                            _core.Distance.manhattan())
    raise UnsupportedModelError(
        f"KernelDensity has the kernel {name!r} with the metric {estimator.metric!r}, expected "
        "'gaussian' with the Euclidean or 'exponential' with the Euclidean or Manhattan metric")


def adapt_pyod(estimator: Any) -> Adapted:
    """The detector inside one of PyOD, whose labels are 0 (inside) and 1 (outside)."""
    adapted = _pyod_inside(estimator)
    adapted.labels = np.array([0, 1])
    return adapted


def _pyod_inside(estimator: Any) -> Adapted:
    threshold, name = float(estimator.threshold_), name_of(estimator)
    if name == "KNN":
        scores = {"largest": _Score.kth_distance, "mean": _Score.mean_distance}
        if estimator.method not in scores:
            raise UnsupportedModelError(f"PyOD's KNN has method={estimator.method!r}, expected "
                                        "'largest' or 'mean'")
        return _neighborhood(estimator.neigh_, int(estimator.n_neighbors),
                             scores[estimator.method], threshold)
    if name == "LOF":
        return _factor(estimator.detector_, threshold)
    if name == "KDE":
        return _density(estimator.kde_, -threshold)
    inside = estimator.detector_
    return Adapted(_core.OneClassMachine(one_class_machine(inside, threshold)),
                   rows=np.asarray(inside.support_, dtype=np.int64))
