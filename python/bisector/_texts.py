"""Pipelines that take texts: their vectorizer makes one column for each word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from ._columns import Columns, Read
from ._steps import UnsupportedStepError, is_passed_through, is_pipeline, require_fitted
from ._tables import is_series, is_sparse
from .errors import UnsupportedModelError
from .explanation import Explanation

_SAME_COLUMNS = ("TfidfTransformer", "Normalizer")  # Steps that keep one column for each word.
_SMALL = 0.05  # Relevance of a missing word below this share of the row's largest is left out.


@dataclass
class TextColumns(Columns):
    """One column for each word of the vocabulary. `vectorizers` turn texts into these columns."""

    vectorizers: Sequence[Any] = ()

    def vectorized(self, X: Any) -> Any:
        """A sparse matrix for a list, an array or a Series of texts; other tables unchanged."""
        if isinstance(X, str):
            raise ValueError("X is one text, expected a list of texts")
        if is_sparse(X) or np.ndim(X) == 2:
            return X
        for step in self.vectorizers:
            X = step.transform(X)
        return X

    def read(self, X: Any) -> Read:
        return super().read(self.vectorized(X))


def split_text_pipeline(model: Any, path: str) -> tuple[list[Any], Any] | None:
    """The steps that turn texts into words, and the rest of the pipeline; None for other models."""
    if not is_pipeline(model):
        return None
    steps = [step for _, step in model.steps]
    first = next((n for n, step in enumerate(steps) if not is_passed_through(step)), 0)
    if "feature_extraction.text" not in type(steps[first]).__module__ or hasattr(
            steps[first], "n_features_in_"):
        return None
    require_fitted(steps[first])
    if not hasattr(steps[first], "vocabulary_"):
        raise UnsupportedModelError(
            f"the {type(steps[first]).__name__} has no vocabulary, expected a TfidfVectorizer or a "
            "CountVectorizer",
            f"bisector.Explainer({path}[{first + 1}:])({path}[:{first + 1}].transform(X))")
    end = first + 1
    while end < len(steps) - 1 and type(steps[end]).__name__ in _SAME_COLUMNS:
        end += 1
    if end == len(steps):
        raise UnsupportedStepError(steps[-1], "no model is behind it")
    return steps[first:end], model[end:]


def words_of(vectorizers: Sequence[Any]) -> list[str]:
    return [str(word) for word in vectorizers[0].get_feature_names_out()]


def with_texts(explanation: Explanation, texts: Any) -> Explanation:
    """The explanation with the words that occur in the texts and missing words that matter. The
    relevance of all other words is added to the remainder."""
    explanation.display_data = _text_array(texts)
    size = np.abs(explanation.values)
    limits = _SMALL * size.max(axis=1, initial=0.0, keepdims=True)
    occurs = np.ravel((explanation.data != 0).sum(axis=0)) > 0
    kept = np.flatnonzero(occurs | np.any((size > limits) & (size > 0.0), axis=0))
    total = explanation.values.sum(axis=1)
    part = explanation[:, kept.tolist()]
    part.remainder = explanation.remainder + (total - part.values.sum(axis=1))
    part.index = texts.index if is_series(texts) else None
    return part


def _text_array(texts: Any) -> NDArray[Any]:
    result = np.empty(len(texts), dtype=object)
    result[:] = [str(text) for text in texts]
    return result
