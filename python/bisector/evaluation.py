"""How faithful are explanations? Pixel flipping, and the area under its curve (AUFC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._options import thread_count
from ._progress import Progress, shown
from ._tables import Floats, numbers, opened, require_rows
from .explainer import Explainer, options_for
from .explanation import Explanation
from .methods import explain, is_function, like

Integers = NDArray[np.int64]


class AUFC(float):
    """The mean area under the flipping curves, a number like any other. Lower is better."""

    standard_error: float
    values: Floats  # of each evaluated row
    rows: Integers  # which rows these are

    def __new__(cls, core: _core.PixelFlippingResult, rows: Integers) -> AUFC:
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
                   method: str | Sequence[str] | None = None, samples: int = 50, max_rows: int = 300,
                   seed: int = 0, n_jobs: int | None = -1, progress: Progress = None) -> Any:
    """The flipping curves of an explanation.

    model: an Explainer, anything that Explainer takes, or a function f(X) that gives a label or a
        number for each row (then its sign decides), or a score for each class.
    X: rows to evaluate, at most `max_rows` of them, drawn with the seed.
    background: rows from which removed features are completed, best the training rows; default X.
    relevance: what is evaluated, if not the model's own explanation: an Explanation of X, or a
        matrix whose positive values speak for the predicted class. A dictionary of several gives a
        dictionary of results, on the same random draws.
    method: explain by this one instead of the explainer's own, with its default parameters and the
        seed, or "random" for an order by chance: what the command's `evaluate` measures. Several
        give a dictionary of results, too.

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
    candidates = _candidates(relevance, method, len(subject.rows))
    chosen = np.asarray(_core.rows_to_evaluate(len(subject.rows), max_rows, seed))
    with shown(progress, "flipping", len(chosen)) as callback:
        found = subject.flip(list(candidates.values()), chosen, samples=samples,
                             max_rows=max_rows, seed=seed, threads=thread_count(n_jobs), progress=callback)
    results = {name: _result(core, chosen) for name, core in zip(candidates, found)}
    return results[_ONLY] if _ONLY in results else results


def aufc(model: Any, X: Any, *, background: Any = None, relevance: Any = None,
         method: str | Sequence[str] | None = None, samples: int = 50, max_rows: int = 300,
         seed: int = 0, n_jobs: int | None = -1, progress: Progress = None) -> Any:
    """The area under the flipping curve, lower is better; arguments as of pixel_flipping(). A float
    with the attributes standard_error, values and rows (a dictionary of them for several)."""
    found = pixel_flipping(model, X, background=background, relevance=relevance, method=method,
                           samples=samples, max_rows=max_rows, seed=seed, n_jobs=n_jobs,
                           progress=progress)
    if isinstance(found, dict):
        return {name: result.aufc for name, result in found.items()}
    return found.aufc


def _result(core: _core.PixelFlippingResult, rows: Integers) -> PixelFlipping:
    return PixelFlipping(np.asarray(core.curve_x), np.asarray(core.curves),
                         np.asarray(core.mean_curve), AUFC(core, rows))


_ONLY = ""  # the name of a result that stands alone


def _candidates(relevance: Any, method: Any, rows: int) -> dict[str, Any]:
    """By name: an Explanation, a matrix, the name of a method, or None for the explainer's own."""
    if relevance is not None:
        given = dict(relevance) if isinstance(relevance, Mapping) else {_ONLY: relevance}
        return {name: _checked(candidate, rows) for name, candidate in given.items()}
    if method is None or isinstance(method, str):
        return {_ONLY: method}
    return {name: name for name in method}


def _checked(candidate: Any, rows: int) -> Any:
    if not isinstance(candidate, Explanation):
        candidate = np.asarray(candidate, dtype=np.float64)
    if len(candidate) != rows:
        raise ValueError(f"the relevance has {len(candidate)} rows, expected {rows} as X has")
    return candidate


def _oriented(given: Any) -> Floats:
    """Positive for the predicted class, in every row."""
    if not isinstance(given, Explanation):
        return np.asarray(given)
    if given.classes is not None:
        third = ((given._prediction != given._positive)
                 & (given._prediction != given._negative))
        if np.any(third):
            raise ValueError(
                f"row {int(np.argmax(third)) + 1} is predicted as a third class, expected one of "
                "the two classes that its relevance contrasts"
            )
    return given.for_predicted().values


def _flip_in_columns(classify: Callable[[Floats], Integers], rows: Floats, background: Floats,
                     matrices: list[Floats], **options: Any) -> list[_core.PixelFlippingResult]:
    """Removes features in the space of the columns, each divided by its deviation."""
    deviation = background.std(axis=0) if len(background) else np.ones(background.shape[1])
    deviation = np.where(deviation > 0.0, deviation, 1.0)
    return _core.pixel_flipping(lambda scaled: classify(scaled * deviation), rows / deviation,
                                background / deviation, matrices, **options)


class _Function:
    """A function whose relevance is evaluated."""

    def __init__(self, function: Callable[[Any], Any], X: Any, background: Any):
        self.function, self.X = function, X
        self.rows = numbers(X)
        self.background = numbers(background)
        self.labels: dict[Any, int] = {}

    def relevance(self, candidate: Any, chosen: Integers) -> Floats:
        if candidate is None:
            raise ValueError("a function and no relevance, expected relevance=... or method=...")
        if isinstance(candidate, str):
            return _oriented(explain(self.function, like(self.X, self.rows[chosen]), candidate,
                                     background=self.background))
        return _oriented(candidate[chosen])

    def classify(self, rows: Floats) -> Integers:
        result = np.asarray(self.function(like(self.X, rows)))
        if result.ndim == 2 and result.shape[1] > 1:
            return np.asarray(np.argmax(result, axis=1), dtype=np.int64)
        result = result.ravel()
        if result.dtype.kind == "f":
            return np.asarray(result > 0.0, dtype=np.int64)
        found = [self.labels.setdefault(label, len(self.labels)) for label in result.tolist()]
        return np.array(found, dtype=np.int64)

    def flip(self, candidates: list[Any], chosen: Integers, **options: Any
             ) -> list[_core.PixelFlippingResult]:
        matrices = [self.relevance(candidate, chosen) for candidate in candidates]
        return _flip_in_columns(self.classify, self.rows[chosen], self.background, matrices,
                                **options)


class _Explained:
    """A model that an Explainer holds; one-hot columns are removed level by level."""

    def __init__(self, explainer: Explainer, X: Any, background: Any):
        self.explainer, self.X = explainer, X
        columns = explainer._columns
        self.rows = columns.read(X).features
        self.background = columns.read(background).features

    def flip(self, candidates: list[Any], chosen: Integers, *, seed: int, **options: Any
             ) -> list[_core.PixelFlippingResult]:
        """By the library; behind a matrix, where a feature cannot be removed in the model's space,
        in the space of the columns."""
        model = self.explainer._subject.model
        if model.input.has_matrix:
            matrices = [self._relevance(candidate, chosen, seed) for candidate in candidates]
            return _flip_in_columns(self._classify, self.rows[chosen], self.background, matrices,
                                    seed=seed, **options)
        return _core.evaluate(model, self.rows, self.background,
                              [self._candidate(candidate, seed) for candidate in candidates],
                              self.explainer._options, seed=seed, **options)

    def _candidate(self, candidate: Any, seed: int) -> _core.Candidate:
        if isinstance(candidate, str) and candidate != self.explainer.method:
            return _core.Candidate.of_name(candidate, seed)
        if candidate is None or isinstance(candidate, str):
            return _core.Candidate.of_method(self.explainer._core.method)
        return _core.Candidate.of_relevance(self._checked(_oriented(candidate)))

    def _relevance(self, candidate: Any, chosen: Integers, seed: int) -> Floats:
        explainer = self.explainer
        if isinstance(candidate, str) and candidate != explainer.method:
            arguments = options_for(explainer, candidate)
            if candidate == "shapley":
                arguments["seed"] = seed
            explainer = Explainer(explainer, **arguments)
        if candidate is None or isinstance(candidate, str):
            rows = self.X.iloc[chosen] if hasattr(self.X, "iloc") else self.X[chosen]
            return _oriented(explainer(rows, per_level=True))
        return self._checked(_oriented(candidate[chosen]))

    def _checked(self, values: Floats) -> Floats:
        if values.shape[-1] != self.rows.shape[1]:
            raise ValueError(
                f"the relevance has {values.shape[-1]} columns, expected {self.rows.shape[1]}: one "
                "for each feature, with per_level=True where columns are encoded"
            )
        return values

    def _classify(self, rows: Floats) -> Integers:
        decisions, classes = self.explainer._decide(rows)
        if self.explainer.classes is not None:
            return np.asarray(classes)
        level = self.explainer.settings["level"]
        return np.asarray(np.asarray(decisions)[:, 0] <= level, dtype=np.int64)
