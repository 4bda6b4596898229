"""Comparison of the library's model with the fitted object itself, on a few rows. A subclass with
its own transform or decision is refused, not explained wrongly."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._adapted import Adapted
from ._affine import Affine
from ._columns import Columns, Encoder, transformed
from ._tables import Floats
from .errors import UnsupportedModelError

_ROWS = 8
_TOLERANCE = 1e-6
_RANKED = ("neighbors", "centroids", "neighbor_regressor")  # Models by the order of distances.


class MatrixStep:
    """A step that the package adds: the length scales of a Gaussian process, the matrix of a
    Mahalanobis distance."""

    def __init__(self, factor: Floats):
        self.factor = factor

    def transform(self, rows: Any) -> Floats:
        numbers: Floats = np.asarray(rows, dtype=np.float64)
        scaled: Floats = numbers * self.factor if self.factor.ndim == 1 else numbers @ self.factor.T
        return scaled


def require_same_features(steps: Sequence[Any], columns: Columns, x: Affine) -> None:
    """Compares the features of a pipeline with those of its own steps, also at the edges of bins."""
    if not steps:
        return
    rows = _probe_rows(columns, x)
    try:
        theirs = rows
        for step in steps:
            theirs = transformed(step, theirs)
        theirs = np.asarray(theirs, dtype=np.float64)
    except Exception:  # The steps may refuse the generated rows.
        return
    features = columns.read(rows).features
    finite = np.all(np.isfinite(theirs), axis=1)
    _require_close(x(features)[finite], theirs[finite],
                   "the pipeline does not transform as its parameters say, expected steps of "
                   "scikit-learn and not those of a subclass",
                   float(x.summands(features[finite]).max(initial=0.0)))


def _probe_rows(columns: Columns, x: Affine) -> Any:
    """Rows for the steps: numbers near the centers of scalers, levels of encoders, edges of bins."""
    generator = np.random.default_rng(0)
    values: dict[int, Any] = {column: generator.uniform(0.1, 3.0, size=4 * _ROWS)
                              for column in range(columns.count)}
    for n, feature in enumerate(columns.features):
        if feature.encoder is None:
            drawn = generator.normal(size=4 * _ROWS)
            values[feature.column] = (drawn - x.shift[n]) / x.scale[n]
    for encoder in columns.encoders:
        for n, source in enumerate(encoder.x.source):
            feature = columns.inputs[source]
            special = _special_values(encoder, n)
            if feature.encoder is None and special is not None and len(special):
                values[feature.column] = special[np.arange(4 * _ROWS) % len(special)]
    if columns.names is not None:
        import pandas

        return pandas.DataFrame({name: values[d] for d, name in enumerate(columns.names)})
    is_text = any(column.dtype.kind not in "fiub" for column in values.values())
    rows = np.empty((4 * _ROWS, columns.count), dtype=object if is_text else np.float64)
    for column, cells in values.items():
        rows[:, column] = cells
    return rows


def _special_values(encoder: Encoder, position: int) -> Any:
    """Values of an encoder's input at which its output changes: levels, or the edges of bins."""
    transformer, x = encoder.transformer, encoder.x
    if hasattr(transformer, "categories_"):
        levels = np.asarray(transformer.categories_[position])
        return levels if levels.dtype.kind in "fiub" else levels.astype(object)
    if x.matrix is not None:
        return None
    edges: Any = ()
    if hasattr(transformer, "bin_edges_"):
        edges = transformer.bin_edges_[position]
    elif hasattr(transformer, "quantiles_"):
        edges = transformer.quantiles_[:, position]
    elif hasattr(transformer, "threshold"):
        edges = [transformer.threshold]
    return (np.asarray(edges, dtype=np.float64) - x.shift[position]) / x.scale[position]


def require_same_decision(estimator: Any, adapted: Adapted, shift: float,
                          target: tuple[float, float] | None = None) -> None:
    """`target`: slope and offset from the estimator's prediction to the library's."""
    model = _core.Model(adapted.predictor)
    rows, original = _rows_near_points(model, adapted)
    decisions, classes = _core.DecisionFunction(model)(rows)
    problem = (f"the {type(estimator).__name__} does not predict as its parameters say, expected "
               "the prediction of scikit-learn and not that of a subclass")
    if adapted.labels is None:
        slope, offset = target or (1.0, 0.0)
        sure = ~_has_ties(model, rows, decisions) if model.kind in _RANKED else slice(None)
        theirs = slope * np.ravel(estimator.predict(original)) + offset
        _require_close(decisions[sure, 0], theirs[sure], problem)
    elif (model.kind in ("kernel_classifier", "one_class") and len(adapted.labels) == 2
          and adapted.predict is None and not _is_of_pyod(estimator)):
        _require_close(decisions[:, 0] - shift, estimator.decision_function(original), problem)
    else:
        predict = adapted.predict or estimator.predict
        differs = adapted.labels[classes] != predict(original)
        if np.any(differs & ~_has_ties(model, rows, decisions)):
            raise UnsupportedModelError(problem)


def _is_of_pyod(estimator: Any) -> bool:
    return type(estimator).__module__.split(".")[0] == "pyod"


def _rows_near_points(model: _core.Model, adapted: Adapted) -> tuple[Floats, Floats]:
    """Rows in the space of the predictor, and the same rows for the estimator."""
    points = np.asarray(model.points)
    chosen = points[:: max(1, len(points) // _ROWS)][:_ROWS]
    # Noise moves the rows off the points, where neighbors have ties.
    some = points[:: max(1, points.size // 400_000)]  # Enough for the deviations.
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


def _has_ties(model: _core.Model, rows: Floats, decisions: Floats) -> Any:
    """True for rows with equal neighbors or votes, or with a decision of zero up to rounding."""
    if model.kind not in _RANKED:
        return np.abs(decisions[:, 0]) <= _TOLERANCE * (1.0 + np.abs(decisions).max(initial=0.0))
    lrp = _core.method("lrp", {})
    return np.asarray(_core.Explainer(model, lrp, _core.ExplainOptions())(rows)["tie"])


def _require_close(ours: Floats, theirs: Floats, problem: str, summands: float = 0.0) -> None:
    """`summands`: the sizes of the numbers that were added, which bound the rounding errors."""
    scale = 1.0 + float(np.abs(theirs).max(initial=0.0)) + summands
    if ours.shape != theirs.shape or not np.all(np.abs(ours - theirs) <= _TOLERANCE * scale):
        raise UnsupportedModelError(problem)
