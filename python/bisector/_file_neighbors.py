"""FileNeighbors: a vote of neighbors whose rows stay in a file."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core


class FileNeighbors:
    """A vote of the k nearest rows of a file, for more rows than the memory holds.

    Memory has an 8-bit code of every number. They bound all distances; rows that may be neighbors
    are read from the file, and their exact distances decide. Predictions and explanations are those
    of the same rows in memory. The distance is Euclidean.

    Parameters
    ----------
    rows : path-like or ndarray
        An .npy file of float32 with two dimensions; or ``numpy.load(path, mmap_mode="r")`` or
        consecutive rows of it. The file must not change while the model is used.
    labels : sequence
        The class of each row.
    k : int, default=5
        The number of neighbors that vote.
    weights : {"uniform", "distance"}
        The weights of the votes, as in scikit-learn.

    See Also
    --------
    explain_neighbors : Neighbors that another index found.

    Notes
    -----
    `Explainer.save` writes a bundle with the name of the file, which has to be in the same folder.
    Reports and flips need the rows in memory.

    Examples
    --------
    >>> import bisector, numpy, os, tempfile
    >>> rows = numpy.random.default_rng(0).normal(size=(300, 4)).astype("float32")
    >>> path = os.path.join(tempfile.mkdtemp(), "rows.npy")
    >>> numpy.save(path, rows)
    >>> model = bisector.FileNeighbors(path, rows[:, 0] > 0, k=9)
    >>> bisector.Explainer(model)(rows[:3]).values.shape
    (3, 4)
    """

    def __init__(self, rows: Any, labels: Any, k: int = 5, weights: str = "uniform"):
        self.rows, self.labels, self.k, self.weights = rows, labels, k, weights

    def __repr__(self) -> str:
        return f"FileNeighbors({self.rows!r}, k={self.k}, weights={self.weights!r})"


def opened_rows(rows: Any) -> _core.FileRows:
    """The rows of a path or of an array that NumPy maps from a file."""
    if isinstance(rows, (str, os.PathLike)):
        return _core.FileRows(os.fspath(rows))
    first = rows
    while isinstance(getattr(first, "base", None), np.ndarray):
        first = first.base
    if not isinstance(first, np.memmap) or first.filename is None or first.mode == "c":
        raise ValueError('rows are not in a file, expected a path or numpy.load(path, mmap_mode="r")')
    if rows.dtype != np.float32 or rows.ndim != 2 or not rows.flags.c_contiguous:
        raise ValueError(f"rows of {rows.dtype} with shape {rows.shape}, expected consecutive rows of "
                         "float32 with all their columns")
    offset = first.offset + rows.ctypes.data - first.ctypes.data
    return _core.FileRows(os.fspath(first.filename), offset, *rows.shape)
