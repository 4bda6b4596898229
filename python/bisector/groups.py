"""Groups of pixels for `Explainer(groups=...)`: the blocks of a grid, or the regions of a mask."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np

__all__ = ["grid", "mask"]


def grid(shape: Sequence[int], size: int | Sequence[int]) -> dict[str, list[int]]:
    """The blocks of a grid over an image whose pixels are the columns of a table, row by row.

    Parameters
    ----------
    shape : tuple of int
        Height and width of the image in pixels. A third number is the number of channels of a
        pixel, which are next to each other and stay together.
    size : int or tuple of int
        Height and width of a block. Blocks at the right and lower edge may be smaller.

    Returns
    -------
    dict of str to list of int
        The columns of each block. The blocks are in the order of the image, so that
        ``bisector.plots.heatmap`` draws them with the number of blocks per column and per row.

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.svm import SVC
    >>> blocks = bisector.groups.grid((8, 8), 4)
    >>> list(blocks)[:2]
    ['rows 0-3, columns 0-3', 'rows 0-3, columns 4-7']
    >>> X, y = load_digits(return_X_y=True)
    >>> bisector.Explainer(SVC().fit(X, y), X, groups=blocks)(X[:1]).values.shape
    (1, 4)
    """
    pixels = _positive(shape, "shape", (2, 3))
    height, width = pixels[:2]
    down, across = _positive([size] * 2 if isinstance(size, (int, np.integer)) else size, "size", (2,))
    block = (np.arange(height)[:, None] // down) * -(-width // across) + np.arange(width) // across
    names = [f"rows {_span(top, down, height)}, columns {_span(left, across, width)}"
             for top in range(0, height, down) for left in range(0, width, across)]
    return mask(block, names, channels=pixels[2] if len(pixels) == 3 else 1)


def mask(labels: Any, names: Sequence[str] | Mapping[Any, str] | None = None,
         channels: int = 1) -> dict[str, list[int]]:
    """The regions of an image whose pixels are the columns of a table, row by row.

    Parameters
    ----------
    labels : array of shape (height, width)
        The label of each pixel, such as a segmentation. Pixels with one label are a region,
        connected or not.
    names : sequence or dict, optional
        The name of each label: by position if the labels are 0, 1, ..., else by label. The default
        is "region" and the label.
    channels : int, default=1
        The number of channels of a pixel, which are next to each other and stay together.

    Returns
    -------
    dict of str to list of int
        The columns of each region, in ascending order of the labels.

    Examples
    --------
    >>> import bisector
    >>> bisector.groups.mask([[0, 0, 1], [0, 1, 1]], names=["background", "object"])
    {'background': [0, 1, 3], 'object': [2, 4, 5]}
    """
    of_pixel = np.asarray(labels)
    if of_pixel.size == 0:
        raise ValueError("labels has no pixels, expected one label per pixel")
    of_column = np.repeat(of_pixel.ravel(), _positive([channels], "channels", (1,))[0])
    groups: dict[str, list[int]] = {}
    for label in np.unique(of_column):
        name = f"region {label}" if names is None else _name(label.item(), names)
        if name in groups:
            raise ValueError(f'two labels have the name "{name}", expected different names')
        groups[name] = np.flatnonzero(of_column == label).tolist()
    return groups


def _name(label: Any, names: Sequence[str] | Mapping[Any, str]) -> str:
    is_known = (label in names if isinstance(names, Mapping)
                else isinstance(label, int) and 0 <= label < len(names))
    if not is_known:
        raise ValueError(f"names has no name for the label {label!r}, expected one for each label")
    return str(names[label])


def _positive(numbers: Sequence[int], what: str, counts: tuple[int, ...]) -> list[int]:
    checked = [int(number) for number in numbers]
    if len(checked) not in counts or any(one < 1 or one != number
                                         for one, number in zip(checked, numbers)):
        expected = " or ".join(str(count) for count in counts)
        raise ValueError(f"{what} is {tuple(numbers)}, expected {expected} whole numbers above 0")
    return checked


def _span(first: int, size: int, end: int) -> str:
    last = min(first + size, end) - 1
    return str(first) if last == first else f"{first}-{last}"
