"""Interactions: how much pairs of features act together."""

from __future__ import annotations

import copy
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from ._notes import notes_of
from ._tables import Floats

Pair = tuple[int, int, float]


@dataclass(eq=False, repr=False)
class Interactions:
    """The interactions of all pairs of features for every row.

    `Explainer.interactions` returns them. Two features interact if the effect of one depends on the
    value of the other. Interactions can be indexed by rows, as ``interactions[rows]``.

    Attributes
    ----------
    values : ndarray of shape (rows, features, features) or None
        Half of the interaction of each pair, which is divided equally among its two features; the
        main effects are on the diagonal. Each line sums to the feature's exact Shapley value, or,
        for integrated Hessians, to its integrated gradient of g. None if only the strongest pairs
        were computed.
    pairs : list of list of (int, int, float) or None
        With ``top=k``, the strongest pairs of each row as two positions and their interaction.
    feature_names : list of str
        The names of the columns or groups.
    data : array of shape (rows, features)
        The cells of X.
    method : {"shapley", "integrated-hessians"}
        Exact Shapley interaction values of the output, or integrated Hessians of g for kernels that
        are not a product over the features.
    unit : {"decision", "g"}
        The unit of the values: the model's own output, or g.
    positive_class, versus : ndarray or None
        Classifiers: the classes that positive and negative values push toward, for each row.
    outside, alike : ndarray of bool or None
        As in `Explanation`.
    index : index or None
        The index of the data frame that was explained.
    note : str
        Why the sums of the lines differ from the values of the explainer; empty if they are equal.

    See Also
    --------
    Explainer.interactions : Computes interactions.
    plots.interactions : Draws the mean over the rows.

    Examples
    --------
    >>> import bisector
    >>> import numpy as np
    >>> from sklearn.svm import SVR
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> explainer = bisector.Explainer(SVR().fit(X, X[:, 0] * X[:, 1] + X[:, 2]), X)
    >>> interactions = explainer.interactions(X[:5])
    >>> interactions.values.shape
    (5, 3, 3)
    >>> bool(np.allclose(interactions.values.sum(axis=2), explainer(X[:5]).values))
    True
    >>> interactions.top(1)[["first", "second"]].values.tolist()
    [['x1', 'x2']]
    """

    values: Floats | None
    pairs: list[list[Pair]] | None
    data: Any
    feature_names: list[str]
    _: KW_ONLY
    method: str
    unit: str
    positive_class: Any = None
    versus: Any = None
    index: Any = None
    outside: Any = None
    alike: Any = None
    note: str = ""

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers should know, as `Explanation.notes`: also whether the sums of
        the lines differ from the values of the explainer."""
        return notes_of(self, {"note": self.note})

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, features and features."""
        return len(self), len(self.feature_names), len(self.feature_names)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        size = " x ".join(str(n) for n in self.shape)
        return f"<bisector.Interactions of {size} by {self.method}, unit {self.unit}>"

    def __getitem__(self, rows: Any) -> Interactions:
        """The interactions of some rows; one row stays an object with one row."""
        chosen = np.atleast_1d(np.arange(len(self))[rows])
        part = copy.copy(self)
        for name in ("values", "data", "positive_class", "versus", "index", "outside", "alike"):
            values = getattr(self, name)
            setattr(part, name, None if values is None else values[chosen])
        part.pairs = None if self.pairs is None else [self.pairs[row] for row in chosen]
        return part

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        values = self._all()
        return np.array(values, dtype=dtype) if copy else np.asarray(values, dtype=dtype)

    def to_frame(self) -> Any:
        """A `pandas.DataFrame` with one line for each row and pair, the strongest pair first.

        Returns
        -------
        pandas.DataFrame
            The columns are row, first, second and interaction. The interaction is that of the whole
            pair: both halves of `values` together.
        """
        import pandas

        lines = [(row if self.index is None else self.index[row], self.feature_names[first],
                  self.feature_names[second], value)
                 for row in range(len(self)) for first, second, value in self._pairs_of(row)]
        return pandas.DataFrame(lines, columns=["row", "first", "second", "interaction"])

    def top(self, count: int = 10) -> Any:
        """The strongest pairs over all rows, as a `pandas.DataFrame`.

        Parameters
        ----------
        count : int, default=10
            The number of pairs.

        Returns
        -------
        pandas.DataFrame
            The columns are first, second, mean_size (the mean absolute interaction) and mean (the
            mean interaction). The interaction is that of the whole pair.
        """
        import pandas

        first, second = np.triu_indices(len(self.feature_names), 1)
        whole = 2.0 * self._all()[:, first, second]
        size, mean = np.abs(whole).mean(axis=0), whole.mean(axis=0)
        order = np.argsort(-size, kind="stable")[:count]
        names = np.array(self.feature_names, dtype=object)
        return pandas.DataFrame({"first": names[first[order]], "second": names[second[order]],
                                 "mean_size": size[order], "mean": mean[order]})

    def partner(self, feature: int | str) -> int:
        """The position of the feature that interacts most with a feature, over all rows."""
        own = self.position(feature)
        sizes = np.abs(self._all()[:, own, :]).mean(axis=0)
        sizes[own] = -1.0
        return int(np.argmax(sizes))

    def position(self, feature: int | str) -> int:
        """The position of a feature that is given by name."""
        if not isinstance(feature, str):
            return int(feature)
        if feature not in self.feature_names:
            raise KeyError(f'no feature "{feature}", expected one of '
                           f'{", ".join(self.feature_names)}')
        return self.feature_names.index(feature)

    def _all(self) -> Floats:
        if self.values is None:
            raise ValueError("only the strongest pairs of each row were computed, expected all "
                             "pairs: call interactions(X) without top")
        return self.values

    def _pairs_of(self, row: int) -> list[Pair]:
        if self.pairs is not None:
            return self.pairs[row]
        first, second = np.triu_indices(len(self.feature_names), 1)
        whole = 2.0 * self._all()[row, first, second]
        order = np.argsort(-np.abs(whole), kind="stable")
        return [(int(first[n]), int(second[n]), float(whole[n])) for n in order]
