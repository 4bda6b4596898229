"""Meta-estimators: their own predictions are explained, row by row."""

import pickle
import warnings

import numpy as np
import pytest
from advice import followed
from datasets import CLASSIFICATION, REGRESSION
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.feature_selection import RFE
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, RANSACRegressor
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, PowerTransformer, StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC, SVR, NuSVC

import bisector

X, Y = CLASSIFICATION["breast cancer"]()
Y = ((Y == 1) & (X[:, 0] < 0.8)).astype(int)  # unbalanced, so that thresholds matter
W, WY = CLASSIFICATION["wine"]()
D, DY = REGRESSION["diabetes"]()


def machine(**options):
    return make_pipeline(StandardScaler(), SVC(**options))


def predicts_alike(model, rows):
    explainer = bisector.Explainer(model)
    explanation = explainer(rows)
    np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
    np.testing.assert_array_equal(explainer.predict(rows), model.predict(rows))
    np.testing.assert_allclose(
        explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder,
        explanation.output, atol=1e-9)
    return explanation


def refusal_of(model, rows):
    """The message of a refusal, whose advice was followed."""
    with pytest.raises(bisector.UnsupportedModelError) as refusal:
        bisector.Explainer(model)
    followed(refusal.value, model, rows[:12], rows)
    return str(refusal.value)


@pytest.mark.parametrize("labels", [[0, 1], ["no", "yes"]], ids=str)
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_calibrated_ensembles_explain_the_mean_probability(labels, C):
    """The output is the mean probability minus one half."""
    model = CalibratedClassifierCV(machine(C=C), cv=4).fit(X, np.array(labels)[Y])
    explanation = predicts_alike(model, X)
    np.testing.assert_allclose(explanation.output, model.predict_proba(X)[:, 1] - 0.5, atol=1e-9)
    assert explanation.unit == "decision" and explanation.settings["machines"] == 4
    for_first = bisector.Explainer(model, positive_class=labels[0])(X)
    np.testing.assert_allclose(for_first.values, -explanation.values, atol=1e-12)
    np.testing.assert_array_equal(for_first.prediction, explanation.prediction)
    share = bisector.Explainer(model, unit="share")(X)
    parts = np.abs(share.values).sum(axis=1) + np.abs(share.remainder)
    np.testing.assert_allclose(parts, 100.0)
    np.testing.assert_array_equal(np.sign(share.values), np.sign(explanation.values))


@pytest.mark.parametrize("positive", [0, 1])
def test_a_calibrated_ensemble_has_one_base_value(positive):
    model = CalibratedClassifierCV(machine(), cv=3).fit(X, Y)
    for options in ({}, {"output": "probability"}, {"unit": "share"}):
        explainer = bisector.Explainer(model, X, positive_class=positive, **options)
        np.testing.assert_allclose(explainer(X).base_values, explainer.expected_value, rtol=1e-12)


def test_a_calibrated_ensemble_is_the_mean_of_its_machines():
    model = CalibratedClassifierCV(machine(), cv=3).fit(X, Y)
    options = {"method": "lrp", "eta": 1.0, "unit": "decision"}
    total = np.zeros(X.shape)
    for one in model.calibrated_classifiers_:
        single = CalibratedClassifierCV(one.estimator, ensemble=False)
        single.classes_, single.n_features_in_ = model.classes_, X.shape[1]
        single.calibrated_classifiers_ = [one]
        total += bisector.Explainer(single, output="probability", **options)(X).values / 3
    np.testing.assert_allclose(bisector.Explainer(model, **options)(X).values, total, atol=1e-9)


def test_a_calibrated_ensemble_with_encoders_of_its_own():
    rows = np.random.default_rng(0).choice(list("abcd"), size=(120, 3)).astype(object)
    y = (rows[:, 0] == "a") | (rows[:, 1] == "b")
    model = CalibratedClassifierCV(make_pipeline(OneHotEncoder(handle_unknown="ignore"), SVC()))
    explanation = predicts_alike(model.fit(rows, y), rows)
    assert explanation.shape == (120, 3)


@pytest.mark.parametrize("inside", [CalibratedClassifierCV(SVC(), cv=3), OneVsRestClassifier(SVC()),
                                    CalibratedClassifierCV(machine(), ensemble=False)], ids=str)
def test_steps_before_a_meta_estimator_are_explained_through(inside):
    model = make_pipeline(MinMaxScaler(), PowerTransformer(), PCA(5), inside).fit(X, Y)
    explanation = predicts_alike(model, X)
    assert explanation.shape == X.shape
    if isinstance(inside, OneVsRestClassifier):
        predicts_alike(make_pipeline(MinMaxScaler(), PCA(5), inside).fit(W, WY), W)


@pytest.mark.parametrize("method", ["sigmoid", "temperature"])
@pytest.mark.parametrize("inside", [LogisticRegression(), OneVsRestClassifier(SVC(gamma=0.1)), SVC()],
                         ids=lambda one: type(one).__name__)
def test_calibrations_of_more_classes_explain_the_largest_probability(inside, method):
    model = CalibratedClassifierCV(inside, cv=3, ensemble=False, method=method)
    try:
        model.fit(W, WY)
    except ValueError:
        pytest.skip(f"this scikit-learn has no method {method!r}")
    if method == "sigmoid" and isinstance(inside, SVC):  # Sigmoids of counted votes.
        assert "expected method='sigmoid'" in refusal_of(model, W)
        return
    rows = np.vstack([W, 0.5 * (W + W[::-1])])
    explanation = predicts_alike(model, rows)
    if method == "sigmoid":
        p = np.stack([one.predict(scores) for one, scores in zip(
            model.calibrated_classifiers_[0].calibrators,
            model.calibrated_classifiers_[0].estimator.decision_function(rows).T)])
        logit = np.log(p / (1.0 - p))
        pairs = explanation.positive_index, explanation.negative_index, np.arange(len(rows))
        np.testing.assert_allclose(explanation.output, logit[pairs[0], pairs[2]]
                                   - logit[pairs[1], pairs[2]], atol=1e-8)


def test_averages_refuse_what_needs_a_single_machine(tmp_path):
    explainer = bisector.Explainer(CalibratedClassifierCV(machine(), cv=3).fit(X, Y))
    assert "averaged machines" in repr(explainer) and explainer.measured is None
    assert list(explainer.classes) == [1, 0] and len(explainer.feature_names) == X.shape[1]
    for call in (lambda: explainer.save(tmp_path / "no.npz"), lambda: explainer.evidence(X[0]),
                 lambda: explainer.network(X[0]),
                 lambda: bisector.aufc(explainer, X[:5], background=X)):
        with pytest.raises(ValueError, match="averages 3 machines"):
            call()
    copy = pickle.loads(pickle.dumps(explainer))
    np.testing.assert_array_equal(copy(X).values, explainer(X).values)


def thresholds():
    selection = pytest.importorskip("sklearn.model_selection")
    if not hasattr(selection, "FixedThresholdClassifier"):
        pytest.skip("this scikit-learn has no thresholds")
    return selection


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("threshold", ["auto", -0.4, 0.7])
def test_thresholds_on_decision_values_shift_the_output(threshold, positive):
    model = thresholds().FixedThresholdClassifier(machine(), threshold=threshold, pos_label=positive,
                                                  response_method="decision_function").fit(X, Y)
    explanation = predicts_alike(model, X)
    f = model.estimator_.decision_function(X)
    moved = 0.0 if threshold == "auto" else threshold
    np.testing.assert_allclose(explanation.decision, f + (moved if positive == 0 else -moved),
                               atol=1e-9)


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("inside", [
    lambda: CalibratedClassifierCV(machine(), ensemble=False),
    lambda: CalibratedClassifierCV(machine(), cv=3),
    lambda: make_pipeline(StandardScaler(), SVC(probability=True, random_state=0)),
    lambda: make_pipeline(StandardScaler(), NuSVC(nu=0.1, probability=True, random_state=0)),
    lambda: make_pipeline(StandardScaler(), Nystroem(random_state=0), LogisticRegression()),
], ids=["calibrated", "ensemble", "SVC", "NuSVC", "LogisticRegression"])
def test_thresholds_on_probabilities_shift_the_output(inside, positive):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        model = thresholds().FixedThresholdClassifier(inside(), threshold=0.85, pos_label=positive)
        model.fit(X, Y)
    predicts_alike(model, X)
    assert np.any(model.predict(X) != model.estimator_.predict(X)), "the test shows nothing"


def test_tuned_thresholds_predict_as_scikit_learn():
    model = thresholds().TunedThresholdClassifierCV(machine(C=0.01), cv=3).fit(X, Y)
    predicts_alike(model, X)
    assert model.best_threshold_ != 0.0


@pytest.mark.parametrize("inside", [SVC(), machine(C=3.0), NuSVC(nu=0.2)], ids=str)
def test_one_versus_rest_predicts_as_scikit_learn(inside):
    model = OneVsRestClassifier(inside).fit(W, np.array(["a", "b", "c"])[WY])
    explanation = predicts_alike(model, W)
    f = model.decision_function(W)
    classes = list(model.classes_)
    for row, (one, other) in enumerate(zip(explanation.positive_class, explanation.versus)):
        assert explanation.decision[row] == pytest.approx(
            f[row, classes.index(one)] - f[row, classes.index(other)], abs=1e-9)
    predicts_alike(OneVsRestClassifier(inside).fit(X, np.array(["a", "b"])[Y]), X)


@pytest.mark.parametrize("inside", [
    KNeighborsClassifier(4), RadiusNeighborsClassifier(20.0, metric="manhattan"),
    make_pipeline(StandardScaler(), KNeighborsClassifier(3, weights="distance"))], ids=str)
def test_one_versus_rest_of_neighbors_predicts_as_scikit_learn(inside):
    """All rows agree, also ties, which go to the first class."""
    model = OneVsRestClassifier(inside).fit(W[::2], np.array(["a", "b", "c"])[WY[::2]])
    explanation = bisector.Explainer(model)(W)
    np.testing.assert_array_equal(explanation.prediction, model.predict(W))
    shares = model.predict_proba(W)  # normalized, which keeps their ratios
    index = {label: c for c, label in enumerate(model.classes_)}
    for row, (one, other) in enumerate(zip(explanation.positive_class, explanation.versus)):
        difference = shares[row, index[one]] - shares[row, index[other]]
        assert explanation.tie[row] or np.sign(explanation.g[row]) == np.sign(difference)


def test_one_versus_rest_of_different_neighbors_is_refused():
    model = OneVsRestClassifier(KNeighborsClassifier(4)).fit(W, WY)
    model.estimators_[1] = KNeighborsClassifier(5).fit(W, (WY == 1).astype(int))
    assert "members of different kinds" in refusal_of(model, W)


@pytest.mark.parametrize("weights", [None, [1.0, 0.0, 2.5]], ids=str)
def test_soft_votes_of_neighbors_predict_as_scikit_learn(weights):
    """Rows behind the same steps, of strings, with the sign and size of the mean shares."""
    model = VotingClassifier([(str(k), make_pipeline(StandardScaler(), KNeighborsClassifier(k)))
                              for k in (1, 4, 9)], voting="soft", weights=weights)
    model.fit(W[::2], np.array(["a", "b", "c"])[WY[::2]])
    explainer = bisector.Explainer(model)
    explanation, shares = explainer(W), model.predict_proba(W)
    sure = ~explanation.tie
    np.testing.assert_array_equal(explanation.prediction[sure], model.predict(W)[sure])
    index = {label: c for c, label in enumerate(model.classes_)}
    for row, (one, other) in enumerate(zip(explanation.positive_class, explanation.versus)):
        difference = shares[row, index[one]] - shares[row, index[other]]
        assert explanation.decision[row] == pytest.approx(difference, abs=1e-12)
    again = pickle.loads(pickle.dumps(explainer))(W)
    np.testing.assert_array_equal(again.values, explanation.values)


def test_soft_votes_of_neighbors_with_a_threshold_are_refused():
    members = [(str(k), KNeighborsClassifier(k)) for k in (3, 5)]
    model = thresholds().FixedThresholdClassifier(VotingClassifier(members, voting="soft"), threshold=0.3)
    with pytest.raises(ValueError, match="expected"):
        bisector.Explainer(model.fit(X, Y))


@pytest.mark.parametrize("members", [[KNeighborsRegressor(3), KNeighborsRegressor(8)],
                                     [SVR(gamma=0.1), SVR(gamma=0.1, C=5.0)]], ids=str)
def test_means_of_regressors_with_a_scaled_target_predict_as_scikit_learn(members):
    inside = VotingRegressor([(str(n), member) for n, member in enumerate(members)], weights=[1.0, 2.0])
    model = TransformedTargetRegressor(inside, transformer=StandardScaler()).fit(D, DY)
    explanation = bisector.Explainer(model)(D)
    sure = ~explanation.tie
    np.testing.assert_allclose(explanation.prediction[sure], model.predict(D)[sure], rtol=1e-9)


def test_one_versus_rest_of_different_machines_is_refused():
    model = OneVsRestClassifier(SVC()).fit(W, WY)
    model.estimators_[1] = SVC(gamma=3.0).fit(W, WY == 1)
    assert "machines of one kernel" in refusal_of(model, W)
    several = OneVsRestClassifier(SVC()).fit(W, np.column_stack([WY == 1, WY == 2]).astype(int))
    assert "several labels" in refusal_of(several, W)


@pytest.mark.parametrize("target", [StandardScaler(), MinMaxScaler((2, 5)), None], ids=str)
def test_linearly_transformed_targets_are_explained_in_the_unit_of_the_target(target):
    model = TransformedTargetRegressor(make_pipeline(StandardScaler(), SVR(C=10.0)),
                                       transformer=target).fit(D, DY)
    explainer = bisector.Explainer(model)
    np.testing.assert_allclose(explainer(D).prediction, model.predict(D), rtol=1e-9)
    assert explainer.settings["level"] == pytest.approx(DY.mean(), rel=0.1)
    level = bisector.Explainer(model, level=150.0)(D)
    np.testing.assert_array_equal(level.g > 0, model.predict(D) > 150.0)


def test_nonlinearly_transformed_targets_are_refused():
    model = TransformedTargetRegressor(SVR(), func=np.log1p, inverse_func=np.expm1).fit(D, DY)
    assert "not an increasing linear function" in refusal_of(model, D)


def test_wrappers_are_looked_through():
    predicts_alike(RFE(SVC(), n_features_to_select=4, step=0.5, importance_getter=_spread).fit(X, Y),
                   X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        predicts_alike(SelfTrainingClassifier(SVC(probability=True, random_state=0)).fit(
            X, np.where(np.arange(len(Y)) % 3, Y, -1)), X)
    regressor = RANSACRegressor(SVR(), random_state=0, min_samples=30).fit(D, DY)
    np.testing.assert_allclose(bisector.Explainer(regressor)(D).prediction, regressor.predict(D))


def _spread(model):
    return np.abs(model.support_vectors_).mean(axis=0)


def test_an_isotonic_calibration_is_a_threshold_on_f():
    model = CalibratedClassifierCV(SVC(), method="isotonic", ensemble=False).fit(X, Y)
    predicts_alike(model, X)
    steps = np.unique(model.predict_proba(X)[:, 1])  # a plateau of probabilities, and between two
    for threshold in (steps[len(steps) // 2], steps[1:3].mean(), 0.5):
        predicts_alike(thresholds().FixedThresholdClassifier(
            model, threshold=threshold, response_method="predict_proba").fit(X, Y), X)
    never = thresholds().FixedThresholdClassifier(model, threshold=-0.1).fit(X, Y)
    assert "never on one side of -0.1" in refusal_of(never, X)


def test_calibrations_without_a_common_threshold_are_refused():
    averaged = CalibratedClassifierCV(SVC(), method="isotonic", cv=3).fit(X, Y)
    assert "isotonic, 2 classes" in refusal_of(averaged, X)
    assert "3 classes" in refusal_of(CalibratedClassifierCV(SVC(), cv=3).fit(W, WY), W)


@pytest.mark.parametrize("positive", [0, 1])
@pytest.mark.parametrize("inside", [
    KNeighborsClassifier(5), KNeighborsClassifier(8, weights="distance", metric="manhattan"),
    RadiusNeighborsClassifier(30.0), make_pipeline(StandardScaler(), KNeighborsClassifier(7)),
    CalibratedClassifierCV(KNeighborsClassifier(9), cv=3, ensemble=False),
    CalibratedClassifierCV(KNeighborsClassifier(5), cv=3, ensemble=False, method="isotonic"),
], ids=["uniform", "distance", "radius", "pipeline", "sigmoid", "isotonic"])
def test_thresholds_on_votes_predict_as_scikit_learn(inside, positive):
    rows, y = X + 1e-3 * np.random.default_rng(0).normal(size=X.shape), Y
    at_a_share = 0.6 if positive == 1 else 1.0 - 0.6  # which votes of five reach, up to rounding
    moved = 0
    for threshold in (at_a_share, 0.8, 0.25, 0.97):
        model = thresholds().FixedThresholdClassifier(inside, threshold=threshold, pos_label=positive)
        explanation = bisector.Explainer(model.fit(rows[::2], y[::2]), method="lrp")(rows)
        np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
        signs = np.where(explanation.prediction == explanation.positive_class, 1, -1)
        np.testing.assert_array_equal(np.sign(explanation.g), signs)
        moved += np.sum(model.predict(rows) != model.estimator_.predict(rows))
    assert moved > 0, "the test shows nothing"


def test_thresholds_that_no_vote_reaches_are_refused():
    calibrated = CalibratedClassifierCV(KNeighborsClassifier(7), cv=3).fit(X, Y)
    assert "averages the probabilities of neighbors" in refusal_of(calibrated, X)
    never = thresholds().FixedThresholdClassifier(KNeighborsClassifier(7), threshold=1.5).fit(X, Y)
    with pytest.raises(ValueError, match="1.5, so that all rows get the same prediction"):
        bisector.Explainer(never)
