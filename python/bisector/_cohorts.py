"""Rows of an explanation that belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import NDArray

from ._tables import Floats

if TYPE_CHECKING:
    from .explanation import Explanation


class Cohorts(dict[str, "Explanation"]):
    """Groups of rows by name. As in SHAP, `abs`, `mean` and others apply to each group, as in
    ``explanation.cohorts(2).abs.mean(0)``."""

    @property
    def abs(self) -> Cohorts:
        """The absolute values of each group."""
        return Cohorts({name: part.abs for name, part in self.items()})

    def mean(self, axis: int = 0) -> Cohorts:
        """The mean of each group."""
        return Cohorts({name: part.mean(axis) for name, part in self.items()})

    def sum(self, axis: int = 0) -> Cohorts:
        """The sum of each group."""
        return Cohorts({name: part.sum(axis) for name, part in self.items()})

    def max(self, axis: int = 0) -> Cohorts:
        """The largest values of each group."""
        return Cohorts({name: part.max(axis) for name, part in self.items()})

    def min(self, axis: int = 0) -> Cohorts:
        """The smallest values of each group."""
        return Cohorts({name: part.min(axis) for name, part in self.items()})


def tree_cohorts(data: Floats, values: Floats, most: int, names: Sequence[str]) -> list[str]:
    """The conditions on the path to the leaf of each row, in a decision tree with at most this many
    leaves that predicts the relevance."""
    from sklearn.tree import DecisionTreeRegressor

    tree = DecisionTreeRegressor(max_leaf_nodes=max(2, most), random_state=0)
    leaves = tree.fit(data, values.reshape(len(values), -1)).apply(data)
    return [_path_to(tree.tree_, leaf, names) for leaf in leaves]


def _path_to(tree: Any, leaf: int, names: Sequence[str]) -> str:
    """The conditions on the path from the root of a decision tree to a leaf."""
    conditions: list[str] = []
    node = leaf
    while node != 0:
        left = np.flatnonzero(tree.children_left == node)
        parent = int((left if len(left) else np.flatnonzero(tree.children_right == node))[0])
        sign = "<=" if len(left) else ">"
        name = names[int(tree.feature[parent])]
        conditions.insert(0, f"{name} {sign} {tree.threshold[parent]:.4g}")
        node = parent
    return " & ".join(conditions) or "all rows"


def cluster_order(values: Floats, metric: str) -> NDArray[np.int64]:
    """An order in which similar rows are next to each other."""
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import pdist

    if len(values) < 3:
        return np.arange(len(values))
    distances = pdist(values.reshape(len(values), -1), metric)
    tree = optimal_leaf_ordering(linkage(distances, "complete"), distances)
    return np.asarray(leaves_list(tree), dtype=np.int64)
