"""Explainer: a model made ready for explaining many rows."""

from __future__ import annotations

import os
import tempfile
import warnings
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Sequence

import numpy as np

from . import _core
from ._adapt import Subject, adapt
from ._columns import Read
from ._options import PARAMETERS, explain_options, method_of
from ._progress import Progress, shown
from ._tables import Floats
from .explanation import Explanation

_RULES = ("lrp", "lrp-path")
_FEW_ROWS = 256  # not worth a progress bar


@dataclass(frozen=True)
class Evidence:
    """A pair of points and its part in the explanation of a row. Points are given by their row in
    the training data (in the model file), None is the intercept."""

    positive: int | None
    negative: int | None
    weight: float
    activation: float
    relevance: Floats  # its share of every feature's relevance


@dataclass(frozen=True)
class Network:
    """The neuralized model at one row: detection units z_ij, their pooling h_j, and g."""

    positive: list[int | None]  # the points i of pool P, as in Evidence
    negative: list[int | None]  # the points j of pool N
    detection: Floats
    hidden: Floats
    g: float
    positive_weights: Floats
    negative_weights: Floats


class Explainer:
    """Explains a fitted scikit-learn model, or a model file given by its path.

    ``Explainer(model)(X)`` returns an Explanation. Every option defaults to what the paper's
    heuristics say.

    model: SVC, NuSVC, SVR, NuSVR, OneClassSVM, KernelRidge, GaussianProcessRegressor (RBF kernels),
        KNeighborsClassifier, NearestCentroid, KMeans; behind a Pipeline of scalers, PCA and
        ColumnTransformers with encoders, or in GridSearchCV; or the path of a LIBSVM model or an
        .npz bundle.
    method: "lrp" (the paper's rule), "lrp-path", "gi", "ig", "sensitivity", "occlusion", "shapley"
        or "shapley-exact".
    eta: from 0 (gradient x input) to 1 (midpoint rule). beta: kernel machines, stiffness of the
        responsibilities. kappa: neighbours, half-width of the band of ranks.
    reference: the point from which eta < 1 measures a row: "origin", "mean" or a row like X's.
    background: rows that stand for the data; their mean and median distance replace those of the
        model's points, and shapley-exact is averaged over them.
    positive_class, versus: the classes that positive and negative relevance speak for. Default: with two
        classes classes_[1] and classes_[0], with more the predicted class and its strongest rival.
    level: regressors, "why is the prediction above this?". Default: the training target's mean.
    on: what baselines explain: by default the model's own "f" (neighbours: whether the class is predicted), the
        network's "g" or the neighbours' "votes".
    steps (ig, default 10), sequences and seed (shapley, 10 and 0), path_steps (lrp-path, 5): of
        these methods; others refuse them.
    precision: "double" or "float", which is faster.
    n_jobs: threads, as in scikit-learn; -1 for all.
    progress: True, False, a function of (done, total), or None for a bar where somebody looks.
    """

    def __init__(self, model: Any, *, method: str = "lrp", eta: float | None = None,
                 beta: float | None = None, kappa: int | None = None, reference: Any = None,
                 background: Any = None, positive_class: Any = None, versus: Any = None,
                 level: float | None = None, ignore_intercept: bool = False,
                 on: str | None = None, steps: int | None = None, sequences: int | None = None,
                 path_steps: int | None = None, seed: int | None = None,
                 precision: str = "double", feature_names: Sequence[str] | None = None,
                 n_jobs: int | None = -1, progress: Progress = None, of_class: Any = None):
        if of_class is not None:
            warnings.warn("of_class is now positive_class", FutureWarning, stacklevel=2)
            positive_class = of_class
        self._arguments = {name: value for name, value in locals().items()
                           if name not in ("self", "model", "of_class", "__class__")}
        subject = model._subject if isinstance(model, Explainer) else adapt(model)
        self._subject: Subject = subject
        self._columns = subject.columns
        self._names = _checked_names(feature_names, subject)
        self.method = method
        self.progress = progress
        self._options = explain_options(subject, self._arguments)
        self._core = _core.Explainer(subject.model, method_of(self._arguments), self._options)
        self._on_g = on == "g" or method in _RULES
        self.settings = MappingProxyType(_settings(self._core.settings))

    def __call__(self, X: Any, *, per_level: bool = False) -> Explanation:
        """The Explanation of every row of X: an array or a DataFrame like the one the model was
        fitted on. `per_level`: one relevance per level of a one-hot column, instead of their sum.
        """
        read = self._columns.read(X)
        if len(read.features) > _FEW_ROWS:
            with shown(self.progress, "explaining", len(read.features)) as callback:
                arrays = self._core(read.features, callback)
        else:
            arrays = self._core(read.features)
        return self._explanation(read, arrays, per_level)

    def _explanation(self, read: Read, arrays: Any, per_level: bool) -> Explanation:
        values, g, decision, value, prediction, positive, negative, tie = arrays
        data, names = read.data, self._names or read.names
        if per_level:
            data, names = read.features, self._columns.feature_names(names)
        elif not self._columns.is_identity:
            values = self._columns.sum_back(values)
        labels = self._subject.labels
        if labels is None:
            return Explanation(values, g if self._on_g else decision, data, names,
                               method=self.method, settings=self.settings, prediction=value, g=g,
                               decision=decision, tie=tie, index=read.index)
        output = g if self._on_g else self._outcome(decision, prediction, positive)
        return Explanation(values, output, data, names, method=self.method, settings=self.settings,
                           classes=labels, prediction=prediction, positive=positive,
                           negative=negative, g=g, decision=decision, tie=tie, index=read.index)

    def _outcome(self, decision: Floats, prediction: Any, positive: Any) -> Floats:
        """What baselines explain: f, for neighbours the votes or whether the class is predicted."""
        by_distance = self._subject.model.kind in ("neighbors", "centroids")
        if by_distance and self._arguments["on"] != "votes":
            return np.where(prediction == positive, 1.0, -1.0)
        return decision

    def shap_values(self, X: Any) -> Floats:
        """The relevance alone, for code that was written for SHAP."""
        return self(X).values

    @cached_property
    def expected_value(self) -> float:
        """The explained output at the reference point, from which relevance is measured. Shapley
        values add up to what a row has more than this; the other rules have a base value of their
        own for every row (Explanation.base_values)."""
        reference = np.asarray(self._core.settings.reference)[None, :]
        values, g, decision, _, prediction, positive, _, _ = self._core(reference)
        output = g if self._on_g else self._outcome(decision, prediction, positive)
        if self.method == "shapley-exact":  # over a background, that is its mean
            output = output - values.sum(axis=1)
        return float(output[0])

    @property
    def classes(self) -> Any:
        """The labels of a classifier, None for a regressor."""
        return self._subject.labels

    @property
    def feature_names(self) -> list[str]:
        return self._names or self._columns.names or [
            f"x{d + 1}" for d in range(self._columns.count)
        ]

    def predict(self, X: Any) -> Any:
        """The model's own prediction, by the library."""
        decisions, classes = self._decide(self._columns.read(X).features)
        return decisions[:, 0] if self.classes is None else self.classes[classes]

    @cached_property
    def _decide(self) -> _core.DecisionFunction:
        return _core.DecisionFunction(self._subject.model, self._options.threads)

    def evidence(self, x: Any, count: int = 5) -> list[Evidence]:
        """The `count` pairs of points that had the largest part in the decision about one row."""
        found = self._core.evidence(self._one_row(x), count)
        return [Evidence(self._training_row(pair.positive), self._training_row(pair.negative),
                         pair.weight, pair.activation,
                         self._columns.sum_back(np.asarray(pair.relevance)[None, :])[0])
                for pair in found]

    def network(self, x: Any) -> Network:
        """The neuralized model at one row, for looking at."""
        core = self._core.network(self._one_row(x))
        return Network([self._training_row(point) for point in core.positive],
                       [self._training_row(point) for point in core.negative],
                       np.asarray(core.detection), np.asarray(core.hidden), core.g,
                       np.asarray(core.positive_weights), np.asarray(core.negative_weights))

    def _one_row(self, x: Any) -> Floats:
        if not hasattr(x, "columns"):
            x = np.atleast_2d(np.asarray(x))
        features = self._columns.read(x).features
        if len(features) != 1:
            raise ValueError(f"x has {len(features)} rows, expected one")
        return np.ascontiguousarray(features[0])

    def _training_row(self, point: int | None) -> int | None:
        rows = self._subject.rows
        return point if point is None or rows is None else int(rows[point])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model, with its preprocessing and names, as an .npz bundle for the command
        line and for Explainer(path). Options are not part of it."""
        _core.write_bundle(os.fspath(path), self._subject.storable())

    def __reduce__(self) -> Any:
        return _rebuilt, (self._subject, self._arguments)

    def __repr__(self) -> str:
        return (f"<bisector.Explainer of {self._subject.model.kind}, "
                f"{self._columns.count} features, by {self.method}>")


def options_for(explainer: Explainer, method: str) -> dict[str, Any]:
    """The arguments of an explainer for a method: its own method keeps its parameters, another has
    its defaults."""
    arguments = {**explainer._arguments, "method": method}
    if method == explainer.method:
        return arguments
    return {name: value for name, value in arguments.items() if name not in PARAMETERS}


def _rebuilt(subject: Subject, arguments: dict[str, Any]) -> Explainer:
    return Explainer(subject, **arguments)


def _checked_names(names: Sequence[str] | None, subject: Subject) -> list[str] | None:
    if names is None:
        return None
    if len(names) != subject.columns.count:
        raise ValueError(
            f"{len(names)} feature names, expected {subject.columns.count}: one for each column"
        )
    return [str(name) for name in names]


def _settings(core: _core.ExplainSettings) -> dict[str, Any]:
    """What the options were resolved to, in plain values."""
    names = ["eta", "beta", "kappa", "gamma", "median_distance", "k", "level", "path_steps",
             "reference_name"]
    found = {name: getattr(core, name) for name in names}
    found = {name: value for name, value in found.items() if value is not None}
    return {**found, "reference": np.asarray(core.reference).tolist()}
