"""Plots of explanations with matplotlib alone. Every function draws on `ax` (default: a new figure)
and returns it."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._exchange import codes
from ._tables import Floats, dense
from .explanation import Explanation

FOR, AGAINST = "#c8102e", "#1f6fb4"  # told apart by color-blind readers too
NEUTRAL = "#8a8a8a"


def _axes(ax: Any, width: float, height: float) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def _require_rows(explanation: Explanation) -> None:
    if explanation.values.ndim != 2:
        raise ValueError("the explanation is of a single row, expected several rows")


def _most_relevant(explanation: Explanation, most: int) -> Any:
    """Positions of the features with the largest mean |relevance|, the largest first."""
    importance = np.abs(explanation.values).mean(axis=0)
    return np.argsort(-importance, kind="stable")[:most]


_UNITS = {"g": "", "decision": " in units of the output", "share": " in per cent"}


def _meaning(explanation: Explanation) -> str:
    """What the sign says and what is counted, for an axis."""
    relevance = "relevance" + _UNITS[explanation.unit]
    if explanation.classes is None:
        return f"below ← {relevance} → above" if explanation.level is not None else relevance
    names = np.unique(np.ravel(explanation.versus)), np.unique(np.ravel(explanation.positive_class))
    if len(names[0]) == len(names[1]) == 1:
        return f"{names[0][0]} ← {relevance} → {names[1][0]}"
    return f"{relevance} for the class"


def _numbers(explanation: Explanation) -> Floats:
    data = dense(explanation.data)
    return codes(data) if data.dtype == object else np.asarray(data, dtype=np.float64)


def _limits(values: Floats) -> tuple[float, float]:
    """An axis for nearly all values: a few far away would press the others together."""
    finite = values.ravel()
    if finite.size == 0:
        return -1.0, 1.0
    low, high = (min(float(np.quantile(finite, 0.01)), 0.0),
                 max(float(np.quantile(finite, 0.99)), 0.0))
    room = 0.15 * (high - low) or 1.0
    return max(low - room, min(finite.min(), 0.0)), min(high + room, max(finite.max(), 0.0))


def _offsets(values: Floats, low: float, high: float, bins: int = 80) -> Floats:
    """Where the points of a swarm stand beside its line: piled up where they are many."""
    result = np.zeros(len(values))
    place = np.floor((values - low) / max(high - low, 1e-300) * (bins - 1)).astype(int)
    counts = np.bincount(place, minlength=bins)
    for bin_number in np.flatnonzero(counts):
        members = np.flatnonzero(place == bin_number)
        rank = np.arange(len(members))
        side = np.where(rank % 2 == 0, 1, -1)
        result[members] = side * ((rank + 1) // 2)
    return np.asarray(result * min(0.4 / max(1.0, (counts.max() + 1) // 2), 0.1))


def beeswarm(explanation: Explanation, *, max_features: int = 12, ax: Any = None) -> Any:
    """A point per row and feature: where it stands is its relevance, its color the value. Points
    beyond the axis stand at its end as triangles."""
    _require_rows(explanation)
    features = _most_relevant(explanation, max_features)
    ax = _axes(ax, 8.0, 1.4 + 0.42 * len(features))
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
    return ax


def _ranks(values: Floats) -> Floats:
    """From 0 for the lowest to 1 for the highest; equal values have equal ranks."""
    found, place = np.unique(values, return_inverse=True)
    return place / max(1, len(found) - 1)


def bar(explanation: Explanation, *, max_features: int = 12, ax: Any = None) -> Any:
    """The mean |relevance| of each feature, split by its sign; of one row, the relevance itself."""
    values = np.atleast_2d(explanation.values)
    positive = np.maximum(values, 0.0).mean(axis=0)
    negative = np.maximum(-values, 0.0).mean(axis=0)
    features = np.argsort(-(positive + negative), kind="stable")[:max_features]
    ax = _axes(ax, 7.0, 1.4 + 0.36 * len(features))
    places = np.arange(len(features))
    ax.barh(places, positive[features], color=FOR, label=_side(explanation, "positive_class"))
    ax.barh(places, negative[features], left=positive[features], color=AGAINST,
            label=_side(explanation, "versus"))
    ax.set_yticks(places, [explanation.feature_names[f] for f in features])
    ax.invert_yaxis()
    ax.set_xlabel("|relevance|" if explanation.values.ndim == 1 else "mean |relevance|")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2, frameon=False)
    return ax


def _side(explanation: Explanation, which: str) -> str:
    if explanation.classes is None and explanation.level is None:
        return "raises f" if which == "positive_class" else "lowers f"
    names = np.unique(np.ravel(getattr(explanation, which)))
    if len(names) == 1:
        return f"for {names[0]}"
    return "for the class" if which == "positive_class" else "for its rival"


def waterfall(explanation: Explanation, *, max_features: int = 12, ax: Any = None) -> Any:
    """How the features of one row add up to its output, with what they leave as the first bar; pass
    explanation[row]."""
    if explanation.values.ndim != 1:
        raise ValueError(f"the explanation has {len(explanation)} rows, expected one: "
                         "pass explanation[row]")
    order = np.argsort(-np.abs(explanation.values), kind="stable")
    listed, others = order[:max_features], order[max_features:]
    steps = list(explanation.values[listed])
    labels = [_cell(explanation, feature) for feature in listed]
    if len(others):
        steps.append(float(explanation.values[others].sum()))
        labels.append(f"{len(others)} other feature{'s' if len(others) > 1 else ''}")
    colors = [FOR if step > 0.0 else AGAINST for step in steps]
    base, remainder = float(explanation.base_values), float(explanation.remainder)
    if abs(remainder) > 1e-9 * max(abs(base), *np.abs(steps)):
        steps, labels = [*steps, remainder], [*labels, "remainder"]
        colors = [*colors, NEUTRAL]
    ax = _axes(ax, 8.0, 1.6 + 0.42 * len(steps))
    # From the base value up to the output: the weakest first, at the bottom.
    ends = base + np.cumsum(steps[::-1])
    starts = np.concatenate([[base], ends[:-1]])
    span = max(np.ptp(np.concatenate([starts, ends])), 1e-300)
    for place, (start, end) in enumerate(zip(starts, ends)):
        ax.barh(place, end - start, left=start, height=0.62, color=colors[-1 - place])
        ax.text(max(start, end) + 0.01 * span, place, f"{end - start:+.3g}", va="center", fontsize=9)
        if place:
            ax.plot([start, start], [place - 1, place], color=NEUTRAL, linewidth=0.7, zorder=0)
    ax.axvline(starts[0], color=NEUTRAL, linewidth=0.8, linestyle=":", zorder=0)
    low, high = min(starts.min(), ends.min()), max(starts.max(), ends.max())
    ax.set_xlim(low - 0.05 * span, high + 0.14 * span)  # room for the numbers
    ax.set_yticks(range(len(steps)), labels[::-1])
    if explanation.outside:
        ax.set_title("far from all data: this says little", fontsize=9)
    ax.set_xlabel(f"base {base:.3g}, then feature by feature to {_total(explanation, ends[-1])}"
                  f"\n{_meaning(explanation)}")
    return ax


def _total(explanation: Explanation, end: float) -> str:
    if explanation.unit == "share":
        return f"{end:.3g} %"
    name = "g" if explanation.g is not None and explanation.output == explanation.g else "f"
    return f"{name} = {end:.3g}"


def _cell(explanation: Explanation, feature: int) -> str:
    value = explanation.data[feature]
    text = f"{value:.4g}" if isinstance(value, (int, float, np.number)) else str(value)
    return f"{explanation.feature_names[feature]} = {text}"


def scatter(explanation: Explanation, feature: Any, *, color: Any = None, ax: Any = None) -> Any:
    """A feature's value against its relevance, a point per row, colored by a second feature."""
    _require_rows(explanation)
    position = explanation._positions(feature)
    ax = _axes(ax, 6.4, 4.4)
    data = _numbers(explanation)
    x = data[:, position]
    if color is None:
        ax.scatter(x, explanation.values[:, position], s=12, color=AGAINST, alpha=0.8, linewidths=0)
    else:
        other = explanation._positions(color)
        shown = ax.scatter(x, explanation.values[:, position], s=12, c=data[:, other],
                           cmap="cividis", linewidths=0)
        ax.figure.colorbar(shown, ax=ax, label=explanation.feature_names[other])
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8, zorder=0)
    ax.set_xlabel(explanation.feature_names[position])
    ax.set_ylabel(f"{explanation.feature_names[position]}: {_meaning(explanation)}")
    if explanation.data.dtype == object:
        _name_ticks(ax, explanation.data[:, position], x)
    return ax


def _name_ticks(ax: Any, cells: Any, x: Floats) -> None:
    texts = {number: str(cell) for number, cell in zip(x, cells)}
    if any(not isinstance(cell, (int, float, np.number)) for cell in cells):
        ax.set_xticks(list(texts), list(texts.values()))


def heatmap(explanation: Explanation, shape: Sequence[int], *, columns: int = 4,
            ax: Any = None) -> Any:
    """The relevance of images of `shape` (height, width), over their pixels. One row goes onto
    `ax`; several make a grid, and an array of axes is returned."""
    values = np.atleast_2d(explanation.values)
    if int(np.prod(shape)) != values.shape[1]:
        raise ValueError(f"images of {shape[0]} x {shape[1]} have {int(np.prod(shape))} pixels, "
                         f"expected {values.shape[1]} as the explanation has features")
    if explanation.values.ndim == 1:
        ax = _axes(ax, 4.4, 4.0)
        _one_heatmap(ax, explanation, shape)
        return ax
    from matplotlib import pyplot

    across = min(columns, len(values))
    down = -(-len(values) // across)
    _, grid = pyplot.subplots(down, across, figsize=(2.4 * across, 2.5 * down), squeeze=False,
                              layout="constrained")
    for place in grid.ravel()[len(values):]:
        place.set_axis_off()
    for row, place in enumerate(grid.ravel()[:len(values)]):
        _one_heatmap(place, explanation[row], shape)
    return grid


def _one_heatmap(ax: Any, explanation: Explanation, shape: Sequence[int]) -> None:
    limit = np.abs(explanation.values).max() or 1.0
    image = np.asarray(explanation.data, dtype=np.float64).reshape(shape)
    ax.imshow(image, cmap="gray_r", alpha=0.45)
    relevance = explanation.values.reshape(shape)
    strength = np.clip(1.5 * np.abs(relevance) / limit, 0.0, 0.9)
    ax.imshow(relevance, cmap="RdBu_r", vmin=-limit, vmax=limit, alpha=strength)
    ax.set_xticks([])
    ax.set_yticks([])
    if explanation.classes is not None:
        ax.set_title(f"{explanation.positive_class}, not {explanation.versus}", fontsize=9)
