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
from ._estimators import adapt_estimator
from ._probes import Multiplied, require_same_decision, require_same_features
from ._steps import Affine, Inputs, apply_step


@dataclass
class Subject:
    """A model and the columns that it is about."""

    model: _core.Model
    columns: Columns
    labels: NDArray[Any] | None  # None for regressors
    rows: NDArray[np.int64] | None  # of the points, in the training data

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
        return _restored, (bundle, columns, self.labels, self.rows)


def _restored(bundle: bytes, columns: Columns | None, labels: Any, rows: Any) -> Subject:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.npz")
        with open(path, "wb") as file:
            file.write(bundle)
        found = _from_core(_core.read_model(path))
    return Subject(found.model, columns or found.columns, labels, rows)


def adapt(model: Any) -> Subject:
    if isinstance(model, Subject):
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
    return _from_sklearn(model)


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


def _found(model: Any) -> Any:
    """What a search found."""
    from sklearn.model_selection._search import BaseSearchCV

    if not isinstance(model, BaseSearchCV):
        return model
    if not hasattr(model, "best_estimator_"):
        raise ValueError(
            f"the {type(model).__name__} has no best_estimator_, expected a fitted one with "
            "refit=True"
        )
    return _found(model.best_estimator_)


class _Walk:
    """A fitted object opened layer by layer: searches, calibration, pipelines."""

    def __init__(self, model: Any):
        self.inputs = Inputs(_columns_of(model))
        self.x = Affine.of(np.arange(len(self.inputs.features)))
        self.shift = 0.0
        self.steps: list[Any] = []
        self.estimator = self._open(model)

    def _open(self, model: Any) -> Any:
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.pipeline import Pipeline

        model = _found(model)
        if isinstance(model, Pipeline):
            for _, step in model.steps[:-1]:
                self.x = apply_step(step, self.x, self.inputs)
                self.steps.append(step)
            return self._open(model.steps[-1][1])
        if isinstance(model, CalibratedClassifierCV):
            return self._open(self._calibrated(model))
        if type(model).__name__ == "FrozenEstimator":
            return self._open(model.estimator)
        return model

    def _calibrated(self, model: Any) -> Any:
        """The sigmoid of a two-class machine moves its threshold, which is an intercept."""
        fitted = getattr(model, "calibrated_classifiers_", None)
        if fitted is None:
            raise ValueError("the CalibratedClassifierCV is not fitted, expected a fitted one")
        if len(fitted) != 1:
            raise ValueError(
                f"the CalibratedClassifierCV averages {len(fitted)} models, expected one: fit it "
                "with ensemble=False, or explain calibrated_classifiers_[i].estimator"
            )
        if fitted[0].method != "sigmoid" or len(model.classes_) != 2:
            raise ValueError(
                f"the CalibratedClassifierCV ({fitted[0].method}, {len(model.classes_)} classes) "
                "may decide otherwise than the estimator inside, expected method='sigmoid' and two "
                "classes: explain calibrated_classifiers_[0].estimator instead"
            )
        sigmoid = fitted[0].calibrators[0]
        if sigmoid.a_ >= 0.0:
            raise ValueError(
                "the calibration turns the decision around (a_ is not below 0), expected one that "
                "keeps its direction: explain calibrated_classifiers_[0].estimator instead"
            )
        self.shift += float(sigmoid.b_ / sigmoid.a_)
        return fitted[0].estimator


def _columns_of(model: Any) -> int:
    """How many columns the data have, which the first step knows that looks at them."""
    count = getattr(model, "n_features_in_", None)
    if count is None and hasattr(model, "shape_fit_"):  # an SVM with a kernel of the user's
        count = model.shape_fit_[1]
    if count is not None:
        return int(count)
    for _, step in getattr(model, "steps", []):
        if step is not None and step != "passthrough":
            return _columns_of(step)
    raise ValueError(
        f"the {type(model).__name__} is not fitted, expected a fitted one: call fit first"
    )


def _feature_names(columns: Columns) -> list[str]:
    """For the library's messages and files; none where they would not tell features apart."""
    if columns.names is None:
        return []
    names = columns.feature_names(columns.names)
    return names if len(set(names)) == len(names) else []


def _from_sklearn(model: Any) -> Subject:
    model = _found(model)
    names = getattr(model, "feature_names_in_", None)
    walk = _Walk(model)
    adapted = adapt_estimator(walk.estimator, walk.shift)
    x = walk.x if adapted.scale is None else walk.x.scaled(adapted.scale, 0.0)
    walk.steps += [] if adapted.scale is None else [Multiplied(adapted.scale)]
    columns, affine, final = x.finished(walk.inputs, _columns_of(model),
                                    None if names is None else [str(name) for name in names])
    core = _core.Model(adapted.predictor, affine, _feature_names(columns))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*feature names")
        require_same_features(walk.steps, columns, final)
        require_same_decision(walk.estimator, adapted, walk.shift)
    return Subject(core, columns, adapted.labels, adapted.rows)
