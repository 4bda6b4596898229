"""Explanations of distance-based and linear models: how much each feature contributed.

>>> import bisector
>>> from sklearn.datasets import load_iris
>>> from sklearn.svm import SVC
>>> X, y = load_iris(return_X_y=True)
>>> explainer = bisector.Explainer(SVC().fit(X, y), X)   # a fitted model and background rows
>>> explanation = explainer(X)                           # .values, .base_values, .output, .data
>>> explanation.values.shape
(150, 4)
"""

from typing import TYPE_CHECKING

from . import dask, groups, plots, spark
from ._core import version as __version__
from ._file_neighbors import FileNeighbors
from ._found_neighbors import explain_neighbors
from ._gower import Gower
from ._importance import importance
from ._interactions import Interactions
from ._report import report
from .errors import InvalidRowError, UnsupportedModelError
from .evaluation import AUFC, PixelFlipping, aufc, pixel_flipping
from .explainer import Evidence, Explainer, Network
from .explanation import Explanation
from .flips import Flips
from .methods import explain
from .parquet import explain_parquet

__all__ = [
    "AUFC",
    "Evidence",
    "Explainer",
    "Explanation",
    "FileNeighbors",
    "Flips",
    "Gower",
    "Interactions",
    "InvalidRowError",
    "Network",
    "PixelFlipping",
    "UnsupportedModelError",
    "__version__",
    "aufc",
    "dask",
    "explain",
    "explain_neighbors",
    "explain_parquet",
    "groups",
    "importance",
    "pixel_flipping",
    "plots",
    "report",
    "spark",
]

if not TYPE_CHECKING:  # Type checkers would accept every name.

    def __getattr__(name):
        """Loads `bisector.torch` on first use, so that ``import bisector`` does not need torch."""
        if name == "torch":
            from importlib import import_module

            return import_module(".torch", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
