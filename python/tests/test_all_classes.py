"""classes="all": each class against the rest, with one base value for each class."""

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import bisector

X, Y = CLASSIFICATION["wine"]()
LABELS = np.array(["a", "b", "c"])[Y]
MODELS = {
    "SVC": SVC(), "neighbors": KNeighborsClassifier(5), "centroids": NearestCentroid(),
    "weighted neighbors": KNeighborsClassifier(5, weights="distance"),
    "logistic regression": LogisticRegression(), "clusters": KMeans(3, n_init=1, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_values_have_an_axis_of_classes_and_add_up(name):
    model = make_pipeline(StandardScaler(), MODELS[name]).fit(X, LABELS)
    explainer, rows = bisector.Explainer(model, X), X[::9]  # Rows of all classes.
    explanation = explainer(rows, classes="all")
    assert explanation.shape == (20, 13, 3) and explanation.output.shape == (20, 3)
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, atol=1e-8)
    np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
    assert np.all(np.isfinite(explanation.values))
    np.testing.assert_allclose(explainer.expected_value + explainer.shap_values(rows).sum(axis=1),
                               explanation.output, atol=1e-8)


def test_the_sum_over_pairs_is_the_sum_of_the_decision_values():
    model = SVC(decision_function_shape="ovo").fit(X, LABELS)
    explanation = bisector.Explainer(model, X, unit="decision")(X, classes="all")
    ab, ac, bc = model.decision_function(X).T
    wanted = np.column_stack([ab + ac, bc - ab, -ac - bc])
    sure = ~explanation.tie
    np.testing.assert_allclose(explanation.output[sure], wanted[sure], atol=1e-8)


def test_neighbors_explain_the_votes_of_a_class_against_all_others():
    model = KNeighborsClassifier(5).fit(X, LABELS)
    explanation = bisector.Explainer(model, X, unit="decision")(X, classes="all")
    shares = model.predict_proba(X)
    sure = ~explanation.tie & (np.abs(explanation.output) > 1e-9).all(axis=1)
    np.testing.assert_array_equal(np.sign(explanation.output[sure]), np.sign(shares - 0.5)[sure])


def test_a_linear_model_explains_the_decision_value_of_each_class():
    model = LogisticRegression(max_iter=1000).fit(X, LABELS)
    explanation = bisector.Explainer(model, X, unit="decision")(X, classes="all")
    np.testing.assert_allclose(explanation.output, model.decision_function(X), atol=1e-8)


@pytest.mark.parametrize("model", [SVC(), KNeighborsClassifier(5), GaussianProcessClassifier(
    optimizer=None)], ids=lambda one: type(one).__name__)
def test_two_classes_have_opposite_values(model):
    explainer = bisector.Explainer(model.fit(X, LABELS == "b"), X)
    explanation, one = explainer(X[:9], classes="all"), explainer(X[:9])
    np.testing.assert_array_equal(explanation.values[..., 1], one.values)
    np.testing.assert_array_equal(explanation.values[..., 0], -one.values)
    assert explanation.output_names == ["False", "True"]


def test_averaged_machines_explain_both_classes():
    model = CalibratedClassifierCV(SVC(), cv=3).fit(X, LABELS == "b")
    explanation = bisector.Explainer(model, X)(X[:9], classes="all")
    np.testing.assert_allclose(explanation.output, model.predict_proba(X[:9]) - 0.5, atol=1e-9)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X[:9]))
    with pytest.raises(ValueError, match="all classes need the unit decision"):
        bisector.Explainer(model, X, unit="share")(X[:9], classes="all")


@pytest.mark.parametrize("output, sums_to", [("probability", 1.0), ("logit", 0.0)])
def test_probabilities_of_two_classes_add_up(output, sums_to):
    labels = np.where(LABELS == "b", "yes", "no")
    model = LogisticRegression().fit(X, labels)
    explanation = bisector.Explainer(model, X, output=output)(X[:9], classes="all")
    probabilities = model.predict_proba(X[:9])
    wanted = probabilities if output == "probability" else np.log(probabilities
                                                                  / (1 - probabilities))
    np.testing.assert_allclose(explanation.output, wanted, atol=1e-8)
    np.testing.assert_allclose(explanation.base_values.sum(axis=1), sums_to, atol=1e-12)
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, atol=1e-8)
    np.testing.assert_array_equal(explanation.prediction, model.predict(X[:9]))
    assert explanation.output_names == ["no", "yes"]


@pytest.mark.parametrize("per_level", [False, True])
def test_sparse_rows_and_one_hot_columns_are_explained(per_level):
    front = make_pipeline(OneHotEncoder(), KNeighborsClassifier(5))
    rows = np.round(X[:, :2])
    front.fit(rows, LABELS)
    explanation = bisector.Explainer(front)(rows, classes="all", per_level=per_level)
    count = len(front[0].get_feature_names_out()) if per_level else 2
    assert explanation.shape == (len(X), count, 3)
    sparse = front[0].transform(rows)
    inside = bisector.Explainer(front[1])(sparse, classes="all")
    np.testing.assert_allclose(inside.values.sum(axis=1), explanation.values.sum(axis=1), atol=1e-9)
    np.testing.assert_array_equal(inside.prediction, explanation.prediction)


def test_other_units_than_decision_are_refused():
    explainer = bisector.Explainer(SVC().fit(X, LABELS), unit="g")
    with pytest.raises(ValueError, match="all classes need the unit decision"):
        explainer(X[:3], classes="all")


SMOOTH = make_pipeline(StandardScaler(), Normalizer(), SVC())


@pytest.mark.parametrize("model", [
    *MODELS.values(), *(make_pipeline(StandardScaler(), one) for one in MODELS.values()), SMOOTH],
    ids=str)
@pytest.mark.filterwarnings("ignore")
def test_the_interface_of_shap_adds_up_to_the_output_of_every_class(model):
    explainer = bisector.Explainer(model.fit(X, LABELS), X)
    values, base = explainer.shap_values(X[::4]), explainer.expected_value
    assert values.shape == (len(X[::4]), 13, 3) and base.shape == (3,)
    whole = explainer(X[::4], classes="all")
    np.testing.assert_allclose(values.sum(axis=1) + base, whole.output, rtol=1e-9, atol=1e-9)
    explained = np.abs(whole.remainder) <= 1e-12
    for row, of_class in zip(*np.nonzero(explained)):
        np.testing.assert_allclose(values[row, :, of_class], whole.values[row, :, of_class],
                                   rtol=0, atol=1e-11)


def test_a_chosen_class_and_two_classes_have_one_base_value():
    chosen = bisector.Explainer(SVC().fit(X, LABELS), X, positive_class="b", versus="a")
    two = bisector.Explainer(SVC().fit(X, LABELS == "a"), X)
    for explainer in (chosen, two):
        np.testing.assert_array_equal(explainer.shap_values(X[:5]), explainer(X[:5]).values)
        assert explainer.expected_value == pytest.approx(explainer(X[:5]).base_values[0])


def test_explanations_of_all_classes_can_be_indexed_and_passed_to_shap():
    shap = pytest.importorskip("shap")
    explanation = bisector.Explainer(SVC().fit(X, LABELS), X)(X[:20], classes="all")
    part = explanation[2:8, ["x2", "x5"], "b"]
    np.testing.assert_array_equal(part.values, explanation.values[2:8, [1, 4], 1])
    assert part.positive_class[0] == "b" and part.versus == "the rest"
    np.testing.assert_array_equal(explanation[3].values, explanation.values[3])
    np.testing.assert_array_equal(explanation[..., 2].values, explanation.values[..., 2])
    theirs = explanation.to_shap()
    assert isinstance(theirs, shap.Explanation) and theirs.shape == (20, 13, 3)
    np.testing.assert_array_equal(theirs[..., 1].values, explanation.values[..., 1])
    assert list(theirs.output_names) == ["a", "b", "c"]


def test_regressors_and_a_chosen_class_are_refused():
    rows, targets = REGRESSION["diabetes"]()
    with pytest.raises(ValueError, match="expected a classifier"):
        bisector.Explainer(SVR().fit(rows, targets))(rows, classes="all")
    with pytest.raises(ValueError, match="expected one of the two"):
        bisector.Explainer(SVC().fit(X, LABELS), positive_class="a")(X, classes="all")
    with pytest.raises(ValueError, match='classes is "some"'):
        bisector.Explainer(SVC().fit(X, LABELS))(X, classes="some")
