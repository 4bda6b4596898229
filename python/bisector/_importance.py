"""importance(): the mean size of the relevance of each column."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._prepared import Prepared
from ._tables import Floats
from .explainer import Explainer, options_for, prepared

_MOST_ROWS = 500


def importance(model: Any, X: Any = None, **options: Any) -> Floats:
    """The mean |relevance| of every column, in the unit of the model's output.

    As ``importance_getter=bisector.importance`` of scikit-learn's RFE, RFECV and SelectFromModel it
    selects features for SVMs with an RBF kernel, neighbors and all other models of `Explainer`.

    Parameters
    ----------
    model : estimator, path-like or Explainer
        A model that `Explainer` takes.
    X : table, optional
        The rows. By default the model's own points, at most 500 of them.
    **options
        Options of `Explainer`.

    Returns
    -------
    ndarray of shape (columns,)

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> bisector.importance(SVC().fit(X, y), X).shape
    (4,)
    """
    if isinstance(model, Explainer):
        options = {**options_for(model, options.get("method")), **options}
    options = {**options, "unit": options.get("unit") or "decision", "progress": False}
    explainer = Explainer(model, **options)
    if X is not None:
        return np.asarray(np.abs(explainer(X).values).mean(axis=0))
    one = prepared(explainer, "bisector.importance(model, X, background=X_train)")
    relevance = one.summed(np.asarray(one.core(_own_rows(one))["relevance"]))
    return np.asarray(np.abs(relevance).mean(axis=0))


def _own_rows(one: Prepared) -> Floats:
    """The model's points, before its preprocessing."""
    subject, columns = one.subject, one.columns
    points = np.asarray(subject.model.points)
    chosen = points[:: max(1, -(-len(points) // _MOST_ROWS))]
    if columns.encoders or columns.table is not None or subject.model.input.has_matrix:
        raise ValueError(
            "the points of this model are behind steps without an inverse, expected rows: "
            "bisector.importance(model, X)"
        )
    scale, shift = subject.model.input.scale, subject.model.input.shift
    return chosen if len(scale) == 0 else np.asarray(chosen / scale + shift)
