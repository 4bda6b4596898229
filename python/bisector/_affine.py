"""The affine map from the features of a table to the input of a model, step by step."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._columns import Check, Columns, Encoder, Feature
from ._tables import Floats


class Inputs:
    """The features that a pipeline starts from: the columns, and what its steps make of each."""

    def __init__(self, columns: int):
        self.features = [Feature(column) for column in range(columns)]
        self.encoders: list[Encoder] = []
        self.checks: list[Check] = []

    def copy(self) -> Inputs:
        """For who goes on from here in several ways."""
        copy = Inputs(0)
        copy.features, copy.encoders = list(self.features), list(self.encoders)
        copy.checks = list(self.checks)
        return copy

    def encode(self, transformer: Any, x: Affine, owners: Sequence[int], *, flat: bool = False
               ) -> list[int]:
        """Adds what a transformer makes of x, each output of a column, and says which features
        they are. `flat`: it takes one column as a list of cells."""
        number = len(self.encoders)
        self.encoders.append(Encoder(transformer, x, tuple(owners), flat))
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
        if self.matrix is None and np.all(scale != 0.0):
            return Affine(self.source, self.scale * scale, self.shift * scale + shift)
        if self.matrix is None:  # what is multiplied by zero cannot be divided back
            return self.mapped(np.diag(scale), shift)
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

    @property
    def is_plain(self) -> bool:
        """The outputs are features as they stand."""
        return self.matrix is None and bool(np.all(self.scale == 1.0) and np.all(self.shift == 0.0))

    def owners(self, features: Sequence[Feature]) -> list[int] | None:
        """The one column that each output is made of; None where one mixes several."""
        columns = np.array([features[source].column for source in self.source], dtype=np.int64)
        if self.matrix is None:
            return [int(column) for column in columns]
        owners = []
        for row in self.matrix:
            used = np.unique(columns[row != 0.0])
            if len(used) != 1:
                return None
            owners.append(int(used[0]))
        return owners

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
        table = Columns(columns, names, features, inputs.encoders, inputs=inputs.features,
                        checks=inputs.checks)
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
