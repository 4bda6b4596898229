"""Models behind steps that mix the columns, explained by the columns before these steps."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Any, Mapping

import numpy as np

from . import _core
from ._adapt import Subject
from ._options import PARAMETERS, background_features
from ._paths import PathPlans, contrasted_pairs, gradient_rule
from ._prepared import Prepared, TableModel
from ._progress import Callback, shown
from ._tables import Floats, labeled_rows
from .errors import UnsupportedModelError
from .explanation import Explanation

_REFERENCES = 60  # As many as lrp-expected has.
_AT_ONCE = 4096  # Points on paths whose gradients are computed together.
_METHODS = (None, "auto", "lrp-expected")
_OWN = ("references", "seed", "kappa", "beta")


class Composed(TableModel):
    """The expected path rule through smooth steps: the mean gradient on straight paths from
    references to a row, times their difference. Gradients are those of the model, mapped back by
    the Jacobians of the steps."""

    def __init__(self, subject: Subject, arguments: Mapping[str, Any]):
        assert subject.smooth is not None
        self._steps = subject.smooth
        super().__init__(subject, subject.smooth.columns, arguments)
        _require_path_rule(arguments, self._steps.names)
        if arguments["background"] is None:
            raise UnsupportedModelError(
                f"the {self._steps.names} mixes the columns, so that paths start from rows before "
                "it, expected a background", "bisector.Explainer(model, X_train)(X)")
        self._references = np.ascontiguousarray(
            background_features(self.columns, arguments["background"]))
        self.asked = arguments["method"] or "auto"
        self.method = "lrp-expected"
        self._inside = self._model_behind(arguments)
        count = arguments.get("references") or _REFERENCES
        seed = arguments.get("seed") or 0
        self._plans = PathPlans(self._inside, self._features(self._references), count, seed)
        self.settings = MappingProxyType({
            **{name: value for name, value in self._inside.settings.items()
               if name not in ("eta", "reference", "reference_name")},
            "method": self.method, "references": count, "seed": seed,
            "cost": count * self._inside.settings["cost"],
            "reason": f"the {self._steps.names} mixes the columns: paths through it"})

    def _model_behind(self, arguments: Mapping[str, Any]) -> Prepared:
        subject = replace(self.subject, smooth=None)
        own = {name: arguments.get(name) for name in ("kappa", "beta")}
        return Prepared(subject, {
            **arguments, **dict.fromkeys(PARAMETERS), **own, **gradient_rule(subject),
            "background": self._steps(self._references), "feature_names": None, "groups": None,
            "reference": None, "progress": False, "output": "decision",
            "unit": arguments["unit"] or "decision"})

    @property
    def steps(self) -> str:
        """The names of the steps, for messages."""
        return self._steps.names

    def _features(self, features: Floats) -> Floats:
        """The features of the model behind the steps."""
        return self._inside.features(self._steps(features))

    def model_behind(self) -> Prepared:
        """The model behind the steps, with the names of their outputs."""
        if self.groups is not None:
            raise ValueError(f"groups of columns before the {self._steps.names}, whose outputs are "
                             "shown, expected no groups")
        return Prepared(self._inside.subject, {
            **self._inside.arguments, "method": None, "eta": None,
            "feature_names": self._steps.output_names(self.feature_names)})

    def features_behind(self, X: Any) -> Floats:
        """The rows of a table as the model behind the steps takes them."""
        return self._features(self.columns.read(X).features)

    def explain(self, X: Any, per_level: bool = False, all_classes: bool = False) -> Explanation:
        self._require_levels(per_level)
        with labeled_rows(X):
            read = self.columns.read(X)
            with self.checked(read), shown(self.arguments["progress"], "explaining",
                                            len(read.features)) as callback:
                if all_classes:
                    arrays = self._arrays_of_classes(read.features)
                    _, predicted = self._inside.decide(self._steps(read.features))
                    return self._explanation_of_classes(read, arrays, predicted, per_level)
                arrays = self._arrays(read.features, callback)
        return self._explanation(read, arrays, per_level)

    def _arrays_of_classes(self, features: Floats) -> dict[str, Any]:
        """Each class against the rest; the last axis is the class."""
        found: dict[str, Any] = {}
        for part, positive, negative in self._parts_of_classes:
            arrays = part._arrays(features, None)
            for name in ("relevance", "base", "output", "remainder"):
                own = arrays[name]
                total = found.setdefault(name, np.zeros((*own.shape, len(self.labels))))
                total[..., positive] += own
                if negative is not None:
                    total[..., negative] -= own
            for name in ("tie", "outside", "unexplained"):
                found[name] = found.get(name, False) | arrays[name]
            found["alike"] = found.get("alike", True) & arrays["alike"]
            own, known = arrays["stretch"], found.get("stretch", 1.0)
            found["stretch"] = np.where(np.abs(np.log(own)) > np.abs(np.log(known)), own, known)
        return found

    @cached_property
    def _parts_of_classes(self) -> list[tuple[Composed, int, int | None]]:
        """Explainers whose sums explain each class against the rest, as `Prepared` explains them,
        with the classes that they are for and against."""
        if self.labels is None:
            raise ValueError("all classes were asked for, expected a classifier: this is a regressor")
        if self.arguments["unit"] not in (None, "decision"):
            raise ValueError("all classes need the unit decision; leave out the unit")
        model = self.subject.model
        names = list(model.labels)
        against_rest = _core.models_against_rest(model)
        if against_rest:
            return [(self._contrasting(replace(self.subject, model=one, labels=np.array(one.labels)),
                                       names[n], next(name for name in one.labels
                                                      if name != names[n])), n, None)
                    for n, one in enumerate(against_rest)]
        if len(names) == 2:
            positive = int(self.at_reference()["positive"][0])
            return [(self, positive, 1 - positive)]
        return [(self._contrasting(self.subject, self.labels[a], self.labels[b]), a, b)
                for a, b in combinations(range(len(names)), 2)]

    def _contrasting(self, subject: Subject, positive: Any, versus: Any) -> Composed:
        return Composed(subject, {**self.arguments, "positive_class": positive, "versus": versus})

    def _arrays(self, features: Floats, callback: Callback | None) -> dict[str, Any]:
        features = np.ascontiguousarray(features)  # The order in memory changes rounding.
        rows = self._features(features)
        positive, negative = contrasted_pairs(self._inside, rows)
        plans = [self._plans.of(*pair) for pair in zip(positive.tolist(), negative.tolist())]
        values, errors = np.zeros(features.shape), np.zeros(features.shape)
        part = max(1, _AT_ONCE // self.settings["references"])
        for first in range(0, len(rows), part):
            some = slice(first, first + part)
            steps = self._path_steps(features[some], plans[some], positive[some], negative[some])
            values[some] = steps.mean(axis=1)
            errors[some] = steps.std(axis=1, ddof=1) / np.sqrt(steps.shape[1])
            if callback is not None:
                callback(min(first + part, len(rows)), len(rows))
        base = np.array([plan.base for plan in plans])
        return self._inside.core.complete(rows, values, errors, base, True)

    def _path_steps(self, features: Floats, plans: Any, positive: Any, negative: Any) -> Floats:
        """Differences times gradients: rows x references x features."""
        starts = self._references[np.array([plan.chosen for plan in plans])]
        differences = features[:, None] - starts
        fractions = np.array([plan.fractions for plan in plans])[..., None]
        points = (starts + fractions * differences).reshape(-1, features.shape[1])
        count = starts.shape[1]
        _, gradients = self._inside.core.gradients(
            self._features(points), np.repeat(positive, count), np.repeat(negative, count))
        mapped = self._steps.gradient(points, self.subject.columns.sum_back(gradients))
        return np.asarray(differences * mapped.reshape(differences.shape))

    def decide(self, X: Any) -> tuple[Floats, Any]:
        read = self.columns.read(X)
        with self.checked(read):
            return self._inside.decide(self._steps(read.features))

    def at_reference(self, all_classes: bool = False) -> dict[str, Any]:
        first = self._references[:1]
        return self._arrays_of_classes(first) if all_classes else self._arrays(first, None)


def _require_path_rule(arguments: Mapping[str, Any], steps: str) -> None:
    """Refuses methods and parameters that do not apply behind a step that mixes columns."""
    if arguments["method"] not in _METHODS:
        raise ValueError(f'method is "{arguments["method"]}" behind a {steps}, expected '
                         '"lrp-expected"')
    for name in PARAMETERS:
        if name not in _OWN and arguments.get(name) is not None:
            raise ValueError(f"{name} behind a {steps}, expected only {', '.join(_OWN)} there")
    references = arguments.get("references")
    if references is not None and references < 2:
        raise ValueError(f"references is {references} behind a {steps}, expected at least 2")


def prepare(subject: Subject, arguments: Mapping[str, Any]) -> Prepared | Composed:
    """A model with resolved options."""
    return Prepared(subject, arguments) if subject.smooth is None else Composed(subject, arguments)
