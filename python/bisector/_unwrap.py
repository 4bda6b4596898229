"""A fitted object of scikit-learn, unwrapped layer by layer: searches, pipelines, calibration,
thresholds, one-vs-rest, ensembles, transformed targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._adapted import Adapted
from ._affine import Affine, Inputs
from ._columns import Feature, Transformed
from ._estimators import adapt_estimator, needs_level, require_supported
from ._kinds import is_sklearn
from ._linear import is_sampled_kernel
from ._links import Link
from ._machines import (calibrated, joined, machines_of, regression_machine, rescaled, summed,
                        two_class_machine, voting)
from ._neighbors import OwnSearch, mean_of_votes, one_versus_rest
from ._probes import MatrixStep, require_same_decision
from ._smooth import SmoothStep, Stage, smooth_step
from ._state import is_same_state
from ._steps import (UnsupportedStepError, apply_step, is_passed_through, is_pipeline, not_fitted,
                     require_fitted)
from ._tables import Floats
from ._thresholds import (Threshold, calibrated_threshold, is_vote, link_of, probability_shift,
                          threshold_of)
from .errors import UnsupportedModelError

_SMALL_SHARE = 1e-9  # Much less than one vote.


class Unwrapped:
    """The predictor inside a model (`adapted`), and the steps before it (`inputs` and `x`).

    Parameters
    ----------
    model : estimator
        The fitted object.
    path : str, default=""
        How to reach the object from `model` in Python; empty if the rows that it takes are not
        those of the outermost model.
    threshold : Threshold, optional
        The threshold of the outer layers.
    start : Unwrapped, optional
        The outer layers, for a member of an ensemble.
    level : float, optional
        The threshold of a detector that has none.
    """

    level: float | None
    count: int  # Of the columns of the stage.
    inputs: Inputs
    x: Affine
    steps: list[Any]
    stages: list[Stage]

    def __init__(self, model: Any, path: str = "", threshold: Threshold | None = None,
                 start: Unwrapped | None = None, level: float | None = None):
        self.has_level = False
        if start is None:
            self.level = level
            self._begin_stage(columns_of(model))
            self.stages = []
        else:
            self.level, self.count = start.level, start.count
            self.inputs, self.x = start.inputs.copy(), start.x
            self.steps, self.stages = list(start.steps), list(start.stages)
        self.threshold = threshold or Threshold()
        self.target: tuple[float, float] | None = None  # Slope and offset of a regressor's output.
        self.members: list[Unwrapped] = []  # Of an average.
        self.link: Link | None = None  # From decision values to probabilities.
        self.adapted = self._unwrap(model, path)
        self._use_transformers()

    def _begin_stage(self, columns: int) -> None:
        self.count = columns
        self.inputs = Inputs([Feature(column) for column in range(columns)])
        self.x = Affine.of_columns(columns)
        self.steps = []

    def _unwrap(self, model: Any, path: str) -> Adapted:
        model, path = search_result(model, path)
        name = type(model).__name__
        if is_pipeline(model):
            return self._pipeline(model, path)
        if name == "CalibratedClassifierCV":
            return self._calibrated(model)
        if name in ("FixedThresholdClassifier", "TunedThresholdClassifierCV"):
            self.threshold = threshold_of(model, self.threshold)
            inside = self._unwrap(getattr(model, "estimator_", None) or model.estimator, "")
            return inside if getattr(model, "refit", True) else inside.fitted_on(None)
        if name == "FrozenEstimator":
            return self._unwrap(model.estimator, "")
        if name in ("SelfTrainingClassifier", "RANSACRegressor"):
            require_fitted(model)
            is_used = (model.inlier_mask_ if name == "RANSACRegressor"
                       else model.labeled_iter_ >= 0)
            return self._unwrap(model.estimator_, "").fitted_on(np.flatnonzero(is_used))
        if name in ("RFE", "RFECV"):
            require_fitted(model)
            self.x = apply_step(model, self.x, self.inputs)
            self.steps.append(model)
            return self._unwrap(model.estimator_, "")
        if name == "OneVsRestClassifier":
            return self._one_versus_rest(model)
        if name == "OneVsOneClassifier":
            return self._one_versus_one(model)
        if name in ("VotingRegressor", "BaggingRegressor"):
            return self._mean(model)
        if name in ("VotingClassifier", "BaggingClassifier"):
            return self._voted(model)
        if name == "TransformedTargetRegressor":
            return self._transformed_target(model)
        return self._estimator(model)

    def _pipeline(self, model: Any, path: str) -> Adapted:
        last = [step for _, step in model.steps[-2:]]
        behind = 2 if len(last) > 1 and is_sampled_kernel(*last) else 1
        for number, (_, step) in enumerate(model.steps[:-behind]):
            try:
                self._apply(step)
            except UnsupportedStepError as error:
                raise _explained_behind(error, model, number + 1, path, self.level) from None
        adapted = (self._estimator(model[-2:]) if behind == 2
                   else self._unwrap(model.steps[-1][1], ""))
        for _, step in reversed(model.steps[:-behind]):
            if hasattr(step, "fit_resample"):
                adapted = adapted.fitted_on(getattr(step, "sample_indices_", None))
        return adapted

    def _apply(self, step: Any) -> None:
        """One step of a pipeline, which may be a pipeline."""
        if is_pipeline(step):
            for _, inner in step.steps:
                self._apply(inner)
            return
        try:
            self.x = apply_step(step, self.x, self.inputs)
        except UnsupportedStepError:
            smooth = smooth_step(step)
            if smooth is None or (self.stages and self.inputs.encoders):
                raise
            self._enter_stage(smooth)
            return
        if not is_passed_through(step):
            self.steps.append(step)

    def _enter_stage(self, step: SmoothStep) -> None:
        """A smooth step ends a stage. The columns of the next stage are its outputs."""
        self.stages.append(Stage(self.inputs, self.x, self.steps, self.count, step))
        self._begin_stage(step.outputs(self.x.outputs))

    def _estimator(self, model: Any) -> Adapted:
        shift = self.threshold.shift
        if self.threshold.probability is not None:
            shift += probability_shift(model, self.threshold.probability)
        if shift != 0.0 and is_vote(model):
            # Shares of votes are often equal to the threshold, where rounding must not matter.
            shift += _SMALL_SHARE if self.threshold.is_reached else -_SMALL_SHARE
        adapted = adapt_estimator(model, shift, self.level)
        self.has_level = needs_level(model)
        if is_sklearn(model, "KNeighborsMixin") and not self.stages and isinstance(
                adapted.predictor, (_core.NeighborModel, _core.NeighborRegressor)):
            adapted.search = OwnSearch(model, self.x.origin, self.target is None and shift == 0.0)
        if self.target is not None:
            adapted = replace(adapted, predictor=rescaled(adapted.predictor, *self.target))
        for factor in (adapted.scale, adapted.matrix):
            if factor is not None:
                step = MatrixStep(factor)
                origin = Transformed(step, self.x.origin)
                self.x = (self.x.scaled(factor, 0.0, origin) if factor.ndim == 1 else
                          self.x.mapped(factor, np.zeros(len(factor)), origin))
                self.steps.append(step)
        require_same_decision(model, adapted, shift, self.target)
        self.link = link_of(model, self.threshold, shift)
        return adapted

    def _use_transformers(self) -> None:
        """Takes the model's features from the transformers themselves if the model compares
        categories, which the rounding of the affine map would change."""
        categories = _categories(self.adapted.predictor)
        origin, owners = self.x.origin, self.x.owners(self.inputs.features)
        if categories is None or not (self.stages or isinstance(origin, Transformed)):
            return
        if self.stages or owners is None or not isinstance(origin, Transformed):
            raise UnsupportedModelError("the distance compares values for equality behind a step "
                                        "that mixes the columns, expected another metric or no "
                                        "such step")
        if self.x.matrix is not None or np.any(self.x.scale[categories] != 1.0) or np.any(
                self.x.shift[categories] != 0.0):
            self.x = self.inputs.encode(origin, self.x, owners)

    def _calibrated(self, model: Any) -> Adapted:
        """The sigmoid of a two-class machine moves its threshold, which is an intercept. Several
        machines are explained one by one."""
        require_fitted(model)
        fitted = model.calibrated_classifiers_
        if len(model.classes_) > 2:
            return self._calibrated_classes(model)
        if len(fitted) == 1:
            self.threshold = calibrated_threshold(model, fitted[0], self.threshold)
            adapted = self._unwrap(fitted[0].estimator, "")
            of_all = model.ensemble is False or model.cv == "prefit" or (
                type(model.estimator).__name__ == "FrozenEstimator")
            return adapted if of_all else adapted.fitted_on(None)
        self.members = [
            Unwrapped(one.estimator, "", calibrated_threshold(model, one, self.threshold), self)
            for one in fitted]
        if any(isinstance(one.adapted.predictor, _core.NeighborModel) for one in self.members):
            raise UnsupportedModelError("the CalibratedClassifierCV averages the probabilities of "
                                        "neighbors, expected ensemble=False")
        return self.members[0].adapted

    def _calibrated_classes(self, model: Any) -> Adapted:
        """More than two classes: the largest calibrated probability wins. It is that of the largest
        score, if the classes have scores."""
        fitted = model.calibrated_classifiers_
        if len(fitted) == 1 and self.threshold == Threshold():
            adapted = calibrated(self._unwrap(fitted[0].estimator, ""), fitted[0])
            if adapted is not None:
                return adapted
        raise UnsupportedModelError(
            f"the CalibratedClassifierCV of {len(model.classes_)} classes averages probabilities or "
            "calibrates votes, expected method='sigmoid' and ensemble=False, and a model with one "
            "machine for each class (a linear model or a OneVsRestClassifier)")

    def _transformed_target(self, model: Any) -> Adapted:
        require_fitted(model)
        grid = np.array([[0.0], [1.0], [-3.0], [10.0], [1e3]])
        with np.errstate(all="ignore"):
            back = np.ravel(model.transformer_.inverse_transform(grid))
        slope, offset = float(back[1] - back[0]), float(back[0])
        if not np.allclose(back, slope * grid[:, 0] + offset, rtol=1e-9) or slope <= 0.0:
            raise UnsupportedModelError("the TransformedTargetRegressor has a target that is not "
                                        "an increasing linear function of the transformed target, "
                                        "expected a step such as a StandardScaler, or model.regressor_, "
                                        "which predicts the transformed target")
        self.target = slope, offset
        return self._unwrap(model.regressor_, "")

    def _one_versus_rest(self, model: Any) -> Adapted:
        """One machine for each class; the largest value wins. The machine of a pair of classes is
        the difference of two machines, and the winner wins against each other class."""
        require_fitted(model)
        if model.label_binarizer_.y_type_ not in ("multiclass", "binary"):
            raise UnsupportedModelError("the OneVsRestClassifier has several labels for a row, "
                                        "expected one label")
        if len(model.estimators_) == 1:
            return self._two_classes(model)
        members = self._adapted_members(model)
        neighbors = members and one_versus_rest(members, model.classes_)
        if neighbors:
            return neighbors
        return joined(machines_of(model, members, two_class_machine), model.classes_,
                      [one.rows for one in members])

    def _two_classes(self, model: Any) -> Adapted:
        """The only member, which learned the labels 0 and 1."""
        adapted = self._unwrap(model.estimators_[0], "")
        labels: Any = adapted.labels
        return replace(adapted, labels=np.asarray(model.classes_)[np.asarray(labels, dtype=int)])

    def _one_versus_one(self, model: Any) -> Adapted:
        """A machine for each pair of classes. Each has one vote; the sums of the decision values
        decide between classes with equal votes."""
        require_fitted(model)
        if len(model.classes_) == 2:
            return self._two_classes(model)
        members = self._adapted_members(model)
        return voting(machines_of(model, members, two_class_machine), model.classes_)

    def _mean(self, model: Any) -> Adapted:
        """Regressors whose predictions are averaged. The mean of machines with one kernel is one
        machine."""
        require_fitted(model)
        columns_of_members = getattr(model, "estimators_features_", [])
        if any(not np.array_equal(columns, np.arange(self.x.outputs))
               for columns in columns_of_members):
            raise UnsupportedModelError(f"the {type(model).__name__} gives its members different "
                                        "columns, expected max_features=1.0")
        members, weights = self._adapted_members(model), _member_weights(model)
        adapted = mean_of_votes(members, weights)
        if adapted is None:
            adapted = summed(machines_of(model, members, regression_machine), weights)
        if self.target is None:
            return adapted
        return replace(adapted, predictor=rescaled(adapted.predictor, *self.target))

    def _voted(self, model: Any) -> Adapted:
        """A soft vote of neighbors: the mean of their shares."""
        require_fitted(model)
        if getattr(model, "voting", None) == "soft" and self.threshold == Threshold():
            adapted = mean_of_votes(self._adapted_members(model), _member_weights(model),
                                    model.classes_)
            if adapted is not None:
                return adapted
        raise UnsupportedModelError(
            f"the {type(model).__name__} counts the predictions of its members or averages their "
            "probabilities, expected a soft vote of KNeighborsClassifiers with uniform weights")

    def _adapted_members(self, model: Any) -> list[Adapted]:
        """All members, if they have the same steps before them; else an empty list."""
        try:
            members = [Unwrapped(one, start=self) for one in model.estimators_]
        except (TypeError, ValueError):
            return []
        if not all(_has_same_steps(members[0], one) for one in members):
            return []
        self.x, self.inputs, self.steps = members[0].x, members[0].inputs, members[0].steps
        self.stages, self.count = members[0].stages, members[0].count
        if hasattr(model, "estimators_samples_"):  # Each member has drawn rows of its own.
            return [one.adapted.fitted_on(None) for one in members]
        return [one.adapted for one in members]


def search_result(model: Any, path: str = "model") -> tuple[Any, str]:
    """The model that a search found, and its path."""
    if not is_sklearn(model, "BaseSearchCV"):
        return model, path
    if not hasattr(model, "best_estimator_"):
        raise ValueError(
            f"the {type(model).__name__} has no best_estimator_, expected a fitted search with "
            "refit=True"
        )
    return search_result(model.best_estimator_, path and f"{path}.best_estimator_")


def columns_of(model: Any) -> int:
    """The number of columns of the data, which the first step knows."""
    count = getattr(model, "n_features_in_", None)
    if count is None and hasattr(model, "shape_fit_"):  # An SVM with a kernel of the user.
        count = model.shape_fit_[1]
    if count is None and hasattr(model, "X_train_"):  # One class of a Gaussian process.
        count = model.X_train_.shape[1]
    if count is None and type(model).__module__.split(".")[0] == "pyod":
        require_supported(model)
        inside = next((getattr(model, name) for name in ("neigh_", "detector_", "kde_")
                       if hasattr(model, name)), None)
        count = getattr(inside, "n_features_in_", None)
    if count is not None:
        return int(count)
    for _, step in getattr(model, "steps", []):
        if not is_passed_through(step):
            return columns_of(step)
    require_fitted(model)
    inside = getattr(model, "estimator_", None) or getattr(model, "estimator", None)
    if inside is not None:
        return columns_of(inside)
    if "feature_extraction" in type(model).__module__:
        raise UnsupportedStepError(model, "it takes records and no table")
    require_supported(model)
    raise not_fitted(model)


def _categories(predictor: Any) -> Any:
    """True for the features that a distance compares as categories; None if there are none."""
    distance = getattr(getattr(predictor, "vote", predictor), "distance", None)
    categories = getattr(distance, "categories", None)
    return np.asarray(categories) > 0.0 if categories else None


def _member_weights(model: Any) -> Floats:
    """The weight of each member in a mean; the sum is 1."""
    weights = getattr(model, "_weights_not_none", None)
    if weights is None:
        weights = np.ones(len(model.estimators_))
    shares: Floats = np.asarray(weights, dtype=np.float64) / np.sum(weights)
    return shares


def _explained_behind(error: UnsupportedStepError, model: Any, number: int, path: str,
                      level: float | None) -> UnsupportedModelError:
    """Advises to explain the part behind a step, if the part can be explained on its own."""
    problem = error.problem
    if "Sampler" in type(model.steps[number - 1][1]).__name__:
        problem += " (a Nystroem in its place makes a linear model behind it a kernel machine)"
    if path:
        try:
            Unwrapped(model[number:], level=level)
            return UnsupportedModelError(
                problem, f"bisector.Explainer({path}[{number}:])({path}[:{number}].transform(X))")
        except (TypeError, ValueError):
            pass
    return UnsupportedModelError(problem)


def _has_same_steps(one: Unwrapped, other: Unwrapped) -> bool:
    """True if both have the same features and the same map. Encoders are compared by their fitted
    state."""
    if other.threshold != Threshold() or one.inputs.features != other.inputs.features:
        return False
    if one.stages != other.stages:  # Stages of the members themselves are not compared.
        return False
    return one.x.is_same(other.x) and all(
        is_same_state(a.transformer, b.transformer)
        for a, b in zip(one.inputs.encoders, other.inputs.encoders))
