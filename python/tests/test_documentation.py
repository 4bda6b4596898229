"""Every public name has a numpydoc docstring with the sections that apply to it, and doctests run."""

import doctest
import importlib
import inspect
import pkgutil

import matplotlib
import pytest
import typed_usage
from matplotlib import pyplot

import bisector
import bisector.arrow

matplotlib.use("Agg")

FUNCTIONS = [bisector.aufc, bisector.explain_neighbors, bisector.explain_parquet, bisector.importance,
             bisector.pixel_flipping, bisector.report, bisector.arrow.explainer,
             bisector.dask.explain, bisector.spark.explain, bisector.groups.grid, bisector.groups.mask,
             *(getattr(bisector.plots, name) for name in bisector.plots.__all__)]
CLASSES = [getattr(bisector, name) for name in bisector.__all__
           if inspect.isclass(getattr(bisector, name))]
MODULES = [module.name for module in pkgutil.iter_modules(bisector.__path__, "bisector.")
           if not module.name.endswith(("__main__", "_core"))]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: f"{one.__module__}.{one.__name__}")
def test_functions_document_every_parameter(function):
    text = inspect.getdoc(function)
    documented = text.partition("Parameters\n---")[2]
    assert documented, "expected a section Parameters"
    for name in inspect.signature(function).parameters:
        assert name in documented, name


@pytest.mark.parametrize("name", bisector.plots.__all__)
def test_plots_have_an_example(name):
    assert ">>> " in inspect.getdoc(getattr(bisector.plots, name)).partition("Examples\n---")[2]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda one: one.__name__)
def test_classes_document_their_attributes_or_parameters(kind):
    text = inspect.getdoc(kind)
    assert "Attributes\n---" in text or "Parameters\n---" in text
    for name, member in inspect.getmembers(kind):
        is_own = str(getattr(member, "__module__", "")).startswith("bisector") or isinstance(
            member, property)
        if not name.startswith("_") and is_own:
            assert inspect.getdoc(member), f"{kind.__name__}.{name}"


def test_the_help_of_the_explainer_has_every_parameter_of_every_method():
    text = inspect.getdoc(bisector.Explainer)
    for name in inspect.signature(bisector.Explainer).parameters:
        assert name in text, name
    assert "%(" not in text


def test_the_typed_script_runs(tmp_path, capsys):
    typed_usage.main(tmp_path)
    assert "expected a fitted scikit-learn model" in capsys.readouterr().out


@pytest.mark.parametrize("name", MODULES)
def test_doctests_pass(name):
    try:
        module = importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} needs another library")
    assert doctest.testmod(module, raise_on_error=False).failed == 0
    pyplot.close("all")


def test_the_help_of_the_explainer_is_wrapped_and_the_options_of_methods_come_last():
    text = bisector.Explainer.__doc__
    assert max(len(line) for line in text.splitlines()) <= 100
    parameters, _, others = text.partition("Other Parameters")
    first = [line.split(" : ")[0].strip() for line in parameters.splitlines() if " : " in line][:6]
    assert first == ["model", "background", "method", "unit", "output", "positive_class, versus"]
    assert "references : int" in others and "references : int" not in parameters
