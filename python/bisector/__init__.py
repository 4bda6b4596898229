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

from importlib import import_module
from typing import TYPE_CHECKING

from ._core import version as __version__
from ._evidence import Evidence, Network
from .errors import InvalidRowError, UnsupportedModelError
from .explainer import Explainer
from .explanation import Explanation

if TYPE_CHECKING:
    from . import dask, groups, plots, spark
    from ._file_neighbors import FileNeighbors
    from ._found_neighbors import explain_neighbors
    from ._gower import Gower
    from ._importance import importance
    from ._interactions import Interactions
    from ._report import report
    from .evaluation import AUFC, PixelFlipping, aufc, pixel_flipping
    from .flips import Flips
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
    "explain_neighbors",
    "explain_parquet",
    "groups",
    "importance",
    "pixel_flipping",
    "plots",
    "report",
    "spark",
]

# Names that are imported on first use, and their modules.
_MODULES = ("arrow", "dask", "evaluation", "groups", "parquet", "plots", "spark",
            "torch")
_LAZY = {
    "AUFC": "evaluation", "FileNeighbors": "_file_neighbors", "Flips": "flips", "Gower": "_gower",
    "Interactions": "_interactions", "PixelFlipping": "evaluation", "aufc": "evaluation",
    "explain_neighbors": "_found_neighbors", "explain_parquet": "parquet",
    "importance": "_importance", "pixel_flipping": "evaluation", "report": "_report",
}

if not TYPE_CHECKING:  # Type checkers would accept every name.

    def __getattr__(name):
        if name in _MODULES:
            return import_module(f".{name}", __name__)
        if name == "explain":
            raise AttributeError("bisector.explain was removed, expected bisector.Explainer(model, "
                                 "X_train)(X), or for a function of rows "
                                 "shap.PermutationExplainer(function, X_train)(X)")
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f".{_LAZY[name]}", __name__), name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
