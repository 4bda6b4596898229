"""Steps that mix columns and have a derivative, such as a Normalizer. Relevance is mapped back
through them by gradients on paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from ._affine import Affine, Inputs
from ._columns import Columns, transformed
from ._kinds import is_of_sklearn
from ._probes import require_same_features
from ._tables import Floats
from .errors import UnsupportedModelError


class SmoothStep:
    """A fitted transformer and its derivative."""

    def __init__(self, transformer: Any):
        self.transformer = transformer

    @property
    def name(self) -> str:
        return type(self.transformer).__name__

    def __call__(self, x: Floats) -> Floats:
        if len(x) == 0:  # Which scikit-learn refuses.
            return np.empty((0, self.outputs(x.shape[1])))
        return transformed(self.transformer, x)

    def outputs(self, inputs: int) -> int:
        """The number of outputs."""
        return inputs

    def gradient(self, x: Floats, after: Floats) -> Floats:
        """The gradient by x, from the gradient by the outputs."""
        raise NotImplementedError


class UnitLength(SmoothStep):
    """A Normalizer: z = x / |x| with the Jacobian (I - z n^T) / |x|, where n is the derivative of
    |x|. Rows of zeros stay as they are."""

    def gradient(self, x: Floats, after: Floats) -> Floats:
        norm = self.transformer.norm
        if norm == "l2":
            length = np.sqrt((x * x).sum(axis=1, keepdims=True))
            slope = np.divide(x, length, out=np.zeros_like(x), where=length > 0.0)
        elif norm == "l1":
            length, slope = np.abs(x).sum(axis=1, keepdims=True), np.sign(x)
        else:
            largest = np.abs(x).argmax(axis=1)[:, None]
            length, slope = np.abs(np.take_along_axis(x, largest, axis=1)), np.zeros_like(x)
            np.put_along_axis(slope, largest, np.sign(np.take_along_axis(x, largest, axis=1)), 1)
        length = np.where(length > 0.0, length, 1.0)
        along = (after * x).sum(axis=1, keepdims=True) / length
        return np.asarray((after - along * slope) / length)


class Products(SmoothStep):
    """PolynomialFeatures: every output is a product of powers of the inputs."""

    def outputs(self, inputs: int) -> int:
        return len(self.transformer.powers_)

    def gradient(self, x: Floats, after: Floats) -> Floats:
        powers = self.transformer.powers_
        result = np.zeros_like(x)
        for column in range(x.shape[1]):
            used = np.flatnonzero(powers[:, column])
            for output in used:
                lower = powers[output].copy()
                lower[column] -= 1
                factors = np.flatnonzero(lower)
                slope = np.prod(x[:, factors] ** lower[factors], axis=1)
                result[:, column] += after[:, output] * powers[output, column] * slope
        return result


def smooth_step(step: Any) -> SmoothStep | None:
    """The step with its derivative; None if none is known. Subclasses may transform otherwise."""
    kind = type(step)
    known = {"Normalizer": UnitLength, "PolynomialFeatures": Products}.get(kind.__name__)
    return known(step) if known is not None and is_of_sklearn(kind) else None


def behind_smooth_steps(model: Any) -> int | None:
    """The number of steps of a pipeline up to the last smooth step; None if model is no pipeline, or
    if the smooth step is part of its last step."""
    steps = [step for _, step in getattr(model, "steps", [])[:-1]]
    numbers = [n for n, step in enumerate(steps, 1) if _is_smooth(step)]
    return numbers[-1] if numbers and not _is_smooth(model.steps[-1][1]) else None


def _is_smooth(step: Any) -> bool:
    """True for a smooth step, and for a pipeline that has one."""
    return smooth_step(step) is not None or any(
        _is_smooth(inner) for _, inner in getattr(step, "steps", []))


@dataclass(frozen=True, eq=False)
class Stage:
    """The part of a pipeline up to a smooth step: x is an affine map of the inputs."""

    inputs: Inputs
    x: Affine
    steps: Sequence[Any]
    columns: int
    step: SmoothStep

    def finished(self, names: list[str] | None) -> tuple[Columns, Affine, SmoothStep]:
        columns, _, x = self.x.finished(self.inputs, self.columns, names)
        require_same_features(self.steps, columns, x)
        return columns, x, self.step


class SmoothSteps:
    """The features of a table up to the inputs of a model behind smooth steps."""

    def __init__(self, stages: Sequence[Stage], names: list[str] | None):
        self._stages = [stage.finished(None if n else names) for n, stage in enumerate(stages)]
        self.columns: Columns = self._stages[0][0]

    @property
    def names(self) -> str:
        """The transformers, for messages."""
        return " and the ".join(step.name for _, _, step in self._stages)

    def output_names(self, names: Sequence[str]) -> list[str] | None:
        """The names of the outputs of the last step, if the columns are not mixed before it."""
        for columns, x, step in self._stages:
            if x.matrix is not None:
                return None
            given = np.array(columns.feature_names(names), dtype=object)
            try:
                names = [str(name) for name in step.transformer.get_feature_names_out(given)]
            except ValueError:  # The transformer was fitted on other names.
                return None
        return list(names)

    def __call__(self, features: Floats) -> Floats:
        """The outputs of the last step."""
        return self._traced(features)[1]

    def gradient(self, features: Floats, after: Floats) -> Floats:
        """The gradient by the features, from the gradient by the outputs of the last step."""
        traced, _ = self._traced(features)
        for n, (columns, x, step) in reversed(list(enumerate(self._stages))):
            after = x.gradient(step.gradient(traced[n], after))
            if n > 0:
                after = columns.sum_back(after)
        return after

    def _traced(self, features: Floats) -> tuple[list[Floats], Floats]:
        """What each step is given, and the outputs of the last one."""
        given: list[Floats] = []
        for n, (columns, x, step) in enumerate(self._stages):
            given.append(x(features if n == 0 else columns.read(features).features))
            features = step(given[-1])
        return given, features


def require_gradient(columns: Columns, steps: SmoothSteps) -> None:
    """Refuses encoders behind smooth steps, which have no gradient."""
    if any(feature.encoder is not None for feature in columns.features):
        name = type(columns.encoders[0].transformer).__name__
        raise UnsupportedModelError(f"the {name} is not linear and is behind the {steps.names}, "
                                    "which mixes the columns, expected a linear step behind it")
