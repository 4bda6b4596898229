"""Texts that several docstrings share."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])


def filled(**texts: str) -> Callable[[Documented], Documented]:
    """A decorator that replaces %(name)s in a docstring by a text of this name."""

    def fill(function: Documented) -> Documented:
        function.__doc__ = (function.__doc__ or "") % texts  # Python may leave docstrings out.
        return function

    return fill
