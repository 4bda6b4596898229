"""Kernel machines of an ensemble as one predictor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable

import numpy as np

from . import _core
from ._adapted import Adapted, values_of
from ._tables import Floats
from .errors import UnsupportedModelError


def two_class_machine(adapted: Adapted) -> _core.KernelMachine | None:
    """The machine of two classes, which is positive for the second one."""
    predictor = adapted.predictor
    if not isinstance(predictor, _core.KernelClassifier) or len(predictor.labels) != 2:
        return None
    return _core.KernelMachine(predictor.points, np.ravel(predictor.coefficients),
                               predictor.kernel, float(predictor.intercepts[0]))


def regression_machine(adapted: Adapted) -> _core.KernelMachine | None:
    predictor = adapted.predictor
    return predictor.machine if isinstance(predictor, _core.KernelRegressor) else None


def machines_of(model: Any, members: list[Adapted],
                machine_of: Callable[[Adapted], _core.KernelMachine | None]) -> list[Any]:
    """The machines of all members, which must have the same kernel."""
    machines: list[Any] = [machine_of(one) for one in members]
    if not machines or any(machine is None or machine.kernel != machines[0].kernel
                           for machine in machines):
        raise UnsupportedModelError(
            f"the {type(model).__name__} has members of different kinds, expected machines of one "
            "kernel behind the same steps, for example with gamma as a number")
    return machines


def joined(machines: list[Any], classes: Any, rows: list[Any]) -> Adapted:
    """One machine for each class, over the points of all machines."""
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


def voting(machines: list[Any], classes: Any) -> Adapted:
    """Machine (a, b), a < b, predicts b if its value is above zero. The points of each side are
    stored with the side's class, and have coefficients for this pair only."""
    pairs = [(a, b) for a in range(len(classes)) for b in range(a + 1, len(classes))]
    blocks: list[list[tuple[Any, int, Any]]] = [[] for _ in classes]
    for (a, b), machine in zip(pairs, machines):
        coefficients, points = -np.asarray(machine.coefficients), np.asarray(machine.points)
        for c, row, side in ((a, b - 1, coefficients >= 0.0), (b, a, coefficients < 0.0)):
            blocks[c].append((points[side], row, coefficients[side]))
    counts = [sum(len(points) for points, _, _ in own) for own in blocks]
    all_blocks = [block for own in blocks for block in own]
    weights = np.zeros((len(classes) - 1, sum(counts)))
    first = 0
    for points, row, coefficients in all_blocks:
        weights[row, first:first + len(points)] = coefficients
        first += len(points)
    predictor = _core.KernelClassifier(
        np.vstack([points for points, _, _ in all_blocks]), weights,
        np.array([-machine.intercept for machine in machines]), machines[0].kernel,
        [str(label) for label in classes], points_per_class=np.array(counts)).with_broken_ties()
    return Adapted(predictor, np.asarray(classes))


def summed(machines: list[Any], weights: Floats) -> Adapted:
    """The weighted sum of regressors: one machine over the points of all machines."""
    points = np.vstack([np.asarray(machine.points) for machine in machines])
    coefficients = np.concatenate([weight * np.asarray(machine.coefficients)
                                   for weight, machine in zip(weights, machines)])
    intercept = float(sum(weight * machine.intercept for weight, machine in zip(weights, machines)))
    machine = _core.KernelMachine(points, coefficients, machines[0].kernel, intercept)
    mean = float(values_of(machine, points).mean())
    return Adapted(_core.KernelRegressor(machine, mean))


def calibrated(adapted: Adapted, one: Any) -> Adapted | None:
    """The machines whose largest score is the largest calibrated probability of a class; None if
    there are no such machines. `one` is a member of a CalibratedClassifierCV."""
    predictor = adapted.predictor
    if not isinstance(predictor, _core.KernelClassifier):
        return None
    has_machine_per_class = predictor.arrangement == _core.Arrangement.one_vs_rest
    if one.method == "temperature":  # Multiplies all scores by one positive number.
        return adapted if has_machine_per_class else replace(
            adapted, predictor=predictor.with_broken_ties())
    if one.method != "sigmoid" or not has_machine_per_class:
        return None
    # The value of each machine becomes the logit of the probability of its class.
    slopes = np.array([-sigmoid.a_ for sigmoid in one.calibrators])
    offsets = np.array([-sigmoid.b_ for sigmoid in one.calibrators])
    return replace(adapted, predictor=_core.KernelClassifier.one_vs_rest(
        predictor.points, slopes[:, None] * np.asarray(predictor.coefficients),
        slopes * np.asarray(predictor.intercepts) + offsets, predictor.kernel, predictor.labels))


def rescaled(predictor: Any, slope: float, offset: float) -> Any:
    """A regressor in the unit of its target before the transformation."""
    if isinstance(predictor, _core.NeighborRegressor):
        return _core.NeighborRegressor(
            predictor.points, slope * np.asarray(predictor.targets) + offset, predictor.k,
            predictor.vote)
    machine, mean = predictor.machine, predictor.target_mean
    return _core.KernelRegressor(
        _core.KernelMachine(machine.points, slope * np.asarray(machine.coefficients), machine.kernel,
                            slope * machine.intercept + offset),
        None if mean is None else slope * mean + offset)
