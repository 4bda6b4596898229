"""Follows the advice of an error: every expression is typed in and must explain the same
prediction."""

import re

import numpy as np
import pytest

import bisector


def followed(error, model, rows, train):
    """The explanations that the advice of an UnsupportedModelError gives."""
    assert isinstance(error, bisector.UnsupportedModelError), repr(error)
    assert error.advice, error
    return [_checked(expression, model, rows, train) for expression in error.advice]


def _checked(expression, model, rows, train):
    names = {"bisector": bisector, "np": np, "model": model, "X": rows, "X_train": train}
    if expression.startswith("shap."):
        return _checked_by_shap(expression, names)
    explanation = eval(expression, names)
    assert len(explanation) == len(rows)
    assert np.all(np.isfinite(explanation.values)), expression
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, rtol=1e-7, atol=1e-7)
    if expression.startswith("bisector.Explainer(model, level="):
        return explanation
    predicting = model.regressor_ if ".regressor_" in expression else model
    predicted = predicting.predict(rows)  # With several targets, the advice is for the first one.
    _require_prediction(explanation, predicted[:, 0] if predicted.ndim == 2 else predicted)
    return explanation


def _checked_by_shap(expression, names):
    """Values and base value add up to the function that decides the prediction."""
    names["shap"] = pytest.importorskip("shap")
    train, rows = names["X_train"], names["X"][:3]
    count = train.shape[0] if hasattr(train, "shape") else len(train)
    names.update(X=rows, X_train=train[::max(1, count // 20)])  # shap evaluates rows x background
    explanation, model = eval(expression, names), names["model"]
    assert len(explanation) == len(rows)
    total = np.asarray(explanation.base_values) + explanation.values.sum(axis=1)
    assert np.all(np.isfinite(total)), expression
    if expression == "shap.TreeExplainer(model)(X)":
        functions = [getattr(model, name) for name in ("decision_function", "predict_proba", "predict")
                     if hasattr(model, name)]
        assert any(np.shape(function(rows)) == total.shape and np.allclose(function(rows), total)
                   for function in functions), expression
        return explanation
    function = re.match(r"shap\.\w+\((.*?), (?:X_train|shap\.)", expression)[1]
    np.testing.assert_allclose(total, np.ravel(eval(function, names)(rows)), atol=1e-6)
    _require_decisive(function, total, model, rows)
    return explanation


def _require_prediction(explanation, predicted):
    if explanation.classes is None:
        np.testing.assert_allclose(explanation.prediction, np.ravel(predicted), rtol=1e-7)
    else:
        differs = explanation.prediction != predicted
        assert not np.any(differs & ~explanation.tie)


def _require_decisive(function, output, model, rows):
    """The function that was explained is the one that decides the prediction."""
    classes = getattr(model, "classes_", None)
    if classes is None:
        if function in ("model.predict", "lambda X: model.predict(X)[:, 0]"):
            predicted = model.predict(rows).reshape(len(rows), -1)
            np.testing.assert_allclose(output, predicted[:, 0], atol=1e-9)
        return
    predicted = model.predict(rows)
    if "predict(X)[:, 0] ==" in function:  # Several targets with classes of their own.
        np.testing.assert_array_equal(output > 0.5, predicted[:, 0] == classes[0][0])
    elif np.ndim(predicted) == 2:  # The advice is for the first of several labels.
        assert function.endswith("(X)[:, 0]")
        threshold = 0.5 if "predict_proba" in function else 0.0
        np.testing.assert_array_equal(output > threshold, predicted[:, 0] == 1)
    elif "predict(X) ==" in function:
        position = int(re.search(r"classes_\[(\d)\]", function)[1])
        np.testing.assert_array_equal(output > 0.5, predicted == classes[position])
    elif len(classes) == 2:
        threshold = 0.5 if "predict_proba" in function else 0.0
        sure = np.abs(output - threshold) > 1e-9
        np.testing.assert_array_equal((output > threshold)[sure], (predicted == classes[1])[sure])
    else:
        scores = getattr(model, re.search(r"model\.(\w+)", function)[1])(rows)
        largest = np.sort(scores, axis=1)
        sure = largest[:, -1] > largest[:, -2]
        assert np.mean((classes[np.argmax(scores, axis=1)] == predicted)[sure]) > 0.8
