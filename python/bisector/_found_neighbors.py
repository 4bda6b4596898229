"""explain_neighbors(): votes of neighbors that another index found."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ._labeled import labeled_model
from ._links import in_shares
from ._tables import Floats, default_names
from .explainer import Explainer
from .explanation import Explanation

_PER_ROW = ("output", "g", "decision", "tie", "outside", "base_values", "remainder", "correction")
# A vector index computes in single precision. Two distances closer than this fraction of the larger
# one may have been exchanged.
_ROUNDING = 1e-5


def explain_neighbors(queries: Any, neighbors: Any, labels: Any, *, k: int,
                      vectors: Any = None, distances: Any = None,
                      class_sizes: Mapping[Any, int] | None = None, exact: bool = False,
                      metric: str = "euclidean",
                      eta: float | None = None, kappa: int | None = None,
                      reference: Any = "origin", unit: str = "g",
                      positive_class: Any = None, versus: Any = None,
                      feature_names: Sequence[str] | None = None) -> Explanation:
    """Explain votes of nearest neighbors that FAISS, usearch, hnswlib or a database found.

    The rule needs the neighbors of the query alone, so that the training rows need not be in memory.
    For every class, pass its k + 1 nearest rows: a search for each class, or one search for many rows.
    All votes count the same.

    Parameters
    ----------
    queries : array of shape (rows, features)
        The rows to explain.
    neighbors : array of shape (rows, neighbors, features) or (rows, neighbors)
        The vectors that were found, or their positions in `vectors`. A position of -1 is no neighbor.
    labels : array of shape (rows, neighbors) or (vectors,)
        The classes of the neighbors, or of `vectors`.
    k : int
        The number of neighbors that vote.
    vectors : array of shape (vectors, features), optional
        The vectors that positions refer to.
    distances : array of shape (rows, neighbors), optional
        Distances as the index gives them (also squared, or one minus the cosine). They are compared
        with the vectors, and a difference is an error.
    class_sizes : mapping from class to int, optional
        The number of training rows of each class. A class that was found completely needs no more
        neighbors. It is also the list of all classes.
    exact : bool, default=False
        The index is exact, such as a flat index or a search without an index.
    metric : {"euclidean", "cosine", "manhattan"}
        The distance.
    eta, kappa
        Parameters of the rule, as in `bisector.Explainer`.
    reference : row or "origin"
        The point that represents absent features, for example the mean of the training rows.
    unit : {"g", "share"}
        The difference of distances, or percent. Votes have no unit of their own here, because that
        needs the neighbors of many training rows.
    positive_class, versus : label, optional
        The classes that are contrasted; by default the predicted class and its strongest rival.
    feature_names : sequence of str, optional
        Names of the features.

    Returns
    -------
    Explanation
        `certified` is True in rows whose explanation is that of all training rows: the index is
        exact, every class has enough neighbors, and no distance is so close to the last neighbor
        that rounding in single precision could have exchanged them. Other rows are approximate.

    Examples
    --------
    >>> import bisector
    >>> import numpy as np
    >>> points = np.array([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0], [4.0, 1.0]])
    >>> found = np.array([[0, 1, 2, 3]])  # from an index
    >>> explanation = bisector.explain_neighbors(
    ...     [[1.0, 0.0]], found, np.array(["a", "a", "b", "b"]), k=1, vectors=points,
    ...     class_sizes={"a": 2, "b": 2}, exact=True)
    >>> bool(explanation.certified[0])
    True
    """
    if unit not in ("g", "share"):
        raise ValueError(f'unit is "{unit}", expected "g" or "share"')
    rows = np.ascontiguousarray(queries, dtype=np.float64)
    found = _found(rows, neighbors, labels, vectors)
    if distances is not None:
        _require_distances(rows, found, np.asarray(distances, dtype=np.float64), metric)
    options: dict[str, Any] = {name: value for name, value in (
        ("eta", eta), ("kappa", kappa), ("positive_class", positive_class), ("versus", versus))
        if value is not None}
    names = list(feature_names or default_names(rows.shape[1]))
    parts, certified = [], []
    for row, (points, own, _) in zip(rows, found):
        _require_neighbors(own, k)
        explainer = Explainer(labeled_model(points, own, k, metric), method="lrp", unit="g",
                              n_jobs=1, reference=reference, progress=False, feature_names=names, **options)
        part = explainer(row[None, :])
        parts.append(part)
        band = (k - 1) // 2 if kappa is None else kappa
        certified.append(exact and class_sizes is not None and _is_complete(
            row, points, own, k, (k + 1) // 2 + band, class_sizes, metric))
    return _joined(parts, np.array(certified, dtype=bool), unit,
                   sorted(class_sizes) if class_sizes else None)


Found = list[tuple[Floats, NDArray[Any], NDArray[np.bool_]]]  # Vectors, labels, which were given.


def _found(rows: Floats, neighbors: Any, labels: Any, vectors: Any) -> Found:
    neighbors, labels = np.asarray(neighbors), np.asarray(labels)
    if rows.ndim != 2 or len(neighbors) != len(rows):
        raise ValueError(f"{len(neighbors)} lists of neighbors, expected one for each of "
                         f"{len(rows)} queries")
    result: Found = []
    for r in range(len(rows)):
        if vectors is None:
            if neighbors.ndim != 3:
                raise ValueError("neighbors are positions, expected vectors=...: the rows that they "
                                 "refer to")
            points, own = np.asarray(neighbors[r], dtype=np.float64), labels[r]
            given = np.ones(len(points), dtype=bool)
        else:
            places = neighbors[r].astype(np.int64)
            given = places >= 0
            places = places[given]
            if len(np.unique(places)) != len(places):
                raise ValueError(f"row {r} has a neighbor twice, expected every neighbor once")
            points = np.asarray(np.asarray(vectors)[places], dtype=np.float64)
            own = labels[places] if labels.ndim == 1 else labels[r][given]
        if points.shape[1:] != rows.shape[1:] or len(own) != len(points):
            raise ValueError(f"row {r} has neighbors of shape {points.shape} and {len(own)} labels, "
                             f"expected {rows.shape[1]} features and one label for each neighbor")
        result.append((points, own, given))
    return result


def _distances(row: Floats, points: Floats, metric: str) -> Floats:
    """Distances whose order is that of the metric: squared, absolute or one minus the cosine."""
    if metric == "cosine":
        lengths = np.linalg.norm(points, axis=1) * np.linalg.norm(row)
        return np.asarray(1.0 - (points @ row) / np.where(lengths > 0.0, lengths, 1.0))
    if metric == "manhattan":
        return np.asarray(np.abs(points - row).sum(axis=1))
    return np.asarray(((points - row) ** 2).sum(axis=1))


def _require_distances(rows: Floats, found: Found, given: Floats, metric: str) -> None:
    """The index may give squared distances, distances or inner products."""
    for r, (points, _, used) in enumerate(found):
        own = _distances(rows[r], points, metric)
        told = given[r][used]
        size = 1e-3 * max(float((rows[r] ** 2).sum()), float(np.abs(own).max(initial=0.0)), 1e-12)
        forms = [own, np.sqrt(np.maximum(own, 0.0)), 1.0 - own, 2.0 * own, points @ rows[r]]
        if not any(np.allclose(told, form, rtol=1e-3, atol=size) for form in forms):
            place = int(np.argmax(np.abs(told - own)))
            raise ValueError(f"row {r}, neighbor {place}: the index gives the distance "
                             f"{told[place]:.6g}, and the vectors have {own[place]:.6g}; expected "
                             f"distances of these vectors by metric=\"{metric}\"")


def _require_neighbors(labels: NDArray[Any], k: int) -> None:
    if len(labels) < k or len(np.unique(labels)) < 2:
        raise ValueError(f"a row has {len(labels)} neighbors of {len(np.unique(labels))} classes, "
                         f"expected the {k} nearest of every class, and at least two classes")


def _is_complete(row: Floats, points: Floats, labels: NDArray[Any], k: int, needed: int,
                 sizes: Mapping[Any, int], metric: str) -> bool:
    """True if no training row that was not found can be among those that the rule uses: the k
    nearest rows, and the `needed` nearest rows of every class."""
    own = _distances(row, points, metric)
    largest = max(float(np.abs(own).max()), float((row ** 2).sum()) if metric == "euclidean" else 0.0)
    margin = _ROUNDING * largest
    last_vote = float(np.sort(own)[k - 1])
    texts = np.array([str(label) for label in labels])
    for name, size in sizes.items():
        of_class = np.sort(own[texts == str(name)])
        if len(of_class) >= size:
            continue
        if len(of_class) < needed + 1 or of_class[-1] <= last_vote + margin:
            return False
        # A farther neighbor shows that the last one that is used has no equal.
        if of_class[-1] <= of_class[needed - 1] + margin:
            return False
    return set(texts) <= {str(name) for name in sizes}


def _joined(parts: list[Explanation], certified: NDArray[np.bool_], unit: str,
            classes: list[Any] | None) -> Explanation:
    """One explanation of all rows; every row has a model of its own."""
    found = {str(label): label for part in parts for label in (part.classes if part.classes is not None
                                                               else ())}
    names = np.array(classes if classes is not None else [found[name] for name in sorted(found)])
    place = {str(name): n for n, name in enumerate(names)}

    def indices(field: str) -> NDArray[np.int64]:
        return np.array([place[str(getattr(part, field)[0])] for part in parts], dtype=np.int64)

    first = parts[0]
    fields = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _PER_ROW}
    whole = Explanation(np.concatenate([part.values for part in parts]),
                        data=np.concatenate([part.data for part in parts]),
                        feature_names=first.feature_names, method=first.method,
                        settings=MappingProxyType({**first.settings, "unit": unit}), classes=names,
                        prediction_index=indices("prediction"),
                        positive_index=indices("positive_class"), negative_index=indices("versus"),
                        certified=certified, **fields)
    return in_shares(whole) if unit == "share" else whole
