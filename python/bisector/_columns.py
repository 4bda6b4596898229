"""From the columns of X to the features of a model, and relevance back onto the columns."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import Floats, cells, column_names, columns_at, is_frame, numbers, opened
from ._tables import require_rows, selected

if TYPE_CHECKING:
    from ._affine import Affine

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Feature:
    """One feature of a table: a column itself, or one output of an encoder."""

    column: int
    encoder: int | None = None
    output: int = 0


@dataclass(frozen=True)
class Encoder:
    """A fitted transformer whose own transform makes features, each of them of one column."""

    transformer: Any
    x: Affine  # of the table's features: what it is given
    owners: tuple[int, ...]  # the column of each output
    flat: bool = False  # it takes one column as a list of cells

    def output_names(self, names: Sequence[str]) -> list[str]:
        """As scikit-learn names them, "town_Ulm"; `names` are those of what it is given."""
        known = self.flat or hasattr(self.transformer, "feature_names_in_")
        try:
            made = self.transformer.get_feature_names_out(*([] if known else [list(names)]))
            return [str(name) for name in made]
        except (AttributeError, TypeError, ValueError):  # a function may not know
            return [names[0]] * len(self.owners) if self.flat else []

    def encode(self, reading: Reading) -> NDArray[Any]:
        features = [reading.inputs[source] for source in self.x.source]
        given = reading.cells(features) if self.x.is_plain else self.x(reading.numbers(features))
        if self.flat:
            given = np.asarray(given, dtype=object).ravel()
        made = transformed(self.transformer, given)
        if made.shape[1] != len(self.owners):
            raise ValueError(
                f"{type(self.transformer).__name__} made {made.shape[1]} features, expected "
                f"{len(self.owners)}"
            )
        return made


def transformed(transformer: Any, given: Any) -> NDArray[Any]:
    """What a transformer makes of rows: numbers as float64, or objects."""
    names = getattr(transformer, "feature_names_in_", None)
    if is_frame(given) and names is None:
        given = cells(given)
    elif isinstance(given, np.ndarray) and given.ndim == 2 and names is not None:
        given = _named(given, names)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*feature names")
        made = transformer.transform(given)
    if hasattr(made, "toarray"):
        made = made.toarray()
    elif is_frame(made):
        made = made.to_numpy()
    made = np.asarray(made)
    return np.asarray(made, dtype=np.float64 if made.dtype.kind in "fiub" else object)


def _named(given: NDArray[Any], names: Any) -> Any:
    try:
        import pandas
    except ImportError:
        return given
    return pandas.DataFrame(given, columns=list(names)).infer_objects()


@dataclass(frozen=True)
class Check:
    """A step that was found to be affine by trying it: it is held to that on every row."""

    transformer: Any
    before: Affine
    after: Affine

    def require(self, reading: Reading) -> None:
        features = reading.numbers([reading.inputs[source] for source in self.before.source])
        theirs = transformed(self.transformer, self.before(features))
        ours = self.after(features)
        scale = np.abs(theirs) + self.after.summands(features)  # what the numbers round by
        apart = ~(np.abs(ours - theirs) <= 1e-6 * scale + 1e-12)
        apart &= np.all(np.isfinite(features), axis=1)[:, None]  # others are refused by name
        if apart.any():
            row = int(np.flatnonzero(apart.any(axis=1))[0])
            raise ValueError(
                f"row {row + 1}, {type(self.transformer).__name__} is linear on the rows that were "
                "tried and not on this one, expected a step that is linear on all rows: apply it "
                "to the data first, and explain the part of the pipeline behind it"
            )


class Reading:
    """One table on its way to features; every encoder runs once."""

    def __init__(self, X: Any, inputs: Sequence[Feature], encoders: Sequence[Encoder]):
        self.X, self.inputs, self.encoders = X, inputs, encoders
        self._made: dict[int, NDArray[Any]] = {}

    def made(self, number: int) -> NDArray[Any]:
        if number not in self._made:
            self._made[number] = self.encoders[number].encode(self)
        return self._made[number]

    def cells(self, features: Sequence[Feature]) -> Any:
        """Features as they stand: in X's container where all are columns, else as an array."""
        if all(feature.encoder is None for feature in features):
            return columns_at(self.X, [feature.column for feature in features])
        parts = [cells(columns_at(self.X, [feature.column]))[:, 0] if feature.encoder is None
                 else self.made(feature.encoder)[:, feature.output] for feature in features]
        return np.column_stack(parts)

    def numbers(self, features: Sequence[Feature]) -> Floats:
        """Rows x features."""
        result = np.empty((self.X.shape[0], len(features)))
        plain = [n for n, feature in enumerate(features) if feature.encoder is None]
        if plain:
            result[:, plain] = numbers(columns_at(self.X, [features[n].column for n in plain]))
        for n, feature in enumerate(features):
            if feature.encoder is not None and len(result):
                result[:, n] = self.made(feature.encoder)[:, feature.output]
        return result


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
    inputs: Sequence[Feature] = ()  # all that encoders and checks refer to
    checks: Sequence[Check] = ()
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
        if self.is_identity and not self.checks:
            features = numbers(X)
            return Read(features, features, names, index)
        return Read(self.encode(X), cells(X), names, index)

    def encode(self, X: Any) -> Floats:
        """Rows x features."""
        if self.table is not None:
            return np.asarray(self.table.encode(_text_columns(X), "X"))
        reading = Reading(X, self.inputs, self.encoders)
        result = reading.numbers(self.features)
        for check in self.checks if len(result) else ():
            check.require(reading)
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
        position = self._position_in(encoder, column)
        if position is None or not hasattr(encoder.transformer, "categories_"):
            raise ValueError(
                f'what {type(encoder.transformer).__name__} makes of column "{name or column + 1}" '
                "cannot be written into a model file, expected scalers, PCA, OneHotEncoder and "
                "OrdinalEncoder: save the part of the pipeline behind it"
            )
        levels = [_text(level) for level in encoder.transformer.categories_[position]]
        kind = _core.ColumnKind.one_hot
        if type(encoder.transformer).__name__ == "OrdinalEncoder":
            kind = _core.ColumnKind.ordinal
        elif len(levels) != len(features):
            raise ValueError(f'the encoder of column "{name or column + 1}" drops or joins levels, '
                             "which a model file cannot say: expected one feature for each level")
        return _core.ColumnEncoding(name, kind, levels)

    def _position_in(self, encoder: Encoder, column: int) -> int | None:
        """Where a column stands among those that an encoder is given as they are."""
        given = [self.inputs[source] for source in encoder.x.source]
        if not encoder.x.is_plain or any(feature.encoder is not None for feature in given):
            return None
        return [feature.column for feature in given].index(column)

    def feature_names(self, names: Sequence[str]) -> list[str]:
        """What the features are called, given the columns' names."""
        if self.table is not None:
            return list(self.table.features)
        known: dict[int, list[str]] = {}
        return [self._feature_name(feature, names, known) for feature in self.features]

    def _feature_name(self, feature: Feature, names: Sequence[str], known: dict[int, list[str]]
                      ) -> str:
        if feature.encoder is None:
            return names[feature.column]
        if feature.encoder not in known:
            encoder = self.encoders[feature.encoder]
            given = [self._feature_name(self.inputs[source], names, known)
                     for source in encoder.x.source]
            made = encoder.output_names(given)
            plain = [names[owner] for owner in encoder.owners]
            known[feature.encoder] = made if len(made) == len(plain) else plain
        return known[feature.encoder][feature.output]


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
