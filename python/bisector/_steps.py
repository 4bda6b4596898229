"""The steps of a scikit-learn pipeline, one after the other, as features and an affine map."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._affine import Affine, Inputs
from ._column_wise import known_owners
from ._columns import Check
from ._step_probes import Tried, affine_map, column_owners, is_close
from ._tables import Floats


class NotExplained(TypeError):
    """A step that relevance cannot be brought back through."""

    def __init__(self, step: Any, why: str):
        super().__init__(f"{type(step).__name__} in front of the model cannot be explained through: "
                         f"{why}")


def is_passed_through(step: Any) -> bool:
    """Nothing happens to rows here: no step, or a sampler of imbalanced-learn, which works at fit."""
    return step is None or (isinstance(step, str) and step == "passthrough") or (
        hasattr(step, "fit_resample") and not hasattr(step, "transform"))


def apply_step(step: Any, x: Affine, inputs: Inputs) -> Affine:
    """What a fitted transformer makes of x."""
    if is_passed_through(step):
        return x
    from sklearn import compose, pipeline
    from sklearn.feature_selection import SelectorMixin

    if type(step).__name__ == "FrozenEstimator":
        return apply_step(step.estimator, x, inputs)
    if isinstance(step, pipeline.Pipeline):
        for _, inner in step.steps:
            x = apply_step(inner, x, inputs)
        return x
    if isinstance(step, compose.ColumnTransformer):
        return _column_transformer(step, x, inputs)
    if isinstance(step, pipeline.FeatureUnion):
        return _feature_union(step, x, inputs)
    require_fitted(step)
    if isinstance(step, SelectorMixin):
        return x.taken(step.get_support(indices=True))
    return _leaf(step, x, inputs)


def require_fitted(step: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(step)
    except NotFittedError:
        raise ValueError(
            f"the {type(step).__name__} is not fitted, expected a fitted one: call fit first"
        ) from None
    except TypeError:  # not one of scikit-learn's: it is tried
        pass


def _leaf(step: Any, x: Affine, inputs: Inputs) -> Affine:
    known = _known_map(step, x.outputs)
    if known is not None:
        _require_same(step, x.outputs, *known)
        return _mapped(x, *known)
    owners = known_owners(step, x.outputs)
    if owners is None:
        tried = affine_map(step, x.outputs)
        if tried is not None:
            after = _mapped(x, *tried)
            inputs.checks.append(Check(step, x, after))
            return after
        owners = column_owners(step, x.outputs)
    if owners is None:
        raise NotExplained(step, "it is neither linear nor goes column by column")
    columns = x.owners(inputs.features)
    if columns is None:
        return _unmixed(step, x, inputs)
    return Affine.of(inputs.encode(step, x, [columns[owner] for owner in owners]))


def _unmixed(step: Any, x: Affine, inputs: Inputs) -> Affine:
    """A step of single columns behind one that mixes them: an imputer has nothing to do there."""
    tried = affine_map(step, x.outputs)
    if tried is None:
        raise NotExplained(step, "it bends columns that a step before it has mixed")
    after = _mapped(x, *tried)
    inputs.checks.append(Check(step, x, after))
    return after


def _mapped(x: Affine, center: Any, matrix: Any, offset: Any) -> Affine:
    """matrix @ (x - center) + offset. The center apart: what is zero behind the matrix is then the
    mean of the data in front of it, and not the nearest point to the origin that it maps there."""
    if np.ndim(matrix) == 1:
        return x.scaled(matrix, offset - center * matrix)
    moved = x.scaled(1.0, -center) if np.any(center) else x
    return moved.mapped(matrix, np.broadcast_to(offset, (len(matrix),)))


def _known_map(step: Any, inputs: int) -> tuple[Any, Any, Any] | None:
    """(center, matrix, offset) of the linear steps of scikit-learn, as their attributes have them; a
    matrix of one dimension is a diagonal."""
    from sklearn import decomposition, neighbors, preprocessing, random_projection

    one = np.ones(inputs)
    if isinstance(step, preprocessing.StandardScaler):
        mean = step.mean_ if step.with_mean and step.mean_ is not None else 0.0
        return mean, one if step.scale_ is None else 1.0 / step.scale_, 0.0
    if isinstance(step, preprocessing.MinMaxScaler) and not _clips(step):
        return 0.0, step.scale_, step.min_
    if isinstance(step, preprocessing.MaxAbsScaler) and not _clips(step):
        return 0.0, 1.0 / step.scale_, 0.0
    if isinstance(step, preprocessing.RobustScaler):
        center = 0.0 if step.center_ is None else step.center_
        return center, one if step.scale_ is None else 1.0 / step.scale_, 0.0
    if isinstance(step, (decomposition.PCA, decomposition.IncrementalPCA)):
        mean = np.zeros(inputs) if step.mean_ is None else step.mean_
        return mean, _components(step), 0.0
    if isinstance(step, (decomposition.TruncatedSVD, neighbors.NeighborhoodComponentsAnalysis,
                         random_projection.BaseRandomProjection)):
        return np.zeros(inputs), _dense(step.components_), 0.0
    if isinstance(step, preprocessing.FunctionTransformer) and step.func is None:
        return 0.0, one, 0.0
    return None


def _clips(step: Any) -> bool:
    return bool(getattr(step, "clip", False))


def _components(step: Any) -> Floats:
    matrix = np.asarray(step.components_)
    if not step.whiten:
        return matrix
    deviation = np.sqrt(step.explained_variance_)
    return np.asarray(matrix / np.maximum(deviation, np.finfo(deviation.dtype).eps)[:, None])


def _dense(matrix: Any) -> Floats:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix, dtype=np.float64)


def _require_same(step: Any, inputs: int, center: Any, matrix: Any, offset: Any) -> None:
    """What was read off a step is what it does, on a few rows around its middle."""
    drawn = np.random.default_rng(0).normal(size=(8, inputs))
    is_diagonal = np.ndim(matrix) == 1
    rows = center + (drawn / matrix if is_diagonal else drawn)
    theirs = Tried(step, inputs)(rows)
    ours = (rows - center) * matrix if is_diagonal else (rows - center) @ matrix.T
    size = np.abs(rows) + np.abs(center)
    summands = size * np.abs(matrix) if is_diagonal else size @ np.abs(matrix).T
    if theirs is None or not is_close(ours + offset, theirs, summands + np.abs(offset)):
        raise ValueError(f"the {type(step).__name__} does not transform as its parameters say (a "
                         "subclass with its own transform?), expected scikit-learn's own")


def _column_transformer(step: Any, x: Affine, inputs: Inputs) -> Affine:
    require_fitted(step)
    parts = []
    weights = step.transformer_weights or {}
    for name, transformer, columns in step.transformers_:
        chosen = step._transformer_to_input_indices.get(name, [])
        if isinstance(transformer, str) and transformer == "drop" or len(chosen) == 0:
            continue
        if np.ndim(columns) == 0 and not isinstance(columns, slice) and not callable(columns):
            part = _of_texts(transformer, x.taken(chosen), inputs)
        else:
            part = apply_step(transformer, x.taken(chosen), inputs)
        parts.append(part.scaled(weights[name], 0.0) if name in weights else part)
    if not parts:
        raise ValueError("the ColumnTransformer drops every column, expected some to be left")
    return Affine.joined(parts)


def _of_texts(step: Any, x: Affine, inputs: Inputs) -> Affine:
    """A step that takes one column as a list, such as a TfidfVectorizer: all is of that column."""
    columns = x.owners(inputs.features)
    names = getattr(step, "get_feature_names_out", None)
    if columns is None or names is None:
        raise NotExplained(step, "it takes one column as a list and does not say what it makes")
    return Affine.of(inputs.encode(step, x, columns * len(names()), flat=True))


def _feature_union(step: Any, x: Affine, inputs: Inputs) -> Affine:
    parts = []
    weights = step.transformer_weights or {}
    for name, transformer in step.transformer_list:
        if isinstance(transformer, str) and transformer == "drop":
            continue
        part = apply_step(transformer, x, inputs)
        parts.append(part.scaled(weights[name], 0.0) if name in weights else part)
    if not parts:
        raise ValueError("the FeatureUnion drops every part, expected some to be left")
    return Affine.joined(parts)
