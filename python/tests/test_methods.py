"""All methods of the library, for models and for any function of rows."""

import itertools
from math import factorial

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import SVC, SVR

import bisector

X, Y = CLASSIFICATION["quantiles"]()
TWO = (Y > 0).astype(int)
SVM = SVC(C=5.0).fit(X, TWO)
GAMMA = SVM._gamma


def f(rows):
    return SVM.decision_function(rows)


def gradient(rows):
    difference = np.asarray(rows)[:, None, :] - SVM.support_vectors_
    kernel = SVM.dual_coef_[0] * np.exp(-GAMMA * (difference ** 2).sum(axis=2))
    return -2 * GAMMA * np.einsum("rs,rsd->rd", kernel, difference)


@pytest.mark.parametrize("method", ["gi", "ig", "sensitivity", "occlusion", "shapley"])
def test_a_model_and_its_decision_function_have_the_same_explanation(method):
    explainer = bisector.Explainer(SVM, method=method)
    wanted = explainer(X)
    found = bisector.explain(f, X, method=method, gradient=gradient,
                             reference=explainer.settings["reference"])
    np.testing.assert_allclose(found.values, wanted.values, atol=1e-8)
    np.testing.assert_allclose(found.base_values, wanted.base_values, atol=1e-8)
    np.testing.assert_allclose(found.remainder, wanted.remainder, atol=1e-8)


def brute_force_shapley(function, x, reference):
    """Over all subsets of features."""
    D = len(x)
    value = {}
    for kept in itertools.chain.from_iterable(
            itertools.combinations(range(D), n) for n in range(D + 1)):
        row = reference.copy()
        row[list(kept)] = x[list(kept)]
        value[kept] = function(row[None, :])[0]
    phi = np.zeros(D)
    for kept, without in value.items():
        for d in set(range(D)) - set(kept):
            weight = factorial(len(kept)) * factorial(D - len(kept) - 1) / factorial(D)
            phi[d] += weight * (value[tuple(sorted((*kept, d)))] - without)
    return phi


def test_exact_shapley_values_equal_the_definition():
    explainer = bisector.Explainer(SVM, method="shapley-exact")
    reference = np.array(explainer.settings["reference"])
    found = explainer(X[:5])
    for row in range(5):
        np.testing.assert_allclose(found.values[row], brute_force_shapley(f, X[row], reference),
                                   atol=1e-10)
    np.testing.assert_allclose(found.base_values, f(reference[None, :])[0], atol=1e-9)
    sampled = bisector.explain(SVM, X[:5], method="shapley", sequences=20000, seed=1)
    np.testing.assert_allclose(sampled.values, found.values, atol=0.06)


@pytest.mark.parametrize("model", [KNeighborsClassifier(5), NearestCentroid()],
                         ids=["KNN", "centroids"])
def test_occlusion_of_neighbors_explains_the_votes_the_outcome_or_g(model):
    model.fit(X, TWO)
    explanation = bisector.explain(model, X, method="occlusion")
    np.testing.assert_array_equal(explanation.output, explanation.decision)
    explanation = bisector.explain(model, X, method="occlusion", on="outcome")
    assert set(np.unique(explanation.output)) == {-1.0, 1.0}
    np.testing.assert_array_equal(explanation.output > 0, explanation.prediction == 1)
    on_g = bisector.explain(model, X, method="occlusion", on="g", unit="g")
    np.testing.assert_array_equal(on_g.output, on_g.g)


def test_shapley_values_of_votes_add_up():
    model = KNeighborsClassifier(5).fit(X, TWO)
    explanation = bisector.explain(model, X, method="shapley", on="votes")
    counts = 5 * (model.predict_proba(X)[:, 1] - model.predict_proba(X)[:, 0])
    np.testing.assert_allclose(explanation.output, counts, atol=1e-12)
    np.testing.assert_allclose(explanation.values.sum(axis=1) + explanation.base_values, counts,
                               atol=1e-12)
    with pytest.raises(ValueError, match='on is "h", expected f, g, votes or outcome'):
        bisector.Explainer(model, method="shapley", on="h")


def test_exact_shapley_values_over_a_background():
    explainer = bisector.Explainer(SVM, method="shapley-exact", background=X[:20])
    found = explainer(X[50:53])
    mean = np.mean([bisector.explain(SVM, X[50:53], method="shapley-exact", reference=row).values
                    for row in X[:20]], axis=0)
    np.testing.assert_allclose(found.values, mean, atol=1e-10)
    assert explainer.expected_value == pytest.approx(f(X[:20]).mean(), abs=1e-9)
    np.testing.assert_allclose(found.base_values, explainer.expected_value, atol=1e-9)


def test_any_function_of_rows_is_explained():
    forest = RandomForestClassifier(20, random_state=0).fit(X, TWO)
    names = ["a", "b", "c", "d"]
    frame = pd.DataFrame(X, columns=names)
    named = RandomForestClassifier(20, random_state=0).fit(frame, TWO)
    explanation = bisector.explain(lambda rows: named.predict_proba(rows)[:, 1], frame[:40],
                                   method="shapley", background=frame)
    assert explanation.feature_names == names
    expected = forest.predict_proba(X.mean(axis=0, keepdims=True))[0, 1]
    np.testing.assert_allclose(explanation.base_values, expected, atol=1e-12)
    with pytest.raises(ValueError, match="expected one number for each row"):
        bisector.explain(forest.predict_proba, X, method="occlusion")
    with pytest.raises(ValueError, match="needs a model"):
        bisector.explain(forest.predict_proba, X, method="lrp")
    assert bisector.explain(forest.predict, X[:2], background=X).method == "shapley"
    with pytest.raises(ValueError, match="ig needs a gradient"):
        bisector.explain(f, X, method="ig")


def test_errors_of_a_function_are_passed_on():
    def broken(rows):
        raise RuntimeError("no such sensor")

    with pytest.raises(RuntimeError, match="no such sensor"):
        bisector.explain(broken, X, method="occlusion")


def test_options_of_an_explainer_are_kept():
    explainer = bisector.Explainer(SVM, reference="mean")
    other = bisector.explain(explainer, X, method="gi")
    np.testing.assert_array_equal(other.settings["reference"], explainer.settings["reference"])
    occlusion = bisector.Explainer(SVM, method="occlusion", on="g", unit="share")
    np.testing.assert_array_equal(bisector.explain(occlusion, X).values, occlusion(X).values)
    # Another method has its own parameters, and the options of all.
    assert bisector.explain(occlusion, X, method="lrp").unit == "share"


def test_a_row_alone_equals_the_row_in_a_batch():
    whole = bisector.explain(SVM, X, method="lrp-path")
    for rows in (slice(0, 1), slice(7, 50)):
        np.testing.assert_array_equal(whole[rows].values,
                                      bisector.explain(SVM, X[rows], method="lrp-path").values)


def test_single_precision_is_close_to_double_precision():
    wanted = bisector.Explainer(SVM)(X).values
    found = bisector.Explainer(SVM, precision="float")(X).values
    assert 0 < np.abs(found - wanted).max() < 1e-4 * np.abs(wanted).max()


def test_a_background_changes_the_reference_and_the_median_distance():
    data, target = REGRESSION["diabetes"]()
    model = SVR(C=10.0).fit(data, target)
    explainer = bisector.Explainer(model, background=data + 5.0, reference="mean")
    np.testing.assert_allclose(explainer.settings["reference"], (data + 5.0).mean(axis=0))


def test_progress_is_reported():
    told = []
    explainer = bisector.Explainer(SVM, method="shapley",
                                   progress=lambda done, total: told.append((done, total)))
    explainer(np.tile(X, (4, 1)))
    assert told[-1] == (1200, 1200)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
