"""Explainer: a model made ready for explaining many rows."""

from __future__ import annotations

import os
import tempfile
import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Sequence

import numpy as np

from . import _core
from ._adapt import Averaged, Subject, adapt
from ._averaged import Average
from ._columns import Columns, Read
from ._options import (PARAMETERS, choice, documented, explain_options, method_of, method_parameters,
                       parameter_arguments)
from ._progress import Progress, shown
from ._sparse import explain_sparse
from ._tables import Floats, is_sparse, rows_by_index
from ._types import PrecisionName, UnitName
from .explanation import Explanation

_RULES = ("lrp", "lrp-path", "lrp-expected", "neighborhood")
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


@documented
class Explainer:
    """Explains the predictions of a fitted distance-based model.

    ``Explainer(model)(X)`` returns an Explanation. Options that are not given are chosen for the
    model; `settings` has the resolved options, and `method` the method that was taken.

    Parameters
    ----------
    model : estimator or path-like
        Any estimator of scikit-learn that decides by distance (SVMs, kernel ridge, Gaussian
        processes, neighbors, centroids, detectors: docs/guide/estimators.md), alone, in a Pipeline
        after scalers, PCA and ColumnTransformers with encoders, or in GridSearchCV; or the path of
        a LIBSVM model or an .npz bundle.
    method : str, optional
        One of the following. Default: "auto", or "lrp" if one of eta, beta, kappa and
        ignore_intercept is given. "measured" measures which method is the most faithful for this
        model and its background, which takes seconds; `measured` has the figures, and save()
        stores the choice in the model file.

        %(methods)s
    %(parameters)s
    reference : {"origin", "mean"} or row, optional
        Point that stands for absent features, for rules with eta < 1 and for baselines.
    background : rows like X, optional
        Rows that represent the data instead of the model's points: mean, median distance,
        references and neighbors are theirs; shapley-exact is averaged over them.
    positive_class, versus : label, optional
        Classes that positive and negative values push toward. Default: with two classes
        classes_[1] and classes_[0], with more the predicted class and its strongest rival.
    level : float, optional
        Regressors: explain why the prediction is above this value. Default: the mean of the
        training target. KernelDensity (log density) and NearestNeighbors (distance): the threshold.
    unit : {"g", "decision", "share"}
        Unit of the values: "decision" (the model's own output: decision value, votes, or the
        target's unit), "share" (percent) or "g" (output of the neuralized model).
    precision : {"double", "float"}
        "float" is faster.
    feature_names : sequence of str, optional
        Names of the columns.
    n_jobs : int, optional
        Threads, as in scikit-learn; -1 for all.
    progress : bool or callable, optional
        A function of (done, total), True or False. Default: a bar in a terminal or notebook.
    """

    def __init__(self, model: Any, *, method: str | None = None, reference: Any = None,
                 background: Any = None, positive_class: Any = None, versus: Any = None,
                 level: float | None = None, unit: UnitName = "g",
                 precision: PrecisionName = "double", feature_names: Sequence[str] | None = None,
                 n_jobs: int | None = -1, progress: Progress = None, of_class: Any = None,
                 **parameters: Any):
        if of_class is not None:
            warnings.warn("of_class is now positive_class", FutureWarning, stacklevel=2)
            positive_class = of_class
        self._arguments = {name: value for name, value in locals().items()
                           if name not in ("self", "model", "of_class", "parameters", "__class__")}
        self._arguments.update(parameter_arguments(parameters))
        self._given = dict(self._arguments)  # as they were given
        self._model: Any = model._model if isinstance(model, Explainer) else model
        subject: Subject | Averaged = (
            model._adapted if isinstance(model, Explainer) else adapt(model, level))
        self._adapted: Subject | Averaged = subject
        self._average: Average | None = None
        self.progress = progress
        if isinstance(subject, Averaged):
            self._set_average(subject)
            return
        self._columns = subject.columns
        self._names = _checked_names(feature_names, subject.columns)
        self._options = explain_options(subject, self._arguments)
        if method == "measured":
            subject = self._adapted = _measured(subject, self._arguments, self._options)
            self._arguments.update(method="auto", seed=None)  # the model has the rule from now on
        asked = method_of(self._arguments)
        self._asked = asked.name
        self._core = _core.Explainer(subject.model, asked, self._options)
        self.settings = MappingProxyType(_settings(self._core.settings))
        self.method: str = self.settings["method"]
        self._on_g = self._arguments["on"] == "g" or self.method in _RULES

    def _set_average(self, averaged: Averaged) -> None:
        """Each machine has an explainer of its own, in units of its own output."""
        members = [Explainer(member, **{**self._arguments, "unit": "decision", "progress": False})
                   for member in averaged.members]
        self._average = Average(members, averaged.cuts, self._arguments["unit"])
        self._columns, self._names = members[0]._columns, members[0]._names
        self._asked, self.method = members[0]._asked, members[0].method
        self.settings = self._average.settings

    @property
    def _subject(self) -> Subject:
        if isinstance(self._adapted, Averaged):
            raise ValueError(
                f"the model averages {len(self._adapted.members)} machines, and this is about one, "
                "expected a single machine: explain one of its calibrated_classifiers_[i].estimator"
            )
        return self._adapted

    def __call__(self, X: Any, *, per_level: bool = False) -> Explanation:
        """The Explanation of every row of X: an array or a DataFrame like the one the model was
        fitted on. `per_level`: one relevance per level of a one-hot column, instead of their sum.
        """
        if self._average is not None:
            return self._average(X, per_level)
        with rows_by_index(X):
            if is_sparse(X):
                return explain_sparse(X, self._explained, self.progress, per_level)
            read = self._columns.read(X)
            if len(read.features) > _FEW_ROWS:
                with shown(self.progress, "explaining", len(read.features)) as callback:
                    arrays = self._core(read.features, callback)
            else:
                arrays = self._core(read.features)
            return self._explanation(read, arrays, per_level)

    def _explained(self, X: Any, first_row: int, per_level: bool) -> Explanation:
        """Rows that others stand before: what is drawn at random goes on from there."""
        read = self._columns.read(X)
        return self._explanation(read, self._core(read.features, first_row=first_row), per_level)

    def _explanation(self, read: Read, arrays: dict[str, Any], per_level: bool) -> Explanation:
        values, data, names = arrays["relevance"], read.data, self._names or read.names
        if per_level:
            data, names = read.features, self._columns.feature_names(names)
        elif not self._columns.is_identity:
            values = self._columns.sum_back(values)
        labels = self._subject.labels
        of_classes = {} if labels is None else {
            "classes": labels, "positive": arrays["positive"], "negative": arrays["negative"]}
        prediction = arrays["value" if labels is None else "prediction"]
        return Explanation(values, self._output(arrays), data, names, method=self.method,
                           settings=self.settings, prediction=prediction, g=arrays["g"],
                           decision=arrays["decision"], tie=arrays["tie"],
                           base_values=arrays["base"], remainder=arrays["remainder"],
                           correction=arrays["correction"], outside=arrays["outside"],
                           index=read.index, **of_classes)

    def _output(self, arrays: dict[str, Any]) -> Floats:
        """What base, relevance and remainder add up to: the explained output, in the unit."""
        explained = arrays["g"] if self._on_g else self._outcome(arrays)
        unit = self.settings["unit"]
        if unit == "g":
            return explained
        decides = np.isfinite(explained) & (explained != 0.0)
        if unit == "share":
            return np.where(decides, np.sign(explained) * 100.0, 0.0)
        return np.where(decides, arrays["decision"] if self._on_g else explained, 0.0)

    def _outcome(self, arrays: dict[str, Any]) -> Floats:
        """What baselines explain: f, for neighbors the votes or whether the class is predicted."""
        by_distance = self._subject.model.kind in ("neighbors", "centroids")
        if by_distance and self._arguments["on"] != "votes":
            return np.where(arrays["prediction"] == arrays["positive"], 1.0, -1.0)
        return np.asarray(arrays["decision"])

    def shap_values(self, X: Any) -> Floats:
        """The relevance alone, for code that was written for SHAP."""
        return self(X).values

    @cached_property
    def expected_value(self) -> float:
        """The base value from which relevance is measured (Explanation.base_values), where it is
        the same for every row: of another contrast it may be another."""
        if self._average is not None:
            raise ValueError("the base values of averaged machines differ from row to row, expected "
                             "a single machine: see Explanation.base_values")
        reference = np.asarray(self._core.settings.reference)[None, :]
        return float(self._core(reference)["base"][0])

    @property
    def measured(self) -> dict[str, tuple[float, float]] | None:
        """The AUFC (lower is better) and its standard error of every rule that was measured for
        the model, the best first; None where nothing was."""
        measured = None if self._average is not None else self._subject.model.measured
        if measured is None:
            return None
        return {name: (aufc, error) for name, aufc, error in measured.figures}

    @property
    def classes(self) -> Any:
        """The labels of a classifier, None for a regressor."""
        one = self._adapted.members[0] if isinstance(self._adapted, Averaged) else self._adapted
        return one.labels

    @property
    def feature_names(self) -> list[str]:
        return self._names or self._columns.names or [
            f"x{d + 1}" for d in range(self._columns.count)
        ]

    def predict(self, X: Any) -> Any:
        """The model's own prediction, by the library."""
        with rows_by_index(X):
            if self._average is not None:
                return self._average.predict(X)
            decisions, classes = self._decide(self._columns.read(X).features)
        return decisions[:, 0] if self.classes is None else self.classes[classes]

    @cached_property
    def _decide(self) -> _core.DecisionFunction:
        return _core.DecisionFunction(self._subject.model, self._options.threads)

    def evidence(self, x: Any, count: int = 5) -> list[Evidence]:
        """The `count` pairs of points that had the largest part in the decision about one row."""
        row = self._one_row(x)
        found = self._core.evidence(row, count)
        return [Evidence(self._training_row(pair.positive), self._training_row(pair.negative),
                         pair.weight, pair.activation,
                         self._columns.sum_back(np.asarray(pair.relevance)[None, :])[0])
                for pair in found]

    def network(self, x: Any) -> Network:
        """The neuralized model at one row, for looking at."""
        row = self._one_row(x)
        core = self._core.network(row)
        return Network([self._training_row(point) for point in core.positive],
                       [self._training_row(point) for point in core.negative],
                       np.asarray(core.detection), np.asarray(core.hidden), core.g,
                       np.asarray(core.positive_weights), np.asarray(core.negative_weights))

    def _one_row(self, x: Any) -> Floats:
        if not hasattr(x, "columns"):
            x = np.atleast_2d(np.asarray(x))
        features = self._subject.columns.read(x).features
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

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The model and all options, as scikit-learn asks for them."""
        return {"model": self._model, **self._given}

    def set_params(self, **params: Any) -> Explainer:
        """Changes options of this explainer, which is made ready anew."""
        unknown = set(params) - set(self.get_params())
        if unknown:
            raise ValueError(f"no parameter {sorted(unknown)[0]!r}, expected some of "
                             f"{', '.join(self.get_params())}")
        model = params.pop("model", self)
        Explainer.__init__(self, model, **{**self._given, **params})
        return self

    def __sklearn_clone__(self) -> Explainer:
        """sklearn.base.clone(explainer): the same of the same fitted model, which stays fitted."""
        return Explainer(self, **self._given)

    def __reduce__(self) -> Any:
        return _rebuilt, (self._adapted, self._arguments)

    def __repr__(self) -> str:
        kind = ("averaged machines" if self._average is not None else self._subject.model.kind)
        return (f"<bisector.Explainer of {kind}, "
                f"{self._columns.count} features, by {self.method}>")


def options_for(explainer: Explainer, method: str | None) -> dict[str, Any]:
    """The arguments of an explainer for a method: its own (None) keeps its parameters, another has
    its defaults."""
    if method in (None, explainer._asked):
        return dict(explainer._arguments)
    arguments = {**explainer._arguments, "method": method}
    return {name: value for name, value in arguments.items() if name not in PARAMETERS}


def _measured(subject: Subject, arguments: dict[str, Any], options: _core.ExplainOptions) -> Subject:
    """The model with the rule that was measured for it."""
    if arguments["background"] is None:
        raise ValueError('method is "measured" without a background, expected background=...: rows '
                         "that stand for the data")
    parameters = method_parameters(arguments)
    method_of({**arguments, "method": "auto", "seed": None})  # refuses the parameters of a rule
    rows = subject.columns.read(arguments["background"]).features
    with shown(arguments["progress"], "measuring", 1) as callback:
        view = choice("view", parameters.get("view", "model"), _core.View)
        model = _core.measured_model(subject.model, rows, view, parameters.get("seed", 0), options,
                                     callback)
    return replace(subject, model=model)


def _rebuilt(subject: Subject | Averaged, arguments: dict[str, Any]) -> Explainer:
    return Explainer(subject, **arguments)


def _checked_names(names: Sequence[str] | None, columns: Columns) -> list[str] | None:
    if names is None:
        return None
    if len(names) != columns.count:
        raise ValueError(
            f"{len(names)} feature names, expected {columns.count}: one for each column"
        )
    return [str(name) for name in names]


def _settings(core: _core.ExplainSettings) -> dict[str, Any]:
    """What the options were resolved to, in plain values."""
    names = ["method", "reason", "cost", "eta", "beta", "kappa", "gamma", "median_distance", "k",
             "level", "reference_name"]
    found = {name: value for name in names if (value := getattr(core, name)) is not None}
    return {**found, **core.parameters, "unit": core.unit.name,
            "reference": np.asarray(core.reference).tolist()}
