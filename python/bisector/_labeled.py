"""Models of labeled embeddings that are given as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._adapt import Subject
from ._columns import Columns
from ._file_neighbors import FileNeighbors, opened_rows

_DISTANCES = {"euclidean": _core.Distance, "cosine": _core.Distance.cosine,
              "manhattan": _core.Distance.manhattan}


def labeled_model(embeddings: Any, labels: Any, k: int, metric: str = "euclidean",
                  weights: str = "uniform") -> Subject:
    """A vote of the k nearest embeddings as a model of the library."""
    if metric not in _DISTANCES:
        raise ValueError(f'metric is "{metric}", expected one of {", ".join(_DISTANCES)}')
    if weights not in ("uniform", "distance"):
        raise ValueError(f'weights is "{weights}", expected "uniform" or "distance"')
    is_in_file = isinstance(embeddings, _core.FileRows)
    points = embeddings if is_in_file else np.ascontiguousarray(embeddings, dtype=np.float64)
    labels = np.asarray(labels)
    if len(points.shape) != 2 or labels.shape != points.shape[:1]:
        raise ValueError(f"embeddings of shape {points.shape} and labels of shape {labels.shape}, "
                         "expected (rows, features) and (rows,)")
    names, classes = np.unique(labels, return_inverse=True)
    vote = _core.NeighborVote(_core.VoteWeights[weights], distance=_DISTANCES[metric]())
    predictor = _core.NeighborModel(points, classes.astype(np.int64), k=k, vote=vote,
                                    labels=[str(name) for name in names])
    model = _core.Model(predictor)
    if not is_in_file:  # Row n of a file is point n.
        model = model.with_training_rows(np.arange(points.shape[0]))
    return Subject(model, Columns.plain(points.shape[1]), names)


def model_of_file(model: FileNeighbors) -> Subject:
    return labeled_model(opened_rows(model.rows), model.labels, model.k, weights=model.weights)
