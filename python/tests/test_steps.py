"""Steps in front of a model, of every kind that people have: the library predicts as the pipeline
does, about the columns of the table, and the relevance is that of the model behind the step."""

import pickle

import numpy as np
import pandas as pd
import pytest
from advice import followed
from datasets import CLASSIFICATION
from sklearn import feature_selection as fs
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import (PCA, FactorAnalysis, FastICA, IncrementalPCA, SparsePCA,
                                   TruncatedSVD)
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import (Binarizer, FunctionTransformer, KBinsDiscretizer, MaxAbsScaler,
                                   MinMaxScaler, OneHotEncoder, OrdinalEncoder,
                                   PolynomialFeatures, PowerTransformer, QuantileTransformer,
                                   SplineTransformer, StandardScaler)
from sklearn.random_projection import GaussianRandomProjection, SparseRandomProjection
from sklearn.svm import SVC

import bisector

X, Y = CLASSIFICATION["breast cancer"]()
POSITIVE = X - X.min(axis=0) + 0.5

LINEAR = [TruncatedSVD(5), IncrementalPCA(4, whiten=True), PCA(6), LinearDiscriminantAnalysis(),
          NeighborhoodComponentsAnalysis(3, max_iter=5), FastICA(4, random_state=0),
          FactorAnalysis(3), SparsePCA(3, max_iter=10), GaussianRandomProjection(7, random_state=0),
          SparseRandomProjection(7, random_state=0), PolynomialFeatures(1),
          FunctionTransformer(lambda rows: 3.0 * rows[:, ::2] - 1.0),
          FunctionTransformer(lambda rows: np.cumsum(rows, axis=1))]
SELECTORS = [fs.SelectKBest(k=4), fs.SelectPercentile(percentile=30), fs.SelectFpr(), fs.SelectFdr(),
             fs.SelectFwe(), fs.GenericUnivariateSelect(mode="k_best", param=3),
             fs.VarianceThreshold(0.01), fs.SelectFromModel(ExtraTreesClassifier(5,
             random_state=0)), fs.RFE(LogisticRegression(), n_features_to_select=5, step=0.5),
             fs.RFECV(LogisticRegression(), step=0.5, cv=2),
             fs.SequentialFeatureSelector(KNeighborsClassifier(3), n_features_to_select=1, cv=2)]
COLUMN_WISE = [PowerTransformer(), QuantileTransformer(n_quantiles=50), KBinsDiscretizer(),
               KBinsDiscretizer(encode="ordinal"), SplineTransformer(), Binarizer(threshold=1.0),
               MinMaxScaler(clip=True), FunctionTransformer(np.log1p), FunctionTransformer(np.sqrt),
               FunctionTransformer(lambda rows: np.hstack([rows, rows**2])),
               FunctionTransformer(lambda rows: np.clip(rows, 0.5, 2.0))]


def name(value):
    return type(value).__name__


def explained_as_predicted(model, rows, **options):
    explanation = bisector.Explainer(model, **options)(rows)
    np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
    assert explanation.shape == rows.shape
    np.testing.assert_allclose(
        explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder,
        explanation.output, atol=1e-9 * np.abs(explanation.output).max())
    return explanation


@pytest.mark.parametrize("step", [*LINEAR, *SELECTORS], ids=name)
@pytest.mark.parametrize("scaler", ["passthrough", MaxAbsScaler()],
                         ids=["alone", "behind a scaler"])
def test_linear_steps_and_selectors_are_explained_through(step, scaler):
    explained_as_predicted(make_pipeline(scaler, step, SVC(gamma=0.05)).fit(X, Y), X)


@pytest.mark.parametrize("step", COLUMN_WISE, ids=name)
def test_column_wise_steps_are_explained_through(step):
    """The relevance is computed on the outputs of the step and belongs to the column."""
    model = make_pipeline(step, StandardScaler(with_mean=False), SVC(gamma=0.05)).fit(POSITIVE, Y)
    # The default method depends on the number of columns, which a step may change.
    found = explained_as_predicted(model, POSITIVE, method="lrp-path")
    np.testing.assert_array_equal(found.data, POSITIVE)
    made = model[:1].transform(POSITIVE)
    made = made.toarray() if hasattr(made, "toarray") else made
    inner = bisector.Explainer(model[1:], method="lrp-path")(made)
    per_level = bisector.Explainer(model, method="lrp-path")(POSITIVE, per_level=True)
    np.testing.assert_allclose(per_level.values, inner.values, atol=1e-9)
    assert per_level.data.shape == made.shape
    np.testing.assert_allclose(found.values.sum(axis=1), inner.values.sum(axis=1), atol=1e-8)


def test_relevance_of_an_output_belongs_to_its_own_column():
    rows = POSITIVE[:, :4]
    made = FunctionTransformer(lambda part: np.hstack([part**2, part]))
    model = make_pipeline(made, SVC(gamma=0.05)).fit(rows, Y)
    inner = bisector.Explainer(model[1:])(model[:1].transform(rows)).values
    np.testing.assert_allclose(bisector.Explainer(model)(rows).values, inner[:, :4] + inner[:, 4:],
                               atol=1e-10)


@pytest.fixture
def holes():
    rows = X[:, :8].copy()
    rows[np.random.default_rng(0).random(rows.shape) < 0.1] = np.nan
    return rows


@pytest.mark.parametrize("imputer", [
    SimpleImputer(), SimpleImputer(strategy="median", add_indicator=True), KNNImputer(),
    SimpleImputer(strategy="constant", fill_value=-
    7.0), KNNImputer(n_neighbors=3, add_indicator=True),
    make_union(SimpleImputer(), MissingIndicator())], ids=str)
@pytest.mark.parametrize("scaler", ["passthrough", StandardScaler()], ids=["alone", "scaled"])
def test_imputers_are_supported(imputer, scaler, holes):
    model = make_pipeline(scaler, imputer, StandardScaler(), SVC()).fit(holes, Y)
    explanation = explained_as_predicted(model, holes)
    np.testing.assert_array_equal(explanation.data, holes)  # with its holes
    inner = bisector.Explainer(model[-1])(model[:-1].transform(holes))
    np.testing.assert_allclose(explanation.values.sum(axis=1), inner.values.sum(axis=1), atol=1e-8)


def test_an_imputer_of_an_empty_column_is_explained_through():
    rows = X[:, :3].copy()
    rows[:, 1] = np.nan
    model = make_pipeline(SimpleImputer(), SVC()).fit(rows, Y)
    explanation = explained_as_predicted(model, rows)
    assert not np.any(explanation.values[:, 1])
    used = explanation.values[:, [0, 2]]
    np.testing.assert_allclose(
        used, bisector.Explainer(model[-1])(rows[:, [0, 2]]).values, atol=1e-10)


def test_the_iterative_imputer_is_explained_through(holes):
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    model = make_pipeline(IterativeImputer(max_iter=2, add_indicator=True), SVC()).fit(holes, Y)
    explained_as_predicted(model, holes)


def test_a_table_with_missing_values_text_and_skewed_columns_is_explained():
    """Missing numbers and text, free text, and a skewed column."""
    generator = np.random.default_rng(1)
    n = 200
    table = pd.DataFrame({
        "age": generator.normal(40, 10, n), "income": generator.lognormal(8, 1, n),
        "town": generator.choice(["Bonn", "Ulm", "Jena"], n),
        "remark": generator.choice(["pays late", "pays well", "never pays", "no remark"], n)})
    y = (table.age + 20 * (table.town == "Ulm") + 30 * table.remark.str.contains("late") > 50)
    table.loc[::7, "age"] = np.nan
    table.loc[::5, "town"] = None
    front = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age"]),
        ("money", make_pipeline(FunctionTransformer(np.log1p), StandardScaler()), ["income"]),
        ("town", make_pipeline(SimpleImputer(strategy="most_frequent"),
                               OneHotEncoder(handle_unknown="ignore")), ["town"]),
        ("remark", TfidfVectorizer(), "remark")])
    model = make_pipeline(front, SVC()).fit(table, y)
    explainer = bisector.Explainer(model)
    explanation = explained_as_predicted(model, table)
    assert list(explanation.feature_names) == list(table.columns)
    assert explanation.data[1, 3] == table.remark[1]
    inner = bisector.Explainer(model[-1])(np.asarray(front.transform(table)))
    np.testing.assert_allclose(explanation[:, "age"].values, inner.values[:, 0], atol=1e-9)
    np.testing.assert_allclose(explanation[:, "remark"].values, inner.values[:, 5:].sum(axis=1),
                               atol=1e-9)
    per_level = explainer(table, per_level=True)
    assert "town_Ulm" in per_level.feature_names and "late" in per_level.feature_names
    copy = pickle.loads(pickle.dumps(explainer))
    np.testing.assert_array_equal(copy(table).values, explanation.values)
    with pytest.raises(ValueError, match='a model file cannot hold the SimpleImputer of column "age"'):
        explainer.save("nowhere.npz")


def test_a_feature_union_is_explained_through():
    union = make_union(StandardScaler(), PCA(3), make_pipeline(PowerTransformer(), PCA(2)))
    union.set_params(transformer_weights={"pca": 0.5})
    explained_as_predicted(make_pipeline(union, SVC(gamma=0.02)).fit(X, Y), X)


def test_steps_with_data_frames_between_them_are_explained_through():
    table = pd.DataFrame(POSITIVE[:, :5], columns=list("abcde"))
    twice = make_column_transformer((PowerTransformer(), ["b", "a"]), remainder="passthrough",
                                    verbose_feature_names_out=False)
    again = make_column_transformer(
    (StandardScaler(), ["a"]), (QuantileTransformer(
        n_quantiles=20), [
            "c", "b"]))
    model = make_pipeline(twice, again, SVC()).set_output(transform="pandas").fit(table, Y)
    explanation = explained_as_predicted(model, table)
    used = np.abs(explanation.values).max(axis=0) > 0
    assert list(used) == [True, True, True, False, False]


def test_samplers_of_imbalanced_learn_are_passed_through():
    pipeline = pytest.importorskip("imblearn.pipeline")
    from imblearn.over_sampling import SMOTE
    from imblearn.under_sampling import RandomUnderSampler

    model = pipeline.make_pipeline(StandardScaler(), SMOTE(random_state=0), PCA(5),
                                   RandomUnderSampler(random_state=0), SVC())
    explained_as_predicted(model.fit(X, Y), X)


def test_a_step_that_is_linear_on_some_rows_only_is_refused_for_others():
    bent = FunctionTransformer(lambda rows: rows @ np.ones((rows.shape[1], 2))
                               * (1.0 + (rows.sum(axis=1, keepdims=True) > 1e9)))
    explainer = bisector.Explainer(make_pipeline(bent, SVC()).fit(X, Y))
    explainer(X)
    rows = X.copy()
    rows[3, 0] = 2e9
    with pytest.raises(ValueError, match="row 4, FunctionTransformer is linear on the rows that"):
        explainer(rows)


@pytest.mark.parametrize("step", [
    FunctionTransformer(lambda rows: rows / (1.0 + np.abs(rows).sum(axis=1, keepdims=True))),
    make_pipeline(PCA(3), PowerTransformer())], ids=name)
def test_nonlinear_steps_that_mix_columns_are_refused(step):
    model = make_pipeline(StandardScaler(), step, StandardScaler(), SVC()).fit(X, Y)
    with pytest.raises(bisector.UnsupportedModelError, match="cannot be mapped back") as refusal:
        bisector.Explainer(model)
    assert len(followed(refusal.value, model, X[:10], X)) == 2


def test_an_encoder_behind_a_sparse_encoder_is_explained_through():
    model = make_pipeline(OrdinalEncoder(), OneHotEncoder(), TruncatedSVD(3), SVC())
    rows = np.array([["a", "x"], ["b", "x"], ["a", "y"], ["c", "y"]] * 10, dtype=object)
    explained_as_predicted(model.fit(rows, [0, 1, 0, 1] * 10), rows)
