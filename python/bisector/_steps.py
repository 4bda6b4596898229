"""The steps of a scikit-learn pipeline as one affine map of the input columns."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._columns import Columns, Encoder, Feature
from ._tables import Floats

SUPPORTED = (
    "StandardScaler, MinMaxScaler, RobustScaler, MaxAbsScaler, PCA, OneHotEncoder, OrdinalEncoder, "
    "ColumnTransformer and Pipeline"
)


class Inputs:
    """The features that a pipeline starts from: the columns, and what encoders make of them."""

    def __init__(self, columns: int):
        self.features = [Feature(column) for column in range(columns)]
        self.encoders: list[Encoder] = []

    def encode(self, transformer: Any, columns: Sequence[int], outputs: Sequence[int]) -> list[int]:
        """Adds the outputs of an encoder and says which features they are."""
        number = len(self.encoders)
        self.encoders.append(Encoder(transformer, tuple(columns), tuple(outputs)))
        owners = [column for column, count in zip(columns, outputs) for _ in range(count)]
        first = len(self.features)
        self.features += [Feature(column, number, n) for n, column in enumerate(owners)]
        return list(range(first, first + len(owners)))


class Affine:
    """x = M (input[source] * scale + shift) + offset; without M and offset it goes feature by
    feature. Every step gives a new one."""

    def __init__(self, source: Any, scale: Floats, shift: Floats, matrix: Floats | None = None,
                 offset: Floats | None = None):
        self.source = np.asarray(source, dtype=np.int64)
        self.scale, self.shift = scale, shift
        self.matrix, self.offset = matrix, offset

    @staticmethod
    def of(source: Any) -> Affine:
        return Affine(source, np.ones(len(source)), np.zeros(len(source)))

    @property
    def outputs(self) -> int:
        return len(self.source) if self.matrix is None else len(self.matrix)

    def scaled(self, scale: Any, shift: Any) -> Affine:
        """x * scale + shift, each feature by itself."""
        scale = np.broadcast_to(np.asarray(scale, dtype=np.float64), (self.outputs,))
        shift = np.broadcast_to(np.asarray(shift, dtype=np.float64), (self.outputs,))
        if self.matrix is None:
            return Affine(self.source, self.scale * scale, self.shift * scale + shift)
        return Affine(self.source, self.scale, self.shift, self.matrix * scale[:, None],
                      self._offset() * scale + shift)

    def mapped(self, matrix: Floats, offset: Floats) -> Affine:
        """matrix @ x + offset."""
        before = np.eye(len(self.source)) if self.matrix is None else self.matrix
        return Affine(self.source, self.scale, self.shift, matrix @ before,
                      matrix @ self._offset() + offset)

    def taken(self, outputs: Sequence[int]) -> Affine:
        chosen = list(outputs)
        if self.matrix is None:
            return Affine(self.source[chosen], self.scale[chosen], self.shift[chosen])
        return Affine(self.source, self.scale, self.shift, self.matrix[chosen],
                      self._offset()[chosen])

    def untouched(self, outputs: Sequence[int], inputs: Inputs) -> list[int] | None:
        """The columns that these outputs are, unchanged; None where they are not."""
        if self.matrix is not None:
            return None
        chosen = list(outputs)
        features = [inputs.features[source] for source in self.source[chosen]]
        changed = np.any(self.scale[chosen] != 1.0) or np.any(self.shift[chosen] != 0.0)
        if changed or any(feature.encoder is not None for feature in features):
            return None
        return [feature.column for feature in features]

    @staticmethod
    def joined(parts: Sequence[Affine]) -> Affine:
        source = np.concatenate([part.source for part in parts])
        scale = np.concatenate([part.scale for part in parts])
        shift = np.concatenate([part.shift for part in parts])
        if all(part.matrix is None for part in parts):
            return Affine(source, scale, shift)
        matrix = np.zeros((sum(part.outputs for part in parts), len(source)))
        row = column = 0
        for part in parts:
            block = np.eye(len(part.source)) if part.matrix is None else part.matrix
            matrix[row:row + len(block), column:column + block.shape[1]] = block
            row, column = row + len(block), column + block.shape[1]
        return Affine(source, scale, shift, matrix,
                      np.concatenate([part._offset() for part in parts]))

    def _offset(self) -> Floats:
        return np.zeros(self.outputs) if self.offset is None else self.offset

    def _without_repeats(self) -> Affine:
        """A column that is used twice needs a matrix."""
        used, position = np.unique(self.source, return_inverse=True)
        if len(used) == len(self.source):
            return self
        before = np.eye(len(self.source)) if self.matrix is None else self.matrix
        matrix = np.zeros((len(before), len(used)))
        np.add.at(matrix.T, position, (before * self.scale).T)
        return Affine.of(used)._replaced(matrix, self._offset() + before @ self.shift)

    def _replaced(self, matrix: Floats, offset: Floats) -> Affine:
        return Affine(self.source, self.scale, self.shift, matrix, offset)

    def finished(self, inputs: Inputs, columns: int, names: list[str] | None
                 ) -> tuple[Columns, _core.AffineMap, Affine]:
        """The columns with the features that are used, and the map behind them."""
        affine = self._without_repeats()
        features = [inputs.features[source] for source in affine.source]
        table = Columns(columns, names, features, inputs.encoders)
        if affine.matrix is not None:
            return table, _core.AffineMap(-affine.shift / affine.scale, affine.scale,
                                          affine.matrix, affine._offset()), affine
        if np.all(affine.scale == 1.0) and np.all(affine.shift == 0.0):
            return table, _core.AffineMap(), affine
        return table, _core.AffineMap(-affine.shift / affine.scale, affine.scale), affine

    def __call__(self, features: Floats) -> Floats:
        x = features * self.scale + self.shift
        return x if self.matrix is None else x @ self.matrix.T + self._offset()

    def summands(self, features: Floats) -> Floats:
        """The same sums with every part counted as positive."""
        x = np.abs(features * self.scale) + np.abs(self.shift)
        return x if self.matrix is None else x @ np.abs(self.matrix.T) + np.abs(self._offset())


def apply_step(step: Any, x: Affine, inputs: Inputs) -> Affine:
    """What a fitted transformer makes of x."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return x
    from sklearn import compose, decomposition, pipeline, preprocessing

    if isinstance(step, pipeline.Pipeline):
        for _, inner in step.steps:
            x = apply_step(inner, x, inputs)
        return x
    if isinstance(step, compose.ColumnTransformer):
        return _column_transformer(step, x, inputs)
    if isinstance(step, preprocessing.StandardScaler):
        return _standardized(step, x)
    if isinstance(step, preprocessing.MinMaxScaler):
        _require_no_clip(step)
        return x.scaled(step.scale_, step.min_)
    if isinstance(step, preprocessing.MaxAbsScaler):
        _require_no_clip(step)
        return x.scaled(1.0 / step.scale_, 0.0)
    if isinstance(step, preprocessing.RobustScaler):
        scale = 1.0 if step.scale_ is None else 1.0 / step.scale_
        return x.scaled(scale, 0.0 if step.center_ is None else -step.center_ * scale)
    if isinstance(step, decomposition.PCA):
        return _principal_components(step, x)
    if isinstance(step, (preprocessing.OneHotEncoder, preprocessing.OrdinalEncoder)):
        return _encoded(step, x, inputs)
    if isinstance(step, preprocessing.FunctionTransformer) and step.func is None:
        return x
    raise TypeError(
        f"{type(step).__name__} in front of the model cannot be explained through: it is not known "
        f"to be linear. Supported are {SUPPORTED}. Apply it to the data first, and give Explainer "
        "the part of the pipeline behind it: the explanation is then about the transformed columns"
    )


def _require_no_clip(step: Any) -> None:
    if getattr(step, "clip", False):
        raise ValueError(
            f"{type(step).__name__}(clip=True) is not linear, expected clip=False: fit the pipeline "
            "without clipping, or clip the data first"
        )


def _standardized(step: Any, x: Affine) -> Affine:
    scale = 1.0 if step.scale_ is None else 1.0 / step.scale_
    mean = step.mean_ if step.with_mean and step.mean_ is not None else 0.0
    return x.scaled(scale, -mean * scale)


def _principal_components(step: Any, x: Affine) -> Affine:
    matrix = step.components_
    if step.whiten:
        deviation = np.sqrt(step.explained_variance_)
        floor = np.finfo(deviation.dtype).eps
        matrix = matrix / np.maximum(deviation, floor)[:, None]
    # The mean apart from the matrix: what is zero behind it is the mean of the data in front of it,
    # and not the nearest point to the origin that the matrix maps there.
    centered = x if step.mean_ is None else x.scaled(1.0, -step.mean_)
    return centered.mapped(matrix, np.zeros(len(matrix)))


def _encoded(step: Any, x: Affine, inputs: Inputs) -> Affine:
    columns = x.untouched(range(x.outputs), inputs)
    if columns is None:
        raise TypeError(
            f"{type(step).__name__} behind another step cannot be explained through, expected it "
            "in front, on columns of the data"
        )
    name = type(step).__name__
    outputs = [1] * len(columns)
    if name == "OneHotEncoder":
        outputs = [int(count) for count in step._n_features_outs]
    return Affine.of(inputs.encode(step, columns, outputs))


def _column_transformer(step: Any, x: Affine, inputs: Inputs) -> Affine:
    parts = []
    weights = step.transformer_weights or {}
    for name, transformer, _ in step.transformers_:
        chosen = step._transformer_to_input_indices.get(name, [])
        if isinstance(transformer, str) and transformer == "drop" or len(chosen) == 0:
            continue
        part = apply_step(transformer, x.taken(chosen), inputs)
        parts.append(part.scaled(weights[name], 0.0) if name in weights else part)
    if not parts:
        raise ValueError("the ColumnTransformer drops every column, expected some to be left")
    return Affine.joined(parts)
