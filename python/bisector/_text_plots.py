"""Plots of explained texts: the relevance of words and tokens as colors."""

from __future__ import annotations

import re
from typing import Any, Mapping, Sequence

import numpy as np

from ._plot_parts import (AGAINST, FOR, NEUTRAL, displayed, documented, new_axes,
                          require_one_class, shown_axes)
from .explanation import Explanation


@documented
def text(explanation: Explanation, *, max_display: int | None = None, ax: Any = None,
         show: bool = False) -> Any:
    """One explained text with the relevance of its words as colors.

    Parameters
    ----------
    explanation : Explanation
        One row of the explanation of a text model: ``explanation[row]``.
    max_display : int, default=12
        The largest number of words that are missing in the text and are listed below it.
    %(ax)s
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> from sklearn.feature_extraction.text import TfidfVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> texts = ["a good film", "a very good story", "a bad film", "a bad and dull story"]
    >>> model = make_pipeline(TfidfVectorizer(), SVC()).fit(texts, [1, 1, 0, 0])
    >>> explanation = bisector.Explainer(model, texts)(["a good and dull film"])
    >>> ax = bisector.plots.text(explanation[0])
    """
    if explanation.values.ndim != 1 or explanation.display_data is None:
        raise ValueError("expected one row of the explanation of texts: pass explanation[row]")
    words = str(explanation.display_data).split()
    relevance = dict(zip(explanation.feature_names, explanation.values))
    ax = new_axes(ax, 8.0, 3.0)
    y = _draw_words(ax, words, [_word_relevance(relevance, word) for word in words],
                    _limit(explanation.values), 1.0)
    missing = _missing_words(explanation, {_key(word) for word in words})[:displayed(max_display)]
    if missing:
        ax.text(0.0, y - 0.2, "missing words: " + ", ".join(missing), fontsize=9, va="top",
                color=NEUTRAL, wrap=True, transform=ax.transAxes)
    return shown_axes(ax, show)


@documented
def tokens(explanation: Explanation, names: Sequence[str], *, ax: Any = None, show: bool = False
           ) -> Any:
    """The relevance of the tokens of one text as colors.

    Parameters
    ----------
    explanation : Explanation
        One row of an explanation with one value per token: ``explanation[row]``.
    names : sequence of str
        The tokens as they are shown. Padding at the end may be left out.
    %(ax)s
    %(show)s

    Examples
    --------
    >>> import bisector
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> counts = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> model = KNeighborsRegressor(1).fit(counts, [3.0, 1.0, 2.0])
    >>> explanation = bisector.Explainer(model, counts)(counts)
    >>> ax = bisector.plots.tokens(explanation[0], ["good", "bad", "film"])
    """
    require_one_class(explanation)
    if explanation.values.ndim != 1 or len(names) > len(explanation.values):
        raise ValueError(f"{len(names)} tokens and values of shape {explanation.values.shape}, "
                         "expected one row, explanation[row], with a value for each token")
    ax = new_axes(ax, 8.0, 2.0)
    values = explanation.values[:len(names)]
    _draw_words(ax, [str(name) for name in names], values, _limit(values), 0.9)
    if explanation.classes is not None:
        ax.set_title(f"{explanation.positive_class}, not {explanation.versus}", fontsize=9, loc="left")
    return shown_axes(ax, show)


def _limit(values: Any) -> float:
    """The relevance that has the full color."""
    return float(np.abs(values).max(initial=0.0)) or 1.0


def _missing_words(explanation: Explanation, present: set[str]) -> list[str]:
    """Words that are not in the text, with their relevance; the most relevant first."""
    order = np.argsort(-np.abs(explanation.values), kind="stable")
    return [f"{explanation.feature_names[f]} {explanation.values[f]:+.2g}" for f in order
            if explanation.values[f] != 0.0
            and not set(str(explanation.feature_names[f]).lower().split()) & present]


def _key(word: str) -> str:
    return re.sub(r"\W", "", word).lower()


def _word_relevance(relevance: Mapping[str, float], word: str) -> float:
    return float(next((relevance[name] for name in (word, _key(word)) if name in relevance), 0.0))


def _draw_words(ax: Any, words: Sequence[str], values: Any, limit: float, y: float) -> float:
    """Draws words from left to right in lines; returns the height of the last line."""
    ax.set_axis_off()
    x = 0.0
    for word, value in zip(words, values):
        width = 0.011 * (len(word) + 1)
        if x + width > 1.0:
            x, y = 0.0, y - 0.1
        ax.text(x, y, word, fontsize=10, family="monospace", va="top", transform=ax.transAxes,
                bbox={"facecolor": FOR if value > 0.0 else AGAINST, "pad": 1.0, "linewidth": 0.0,
                      "alpha": 0.6 * min(1.0, abs(float(value)) / limit)})
        x += width
    return y
