"""A fitted model of embeddings as a layer of torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from ._adapt import Averaged, adapt
from ._labeled import labeled_model
from ._options import UnitName
from ._paths import contrasted_pairs, gradient_rule
from ._prepared import Prepared
from ._tables import Floats, Integers
from .errors import UnsupportedModelError
from .explainer import Explainer as TableExplainer
from .explainer import prepared


class _Contrast(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    """g and its gradient, computed by the library in double precision on the CPU."""

    @staticmethod
    def forward(ctx: Any, embeddings: Any, core: Any, positive: Any, negative: Any) -> Any:
        g, gradient = core.gradients(embedding_rows(embeddings), positive, negative)
        ctx.save_for_backward(torch.from_numpy(gradient).to(embeddings.device))
        ctx.dtype = embeddings.dtype
        is_short = embeddings.dtype in (torch.float16, torch.bfloat16)
        dtype = torch.float32 if is_short else embeddings.dtype
        return torch.from_numpy(g).to(embeddings.device, dtype)

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator,unused-ignore]
    def backward(ctx: Any, output: Any) -> Any:
        gradient, = ctx.saved_tensors
        return (output.to(gradient.dtype)[:, None] * gradient).to(ctx.dtype), None, None, None


class Head(torch.nn.Module):  # type: ignore[misc,unused-ignore]
    """A fitted model of embeddings as a differentiable layer.

    The output is g, whose sign is that of the model's decision, with shape (rows,). It is computed
    in double precision. Gradients of ranked pools are means over a band of ranks; with ``kappa=0``
    they are the exact gradients of g.

    Parameters
    ----------
    model : estimator, path-like or bisector.Explainer
        A fitted model that `bisector.Explainer` takes, of numeric columns: neighbors, support vector
        machines, centroids, detectors and others, also behind scalers and PCA.
    positive_class, versus : label, optional
        The classes that g contrasts. With more than two classes, each row by default contrasts its
        predicted class with the strongest rival. Give both classes for methods that change the
        input.
    level : float, optional
        Regressors: g is positive above this level.
    kappa : int, optional
        Neighbors: half of the width of the band of ranks.
    n_jobs : int, default=-1
        Threads; -1 for all.

    Examples
    --------
    >>> import torch
    >>> from bisector.torch import Head
    >>> head = Head.from_arrays([[0.0, 0.0], [0.0, 1.0], [3.0, 0.0]], ["a", "a", "b"], k=1)
    >>> head(torch.tensor([[1.0, 0.0]]))
    tensor([-3.])
    """

    def __init__(self, model: Any, *, positive_class: Any = None, versus: Any = None,
                 level: float | None = None, kappa: int | None = None, n_jobs: int | None = -1):
        super().__init__()
        self._prepared = model_of_embeddings(model, None, "g", kappa, positive_class=positive_class,
                                   versus=versus, level=level, n_jobs=n_jobs)

    @classmethod
    def from_arrays(cls, embeddings: Any, labels: Any, *, k: int = 5, metric: str = "euclidean",
                    weights: str = "uniform", **options: Any) -> Head:
        """A vote of the k nearest embeddings.

        Parameters
        ----------
        embeddings : array or tensor of shape (rows, features)
            The embeddings of the training rows.
        labels : array of shape (rows,)
            Their classes.
        k : int, default=5
            The number of neighbors.
        metric : {"euclidean", "cosine", "manhattan"}
            The distance.
        weights : {"uniform", "distance"}
            The weights of the votes.
        **options
            Options of `Head`.
        """
        return cls(labeled_model(embedding_rows(embeddings), labels, k, metric, weights), **options)

    @property
    def classes(self) -> Any:
        """The labels of a classifier; None for a regressor."""
        return self._prepared.labels

    def pairs(self, embeddings: Any) -> tuple[Integers, Integers]:
        """The positions in `classes` of the two classes that each row contrasts."""
        return contrasted_pairs(self._prepared, embedding_rows(embeddings))

    def forward(self, embeddings: Any, positive: Any = None, negative: Any = None) -> Any:
        """g of each row. `positive` and `negative` are the classes of each row as `pairs` returns
        them; by default `pairs` chooses them."""
        if positive is None or negative is None:
            positive, negative = self.pairs(embeddings)
        return _Contrast.apply(embeddings, self._prepared.core, _integers(positive),
                               _integers(negative))

    def extra_repr(self) -> str:
        return f"{self._prepared.kind}, {self._prepared.columns.count} features"


def model_of_embeddings(model: Any, background: Floats | None, unit: UnitName, kappa: int | None,
              **options: Any) -> Prepared:
    if isinstance(model, Head):
        model = model._prepared.subject
    subject = prepared(model).subject if isinstance(model, TableExplainer) else adapt(
        model, options["level"])
    if isinstance(subject, Averaged):
        raise UnsupportedModelError("the model averages several machines, expected a single machine, "
                                    "for example with ensemble=False")
    if subject.smooth is not None:
        raise UnsupportedModelError(f"the model is behind a {subject.smooth.names}, expected that "
                                    "step as a layer of the network")
    if not subject.columns.is_identity:
        raise UnsupportedModelError("the model encodes columns, expected a model of numeric "
                                    "embeddings")
    rule = gradient_rule(subject)
    if kappa is not None:
        rule["kappa"] = kappa
    return prepared(TableExplainer(subject, background, unit=unit, progress=False, **rule, **options))


def embedding_rows(embeddings: Any) -> Floats:
    if torch.is_tensor(embeddings):
        embeddings = embeddings.detach().to("cpu", torch.float64).numpy()
    rows = np.ascontiguousarray(embeddings, dtype=np.float64)
    if rows.ndim != 2:
        raise ValueError(f"embeddings have {rows.ndim} dimensions, expected 2: rows and features")
    return rows


def _integers(values: Any) -> Integers:
    if torch.is_tensor(values):
        values = values.detach().cpu().numpy()
    return np.ascontiguousarray(values, dtype=np.int64)
