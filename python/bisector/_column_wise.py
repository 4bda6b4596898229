"""Steps that work column by column: relevance of an output belongs to one column."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np


def known_owners(step: Any, inputs: int) -> list[int] | None:
    """The input of each output, for scikit-learn's transformers that work column by column. An
    imputer's output belongs to the column that it fills. None for other steps."""
    from sklearn import impute, preprocessing

    kinds: tuple[tuple[Any, Callable[[], list[int]]], ...] = (
        (impute.MissingIndicator, lambda: [int(n) for n in step.features_]),
        (impute.SimpleImputer, lambda: _imputed(step, _is_present(step.statistics_))),
        (impute.KNNImputer, lambda: _imputed(step, step._valid_mask)),
        (preprocessing.OneHotEncoder, lambda: _repeated(step._n_features_outs)),
        (preprocessing.OrdinalEncoder, lambda: list(range(inputs))),
        (preprocessing.KBinsDiscretizer, lambda: _binned(step)),
        ((preprocessing.PowerTransformer, preprocessing.QuantileTransformer,
        preprocessing.Binarizer,
          preprocessing.MinMaxScaler, preprocessing.MaxAbsScaler), lambda: list(range(inputs))),
        (preprocessing.SplineTransformer, lambda: _evenly(step.n_features_out_, inputs)),
    )
    for kind, owners in kinds:
        if isinstance(step, kind):
            return owners()
    return _known_by_name(step, inputs)


def _known_by_name(step: Any, inputs: int) -> list[int] | None:
    """Steps that an older scikit-learn lacks, or that need another import."""
    name = type(step).__name__
    if name == "IterativeImputer":
        return _imputed(step, _is_present(step.initial_imputer_.statistics_))
    if name == "TargetEncoder":
        return _evenly(len(step.get_feature_names_out()), inputs)
    if name == "AdditiveChi2Sampler":
        return list(range(inputs)) * int(2 * step.sample_steps - 1)
    return None


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
