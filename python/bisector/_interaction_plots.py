"""Plots of the interactions of pairs of features."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._interactions import Interactions
from ._plot_parts import (NEUTRAL, UNITS, column_of, displayed, documented, label, name_ticks,
                          new_axes, numbers_of, shown_axes)


@documented
def interactions(values: Any, feature_names: Sequence[str] | None = None, *,
                 max_display: int | None = None, ax: Any = None, show: bool = False) -> Any:
    """The mean |interaction| of each pair of features, as a matrix; main effects are left out.

    Parameters
    ----------
    values : Interactions or array of shape (rows, features, features)
        Interactions of one or several rows, from `Explainer.interactions`.
    feature_names : sequence of str, optional
        Names of the features of an array.
    %(max_display)s
    %(ax)s
    %(show)s

    See Also
    --------
    partner : One pair, row by row.

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.svm import SVR
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> X = X[["age", "bmi", "bp"]]
    >>> found = bisector.Explainer(SVR(C=100.0).fit(X, y), X[:50]).interactions(X[:20])
    >>> ax = bisector.plots.interactions(found)
    >>> sorted(label.get_text() for label in ax.get_xticklabels())
    ['age', 'bmi', 'bp']
    """
    names = feature_names if feature_names is not None else getattr(values, "feature_names", None)
    matrix = np.abs(np.asarray(values, dtype=np.float64))
    matrix = 2.0 * (matrix.mean(axis=0) if matrix.ndim == 3 else matrix)  # Both halves of a pair.
    np.fill_diagonal(matrix, 0.0)
    chosen = np.argsort(-matrix.sum(axis=1), kind="stable")[:displayed(max_display)]
    shown = [label(f if names is None else names[f]) for f in chosen]
    for_names = 0.09 * max(len(line) for name in shown for line in name.splitlines())
    ax = new_axes(ax, 1.5 + for_names + 0.5 * len(chosen), 0.6 + for_names + 0.45 * len(chosen))
    drawn = ax.imshow(matrix[np.ix_(chosen, chosen)], cmap="Oranges", vmin=0.0)
    ax.set_xticks(range(len(chosen)), shown, rotation=90)
    ax.set_yticks(range(len(chosen)), shown)
    unit = UNITS[values.unit] if isinstance(values, Interactions) else ""
    ax.figure.colorbar(drawn, ax=ax, label=f"mean |interaction|{unit}", shrink=0.9)
    return shown_axes(ax, show)


@documented
def partner(found: Interactions, feature: int | str, other: int | str | None = None, *,
            ax: Any = None, show: bool = False) -> Any:
    """The interaction of two features against the value of the first, one point for each row.

    Parameters
    ----------
    found : Interactions
        Several rows, from `Explainer.interactions`.
    feature : str or int
        The feature on the horizontal axis.
    other : str or int, optional
        Its partner, whose value is the color. By default the one with the largest interaction.
    %(ax)s
    %(show)s

    See Also
    --------
    interactions : All pairs at once.

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.svm import SVR
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> X = X[["age", "bmi", "bp"]]
    >>> found = bisector.Explainer(SVR(C=100.0).fit(X, y), X[:50]).interactions(X[:20])
    >>> ax = bisector.plots.partner(found, "bmi", "bp")
    >>> ax.get_xlabel()
    'bmi'
    """
    own = found.position(feature)
    with_it = found.partner(own) if other is None else found.position(other)
    data, cells = numbers_of(found.data), found.data
    x, colors = (column_of(data, position, found.feature_names[position])
                 for position in (own, with_it))
    names = [label(found.feature_names[position]) for position in (own, with_it)]
    ax = new_axes(ax, 6.4, 4.4)
    shown = ax.scatter(x, 2.0 * np.asarray(found)[:, own, with_it], s=12, c=colors, cmap="cividis",
                       linewidths=0)
    name_ticks(ax.figure.colorbar(shown, ax=ax, label=names[1]), cells[:, with_it], colors)
    name_ticks(ax.xaxis, cells[:, own], x)
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8, zorder=0)
    ax.set_xlabel(names[0])
    ax.set_ylabel(f"interaction{UNITS[found.unit]}\nof {names[0]}\nand {names[1]}")
    return shown_axes(ax, show)
