"""How faithful are explanations? Pixel flipping, and the area under its curve (AUFC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._options import thread_count
from ._progress import Progress, shown
from ._tables import Floats, numbers, opened, require_rows
from .explainer import Explainer
from .explanation import Explanation
from .methods import explain, is_function, like

Integers = NDArray[np.int64]


class AUFC(float):
    """The mean area under the flipping curves, a number like any other. Lower is better."""

    standard_error: float
    values: Floats  # of each evaluated row
    rows: Integers  # which rows these are

    def __new__(cls, core: _core.FlippingResult, rows: Integers) -> AUFC:
        self = super().__new__(cls, core.mean)
        self.standard_error = core.standard_error
        self.values = np.asarray(core.aufc)
        self.rows = rows
        return self

    def __reduce__(self) -> Any:
        raise TypeError("an AUFC is not pickled, expected float(...) of it")


@dataclass(frozen=True)
class PixelFlipping:
    """Features are removed in the order of their relevance, and completed from the background."""

    removed: Floats  # numbers of removed features, from 0
    curves: Floats  # rows x removed: +1 where the prediction stays, -1 where it flips
    mean_curve: Floats
    aufc: AUFC


def pixel_flipping(model: Any, X: Any, *, background: Any = None, relevance: Any = None,
                   method: str | None = None, samples: int = 50, max_rows: int = 300,
                   seed: int = 0, n_jobs: int | None = -1, progress: Progress = None) -> Any:
    """The flipping curves of an explanation.

    model: an Explainer, anything that Explainer takes, or a function f(X) that gives a label or a
        number for each row (then its sign decides), or a score for each class.
    X: rows to evaluate, at most `max_rows` of them, drawn with the seed.
    background: rows from which removed features are completed, best the training rows; default X.
    relevance: what is evaluated, if not the model's own explanation by `method`: an Explanation of
        X, or a matrix whose positive values speak for the predicted class. A dictionary of several
        gives a dictionary of results, on the same random draws.

    A model's features are removed in its own space, those of a function (or of a model behind PCA)
    in the space of the columns, each divided by its deviation over the background.
    """
    X = opened(X)
    require_rows(X)
    subject: Any
    if is_function(model):
        subject = _Function(model, X, X if background is None else opened(background))
    else:
        explainer = model if isinstance(model, Explainer) else Explainer(model)
        subject = _Explained(explainer, X, X if background is None else background)
    chosen = np.asarray(_core.rows_to_evaluate(len(subject.rows), max_rows, seed))
    several = isinstance(relevance, Mapping)
    candidates = dict(relevance) if several else {"": relevance}
    matrices = [subject.relevance(_rows_of(candidate, chosen, len(subject.rows)), chosen, method)
                for candidate in candidates.values()]
    with shown(progress, "flipping", len(chosen)) as callback:
        found = subject.flip(chosen, matrices, samples=samples, max_rows=max_rows, seed=seed,
                             threads=thread_count(n_jobs), progress=callback)
    results = {name: _result(core, chosen) for name, core in zip(candidates, found)}
    return results if several else results[""]


def aufc(model: Any, X: Any, *, background: Any = None, relevance: Any = None,
         method: str | None = None, samples: int = 50, max_rows: int = 300, seed: int = 0,
         n_jobs: int | None = -1, progress: Progress = None) -> Any:
    """The area under the flipping curve, lower is better; arguments as of pixel_flipping(). A float
    with the attributes standard_error, values and rows (a dictionary of them for several)."""
    found = pixel_flipping(model, X, background=background, relevance=relevance, method=method,
                           samples=samples, max_rows=max_rows, seed=seed, n_jobs=n_jobs,
                           progress=progress)
    if isinstance(found, dict):
        return {name: result.aufc for name, result in found.items()}
    return found.aufc


def _result(core: _core.FlippingResult, chosen: Integers) -> PixelFlipping:
    return PixelFlipping(np.asarray(core.curve_x), np.asarray(core.curves),
                         np.asarray(core.mean_curve), AUFC(core, chosen[np.asarray(core.rows)]))


def _rows_of(candidate: Any, chosen: Integers, count: int) -> Any:
    """The chosen rows of a relevance that somebody gave."""
    if candidate is None:
        return None
    if not isinstance(candidate, Explanation):
        candidate = np.asarray(candidate, dtype=np.float64)
    if len(candidate) != count:
        raise ValueError(f"the relevance has {len(candidate)} rows, expected {count} as X has")
    return candidate[chosen]


def _turned(explanation: Explanation) -> Floats:
    """Positive for the predicted class, in every row."""
    if explanation.classes is not None:
        third = ((explanation._prediction != explanation._positive)
                 & (explanation._prediction != explanation._negative))
        if np.any(third):
            raise ValueError(
                f"row {int(np.argmax(third)) + 1} is predicted as a third class, expected one of "
                "the two classes that its relevance contrasts"
            )
    return explanation.for_predicted().values


class _Scaled:
    """The columns divided by their deviation, where a function's rows are completed."""

    def __init__(self, background: Floats):
        deviation = background.std(axis=0) if len(background) else np.ones(background.shape[1])
        self.deviation = np.where(deviation > 0.0, deviation, 1.0)
        self.background = background / self.deviation

    def flip(self, classify: Callable[[Floats], Integers], rows: Floats, matrices: list[Floats],
             **options: Any) -> list[_core.FlippingResult]:
        return _core.flip_features(lambda scaled: classify(scaled * self.deviation),
                                   rows / self.deviation, self.background, matrices, **options)


class _Function:
    """A function whose relevance is evaluated."""

    def __init__(self, function: Callable[[Any], Any], X: Any, background: Any):
        self.function, self.X = function, X
        self.rows = numbers(X)
        self.background = numbers(background)
        self.labels: dict[Any, int] = {}

    def relevance(self, given: Any, chosen: Integers, method: str | None) -> Floats:
        if given is None:
            if method is None:
                raise ValueError("a function and no relevance, expected relevance=... or method=...")
            given = explain(self.function, like(self.X, self.rows[chosen]), method,
                            background=self.background)
        if isinstance(given, Explanation):
            return _turned(given)
        return np.asarray(given)

    def classify(self, rows: Floats) -> Integers:
        result = np.asarray(self.function(like(self.X, rows)))
        if result.ndim == 2 and result.shape[1] > 1:
            return np.asarray(np.argmax(result, axis=1), dtype=np.int64)
        result = result.ravel()
        if result.dtype.kind == "f":
            return np.asarray(result > 0.0, dtype=np.int64)
        found = [self.labels.setdefault(label, len(self.labels)) for label in result.tolist()]
        return np.array(found, dtype=np.int64)

    def flip(self, chosen: Integers, matrices: list[Floats], **options: Any
             ) -> list[_core.FlippingResult]:
        return _Scaled(self.background).flip(self.classify, self.rows[chosen], matrices, **options)


class _Explained:
    """A model that an Explainer holds; one-hot columns are removed level by level."""

    def __init__(self, explainer: Explainer, X: Any, background: Any):
        self.explainer, self.X = explainer, X
        columns = explainer._columns
        self.rows = columns.read(X).features
        self.background = columns.read(background).features

    def relevance(self, given: Any, chosen: Integers, method: str | None) -> Floats:
        if given is None:
            explainer = self.explainer
            if method is not None and method != explainer.method:
                explainer = Explainer(explainer, **{**explainer._arguments, "method": method})
            given = explainer(self._rows_of_X(chosen), per_level=True)
        values = _turned(given) if isinstance(given, Explanation) else np.asarray(given)
        if values.shape[-1] != self.rows.shape[1]:
            raise ValueError(
                f"the relevance has {values.shape[-1]} columns, expected {self.rows.shape[1]}: one "
                "for each feature, with per_level=True where columns are encoded"
            )
        return values

    def _rows_of_X(self, chosen: Integers) -> Any:
        if hasattr(self.X, "iloc"):
            return self.X.iloc[chosen]
        return self.X[chosen]

    def flip(self, chosen: Integers, matrices: list[Floats], **options: Any
             ) -> list[_core.FlippingResult]:
        rows = self.rows[chosen]
        model = self.explainer._subject.model
        if model.input.has_matrix:
            return _Scaled(self.background).flip(self._classify, rows, matrices, **options)
        level = self.explainer.settings.get("level")
        return _core.evaluate_model(model, rows, self.background, matrices, level, **options)

    def _classify(self, rows: Floats) -> Integers:
        decisions, classes = self.explainer._decide(rows)
        if self.explainer.classes is not None:
            return np.asarray(classes)
        level = self.explainer.settings["level"]
        return np.asarray(np.asarray(decisions)[:, 0] <= level, dtype=np.int64)
