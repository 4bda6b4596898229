"""From the columns of X to the features of a model, and from relevance back to the columns."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._tables import (Floats, Integers, cells, column_names, columns_at, default_names, is_frame,
                      is_sparse, numbers, opened, require_rows, selected)
from .errors import InvalidRowError

if TYPE_CHECKING:
    from ._affine import Affine


_IMPUTERS = ("SimpleImputer", "KNNImputer", "IterativeImputer")


class Origin:
    """How a value is computed from X by the fitted transformers themselves.

    The affine map of a pipeline rounds differently from its transformers. Wherever equality
    matters, at the edge of a bin or for a category, the transformers' own results are used."""

    def value(self, reading: Reading) -> Any:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Cells(Origin):
    """Columns of X, in the container of X."""

    positions: tuple[int, ...]

    def value(self, reading: Reading) -> Any:
        return columns_at(reading.X, self.positions)


@dataclass(frozen=True, eq=False)
class Taken(Origin):
    """Some columns of another value."""

    whole: Origin
    positions: tuple[int, ...]

    def value(self, reading: Reading) -> Any:
        return columns_at(reading.value(self.whole), self.positions)


@dataclass(frozen=True, eq=False)
class Transformed(Origin):
    """The result of a fitted transformer. `is_list`: it takes one column as a list of cells."""

    transformer: Any
    given: Origin
    is_list: bool = False

    def value(self, reading: Reading) -> Any:
        given = reading.value(self.given)
        if self.is_list:
            given = np.asarray(given, dtype=object).ravel()
        return transformed(self.transformer, given)


@dataclass(frozen=True, eq=False)
class Scaled(Origin):
    """Another value times a number, as the transformer_weights of a ColumnTransformer are."""

    whole: Origin
    factor: float

    def value(self, reading: Reading) -> Any:
        return np.asarray(reading.value(self.whole), dtype=np.float64) * self.factor


@dataclass(frozen=True, eq=False)
class Joined(Origin):
    """Several values side by side."""

    parts: tuple[Origin, ...]

    def value(self, reading: Reading) -> Any:
        return np.hstack([cells(reading.value(part)) for part in self.parts])


@dataclass(frozen=True)
class Feature:
    """One feature of a table: a column itself, or one output of an encoder."""

    column: int
    encoder: int | None = None
    output: int = 0


@dataclass(frozen=True, eq=False)
class Encoder:
    """A fitted transformer that makes features, each of which belongs to one column."""

    origin: Transformed
    x: Affine  # What the transformer is given, as a map of the table's features.
    owners: tuple[int, ...]  # The column of each output.

    @property
    def transformer(self) -> Any:
        return self.origin.transformer

    def output_names(self, names: Sequence[str]) -> list[str]:
        """The names that scikit-learn gives, such as "town_Ulm". `names` belong to the input."""
        known = self.origin.is_list or hasattr(self.transformer, "feature_names_in_")
        try:
            made = self.transformer.get_feature_names_out(*([] if known else [list(names)]))
            return [str(name) for name in made]
        except (AttributeError, TypeError, ValueError):  # A function may not know its names.
            return [names[0]] * len(self.owners) if self.origin.is_list else []

    def encode(self, reading: Reading) -> NDArray[Any]:
        try:
            made = np.asarray(reading.value(self.origin))
        except ValueError as error:
            raise _problem_of(self, reading.X, error) from error
        if made.shape[1] != len(self.owners):
            raise ValueError(
                f"{type(self.transformer).__name__} made {made.shape[1]} features, expected "
                f"{len(self.owners)}"
            )
        return made


def _problem_of(encoder: Encoder, X: Any, error: ValueError) -> ValueError:
    """The error of a transformer, with the columns of X and what to do about it."""
    names = column_names(X) or default_names(X.shape[1])
    columns = sorted(set(encoder.owners))
    for column in columns:
        cells_of = np.asarray(columns_at(X, [column]), dtype=object).ravel()
        for row, cell in enumerate(cells_of):
            if isinstance(cell, (float, np.floating)) and np.isinf(cell):
                return InvalidRowError(row, f'feature "{names[column]}" is {cell:g}, expected a '
                                            "finite number")
    kind = type(encoder.transformer).__name__
    shown = ", ".join(f'"{names[column]}"' for column in columns)
    advice = (': fit the model again with handle_unknown="ignore"' if kind == "OneHotEncoder" else
              ': fit the model again with handle_unknown="use_encoded_value", unknown_value=-1'
              if kind == "OrdinalEncoder" else "")
    return ValueError(f"the {kind} of {shown} refuses X ({error}), expected cells like those that it "
                      f"was fitted on{advice}")


def transformed(transformer: Any, given: Any) -> NDArray[Any]:
    """The result of a transformer: numbers as float64, or objects."""
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


@dataclass(frozen=True, eq=False)
class Check:
    """A step that was found to be affine by trying it. Every explained row is checked again."""

    transformer: Any
    before: Affine
    after: Affine

    def require(self, reading: Reading) -> None:
        features = reading.numbers([reading.inputs[source] for source in self.before.source])
        theirs = transformed(self.transformer, self.before(features))
        ours = self.after(features)
        scale = np.abs(theirs) + self.after.summands(features)  # Sets the size of rounding errors.
        differs = ~(np.abs(ours - theirs) <= 1e-6 * scale + 1e-12)
        differs &= np.all(np.isfinite(features), axis=1)[:, None]  # The library reports the others.
        if differs.any():
            raise InvalidRowError(
                int(np.flatnonzero(differs.any(axis=1))[0]),
                f"{type(self.transformer).__name__} is linear on the rows that were tried and not "
                "on this row, expected a step that is linear on all rows: apply it to the data "
                "first, and explain the part of the pipeline behind it")


class Reading:
    """One table while its features are computed. Every transformer runs once."""

    def __init__(self, X: Any, inputs: Sequence[Feature], encoders: Sequence[Encoder]):
        self.X, self.inputs, self.encoders = X, inputs, encoders
        self._values: dict[int, Any] = {}
        self._encoded: dict[int, NDArray[Any]] = {}

    def value(self, origin: Origin) -> Any:
        if id(origin) not in self._values:
            self._values[id(origin)] = origin.value(self)
        return self._values[id(origin)]

    def encoded(self, number: int) -> NDArray[Any]:
        if number not in self._encoded:
            self._encoded[number] = self.encoders[number].encode(self)
        return self._encoded[number]

    def numbers(self, features: Sequence[Feature]) -> Floats:
        """Rows x features."""
        result = np.empty((self.X.shape[0], len(features)))
        plain = [n for n, feature in enumerate(features) if feature.encoder is None]
        if plain:
            result[:, plain] = numbers(columns_at(self.X, [features[n].column for n in plain]))
        for n, feature in enumerate(features):
            if feature.encoder is not None and len(result):
                result[:, n] = self.encoded(feature.encoder)[:, feature.output]
        return result


@dataclass
class Read:
    """Rows as the library takes them."""

    features: Floats
    data: NDArray[Any]
    names: list[str]
    index: Any


@dataclass
class Columns:
    """The columns of X. Each feature of the model is a column or is encoded from one column."""

    count: int
    names: list[str] | None = None
    features: Sequence[Feature] = ()
    encoders: Sequence[Encoder] = ()
    table: _core.TableEncoding | None = None  # The encoding of a model file, instead of encoders.
    inputs: Sequence[Feature] = ()  # All features that encoders and checks refer to.
    checks: Sequence[Check] = ()
    groups: Integers = field(init=False)  # The column of each feature.
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

    def vectorized(self, X: Any) -> Any:
        """X as a table; only columns of words are made from something else."""
        return X

    def read(self, X: Any) -> Read:
        given, X = X, opened(X)
        require_rows(X, given)
        X = selected(X, self.names, self.count)
        names = self.names or column_names(X) or default_names(self.count)
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

    def imputed(self, data: Any) -> NDArray[np.bool_] | None:
        """True for cells of X that are missing, so that the model fills them in; None if it fills in
        nothing."""
        if not self._marks or is_sparse(data):
            return None
        result = np.zeros(data.shape, dtype=bool)
        for column, marks in self._marks.items():
            result[:, column] = [_is_mark(cell, marks) for cell in data[:, column]]
        return result

    @cached_property
    def _marks(self) -> dict[int, list[Any]]:
        """What is missing in the columns whose missing cells are filled in. None represents all
        marks that a model file knows."""
        if self.table is not None:
            return {n: [None] for n, column in enumerate(self.table.columns) if column.imputes}
        found: dict[int, list[Any]] = {}
        for feature in self.features:
            if feature.encoder is not None:
                marks = [step.missing_values for step in _steps_of(self.encoders[feature.encoder].origin)
                         if type(step).__name__ in _IMPUTERS]
                if marks:
                    found[feature.column] = marks
        return found

    def sum_back(self, relevance: Floats) -> Floats:
        """The relevance of each column: the sum over its features, which are the second axis."""
        if self.is_identity:
            return relevance
        result = np.zeros((relevance.shape[0], self.count, *relevance.shape[2:]))
        for n, column in enumerate(self.groups):
            result[:, column] += relevance[:, n]
        return result

    def table_encoding(self) -> _core.TableEncoding:
        """The same encoding for a model file, which knows numbers, text and levels only."""
        encodings = []
        for column in range(self.count):
            features = [f for f in self.features if f.column == column]
            encodings.append(self._column_encoding(column, features))
        if list(self.groups) != sorted(self.groups):
            raise ValueError(
                "the pipeline changes the order of the columns, which a model file cannot "
                "describe, expected a ColumnTransformer that takes the columns in their order"
            )
        return _core.TableEncoding(encodings)

    def _column_encoding(self, column: int, features: list[Feature]) -> _core.ColumnEncoding:
        name = self.names[column] if self.names else ""
        shown = name or column + 1
        if not features:
            raise ValueError(f'the pipeline drops column "{shown}", which a model file cannot '
                             "describe, expected a model of all its columns")
        if features[0].encoder is None:
            return _core.ColumnEncoding(name, _core.ColumnKind.numeric, [])
        encoder = self.encoders[features[0].encoder]
        position = self._position_in(encoder, column)
        if position is None or not hasattr(encoder.transformer, "categories_"):
            raise ValueError(
                f'a model file cannot hold the {type(encoder.transformer).__name__} of column '
                f'"{shown}", expected scalers, PCA, OneHotEncoder and OrdinalEncoder: save the '
                "part of the pipeline behind it"
            )
        levels = [cell_text(level) for level in encoder.transformer.categories_[position]]
        kind = _core.ColumnKind.one_hot
        if type(encoder.transformer).__name__ == "OrdinalEncoder":
            kind = _core.ColumnKind.ordinal
        elif len(levels) != len(features):
            raise ValueError(f'the encoder of column "{shown}" drops or joins levels, which a '
                             "model file cannot describe, expected one feature for each level")
        return _core.ColumnEncoding(name, kind, levels)

    def _position_in(self, encoder: Encoder, column: int) -> int | None:
        """The position of a column among an encoder's inputs, if these are unchanged columns."""
        given = [self.inputs[source] for source in encoder.x.source]
        if not encoder.x.is_plain or any(feature.encoder is not None for feature in given):
            return None
        return [feature.column for feature in given].index(column)

    def feature_names(self, names: Sequence[str]) -> list[str]:
        """The names of the features, given the names of the columns."""
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


def _steps_of(origin: Origin) -> Iterator[Any]:
    """The transformers that a value goes through."""
    if isinstance(origin, Transformed):
        yield origin.transformer
    for name in ("given", "whole"):
        if hasattr(origin, name):
            yield from _steps_of(getattr(origin, name))
    for part in getattr(origin, "parts", ()):
        yield from _steps_of(part)


def _is_mark(cell: Any, marks: list[Any]) -> bool:
    """True for a missing cell: one of the marks, or NaN if that is a mark."""
    is_nothing = cell is None or cell != cell or str(cell) == "<NA>"
    return any(_core.is_missing(cell_text(cell)) if mark is None
               else is_nothing if mark != mark else bool(cell == mark) for mark in marks)


def _text_columns(X: Any) -> list[list[str]]:
    return [[cell_text(value)
             for value in np.asarray(columns_at(X, [position]), dtype=object).ravel()]
            for position in range(X.shape[1])]


def cell_text(value: Any) -> str:
    """A cell as it is written in a file; a missing value is empty."""
    if value is None or value != value or str(value) == "<NA>":
        return ""
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if value != int(value) else str(int(value))
    return str(value)
