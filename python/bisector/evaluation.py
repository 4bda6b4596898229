"""The faithfulness of explanations: pixel flipping and the area under its curve (AUFC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _core
from ._options import PARAMETERS, choice, method_parameters, thread_count, unexpected_argument
from ._progress import Progress, shown
from ._tables import Floats, Integers, is_frame, numbers, opened, require_rows
from .explainer import Explainer, prepared
from .explanation import Explanation


class AUFC(float):
    """The mean area under the flipping curves. It is a float; lower is better.

    Attributes
    ----------
    standard_error : float
        The standard error of the mean.
    values : ndarray
        The area of each evaluated row.
    rows : ndarray of int
        The evaluated rows of X.
    to_best, to_best_standard_error : float
        The mean difference, row by row, to the lowest of the methods that were evaluated together.
    donors : {"disjoint", "same"}
        Whether the rows that replace removed features are hidden from the rules.
    """

    standard_error: float
    values: Floats
    rows: Integers
    to_best: float
    to_best_standard_error: float
    donors: str

    def __new__(cls, mean: float, **attributes: Any) -> AUFC:
        self = super().__new__(cls, mean)
        self.__dict__.update(attributes)
        return self

    @classmethod
    def of(cls, core: _core.Evaluation, position: int, rows: Integers) -> AUFC:
        """The result of one method in an evaluation."""
        result, to_best = core.results[position], core.to_best[position]
        return cls(result.mean, standard_error=result.standard_error,
                   values=np.asarray(result.aufc), rows=rows, to_best=to_best.mean,
                   to_best_standard_error=to_best.standard_error, donors=core.donors.name)

    def __reduce__(self) -> Any:
        return _restored_aufc, (float(self), dict(self.__dict__))


def _restored_aufc(mean: float, attributes: dict[str, Any]) -> AUFC:
    return AUFC(mean, **attributes)


@dataclass(frozen=True)
class PixelFlipping:
    """Features are removed in the order of their relevance and imputed from the background.

    Attributes
    ----------
    removed : ndarray
        The numbers of removed features, from 0.
    curves : ndarray of shape (rows, removed)
        +1 while the prediction stays the same, -1 after it changes; means over the imputations.
    mean_curve : ndarray
        The mean of the curves over the rows.
    aufc : AUFC
        The area under the mean curve.
    """

    removed: Floats
    curves: Floats
    mean_curve: Floats
    aufc: AUFC


def pixel_flipping(model: Any, X: Any, *, background: Any = None, relevance: Any = None,
                   method: str | Sequence[str] | None = None, donors: str | None = None,
                   imputer: str | None = None, samples: int = 50, max_rows: int = 300,
                   seed: int = 0, n_jobs: int | None = -1,
                   progress: Progress = None, **parameters: Any) -> Any:
    """The flipping curves of an explanation.

    Parameters
    ----------
    model : Explainer, model or callable
        An `Explainer`, a model that it takes, or a function of rows that returns a label, a number
        (whose sign is the class) or a score for each class. A function needs `relevance`.
    X : table
        The rows to evaluate; at most `max_rows` of them are drawn.
    background : table, optional
        Rows that represent the data, best the training rows; by default X. Removed features are
        imputed from them.
    relevance : Explanation, array or dict, optional
        The relevance to evaluate, if it is not the model's own: an `Explanation` of X, or a matrix
        with positive values for the predicted class. A dict gives a dict of results.
    method : str or sequence of str, optional
        Methods to evaluate, with their default parameters and the seed; "random" for a random
        order. Several methods give a dict of results.
    donors : {"disjoint", "same"}, optional
        "disjoint": one half of the background is visible to the rules, the other half imputes.
        "same": all of it does both. By default disjoint for 100 rows or more.
    imputer : {"conditional", "marginal", "mean"}, optional
        How removed features are imputed: from a kernel density given the other features, from any
        row (the default for models with categories), or by the mean.
    samples : int, default=50
        Imputations per row.
    max_rows : int, default=300
        The largest number of rows.
    seed : int, default=0
        The seed of all random draws.
    n_jobs : int, default=-1
        Threads.
    progress : bool or callable, optional
        As for `Explainer`.
    **parameters
        Parameters of the methods, as for `Explainer`; each method takes those that it has.

    Returns
    -------
    PixelFlipping or dict of str to PixelFlipping

    Notes
    -----
    Features of a model are removed in the model's space. Those of a function, or of a model behind
    PCA, are removed in the space of the columns, each divided by its standard deviation.
    """
    given, X = X, opened(X)
    require_rows(X, given)
    flipping = _flipping(imputer or "conditional", samples, max_rows, seed, n_jobs)
    subject: Any
    if callable(model) and not hasattr(model, "fit") and not isinstance(model, (type, Explainer)):
        subject = _Function(model, X, X if background is None else opened(background))
    else:
        explainer = model if isinstance(model, Explainer) else Explainer(model)
        subject = _Explained(explainer, X, X if background is None else background)
        if imputer is None:
            flipping.imputer = _core.default_imputer(subject.prepared.subject.model)
    candidates = _candidates(relevance, method, len(subject.rows))
    _require_methods(parameters, candidates.values())
    chosen = np.asarray(_core.rows_to_evaluate(len(subject.rows), flipping))
    with shown(progress, "flipping", len(chosen)) as callback:
        found = subject.flip(list(candidates.values()), parameters, chosen, flipping=flipping,
                             donors=None if donors is None
                             else choice("donors", donors, _core.Donors),
                             progress=callback)
    results = {name: _result(found, position, chosen) for position, name in enumerate(candidates)}
    return results[_ONLY] if _ONLY in results else results


def aufc(model: Any, X: Any, *, background: Any = None, **arguments: Any) -> Any:
    """The area under the flipping curve of an explanation; lower is better.

    Parameters
    ----------
    model, X, background, **arguments
        As for `pixel_flipping`.

    Returns
    -------
    AUFC or dict of str to AUFC

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> score = bisector.aufc(SVC().fit(X, y), X, background=X, max_rows=20)
    >>> score < 0.5 and score.standard_error > 0.0
    True
    """
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
        raise unexpected_argument(pixel_flipping, unknown[0], "aufc() and pixel_flipping")
    if parameters and not any(isinstance(candidate, str) for candidate in candidates):
        raise ValueError(f"{next(iter(parameters))} was given without method=...: give it to "
                         "Explainer(...) for the explainer's own method")


def _result(core: _core.Evaluation, position: int, rows: Integers) -> PixelFlipping:
    result = core.results[position]
    return PixelFlipping(np.asarray(result.curve_x), np.asarray(result.curves),
                         np.asarray(result.mean_curve), AUFC.of(core, position, rows))


_ONLY = ""  # The name of a single result.
# The advice for a model that is not a single model of the columns.
_BY_PREDICTION = ("bisector.aufc(model.predict, X, background=X_train, "
                  "relevance=bisector.Explainer(model, X_train)(X))")


def _candidates(relevance: Any, method: Any, rows: int) -> dict[str, Any]:
    """By name: an explanation, a matrix, the name of a method, or None for the explainer's own."""
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
    """The relevance, with positive values for the predicted class in every row."""
    if not isinstance(given, Explanation):
        return np.asarray(given)
    if given.classes is not None:
        third = ((given.prediction_index != given.positive_index)
                 & (given.prediction_index != given.negative_index))
        if np.any(third):
            raise ValueError(
                f"row {int(np.argmax(third)) + 1} has another prediction than the two classes that "
                "its relevance contrasts: leave out positive_class and versus"
            )
    return given.for_predicted().values


class _Function:
    """A function whose relevance is evaluated in the space of the columns, each divided by its
    standard deviation."""

    def __init__(self, function: Callable[[Any], Any], X: Any, background: Any):
        self.function, self.like = function, X
        self.rows = numbers(X)
        self.background = numbers(background)
        self.labels: dict[Any, int] = {}

    def classify(self, rows: Floats) -> Integers:
        """The classes of rows, which the function takes as it took X."""
        given = type(self.like)(rows, columns=self.like.columns) if is_frame(self.like) else rows
        result = np.asarray(self.function(given))
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
        if any(candidate is None or isinstance(candidate, str) for candidate in candidates):
            raise ValueError("a function has no explanation of its own, expected relevance=..., for "
                             "example shap.PermutationExplainer(function, X_train)(X).values")
        split = _core.split_donors(len(self.background), donors, flipping.seed)
        imputing = self.background[np.asarray(split.imputation)]
        matrices = [_oriented(candidate[chosen]) for candidate in candidates]
        deviation = imputing.std(axis=0) if len(imputing) else np.ones(imputing.shape[1])
        deviation = np.where(deviation > 0.0, deviation, 1.0)
        found = _core.pixel_flipping(lambda scaled: self.classify(scaled * deviation),
                                     self.rows[chosen] / deviation, imputing / deviation,
                                     matrices, flipping, **options)
        found.donors = split.donors
        return found


class _Explained:
    """The model of an Explainer; one-hot columns are removed level by level."""

    def __init__(self, explainer: Explainer, X: Any, background: Any):
        self.prepared = prepared(explainer, _BY_PREDICTION)
        columns = self.prepared.columns
        self.rows = columns.read(X).features
        self.background = columns.read(background).features

    def flip(self, candidates: list[Any], parameters: Mapping[str, Any], chosen: Integers, *,
             flipping: _core.PixelFlippingOptions, **options: Any) -> _core.Evaluation:
        names = [candidate for candidate in candidates if self._is_by_name(candidate, parameters)]
        by_name = iter(_core.candidates_from_names(names, method_parameters(parameters),
                                                   flipping.seed))
        found = [next(by_name) if self._is_by_name(candidate, parameters)
                 else self._candidate(candidate) for candidate in candidates]
        return _core.evaluate(self.prepared.subject.model, self.rows, self.background, found,
                              self.prepared.options, flipping, **options)

    def _is_by_name(self, candidate: Any, parameters: Mapping[str, Any]) -> bool:
        """True for another method than the explainer's own, and if parameters are given."""
        return isinstance(candidate, str) and (candidate != self.prepared.asked
                                               or bool(parameters))

    def _candidate(self, candidate: Any) -> _core.Candidate:
        if candidate is None or isinstance(candidate, str):
            return _core.Candidate.of_method(self.prepared.core.method)
        return _core.Candidate.of_relevance(self._checked(_oriented(candidate)))

    def _checked(self, values: Floats) -> Floats:
        if values.shape[-1] != self.rows.shape[1]:
            raise ValueError(
                f"the relevance has {values.shape[-1]} columns, expected {self.rows.shape[1]}: one "
                "for each feature, with per_level=True where columns are encoded"
            )
        return values
