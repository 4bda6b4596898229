"""Cells that were missing and that the model fills in."""

import numpy as np
import pandas
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import bisector

DRAWN = np.random.default_rng(0)
Y = DRAWN.integers(0, 2, 60)
X = pandas.DataFrame({"age": DRAWN.normal(size=60) + Y, "town": DRAWN.choice(["Ulm", "Bonn"], 60),
                      "income": DRAWN.normal(size=60)})
X.loc[[3, 7], "age"] = np.nan
X["town"] = X["town"].astype(object)
X.loc[7, "town"] = np.nan


@pytest.fixture(scope="module")
def explainer():
    steps = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age"]),
        ("levels", make_pipeline(SimpleImputer(strategy="most_frequent"),
                                 OneHotEncoder(sparse_output=False)), ["town"]),
        ("rest", "passthrough", ["income"])])
    return bisector.Explainer(make_pipeline(steps, SVC()).fit(X, Y), X)


def test_an_explanation_knows_the_cells_that_were_filled_in(explainer):
    explanation = explainer(X)
    expected = np.zeros((60, 3), dtype=bool)
    expected[[3, 7], 0] = expected[7, 1] = True
    np.testing.assert_array_equal(explanation.imputed, expected)
    assert np.isnan(explanation.data[3, 0]) and np.isnan(explanation.data[7, 1])
    np.testing.assert_array_equal(explanation[5:9, ["town"]].imputed, expected[5:9, [1]])
    np.testing.assert_array_equal(explainer(X, classes="all")[:, :, 0].imputed, expected)
    levels = explainer(X, per_level=True)
    assert levels.imputed.shape == levels.values.shape and levels.imputed[7].sum() == 3
    assert "(filled in)" in explanation[3]._repr_html_()
    assert "(filled in)" not in explanation[4]._repr_html_()


def test_a_table_names_the_columns_that_were_filled_in(explainer):
    frame = explainer(X).to_frame()
    assert list(frame.columns)[-2:] == ["tie", "imputed"]
    assert frame.imputed[[3, 4, 7]].tolist() == ["age", "", "age; town"]


def test_a_model_without_an_imputer_fills_in_nothing():
    explanation = bisector.Explainer(SVC().fit(X[["income"]], Y))(X[["income"]])
    assert explanation.imputed is None and "imputed" not in explanation.to_frame()


def test_a_mark_of_its_own_is_missing():
    rows = DRAWN.normal(size=(40, 2))
    rows[5, 1] = -1.0
    model = make_pipeline(SimpleImputer(missing_values=-1), SVC()).fit(rows, Y[:40])
    imputed = bisector.Explainer(model, rows)(rows).imputed
    assert imputed.sum() == 1 and imputed[5, 1]
