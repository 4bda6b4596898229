"""What was read off a fitted object is compared with the object itself on a few rows, so that a
subclass with ideas of its own is refused and not explained wrongly."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._adapted import Adapted
from ._affine import Affine
from ._columns import Columns
from ._tables import Floats

_ROWS = 8
_TOLERANCE = 1e-6
_RANKED = ("neighbors", "centroids", "neighbor_regressor")  # by the order of distances


class Multiplied:
    """A step that we add ourselves: the length scales of a Gaussian process, the matrix of a
    Mahalanobis distance."""

    def __init__(self, factor: Floats):
        self.factor = factor

    def transform(self, rows: Any) -> Floats:
        numbers: Floats = np.asarray(rows, dtype=np.float64)
        scaled: Floats = numbers * self.factor if self.factor.ndim == 1 else numbers @ self.factor.T
        return scaled


def require_same_features(steps: Sequence[Any], columns: Columns, x: Affine) -> None:
    made_of_levels = all(encoder.x.is_plain and hasattr(encoder.transformer, "categories_")
                         and not any(columns.inputs[n].encoder is not None for n in encoder.x.source)
                         for encoder in columns.encoders)
    if not steps or not made_of_levels:
        return  # other encoders make the features themselves, and every step was tried alone
    rows = _probe(columns, x)
    features = columns.read(rows).features
    ours = x(features)
    theirs = rows
    for step in steps:
        theirs = step.transform(theirs)
    theirs = theirs.toarray() if hasattr(theirs, "toarray") else theirs
    _require_close(ours, np.asarray(theirs, dtype=np.float64),
                   "the pipeline does not transform as its parameters say",
                   float(x.summands(features).max(initial=0.0)))


def _probe(columns: Columns, x: Affine) -> Any:
    """Rows that the steps can take: numbers around the scalers' middles, levels of the encoders."""
    generator = np.random.default_rng(0)
    rows = np.zeros((_ROWS, columns.count), dtype=object if columns.encoders else np.float64)
    for n, feature in enumerate(columns.features):
        if feature.encoder is None:
            drawn = generator.normal(size=_ROWS)
            rows[:, feature.column] = (drawn - x.shift[n]) / x.scale[n]
    for encoder in columns.encoders:
        given = [columns.inputs[n].column for n in encoder.x.source]
        for column, levels in zip(given, encoder.transformer.categories_):
            rows[:, column] = np.asarray(levels, dtype=object)[
                generator.integers(len(levels), size=_ROWS)]
    if columns.names is None:
        return rows
    import pandas

    return pandas.DataFrame({name: _column(rows[:, d]) for d, name in enumerate(columns.names)})


def _column(cells: Any) -> Any:
    """Numbers as numbers, where all are."""
    try:
        return cells.astype(np.float64)
    except (TypeError, ValueError):
        return cells


def require_same_decision(estimator: Any, adapted: Adapted, shift: float,
                          target: tuple[float, float] | None = None) -> None:
    """`target`: slope and offset of what the library predicts against the estimator."""
    model = _core.Model(adapted.predictor)
    rows, original = _rows_near_points(model, adapted)
    decisions, classes = _core.DecisionFunction(model)(rows)
    problem = (f"the {type(estimator).__name__} does not decide as its parameters say (a subclass "
               "with its own decision?), expected scikit-learn's own")
    if adapted.labels is None:
        slope, offset = target or (1.0, 0.0)
        sure = ~_undecided(model, rows, decisions) if model.kind in _RANKED else slice(None)
        theirs = slope * np.ravel(estimator.predict(original)) + offset
        _require_close(decisions[sure, 0], theirs[sure], problem)
    elif (model.kind in ("kernel_classifier", "one_class") and len(adapted.labels) == 2
          and adapted.predict is None and not _is_of_pyod(estimator)):
        _require_close(decisions[:, 0] - shift, estimator.decision_function(original), problem)
    else:
        predict = adapted.predict or estimator.predict
        apart = adapted.labels[classes] != predict(original)
        if np.any(apart & ~_undecided(model, rows, decisions)):
            raise ValueError(problem)


def _is_of_pyod(estimator: Any) -> bool:
    return type(estimator).__module__.split(".")[0] == "pyod"


def _rows_near_points(model: _core.Model, adapted: Adapted) -> tuple[Floats, Floats]:
    """Rows in the model's space, and as the estimator has them."""
    points = np.asarray(model.points)
    chosen = points[:: max(1, len(points) // _ROWS)][:_ROWS]
    # Off the points themselves, where neighbors would have ties.
    some = points[:: max(1, points.size // 400_000)]  # where they are many
    noise = 0.1 * some.std(axis=0) * np.random.default_rng(0).normal(size=chosen.shape)
    rows = chosen + noise
    vote = getattr(adapted.predictor, "vote", None)
    if vote is not None and vote.distance.categories:
        rows = chosen
    elif vote is not None and vote.radius is not None:
        length = np.abs(noise).sum(axis=1, keepdims=True)
        rows = chosen + noise * np.minimum(1.0, 0.5 * vote.radius / np.maximum(length, 1e-300))
        rows = chosen if vote.distance.is_cosine else rows
    if adapted.matrix is not None:
        original = rows @ np.linalg.pinv(adapted.matrix).T
        return np.ascontiguousarray(original @ adapted.matrix.T), original
    return rows, rows if adapted.scale is None else rows / adapted.scale


def _undecided(model: _core.Model, rows: Floats, decisions: Floats) -> Any:
    """Rows whose neighbors or votes are equal, or whose decision is zero up to rounding."""
    if model.kind not in _RANKED:
        return np.abs(decisions[:, 0]) <= _TOLERANCE * (1.0 + np.abs(decisions).max(initial=0.0))
    lrp = _core.method("lrp", {})
    return np.asarray(_core.Explainer(model, lrp, _core.ExplainOptions())(rows)["tie"])


def _require_close(ours: Floats, theirs: Floats, problem: str, summands: float = 0.0) -> None:
    """`summands`: how large the numbers are that these are sums of. What was fitted in single
    precision rounds by that."""
    scale = 1.0 + float(np.abs(theirs).max(initial=0.0)) + summands
    if ours.shape != theirs.shape or not np.all(np.abs(ours - theirs) <= _TOLERANCE * scale):
        raise ValueError(problem)
