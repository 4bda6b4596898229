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


def deciding_estimator(model: Any) -> Any:
    """The last step of a pipeline, or the estimator that a search found."""
    if hasattr(model, "best_estimator_"):
        return deciding_estimator(model.best_estimator_)
    if hasattr(model, "steps") and hasattr(model, "named_steps"):
        return deciding_estimator(model.steps[-1][1])
    return model


def has_iterated_probabilities(model: Any) -> bool:
    """True for an SVM with probabilities, which LIBSVM iterates to about 0.003."""
    found = getattr(deciding_estimator(model), "_probA", None)  # intelex has None without them
    return found is not None and len(found) > 0
