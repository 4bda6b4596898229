"""How faithful are explanations? Pixel flipping, and the area under its curve (AUFC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._options import PARAMETERS, choice, method_parameters, thread_count
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
    to_best: float  # mean difference, row by row, to the lowest of those evaluated together
    to_best_standard_error: float
    donors: str  # "disjoint" or "same"
    reachable: float | None  # what the best order found reaches, where it was asked for
    share_of_reachable: float | None  # of the way there from chance, over the rows of the search

    def __new__(cls, core: _core.Evaluation, position: int, rows: Integers) -> AUFC:
        result, to_best, reachable = core.results[position], core.to_best[position], core.reachable
        self = super().__new__(cls, result.mean)
        self.standard_error = result.standard_error
        self.values = np.asarray(result.aufc)
        self.rows = rows
        self.to_best, self.to_best_standard_error = to_best.mean, to_best.standard_error
        self.donors = core.donors.name
        self.reachable = None if reachable is None else reachable.result.mean
        self.share_of_reachable = None if reachable is None else reachable.share[position]
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
                   method: str | Sequence[str] | None = None, donors: str | None = None,
                   imputer: str | None = None, reachable: bool = False, samples: int = 50,
                   max_rows: int = 300, seed: int = 0, n_jobs: int | None = -1,
                   progress: Progress = None, **parameters: Any) -> Any:
    """The flipping curves of an explanation.

    model: an Explainer, anything that Explainer takes, or a function f(X) that gives a label or a
        number for each row (then its sign decides), or a score for each class.
    X: rows to evaluate, at most `max_rows` of them, drawn with the seed.
    background: rows that stand for the data, best the training rows; default X. Removed features
        are completed from them.
    relevance: what is evaluated, if not the model's own explanation: an Explanation of X, or a
        matrix whose positive values speak for the predicted class. A dictionary of several gives a
        dictionary of results, on the same random draws.
    method: explain by this one instead of the explainer's own, with its default parameters and the
        seed, or "random" for an order by chance: what the command's `evaluate` measures. Several
        give a dictionary of results, too. `parameters` (eta, beta, kappa, ... as Explainer has
        them) reach those methods that have them, and one of them must.
    donors: "disjoint", where a seeded half of the background stands for the data in the rules and
        the other half completes, or "same", where all of it completes and the rules see what the
        explainer was given. Default: disjoint for 100 rows or more, else the same. A background of
        the explainer's own loses the rows that complete.
    imputer: how removed features are completed: "conditional", from a kernel density given those
        that are kept; "marginal", from any row, the default of models with categories; "mean".
    reachable: also search for the best order by the measurement itself: `aufc.reachable`, and
        `aufc.share_of_reachable`. Exact up to 8 features, greedy and on at most 30 rows up to 100.

    A model's features are removed in its own space, those of a function (or of a model behind PCA)
    in the space of the columns, each divided by its deviation over the rows that complete.
    """
    X = opened(X)
    require_rows(X)
    flipping = _flipping(imputer or "conditional", samples, max_rows, seed, n_jobs)
    subject: Any
    if is_function(model):
        subject = _Function(model, X, X if background is None else opened(background))
    else:
        explainer = model if isinstance(model, Explainer) else Explainer(model)
        subject = _Explained(explainer, X, X if background is None else background)
        if imputer is None:
            flipping.imputer = _core.default_imputer(explainer._subject.model)
    candidates = _candidates(relevance, method, len(subject.rows))
    _require_methods(parameters, candidates.values())
    chosen = np.asarray(_core.rows_to_evaluate(len(subject.rows), flipping))
    with shown(progress, "flipping", len(chosen)) as callback:
        found = subject.flip(list(candidates.values()), parameters, chosen, flipping=flipping,
                             donors=None if donors is None
                             else choice("donors", donors, _core.Donors),
                             reachable=reachable,
                             progress=callback)
    results = {name: _result(found, position, chosen) for position, name in enumerate(candidates)}
    return results[_ONLY] if _ONLY in results else results


def aufc(model: Any, X: Any, *, background: Any = None, **arguments: Any) -> Any:
    """The area under the flipping curve, lower is better; arguments as of pixel_flipping(). A float
    with the attributes standard_error, values and rows, to_best and to_best_standard_error, donors,
    reachable and share_of_reachable (a dictionary of them for several)."""
    found = pixel_flipping(model, X, background=background, **arguments)
    if isinstance(found, dict):
        return {name: result.aufc for name, result in found.items()}
    return found.aufc


def _flipping(imputer: str, samples: int, max_rows: int, seed: int, n_jobs: int | None
              ) -> _core.PixelFlippingOptions:
    options = _core.PixelFlippingOptions()
    options.samples, options.rows, options.seed = samples, max_rows, seed
    options.threads = thread_count(n_jobs)
    options.imputer = choice("imputer", imputer, _core.Imputer)
    return options


def _require_methods(parameters: Mapping[str, Any], candidates: Any) -> None:
    unknown = [name for name in parameters if name not in PARAMETERS or name == "seed"]
    if unknown:
        raise TypeError(f"pixel_flipping() got an unexpected keyword argument '{unknown[0]}'")
    if parameters and not any(isinstance(candidate, str) for candidate in candidates):
        raise ValueError(f"{next(iter(parameters))} was given without method=..., expected it in "
                         "Explainer(...) for the explainer's own method")


def _result(core: _core.Evaluation, position: int, rows: Integers) -> PixelFlipping:
    result = core.results[position]
    return PixelFlipping(np.asarray(result.curve_x), np.asarray(result.curves),
                         np.asarray(result.mean_curve), AUFC(core, position, rows))


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


class _Function:
    """A function whose relevance is evaluated, in the space of the columns, each divided by its
    deviation."""

    def __init__(self, function: Callable[[Any], Any], X: Any, background: Any):
        self.function, self.X = function, X
        self.rows = numbers(X)
        self.background = numbers(background)
        self.labels: dict[Any, int] = {}

    def relevance(self, candidate: Any, parameters: Mapping[str, Any], chosen: Integers,
                  background: Floats) -> Floats:
        if candidate is None:
            raise ValueError("a function and no relevance, expected relevance=... or method=...")
        if isinstance(candidate, str):
            name: Any = candidate  # which is checked there
            return _oriented(explain(self.function, like(self.X, self.rows[chosen]), name,
                                     background=background, **parameters))
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

    def flip(self, candidates: list[Any], parameters: Mapping[str, Any], chosen: Integers, *,
             flipping: _core.PixelFlippingOptions, donors: Any, **options: Any
             ) -> _core.Evaluation:
        split = _core.split_donors(len(self.background), donors, flipping.seed)
        rule = self.background[np.asarray(split.rule)]
        completion = self.background[np.asarray(split.completion)]
        matrices = [self.relevance(candidate, parameters, chosen, rule)
                    for candidate in candidates]
        deviation = completion.std(axis=0) if len(completion) else np.ones(completion.shape[1])
        deviation = np.where(deviation > 0.0, deviation, 1.0)
        found = _core.pixel_flipping(lambda scaled: self.classify(scaled * deviation),
                                     self.rows[chosen] / deviation, completion / deviation,
                                     matrices, flipping, **options)
        found.donors = split.donors
        return found


class _Explained:
    """A model that an Explainer holds; one-hot columns are removed level by level."""

    def __init__(self, explainer: Explainer, X: Any, background: Any):
        self.explainer = explainer
        columns = explainer._subject.columns
        self.rows = columns.read(X).features
        self.background = columns.read(background).features

    def flip(self, candidates: list[Any], parameters: Mapping[str, Any], chosen: Integers, *,
             flipping: _core.PixelFlippingOptions, **options: Any) -> _core.Evaluation:
        names = [candidate for candidate in candidates if self._is_by_name(candidate, parameters)]
        by_name = iter(_core.candidates_from_names(names, method_parameters(parameters),
                                                   flipping.seed))
        found = [next(by_name) if self._is_by_name(candidate, parameters)
                 else self._candidate(candidate) for candidate in candidates]
        return _core.evaluate(self.explainer._subject.model, self.rows, self.background, found,
                              self.explainer._options, flipping, **options)

    def _is_by_name(self, candidate: Any, parameters: Mapping[str, Any]) -> bool:
        """The explainer's own method keeps its parameters, unless others are given."""
        return isinstance(candidate, str) and (candidate != self.explainer._asked
                                               or bool(parameters))

    def _candidate(self, candidate: Any) -> _core.Candidate:
        if candidate is None or isinstance(candidate, str):
            return _core.Candidate.of_method(self.explainer._core.method)
        return _core.Candidate.of_relevance(self._checked(_oriented(candidate)))

    def _checked(self, values: Floats) -> Floats:
        if values.shape[-1] != self.rows.shape[1]:
            raise ValueError(
                f"the relevance has {values.shape[-1]} columns, expected {self.rows.shape[1]}: one "
                "for each feature, with per_level=True where columns are encoded"
            )
        return values
