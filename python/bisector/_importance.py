"""importance(): how much a model uses each of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import Columns
from ._tables import Floats
from .explainer import Explainer

_MOST_ROWS = 500


def importance(model: Any, X: Any = None, **options: Any) -> Floats:
    """The mean |relevance| of every column, over the rows of X or, without X, over the model's own
    points (at most 500 of them, evenly chosen). Never negative.

    As `importance_getter=bisector.importance` of scikit-learn's RFE, RFECV and SelectFromModel it
    selects features for SVMs with an RBF kernel, KNN and all else that Explainer takes. `options` are
    those of Explainer; relevance is counted in the model's own output unless `unit` says otherwise.
    """
    explainer = Explainer(model, **{"unit": "decision", "progress": False, **options})
    if X is not None:
        return np.asarray(np.abs(explainer(X).values).mean(axis=0))
    arrays = explainer._core(_own_rows(explainer))
    relevance = explainer._columns.sum_back(np.asarray(arrays["relevance"]))
    return np.asarray(np.abs(relevance).mean(axis=0))


def _own_rows(explainer: Explainer) -> Floats:
    """The model's points, as features in front of its preprocessing."""
    subject = explainer._subject
    columns: Columns = subject.columns
    points = np.asarray(subject.model.points)
    chosen = points[:: max(1, -(-len(points) // _MOST_ROWS))]
    if columns.encoders or columns.table is not None or subject.model.input.has_matrix:
        raise ValueError(
            "the points of this model are behind steps that cannot be gone back through, expected "
            "scalers at most: give rows, bisector.importance(model, X)"
        )
    scale, shift = subject.model.input.scale, subject.model.input.shift
    return chosen if len(scale) == 0 else np.asarray(chosen / scale + shift)
