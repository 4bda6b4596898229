"""Models on top of a neural network, with PyTorch.

A `Head` is a model of embeddings as a layer: it computes g, the output of the neuralized model, and
its gradient. An `Explainer` explains the predictions of a model on top of a network by the inputs of
the network: pixels, tokens or columns. This module needs torch; ``import bisector`` does not.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType
from typing import Any, Callable, Mapping, Sequence

import numpy as np
import torch

from ._evidence import Evidence
from ._options import UnitName
from ._paths import PathPlan, PathPlans, RunningMoments, contrasted_pairs
from ._prepared import explanation_of
from ._progress import Progress, shown
from ._tables import Floats, Integers
from ._torch_head import Head, embedding_rows, model_of_embeddings
from .explanation import Explanation

__all__ = ["Explainer", "Head"]


class Explainer:
    """Explain predictions of a model on top of a network by the inputs of the network.

    The default method is the expected path rule through the network: the mean gradient of g on
    straight paths from references to the input, times their difference. The values add up to the
    difference of g from one base value. They are converted to the unit of the model's output.

    Parameters
    ----------
    network : torch.nn.Module
        Maps inputs of shape (rows, ...) to embeddings of shape (rows, features). It is used in
        evaluation mode and must treat every row on its own.
    model : estimator, path-like, bisector.Explainer or Head
        The model of the embeddings, as for `Head`.
    references : tensor or array
        Inputs that represent the data, best training inputs. Their embeddings also set the unit.
    method : {"lrp-expected", "lrp"}
        "lrp-expected" is the expected path rule. "lrp" propagates z times the gradient of g through
        the network by the rules of zennit; it does not add up.
    samples : int, default=60
        The number of paths for each row. The standard errors shrink with its root.
    unit : {"decision", "share", "g"}
        The unit of the relevance, as in `bisector.Explainer`.
    sum_over : int or None, optional
        The axis of the inputs whose relevance is summed. By default the channels of images (axis 1
        of 4) and the vector of each token (axis 2 of 3).
    embedding : torch.nn.Module, optional
        For tokens: maps integers to vectors. Inputs and references are then integers, and `network`
        maps the vectors to sentence embeddings.
    composite : zennit composite, optional
        The rules of method "lrp"; default EpsilonPlusFlat.
    feature_names : sequence of str, optional
        Names of the values of a row.
    batch_size : int, default=256
        Inputs that go through the network together.
    seed : int, default=0
        The seed of the choice of references.
    positive_class, versus, level, kappa, n_jobs
        As in `Head`.
    progress : bool or callable, optional
        As in `bisector.Explainer`.

    Examples
    --------
    >>> import numpy as np
    >>> import torch
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> import bisector.torch
    >>> X, y = load_iris(return_X_y=True)
    >>> network = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh()).double()
    >>> embeddings = network(torch.tensor(X)).detach().numpy()
    >>> explainer = bisector.torch.Explainer(network, SVC().fit(embeddings, y), X)
    >>> explainer(X[:3]).values.shape
    (3, 4)
    """

    def __init__(self, network: Any, model: Any, references: Any, *, method: str = "lrp-expected",
                 samples: int = 60, unit: UnitName = "decision", sum_over: int | None = None,
                 embedding: Any = None, composite: Any = None,
                 feature_names: Sequence[str] | None = None, batch_size: int = 256, seed: int = 0,
                 positive_class: Any = None, versus: Any = None, level: float | None = None,
                 kappa: int | None = None, n_jobs: int | None = -1, progress: Progress = None):
        if method not in ("lrp-expected", "lrp"):
            raise ValueError(f'method is "{method}", expected "lrp-expected" or "lrp"')
        if samples < 2 or batch_size < 1:
            raise ValueError(f"samples is {samples} and batch_size is {batch_size}, expected at least "
                             "2 samples and 1 input in a batch")
        self.network, self.method = network, method
        self._embedding, self._composite = embedding, composite
        self._batch_size = batch_size
        self._sum_over, self._names, self._progress = sum_over, feature_names, progress
        self._references = self._inputs(references)
        if len(self._references) < 2:
            raise ValueError(f"{len(self._references)} reference, expected inputs that represent the "
                             "data, best training inputs")
        embedded = self._embed(self._references)
        options = {"positive_class": positive_class, "versus": versus, "level": level,
                   "n_jobs": n_jobs}
        self._prepared = model_of_embeddings(model, embedded, unit, kappa, **options)
        self._plans = PathPlans(self._prepared, embedded, samples, seed)
        self.settings: Mapping[str, Any] = MappingProxyType(
            {**self._prepared.settings, "method": method, "samples": samples, "seed": seed,
             "reason": "given"})

    @property
    def classes(self) -> Any:
        """The labels of a classifier; None for a regressor."""
        return self._prepared.labels

    def predict(self, X: Any) -> Any:
        """The predictions of the model on top of the network."""
        return self._prepared.predict(self._embed(self._inputs(X)))

    def evidence(self, x: Any, count: int = 5) -> list[Evidence]:
        """The pairs of training rows that influence the prediction for one input most, as
        `bisector.Explainer.evidence`."""
        row = self._embed(self._inputs(x))[0]
        return self._prepared.evidence(np.ascontiguousarray(row), count)

    def __call__(self, X: Any, *arguments: Any) -> Explanation:
        """Explain every input of X.

        Parameters
        ----------
        X : tensor or array of shape (rows, ...)
            Inputs of the network; integers if the explainer has an `embedding`.
        *arguments : tensors with one entry per row
            More inputs of the network, such as attention masks. They are constant on the paths.

        Returns
        -------
        Explanation
            One value for each pixel, token or column, in rows; `settings["shape"]` is the shape of
            the values of one row. `bisector.plots.image` and `bisector.plots.tokens` draw it.
        """
        given = X
        inputs = self._inputs(X)
        rows = self._embed(inputs, arguments)
        positive, negative = contrasted_pairs(self._prepared, rows)
        explain = self._along_paths if self.method == "lrp-expected" else self._by_rules
        with shown(self._progress, "explaining", len(inputs)) as callback:
            values, errors, base = explain(inputs, rows, positive, negative, arguments, callback)
        shape = values.shape[1:]
        flat = values.reshape(len(values), -1)
        arrays = self._prepared.core.complete(rows, flat, errors.reshape(len(errors), flat.shape[1]),
                                              base, self.method == "lrp-expected")
        return self._explanation(given, arrays, shape)

    def report(self, X: Any, path: str | os.PathLike[str], *arguments: Any, training: Any = None,
               y: Any = None, title: str | None = None, rows: int | None = None,
               evidence: int | None = None) -> Path:
        """Write a report about the inputs X: one HTML file that opens in any browser.

        The page shows each image with its contributions, the prediction, and the training images
        that influenced it most; inputs of tabular networks are shown as columns. There is no
        what-if panel, because a page cannot compute the network.

        Parameters
        ----------
        X : tensor or array of shape (rows, ...)
            Images, or rows of numbers. Images with several channels are shown in gray.
        path : path-like
            The file to write.
        *arguments : tensors with one entry per row
            More inputs of the network, as in a call.
        training : tensor or array, optional
            The inputs whose embeddings the model was fitted on, in the same order. Without them the
            page has no training images.
        y : sequence, optional
            The actual class or target of each row.
        title : str, optional
            The title of the report; by default what the model predicts.
        rows, evidence : int, optional
            The largest number of rows, and of training rows of either side for each.

        Returns
        -------
        pathlib.Path
            The path of the report.
        """
        from ._command import find_command
        from ._report import network_report

        find_command()  # Raises an error before any work is done.
        inputs = self._inputs(X)
        shape = self._value_shape(inputs)
        if self._embedding is not None or self._axis(inputs.dim() - 1) == 2 or len(shape) > 2:
            raise ValueError(f"inputs have the shape {tuple(inputs.shape[1:])}, expected images or "
                             "rows of numbers: draw tokens by bisector.plots.tokens")
        return network_report(
            self._prepared, self._embed(inputs, arguments), self(X, *arguments), path,
            network=type(self.network).__name__, points=self._inputs_of_points(training, shape),
            y=y, title=title, image=shape if len(shape) == 2 else None, rows=rows,
            evidence=evidence)

    def _inputs_of_points(self, training: Any, shape: tuple[int, ...]) -> Floats | None:
        """The cells of the inputs that the points of the model belong to."""
        if training is None:
            return None
        cells = _data(training, shape, self._axis)
        model = self._prepared.subject.model
        rows, points = model.training_rows, model.points.shape[0]
        if len(rows) == 0 and len(cells) != points:
            raise ValueError(f"training has {len(cells)} inputs, expected {points}: one for each "
                             "point of the model")
        rows = rows if len(rows) else np.arange(points)
        if len(rows) and rows.max() >= len(cells):
            raise ValueError(f"training has {len(cells)} inputs, expected at least "
                             f"{rows.max() + 1}: those that the model was fitted on")
        return np.asarray(cells[rows], dtype=np.float64)

    def _explanation(self, given: Any, arrays: dict[str, Any], shape: tuple[int, ...]) -> Explanation:
        names = self._names or _names(shape, self._embedding is not None or self._axis(2) is not None)
        if len(names) != int(np.prod(shape)):
            raise ValueError(f"{len(names)} feature names, expected {int(np.prod(shape))}: one for "
                             "each value of a row")
        return explanation_of(arrays, arrays["relevance"], _data(given, shape, self._axis), list(names),
                              self.method, MappingProxyType({**self.settings, "shape": list(shape)}),
                              self.classes, arrays.get("standard_error"))

    def _along_paths(self, inputs: Any, rows: Floats, positive: Integers, negative: Integers,
                     arguments: Any, callback: Any) -> tuple[Floats, Floats, Floats]:
        """The expected path rule: means and standard errors of the steps, and the base values."""
        plans = [self._plans.of(*pair) for pair in zip(positive.tolist(), negative.tolist())]
        found = [self._steps(inputs[r:r + 1], plan, tuple(one[r:r + 1] for one in arguments),
                             (int(positive[r]), int(negative[r])), callback, r, len(inputs))
                 for r, plan in enumerate(plans)]
        shape = (len(found), *self._value_shape(inputs))
        values = np.array([moments.mean for moments in found]).reshape(shape)
        errors = np.array([moments.standard_error for moments in found]).reshape(shape)
        return values, errors, np.array([plan.base for plan in plans])

    def _steps(self, row: Any, plan: PathPlan, arguments: Any, pair: tuple[int, int], callback: Any,
               number: int, total: int) -> RunningMoments:
        moments = RunningMoments()
        for first in range(0, len(plan.chosen), self._batch_size):
            chosen = plan.chosen[first:first + self._batch_size]
            starts = self._references[torch.as_tensor(chosen, device=row.device)]
            fractions = torch.as_tensor(plan.fractions[first:first + self._batch_size],
                                        dtype=row.dtype, device=row.device)
            differences = row - starts
            points = starts + fractions.reshape(-1, *[1] * (row.dim() - 1)) * differences
            gradients = self._input_gradients(points, [one.expand(len(points), *one.shape[1:])
                                                       for one in arguments], pair)
            moments.add(self._summed(differences * gradients))
        if callback is not None:
            callback(number + 1, total)
        return moments

    def _input_gradients(self, points: Any, arguments: Any, pair: tuple[int, int]) -> Any:
        """The gradient of g by the inputs of the network."""
        points = points.detach().requires_grad_()
        with torch.enable_grad(), _evaluating(self.network) as network:
            embeddings = network(points, *arguments)
        count = len(points)
        _, gradient = self._prepared.core.gradients(
            embedding_rows(embeddings), np.full(count, pair[0]), np.full(count, pair[1]))
        start = torch.from_numpy(gradient).to(embeddings.device, embeddings.dtype)
        return torch.autograd.grad(embeddings, points, start)[0]

    def _by_rules(self, inputs: Any, rows: Floats, positive: Integers, negative: Integers,
                  arguments: Any, callback: Any) -> tuple[Floats, Floats, Floats]:
        """Layer-wise relevance propagation through the network with zennit."""
        from zennit.composites import EpsilonPlusFlat

        composite = EpsilonPlusFlat() if self._composite is None else self._composite
        _, gradient = self._prepared.core.gradients(rows, positive, negative)
        start = torch.from_numpy(rows * gradient)
        parts = []
        with _evaluating(self.network), composite.context(self.network) as network:
            for first in range(0, len(inputs), self._batch_size):
                part = slice(first, first + self._batch_size)
                points = inputs[part].detach().requires_grad_()
                with torch.enable_grad():
                    embeddings = network(points, *[one[part] for one in arguments])
                at_output = start[part].to(embeddings.device, embeddings.dtype)
                parts.append(self._summed(torch.autograd.grad(embeddings, points, at_output)[0]))
                if callback is not None:
                    callback(min(first + self._batch_size, len(inputs)), len(inputs))
        values = np.concatenate(parts)
        base = [self._plans.of(*pair).base for pair in zip(positive.tolist(), negative.tolist())]
        return values, np.empty((0, *values.shape[1:])), np.array(base)

    def _inputs(self, X: Any) -> Any:
        parameter = next(self.network.parameters(), None)
        device = None if parameter is None else parameter.device
        if self._embedding is not None:
            ids = torch.as_tensor(X if torch.is_tensor(X) else np.asarray(X))
            with torch.no_grad():
                weight = next(self._embedding.parameters())
                return self._embedding(ids.to(weight.device))
        inputs = X if torch.is_tensor(X) else torch.as_tensor(np.asarray(X, dtype=np.float64))
        dtype = (parameter.dtype if parameter is not None and parameter.is_floating_point()
                 else inputs.dtype if inputs.is_floating_point() else torch.float32)
        return inputs.detach().to(device, dtype)

    def _embed(self, inputs: Any, arguments: Sequence[Any] = ()) -> Floats:
        parts = []
        with torch.no_grad(), _evaluating(self.network) as network:
            for first in range(0, max(len(inputs), 1), self._batch_size):
                part = slice(first, first + self._batch_size)
                parts.append(embedding_rows(network(inputs[part], *[one[part] for one in arguments])))
        return np.concatenate(parts)

    def _axis(self, dimensions: int) -> int | None:
        """The axis of inputs whose relevance is summed; `dimensions` counts without the rows."""
        if self._sum_over is not None:
            return self._sum_over
        return {3: 1, 2: 2}.get(dimensions) if dimensions != 2 or self._has_tokens else None

    @property
    def _has_tokens(self) -> bool:
        return bool(self._references.dim() == 3)

    def _summed(self, values: Any) -> Floats:
        axis = self._axis(values.dim() - 1)
        values = values.detach().to("cpu", torch.float64).numpy()
        return np.asarray(values if axis is None else values.sum(axis=axis))

    def _value_shape(self, inputs: Any) -> tuple[int, ...]:
        shape, axis = list(inputs.shape[1:]), self._axis(inputs.dim() - 1)
        if axis is not None:
            shape.pop(axis - 1)
        return tuple(shape)

    def __repr__(self) -> str:
        return (f"<bisector.torch.Explainer of {self._prepared.kind} on "
                f"{type(self.network).__name__}, by {self.method}>")


class _evaluating:
    """A network in evaluation mode; afterwards every layer has the mode that it had."""

    def __init__(self, network: Any):
        self._network = network
        self._modes = {module: module.training for module in network.modules()}

    def __enter__(self) -> Any:
        self._network.eval()
        return self._network

    def __exit__(self, *error: Any) -> None:
        for module, mode in self._modes.items():
            module.training = mode


def _names(shape: tuple[int, ...], has_tokens: bool) -> list[str]:
    if len(shape) == 1:
        return [f"token[{n}]" if has_tokens else f"x{n}" for n in range(shape[0])]
    return ["[" + ", ".join(str(place) for place in index) + "]" for index in np.ndindex(*shape)]


def _data(given: Any, shape: tuple[int, ...], axis_of: Callable[[int], int | None]) -> Any:
    """The cells of X: means over the axis whose relevance is summed."""
    data = given.detach().cpu().numpy() if torch.is_tensor(given) else np.asarray(given)
    if data.shape[1:] != shape:
        data = data.mean(axis=axis_of(data.ndim - 1))
    return data.reshape(len(data), -1)
