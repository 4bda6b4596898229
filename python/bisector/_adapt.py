"""A fitted scikit-learn object or a model file as a model of the library."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._columns import Columns
from ._file_neighbors import FileNeighbors
from ._links import Link
from .errors import UnsupportedModelError

if TYPE_CHECKING:
    from ._neighbors import OwnSearch
    from ._smooth import SmoothSteps


_PICKLED = (".joblib", ".pickle", ".pkl")


@dataclass
class Subject:
    """A model of the library and the columns of its data."""

    model: _core.Model
    columns: Columns
    labels: NDArray[Any] | None  # None for regressors.
    has_level: bool = False  # The given level is the model's threshold.
    link: Link | None = None  # From decision values to probabilities.
    smooth: SmoothSteps | None = None  # The steps before `columns`, which mix those of the table.
    search: OwnSearch | None = None  # That of the estimator itself, for models of neighbors.

    def storable(self, names: list[str] | None = None) -> _core.Model:
        """The model with the encoding of its columns, for a file. `names`: the names of the columns,
        if they are not those of the model."""
        if self.model.encoding is not None or (self.columns.is_identity and names is None):
            return self.model
        columns = self.columns if names is None else replace(self.columns, names=names)
        encoding = None if columns.is_identity else columns.table_encoding()
        return self.model.with_features(feature_names_of(columns) if encoding is None else [],
                                        encoding)

    def __reduce__(self) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.npz")
            _core.write_bundle(path, self.model)
            with open(path, "rb") as file:
                bundle = file.read()
        columns = None if self.model.encoding is not None else self.columns
        return _restored, (bundle, columns, self.labels, self.has_level, self.link,
                           self.smooth, self.search)


def _restored(bundle: bytes, columns: Columns | None, *fields: Any) -> Subject:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.npz")
        with open(path, "wb") as file:
            file.write(bundle)
        subject = _from_core(_core.read_model(path))
    return Subject(subject.model, columns or subject.columns, *fields)


@dataclass
class Averaged:
    """Calibrated machines whose probabilities are averaged."""

    members: list[Subject]
    links: list[Link]  # Each from the decision values of a member to its probabilities.


def adapt(model: Any, level: float | None = None) -> Subject | Averaged:
    """`level`: the threshold of detectors that have none of their own."""
    if isinstance(model, (Subject, Averaged)):
        return model
    if isinstance(model, _core.Model):
        return _from_core(model)
    if isinstance(model, (str, os.PathLike)):
        if not os.path.exists(model):
            raise FileNotFoundError(f"cannot open {os.fspath(model)}: there is no such file, expected "
                                    "the path of a model file")
        if os.fspath(model).endswith(_PICKLED):
            raise ValueError(f"{os.fspath(model)} is a file of Python objects, expected the model: "
                             "type from joblib import load; "
                             f"bisector.Explainer(load({os.fspath(model)!r}), X_train)")
        return _from_core(_core.read_model(os.fspath(model)))
    if isinstance(model, FileNeighbors):
        from ._labeled import model_of_file

        return model_of_file(model)
    if isinstance(model, type):
        raise TypeError(f"got the class {model.__name__}, expected a fitted object of it")
    if not hasattr(model, "fit"):
        if hasattr(model, "shape"):
            raise UnsupportedModelError("the first argument is a table, expected the model first and "
                                        "the background second: type bisector.Explainer(model, X)")
        advice = ("shap.PermutationExplainer(model, X_train)(X)",) if callable(model) else ()
        raise UnsupportedModelError(
            f"an object of type {type(model).__name__} is not supported, expected a fitted "
            "scikit-learn model or the path of a model file", *advice)
    from ._advice import function_advice  # Imported here, so that model files do not need them.
    from ._fitted import from_sklearn

    try:
        return from_sklearn(model, level)
    except UnsupportedModelError as error:
        raise error.with_advice(*function_advice(model)) from None


def _from_core(model: _core.Model) -> Subject:
    labels: Any = None if model.is_regressor else _typed(model.labels)
    encoding = model.encoding
    if encoding is not None:
        names = list(encoding.column_names) if encoding.has_names else None
        columns = Columns(len(encoding.columns), names, table=encoding)
    else:
        columns = Columns.plain(model.features, list(model.feature_names) or None)
    return Subject(model, columns, labels)


def _typed(labels: list[str]) -> Any:
    """The labels of a file, which has text: numbers and truth values become what they were."""
    for kind in (int, float, {"False": False, "True": True}.__getitem__):
        try:
            values = [kind(label) for label in labels]
        except (KeyError, ValueError):
            continue
        if [str(value) for value in values] == list(labels):
            return np.array(values)
    return np.array(labels)


def feature_names_of(columns: Columns) -> list[str]:
    """Names for the library's messages and files; none if two features have the same name."""
    if columns.names is None:
        return []
    names = columns.feature_names(columns.names)
    return names if len(set(names)) == len(names) else []
