"""A fitted object of scikit-learn opened layer by layer: searches, pipelines, calibration, thresholds,
one-vs-rest, transformed targets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._adapted import Adapted, any_function, values_of
from ._affine import Affine, Inputs
from ._estimators import adapt_estimator, needs_level
from ._linear import is_sampled_kernel
from ._neighbors import mean_of_votes, one_versus_rest
from ._probes import Multiplied, require_same_decision
from ._steps import NotExplained, apply_step, is_passed_through, require_fitted
from ._tables import Floats
from ._thresholds import (
    Cut,
    calibrated_cut,
    inside_calibration,
    is_vote,
    probability_shift,
    threshold_of,
)

_BESIDE = 1e-9  # far less than a vote


class Walk:
    """What is in front of the machine inside (inputs and x), and the machine (adapted).

    `path` is how one gets to what is opened, in Python, for advice that can be typed."""

    def __init__(self, model: Any, path: str = "model", cut: Cut | None = None,
                 start: Walk | None = None, level: float | None = None):
        """`start`: a walk that has come to here. `level`: of detectors without a threshold."""
        self.level: float | None = level if start is None else start.level
        self.took_level = False
        self.count: int = columns_of(model, path) if start is None else start.count
        self.inputs: Inputs = Inputs(self.count) if start is None else start.inputs.copy()
        self.x: Affine = Affine.of(np.arange(self.count)) if start is None else start.x
        self.steps: list[Any] = [] if start is None else list(start.steps)
        self.cut = cut or Cut()
        self.target: tuple[float, float] | None = None  # slope and offset of a regressor's output
        self.members: list[Walk] = []  # of an average
        self.adapted = self._open(model, path)

    def _open(self, model: Any, path: str) -> Adapted:
        model, path = found(model, path)
        name = type(model).__name__
        if hasattr(model, "steps") and hasattr(model, "named_steps"):
            return self._pipeline(model, path)
        if name == "CalibratedClassifierCV":
            return self._calibrated(model, path)
        if name in ("FixedThresholdClassifier", "TunedThresholdClassifierCV"):
            self.cut = threshold_of(model, self.cut, path)
            fitted = "estimator_" if hasattr(model, "estimator_") else "estimator"
            return self._open(getattr(model, fitted), f"{path}.{fitted}")
        if name == "FrozenEstimator":
            return self._open(model.estimator, f"{path}.estimator")
        if name in ("SelfTrainingClassifier", "RANSACRegressor"):
            require_fitted(model)
            return self._open(model.estimator_, f"{path}.estimator_")
        if name in ("RFE", "RFECV"):
            require_fitted(model)
            self.x = apply_step(model, self.x, self.inputs)
            self.steps.append(model)
            return self._open(model.estimator_, f"{path}.estimator_")
        if name == "OneVsRestClassifier":
            return self._one_versus_rest(model, path)
        if name == "OneVsOneClassifier":
            return self._one_versus_one(model, path)
        if name in ("VotingRegressor", "BaggingRegressor"):
            return self._mean(model, path)
        if name in ("VotingClassifier", "BaggingClassifier"):
            return self._voted(model, path)
        if name == "TransformedTargetRegressor":
            return self._transformed_target(model, path)
        return self._estimator(model, path)

    def _pipeline(self, model: Any, path: str) -> Adapted:
        last = [step for _, step in model.steps[-2:]]
        behind = 2 if len(last) > 1 and is_sampled_kernel(*last) else 1
        for number, (_, step) in enumerate(model.steps[:-behind]):
            try:
                self.x = apply_step(step, self.x, self.inputs)
            except NotExplained as error:
                raise TypeError(f"{error}. {_instead(model, number + 1, path, self.level)}") from None
            if not is_passed_through(step):
                self.steps.append(step)
        if behind == 2:
            return self._estimator(model[-2:], f"{path}[-2:]")
        return self._open(model.steps[-1][1], f"{path}[-1]")

    def _estimator(self, model: Any, path: str) -> Adapted:
        shift = self.cut.shift
        if self.cut.probability is not None:
            shift += probability_shift(model, self.cut.probability, path)
        if shift != 0.0 and is_vote(model):
            # Shares of votes are often at the threshold itself, where rounding must not decide.
            shift += _BESIDE if self.cut.is_reached else -_BESIDE
        adapted = adapt_estimator(model, shift, self.level)
        self.took_level = needs_level(model)
        if self.target is not None:
            adapted = replace(adapted, predictor=_rescaled(adapted.predictor, *self.target))
        if adapted.scale is not None:
            self.x = self.x.scaled(adapted.scale, 0.0)
            self.steps.append(Multiplied(adapted.scale))
        if adapted.matrix is not None:
            self.x = self.x.mapped(adapted.matrix, np.zeros(len(adapted.matrix)))
            self.steps.append(Multiplied(adapted.matrix))
        require_same_decision(model, adapted, shift, self.target)
        return adapted

    def _calibrated(self, model: Any, path: str) -> Adapted:
        """The sigmoid of a two-class machine moves its threshold, which is an intercept; several
        machines are explained each by itself."""
        require_fitted(model)
        fitted = model.calibrated_classifiers_
        if len(fitted) == 1:
            self.cut = calibrated_cut(model, fitted[0], self.cut, path)
            return self._open(fitted[0].estimator, f"{path}.calibrated_classifiers_[0].estimator")
        self.members = [
            Walk(one.estimator, f"{path}.calibrated_classifiers_[{n}].estimator",
                 calibrated_cut(model, one, self.cut, path), self) for n, one in enumerate(fitted)]
        if any(isinstance(member.adapted.predictor, _core.NeighborModel) for member in self.members):
            raise ValueError("the CalibratedClassifierCV averages probabilities of neighbors, expected "
                             f"ensemble=False: explain those inside: {inside_calibration(path)}")
        return self.members[0].adapted

    def _transformed_target(self, model: Any, path: str) -> Adapted:
        require_fitted(model)
        grid = np.array([[0.0], [1.0], [-3.0], [10.0], [1e3]])
        with np.errstate(all="ignore"):
            back = np.ravel(model.transformer_.inverse_transform(grid))
        slope, offset = float(back[1] - back[0]), float(back[0])
        if not np.allclose(back, slope * grid[:, 0] + offset, rtol=1e-9) or slope <= 0.0:
            raise ValueError(
                "the TransformedTargetRegressor bends or turns its target, expected a linear map "
                "upwards such as a StandardScaler: explain the regressor inside, in the transformed "
                f"target: bisector.Explainer({path}.regressor_)"
            )
        self.target = slope, offset
        return self._open(model.regressor_, f"{path}.regressor_")

    def _one_versus_rest(self, model: Any, path: str) -> Adapted:
        """One machine for each class, the largest value wins: the machine of a pair of classes is the
        difference of theirs, and the winner wins against each of the others."""
        require_fitted(model)
        if len(model.classes_) == 2 and len(model.estimators_) == 1:
            return self._of_two(model, path)
        if model.label_binarizer_.y_type_ != "multiclass":
            raise ValueError("the OneVsRestClassifier has several labels for a row, expected one: "
                             f"explain each by itself: bisector.Explainer({path}.estimators_[0])")
        walks = self._walks_of(model, path)
        neighbors = walks and one_versus_rest([walk.adapted for walk in walks], model.classes_)
        if neighbors:
            return neighbors
        machines = self._machines_of(model, path, walks, _two_class_machine)
        return _joined(machines, model.classes_, [walk.adapted.rows for walk in walks])

    def _of_two(self, model: Any, path: str) -> Adapted:
        """The only member, which learned 0 and 1."""
        adapted = self._open(model.estimators_[0], f"{path}.estimators_[0]")
        labels: Any = adapted.labels
        return replace(adapted, labels=np.asarray(model.classes_)[np.asarray(labels, dtype=int)])

    def _one_versus_one(self, model: Any, path: str) -> Adapted:
        """A machine for each pair of classes; each is one vote, and of equal votes the sums of the
        decision values decide."""
        require_fitted(model)
        if len(model.classes_) == 2:
            return self._of_two(model, path)
        machines = self._machines_of(model, path, self._walks_of(model, path), _two_class_machine)
        return _voting(machines, model.classes_)

    def _mean(self, model: Any, path: str) -> Adapted:
        """Regressors whose predictions are averaged: of machines with one kernel, the sum of all."""
        require_fitted(model)
        of_columns = getattr(model, "estimators_features_", [])
        if any(not np.array_equal(columns, np.arange(self.count)) for columns in of_columns):
            raise ValueError(
                f"the {type(model).__name__} gives its members different columns, expected "
                f"max_features=1.0: explain one at a time: bisector.Explainer({path}.estimators_[0])("
                f"X[:, {path}.estimators_features_[0]])"
            )
        walks, shares = self._walks_of(model, path), _shares_of(model)
        adapted = mean_of_votes([walk.adapted for walk in walks], shares)
        if adapted is None:
            machines = self._machines_of(model, path, walks, _regression_machine)
            adapted = _summed(machines, shares)
        if self.target is None:
            return adapted
        return replace(adapted, predictor=_rescaled(adapted.predictor, *self.target))

    def _voted(self, model: Any, path: str) -> Adapted:
        """A soft vote of neighbors: the mean of their shares."""
        require_fitted(model)
        if getattr(model, "voting", None) == "soft" and self.cut == Cut():
            walks = self._walks_of(model, path)
            adapted = mean_of_votes([walk.adapted for walk in walks], _shares_of(model), model.classes_)
            if adapted is not None:
                return adapted
        one, every = _one_at_a_time(model, path), _any_function(model, path)
        raise ValueError(
            f"the {type(model).__name__} counts what its members predict or averages their probabilities, "
            "which no single machine does but for a soft vote of KNeighborsClassifiers of uniform weights, "
            f"expected such or one of them: {one if one == every else f'{every}, or {one}'}"
        )

    def _walks_of(self, model: Any, path: str) -> list[Walk]:
        """To all members, which have the same steps before them; none where they have not, or where
        one is refused."""
        try:
            walks = [Walk(one, f"{path}.estimators_[{n}]", start=self)
                     for n, one in enumerate(model.estimators_)]
        except (TypeError, ValueError):
            return []
        if not all(_is_same(walks[0], walk) for walk in walks):
            return []
        self.x, self.inputs, self.steps = walks[0].x, walks[0].inputs, walks[0].steps
        return walks

    def _machines_of(self, model: Any, path: str, walks: list[Walk], machine_of: Any) -> list[Any]:
        """The machines of all members, which have the same kernel."""
        machines = [machine_of(walk) for walk in walks]
        if not machines or any(machine is None or machine.kernel != machines[0].kernel
                               for machine in machines):
            raise ValueError(
                f"the {type(model).__name__} has members that are no machines of one kernel behind the "
                "same steps, expected such, for instance with gamma as a number: "
                f"{_one_at_a_time(model, path)}"
            )
        return machines


def found(model: Any, path: str = "model") -> tuple[Any, str]:
    """What a search found."""
    from sklearn.model_selection._search import BaseSearchCV

    if not isinstance(model, BaseSearchCV):
        return model, path
    if not hasattr(model, "best_estimator_"):
        raise ValueError(
            f"the {type(model).__name__} has no best_estimator_, expected a fitted one with "
            "refit=True"
        )
    return found(model.best_estimator_, f"{path}.best_estimator_")


def columns_of(model: Any, path: str = "model") -> int:
    """How many columns the data have, which the first step knows that looks at them."""
    count = getattr(model, "n_features_in_", None)
    if count is None and hasattr(model, "shape_fit_"):  # an SVM with a kernel of the user's
        count = model.shape_fit_[1]
    if count is None and hasattr(model, "X_train_"):  # one class of a Gaussian process
        count = model.X_train_.shape[1]
    if count is None and type(model).__module__.split(".")[0] == "pyod":
        inside = next((getattr(model, name) for name in ("neigh_", "detector_", "kde_")
                       if hasattr(model, name)), None)
        count = getattr(inside, "n_features_in_", None)
    if count is not None:
        return int(count)
    for number, (_, step) in enumerate(getattr(model, "steps", [])):
        if is_passed_through(step):
            continue
        if hasattr(step, "transform") and _takes_no_table(step):
            raise TypeError(
                f"{type(step).__name__} takes texts or records and no table, so there are no columns "
                "to explain. Apply it to the data first and explain what is behind it, about the "
                f"columns that it makes: bisector.Explainer({path}[{number + 1}:])({path}"
                f"[:{number + 1}].transform(X))"
            )
        return columns_of(step, path)
    require_fitted(model)
    inside = getattr(model, "estimator_", None) or getattr(model, "estimator", None)
    if inside is not None:
        return columns_of(inside, path)
    raise ValueError(
        f"the {type(model).__name__} is not fitted, expected a fitted one: call fit first"
    )


def _takes_no_table(step: Any) -> bool:
    if "feature_extraction" not in type(step).__module__:
        return False
    require_fitted(step)
    return True


def _rescaled(predictor: Any, slope: float, offset: float) -> Any:
    """A regressor in the units in front of the transformation of its target."""
    if isinstance(predictor, _core.NeighborRegressor):
        return _core.NeighborRegressor(predictor.points, slope * np.asarray(predictor.targets) + offset,
                                       predictor.k, predictor.vote)
    machine, mean = predictor.machine, predictor.target_mean
    return _core.KernelRegressor(
        _core.KernelMachine(machine.points, slope * np.asarray(machine.coefficients), machine.kernel,
                            slope * machine.intercept + offset),
        None if mean is None else slope * mean + offset)


def _shares_of(model: Any) -> Floats:
    """What each member counts in a mean."""
    weights = getattr(model, "_weights_not_none", None)
    if weights is None:
        weights = np.ones(len(model.estimators_))
    shares: Floats = np.asarray(weights, dtype=np.float64) / np.sum(weights)
    return shares


def _one_at_a_time(model: Any, path: str) -> str:
    """What to do about several members: one of them, where it can be explained."""
    try:
        Walk(model.estimators_[0])
    except (TypeError, ValueError):
        return _any_function(model, path)
    return f"explain one at a time: bisector.Explainer({path}.estimators_[0])"


def _any_function(model: Any, path: str) -> str:
    return any_function(model).replace("model.", f"{path}.")


def _instead(model: Any, number: int, path: str, level: float | None) -> str:
    """What to do about a step that cannot be explained through: what is behind it, where that can be
    explained, or a method for any function."""
    sampled = "" if "Sampler" not in type(model.steps[number - 1][1]).__name__ else (
        "Nystroem in its place makes a linear model behind it a kernel machine. ")
    try:
        Walk(model[number:], level=level)
    except (TypeError, ValueError):
        return (f"{sampled}What is behind it cannot be explained by itself either, expected one of the steps "
                f"and models in the guide: {_any_function(model, path)}")
    return (f"{sampled}Apply it to the data first and explain what is behind it, about the columns "
            f"that it makes: bisector.Explainer({path}[{number}:])({path}[:{number}].transform(X))")


def _two_class_machine(walk: Walk) -> _core.KernelMachine | None:
    """Positive for the class against the rest."""
    predictor = walk.adapted.predictor
    if not isinstance(predictor, _core.KernelClassifier) or len(predictor.labels) != 2:
        return None
    return _core.KernelMachine(predictor.points, np.ravel(predictor.coefficients),
                               predictor.kernel, float(predictor.intercepts[0]))


def _regression_machine(walk: Walk) -> _core.KernelMachine | None:
    predictor = walk.adapted.predictor
    return predictor.machine if isinstance(predictor, _core.KernelRegressor) else None


def _is_same(one: Walk, other: Walk) -> bool:
    """The same features and the same map behind them. Encoders are compared by what they learned."""
    if other.cut != Cut() or one.inputs.features != other.inputs.features or one.x.outputs != other.x.outputs:
        return False
    if not np.array_equal(one.x.source, other.x.source):
        return False
    if any(repr(a.transformer) != repr(b.transformer) or repr(vars(a.transformer)) !=
           repr(vars(b.transformer)) for a, b in zip(one.inputs.encoders, other.inputs.encoders)):
        return False
    rows = np.random.default_rng(0).normal(size=(3, len(one.x.source)))
    return bool(np.allclose(one.x(rows), other.x(rows), rtol=1e-12, atol=0.0))


def _joined(machines: list[Any], classes: Any, rows: list[Any]) -> Adapted:
    """One machine for each class over the points of all."""
    counts = [len(machine.coefficients) for machine in machines]
    ends = np.cumsum([0, *counts])
    coefficients = np.zeros((len(machines), ends[-1]))
    for n, machine in enumerate(machines):
        coefficients[n, ends[n]:ends[n + 1]] = machine.coefficients
    predictor = _core.KernelClassifier.one_vs_rest(
        np.vstack([np.asarray(machine.points) for machine in machines]), coefficients,
        np.array([machine.intercept for machine in machines]), machines[0].kernel,
        [str(label) for label in classes])
    known = all(part is not None for part in rows)
    return Adapted(predictor, np.asarray(classes), np.concatenate(rows) if known else None)


def _voting(machines: list[Any], classes: Any) -> Adapted:
    """Machine (a, b), a < b, speaks for b where it is above zero. The points of each of its sides
    stand with those of the side's class, and count for this pair alone."""
    pairs = [(a, b) for a in range(len(classes)) for b in range(a + 1, len(classes))]
    blocks: list[list[tuple[Any, int, Any]]] = [[] for _ in classes]
    for (a, b), machine in zip(pairs, machines):
        coefficients, points = -np.asarray(machine.coefficients), np.asarray(machine.points)
        for c, row, side in ((a, b - 1, coefficients >= 0.0), (b, a, coefficients < 0.0)):
            blocks[c].append((points[side], row, coefficients[side]))
    counts = [sum(len(points) for points, _, _ in own) for own in blocks]
    everything = [block for own in blocks for block in own]
    weights = np.zeros((len(classes) - 1, sum(counts)))
    first = 0
    for points, row, coefficients in everything:
        weights[row, first:first + len(points)] = coefficients
        first += len(points)
    predictor = _core.KernelClassifier(
        np.vstack([points for points, _, _ in everything]), np.array(counts), weights,
        np.array([-machine.intercept for machine in machines]), machines[0].kernel,
        [str(label) for label in classes]).with_broken_ties()
    return Adapted(predictor, np.asarray(classes))


def _summed(machines: list[Any], shares: Floats) -> Adapted:
    """The weighted sum of regressors: one machine over the points of all."""
    points = np.vstack([np.asarray(machine.points) for machine in machines])
    coefficients = np.concatenate([share * np.asarray(machine.coefficients)
                                   for share, machine in zip(shares, machines)])
    intercept = float(sum(share * machine.intercept for share, machine in zip(shares, machines)))
    machine = _core.KernelMachine(points, coefficients, machines[0].kernel, intercept)
    mean = float(values_of(machine, points).mean())
    return Adapted(_core.KernelRegressor(machine, mean))
