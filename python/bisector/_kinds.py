"""Classes of scikit-learn by name, so that no module of it is imported that the model does not
need."""

from __future__ import annotations

from typing import Any, Container


def is_of_sklearn(kind: type) -> bool:
    """True for a class that scikit-learn defines."""
    return kind.__module__.startswith("sklearn.")


def sklearn_kind(value: Any, names: Container[str]) -> str | None:
    """The name of the class of scikit-learn, among `names`, that `value` is an instance of. A class
    takes precedence over its bases. None if there is no such class."""
    return next((kind.__name__ for kind in type(value).__mro__
                 if kind.__name__ in names and is_of_sklearn(kind)), None)


def is_sklearn(value: Any, *names: str) -> bool:
    """True for an instance of a class of scikit-learn with one of these names."""
    return sklearn_kind(value, names) is not None
