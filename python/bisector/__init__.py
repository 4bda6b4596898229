"""Explanations of distance-based models: which features speak for this prediction.

    explainer = bisector.Explainer(model)     # a fitted SVC, KNeighborsClassifier, Pipeline, ...
    explanation = explainer(X)                # .values, .base_values, .data, .feature_names, .g
    bisector.plots.beeswarm(explanation)
"""

from . import dask, plots, spark
from ._core import version as __version__
from ._gower import Gower
from ._importance import importance
from ._report import report
from .evaluation import AUFC, PixelFlipping, aufc, pixel_flipping
from .explainer import Evidence, Explainer, Network
from .explanation import Explanation
from .methods import explain
from .parquet import explain_parquet

__all__ = [
    "AUFC",
    "Evidence",
    "Explainer",
    "Explanation",
    "Gower",
    "Network",
    "PixelFlipping",
    "__version__",
    "aufc",
    "dask",
    "explain",
    "explain_parquet",
    "importance",
    "pixel_flipping",
    "plots",
    "report",
    "spark",
]
