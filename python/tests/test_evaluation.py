"""AUFC and pixel flipping: for models, for functions, with given relevance."""

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import bisector

X, Y = CLASSIFICATION["breast cancer"]()
TRAIN, TEST = X[:250], X[250:330]
MODEL = SVC().fit(TRAIN, Y[:250])


def test_aufc_is_a_float_with_a_standard_error():
    explainer = bisector.Explainer(MODEL)
    found = bisector.aufc(explainer, TEST, background=TRAIN)
    assert isinstance(found, float) and -1.0 < found < 1.0
    assert found.standard_error > 0 and len(found.values) == len(found.rows) == len(TEST)
    assert found == pytest.approx(found.values.mean())


def test_relevance_is_better_than_random_and_reversed_orders():
    explanation = bisector.Explainer(MODEL)(TEST).for_predicted()
    noise = np.random.default_rng(0).normal(size=TEST.shape)
    found = bisector.aufc(MODEL, TEST, background=TRAIN, donors="same", relevance={
        "lrp": explanation.values, "turned": -explanation.values, "random": noise})
    assert found["lrp"] < found["random"] < found["turned"]
    own = bisector.aufc(MODEL, TEST, background=TRAIN, donors="same")
    assert own == found["lrp"] == bisector.aufc(MODEL, TEST, background=TRAIN, donors="same",
                                                relevance=bisector.Explainer(MODEL)(TEST))
    assert [found["lrp"].to_best, found["lrp"].to_best_standard_error] == [0.0, 0.0]
    difference = found["random"].values - found["lrp"].values
    assert found["random"].to_best == pytest.approx(difference.mean())
    assert found["random"].to_best_standard_error == \
        pytest.approx(difference.std(ddof=1) / np.sqrt(len(TEST)))


def test_curves_start_at_one_and_average_to_the_aufc():
    flipping = bisector.pixel_flipping(MODEL, TEST, background=TRAIN, max_rows=30, samples=20)
    assert flipping.removed[0] == 0 and np.all(flipping.mean_curve[:1] == 1.0)
    assert flipping.curves.shape == (30, len(flipping.removed))
    np.testing.assert_allclose(flipping.curves.mean(axis=0), flipping.mean_curve)
    width = flipping.removed[-1] - flipping.removed[0]
    area = np.sum((flipping.curves[:, 1:] + flipping.curves[:, :-1]) / 2
                  * np.diff(flipping.removed), axis=1)
    np.testing.assert_allclose(flipping.aufc.values, area / width)
    assert list(flipping.aufc.rows) == sorted(set(flipping.aufc.rows))


def test_a_function_and_its_model_have_the_same_aufc():
    """In the same space (every deviation is one) the draws and the decisions are the same."""
    train = (TRAIN - TRAIN.mean(axis=0)) / TRAIN.std(axis=0)
    model = SVC().fit(train, Y[:250])
    relevance = bisector.Explainer(model)(TEST).for_predicted().values
    options = {"background": train, "relevance": relevance, "donors": "same"}
    by_model = bisector.aufc(model, TEST, **options)
    by_value = bisector.aufc(model.decision_function, TEST, **options)
    by_label = bisector.aufc(model.predict, TEST, **options)
    assert by_value == pytest.approx(by_model, abs=1e-12) == by_label


def test_functions_need_a_relevance():
    for method in ("occlusion", None):
        with pytest.raises(ValueError, match=r"expected relevance=.*shap.PermutationExplainer"):
            bisector.aufc(MODEL.decision_function, TEST, method=method)
    with pytest.raises(ValueError, match="3 rows, expected 80"):
        bisector.aufc(MODEL, TEST, relevance=np.zeros((3, 30)))


@pytest.mark.parametrize("model", [
    make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    make_pipeline(StandardScaler(), PCA(6), SVC()),
], ids=["KNN", "PCA"])
def test_pipelines_are_evaluated(model):
    model.fit(TRAIN, Y[:250])
    frame = pd.DataFrame(TEST)
    explainer = bisector.Explainer(model)
    found = bisector.aufc(explainer, frame, background=pd.DataFrame(TRAIN), max_rows=40, samples=10)
    turned = bisector.aufc(explainer, frame, background=pd.DataFrame(TRAIN), max_rows=40,
                           samples=10, relevance=-explainer(frame).for_predicted().values)
    assert found < turned


def test_predictions_of_regressors_change_at_the_level():
    data, target = REGRESSION["diabetes"]()
    explainer = bisector.Explainer(SVR(C=50.0).fit(data, target), level=150.0)
    assert bisector.aufc(explainer, data, max_rows=40, samples=10) < 0.9


def test_methods_are_compared_on_the_same_draws():
    explainer = bisector.Explainer(MODEL)
    assert bisector.aufc(explainer, TEST, background=TRAIN, method="gi", max_rows=30) == \
        bisector.aufc(bisector.Explainer(MODEL, method="gi"), TEST, background=TRAIN, max_rows=30)


def test_disjoint_donors_are_hidden_from_the_rules():
    """The rules see one half of the background, and the other half imputes."""
    split = bisector._core.split_donors(len(TRAIN), None, 2)
    rule, donors = np.asarray(split.rule), np.asarray(split.imputation)
    assert sorted([*rule, *donors]) == list(range(len(TRAIN)))
    found = bisector.aufc(bisector.Explainer(MODEL, reference="mean"), TEST, background=TRAIN,
                          seed=2)
    assert found.donors == "disjoint"
    explained = bisector.Explainer(MODEL, reference="mean", background=TRAIN[rule])(TEST)
    assert found == bisector.aufc(MODEL, TEST, background=TRAIN[donors], relevance=explained,
                                  seed=2, donors="same")
    # A background of the explainer's own loses the donor rows.
    assert found == bisector.aufc(bisector.Explainer(MODEL, reference="mean", background=TRAIN),
                                  TEST, background=TRAIN, seed=2)
    few = bisector.aufc(MODEL, TEST, background=TRAIN[:60])
    assert few.donors == "same"
    with pytest.raises(ValueError, match="60 rows, expected at least 100"):
        bisector.aufc(MODEL, TEST, background=TRAIN[:60], donors="disjoint")
    with pytest.raises(ValueError, match='donors is "other", expected "disjoint" or "same"'):
        bisector.aufc(MODEL, TEST, background=TRAIN, donors="other")
    by_function = bisector.aufc(MODEL.decision_function, TEST, background=TRAIN,
                                relevance=np.ones(TEST.shape), max_rows=10, samples=10)
    assert by_function.donors == "disjoint"


def test_imputers_are_supported():
    found = {imputer: bisector.aufc(MODEL, TEST, background=TRAIN, imputer=imputer, max_rows=20)
             for imputer in ("conditional", "marginal", "mean")}
    assert len(set(found.values())) == 3
    curves = bisector.pixel_flipping(MODEL, TEST, background=TRAIN, imputer="mean", max_rows=20)
    assert set(np.unique(curves.curves)) <= {-1.0, 1.0}
    with pytest.raises(ValueError, match='expected "conditional", "marginal" or "mean"'):
        bisector.aufc(MODEL, TEST, imputer="median")


def test_parameters_are_passed_to_the_methods_that_have_them():
    options = {"background": TRAIN, "max_rows": 20, "samples": 10}
    found = bisector.aufc(MODEL, TEST, method=["lrp", "lrp-path", "random"], eta=0.9, path_steps=2,
                          **options)
    assert found["lrp"] == bisector.aufc(bisector.Explainer(MODEL, method="lrp", eta=0.9), TEST,
                                         **options)
    assert found["lrp-path"] == bisector.aufc(
        bisector.Explainer(MODEL, method="lrp-path", eta=0.9, path_steps=2), TEST, **options)
    with pytest.raises(ValueError, match="eta is a parameter of lrp, .* not of gi"):
        bisector.aufc(MODEL, TEST, method=["gi", "random"], eta=0.9, **options)
    with pytest.raises(ValueError, match=r"without method=\.\.\.: give it to Explainer"):
        bisector.aufc(MODEL, TEST, eta=0.9, **options)
    with pytest.raises(TypeError, match="'bandwidth'"):
        bisector.aufc(MODEL, TEST, bandwidth=3, **options)


def test_the_method_of_an_explainer_keeps_its_parameters():
    explainer = bisector.Explainer(MODEL, view="data")
    own = bisector.aufc(explainer, TEST, background=TRAIN, max_rows=30)
    assert own == bisector.aufc(explainer, TEST, background=TRAIN, max_rows=30, method="auto")
    by_name = bisector.aufc(explainer, TEST, background=TRAIN, max_rows=30, method=explainer.method)
    assert by_name == bisector.aufc(bisector.Explainer(MODEL, method=explainer.method), TEST,
                                    background=TRAIN, max_rows=30) != own
