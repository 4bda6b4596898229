"""One explained text, drawn with the relevance of its words as colors."""

from __future__ import annotations

import re
from typing import Any, Mapping, Sequence

import numpy as np

from .explanation import Explanation


def draw_text(ax: Any, explanation: Explanation, most: int, colors: tuple[str, str, str]) -> None:
    """`most`: the largest number of missing words. `colors`: positive, negative, neutral."""
    relevance = dict(zip(explanation.feature_names, explanation.values))
    limit = float(np.abs(explanation.values).max(initial=0.0)) or 1.0
    words = str(explanation.display_data).split()
    ax.set_axis_off()
    x, y = 0.0, 1.0
    for word in words:
        strength = _word_relevance(relevance, word) / limit
        x, y = _draw_word(ax, word, strength, colors[0] if strength > 0.0 else colors[1], x, y)
    missing = _missing_words(explanation, {_key(word) for word in words})[:most]
    if missing:
        ax.text(0.0, y - 0.2, "missing words: " + ", ".join(missing), fontsize=9, va="top",
                color=colors[2], wrap=True, transform=ax.transAxes)


def draw_tokens(ax: Any, tokens: Sequence[str], values: Any, colors: tuple[str, str]) -> None:
    """`colors`: positive, negative."""
    limit = float(np.abs(values).max(initial=0.0)) or 1.0
    ax.set_axis_off()
    x, y = 0.0, 0.9
    for token, value in zip(tokens, values):
        color = colors[0] if value > 0.0 else colors[1]
        x, y = _draw_word(ax, token, float(value) / limit, color, x, y)


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


def _draw_word(ax: Any, word: str, strength: float, color: str, x: float, y: float
               ) -> tuple[float, float]:
    """Draws a word and returns the position of the next one."""
    width = 0.011 * (len(word) + 1)
    if x + width > 1.0:
        x, y = 0.0, y - 0.1
    ax.text(x, y, word, fontsize=10, family="monospace", va="top", transform=ax.transAxes,
            bbox={"facecolor": color, "alpha": 0.6 * min(1.0, abs(strength)), "pad": 1.0,
                  "linewidth": 0.0})
    return x + width, y
