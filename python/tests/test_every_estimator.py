"""Every estimator with every option on ten datasets: the library predicts what the estimator
predicts and the sign of g is that of its decision, or it is refused in words. The guide's table is
made of this and checked to be current."""

import os
import pathlib
import re

import numpy as np
import pytest
from advice import followed
from datasets import CLASSIFICATION, REGRESSION
from estimator_cases import CASES, ON_F
from sklearn.neighbors import KernelDensity, NearestNeighbors

import bisector

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "guide" / "estimators.md"
EXPLAINED = [case for case in CASES if case.becomes != "refused"]
REFUSED = [case for case in CASES if case.becomes == "refused"]


def data_for(case, name):
    """Rows and targets; the model is fitted on every second row."""
    if "targets" in case.kind:
        X, y = REGRESSION[name]()
    else:
        X, y = CLASSIFICATION[name]()
    if "categories" in case.kind:
        X = np.digitize(X, np.quantile(X, [0.33, 0.67])).astype(float)
    if case.kind == "two classes":
        y = (y > np.median(y) if len(np.unique(y)) > 2 else y == y.max()).astype(int)
        y = np.array(["no", "yes"])[y]
    return X, None if case.kind == "rows" else y


def fitted(case, name):
    X, y = data_for(case, name)
    model = case.make(X[::2])
    model.fit(X[::2]) if y is None else model.fit(X[::2], y[::2])
    level = None if case.level is None else case.level(model, X[::2])
    return model, X, level


# This machine calls no row an outlier: all that it adds up is above zero.
WITHOUT = {("Nystroem(and SGDOneClassSVM)", "digits")}


def names_for(case):
    names = REGRESSION if "targets" in case.kind else CLASSIFICATION
    return [name for name in names if (case.id, name) not in WITHOUT]


PAIRS = [(case, name) for case in EXPLAINED for name in names_for(case)]


@pytest.mark.parametrize("case, name", PAIRS, ids=[f"{case.id}-{name}" for case, name in PAIRS])
@pytest.mark.filterwarnings("ignore")
def test_predictions_and_signs_are_those_of_the_estimator(case, name):
    model, X, level = fitted(case, name)
    if "Radius" in case.id:
        search = model if hasattr(model, "radius_neighbors") else model.estimators_[0]
        X = X[[len(near) > 0 for near in search.radius_neighbors(X, return_distance=False)]]
        assert len(X) > 20 or name == "linnerud"
    method = None if case.becomes == ON_F else "lrp"
    explanation = bisector.Explainer(model, level=level, method=method)(X)
    if explanation.classes is None:
        require_same_values(model, X, explanation)
    elif case.kind == "rows" and not hasattr(model, "cluster_centers_"):
        require_same_side(model, X, explanation, level)
    else:
        require_same_classes(model, X, explanation, case)


def require_same_values(model, X, explanation):
    predicted, sure = model.predict(X), ~explanation.tie
    spread = np.nanmax(np.abs(predicted))
    inside = getattr(model, "estimators_", [model])[0]
    is_decided = ~explanation.tie if hasattr(inside, "_fit_X") else np.ones(len(X), dtype=bool)
    is_decided &= ~np.isnan(predicted)  # where weights are infinite
    sure &= is_decided
    np.testing.assert_allclose(explanation.prediction[is_decided], predicted[is_decided], rtol=1e-8,
                               atol=1e-8 * spread)
    above = predicted - explanation.settings["level"]
    sure &= np.abs(above) > 1e-7 * spread
    np.testing.assert_array_equal(np.sign(explanation.g[sure]), np.sign(above[sure]))


def decision(model, X, level):
    """Above zero inside."""
    if isinstance(model, NearestNeighbors):
        return level - model.kneighbors(X)[0][:, -1]
    if isinstance(model, KernelDensity):
        return np.exp(model.score_samples(X) - level) - 1.0
    return model.decision_function(X)


def require_same_side(model, X, explanation, level):
    inside = decision(model, X, level)
    sure = np.abs(inside) > 1e-9 * (1.0 + np.abs(inside).max())
    assert sure.mean() > 0.7
    np.testing.assert_array_equal(explanation.prediction[sure], np.where(inside > 0, 1, -1)[sure])
    np.testing.assert_array_equal(np.sign(explanation.g[sure]), np.sign(inside[sure]))


def require_same_classes(model, X, explanation, case):
    sure = ~explanation.tie
    if "categories" not in case.kind and "cosine" not in case.id and "correlation" not in case.id:
        assert sure.mean() > 0.7  # of the others, most rows may be ties
    np.testing.assert_array_equal(explanation.prediction[sure], model.predict(X)[sure])
    if case.kind == "two classes" and hasattr(model, "decision_function"):
        f = model.decision_function(X)
        sure &= np.abs(f) > 1e-9
        np.testing.assert_array_equal(np.sign(explanation.g[sure]), np.sign(f[sure]))
        return
    # Of more classes, the one that is predicted against another.
    sign = np.where(explanation.positive_class == explanation.prediction, 1.0, -1.0)
    if "SVC" in case.id and "OneVsRest" not in case.id and "Linear" not in case.id:
        sign, sure = np.sign(explanation.decision), sure & (np.abs(explanation.decision) > 1e-9)
    if len(explanation.classes) > 2:
        sure &= sign > 0
    np.testing.assert_array_equal(np.sign(explanation.g[sure]), sign[sure])


WITH_PREDICTIONS = [case for case in REFUSED if case.option != "novelty=False"]


@pytest.mark.parametrize("case", WITH_PREDICTIONS, ids=[case.id for case in WITH_PREDICTIONS])
@pytest.mark.filterwarnings("ignore")
def test_refused_models_have_advice_that_explains_the_same_prediction(case):
    error, model, X = refusal_of(case)
    assert "expected " in error.problem or "because" in error.problem
    followed(error, model, X[:6], X)


def test_scores_of_training_rows_are_refused_and_the_new_fit_explains_new_rows():
    """No call explains the scores of fit_predict, so no advice says that it does."""
    case = next(case for case in REFUSED if case.option == "novelty=False")
    error, model, X = refusal_of(case)
    assert error.advice == () and not hasattr(model, "predict")
    train, rows, scores = X[::2], X[1::2], model.negative_outlier_factor_
    again = eval(re.search(r"model\.set_params\(.*\.fit\(X_train\)", error.problem)[0],
                 {"model": model, "X_train": train})
    explanation = bisector.Explainer(again, train)(rows)
    np.testing.assert_allclose(explanation.decision, again.decision_function(rows), rtol=1e-9)
    assert np.abs(again.score_samples(train) - scores).max() > 1e-3  # as the message says


def test_a_machine_with_a_constant_prediction_is_refused():
    (case_id, name), = WITHOUT
    case = next(case for case in CASES if case.id == case_id)
    model, X, _ = fitted(case, name)
    assert (model.predict(X) == 1).all()
    with pytest.raises(ValueError, match="no negative coefficient and no negative intercept"):
        bisector.Explainer(model)


def refusal_of(case):
    name = "friedman 1" if case.kind == "targets" else "wine"
    model, X, level = fitted(case, name)
    with pytest.raises(bisector.UnsupportedModelError) as raised:
        bisector.Explainer(model, level=level)
    return raised.value, model, X


def table():
    """One line for each estimator and option."""
    lines = ["| estimator | option | what becomes of it |", "| --- | --- | --- |"]
    for case in CASES:
        becomes = case.becomes
        if becomes == "refused":
            message = re.sub(r"\s+", " ", str(refusal_of(case)[0])).replace("|", "\\|")
            becomes = f"refused: *{message}*"
        option = f"`{case.option}`" if "=" in case.option else case.option
        lines.append(f"| {case.estimator} | {option} | {becomes} |")
    return "\n".join(lines) + "\n"


@pytest.mark.filterwarnings("ignore")
def test_the_table_of_the_guide_is_current():
    """Writes the table where BISECTOR_WRITE_TABLE is set."""
    begin, end = "<!-- table: made by python/tests/test_every_estimator.py -->\n", "<!-- end -->\n"
    page = PAGE.read_text()
    before, _, rest = page.partition(begin)
    old, _, after = rest.partition(end)
    current = table()
    if os.environ.get("BISECTOR_WRITE_TABLE"):
        PAGE.write_text(before + begin + current + end + after)
    else:
        assert old == current, "set BISECTOR_WRITE_TABLE=1 and run this test again to write it"
