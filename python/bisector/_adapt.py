"""From what people have, a fitted scikit-learn object or a model file, to the library's model."""

from __future__ import annotations

import os
import tempfile
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._columns import Columns
from ._probes import require_same_features
from ._thresholds import Cut
from ._walk import Walk, found


@dataclass
class Subject:
    """A model and the columns that it is about."""

    model: _core.Model
    columns: Columns
    labels: NDArray[Any] | None  # None for regressors
    rows: NDArray[np.int64] | None  # of the points, in the training data
    has_level: bool = False  # the level that was given is the model's threshold

    def storable(self) -> _core.Model:
        """The model as a file can hold it: with the encoding of its columns."""
        if self.columns.is_identity or self.model.encoding is not None:
            return self.model
        encoding = self.columns.table_encoding()
        model = _core.Model(self.model.predictor, self.model.input, encoding=encoding)
        measured = self.model.measured
        return model if measured is None else model.with_measured(measured)

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.npz")
            _core.write_bundle(path, self.model)
            with open(path, "rb") as file:
                bundle = file.read()
        columns = None if self.model.encoding is not None else self.columns
        return _restored, (bundle, columns, self.labels, self.rows, self.has_level)


def _restored(bundle: bytes, columns: Columns | None, labels: Any, rows: Any,
              has_level: bool) -> Subject:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.npz")
        with open(path, "wb") as file:
            file.write(bundle)
        found = _from_core(_core.read_model(path))
    return Subject(found.model, columns or found.columns, labels, rows, has_level)


@dataclass
class Averaged:
    """Calibrated machines whose probabilities are averaged."""

    members: list[Subject]
    cuts: list[Cut]


def adapt(model: Any, level: float | None = None) -> Subject | Averaged:
    """`level`: the threshold of detectors that have none of their own."""
    if isinstance(model, (Subject, Averaged)):
        return model
    if isinstance(model, _core.Model):
        return _from_core(model)
    if isinstance(model, (str, os.PathLike)):
        return _from_core(_core.read_model(os.fspath(model)))
    if isinstance(model, type):
        raise TypeError(f"got the class {model.__name__}, expected a fitted object of it")
    if not hasattr(model, "fit"):
        raise TypeError(
            f"cannot explain a {type(model).__name__}, expected a fitted scikit-learn model or the "
            "path of a model file. A function of rows goes to bisector.explain(f, X, method=...)"
        )
    return _from_sklearn(model, level)


def _from_core(model: _core.Model) -> Subject:
    labels: Any = None if model.is_regressor else np.array([_number(x) for x in model.labels])
    encoding = model.encoding
    if encoding is not None:
        names = list(encoding.column_names) if encoding.has_names else None
        columns = Columns(len(encoding.columns), names, table=encoding)
    else:
        columns = Columns.plain(model.features, list(model.feature_names) or None)
    return Subject(model, columns, labels, None)


def _number(label: str) -> Any:
    """Files write integer labels as text, and models of integers are asked for integers."""
    try:
        return int(label) if str(int(label)) == label else label
    except ValueError:
        return label


def _feature_names(columns: Columns) -> list[str]:
    """For the library's messages and files; none where they would not tell features apart."""
    if columns.names is None:
        return []
    names = columns.feature_names(columns.names)
    return names if len(set(names)) == len(names) else []


def _from_sklearn(model: Any, level: float | None) -> Subject | Averaged:
    model, path = found(model)
    names = getattr(model, "feature_names_in_", None)
    names = None if names is None else [str(name) for name in names]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*feature names")
        walk = Walk(model, path, level=level)
        if not walk.members:
            return _subject(walk, names)
        return Averaged([_subject(member, names) for member in walk.members],
                        [member.cut for member in walk.members])


def _subject(walk: Walk, names: list[str] | None) -> Subject:
    columns, affine, final = walk.x.finished(walk.inputs, walk.count, names)
    core = _core.Model(walk.adapted.predictor, affine, _feature_names(columns))
    require_same_features(walk.steps, columns, final)
    return Subject(core, columns, walk.adapted.labels, walk.adapted.rows, walk.took_level)
