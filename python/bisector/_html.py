"""An explanation as a small table with bars, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .explanation import Explanation

_ROWS, _FEATURES = 10, 8
_POSITIVE, _NEGATIVE = "#b84a00", "#0b3d73"  # As in the report.


def to_html(explanation: Explanation) -> str:
    if (explanation.values.ndim == 0 or explanation.values.size == 0
            or explanation.has_class_axis):
        return f"<p>{escape(repr(explanation))}</p>"
    if explanation.values.ndim == 1:
        head, lines = _of_one_row(explanation)
    else:
        head, lines = _of_rows(explanation)
    cells = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in head)
    rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines)
    notes = "".join(f"<p>Note: {escape(note)}.</p>" for note in explanation.notes)
    return (f"<div><p>{escape(repr(explanation))}</p><table style='font-variant-numeric:tabular-nums'>"
            f"<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>{notes}</div>")


def _of_one_row(explanation: Explanation) -> tuple[list[str], list[list[str]]]:
    """One line for each of the most relevant features."""
    values = explanation.values
    names = explanation.feature_names
    names = [names] * len(values) if isinstance(names, str) else names
    order = np.argsort(-np.abs(values), kind="stable")[:2 * _FEATURES]
    most = float(np.abs(values).max()) or 1.0
    lines = [[escape(str(names[n])), _cell(explanation, n), _bar(float(values[n]), most)]
             for n in order]
    return ["feature", "value", "relevance"], lines


def _of_rows(explanation: Explanation) -> tuple[list[str], list[list[str]]]:
    """One line for each of the first rows, one column for each of the most relevant features."""
    values = explanation.values
    order = np.argsort(-np.abs(values).mean(axis=0), kind="stable")[:_FEATURES]
    shown = range(min(len(values), _ROWS))
    most = float(np.abs(values[: _ROWS][:, order]).max()) or 1.0
    predicted = explanation.prediction
    index = range(len(values)) if explanation.index is None else list(explanation.index[: _ROWS])
    head = ["row", *([] if predicted is None else ["prediction"]),
            *(str(explanation.feature_names[n]) for n in order)]
    lines = [[escape(str(index[row])), *([] if predicted is None else [_text(predicted[row])]),
              *(_bar(float(values[row, n]), most) for n in order)] for row in shown]
    rest = [f"{len(values) - _ROWS} more rows"] if len(values) > _ROWS else []
    if values.shape[1] > _FEATURES:
        rest.append(f"{values.shape[1] - _FEATURES} more features")
    return head, lines + ([[escape(", ".join(rest))]] if rest else [])


def _bar(value: float, most: float) -> str:
    """A number on a bar: to the right for positive, to the left for negative relevance."""
    width = 50.0 * min(abs(value) / most, 1.0)
    start = 50.0 if value > 0.0 else 50.0 - width
    color = _POSITIVE if value > 0.0 else _NEGATIVE
    return ("<div style='position:relative;min-width:6em;text-align:center'>"
            f"<div style='position:absolute;top:0;bottom:0;left:{start:.1f}%;width:{width:.1f}%;"
            f"background:{color};opacity:.35'></div>{value:+.3g}</div>")


def _cell(explanation: Explanation, position: int) -> str:
    if explanation.imputed is not None and explanation.imputed[position]:
        return "(filled in)"
    return "" if explanation.data is None else _text(explanation.data[position])


def _text(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    return escape(str(value))
