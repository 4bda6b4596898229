"""Keyword arguments as the library's options."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core
from ._adapt import Subject

# Those of some methods; the other arguments are for all.
PARAMETERS = ("view", "eta", "beta", "kappa", "ignore_intercept", "on", "steps", "path_steps",
              "references", "side", "neighborhood", "sequences", "seed")
_REFERENCES = {"origin": _core.ReferenceKind.origin, "mean": _core.ReferenceKind.mean}


def thread_count(n_jobs: int | None) -> int:
    """scikit-learn's convention: None is one, -1 all, -2 all but one; the library's 0 is all."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is 0, expected a number of threads, or -1 for all")
    if n_jobs < -1:
        return max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    return max(0, n_jobs)


def method_of(arguments: dict[str, Any]) -> _core.Method:
    """The method with the parameters that were given."""
    given = {name: arguments[name] for name in PARAMETERS if arguments[name] is not None}
    for name in ("eta", "beta", "neighborhood"):
        if name in given:
            given[name] = float(given[name])
    for name in ("kappa", "steps", "path_steps", "references", "sequences", "seed"):
        if name in given:
            given[name] = _count(name, given[name])
    if not given["ignore_intercept"]:
        del given["ignore_intercept"]
    for name, kind in (("view", _core.View), ("side", _core.ReferenceSide),
                       ("on", _core.ExplainedOutput)):
        if name in given:
            given[name] = _choice(name, given[name], kind)
    if "on" in given:
        given["output"] = given.pop("on")
    return _core.method(arguments["method"] or "", **given)


def explain_options(subject: Subject, arguments: dict[str, Any]) -> _core.ExplainOptions:
    options = _core.ExplainOptions()
    if arguments["level"] is not None:
        options.level = float(arguments["level"])
    for name in ("positive_class", "versus"):  # labels are text in the library
        if arguments[name] is not None:
            setattr(options, name, str(arguments[name]))
    options.precision = _choice("precision", arguments["precision"], _core.Precision)
    options.unit = _choice("unit", arguments["unit"], _core.Unit)
    options.threads = thread_count(arguments["n_jobs"])
    _set_reference(options, subject, arguments["reference"])
    if arguments["background"] is not None:
        options.set_background(subject.columns.read(arguments["background"]).features)
    return options


def _count(name: str, value: Any) -> int:
    if int(value) != value or value < 0:
        raise ValueError(f"{name} is {value}, expected a whole number of 0 or more")
    return int(value)


def _choice(name: str, value: str, kind: Any) -> Any:
    """A member of one of the library's enumerations."""
    try:
        return kind[value]
    except KeyError:
        *first, last = [f'"{member.name}"' for member in kind]
        expected = f"{', '.join(first)} or {last}"
        raise ValueError(f'{name} is "{value}", expected {expected}') from None


def _set_reference(options: _core.ExplainOptions, subject: Subject, reference: Any) -> None:
    if reference is None:
        return
    if isinstance(reference, str):
        if reference not in _REFERENCES:
            raise ValueError(f'reference is "{reference}", expected "origin", "mean" or a row')
        options.set_reference(_REFERENCES[reference])
        return
    if not hasattr(reference, "columns"):
        reference = np.atleast_2d(np.asarray(reference))
    point = subject.columns.read(reference).features
    if len(point) != 1:
        raise ValueError(f"the reference has {len(point)} rows, expected one")
    options.set_reference_point(np.ascontiguousarray(point[0]))
