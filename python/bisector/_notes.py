"""Notes on an explanation: what a reader of its numbers should know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

if TYPE_CHECKING:
    from .explanation import Explanation

_LARGE_STRETCH = 10.0
_LARGE_REMAINDER = 0.2  # Of the output, as in the report.


def notes_of(explanation: Explanation) -> list[str]:
    """Rows that need care are counted, as the command counts them."""
    found = []

    def add(flags: Any, one: str, many: str) -> None:
        count = 0 if flags is None else int(np.count_nonzero(flags))
        if count > 0:
            found.append(f"1 row {one}" if count == 1 else f"{count} rows {many}")

    add(explanation.tie, "is a tie: the sign of its values does not decide (explanation.tie)",
        "are ties: the sign of their values does not decide (explanation.tie)")
    add(explanation.outside,
        "is far from the training data: its explanation is not reliable (explanation.outside)",
        "are far from the training data: their explanations are not reliable (explanation.outside)")
    if explanation.stretch is not None:
        stretch = np.asarray(explanation.stretch)
        scaled = "by more than 10 to add up to the output (explanation.stretch)"
        add((stretch > _LARGE_STRETCH) | (stretch < 1.0 / _LARGE_STRETCH),
            f"has values that were scaled {scaled}", f"have values that were scaled {scaled}")
    if _has_rule_that_adds_up(explanation.settings):
        missing = np.abs(explanation.remainder) > _LARGE_REMAINDER * np.abs(explanation.output)
        missed = ('more than a fifth of the output (explanation.remainder); with '
                  'method="lrp-path" they add up')
        add(missing, f"has values that miss {missed}", f"have values that miss {missed}")
    return found + notes_of_settings(explanation.settings)


def notes_of_settings(settings: Mapping[str, Any]) -> list[str]:
    """Notes that do not depend on the explained rows."""
    if not settings.get("averages_points"):
        return []
    return ["the base value is the average over the model's own points, which for an SVM are not "
            "typical rows: give training rows as the background, Explainer(model, X_train)"]


def _has_rule_that_adds_up(settings: Mapping[str, Any]) -> bool:
    """True for the rule `lrp` of kernel machines, for which `lrp-path` is as faithful."""
    return (settings.get("method") == "lrp" and "gamma" in settings and settings["unit"] != "g"
            and settings.get("classes") != "all")
