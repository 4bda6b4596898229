"""Base value, relevance and remainder add up to the output in every unit, for every estimator and
method. Also: rows far from the data, and the method that is taken by default."""

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import bisector
from bisector import _core

WINE, KINDS = CLASSIFICATION["wine"]()
DIABETES, TARGET = REGRESSION["diabetes"]()


def two_classes(model):
    return model.fit(WINE, KINDS == 1), WINE


def three_classes(model):
    return model.fit(WINE, KINDS), WINE


def regression(model):
    return model.fit(DIABETES[:150], TARGET[:150]), DIABETES[:150]


def encoded():
    rows = np.column_stack([np.round(WINE[:, 0]), WINE[:, 1:]])
    columns = make_column_transformer((OneHotEncoder(), [0]), (StandardScaler(), [1, 2, 3, 4]),
                                      remainder="drop")
    return make_pipeline(columns, SVC()).fit(rows, KINDS == 1), rows


MODELS = {
    "SVC": lambda: two_classes(SVC()),
    "SVC of three classes": lambda: three_classes(SVC()),
    "NuSVC": lambda: two_classes(NuSVC(nu=0.2)),
    "OneClassSVM": lambda: two_classes(OneClassSVM(nu=0.3)),
    "KNN": lambda: two_classes(KNeighborsClassifier(5)),
    "KNN of three classes": lambda: three_classes(KNeighborsClassifier(4)),
    "NearestCentroid": lambda: three_classes(NearestCentroid()),
    "KMeans": lambda: three_classes(KMeans(3, n_init=2, random_state=0)),
    "SVR": lambda: regression(SVR(C=50.0)),
    "NuSVR": lambda: regression(NuSVR(C=10.0)),
    "KernelRidge": lambda: regression(KernelRidge(kernel="rbf", gamma=0.1)),
    "GP": lambda: regression(GaussianProcessRegressor(RBF(3.0) + WhiteKernel(0.1), optimizer=None,
                                                      normalize_y=True)),
    "encoder": encoded,
    "PCA": lambda: two_classes(make_pipeline(PCA(4), SVC())),
}
BY_DISTANCE = ("KNN", "KNN of three classes", "NearestCentroid", "KMeans")
NOT_DEFINED = [*((kind, method) for kind in BY_DISTANCE
                 for method in ("gi", "ig", "sensitivity", "shapley-exact")),
               ("PCA", "shapley-exact")]
EXPLAINABLE = [(kind, method) for kind in MODELS for method in _core.methods()
               if (kind, method) not in NOT_DEFINED]
UNITS = ("g", "decision", "share")


def total(explanation):
    return explanation.base_values + explanation.values.sum(axis=-1) + explanation.remainder


def one_per_contrast(explanation, values):
    """Whether `values` are equal for all rows of a pair of classes."""
    pairs = np.char.add(explanation.positive_class.astype(str), explanation.versus.astype(str))
    return all(np.ptp(values[pairs == pair]) == 0.0 for pair in np.unique(pairs))


def require_equal_factors(values, reference):
    """Each row's values are those of `reference` times one positive factor per sign, which keeps
    signs and, within each sign, the order."""
    np.testing.assert_array_equal(np.sign(values), np.sign(reference))
    for sign in (1.0, -1.0):
        of_sign = np.where(np.sign(reference) == sign, np.abs(reference), 0.0)
        found = np.where(np.sign(values) == sign, np.abs(values), 0.0)
        whole = of_sign.sum(axis=1)
        factor = np.divide(found.sum(axis=1), whole, out=np.zeros(len(whole)), where=whole > 0.0)
        np.testing.assert_allclose(found, of_sign * factor[:, None], rtol=1e-9)


@pytest.mark.parametrize("kind, method", EXPLAINABLE)
def test_every_method_adds_up_in_every_unit(kind, method):
    model, X = MODELS[kind]()
    # Per level: percentages of a column with several levels may have different signs.
    in_g, in_decision, in_share = (
        bisector.Explainer(model, method=method, unit=unit)(X[:60], per_level=True)
        for unit in UNITS)
    on_g = in_g.method.startswith("lrp") or method == "neighborhood"
    explained = in_g.g if on_g else in_g.decision
    np.testing.assert_allclose(in_g.output, explained, rtol=1e-9, atol=1e-12)
    output = in_g.prediction if in_g.classes is None else in_g.decision
    np.testing.assert_allclose(in_decision.output, output, rtol=1e-9, atol=1e-12)
    assert one_per_contrast(in_decision, in_decision.base_values)
    assert not np.any(in_share.base_values)
    parts = np.abs(in_share.values).sum(axis=1) + np.abs(in_share.remainder)
    np.testing.assert_allclose(parts[parts > 0.0], 100.0)
    assert np.mean(parts > 0.0) > 0.8
    for unit, explanation in zip(UNITS, (in_g, in_decision, in_share)):
        assert explanation.unit == unit
        scale = 1.0 + np.abs(explanation.values).max()
        np.testing.assert_array_equal(explanation.g, in_g.g)
        np.testing.assert_array_equal(explanation.correction, in_g.correction)
        np.testing.assert_allclose(total(explanation), explanation.output, atol=1e-9 * scale)
        require_equal_factors(explanation.values, in_g.values)
    if on_g:
        return
    # These methods explain the model's own output: only the level is added to the base value.
    np.testing.assert_array_equal(in_decision.values, in_g.values)
    np.testing.assert_allclose(in_decision.remainder, in_g.remainder, atol=1e-9 * scale)
    np.testing.assert_allclose(in_decision.base_values - in_g.base_values,
                               in_g.level or 0.0, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", MODELS)
def test_the_base_value_is_the_mean_output_over_the_background(kind):
    model, X = MODELS[kind]()
    explainer = bisector.Explainer(model, X, method="lrp-path")
    explanation = explainer(X)
    pairs = np.char.add(explanation.positive_class.astype(str), explanation.versus.astype(str))
    if len(np.unique(pairs)) == 1:  # the output of every row is then known
        np.testing.assert_allclose(explanation.base_values, explanation.output.mean(), rtol=1e-9,
                                   atol=1e-12)
    assert one_per_contrast(explanation, explanation.base_values)


@pytest.mark.parametrize("view", [None, "model", "data"])
@pytest.mark.parametrize("kind", MODELS)
def test_the_default_method_is_the_one_in_the_settings(kind, view):
    model, X = MODELS[kind]()
    explainer = bisector.Explainer(model, view=view)
    settings = explainer.settings
    assert settings["method"] == explainer.method in ("lrp", "lrp-path", "lrp-expected",
                                                          "shapley-exact")
    assert settings["reason"] not in ("", "asked for")
    blends = view == "data" and kind != "OneClassSVM"  # one class has no neighbors of another
    assert (settings.get("neighborhood", 0.0) > 0.0) == blends
    parameters = ("eta", "path_steps", "references", "side", "neighborhood")
    by_name = bisector.Explainer(model, method=explainer.method, **{
        name: settings[name] for name in parameters if name in settings})
    assert by_name.settings["reason"] == "asked for"
    np.testing.assert_array_equal(by_name(X[:20]).values, explainer(X[:20]).values)
    assert explainer(X[:20]).method == explainer.method


def test_a_parameter_of_the_lrp_rule_selects_that_rule():
    model, X = MODELS["SVC"]()
    for parameter in ({"eta": 0.3}, {"beta": 0.5}, {"ignore_intercept": True}):
        short, long = bisector.Explainer(model, **parameter), bisector.Explainer(
            model, method="lrp", **parameter)
        assert short.settings == long.settings and short.method == "lrp"
        np.testing.assert_array_equal(short(X).values, long(X).values)


def test_the_methods_of_the_regressors_have_many_references():
    for kind in ("SVR", "KernelRidge", "GP"):
        explainer = bisector.Explainer(MODELS[kind]()[0])
        assert (explainer.method, explainer.settings["references"]) == ("shapley-exact", 60)
        expected = bisector.Explainer(MODELS[kind]()[0], method="lrp-expected").settings
        assert (expected["references"], expected["side"]) == (60, "all")


def test_shapley_values_of_regressors_add_up():
    X = np.random.default_rng(3).normal(size=(120, 4))
    model = KernelRidge(kernel="rbf", gamma=2.0, alpha=0.1).fit(X, X[:, 0] + X[:, 1] ** 2)
    explainer = bisector.Explainer(model)
    assert explainer.method == "shapley-exact" and "exact Shapley" in explainer.settings["reason"]
    explanation = explainer(X[:10])
    assert len(set(explanation.base_values.tolist())) == 1
    np.testing.assert_allclose(explanation.base_values + explanation.values.sum(axis=1),
                               model.predict(X[:10]), atol=1e-9)
    assert len(explainer.evidence(X[0], 3)) == 3


@pytest.mark.parametrize("kind", ["SVC", "SVR", "OneClassSVM", "KernelRidge", "KNN"])
def test_base_values_in_g_are_the_mean_g_over_the_references(kind):
    model, X = MODELS[kind]()
    X = X[:20]
    paper = bisector.Explainer(model, method="lrp", unit="g")
    assert np.all(paper(X).base_values == 0.0) and paper.expected_value == 0.0
    path = bisector.Explainer(model, method="lrp-path", unit="g")
    reference = np.array(path.settings["reference"])[None, :]
    np.testing.assert_allclose(path(X).base_values, paper(reference).g[0], atol=1e-9)
    assert path.expected_value == path(X).base_values[0]
    g = paper(X).g
    above, below = g[g > 0], g[g <= 0]
    # With this many references, every row of a side is used equally often in any order.
    count = 2 * len(above) * len(below)
    assert count > 0
    wanted = {"all": g.mean(), "both": (above.mean() + below.mean()) / 2,
              "other": np.where(g > 0, below.mean(), above.mean())}
    for side, base in wanted.items():
        explainer = bisector.Explainer(model, method="lrp-expected", background=X, side=side,
                                       unit="g", references=len(X) if side == "all" else count)
        np.testing.assert_allclose(explainer(X).base_values, np.broadcast_to(base, len(X)),
                                   rtol=1e-9)


@pytest.mark.parametrize("method", ["gi", "ig", "sensitivity", "occlusion", "shapley",
                                    "shapley-exact"])
def test_the_base_value_of_a_baseline_is_f_at_the_reference(method):
    model, X = MODELS["SVC"]()
    explainer = bisector.Explainer(model, method=method, reference=X[7])
    f = model.decision_function(X)
    explanation = explainer(X)
    np.testing.assert_allclose(explanation.base_values, f[7], atol=1e-9)
    assert explainer.expected_value == explanation.base_values[0]
    np.testing.assert_allclose(explanation.remainder, f - f[7] - explanation.values.sum(axis=1),
                               atol=1e-9)
    if method.startswith("shapley"):
        np.testing.assert_allclose(explanation.remainder, 0.0, atol=1e-9)


@pytest.mark.parametrize("kind", ["SVC", "SVC of three classes",
                         "OneClassSVM", "SVR", "KernelRidge"])
def test_the_expected_path_rule_has_no_remainder_for_kernel_machines(kind):
    model, X = MODELS[kind]()
    in_decision = bisector.Explainer(model, method="lrp-expected")(X)
    assert np.abs(in_decision.remainder).max() < 1e-9 * np.abs(in_decision.output).max()
    explanation = bisector.Explainer(model, method="lrp-expected", unit="g")(X)
    assert np.abs(explanation.remainder).max() < 1e-9 * np.abs(explanation.g).max()
    # The correction is in the relevance, and most of the sum is not from it.
    assert 0.0 < np.abs(explanation.correction).mean() < 0.2 * np.abs(explanation.values).sum(
        axis=1).mean()


@pytest.mark.parametrize("kind", MODELS)
def test_rows_far_from_the_data_are_flagged_as_outside(kind):
    model, X = MODELS[kind]()
    explainer = bisector.Explainer(model, method="lrp", background=X)
    inside = explainer(X)
    assert inside.outside.dtype == bool and not inside.outside.any()
    far = X.copy()
    far[::2, 1:] += 1000.0
    if kind == "PCA":  # along what the components see
        far[::2] = X[::2] + 1000.0 * model[0].components_[0]
    found = explainer(far)
    np.testing.assert_array_equal(found.outside, np.arange(len(X)) % 2 == 0)
    np.testing.assert_array_equal(found[1:4].outside, found.outside[1:4])
    assert bool(found[0].outside) is True


@pytest.mark.parametrize("remainder", [None, False])
def test_shap_explanations_add_up_to_the_output(remainder):
    pytest.importorskip("shap")
    model, X = MODELS["SVC"]()
    explanation = bisector.Explainer(model, method="lrp", unit="decision")(X)
    assert np.abs(explanation.remainder).max() > 0.01
    theirs = explanation.to_shap(remainder)
    np.testing.assert_array_equal(theirs.base_values, explanation.base_values)
    left = explanation.remainder if remainder is False else 0.0
    np.testing.assert_allclose(theirs.base_values + theirs.values.sum(axis=1),
                               explanation.decision - left, atol=1e-9)
    assert (theirs.feature_names[-1] == "not explained") == (remainder is None)
