"""What all plots share: colors, axes, and the number of displayed features."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._tables import Floats
from .explanation import Explanation

FOR, AGAINST = "#b84a00", "#0b3d73"  # The colors of the report; color-blind readers see both.
NEUTRAL = "#8a8a8a"
_MAX_DISPLAY = 12


def require_one_class(explanation: Explanation) -> None:
    if explanation.has_class_axis:
        raise ValueError(
            "the explanation has all classes, expected one: pass explanation[..., class]")


def require_values(values: Floats, name: str) -> Floats:
    """Refuses a group of columns, which has no values."""
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


def displayed(max_display: int | None, max_features: int | None) -> int:
    if max_features is not None:
        warnings.warn("max_features is now max_display", FutureWarning, stacklevel=3)
        return max_features
    return _MAX_DISPLAY if max_display is None else max_display


def color_map() -> Any:
    """Colors of relevance: against, white for zero, for."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("relevance", [AGAINST, "#ffffff", FOR])
