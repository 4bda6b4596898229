"""What all plots share: colors, axes, labels, and the number of displayed features."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from ._docstrings import filled
from ._exchange import codes
from ._tables import Floats, dense
from .explanation import Explanation

FOR, AGAINST = "#b84a00", "#0b3d73"  # The colors of the report; color-blind readers see both.
NEUTRAL = "#8a8a8a"
UNITS = {"g": "", "decision": " in units of the output", "share": " in percent"}
_MAX_DISPLAY = 12
_WIDTH = 32  # Characters of a line of a label.

documented = filled(
    ax="""ax : matplotlib axes, optional
        Where to draw.""",
    max_display="""max_display : int, default=12
        The largest number of features.""",
    show="""show : bool, default=False
        Display the figure.""")


def require_one_class(explanation: Explanation) -> None:
    if explanation.has_class_axis:
        raise ValueError(
            "the explanation has all classes, expected one: pass explanation[..., class]")


def require_rows(explanation: Explanation) -> None:
    require_one_class(explanation)
    if explanation.values.ndim != 2:
        raise ValueError("the explanation is of a single row, expected several rows")


def require_row(explanation: Explanation) -> None:
    require_one_class(explanation)
    if explanation.values.ndim != 1:
        raise ValueError(f"the explanation has {len(explanation)} rows, expected one: pass "
                         "explanation[row]")


def numbers_of(data: Any) -> Floats:
    """Cells as numbers; text becomes its position in the sorted order."""
    data = np.asarray(dense(data))
    return codes(data) if data.dtype == object else np.asarray(data, dtype=np.float64)


def column_of(data: Floats, position: int, name: str) -> Floats:
    """The values of a feature. Refuses a group of columns, which has no values."""
    values = data[:, position]
    if len(values) and np.all(np.isnan(values)):
        raise ValueError(f'"{name}" is a group of columns without a value, expected single columns')
    return values


def new_axes(ax: Any, width: float, height: float) -> Any:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def shown_axes(ax: Any, show: bool) -> Any:
    """Displays the figure if the caller asked for it."""
    if show:
        from matplotlib import pyplot

        pyplot.show()
    return ax


def displayed(max_display: int | None) -> int:
    return _MAX_DISPLAY if max_display is None else max_display


def strongest(explanation: Explanation, most: int) -> Any:
    """Positions of the features with the largest mean |relevance|, the largest first."""
    sizes = np.abs(np.atleast_2d(explanation.values)).mean(axis=0)
    return np.argsort(-sizes, kind="stable")[:most]


def label(name: Any, width: int = _WIDTH) -> str:
    """A name on one or two lines. The middle of a very long name is left out, because the ends of
    such names differ most."""
    text = str(name)
    lines = textwrap.wrap(text, width) if len(text) > width else [text]
    return "\n".join(lines if len(lines) < 3 else [lines[0], f"… {text[2 - width:]}"])


def labels(explanation: Explanation, features: Any) -> list[str]:
    return [label(explanation.feature_names[feature]) for feature in features]


def meaning(explanation: Explanation) -> str:
    """The label of an axis of relevance."""
    relevance = "relevance" + UNITS[explanation.unit]
    if explanation.classes is None:
        if explanation.level is None:
            return relevance
        low, high = ("below", "above") if explanation.unit == "g" else ("lower", "higher")
        return f"{low} ← {relevance} → {high}"
    names = np.unique(np.ravel(explanation.versus)), np.unique(np.ravel(explanation.positive_class))
    if len(names[0]) == len(names[1]) == 1:
        return f"{names[0][0]} ← {relevance} → {names[1][0]}"
    return f"{relevance} for the class"


def name_ticks(axis: Any, cells: Any, numbers: Floats) -> None:
    """Shows text instead of the numbers that represent it. `axis` is an axis or a color bar."""
    texts = {number: label(cell) for number, cell in zip(numbers, cells)}
    if any(not isinstance(cell, (int, float, np.number)) for cell in cells):
        axis.set_ticks(list(texts), labels=list(texts.values()))


def color_map() -> Any:
    """Colors of relevance: against, white for zero, for."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("relevance", [AGAINST, "#ffffff", FOR])
