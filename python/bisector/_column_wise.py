"""Steps that work column by column: relevance of an output belongs to one column."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from ._kinds import sklearn_kind

_ONE_TO_ONE = ("OrdinalEncoder", "PowerTransformer", "QuantileTransformer", "Binarizer",
               "MinMaxScaler", "MaxAbsScaler")
_OF_ANY_LIBRARY = ("IterativeImputer", "TargetEncoder", "AdditiveChi2Sampler")


def known_owners(step: Any, inputs: int) -> list[int] | None:
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
