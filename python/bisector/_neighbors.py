"""Neighbors, centroids and clusters of scikit-learn as the library's predictors."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Callable

import numpy as np

from . import _core
from ._adapted import (Adapted, dense, name_of, points_of, precomputed, require_one_target,
                       text)
from ._columns import Columns, Origin, Read, Reading
from ._gower import Gower
from ._kinds import is_sklearn
from ._tables import Floats, is_sparse
from .errors import UnsupportedModelError

_SAME = 1e-6  # Outputs that are equal but for rounding.
_FAR = 1e4  # Squared distance from the origin, in variances, at which rounding changes an order.
_SUMS = ("euclidean, manhattan, minkowski, cosine, correlation, hamming, seuclidean, mahalanobis and "
         "bisector.Gower")


@dataclass
class Metric:
    """A metric of scikit-learn: a distance of the library after a linear map, times `unit`."""

    distance: Any
    scale: Floats | None = None
    matrix: Floats | None = None
    unit: float = 1.0
    is_squared: bool = False  # Only the order of its values is that of the distance.

    def map(self, points: Any) -> Any:
        if self.matrix is not None:
            return np.ascontiguousarray(dense(points) @ self.matrix.T)
        return points_of(points) if self.scale is None else dense(points) * self.scale

    @property
    def front(self) -> dict[str, Any]:
        return {"scale": self.scale, "matrix": self.matrix}


def metric_of(estimator: Any, features: int, by_order: bool = False) -> Metric:
    """`by_order`: only the order of distances matters."""
    name = getattr(estimator, "effective_metric_", estimator.metric)
    parameters = dict(getattr(estimator, "effective_metric_params_", None)
                      or getattr(estimator, "metric_params", None) or {})
    if isinstance(name, Gower):
        return Metric(name.distance(features), scale=name.scale(features), unit=name.unit(features))
    if isinstance(name, str):
        metric = _named(name, parameters, features)
        if metric is not None and (by_order or not metric.is_squared):
            return metric
    if name == "precomputed":
        raise precomputed(estimator, "metric", "distances", "euclidean")
    given = f"the metric {name!r}" if isinstance(name, str) else "a function as its metric"
    raise UnsupportedModelError(
        f"{name_of(estimator)} has {given}, which is not a sum over the features, expected one of "
        f"{_SUMS}")


def _named(name: str, parameters: dict[str, Any], features: int) -> Metric | None:
    if name in ("minkowski", "p", "euclidean", "l2", "nan_euclidean", "sqeuclidean", "manhattan",
                "cityblock", "l1"):
        return _minkowski(name, parameters)
    if name == "cosine":
        return Metric(_core.Distance.cosine())
    if name == "correlation":
        return Metric(_core.Distance.cosine(), matrix=np.eye(features) - 1.0 / features)
    if name == "hamming" and parameters.get("w") is None:
        return Metric(_core.Distance.hamming(features), unit=float(features))
    if name == "seuclidean" and parameters.get("V") is not None:
        return Metric(_core.Distance(), scale=1.0 / np.sqrt(np.asarray(parameters["V"], float)))
    if name == "mahalanobis":
        return _mahalanobis(parameters)
    return None


def _minkowski(name: str, parameters: dict[str, Any]) -> Metric | None:
    powers = {"manhattan": 1.0, "cityblock": 1.0, "l1": 1.0, "minkowski": None, "p": None}
    power = powers.get(name, 2.0) or float(parameters.get("p", 2.0))
    if not np.isfinite(power) or power < 1.0:
        return None
    weights = parameters.get("w")
    scale = None if weights is None else np.asarray(weights, dtype=np.float64) ** (1.0 / power)
    if scale is not None and not np.all(scale > 0.0):
        raise UnsupportedModelError("the metric gives a feature the weight 0, expected weights above "
                                    "0: fit without that column")
    return Metric(_core.Distance(power), scale=scale, is_squared=name == "sqeuclidean")


def _mahalanobis(parameters: dict[str, Any]) -> Metric | None:
    if parameters.get("VI") is not None:
        precision = np.asarray(parameters["VI"], dtype=np.float64)
    elif parameters.get("V") is not None:
        precision = np.linalg.inv(np.asarray(parameters["V"], dtype=np.float64))
    else:
        return None
    return Metric(_core.Distance(), matrix=root_of(precision))


def root_of(precision: Floats) -> Floats:
    """M with M'M = precision. M has one row for each direction with a positive eigenvalue; constant
    and linearly dependent columns make others."""
    values, vectors = np.linalg.eigh((precision + precision.T) / 2.0)
    rounding = len(values) * np.finfo(np.float64).eps * float(np.abs(values).max())
    if values.min() < -rounding or not values.max() > 0.0:
        raise UnsupportedModelError(
            f"the inverse covariance of the Mahalanobis distance has the eigenvalue {values.min():g}, "
            "expected no negative one: fit it again with more rows or fewer columns")
    positive = values > rounding
    return np.ascontiguousarray((vectors[:, positive] * np.sqrt(values[positive])).T)


@dataclass(frozen=True)
class OwnSearch:
    """The search of a fitted estimator itself: it knows which of several equal distances count."""

    estimator: Any
    origin: Origin  # Of the rows that the estimator takes.
    is_model: bool  # The model predicts what the estimator predicts.

    def settle_ties(self, explain: Callable[..., dict[str, Any]], read: Read, columns: Columns,
                    arrays: dict[str, Any]) -> None:
        """Explains rows with ties again, with the estimator's own neighbors, so that the output is
        that of predict_proba. Where rounding makes another output, the row is a tie, too.
        `explain`: takes some of the rows, by number, and their neighbors."""
        rows = np.flatnonzero(arrays["tie"])
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*feature names")
            if len(rows) > 0:
                found = self.estimator.kneighbors(self._given(read.data[rows], columns),
                                                  return_distance=False)
                for name, values in explain(rows, np.asarray(found).tolist()).items():
                    arrays[name][rows] = values
            if len(read.features) > 0 and self._is_rounded:
                arrays["tie"] |= self._differs(self._given(read.data, columns), arrays)

    def _given(self, rows: Any, columns: Columns) -> Any:
        """The rows that the estimator takes, sparse if it was fitted on sparse ones."""
        given = Reading(rows, columns.inputs, columns.encoders).value(self.origin)
        points = self.estimator._fit_X
        return type(points)(given) if is_sparse(points) else given

    @cached_property
    def _is_rounded(self) -> bool:
        """True if distances are differences of scalar products, whose lost digits change weights by
        distance at training rows, and votes if the points are far from the origin."""
        if (getattr(self.estimator, "_fit_method", "") != "brute" or not self.is_model
                or getattr(self.estimator, "effective_metric_", "") != "euclidean"):
            return False
        points = self.estimator._fit_X
        norms = np.asarray((points.multiply(points) if is_sparse(points) else points * points
                            ).sum(axis=1), dtype=float)
        variance = norms.mean() - np.square(np.asarray(points.mean(axis=0), dtype=float)).sum()
        return bool(self.estimator.weights != "uniform" or norms.max() > _FAR * variance)

    def _differs(self, given: Any, arrays: dict[str, Any]) -> Any:
        """True for rows whose output is not that of the estimator."""
        if "value" in arrays:
            theirs, ours = np.ravel(self.estimator.predict(given)), arrays["value"]
            return np.abs(theirs - ours) > _SAME * np.abs(theirs)
        shares = self.estimator.predict_proba(given)
        votes = self.estimator.n_neighbors if self.estimator.weights == "uniform" else 1
        if "decision" not in arrays:  # Each class against the rest.
            return np.any(np.abs(2.0 * shares - 1.0 - arrays["output"] / votes) > _SAME, axis=1)
        rows = np.arange(len(shares))
        theirs = shares[rows, arrays["positive"]] - shares[rows, arrays["negative"]]
        return np.abs(theirs - arrays["decision"] / votes) > _SAME


def training_rows(estimator: Any) -> Any:
    """The rows that the estimator was fitted on, dense or sparse."""
    rows = estimator._fit_X
    if isinstance(rows, np.ndarray) or is_sparse(rows):
        return rows
    raise UnsupportedModelError(f"{name_of(estimator)} was fitted on a tree, expected an array of "
                                "rows")


def _vote(estimator: Any, points: Any, radius: float | None, point_weights: Any = (),
          outlier_class: int | None = None) -> tuple[Any, Metric]:
    weights = estimator.weights or "uniform"
    if callable(weights) or weights not in ("uniform", "distance"):
        raise UnsupportedModelError(f"{name_of(estimator)} has a function as its weights, expected "
                                    "weights='uniform' or weights='distance'")
    metric = metric_of(estimator, points.shape[1],
                       by_order=weights == "uniform" and radius is None)
    reach = None if radius is None else radius * metric.unit
    vote = _core.NeighborVote(_core.VoteWeights[weights], reach, point_weights, metric.distance,
                              outlier_class=outlier_class)
    return vote, metric


def _outlier_class(estimator: Any) -> int | None:
    """The class of rows without a neighbor. None if there is none, or if the label is no class."""
    labels = getattr(estimator, "outlier_label_", None)
    if labels is None:
        return None
    found = np.flatnonzero(estimator.classes_ == labels[0])
    return int(found[0]) if len(found) > 0 else None


def _reach(estimator: Any) -> tuple[int, float | None]:
    """k and no radius, or a radius and no k, which is 1 then."""
    if is_sklearn(estimator, "RadiusNeighborsMixin"):
        return 1, float(estimator.radius)
    return int(estimator.n_neighbors), None


def adapt_neighbors(estimator: Any, shift: float = 0.0) -> Adapted:
    """With a shift, the second class is predicted if its share of the votes is above -shift."""
    k, radius = _reach(estimator)
    if getattr(estimator, "outputs_2d_", False):
        raise UnsupportedModelError(f"{name_of(estimator)} has several targets, expected one: fit one "
                                    "model for each target")
    points, classes = training_rows(estimator), np.asarray(estimator._y, dtype=np.int64)
    weights = () if shift == 0.0 else _weights_at(estimator, -shift)[classes]
    vote, metric = _vote(estimator, points, radius, weights, _outlier_class(estimator))
    predictor = _core.NeighborModel(metric.map(points), classes, k=k, vote=vote,
                                    labels=text(estimator.classes_))
    adapted = Adapted(predictor, estimator.classes_, np.arange(points.shape[0]), **metric.front)
    if shift != 0.0:
        adapted.predict = lambda X: estimator.classes_[
            (estimator.predict_proba(X)[:, 1] > -shift).astype(int)]
    return adapted


def _weights_at(estimator: Any, share: float) -> Any:
    """The weight of a vote for each of two classes. The weighted votes are equal if the second class
    has this share of the votes."""
    if len(estimator.classes_) != 2:
        raise UnsupportedModelError(f"a threshold on the votes of a {name_of(estimator)} with "
                                    f"{len(estimator.classes_)} classes, expected two classes")
    if not 0.0 < share < 1.0:
        raise UnsupportedModelError(f"the threshold on the share of votes is {share:g}, so that all rows "
                                    "get the same prediction, expected a number between 0 and 1")
    return np.array([share, 1.0 - share])


def _have_same_points(members: list[Adapted], kind: Any) -> bool:
    """True if all members have the same points, distance and weights."""
    predictors: list[Any] = [one.predictor for one in members]
    return all(isinstance(one, kind) and one.vote == predictors[0].vote
               and np.array_equal(one.points, predictors[0].points) for one in predictors)


def one_versus_rest(members: list[Adapted], classes: Any) -> Adapted | None:
    """A neighbor model for each class against the rest. If all have the same neighbors, the largest
    share is the vote of these neighbors. None if they have not."""
    if not _have_same_points(members, _core.NeighborModel):
        return None
    first: Any = members[0].predictor
    if first.vote.outlier_class is not None or any(one.predictor.k != first.k for one in members):
        return None
    class_of = np.argmax([one.predictor.classes for one in members], axis=0)
    predictor = _core.NeighborModel(first.points, class_of, k=first.k, vote=first.vote,
                                    labels=text(classes))
    search = members[0].search and replace(members[0].search, is_model=False)
    return replace(members[0], predictor=predictor, labels=np.asarray(classes), search=search)


def mean_of_votes(members: list[Adapted], shares: Floats, classes: Any = None) -> Adapted | None:
    """The mean over members that have the same points and different k: one vote, in which the weight
    of a rank is the sum over the members that include it. None for other members."""
    members = [one for one, share in zip(members, shares) if share != 0.0]
    shares = shares[shares != 0.0]
    kind = _core.NeighborRegressor if classes is None else _core.NeighborModel
    if not members or np.any(shares < 0.0) or not _have_same_points(members, kind):
        return None
    members[0] = replace(members[0], search=None)  # Of another number of neighbors.
    first: Any = members[0].predictor
    targets = "targets" if classes is None else "classes"
    if not first.vote.is_plain or any(
            not np.array_equal(getattr(one.predictor, targets), getattr(first, targets))
            for one in members):
        return None
    ks = [one.predictor.k for one in members]
    ranks = np.zeros(max(ks))
    for k, share in zip(ks, shares):
        ranks[:k] += share / k
    vote = _core.NeighborVote(distance=first.vote.distance,
                              rank_weights=ranks.tolist() if min(ks) < max(ks) else [])
    if classes is None:
        return replace(members[0], predictor=_core.NeighborRegressor(first.points, first.targets,
                                                                     max(ks), vote))
    predictor = _core.NeighborModel(first.points, np.asarray(first.classes), k=max(ks), vote=vote,
                                    labels=text(classes))
    return replace(members[0], predictor=predictor, labels=np.asarray(classes))


def adapt_neighbor_regressor(estimator: Any) -> Adapted:
    k, radius = _reach(estimator)
    points = training_rows(estimator)
    targets = require_one_target(estimator, dense(estimator._y))
    vote, metric = _vote(estimator, points, radius)
    predictor = _core.NeighborRegressor(metric.map(points), targets, k, vote)
    return Adapted(predictor, rows=np.arange(points.shape[0]), **metric.front)


def adapt_nearest_centroid(estimator: Any) -> Adapted:
    priors = getattr(estimator, "class_prior_", None)
    if priors is not None and not np.allclose(priors, 1.0 / len(estimator.classes_)):
        raise UnsupportedModelError("NearestCentroid has unequal priors, which influence its "
                                    "prediction, expected priors='uniform'")
    centroids = dense(estimator.centroids_)
    metric = metric_of(estimator, centroids.shape[1], by_order=True)
    predictor = _core.CentroidModel(metric.map(centroids), text(estimator.classes_), metric.distance)
    return Adapted(predictor, estimator.classes_, **metric.front)


def adapt_clusters(estimator: Any) -> Adapted:
    labels = np.arange(len(estimator.cluster_centers_))
    predictor = _core.CentroidModel(dense(estimator.cluster_centers_), text(labels))
    return Adapted(predictor, labels)


def adapt_bisecting_clusters(estimator: Any) -> Adapted:
    if len(estimator.cluster_centers_) > 2:
        raise UnsupportedModelError("BisectingKMeans follows a tree, so that a row need not belong to "
                                    "the nearest center, expected two clusters")
    return adapt_clusters(estimator)
