"""Plots of the relevance of images, drawn over their pixels."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from ._plot_parts import (UNITS, color_map, displayed, documented, labels, new_axes,
                          require_one_class, shown_axes, strongest)
from .explanation import Explanation


_MOST_CLUSTERED = 1000  # The order of more rows takes long.


@documented
def heatmap(explanation: Explanation, shape: Sequence[int] | None = None, *, columns: int = 4,
            max_display: int | None = None, instance_order: Any = None, ax: Any = None,
            show: bool = False) -> Any:
    """The relevance of all rows as a matrix, or that of images, drawn over their pixels.

    Parameters
    ----------
    explanation : Explanation
        Several rows. With `shape`, images: one row, or several rows, which are drawn as a grid; an
        array of axes is returned then.
    shape : (int, int), optional
        Height and width of the images.
    columns : int, default=4
        Columns of the grid of images.
    max_display : int, default=12
        The largest number of features of the matrix.
    instance_order : array, optional
        The order of the rows of the matrix: their positions, or one number for each row to sort by.
        By default similar rows are next to each other, or, above 1,000 rows, similar outputs.
    ax : matplotlib axes, optional
        Where to draw the matrix or one image.
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.svm import SVC
    >>> X, y = load_digits(return_X_y=True)
    >>> explanation = bisector.Explainer(SVC().fit(X[100:], y[100:]), X[100:300])(X[:6])
    >>> axes = bisector.plots.heatmap(explanation, (8, 8), columns=3)
    >>> axes.shape
    (2, 3)
    """
    require_one_class(explanation)
    if shape is None:
        return shown_axes(_matrix(explanation, displayed(max_display), instance_order, ax), show)
    values = np.atleast_2d(explanation.values)
    if int(np.prod(shape)) != values.shape[1]:
        raise ValueError(f"images of {shape[0]} x {shape[1]} have {int(np.prod(shape))} pixels, "
                         f"expected {values.shape[1]} as the explanation has features")
    if explanation.values.ndim == 1:
        ax = new_axes(ax, 4.4, 4.0)
        _overlay(ax, explanation, None, tuple(shape))
        return shown_axes(ax, show)
    from matplotlib import pyplot

    across = min(columns, len(values))
    down = -(-len(values) // across)
    _, grid = pyplot.subplots(down, across, figsize=(2.4 * across, 2.5 * down), squeeze=False,
                              layout="constrained")
    for place in grid.ravel()[len(values):]:
        place.set_axis_off()
    for row, place in enumerate(grid.ravel()[:len(values)]):
        _overlay(place, explanation[row], None, tuple(shape))
    return shown_axes(grid, show)


def _matrix(explanation: Explanation, most: int, instance_order: Any, ax: Any) -> Any:
    """Features from top to bottom, the most relevant first; rows from left to right."""
    if explanation.values.ndim != 2:
        raise ValueError("the explanation is of a single row, expected several rows, or shape=(height, "
                         "width) for an image")
    values, limit = explanation.values, float(np.quantile(np.abs(explanation.values), 0.99)) or 1.0
    features = strongest(explanation, most)
    ax = new_axes(ax, 8.0, max(3.0, 1.4 + 0.36 * len(features)))
    drawn = ax.imshow(values[_row_order(explanation, instance_order)][:, features].T, cmap=color_map(),
                      vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest")
    ax.set_yticks(range(len(features)), labels(explanation, features))
    ax.set_xlabel("rows")
    ax.figure.colorbar(drawn, ax=ax, label="relevance" + UNITS[explanation.unit],
                       extend="both")
    return ax


def _row_order(explanation: Explanation, order: Any) -> Any:
    count = len(explanation)
    if order is None:
        return explanation.hclust() if count <= _MOST_CLUSTERED else np.argsort(explanation.output)
    order = np.asarray(order)
    if order.shape != (count,):
        raise ValueError(f"instance_order has the shape {order.shape}, expected {count} numbers: one "
                         "for each row")
    is_order = order.dtype.kind in "iu" and np.array_equal(np.sort(order), np.arange(count))
    return order if is_order else np.argsort(-order, kind="stable")


@documented
def image(explanation: Explanation, images: Any = None, *, nearest: Sequence[Any] = (),
          ax: Any = None, show: bool = False) -> Any:
    """The relevance of the pixels of one image, over the image, with the nearest images next to it.

    Parameters
    ----------
    explanation : Explanation
        One row of the explanation of images by `bisector.torch.Explainer`: ``explanation[row]``.
    images : array, optional
        The image as it is shown: (height, width), (height, width, 3) or (channels, height, width).
        By default the mean of the channels that were explained.
    nearest : sequence of (title, image), optional
        Images that are drawn to the right, for example the nearest training images of both classes.
    ax : matplotlib axes, optional
        Where to draw, if there are no nearest images.
    %(show)s

    Returns
    -------
    axes
        An array of axes if there are nearest images.

    Examples
    --------
    The images of `bisector.torch.Explainer`, which the guide computes from a network:

    >>> ax = bisector.plots.image(explanation[0])  # doctest: +SKIP
    >>> axes = bisector.plots.image(explanation[0], nearest=[("7", other)])  # doctest: +SKIP
    """
    shape = tuple(explanation.settings.get("shape", ()))
    if explanation.values.ndim != 1 or len(shape) != 2:
        raise ValueError("expected one row of the explanation of images by bisector.torch.Explainer: "
                         "pass explanation[row]")
    if not nearest:
        ax = new_axes(ax, 4.4, 4.0)
        _overlay(ax, explanation, images, shape)
        return shown_axes(ax, show)
    from matplotlib import pyplot

    count = 1 + len(nearest)
    _, axes = pyplot.subplots(1, count, figsize=(2.6 * count, 2.8), layout="constrained")
    _overlay(axes[0], explanation, images, shape)
    for place, (title, other) in zip(axes[1:], nearest):
        place.imshow(_picture(other), cmap="gray_r")
        place.set(xticks=[], yticks=[])
        place.set_title(str(title), fontsize=9)
    return shown_axes(axes, show)


def _overlay(ax: Any, explanation: Explanation, images: Any, shape: tuple[int, ...]) -> None:
    shown = (np.asarray(explanation.data, dtype=np.float64).reshape(shape) if images is None
             else _picture(images))
    ax.imshow(shown, cmap="gray_r", alpha=0.45, extent=(-0.5, shape[1] - 0.5, shape[0] - 0.5, -0.5))
    limit = float(np.abs(explanation.values).max(initial=0.0)) or 1.0
    relevance = explanation.values.reshape(shape)
    ax.imshow(relevance, cmap=color_map(), vmin=-limit, vmax=limit,
              alpha=np.clip(1.5 * np.abs(relevance) / limit, 0.0, 0.9))
    ax.set(xticks=[], yticks=[])
    if explanation.classes is not None:
        ax.set_title(f"{explanation.positive_class}, not {explanation.versus}", fontsize=9)


def _picture(image: Any) -> Any:
    """An image as matplotlib takes it: channels last, numbers from 0 to 1 if they are colors."""
    pixels = np.asarray(image.detach().cpu() if hasattr(image, "detach") else image, dtype=np.float64)
    if pixels.ndim == 3 and pixels.shape[0] in (1, 3):
        pixels = np.moveaxis(pixels, 0, -1)
    if pixels.ndim == 3 and pixels.shape[-1] == 1:
        return pixels[..., 0]
    if pixels.ndim == 3:
        low, high = float(pixels.min()), float(pixels.max())
        return (pixels - low) / ((high - low) or 1.0)
    return pixels
