"""The explanation of all classes at once: each class against the rest."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from . import _core
from ._prepared import Prepared
from .explanation import Explanation

_REST = "the rest"


class AllClasses:
    """One explainer for each class against the rest, or for each pair of classes.

    Neighbors: the votes of a class against all other votes. Machines of one class against the rest:
    the class's own machine. Machines of pairs: the sum over the pairs of the class."""

    def __init__(self, prepared: Prepared):
        self.prepared = prepared
        if prepared.labels is None:
            raise ValueError(
                'classes is "all", and the model is a regressor, expected a classifier')
        if prepared.arguments["positive_class"] is not None:
            raise ValueError('classes is "all" with positive_class, expected one of the two')
        self.labels = [str(label) for label in prepared.subject.model.labels]
        models = _class_models(prepared.subject.model) if len(self.labels) > 2 else []
        self.of_classes = [self._against_rest(model, label)
                           for model, label in zip(models, self.labels)]
        # Some models of two classes are stored with the second class first.
        self.order = (np.argsort(prepared.labels).tolist() if len(self.labels) == 2 else
                      list(range(len(self.labels))))
        self.of_pairs = {} if models else {
            (a, b): self._pair(a, b) for n, a in enumerate(self.order) for b in self.order[:n]}

    def _pair(self, a: int, b: int) -> Prepared:
        if len(self.labels) == 2:
            return self.prepared  # It explains the second class against the first one.
        labels = self.prepared.labels
        return Prepared(self.prepared.subject, {**self.prepared.arguments,
                                                "positive_class": labels[a], "versus": labels[b]})

    def _against_rest(self, model: _core.Model, label: str) -> Prepared:
        subject = replace(self.prepared.subject, model=model, labels=np.array([label, _REST]))
        return Prepared(subject, {**self.prepared.arguments, "positive_class": label,
                                  "versus": _REST})

    def explain(self, X: Any, per_level: bool) -> Explanation:
        count = len(self.labels)
        parts: list[list[tuple[float, Explanation]]] = [[] for _ in range(count)]
        for c, one in enumerate(self.of_classes):
            parts[c].append((1.0, one.explain(X, per_level)))
        for (a, b), pair in self.of_pairs.items():
            explanation = pair.explain(X, per_level)
            parts[a].append((1.0, explanation))
            parts[b].append((-1.0, explanation))
        _, predicted = self.prepared.decide(X)
        return self._joined([parts[c] for c in self.order], predicted)

    def _joined(self, parts: list[list[tuple[float, Explanation]]], predicted: Any) -> Explanation:
        first = parts[0][0][1]
        whole = copy.copy(first)
        for name in ("values", "base_values", "output", "remainder", "correction"):
            sums = [sum(sign * getattr(part, name) for sign, part in own) for own in parts]
            setattr(whole, name, np.stack([np.asarray(one) for one in sums], axis=-1))
        whole.decision = whole.output
        whole.standard_errors = whole.stretch = whole.g = whole.positive_index = whole.negative_index = None
        whole.classes = np.asarray(self.prepared.labels)[self.order]
        whole.prediction_index = np.argsort(self.order)[predicted]
        whole.tie = np.any([part.tie for own in parts for _, part in own], axis=0)
        whole.settings = MappingProxyType({**first.settings, "classes": "all"})
        return whole


def _class_models(model: _core.Model) -> list[_core.Model]:
    """A model of two classes, the class and the rest, for each class; empty for machines of pairs."""
    predictor: Any = model.predictor
    if isinstance(predictor, _core.NeighborModel):
        classes = np.asarray(predictor.classes)
        own: list[Any] = [
            _core.NeighborModel(predictor.points, (classes != c).astype(np.int64), k=predictor.k,
                                vote=predictor.vote, labels=[label, _REST])
            for c, label in enumerate(model.labels)]
    elif isinstance(predictor, _core.KernelClassifier) and len(predictor.coefficients) == len(
            model.labels):
        own = [_core.KernelClassifier.two_class(
            _core.KernelMachine(predictor.points, np.ascontiguousarray(predictor.coefficients[c]),
                                predictor.kernel, float(predictor.intercepts[c])), label, _REST)
            for c, label in enumerate(model.labels)]
    else:
        return []
    return [_core.Model(one, model.input, list(model.feature_names)) for one in own]
