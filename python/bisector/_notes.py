"""Notes: what a reader of the numbers should know. The rule and the sentences are the library's."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from . import _core

_FLAGS = ("tie", "outside", "unexplained", "alike")
_SETTINGS = ("adds_up", "averages_points", "note")


def notes_of(explained: Any, settings: Mapping[str, Any]) -> list[str]:
    """The notes on an explanation, interactions or flips. Flags that it does not have hold for no
    row."""
    columns = {name: getattr(explained, name, None) for name in (*_FLAGS, "stretch")}
    rows = max((np.size(column) for column in columns.values() if column is not None), default=0)
    flags: dict[str, Any] = {
        name: np.ascontiguousarray(_column(columns[name], rows, False), dtype=bool)
        for name in _FLAGS}
    return _core.notes(**flags, stretch=np.asarray(_column(columns["stretch"], rows, 1.0), dtype=float),
                       method=str(settings.get("method", "")),
                       **{name: settings[name] for name in _SETTINGS if name in settings})


def notes_of_settings(settings: Mapping[str, Any]) -> list[str]:
    """Notes that do not depend on the explained rows."""
    return notes_of(None, settings)


def _column(values: Any, rows: int, default: Any) -> Any:
    return np.full(rows, default) if values is None else np.atleast_1d(np.asarray(values))
