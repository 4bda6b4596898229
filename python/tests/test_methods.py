"""All methods of the library, for models and for any function of rows."""

import itertools
from math import factorial

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import SVC, SVR

import bisector

X, Y = CLASSIFICATION["quantiles"]()
TWO = (Y > 0).astype(int)
SVM = SVC(C=5.0).fit(X, TWO)
GAMMA = SVM._gamma


def explain(model, rows, method=None, **options):
    return bisector.Explainer(model, method=method, **options)(rows)


def f(rows):
    return SVM.decision_function(rows)


def gradient(rows):
    difference = np.asarray(rows)[:, None, :] - SVM.support_vectors_
    kernel = SVM.dual_coef_[0] * np.exp(-GAMMA * (difference ** 2).sum(axis=2))
    return -2 * GAMMA * np.einsum("rs,rsd->rd", kernel, difference)


def test_gradient_times_input_and_occlusion_equal_their_definitions():
    for method in ("gi", "occlusion"):
        explainer = bisector.Explainer(SVM, method=method)
        reference = np.array(explainer.settings["reference"])
        wanted = gradient(X) * (X - reference)
        if method == "occlusion":
            wanted = np.stack([f(X) - f(np.where(np.arange(X.shape[1]) == d, reference, X))
                               for d in range(X.shape[1])], axis=1)
        np.testing.assert_allclose(explainer(X).values, wanted, atol=1e-8)


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
    sampled = explain(SVM, X[:5], method="shapley", sequences=20000, seed=1)
    np.testing.assert_allclose(sampled.values, found.values, atol=0.06)


@pytest.mark.parametrize("model", [KNeighborsClassifier(5), NearestCentroid()],
                         ids=["KNN", "centroids"])
def test_occlusion_of_neighbors_explains_the_votes_the_outcome_or_g(model):
    model.fit(X, TWO)
    explanation = explain(model, X, method="occlusion")
    np.testing.assert_array_equal(explanation.output, explanation.decision)
    explanation = explain(model, X, method="occlusion", on="outcome")
    assert set(np.unique(explanation.output)) == {-1.0, 1.0}
    np.testing.assert_array_equal(explanation.output > 0, explanation.prediction == 1)
    on_g = explain(model, X, method="occlusion", on="g", unit="g")
    np.testing.assert_array_equal(on_g.output, on_g.g)


def test_shapley_values_of_votes_add_up():
    model = KNeighborsClassifier(5).fit(X, TWO)
    explanation = explain(model, X, method="shapley", on="votes")
    counts = 5 * (model.predict_proba(X)[:, 1] - model.predict_proba(X)[:, 0])
    np.testing.assert_allclose(explanation.output, counts, atol=1e-12)
    np.testing.assert_allclose(explanation.values.sum(axis=1) + explanation.base_values, counts,
                               atol=1e-12)
    with pytest.raises(ValueError, match='on is "h", expected f, g, votes or outcome'):
        bisector.Explainer(model, method="shapley", on="h")


def test_exact_shapley_values_over_a_background():
    explainer = bisector.Explainer(SVM, method="shapley-exact", background=X[:20])
    found = explainer(X[50:53])
    mean = np.mean([explain(SVM, X[50:53], method="shapley-exact", reference=row).values
                    for row in X[:20]], axis=0)
    np.testing.assert_allclose(found.values, mean, atol=1e-10)
    assert explainer.expected_value == pytest.approx(f(X[:20]).mean(), abs=1e-9)
    np.testing.assert_allclose(found.base_values, explainer.expected_value, atol=1e-9)


def test_functions_are_refused_with_advice_that_explains_them():
    shap = pytest.importorskip("shap")
    with pytest.raises(bisector.UnsupportedModelError, match="function is not supported") as refusal:
        bisector.Explainer(f, X)
    names = {"shap": shap, "model": f, "X": X[:3], "X_train": X}
    explanation = eval(refusal.value.advice[0], names)
    np.testing.assert_allclose(explanation.base_values + explanation.values.sum(axis=1), f(X[:3]))
    with pytest.raises(AttributeError, match="shap.PermutationExplainer.function, X_train."):
        bisector.explain(f, X)


def test_a_row_alone_equals_the_row_in_a_batch():
    whole = explain(SVM, X, method="lrp-path")
    for rows in (slice(0, 1), slice(7, 50)):
        np.testing.assert_array_equal(whole[rows].values,
                                      explain(SVM, X[rows], method="lrp-path").values)


def test_single_precision_is_close_to_double_precision():
    wanted = bisector.Explainer(SVM, method="lrp-path")(X).values
    found = bisector.Explainer(SVM, method="lrp-path", precision="float")(X).values
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
