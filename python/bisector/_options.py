"""Keyword arguments as the library's options."""

from __future__ import annotations

import os
from typing import Any, Mapping

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
    return _core.method(arguments["method"] or "", method_parameters(arguments))


def method_parameters(arguments: Mapping[str, Any]) -> _core.MethodParameters:
    """Those among the arguments that are not None."""
    parameters = _core.MethodParameters()
    for name in PARAMETERS:
        value = arguments.get(name)
        if value is None or (name == "ignore_intercept" and not value):
            continue
        if name == "on":
            parameters.output = choice("on", value, _core.ExplainedOutput)
        elif name == "view":
            parameters.view = choice("view", value, _core.View)
        elif name == "side":
            parameters.side = choice("side", value, _core.ReferenceSide)
        elif name in ("eta", "beta", "neighborhood"):
            setattr(parameters, name, float(value))
        elif name == "ignore_intercept":
            parameters.ignore_intercept = True
        else:
            setattr(parameters, name, _count(name, value))
    return parameters


def explain_options(subject: Subject, arguments: dict[str, Any]) -> _core.ExplainOptions:
    options = _core.ExplainOptions()
    if arguments["level"] is not None and not subject.has_level:
        options.level = float(arguments["level"])
    for name in ("positive_class", "versus"):
        if arguments[name] is not None:
            setattr(options, name, _label(subject, arguments[name]))
    options.precision = choice("precision", arguments["precision"], _core.Precision)
    options.unit = choice("unit", arguments["unit"], _core.Unit)
    options.threads = thread_count(arguments["n_jobs"])
    _set_reference(options, subject, arguments["reference"])
    if arguments["background"] is not None:
        options.set_background(subject.columns.read(arguments["background"]).features)
    return options


def _label(subject: Subject, label: Any) -> str:
    """Labels are text in the library, and PyOD's are others than its own."""
    labels = [] if subject.labels is None else [str(known) for known in subject.labels]
    return subject.model.labels[labels.index(str(label))] if str(label) in labels else str(label)


def _count(name: str, value: Any) -> int:
    if int(value) != value or value < 0:
        raise ValueError(f"{name} is {value}, expected a whole number of 0 or more")
    return int(value)


def choice(name: str, value: str, kind: Any) -> Any:
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
