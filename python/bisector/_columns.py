"""From the columns of X to the features of a model, and relevance back onto the columns."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import Floats, cells, column_names, columns_at, is_frame, numbers, opened
from ._tables import require_rows, selected

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Encoder:
    """A fitted encoder of scikit-learn, whose own transform makes the features."""

    transformer: Any
    columns: tuple[int, ...]
    outputs: tuple[int, ...]  # features that each column becomes

    def encode(self, X: Any) -> Floats:
        part = columns_at(X, self.columns)
        if is_frame(part) and not hasattr(self.transformer, "feature_names_in_"):
            part = np.asarray(part.to_numpy(), dtype=object)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*feature names")
            encoded = self.transformer.transform(part)
        if hasattr(encoded, "toarray"):
            encoded = encoded.toarray()
        encoded = np.asarray(encoded, dtype=np.float64)
        if encoded.shape[1] != sum(self.outputs):
            raise ValueError(
                f"{type(self.transformer).__name__} made {encoded.shape[1]} features, expected "
                f"{sum(self.outputs)}"
            )
        return encoded


@dataclass(frozen=True)
class Feature:
    """One feature of a model's input: a column itself, or one output of an encoder."""

    column: int
    encoder: int | None = None
    output: int = 0


@dataclass
class Read:
    """Rows, ready for the library."""

    features: Floats
    data: NDArray[Any]
    names: list[str]
    index: Any


@dataclass
class Columns:
    """`count` columns, of which each feature of the model is one or is encoded from one."""

    count: int
    names: list[str] | None = None
    features: Sequence[Feature] = ()
    encoders: Sequence[Encoder] = ()
    table: _core.TableEncoding | None = None  # of a model file, instead of encoders
    groups: Integers = field(init=False)
    is_identity: bool = field(init=False)

    def __post_init__(self) -> None:
        if self.table is not None:
            self.groups = np.asarray(self.table.groups)
            self.is_identity = False
            return
        self.groups = np.array([feature.column for feature in self.features], dtype=np.int64)
        self.is_identity = (
            all(feature.encoder is None for feature in self.features)
            and self.groups.size == self.count
            and bool(np.all(self.groups == np.arange(self.count)))
        )

    @staticmethod
    def plain(count: int, names: list[str] | None = None) -> Columns:
        return Columns(count, names, [Feature(column) for column in range(count)])

    def read(self, X: Any) -> Read:
        X = opened(X)
        require_rows(X)
        X = selected(X, self.names, self.count)
        names = self.names or column_names(X) or [f"x{d + 1}" for d in range(self.count)]
        index = getattr(X, "index", None)
        if self.is_identity:
            features = numbers(X)
            return Read(features, features, names, index)
        return Read(self.encode(X), cells(X), names, index)

    def encode(self, X: Any) -> Floats:
        """Rows x features."""
        if self.table is not None:
            return np.asarray(self.table.encode(_text_columns(X), "X"))
        result = np.empty((X.shape[0], len(self.features)))
        plain = [n for n, feature in enumerate(self.features) if feature.encoder is None]
        if plain:
            columns = [self.features[n].column for n in plain]
            result[:, plain] = numbers(columns_at(X, columns))
        if X.shape[0] == 0:
            return result
        for number, encoder in enumerate(self.encoders):
            encoded = encoder.encode(X)
            for n, feature in enumerate(self.features):
                if feature.encoder == number:
                    result[:, n] = encoded[:, feature.output]
        return result

    def sum_back(self, relevance: Floats) -> Floats:
        """Relevance of features, summed onto their columns."""
        if self.is_identity:
            return relevance
        result = np.zeros((relevance.shape[0], self.count))
        for n, column in enumerate(self.groups):
            result[:, column] += relevance[:, n]
        return result

    def table_encoding(self) -> _core.TableEncoding:
        """The same encoding for a model file, which knows text, numbers, levels and nothing else.
        """
        wanted = []
        for column in range(self.count):
            features = [f for f in self.features if f.column == column]
            wanted.append(self._column_encoding(column, features))
        in_order = list(self.groups) == sorted(self.groups)
        if not in_order:
            raise ValueError(
                "the pipeline changes the order of the columns, and a model file keeps it: expected "
                "a ColumnTransformer that takes the columns in their order"
            )
        return _core.TableEncoding(wanted)

    def _column_encoding(self, column: int, features: list[Feature]) -> _core.ColumnEncoding:
        name = self.names[column] if self.names else ""
        if not features:
            raise ValueError(f'the pipeline drops column "{name or column + 1}", which a model file '
                             "cannot say: expected a model of all its columns")
        if features[0].encoder is None:
            return _core.ColumnEncoding(name, _core.ColumnKind.numeric, [])
        encoder = self.encoders[features[0].encoder]
        levels = [str(x) for x in encoder.transformer.categories_[encoder.columns.index(column)]]
        kind = _core.ColumnKind.one_hot
        if type(encoder.transformer).__name__ == "OrdinalEncoder":
            kind = _core.ColumnKind.ordinal
        elif len(levels) != len(features):
            raise ValueError(f'the encoder of column "{name or column + 1}" drops or joins levels, '
                             "which a model file cannot say: expected one feature for each level")
        return _core.ColumnEncoding(name, kind, levels)

    def feature_names(self, names: Sequence[str]) -> list[str]:
        """What the features are called, given the columns' names: "town=2" for the third level."""
        return [
            names[f.column] if f.encoder is None or sum(self.encoders[f.encoder].outputs) ==
            len(self.encoders[f.encoder].columns) else f"{names[f.column]}={f.output}"
            for f in self.features
        ]


def _text_columns(X: Any) -> list[list[str]]:
    return [[_text(value) for value in np.asarray(columns_at(X, [position]), dtype=object).ravel()]
            for position in range(X.shape[1])]


def _text(value: Any) -> str:
    """A cell as a file would have it."""
    if value is None or value != value or str(value) == "<NA>":
        return ""
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if value != int(value) else str(int(value))
    return str(value)
