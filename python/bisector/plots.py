"""Plots of explanations with matplotlib.

Every function draws on `ax` (by default a new figure) and returns it. With ``show=True`` the figure
is displayed, as in SHAP.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from ._image_plots import heatmap, image
from ._interaction_plots import interactions, partner
from ._plot_parts import (AGAINST, FOR, NEUTRAL, UNITS, column_of, displayed, documented, label,
                          labels, meaning, name_ticks, new_axes, numbers_of, require_one_class,
                          require_row, require_rows, shown_axes, strongest)
from ._tables import Floats, dense
from ._text_plots import text, tokens
from .explanation import Explanation

__all__ = ["bar", "beeswarm", "heatmap", "image", "interactions", "partner", "scatter", "text", "tokens",
           "waterfall"]

_LEGEND = 56  # Characters of a line of a legend.


def _limits(values: Floats) -> tuple[float, float]:
    """The limits of an axis for nearly all values. A few extreme ones would hide the others."""
    finite = values.ravel()
    if finite.size == 0:
        return -1.0, 1.0
    low, high = (min(float(np.quantile(finite, 0.01)), 0.0),
                 max(float(np.quantile(finite, 0.99)), 0.0))
    margin = 0.15 * (high - low) or 1.0
    return max(low - margin, min(finite.min(), 0.0)), min(high + margin, max(finite.max(), 0.0))


def _offsets(values: Floats, low: float, high: float, bins: int = 80) -> Floats:
    """The offsets of a swarm's points from its line, so that they do not overlap."""
    result = np.zeros(len(values))
    place = np.floor((values - low) / max(high - low, 1e-300) * (bins - 1)).astype(int)
    counts = np.bincount(place, minlength=bins)
    for bin_number in np.flatnonzero(counts):
        members = np.flatnonzero(place == bin_number)
        rank = np.arange(len(members))
        side = np.where(rank % 2 == 0, 1, -1)
        result[members] = side * ((rank + 1) // 2)
    return np.asarray(result * min(0.4 / max(1.0, (counts.max() + 1) // 2), 0.1))


@documented
def beeswarm(explanation: Explanation, *, max_display: int | None = None, order: Any = None,
             ax: Any = None, show: bool = False) -> Any:
    """One point for each row and feature. Its position is the relevance, its color the value.

    Parameters
    ----------
    explanation : Explanation
        Several rows. Points beyond the axis are drawn at its end as triangles.
    %(max_display)s
    order : Explanation or array, optional
        One value for each feature, such as ``explanation.abs.max(0)``; features with the largest
        values are drawn, the largest first. By default the mean |relevance|.
    %(ax)s
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explanation = bisector.Explainer(SVC().fit(X, y), X)(X)
    >>> ax = bisector.plots.beeswarm(explanation, max_display=2)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['petal length (cm)', 'petal width (cm)']
    """
    require_rows(explanation)
    features = _ordered(explanation, displayed(max_display), order)
    ax = new_axes(ax, 8.0, max(2.4, 1.4 + 0.42 * len(features)))
    data = numbers_of(explanation.data)
    low, high = _limits(explanation.values[:, features])
    shown = None
    for line, feature in enumerate(features):
        relevance = np.clip(explanation.values[:, feature], low, high)
        heights = line + _offsets(relevance, low, high)
        colors = _ranks(data[:, feature])
        beyond = {"o": (relevance > low) & (relevance < high), "<": relevance <= low,
                  ">": relevance >= high}
        for marker, members in beyond.items():
            drawn = ax.scatter(relevance[members], heights[members], c=colors[members],
                               cmap="cividis", s=9 if marker == "o" else 20, linewidths=0,
                               vmin=0.0, vmax=1.0, marker=marker, clip_on=False,
                               rasterized=len(relevance) > 2000)
            shown = drawn if marker == "o" else shown
    ax.axvline(0.0, color=NEUTRAL, linewidth=0.8, zorder=0)
    ax.set_yticks(range(len(features)), labels(explanation, features))
    ax.set_ylim(len(features) - 0.5, -0.5)
    ax.set_xlim(low, high)
    ax.set_xlabel(meaning(explanation))
    if shown is not None and len(explanation):
        colors_bar = ax.figure.colorbar(shown, ax=ax, ticks=[0.0, 1.0], pad=0.03)
        colors_bar.ax.set_yticklabels(["low", "high"])
        colors_bar.set_label("value of the feature", labelpad=-14)
    return shown_axes(ax, show)


def _ordered(explanation: Explanation, most: int, order: Any) -> Any:
    """Positions of the features with the largest values of `order`, the largest first."""
    if order is None:
        return strongest(explanation, most)
    sizes = np.ravel(order)
    if len(sizes) != explanation.values.shape[1]:
        raise ValueError(f"order has {len(sizes)} values, expected one for each of "
                         f"{explanation.values.shape[1]} features, as explanation.abs.max(0) has")
    return np.argsort(-sizes, kind="stable")[:most]


def _ranks(values: Floats) -> Floats:
    """From 0 for the lowest to 1 for the highest; equal values have equal ranks."""
    found, place = np.unique(values, return_inverse=True)
    return place / max(1, len(found) - 1)


@documented
def bar(explanation: Explanation | Mapping[str, Explanation], *, max_display: int | None = None,
        ax: Any = None, show: bool = False) -> Any:
    """The mean |relevance| of each feature, divided by its sign; for one row, the relevance.

    Parameters
    ----------
    explanation : Explanation or dict of str to Explanation
        Rows, one row, or cohorts of rows from `Explanation.cohorts`, which are drawn side by side.
    %(max_display)s
    %(ax)s
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explanation = bisector.Explainer(SVC().fit(X, y), X)(X)
    >>> ax = bisector.plots.bar(explanation[0])  # one row
    >>> ax = bisector.plots.bar(explanation.cohorts(2))  # two groups of rows
    >>> ax.get_xlabel()
    'mean |relevance| in units of the output'
    """
    most = displayed(max_display)
    if isinstance(explanation, Mapping):
        return shown_axes(_cohort_bars(explanation, most, ax), show)
    require_one_class(explanation)
    values = np.atleast_2d(explanation.values)
    positive = np.maximum(values, 0.0).mean(axis=0)
    negative = np.maximum(-values, 0.0).mean(axis=0)
    features = strongest(explanation, most)
    ax = new_axes(ax, 7.0, 1.4 + 0.36 * len(features))
    places = np.arange(len(features))
    ax.barh(places, positive[features], color=FOR, label=_side(explanation, "positive_class"))
    ax.barh(places, negative[features], left=positive[features], color=AGAINST,
            label=_side(explanation, "versus"))
    ax.set_yticks(places, labels(explanation, features))
    ax.set_ylim(len(features) - 0.5, -0.5)
    size = "|relevance|" if explanation.values.ndim == 1 else "mean |relevance|"
    ax.set_xlabel(size + UNITS[explanation.unit])
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2, frameon=False)
    return shown_axes(ax, show)


def _cohort_bars(cohorts: Mapping[str, Explanation], most: int, ax: Any) -> Any:
    from matplotlib import colormaps

    means = {name: np.abs(np.atleast_2d(part.values)).mean(axis=0) for name, part in cohorts.items()}
    features = np.argsort(-np.max(list(means.values()), axis=0), kind="stable")[:most]
    first = next(iter(cohorts.values()))
    ax = new_axes(ax, 7.0, 1.4 + 0.2 * (1 + len(means)) * len(features))
    height = 0.8 / len(means)
    colors = colormaps["cividis"](np.linspace(0.0, 0.9, len(means)))
    for n, (name, mean) in enumerate(means.items()):
        rows = "" if cohorts[name].values.ndim == 1 else f" [{len(cohorts[name])}]"
        ax.barh(np.arange(len(features)) + n * height, mean[features], height=height,
                color=colors[n], label=label(name + rows, _LEGEND))
    ax.set_yticks(np.arange(len(features)) + 0.4 - height / 2, labels(first, features))
    ax.invert_yaxis()
    ax.set_xlabel("mean |relevance|" + UNITS[first.unit])
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    return ax


def _side(explanation: Explanation, which: str) -> str:
    if explanation.classes is None and explanation.level is None:
        return "raises the output" if which == "positive_class" else "lowers the output"
    names = np.unique(np.ravel(getattr(explanation, which)))
    if len(names) == 1:
        return f"for {names[0]}"
    return "for the class" if which == "positive_class" else "for its rival"


@documented
def waterfall(explanation: Explanation, *, max_display: int | None = None, ax: Any = None,
              show: bool = False) -> Any:
    """The features of one row, from the base value to the output.

    Parameters
    ----------
    explanation : Explanation
        One row: ``explanation[row]``. A remainder is drawn as one more bar.
    max_display : int, default=12
        The largest number of features; the others are one bar together.
    %(ax)s
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explanation = bisector.Explainer(SVC().fit(X, y), X)(X)
    >>> ax = bisector.plots.waterfall(explanation[0], max_display=2)
    >>> ax.get_yticklabels()[0].get_text()
    '2 other features'
    """
    require_row(explanation)
    steps, names, colors = _steps_of_row(explanation, displayed(max_display))
    ax = new_axes(ax, 8.0, 1.6 + 0.42 * len(steps))
    base = float(explanation.base_values)
    end = _draw_steps(ax, base, steps, colors)
    ax.set_yticks(range(len(steps)), names[::-1])
    if explanation.outside:
        ax.set_title("far from the training data: this explanation is unreliable", fontsize=9)
    ax.set_xlabel(f"from the base value {base:.3g} to {_total(explanation, end)}"
                  f"\n{meaning(explanation)}")
    return shown_axes(ax, show)


def _steps_of_row(explanation: Explanation, most: int) -> tuple[list[float], list[str], list[str]]:
    """The relevance, the labels and the colors of the strongest features, of all others together
    and of the remainder."""
    order = np.argsort(-np.abs(explanation.values), kind="stable")
    listed, others = order[:most], order[most:]
    steps = [float(value) for value in explanation.values[listed]]
    names = [_cell(explanation, feature) for feature in listed]
    if len(others):
        steps.append(float(explanation.values[others].sum()))
        names.append(f"{len(others)} other feature{'s' if len(others) > 1 else ''}")
    colors = [FOR if step > 0.0 else AGAINST for step in steps]
    base, remainder = float(explanation.base_values), float(explanation.remainder)
    if abs(remainder) > 1e-9 * max(abs(base), *np.abs(steps)):
        return [*steps, remainder], [*names, "remainder"], [*colors, NEUTRAL]
    return steps, names, colors


def _draw_steps(ax: Any, base: float, steps: list[float], colors: list[str]) -> float:
    """Bars from the base value to the output, which is returned: the weakest feature first, at the
    bottom."""
    ends = base + np.cumsum(steps[::-1])
    starts = np.concatenate([[base], ends[:-1]])
    span = max(np.ptp(np.concatenate([starts, ends])), 1e-300)
    for place, (start, end) in enumerate(zip(starts, ends)):
        ax.barh(place, end - start, left=start, height=0.62, color=colors[-1 - place])
        ax.text(max(start, end) + 0.01 * span, place,
                f"{end - start:+.3g}", va="center", fontsize=9)
        if place:
            ax.plot([start, start], [place - 1, place], color=NEUTRAL, linewidth=0.7, zorder=0)
    ax.axvline(base, color=NEUTRAL, linewidth=0.8, linestyle=":", zorder=0)
    low, high = min(starts.min(), ends.min()), max(starts.max(), ends.max())
    ax.set_xlim(low - 0.05 * span, high + 0.14 * span)  # Space for the numbers.
    return float(ends[-1])


def _total(explanation: Explanation, end: float) -> str:
    if explanation.unit == "share":
        return f"{end:.3g} %"
    return f"{'g' if explanation.unit == 'g' else 'the output'} = {end:.3g}"


def _cell(explanation: Explanation, feature: int) -> str:
    value, name = explanation.data[feature], explanation.feature_names[feature]
    if value is None or value != value:  # A group of columns.
        return label(name)
    shown = f"{value:.4g}" if isinstance(value, (int, float, np.number)) else str(value)
    return label(f"{name} = {shown}")


@documented
def scatter(explanation: Explanation, feature: Any = None, *, color: Any = None, ax: Any = None,
            show: bool = False) -> Any:
    """The relevance of a feature against its value, one point for each row.

    Parameters
    ----------
    explanation : Explanation
        Several rows, or one feature of them as in SHAP: ``explanation[:, feature]``.
    feature : str or int, optional
        The feature, unless the explanation has only one.
    color : str, int or Explanation, optional
        A second feature, whose value is the color, by name or as ``explanation[:, feature]``.
    %(ax)s
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explanation = bisector.Explainer(SVC().fit(X, y), X)(X)
    >>> ax = bisector.plots.scatter(explanation, "petal length (cm)", color="petal width (cm)")
    >>> ax.get_xlabel()
    'petal length (cm)'
    """
    one = _one_feature(explanation, feature)
    x = _values_of(one)
    ax = new_axes(ax, 6.4, 4.4)
    if color is None:
        ax.scatter(x, one.values, s=12, color=AGAINST, alpha=0.8, linewidths=0)
    else:
        other = (_one_feature(color, None) if isinstance(color, Explanation)
                 else _one_feature(explanation, color))
        colors = _values_of(other)
        shown = ax.scatter(x, one.values, s=12, c=colors, cmap="cividis", linewidths=0)
        name_ticks(ax.figure.colorbar(shown, ax=ax, label=label(other.feature_names)), other.data,
                   colors)
    name_ticks(ax.xaxis, one.data, x)
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8, zorder=0)
    ax.set_xlabel(label(one.feature_names))
    ax.set_ylabel(f"{label(one.feature_names)}\n{meaning(one)}")
    return shown_axes(ax, show)


def _one_feature(explanation: Explanation, feature: Any) -> Explanation:
    """One feature of several rows."""
    if feature is None and isinstance(explanation.feature_names, str) and explanation.values.ndim == 1:
        return explanation
    require_rows(explanation)
    if feature is None:
        raise ValueError("the explanation has several features, expected one: pass "
                         "explanation[:, feature]")
    return explanation[:, feature]


def _values_of(one: Explanation) -> Floats:
    """The values of the only feature as numbers."""
    return column_of(numbers_of(np.asarray(dense(one.data))[:, None]), 0, one.feature_names)
