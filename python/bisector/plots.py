"""Plots of explanations with matplotlib.

Every function draws on `ax` (by default a new figure) and returns it. With ``show=True`` the figure
is displayed, as in SHAP.
"""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

from ._exchange import codes
from ._image_plots import heatmap, image
from ._interactions import Interactions
from ._plot_parts import (
    AGAINST,
    FOR,
    NEUTRAL,
    displayed,
    new_axes,
    require_one_class,
    require_values,
    shown_axes,
)
from ._tables import Floats, dense
from ._text_plot import draw_text, draw_tokens
from .explanation import Explanation

__all__ = ["bar", "beeswarm", "heatmap", "image", "interactions", "partner", "scatter", "text", "tokens",
           "waterfall"]


def _require_rows(explanation: Explanation) -> None:
    require_one_class(explanation)
    if explanation.values.ndim != 2:
        raise ValueError("the explanation is of a single row, expected several rows")


def _most_relevant(explanation: Explanation, most: int, order: Any = None) -> Any:
    """Positions of the features with the largest values of `order`, by default the mean
    |relevance|, the largest first."""
    sizes = np.abs(explanation.values).mean(axis=0) if order is None else np.ravel(order)
    if len(sizes) != explanation.values.shape[1]:
        raise ValueError(f"order has {len(sizes)} values, expected one for each of "
                         f"{explanation.values.shape[1]} features, as explanation.abs.max(0) has")
    return np.argsort(-sizes, kind="stable")[:most]


_UNITS = {"g": "", "decision": " in units of the output", "share": " in percent"}


def _meaning(explanation: Explanation) -> str:
    """The label of an axis of relevance."""
    relevance = "relevance" + _UNITS[explanation.unit]
    if explanation.classes is None:
        if explanation.level is None:
            return relevance
        low, high = ("below", "above") if explanation.unit == "g" else ("lower", "higher")
        return f"{low} ← {relevance} → {high}"
    names = np.unique(np.ravel(explanation.versus)), np.unique(np.ravel(explanation.positive_class))
    if len(names[0]) == len(names[1]) == 1:
        return f"{names[0][0]} ← {relevance} → {names[1][0]}"
    return f"{relevance} for the class"


def _numbers(explanation: Explanation) -> Floats:
    data = dense(explanation.data)
    return codes(data) if data.dtype == object else np.asarray(data, dtype=np.float64)


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


def beeswarm(explanation: Explanation, *, max_display: int | None = None, order: Any = None,
             ax: Any = None, show: bool = False, max_features: int | None = None) -> Any:
    """One point for each row and feature. Its position is the relevance, its color the value.

    Parameters
    ----------
    explanation : Explanation
        Several rows. Points beyond the axis are drawn at its end as triangles.
    max_display : int, default=12
        The largest number of features.
    order : Explanation or array, optional
        One value for each feature, such as ``explanation.abs.max(0)``; features with the largest
        values are drawn, the largest first. By default the mean |relevance|.
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.
    max_features : int, optional
        The former name of `max_display`.

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
    _require_rows(explanation)
    features = _most_relevant(explanation, displayed(max_display, max_features), order)
    ax = new_axes(ax, 8.0, 1.4 + 0.42 * len(features))
    data = _numbers(explanation)
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
    ax.set_yticks(range(len(features)), [explanation.feature_names[f] for f in features])
    ax.set_ylim(len(features) - 0.5, -0.5)
    ax.set_xlim(low, high)
    ax.set_xlabel(_meaning(explanation))
    if shown is not None and len(explanation):
        colors_bar = ax.figure.colorbar(shown, ax=ax, ticks=[0.0, 1.0], pad=0.03)
        colors_bar.ax.set_yticklabels(["low", "high"])
        colors_bar.set_label("value of the feature", labelpad=-14)
    return shown_axes(ax, show)


def _ranks(values: Floats) -> Floats:
    """From 0 for the lowest to 1 for the highest; equal values have equal ranks."""
    found, place = np.unique(values, return_inverse=True)
    return place / max(1, len(found) - 1)


def bar(explanation: Explanation | Mapping[str, Explanation], *, max_display: int | None = None,
        ax: Any = None, show: bool = False, max_features: int | None = None) -> Any:
    """The mean |relevance| of each feature, divided by its sign; for one row, the relevance.

    Parameters
    ----------
    explanation : Explanation or dict of str to Explanation
        Rows, one row, or cohorts of rows from `Explanation.cohorts`, which are drawn side by side.
    max_display : int, default=12
        The largest number of features.
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.
    max_features : int, optional
        The former name of `max_display`.

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
    'mean |relevance|'
    """
    most = displayed(max_display, max_features)
    if isinstance(explanation, Mapping):
        return shown_axes(_cohort_bars(explanation, most, ax), show)
    require_one_class(explanation)
    values = np.atleast_2d(explanation.values)
    positive = np.maximum(values, 0.0).mean(axis=0)
    negative = np.maximum(-values, 0.0).mean(axis=0)
    features = np.argsort(-(positive + negative), kind="stable")[:most]
    ax = new_axes(ax, 7.0, 1.4 + 0.36 * len(features))
    places = np.arange(len(features))
    ax.barh(places, positive[features], color=FOR, label=_side(explanation, "positive_class"))
    ax.barh(places, negative[features], left=positive[features], color=AGAINST,
            label=_side(explanation, "versus"))
    ax.set_yticks(places, [explanation.feature_names[f] for f in features])
    ax.invert_yaxis()
    ax.set_xlabel("|relevance|" if explanation.values.ndim == 1 else "mean |relevance|")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2, frameon=False)
    return shown_axes(ax, show)


def _cohort_bars(cohorts: Mapping[str, Explanation], most: int, ax: Any) -> Any:
    means = {name: np.abs(np.atleast_2d(part.values)).mean(axis=0) for name, part in cohorts.items()}
    features = np.argsort(-np.max(list(means.values()), axis=0), kind="stable")[:most]
    names = next(iter(cohorts.values())).feature_names
    ax = new_axes(ax, 7.0, 1.4 + 0.2 * (1 + len(means)) * len(features))
    height = 0.8 / len(means)
    for n, (name, mean) in enumerate(means.items()):
        ax.barh(np.arange(len(features)) + n * height, mean[features], height=height,
                label=name if cohorts[name].values.ndim == 1 else f"{name} [{len(cohorts[name])}]")
    ax.set_yticks(np.arange(len(features)) + 0.4 - height / 2, [names[f] for f in features])
    ax.invert_yaxis()
    ax.set_xlabel("mean |relevance|")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    return ax


def _side(explanation: Explanation, which: str) -> str:
    if explanation.classes is None and explanation.level is None:
        return "raises the output" if which == "positive_class" else "lowers the output"
    names = np.unique(np.ravel(getattr(explanation, which)))
    if len(names) == 1:
        return f"for {names[0]}"
    return "for the class" if which == "positive_class" else "for its rival"


def waterfall(explanation: Explanation, *, max_display: int | None = None, ax: Any = None,
              show: bool = False, max_features: int | None = None) -> Any:
    """The features of one row, from the base value to the output.

    Parameters
    ----------
    explanation : Explanation
        One row: ``explanation[row]``. A remainder is drawn as one more bar.
    max_display : int, default=12
        The largest number of features; the others are one bar together.
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.
    max_features : int, optional
        The former name of `max_display`.

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
    require_one_class(explanation)
    if explanation.values.ndim != 1:
        raise ValueError(f"the explanation has {len(explanation)} rows, expected one: "
                         "pass explanation[row]")
    steps, labels, colors = _steps_of_row(explanation, displayed(max_display, max_features))
    ax = new_axes(ax, 8.0, 1.6 + 0.42 * len(steps))
    base = float(explanation.base_values)
    end = _draw_steps(ax, base, steps, colors)
    ax.set_yticks(range(len(steps)), labels[::-1])
    if explanation.outside:
        ax.set_title("far from the training data: this explanation is unreliable", fontsize=9)
    ax.set_xlabel(f"from the base value {base:.3g} to {_total(explanation, end)}"
                  f"\n{_meaning(explanation)}")
    return shown_axes(ax, show)


def _steps_of_row(explanation: Explanation, most: int) -> tuple[list[float], list[str], list[str]]:
    """The relevance, the labels and the colors of the strongest features, of all others together
    and of the remainder."""
    order = np.argsort(-np.abs(explanation.values), kind="stable")
    listed, others = order[:most], order[most:]
    steps = [float(value) for value in explanation.values[listed]]
    labels = [_cell(explanation, feature) for feature in listed]
    if len(others):
        steps.append(float(explanation.values[others].sum()))
        labels.append(f"{len(others)} other feature{'s' if len(others) > 1 else ''}")
    colors = [FOR if step > 0.0 else AGAINST for step in steps]
    base, remainder = float(explanation.base_values), float(explanation.remainder)
    if abs(remainder) > 1e-9 * max(abs(base), *np.abs(steps)):
        return [*steps, remainder], [*labels, "remainder"], [*colors, NEUTRAL]
    return steps, labels, colors


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
    value = explanation.data[feature]
    if value is None or value != value:  # A group of columns.
        return str(explanation.feature_names[feature])
    text = f"{value:.4g}" if isinstance(value, (int, float, np.number)) else str(value)
    return f"{explanation.feature_names[feature]} = {text}"


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
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.

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
        shown = ax.scatter(x, one.values, s=12, c=_values_of(other), cmap="cividis", linewidths=0)
        ax.figure.colorbar(shown, ax=ax, label=other.feature_names)
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8, zorder=0)
    ax.set_xlabel(one.feature_names)
    ax.set_ylabel(f"{one.feature_names}: {_meaning(one)}")
    if np.asarray(one.data).dtype == object:
        _name_ticks(ax, one.data, x)
    return shown_axes(ax, show)


def _one_feature(explanation: Explanation, feature: Any) -> Explanation:
    """One feature of several rows."""
    if feature is None and isinstance(explanation.feature_names, str) and explanation.values.ndim == 1:
        return explanation
    _require_rows(explanation)
    if feature is None:
        raise ValueError("the explanation has several features, expected one: pass "
                         "explanation[:, feature]")
    return explanation[:, feature]


def _values_of(one: Explanation) -> Floats:
    """The values of a feature as numbers; text becomes its position in the sorted order."""
    data = np.asarray(dense(one.data))[:, None]
    values = (codes(data) if data.dtype == object else np.asarray(data, dtype=np.float64))[:, 0]
    return require_values(values, one.feature_names)


def _name_ticks(ax: Any, cells: Any, x: Floats) -> None:
    texts = {number: str(cell) for number, cell in zip(x, cells)}
    if any(not isinstance(cell, (int, float, np.number)) for cell in cells):
        ax.set_xticks(list(texts), list(texts.values()))


def interactions(values: Any, feature_names: Sequence[str] | None = None, *,
                 max_display: int | None = None, ax: Any = None, show: bool = False) -> Any:
    """The mean |interaction| of each pair of features, as a matrix; main effects are left out.

    Parameters
    ----------
    values : Interactions or array of shape (rows, features, features)
        Interactions of one or several rows, from `Explainer.interactions`.
    feature_names : sequence of str, optional
        Names of the features of an array.
    max_display : int, default=12
        The largest number of features.
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.

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
    chosen = np.argsort(-matrix.sum(axis=1), kind="stable")[:displayed(max_display, None)]
    labels = [str(f) if names is None else names[f] for f in chosen]
    ax = new_axes(ax, 2.0 + 0.5 * len(chosen), 1.6 + 0.45 * len(chosen))
    drawn = ax.imshow(matrix[np.ix_(chosen, chosen)], cmap="Oranges", vmin=0.0)
    ax.set_xticks(range(len(chosen)), labels, rotation=90)
    ax.set_yticks(range(len(chosen)), labels)
    ax.figure.colorbar(drawn, ax=ax, label="mean |interaction|")
    return shown_axes(ax, show)


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
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.

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
    data = dense(found.data)
    data = codes(data) if data.dtype == object else np.asarray(data, dtype=np.float64)
    for position in (own, with_it):
        require_values(data[:, position], found.feature_names[position])
    ax = new_axes(ax, 6.4, 4.4)
    whole = 2.0 * np.asarray(found)[:, own, with_it]
    shown = ax.scatter(data[:, own], whole, s=12, c=data[:, with_it], cmap="cividis", linewidths=0)
    ax.figure.colorbar(shown, ax=ax, label=found.feature_names[with_it])
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8, zorder=0)
    ax.set_xlabel(found.feature_names[own])
    ax.set_ylabel(f"interaction of {found.feature_names[own]}\nand {found.feature_names[with_it]}"
                  f"{_UNITS[found.unit]}")
    return shown_axes(ax, show)


def text(explanation: Explanation, *, max_display: int | None = None, ax: Any = None,
         show: bool = False) -> Any:
    """One explained text with the relevance of its words as colors.

    Parameters
    ----------
    explanation : Explanation
        One row of the explanation of a text model: ``explanation[row]``.
    max_display : int, default=12
        The largest number of words that are missing in the text and are listed below it.
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.

    Examples
    --------
    >>> import bisector
    >>> from sklearn.feature_extraction.text import TfidfVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> texts = ["a good film", "a very good story", "a bad film", "a bad and dull story"]
    >>> model = make_pipeline(TfidfVectorizer(), SVC()).fit(texts, [1, 1, 0, 0])
    >>> explanation = bisector.Explainer(model, texts)(["a good and dull film"])
    >>> ax = bisector.plots.text(explanation[0])
    """
    if explanation.values.ndim != 1 or explanation.display_data is None:
        raise ValueError("expected one row of the explanation of texts: pass explanation[row]")
    ax = new_axes(ax, 8.0, 3.0)
    draw_text(ax, explanation, displayed(max_display, None), (FOR, AGAINST, NEUTRAL))
    return shown_axes(ax, show)


def tokens(explanation: Explanation, names: Sequence[str], *, ax: Any = None, show: bool = False
           ) -> Any:
    """The relevance of the tokens of one text as colors.

    Parameters
    ----------
    explanation : Explanation
        One row of an explanation with one value per token: ``explanation[row]``.
    names : sequence of str
        The tokens as they are shown. Padding at the end may be left out.
    ax : matplotlib axes, optional
        Where to draw.
    show : bool, default=False
        Display the figure.

    Examples
    --------
    >>> import bisector
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> counts = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> model = KNeighborsRegressor(1).fit(counts, [3.0, 1.0, 2.0])
    >>> explanation = bisector.Explainer(model, counts)(counts)
    >>> ax = bisector.plots.tokens(explanation[0], ["good", "bad", "film"])
    """
    if explanation.values.ndim != 1 or len(names) > len(explanation.values):
        raise ValueError(f"{len(names)} tokens and values of shape {explanation.values.shape}, "
                         "expected one row, explanation[row], with a value for each token")
    ax = new_axes(ax, 8.0, 2.0)
    draw_tokens(ax, [str(name) for name in names], explanation.values[:len(names)], (FOR, AGAINST))
    if explanation.classes is not None:
        ax.set_title(f"{explanation.positive_class}, not {explanation.versus}", fontsize=9, loc="left")
    return shown_axes(ax, show)
