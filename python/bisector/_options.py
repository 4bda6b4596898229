"""Converts keyword arguments to the library's options."""

from __future__ import annotations

import inspect
import os
import textwrap
from typing import Any, Callable, Literal, Mapping, TypeVar

import numpy as np

from . import _core
from ._adapt import Subject
from ._columns import Columns
from ._tables import Floats, invalid_cell

T = TypeVar("T")
# Names of options for editors and type checkers; the library checks them.
ClassesName = Literal["all"]
OutputName = Literal["decision", "probability", "logit"]
UnitName = Literal["g", "decision", "share"]
PrecisionName = Literal["double", "float"]

# The parameters of methods by name; all other arguments are for every method.
PARAMETERS = {parameter["name"]: parameter for parameter in _core.parameter_table()}
_REFERENCES = {"origin": _core.ReferenceKind.origin, "mean": _core.ReferenceKind.mean}
_TYPES = {"flag": "bool", "count": "int", "number": "float"}


def documented(kind: type[T]) -> type[T]:
    """Fills %(methods)s and %(parameters)s of a class's docstring, and its signature, from the
    library's table of methods."""
    methods = "\n".join(_wrapped(f'- "{method["name"]}": {method["title"]}; {method["help"]}', 8, 10)
                        for method in _core.method_table())
    parameters = "\n".join(f"    {name} : {_type(about)}, optional\n"
                           f"{_wrapped(about['help'] + '.', 8, 8)}"
                           for name, about in PARAMETERS.items())
    kind.__doc__ = (kind.__doc__ or "") % {"methods": methods.lstrip(),
                                           "parameters": parameters.lstrip()}
    _show_parameters(kind.__init__)
    return kind


def _wrapped(text: str, first: int, others: int) -> str:
    """Text in lines of at most 100 columns; the numbers are the indents of its lines."""
    return textwrap.fill(text, 100, initial_indent=" " * first, subsequent_indent=" " * others,
                         break_on_hyphens=False, break_long_words=False)


def _type(about: Mapping[str, Any]) -> str:
    if about["choices"]:
        return "{" + ", ".join(f'"{choice}"' for choice in about["choices"]) + "}"
    return _TYPES[about["type"]]


def _show_parameters(function: Callable[..., Any]) -> None:
    signature = inspect.signature(function)
    named = [parameter for parameter in signature.parameters.values()
             if parameter.kind is not parameter.VAR_KEYWORD]
    shown = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
             for name in PARAMETERS]
    # Without annotations, which the docstring has in a readable form.
    named = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in named]
    setattr(function, "__signature__",
            inspect.Signature([*named, *shown], return_annotation=inspect.Signature.empty))


def unexpected_argument(function: Callable[..., Any], name: str, shown: str) -> TypeError:
    """The error for an argument that a function does not have, with the most similar one."""
    from difflib import get_close_matches

    known = [*inspect.signature(function).parameters, *PARAMETERS]
    similar = get_close_matches(name, known, 1)
    hint = f", did you mean '{similar[0]}'?" if similar else ""
    return TypeError(f"{shown}() got an unexpected keyword argument '{name}'{hint}")


def parameter_arguments(given: Mapping[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """Every parameter of a method, None if it is not given. Refuses other names."""
    for name in given:
        if name not in PARAMETERS:
            raise unexpected_argument(function, name, "Explainer")
    return {name: given.get(name) for name in PARAMETERS}


def thread_count(n_jobs: int | None) -> int:
    """n_jobs of scikit-learn (None: one, -1: all, -2: all but one) as threads (0: all)."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is 0, expected a number of threads, or -1 for all")
    if n_jobs < -1:
        return max(1, (os.cpu_count() or 1) + 1 + n_jobs)
    return max(0, n_jobs)


def method_of(arguments: Mapping[str, Any]) -> _core.Method:
    """The method with the given parameters."""
    return _core.method(arguments["method"] or "", method_parameters(arguments))


def method_parameters(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of methods among the arguments that are not None. The library checks them."""
    return {name: _plain(value, about["type"]) for name, about in PARAMETERS.items()
            if (value := arguments.get(name)) is not None
            and not (about["type"] == "flag" and not value)}


def _plain(value: Any, kind: str) -> Any:
    """A number of NumPy as one of Python; a whole number as an int where one is expected."""
    if kind == "flag":
        return bool(value)
    if kind == "number":
        return float(value)
    if kind == "count" and not isinstance(value, str):
        return int(value) if int(value) == value else float(value)
    return value if isinstance(value, str) else str(value)


def explain_options(subject: Subject, arguments: dict[str, Any]) -> _core.ExplainOptions:
    options = _core.ExplainOptions()
    if arguments["level"] is not None and not subject.has_level:
        options.level = float(arguments["level"])
    if arguments["versus"] is not None and arguments["positive_class"] is None and (
            subject.labels is not None and len(subject.labels) > 2):
        raise ValueError("versus is given alone, expected positive_class=... with it: the class that "
                         "positive values push toward")
    for name in ("positive_class", "versus"):
        if arguments[name] is not None:
            setattr(options, name, _label(subject, arguments[name]))
    options.precision = choice("precision", arguments["precision"], _core.Precision)
    unit = arguments["unit"] or (None if arguments["output"] == "decision" else "decision")
    if unit is not None:
        options.unit = choice("unit", unit, _core.Unit)
    options.threads = thread_count(arguments["n_jobs"])
    _set_reference(options, subject, arguments["reference"])
    if arguments["background"] is not None:
        options.set_background(background_features(subject.columns, arguments["background"]))
    return options


def background_features(columns: Columns, background: Any) -> Floats:
    """The rows of the background as the model takes them. Refuses cells that are no numbers."""
    try:
        read = columns.read(background)
    except ValueError as error:
        raise ValueError(f"background, {error}") from error
    problem = invalid_cell(read.features, columns.feature_names(read.names))
    if problem is not None:
        raise ValueError(f"background, {problem}")
    return read.features


def _label(subject: Subject, label: Any) -> str:
    """The label as text, and a label of PyOD as the library's own."""
    labels = [] if subject.labels is None else [str(known) for known in subject.labels]
    return subject.model.labels[labels.index(str(label))] if str(label) in labels else str(label)


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
