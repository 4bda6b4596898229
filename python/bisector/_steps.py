"""The steps of a scikit-learn pipeline, one after the other, as features and an affine map."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from ._affine import Affine, Inputs
from ._columns import Check, Scaled, Transformed
from ._kinds import is_sklearn, sklearn_kind
from ._step_probes import TriedStep, affine_map, column_owners, is_close
from ._tables import Floats
from .errors import UnsupportedModelError

_ONE_TO_ONE = ("OrdinalEncoder", "PowerTransformer", "QuantileTransformer", "Binarizer",
               "MinMaxScaler", "MaxAbsScaler")
_OF_ANY_LIBRARY = ("IterativeImputer", "TargetEncoder", "AdditiveChi2Sampler")


class UnsupportedStepError(UnsupportedModelError):
    """Relevance cannot be mapped back through a step of a pipeline."""

    def __init__(self, step: Any, reason: str):
        super().__init__(f"relevance cannot be mapped back through the {type(step).__name__}, "
                         f"because {reason}")


def is_passed_through(step: Any) -> bool:
    """True if the step changes no row: no step, or a sampler of imbalanced-learn."""
    return step is None or (isinstance(step, str) and step == "passthrough") or (
        hasattr(step, "fit_resample") and not hasattr(step, "transform"))


def is_pipeline(step: Any) -> bool:
    return hasattr(step, "steps") and hasattr(step, "named_steps")


def apply_step(step: Any, x: Affine, inputs: Inputs) -> Affine:
    """The output of a fitted transformer of x."""
    if is_passed_through(step):
        return x
    if type(step).__name__ == "FrozenEstimator":
        return apply_step(step.estimator, x, inputs)
    if is_pipeline(step):
        for _, inner in step.steps:
            x = apply_step(inner, x, inputs)
        return x
    if is_sklearn(step, "ColumnTransformer"):
        return _column_transformer(step, x, inputs)
    if is_sklearn(step, "FeatureUnion"):
        return _feature_union(step, x, inputs)
    require_fitted(step)
    if is_sklearn(step, "SelectorMixin"):
        return x.taken(step.get_support(indices=True))
    return _transformer(step, x, inputs)


def require_fitted(step: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(step)
    except NotFittedError:
        raise not_fitted(step) from None
    except (TypeError, AttributeError):  # An object of another library.
        pass


def not_fitted(step: Any) -> ValueError:
    return ValueError(f"the {type(step).__name__} is not fitted, expected a fitted one: call fit first")


def _transformer(step: Any, x: Affine, inputs: Inputs) -> Affine:
    origin = Transformed(step, x.origin)
    known = _known_map(step, x.outputs)
    if known is not None:
        _require_same(step, x.outputs, *known)
        return _mapped(x, *known, origin)
    owners = _known_owners(step, x.outputs)
    if owners is None:
        tried = _tried_map(step, x, inputs, origin)
        if tried is not None:
            return tried
        owners = column_owners(step, x.outputs)
    if owners is None:
        raise UnsupportedStepError(step, "it is neither linear nor works column by column")
    columns = x.owners(inputs.features)
    if columns is None:  # Behind a step that mixes columns, an imputer has nothing to do.
        tried = _tried_map(step, x, inputs, origin)
        if tried is None:
            raise UnsupportedStepError(
                step, "it is not linear and a step before it has mixed the columns")
        return tried
    return inputs.encode(origin, x, [columns[owner] for owner in owners])


def _tried_map(step: Any, x: Affine, inputs: Inputs, origin: Transformed) -> Affine | None:
    """The affine map that a step was found to be by trying it; None if it is not affine."""
    tried = affine_map(step, x.outputs)
    if tried is None:
        return None
    after = _mapped(x, *tried, origin)
    inputs.checks.append(Check(step, x, after))
    return after


def _mapped(x: Affine, center: Any, matrix: Any, offset: Any, origin: Transformed) -> Affine:
    """matrix @ (x - center) + offset. The center is kept separate, so that the origin behind the
    matrix is the mean of the data and not the smallest point that is mapped there."""
    if np.ndim(matrix) == 1:
        return x.scaled(matrix, offset - center * matrix, origin)
    moved = x.scaled(1.0, -center, origin) if np.any(center) else x
    return moved.mapped(matrix, np.broadcast_to(offset, (len(matrix),)), origin)


def _known_map(step: Any, inputs: int) -> tuple[Any, Any, Any] | None:
    """(center, matrix, offset) of scikit-learn's linear steps, from their attributes. A matrix with
    one dimension is a diagonal."""
    ones = np.ones(inputs)
    if is_sklearn(step, "StandardScaler"):
        mean = step.mean_ if step.with_mean and step.mean_ is not None else 0.0
        return mean, ones if step.scale_ is None else 1.0 / step.scale_, 0.0
    if is_sklearn(step, "MinMaxScaler") and not _clips(step):
        return 0.0, step.scale_, step.min_
    if is_sklearn(step, "MaxAbsScaler") and not _clips(step):
        return 0.0, 1.0 / step.scale_, 0.0
    if is_sklearn(step, "RobustScaler"):
        center = 0.0 if step.center_ is None else step.center_
        return center, ones if step.scale_ is None else 1.0 / step.scale_, 0.0
    if is_sklearn(step, "PCA", "IncrementalPCA"):
        mean = np.zeros(inputs) if step.mean_ is None else step.mean_
        return mean, _components(step), 0.0
    if is_sklearn(step, "TruncatedSVD", "NeighborhoodComponentsAnalysis", "BaseRandomProjection"):
        return np.zeros(inputs), _dense(step.components_), 0.0
    if is_sklearn(step, "FunctionTransformer") and step.func is None:
        return 0.0, ones, 0.0
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
    """Compares the map from the attributes with the step itself, on a few rows near the center."""
    drawn = np.random.default_rng(0).normal(size=(8, inputs))
    is_diagonal = np.ndim(matrix) == 1
    rows = center + (drawn / matrix if is_diagonal else drawn)
    theirs = TriedStep(step, inputs)(rows)
    ours = (rows - center) * matrix if is_diagonal else (rows - center) @ matrix.T
    size = np.abs(rows) + np.abs(center)
    summands = size * np.abs(matrix) if is_diagonal else size @ np.abs(matrix).T
    if theirs is None or not is_close(ours + offset, theirs, summands + np.abs(offset)):
        raise UnsupportedModelError(
            f"the {type(step).__name__} does not transform as its parameters say, expected the "
            "transform of scikit-learn and not that of a subclass")


def _known_owners(step: Any, inputs: int) -> list[int] | None:
    """The input of each output, for scikit-learn's transformers that work column by column. An
    imputer's output belongs to the column that it fills. None for other steps."""
    kinds: dict[str, Callable[[], list[int]]] = {
        "MissingIndicator": lambda: [int(n) for n in step.features_],
        "SimpleImputer": lambda: _imputed(step, _is_present(step.statistics_)),
        "KNNImputer": lambda: _imputed(step, step._valid_mask),
        "IterativeImputer": lambda: _imputed(step, _is_present(step.initial_imputer_.statistics_)),
        "OneHotEncoder": lambda: _repeated(step._n_features_outs),
        "KBinsDiscretizer": lambda: _binned(step),
        "SplineTransformer": lambda: _evenly(step.n_features_out_, inputs),
        "TargetEncoder": lambda: _evenly(len(step.get_feature_names_out()), inputs),
        "AdditiveChi2Sampler": lambda: list(range(inputs)) * int(2 * step.sample_steps - 1),
        **dict.fromkeys(_ONE_TO_ONE, lambda: list(range(inputs))),
    }
    name = type(step).__name__
    kind = name if name in _OF_ANY_LIBRARY else sklearn_kind(step, kinds)
    return None if kind is None else kinds[kind]()


def _is_present(statistics: Any) -> Any:
    """False for columns without any value at fit, which the imputer drops."""
    return np.array([not (value is None or value != value) for value in statistics])


def _imputed(step: Any, kept: Any) -> list[int]:
    everything = getattr(step, "keep_empty_features", False)
    owners = [n for n, is_kept in enumerate(np.ravel(kept)) if is_kept or everything]
    indicator = getattr(step, "indicator_", None)
    return owners + ([] if indicator is None else [int(n) for n in indicator.features_])


def _repeated(counts: Sequence[int]) -> list[int]:
    return [n for n, count in enumerate(counts) for _ in range(int(count))]


def _binned(step: Any) -> list[int]:
    return _repeated([1] * len(step.n_bins_) if step.encode == "ordinal" else step.n_bins_)


def _evenly(outputs: int, inputs: int) -> list[int]:
    return _repeated([outputs // inputs] * inputs)


def _column_transformer(step: Any, x: Affine, inputs: Inputs) -> Affine:
    require_fitted(step)
    parts = []
    for name, transformer, columns in step.transformers_:
        chosen = step._transformer_to_input_indices.get(name, [])
        if isinstance(transformer, str) and transformer == "drop" or len(chosen) == 0:
            continue
        is_list = np.ndim(columns) == 0 and not isinstance(columns, slice) and not callable(columns)
        apply = _list_step if is_list else apply_step
        parts.append(_weighted(apply(transformer, x.taken(chosen), inputs), step, name))
    return _joined(parts, step)


def _feature_union(step: Any, x: Affine, inputs: Inputs) -> Affine:
    return _joined([_weighted(apply_step(transformer, x, inputs), step, name)
                    for name, transformer in step.transformer_list
                    if not (isinstance(transformer, str) and transformer == "drop")], step)


def _weighted(part: Affine, step: Any, name: str) -> Affine:
    weight = (step.transformer_weights or {}).get(name)
    return part if weight is None else part.scaled(weight, 0.0, Scaled(part.origin, weight))


def _joined(parts: list[Affine], step: Any) -> Affine:
    if not parts:
        raise ValueError(f"the {type(step).__name__} drops every column, expected at least one")
    return Affine.joined(parts)


def _list_step(step: Any, x: Affine, inputs: Inputs) -> Affine:
    """A step that takes one column as a list, such as a TfidfVectorizer."""
    columns = x.owners(inputs.features)
    names = getattr(step, "get_feature_names_out", None)
    if columns is None or names is None:
        raise UnsupportedStepError(step, "it takes one column as a list and has no names for its "
                                         "outputs")
    return inputs.encode(Transformed(step, x.origin, is_list=True), x, columns * len(names()))
