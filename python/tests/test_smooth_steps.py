"""Normalizer and PolynomialFeatures before a model: relevance of the columns before them."""

import pickle

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import (KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor,
                               NearestCentroid, NearestNeighbors)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (KBinsDiscretizer, Normalizer, OneHotEncoder, PolynomialFeatures,
                                   StandardScaler)
from sklearn.svm import SVC, SVR, LinearSVC, OneClassSVM

import bisector
from bisector._smooth import smooth_step

W, WY = CLASSIFICATION["wine"]()
D, DY = REGRESSION["diabetes"]()
STEPS = [Normalizer(), Normalizer("l1"), Normalizer("max"), PolynomialFeatures(2),
         PolynomialFeatures(3, interaction_only=True)]


def name(value):
    return str(value).replace("\n", "")


def require_totals(explanation):
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    assert np.all(np.isfinite(explanation.values))
    np.testing.assert_allclose(total, explanation.output, atol=1e-9)


@pytest.mark.parametrize("step", STEPS, ids=name)
def test_the_gradient_is_that_of_differences(step):
    rows = np.random.default_rng(0).normal(size=(6, 4))
    after = np.random.default_rng(1).normal(size=step.fit(rows).transform(rows).shape)
    smooth = smooth_step(step)
    assert smooth.outputs(4) == after.shape[1]
    found = smooth.gradient(rows, after)
    for column in range(4):
        ahead, behind = rows.copy(), rows.copy()
        ahead[:, column] += 1e-6
        behind[:, column] -= 1e-6
        slope = ((step.transform(ahead) - step.transform(behind)) * after).sum(axis=1) / 2e-6
        np.testing.assert_allclose(found[:, column], slope, rtol=1e-6, atol=1e-7)


def test_a_row_of_zeros_stays_zero():
    smooth = smooth_step(Normalizer().fit(np.ones((2, 3))))
    gradient = smooth.gradient(np.zeros((1, 3)), np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_array_equal(gradient, [[1.0, 2.0, 3.0]])


@pytest.mark.parametrize("step", STEPS, ids=name)
@pytest.mark.parametrize("model", [SVC(), LinearSVC(), KNeighborsClassifier(5), NearestCentroid(),
                                   KNeighborsClassifier(5, weights="distance")], ids=name)
def test_classifiers(step, model):
    pipeline = make_pipeline(StandardScaler(), step, model).fit(W[::2, :5], WY[::2])
    explainer = bisector.Explainer(pipeline, W[::2, :5])
    explanation = explainer(W[:, :5])
    sure = ~explanation.tie
    np.testing.assert_array_equal(explanation.prediction[sure], pipeline.predict(W[:, :5])[sure])
    np.testing.assert_array_equal(explainer.predict(W[:, :5])[sure], pipeline.predict(W[:, :5])[sure])
    require_totals(explanation)
    assert explanation.shape == (len(W), 5) and explanation.method == "lrp-expected"
    pairs = set(zip(explanation.positive_class, explanation.versus))
    assert len(set(np.round(explanation.base_values, 12))) <= len(pairs)


@pytest.mark.parametrize("model", [SVR(C=10.0), KernelRidge(kernel="rbf", gamma=0.1), Ridge(),
                                   KNeighborsRegressor(5)], ids=name)
def test_regressors(model):
    pipeline = make_pipeline(PCA(4), Normalizer(), StandardScaler(), model).fit(D[::2], DY[::2])
    explanation = bisector.Explainer(pipeline, D[::2])(D)
    np.testing.assert_allclose(explanation.prediction[~explanation.tie],
                               pipeline.predict(D)[~explanation.tie], rtol=1e-7)
    require_totals(explanation)


@pytest.mark.parametrize("model, level", [
    (OneClassSVM(nu=0.2), None), (LocalOutlierFactor(7, novelty=True), None),
    (NearestNeighbors(n_neighbors=3), 0.4)], ids=name)
def test_detectors(model, level):
    pipeline = make_pipeline(Normalizer(), model).fit(W[::2])
    explanation = bisector.Explainer(pipeline, W[::2], level=level)(W)
    require_totals(explanation)
    if level is None:
        inside = pipeline.decision_function(W)
        sure = np.abs(inside) > 1e-9
        np.testing.assert_array_equal(explanation.prediction[sure], pipeline.predict(W)[sure])
    else:
        distances, _ = model.kneighbors(pipeline[:-1].transform(W))
        np.testing.assert_allclose(explanation.output, level - distances[:, -1], atol=1e-9)


def test_values_are_the_mean_of_integrals_over_the_references():
    """The reference implementation integrates every path with many steps and its own Jacobian."""
    model = make_pipeline(Normalizer(), LogisticRegression(C=50.0)).fit(W[:, :4], WY == 0)
    order = np.argsort(model.decision_function(W[:, :4]))
    rows, references = W[:6, :4], W[order[[0, -1]], :4]  # One reference on each side.
    coefficients, steps = model[-1].coef_[0], 2000
    expected = np.zeros(rows.shape)
    for start in references:
        for part in (np.arange(steps) + 0.5) / steps:
            points = start + part * (rows - start)
            length = np.linalg.norm(points, axis=1, keepdims=True)
            unit = points / length
            slope = (coefficients - (unit @ coefficients)[:, None] * unit) / length
            expected += (rows - start) * slope / (steps * len(references))
    found = bisector.Explainer(model, references, references=steps)(rows)
    np.testing.assert_allclose(found.values, expected, atol=0.02 * np.abs(expected).max())


def test_sums_are_complete_within_two_standard_errors():
    """g(x) - base without the correction, which the library distributes."""
    model = make_pipeline(StandardScaler(), Normalizer(), SVC()).fit(W, WY == 0)
    explanation = bisector.Explainer(model, W, unit="g", references=400)(W)
    missing = np.abs(explanation.correction)
    assert np.mean(missing <= 2.0 * explanation.standard_errors.sum(axis=1)) > 0.95


def test_neighbors_of_unit_length_have_the_gradient_of_the_cosine():
    """Half of the squared distance of unit vectors is the cosine distance."""
    by_length = make_pipeline(Normalizer(), KNeighborsClassifier(5)).fit(W, WY == 0)
    by_cosine = KNeighborsClassifier(5, metric="cosine").fit(W, WY == 0)
    options = {"references": 200, "unit": "g"}
    one = bisector.Explainer(by_length, W, **options)(W[:20])
    other = bisector.Explainer(by_cosine, W, method="lrp-expected", **options)(W[:20])
    np.testing.assert_allclose(one.g, 2.0 * other.g, rtol=1e-9)
    apart = np.abs(one.values - 2.0 * other.values)
    errors = np.hypot(one.standard_errors, 2.0 * other.standard_errors)
    assert np.mean(apart <= 3.0 * errors + 1e-12) > 0.95


def test_steps_one_after_the_other_and_encoders_before_them():
    rows = np.column_stack([np.random.default_rng(0).normal(size=90), np.arange(90) % 3]).astype(object)
    encoder = make_column_transformer((StandardScaler(), [0]), (OneHotEncoder(), [1]))
    model = make_pipeline(encoder, PolynomialFeatures(2, include_bias=False),
                          make_pipeline(Normalizer(), StandardScaler()), SVC())
    model.fit(rows, (rows[:, 0].astype(float) > 0) & (rows[:, 1] == 1))
    explainer = bisector.Explainer(model, rows)
    explanation = explainer(rows)
    assert explanation.shape == (90, 2)
    np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
    require_totals(explanation)
    levels = explainer(rows, per_level=True)
    np.testing.assert_allclose(levels.values[:, 1:].sum(axis=1), explanation.values[:, 1])
    grouped = bisector.Explainer(model, rows, groups={"both": [0, 1]})(rows)
    np.testing.assert_allclose(grouped.values[:, 0], explanation.values.sum(axis=1))


def test_calibrated_machines_and_probabilities():
    inside = make_pipeline(Normalizer(), SVC())
    averaged = CalibratedClassifierCV(inside, cv=3).fit(W, WY == 0)
    explanation = bisector.Explainer(averaged, W)(W)
    np.testing.assert_allclose(explanation.output, averaged.predict_proba(W)[:, 1] - 0.5, atol=1e-9)
    one = CalibratedClassifierCV(inside, cv=3, ensemble=False).fit(W, WY == 0)
    linked = bisector.Explainer(one, W, output="probability")(W)
    np.testing.assert_allclose(linked.output, one.predict_proba(W)[:, 1], atol=1e-9)
    require_totals(linked)


@pytest.mark.parametrize("model", [
    SVC(), KNeighborsClassifier(5), NearestCentroid(), LogisticRegression(max_iter=500),
    CalibratedClassifierCV(LinearSVC(), ensemble=False)], ids=name)
def test_all_classes_add_up_to_the_outputs_without_the_step(model):
    """The outputs are those of the same model of normalized rows."""
    pipeline = make_pipeline(StandardScaler(), Normalizer(), model).fit(W[::2], WY[::2])
    explanation = bisector.Explainer(pipeline, W[::2])(W[:40], classes="all")
    rows, background = pipeline[:-1].transform(W[:40]), pipeline[:-1].transform(W[::2])
    wanted = bisector.Explainer(pipeline[-1], background)(rows, classes="all")
    assert explanation.shape == (40, W.shape[1], 3)
    np.testing.assert_allclose(explanation.output, wanted.output, atol=1e-9)
    np.testing.assert_array_equal(explanation.prediction, wanted.prediction)
    np.testing.assert_array_equal(explanation.classes, wanted.classes)
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, atol=1e-9)
    assert len(np.unique(np.round(explanation.base_values, 12), axis=0)) == 1


def test_all_classes_are_sums_over_pairs():
    pipeline = make_pipeline(Normalizer(), SVC()).fit(W, WY)
    explanation = bisector.Explainer(pipeline, W)(W[:9], classes="all")
    pairs = {(a, b): bisector.Explainer(pipeline, W, positive_class=a, versus=b)(W[:9]).values
             for a, b in ((0, 1), (0, 2), (1, 2))}
    np.testing.assert_allclose(explanation.values[..., 0], pairs[0, 1] + pairs[0, 2], atol=1e-12)
    np.testing.assert_allclose(explanation.values[..., 1], pairs[1, 2] - pairs[0, 1], atol=1e-12)


@pytest.mark.parametrize("model", [SVC(), KNeighborsClassifier(5),
                                   CalibratedClassifierCV(SVC(), cv=3)], ids=name)
def test_two_classes_have_opposite_values(model):
    pipeline = make_pipeline(Normalizer(), model).fit(W, WY == 1)
    explainer = bisector.Explainer(pipeline, W)
    both, one = explainer(W[:9], classes="all"), explainer(W[:9])
    np.testing.assert_array_equal(both.values[..., 1], one.values)
    np.testing.assert_array_equal(both.values[..., 0], -one.values)
    np.testing.assert_array_equal(both.prediction, one.prediction)
    assert list(both.classes) == [False, True] and both[..., 1].positive_class[0]


def test_advice_behind_a_step_is_what_one_can_type(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = make_pipeline(make_pipeline(StandardScaler(), Normalizer()), SVC()).fit(W, WY)
    explainer = bisector.Explainer(model, W)
    names = {"bisector": bisector, "model": model, "X": W[:3], "X_train": W}
    for call, kind in ((lambda: explainer.interactions(W[:3]), bisector.Interactions),
                       (lambda: explainer.evidence(W[0]), list),
                       (lambda: explainer.network(W[0]), bisector.Network),
                       (lambda: bisector.aufc(explainer, W[:3], background=W), bisector.AUFC),
                       (lambda: bisector.importance(explainer), np.ndarray),
                       (lambda: explainer.save("model.npz"), type(None))):
        with pytest.raises(bisector.UnsupportedModelError, match="the Normalizer mixes") as error:
            call()
        advice, = error.value.advice
        assert isinstance(eval(advice, names), kind), advice


def test_the_explainer_is_pickled_and_repeats_its_values():
    model = make_pipeline(Normalizer(), SVC()).fit(W, WY)
    explainer = bisector.Explainer(model, W, seed=3)
    copy = pickle.loads(pickle.dumps(explainer))
    np.testing.assert_array_equal(copy(W[:9]).values, explainer(W[:9]).values)
    np.testing.assert_array_equal(explainer(W)[:9].values, explainer(W[:9]).values)
    assert np.isfinite(explainer.expected_value).all()
    assert explainer(W[:0]).shape == (0, W.shape[1])


def test_what_is_refused_and_how():
    model = make_pipeline(Normalizer(), SVC()).fit(W, WY)
    with pytest.raises(bisector.UnsupportedModelError, match="expected a background") as error:
        bisector.Explainer(model)
    assert error.value.advice == ("bisector.Explainer(model, X_train)(X)",)
    with pytest.raises(ValueError, match='method is "lrp" behind a Normalizer'):
        bisector.Explainer(model, W, method="lrp")
    with pytest.raises(ValueError, match="eta behind a Normalizer"):
        bisector.Explainer(model, W, eta=0.5)
    with pytest.raises(ValueError, match="expected a classifier"):
        regressor = make_pipeline(Normalizer(), SVR()).fit(D, DY)
        bisector.Explainer(regressor, D)(D[:2], classes="all")
    with pytest.raises(ValueError, match="all classes need the unit decision"):
        bisector.Explainer(model, W, unit="g")(W[:2], classes="all")
    rows = W.copy()
    rows[2, 1] = np.nan
    with pytest.raises(ValueError, match='row 3, feature "x2" is nan, expected a number'):
        bisector.Explainer(model, W)(rows)
    bins = make_pipeline(Normalizer(), KBinsDiscretizer(3, encode="ordinal"), SVC()).fit(W, WY)
    with pytest.raises(bisector.UnsupportedModelError, match="KBinsDiscretizer is not linear"):
        bisector.Explainer(bins, W)
    equal = make_pipeline(Normalizer(), KNeighborsClassifier(metric="hamming")).fit(W, WY)
    with pytest.raises(bisector.UnsupportedModelError, match="compares values for equality"):
        bisector.Explainer(equal, W)
