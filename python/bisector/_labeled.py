"""Models of labeled embeddings that are given as arrays or as a vector index."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._adapt import Subject
from ._columns import Columns
from ._file_neighbors import FileNeighbors, opened_rows
from ._tables import Floats

_DISTANCES = {"euclidean": _core.Distance, "cosine": _core.Distance.cosine,
              "manhattan": _core.Distance.manhattan}
_INNER_PRODUCT, _L2, _L1 = 0, 1, 2  # faiss.MetricType


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
    return Subject(_core.Model(predictor), Columns.plain(points.shape[1]), names,
                   np.arange(points.shape[0]))


def model_of_file(model: FileNeighbors) -> Subject:
    return labeled_model(opened_rows(model.rows), model.labels, model.k, weights=model.weights)


def model_of_faiss(index: Any, labels: Any, k: int) -> Subject:
    """The vectors of a FAISS index with labels."""
    vectors = np.asarray(index.reconstruct_n(0, index.ntotal), dtype=np.float64)
    metric = int(index.metric_type)
    if metric == _INNER_PRODUCT:
        _require_unit_length(vectors)
    names = {_INNER_PRODUCT: "cosine", _L2: "euclidean", _L1: "manhattan"}
    if metric not in names:
        raise ValueError(f"the index has the metric {metric} of FAISS, expected L2, L1 or the inner "
                         "product of vectors of length 1")
    return labeled_model(vectors, labels, k, names[metric])


def _require_unit_length(vectors: Floats) -> None:
    lengths = np.linalg.norm(vectors, axis=1)
    if not np.allclose(lengths, 1.0, atol=1e-3):
        place = int(np.argmax(np.abs(lengths - 1.0)))
        raise ValueError(f"the index has inner products, and vector {place} has the length "
                         f"{lengths[place]:.4g}, expected vectors of length 1 (faiss.normalize_L2) or "
                         "an index of L2 distances")
