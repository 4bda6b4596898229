"""The exceptions of the package."""

from __future__ import annotations

from typing import Any


class UnsupportedModelError(ValueError, TypeError):
    """The model, or a step in front of it, cannot be explained exactly.

    The error is a `ValueError` and a `TypeError`, so code that catches either one keeps working.

    Parameters
    ----------
    problem : str
        What is not supported, and what is.
    *advice : str
        Python expressions that explain the same predictions.

    Attributes
    ----------
    problem : str
        What is not supported, and what is.
    advice : tuple of str
        Python expressions that explain the same predictions. They use the names `bisector`,
        `shap`, `model`, `X` (the rows to explain) and `X_train` (rows that represent the data).

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> try:
    ...     bisector.Explainer(DecisionTreeClassifier().fit(X, y))
    ... except bisector.UnsupportedModelError as error:
    ...     print(error.advice[0])
    shap.TreeExplainer(model)(X)
    """

    def __init__(self, problem: str, *advice: str):
        self.problem = problem
        self.advice = advice
        typed = " or ".join(advice)
        super().__init__(f"{problem}. To explain the same prediction, type {typed}" if advice
                         else problem)

    def with_advice(self, *advice: str) -> UnsupportedModelError:
        """The same problem with more advice."""
        return UnsupportedModelError(self.problem, *self.advice, *advice)

    def __reduce__(self) -> Any:
        return UnsupportedModelError, (self.problem, *self.advice)


class InvalidRowError(ValueError):
    """A row of X cannot be explained.

    Parameters
    ----------
    row : int
        Position of the row in X, from 0.
    problem : str
        What is wrong with the row and what to do.
    label : object, optional
        The row's label in the index of a data frame.

    Attributes
    ----------
    row : int
        Position of the row in X, from 0.
    problem : str
        What is wrong with the row and what to do.
    """

    def __init__(self, row: int, problem: str, label: Any = None):
        self.row, self.problem, self.label = row, problem, label
        named = "" if label is None else f" (index {label!r})"
        super().__init__(f"row {row + 1}{named}, {problem}")

    def shifted(self, rows: int) -> InvalidRowError:
        """The same error for a row that has `rows` more rows before it."""
        return InvalidRowError(self.row + rows, self.problem, self.label)

    def labeled(self, index: Any) -> InvalidRowError:
        """The same error with the row's label in the index of a data frame."""
        return InvalidRowError(self.row, self.problem, index[self.row])

    def __reduce__(self) -> Any:
        return InvalidRowError, (self.row, self.problem, self.label)
