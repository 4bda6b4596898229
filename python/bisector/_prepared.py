"""A model with resolved options: the part of an Explainer that other modules use."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Mapping, Sequence

import numpy as np

from . import _core
from ._adapt import Subject
from ._columns import Columns, Read
from ._evidence import Evidence
from ._groups import checked_groups
from ._interactions import Interactions
from ._links import linked
from ._options import background_features, choice, explain_options, method_of, method_parameters
from ._progress import Callback, Progress, shown
from ._sparse import explain_sparse
from ._tables import (Floats, Integers, checked_cells, column_names, default_names, is_sparse,
                      labeled_rows, opened)
from ._vectors import vector_of
from .explanation import Explanation, attributes
from .flips import FlipSpace

_FEW_ROWS = 256  # Fewer rows need no progress bar.


class TableModel:
    """A model of the columns of a table, and explanations by its columns."""

    settings: Mapping[str, Any]
    method: str  # The method that computes the relevance.
    asked: str  # The method that was asked for.

    def __init__(self, subject: Subject, columns: Columns, arguments: Mapping[str, Any]):
        self.subject, self.columns = subject, columns
        self.arguments = dict(arguments)
        self.names = _checked_names(arguments["feature_names"], columns) or _vector_names(
            arguments["background"], columns)
        self.groups = checked_groups(self.arguments.get("groups"), self.feature_names)

    @property
    def labels(self) -> Any:
        return self.subject.labels

    @property
    def kind(self) -> str:
        return str(self.subject.model.kind)

    @property
    def feature_names(self) -> list[str]:
        return self.names or self.columns.names or default_names(self.columns.count)

    @property
    def known_names(self) -> list[str] | None:
        """The names that the user or the model gave; None if the features have none."""
        return self.names or self.columns.names

    def explain(self, X: Any, per_level: bool = False, all_classes: bool = False) -> Explanation:
        """The explanation of every row."""
        raise NotImplementedError

    def decide(self, X: Any) -> tuple[Floats, Any]:
        """The decision values and the predicted classes."""
        raise NotImplementedError

    def at_reference(self, all_classes: bool = False) -> dict[str, Any]:
        """The explanation of a reference, which has the base value of every row."""
        raise NotImplementedError

    @property
    def is_by_class(self) -> bool:
        """True for three or more classes of which none was chosen: SHAP's values have their axis."""
        given = self.arguments
        return (self.labels is not None and len(self.labels) > 2 and given["positive_class"] is None
                and given["unit"] in (None, "decision") and given["output"] == "decision")

    @property
    def expected_value(self) -> Any:
        base = np.asarray(self.at_reference(self.is_by_class)["base"][0])
        return base if self.is_by_class else float(base)

    def _require_levels(self, per_level: bool) -> None:
        if per_level and self.groups is not None:
            raise ValueError("per_level=True with groups, expected one of the two")

    def predict(self, X: Any) -> Any:
        with labeled_rows(X):
            decisions, classes = self.decide(X)
        return decisions[:, 0] if self.labels is None else self.labels[classes]

    def _of_columns(self, read: Read, relevance: Floats, per_level: bool) -> tuple[Any, Any, Any]:
        """The relevance, the cells and the names of the columns, or of their levels."""
        names = self.names or read.names
        if per_level:
            return relevance, read.features, self.columns.feature_names(names)
        if self.groups is not None:
            return self.summed(relevance), self.groups.data(read.data), self.groups.names
        return self.summed(relevance), read.data, names

    def _imputed(self, read: Read, per_level: bool) -> Any:
        """Which of the cells were missing, so that the model fills them in."""
        found = self.columns.imputed(read.data)
        if found is None:
            return None
        if per_level:
            return found[:, self.columns.groups]
        return found if self.groups is None else self.groups.sum(np.asarray(found, np.float64)) > 0.0

    def checked(self, read: Read) -> Any:
        return checked_cells(read.features,
                             lambda: self.columns.feature_names(self.names or read.names))

    def _explanation(self, read: Read, arrays: dict[str, Any], per_level: bool) -> Explanation:
        values, data, names = self._of_columns(read, arrays["relevance"], per_level)
        found = explanation_of(arrays, values, data, names, self.method, self.settings, self.labels,
                               self._standard_errors(arrays, per_level), read.index)
        found.imputed = self._imputed(read, per_level)
        link = self.subject.link
        if self.arguments["output"] == "decision" or link is None:
            return found
        return linked(found, link, self.arguments["output"])

    def _explanation_of_classes(self, read: Read, arrays: dict[str, Any], predicted: Any,
                                per_level: bool) -> Explanation:
        """Arrays whose last axis is the class, in the order of the estimator's classes."""
        # Some models of two classes are stored with the second class first.
        order = np.argsort(self.labels) if len(self.labels) == 2 else np.arange(len(self.labels))
        ordered = {name: arrays[name][..., order]
                   for name in ("relevance", "base", "output", "remainder")}
        values, data, names = self._of_columns(read, ordered["relevance"], per_level)
        return Explanation(values, ordered["output"], data, names, method=self.method,
                           imputed=self._imputed(read, per_level),
                           settings=MappingProxyType({**self.settings, "classes": "all"}),
                           decision=ordered["output"], classes=np.asarray(self.labels)[order],
                           prediction_index=np.argsort(order)[predicted], index=read.index,
                           **attributes({**arrays, **ordered}))

    def _standard_errors(self, arrays: dict[str, Any], per_level: bool) -> Any:
        """The standard error of a column is at most the sum over its levels."""
        errors = arrays.get("standard_error")
        if errors is None or errors.shape != arrays["relevance"].shape:
            return None
        return errors if per_level else self.summed(errors)

    def summed(self, values: Floats) -> Floats:
        """Values of features, summed onto columns and groups."""
        columns = self.columns.sum_back(values)
        return columns if self.groups is None else self.groups.sum(columns)


class Prepared(TableModel):
    """One model of the library, its columns, and the explainer for it."""

    def __init__(self, subject: Subject, arguments: Mapping[str, Any]):
        super().__init__(subject, subject.columns, arguments)
        self.options = explain_options(subject, self.arguments)
        self.options.players = self._players()
        if arguments["method"] == "measured":
            subject = _measured(subject, self.arguments, self.options)
            self.arguments.update(method="auto", seed=None)  # The model has the rule now.
        asked = method_of(self.arguments)
        self.asked = asked.name
        self.core = _core.Explainer(subject.model, asked, self.options)
        # Copies of this explainer have the choice of its method.
        self.subject = replace(subject, model=subject.model.with_check_of(self.core.model))
        self.settings = MappingProxyType(_settings(self.core.settings))
        self.method = self.settings["method"]

    def stored_model(self, background: bool) -> _core.Model:
        """The model for a file, with what its method needs to give the same values."""
        model = self.core.model.with_auto_check(self.options.threads)
        subject = replace(self.subject, model=model if background else model.without_background())
        return subject.storable(self.names)

    def _entries(self) -> Integers:
        """The column or group of each feature of the model."""
        columns = np.asarray(self.columns.groups)
        return columns if self.groups is None else self.groups.of_column[columns]

    def _players(self) -> list[int]:
        """The entries, numbered without those that have no feature; none if every feature is an
        entry."""
        if self.groups is None and self.columns.is_identity:
            return []
        return [int(n) for n in np.unique(self._entries(), return_inverse=True)[1]]

    @cached_property
    def _core_of_levels(self) -> _core.Explainer:
        """Explains every feature on its own. Only exact Shapley values differ."""
        if self.method != "shapley-exact" or not self.options.players:
            return self.core
        options = explain_options(self.subject, self.arguments)
        return _core.Explainer(self.subject.model, method_of(self.arguments), options)

    def explain(self, X: Any, per_level: bool = False, all_classes: bool = False) -> Explanation:
        self._require_levels(per_level)
        progress: Progress = self.arguments["progress"]
        table = self.columns.vectorized(X)
        explain = self._explain_all_classes if all_classes else self._explain_read

        def explain_part(rows: Any, first_row: int, per_level: bool) -> Explanation:
            return explain(self.columns.read(rows), per_level, first_row=first_row)

        with labeled_rows(X):
            if is_sparse(table):
                explained = explain_sparse(table, explain_part, progress, per_level)
                if self.groups is not None:
                    explained.data = self.groups.data(table.tocsc())
                if table is X:
                    return explained
                from ._texts import with_texts

                return with_texts(explained, X)
            read = self.columns.read(X)
            if len(read.features) <= _FEW_ROWS:
                return explain(read, per_level)
            with shown(progress, "explaining", len(read.features)) as callback:
                return explain(read, per_level, callback)

    def _explain_read(self, read: Read, per_level: bool, callback: Callback | None = None,
                      first_row: int = 0) -> Explanation:
        """`first_row`: the number of rows before these, which random draws depend on."""
        with self.checked(read):
            core = self._core_of_levels if per_level else self.core
            arrays = core(read.features, callback, first_row)
            self._settle_ties(core, read, arrays, first_row)
        return self._explanation(read, arrays, per_level)

    def _explain_all_classes(self, read: Read, per_level: bool, callback: Callback | None = None,
                             first_row: int = 0) -> Explanation:
        """Each class against the rest."""
        with self.checked(read):
            arrays = self.core.all_classes(read.features, callback, first_row)
            self._settle_ties(self.core.all_classes, read, arrays, first_row)
            _, predicted = self._decision_function(read.features)
        return self._explanation_of_classes(read, arrays, predicted, per_level)

    def _settle_ties(self, core: Any, read: Read, arrays: dict[str, Any], first_row: int) -> None:
        """Rows with ties take the neighbors that the estimator itself finds."""
        if self.subject.search is None:
            return

        def explain(rows: Integers, voters: list[list[int]]) -> dict[str, Any]:
            if self.method != "shapley":
                found: dict[str, Any] = core(read.features[rows], None, 0, voters)
                return found
            # Random draws depend on the number of the row.
            each = [core(read.features[row:row + 1], None, first_row + int(row), [own])
                     for row, own in zip(rows, voters)]
            return {name: np.concatenate([one[name] for one in each]) for name in each[0]}

        self.subject.search.settle_ties(explain, read, self.columns, arrays)

    def interactions(self, X: Any, top: int | None) -> Interactions:
        if self.arguments["output"] != "decision":
            raise ValueError(f'output is "{self.arguments["output"]}", and interactions explain the '
                             'decision value, expected output="decision"')
        core = self._interaction_core
        read = self.columns.read(X)
        names, data = self.names or read.names, read.data
        if self.groups is not None:
            names, data = self.groups.names, self.groups.data(data)
        positive, versus = self._pairs_of_classes(read.features)
        with labeled_rows(X), self.checked(read), shown(
                self.arguments["progress"], "explaining", len(read.features)) as callback:
            known = np.unique(self._entries())
            if top is None:
                values = np.zeros((len(read.features), len(names), len(names)))
                values[:, known[:, None], known] = core(read.features, callback)
                pairs = None
            else:
                values = None
                pairs = [[(int(known[a]), int(known[b]), value) for a, b, value in row]
                         for row in core.strongest(read.features, top, callback)]
        arrays = self.core(read.features)
        return Interactions(values, pairs, data, names, outside=arrays["outside"],
                            alike=arrays["alike"],
                            method="shapley" if core.is_exact else "integrated-hessians",
                            unit="decision" if core.is_exact else "g", positive_class=positive,
                            versus=versus, index=read.index,
                            note=_core.note_on_sums(self.subject.model, self.core.method))

    @cached_property
    def _interaction_core(self) -> _core.InteractionExplainer:
        """With the references of the explainer's own method, so that lines sum to its values if
        these are exact Shapley values."""
        references = self.settings.get("references", None if self.method == "shapley-exact" else 60)
        return _core.InteractionExplainer(self.subject.model, self.options, references,
                                          self.settings.get("seed", 0))

    def _pairs_of_classes(self, rows: Floats) -> tuple[Any, Any]:
        if self.labels is None:
            return None, None
        pairs = [self._interaction_core.pair_at(np.ascontiguousarray(row)) for row in rows]
        indices = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return self.labels[indices[:, 0]], self.labels[indices[:, 1]]

    def features(self, X: Any) -> Floats:
        """The rows of a table as the model takes them."""
        return self.columns.read(X).features

    def decide(self, X: Any) -> tuple[Floats, Any]:
        """The decision values and the predicted classes."""
        read = self.columns.read(X)
        with self.checked(read):
            return self._decision_function(read.features)

    @cached_property
    def background_rows(self) -> Read | None:
        """The background as the library takes it."""
        background = self.arguments["background"]
        return None if background is None else self.columns.read(background)

    @cached_property
    def outside_rows(self) -> _core.OutsideRows:
        """Which rows are far from the training data."""
        known = self.background_rows
        return _core.OutsideRows(self.subject.model, None if known is None else known.features,
                                 self.options.threads)

    @cached_property
    def flip_space(self) -> FlipSpace | None:
        """The columns and starts of flips; None without a background."""
        known = self.background_rows
        return None if known is None else FlipSpace(self, known, known)

    @cached_property
    def _decision_function(self) -> _core.DecisionFunction:
        return _core.DecisionFunction(self.subject.model, self.options.threads)

    def at_reference(self, all_classes: bool = False) -> dict[str, Any]:
        reference = np.asarray(self.core.settings.reference)[None, :]
        return self.core.all_classes(reference) if all_classes else self.core(reference)

    def one_row(self, x: Any) -> Floats:
        if not hasattr(x, "columns") and not hasattr(x, "index"):
            x = np.atleast_2d(np.asarray(x))
        read = self.columns.read(x)
        if len(read.features) != 1:
            raise ValueError(f"x has {len(read.features)} rows, expected one")
        return np.ascontiguousarray(read.features[0])

    @cached_property
    def _training_rows(self) -> Integers:
        return self.subject.model.training_rows

    def training_row(self, point: int | None) -> int | None:
        rows = self._training_rows
        return point if point is None or len(rows) == 0 else int(rows[point])

    def evidence(self, row: Floats, count: int) -> list[Evidence]:
        """The most influential pairs of points for one row as the model takes it."""
        return [Evidence(self.training_row(pair.positive), self.training_row(pair.negative),
                         pair.weight, pair.activation,
                         self.columns.sum_back(np.asarray(pair.relevance)[None, :])[0])
                for pair in self.core.evidence(row, count)]


def explanation_of(arrays: Mapping[str, Any], values: Floats, data: Any, names: Sequence[str],
                   method: str, settings: Mapping[str, Any], labels: Any, standard_errors: Any,
                   index: Any = None) -> Explanation:
    """An explanation from the arrays of the library."""
    return Explanation(values, arrays["output"], data, names, method=method, settings=settings,
                       classes=labels, standard_errors=standard_errors, index=index,
                       **attributes(arrays))


def _measured(subject: Subject, arguments: dict[str, Any],
              options: _core.ExplainOptions) -> Subject:
    """The model with the most faithful rule, which is measured on the background."""
    if arguments["background"] is None:
        raise ValueError('method is "measured" without a background, expected background=...: rows '
                         "that represent the data")
    parameters = method_parameters(arguments)
    method_of({**arguments, "method": "auto", "seed": None})  # Refuses the parameters of a rule.
    rows = background_features(subject.columns, arguments["background"])
    progress: Progress = arguments["progress"]
    view = choice("view", parameters.get("view", "model"), _core.View)
    with shown(progress, "measuring", 1) as callback:
        model = _core.measured_model(subject.model, rows, view, parameters.get("seed", 0), options,
                                     callback)
    return replace(subject, model=model)


def _checked_names(names: Sequence[str] | None, columns: Columns) -> list[str] | None:
    if names is None:
        return None
    if len(names) != columns.count:
        raise ValueError(
            f"{len(names)} feature names, expected {columns.count}: one for each column"
        )
    return [str(name) for name in names]


def _vector_names(background: Any, columns: Columns) -> list[str] | None:
    """The names of a vector column of the background, for a model that has no names."""
    if background is None or columns.names is not None:
        return None
    names = column_names(opened(background))
    if names is None or len(names) != columns.count or not any(vector_of(name) for name in names):
        return None
    return names


def _settings(core: _core.ExplainSettings) -> dict[str, Any]:
    """The resolved options as plain values."""
    names = ["method", "reason", "cost", "eta", "beta", "kappa", "gamma", "median_distance", "k",
             "level", "reference_name"]
    found = {name: value for name in names if (value := getattr(core, name)) is not None}
    if core.note:
        found["note"] = core.note
    if core.averages_points:
        found["averages_points"] = True
    if core.adds_up:
        found["adds_up"] = core.adds_up
    return {**found, **core.parameters, "unit": core.unit.name,
            "reference": np.asarray(core.reference).tolist()}
