"""The affine map from the features of a table to the input of a model, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Sequence

import numpy as np

from . import _core
from ._columns import Cells, Check, Columns, Encoder, Feature, Joined, Origin, Taken, Transformed
from ._tables import Floats, Integers


@dataclass
class Inputs:
    """The features that a pipeline starts from: the columns, and the outputs of its encoders."""

    features: list[Feature]
    encoders: list[Encoder] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)

    def copy(self) -> Inputs:
        """An independent copy, for each member of an ensemble."""
        return Inputs(list(self.features), list(self.encoders), list(self.checks))

    def encode(self, origin: Transformed, x: Affine, owners: Sequence[int]) -> Affine:
        """Adds the outputs of a transformer of x as features. `owners`: the column of each."""
        number = len(self.encoders)
        self.encoders.append(Encoder(origin, x, tuple(owners)))
        first = len(self.features)
        self.features += [Feature(column, number, n) for n, column in enumerate(owners)]
        return Affine.of(range(first, first + len(owners)), origin)


@dataclass(frozen=True, eq=False)
class Affine:
    """x = M (input[source] * scale + shift) + offset. Without M and offset, x is the bracket.

    `origin` computes the same numbers by the fitted transformers themselves."""

    source: Integers
    scale: Floats
    shift: Floats
    origin: Origin
    matrix: Floats | None = None
    offset: Floats | None = None

    @staticmethod
    def of(source: Any, origin: Origin) -> Affine:
        source = np.asarray(list(source), dtype=np.int64)
        return Affine(source, np.ones(len(source)), np.zeros(len(source)), origin)

    @staticmethod
    def of_columns(count: int) -> Affine:
        return Affine.of(range(count), Cells(tuple(range(count))))

    @property
    def outputs(self) -> int:
        return len(self.source) if self.matrix is None else len(self.matrix)

    @property
    def _matrix(self) -> Floats:
        return np.eye(len(self.source)) if self.matrix is None else self.matrix

    @property
    def _offset(self) -> Floats:
        return np.zeros(self.outputs) if self.offset is None else self.offset

    def scaled(self, scale: Any, shift: Any, origin: Origin) -> Affine:
        """x * scale + shift, feature by feature."""
        scale = np.broadcast_to(np.asarray(scale, dtype=np.float64), (self.outputs,))
        shift = np.broadcast_to(np.asarray(shift, dtype=np.float64), (self.outputs,))
        if self.matrix is None and np.all(scale != 0.0):
            return replace(self, scale=self.scale * scale, shift=self.shift * scale + shift,
                           origin=origin)
        if self.matrix is None:  # A scale of zero has no inverse.
            return self.mapped(np.diag(scale), shift, origin)
        return replace(self, matrix=self.matrix * scale[:, None],
                       offset=self._offset * scale + shift, origin=origin)

    def mapped(self, matrix: Floats, offset: Floats, origin: Origin) -> Affine:
        """matrix @ x + offset."""
        return replace(self, matrix=matrix @ self._matrix, offset=matrix @ self._offset + offset,
                       origin=origin)

    def taken(self, outputs: Sequence[int]) -> Affine:
        chosen = list(outputs)
        origin = Taken(self.origin, tuple(int(n) for n in chosen))
        if self.matrix is None:
            return Affine(self.source[chosen], self.scale[chosen], self.shift[chosen], origin)
        return replace(self, matrix=self.matrix[chosen], offset=self._offset[chosen], origin=origin)

    @property
    def is_plain(self) -> bool:
        """True if the outputs are unchanged features."""
        return self.matrix is None and bool(np.all(self.scale == 1.0) and np.all(self.shift == 0.0))

    def owners(self, features: Sequence[Feature]) -> list[int] | None:
        """The column of each output; None if an output depends on several columns."""
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
        origin = Joined(tuple(part.origin for part in parts))
        if all(part.matrix is None for part in parts):
            return Affine(source, scale, shift, origin)
        matrix = np.zeros((sum(part.outputs for part in parts), len(source)))
        row = column = 0
        for part in parts:
            block = part._matrix
            matrix[row:row + len(block), column:column + block.shape[1]] = block
            row, column = row + len(block), column + block.shape[1]
        return Affine(source, scale, shift, origin, matrix,
                      np.concatenate([part._offset for part in parts]))

    def without_repeats(self) -> Affine:
        """The same map with every feature once; a feature that is used twice needs a matrix."""
        used, position = np.unique(self.source, return_inverse=True)
        if len(used) == len(self.source):
            return self
        matrix = np.zeros((self.outputs, len(used)))
        np.add.at(matrix.T, position, (self._matrix * self.scale).T)
        return replace(Affine.of(used, self.origin), matrix=matrix,
                       offset=self._offset + self._matrix @ self.shift)

    def finished(self, inputs: Inputs, columns: int, names: list[str] | None
                 ) -> tuple[Columns, _core.AffineMap, Affine]:
        """The columns with the features that are used, and the map from these to the model."""
        affine = self.without_repeats()
        features = [inputs.features[source] for source in affine.source]
        table = Columns(columns, names, features, inputs.encoders, inputs=inputs.features,
                        checks=inputs.checks)
        if affine.is_plain:
            return table, _core.AffineMap(), affine
        return table, _core.AffineMap(-affine.shift / affine.scale, affine.scale, affine.matrix,
                                      affine.offset), affine

    def map_of(self, inputs: int) -> _core.AffineMap:
        """The map from all of a number of features."""
        x = self.without_repeats()
        shift, scale = np.zeros(inputs), np.ones(inputs)
        shift[x.source], scale[x.source] = -x.shift / x.scale, x.scale
        if x.matrix is None and np.array_equal(x.source, np.arange(inputs)):
            return _core.AffineMap(shift, scale)
        matrix = np.zeros((x.outputs, inputs))
        matrix[:, x.source] = x._matrix
        return _core.AffineMap(shift, scale, matrix, x._offset)

    def __call__(self, features: Floats) -> Floats:
        x = features * self.scale + self.shift
        return x if self.matrix is None else x @ self.matrix.T + self._offset

    def gradient(self, after: Floats) -> Floats:
        """The gradient by the features, from the gradient by x."""
        return np.asarray((after if self.matrix is None else after @ self.matrix) * self.scale)

    def summands(self, features: Floats) -> Floats:
        """The same sums over the sizes of all summands, which bound the rounding errors."""
        x = np.abs(features * self.scale) + np.abs(self.shift)
        return x if self.matrix is None else x @ np.abs(self.matrix.T) + np.abs(self._offset)

    def is_same(self, other: Affine) -> bool:
        """True if both maps are equal up to rounding; the features may be of other tables."""
        pairs: list[tuple[Any, Any]] = [(self.source, other.source), (self.scale, other.scale),
                                        (self.shift, other.shift), (self._offset, other._offset)]
        if self.matrix is not None or other.matrix is not None:
            pairs.append((self._matrix, other._matrix))
        return all(one.shape == two.shape and np.allclose(one, two, rtol=1e-12, atol=0.0)
                   for one, two in pairs)
