"""The method that is taken by default: what it counts, costs and passes on."""

import os
import subprocess

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.compose import make_column_transformer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import bisector

COMMAND = os.environ.get("BISECTOR_COMMAND", "")
WINE, KINDS = CLASSIFICATION["wine"]()
DIABETES, TARGET = REGRESSION["diabetes"]()


def towns(rows=300, levels=70):
    """A number and a text column that is encoded by more than 50 columns."""
    random = np.random.default_rng(0)
    town = random.permutation(np.arange(rows) % levels)
    frame = pd.DataFrame({"age": random.normal(size=rows), "town": [f"t{n}" for n in town]})
    return frame, np.where(frame["age"] + (town < 20) > 0.5, "yes", "no")


def test_many_features_are_many_columns_of_the_table():
    X = np.random.default_rng(0).normal(size=(80, 51))
    y = X[:, 0] > 0
    assert bisector.Explainer(SVC().fit(X, y)).method == "lrp"
    assert bisector.Explainer(SVC().fit(X[:, :50], y)).method == "lrp-path"
    frame, ill = towns()
    encoder = make_column_transformer((OneHotEncoder(), ["town"]), (StandardScaler(), ["age"]))
    assert bisector.Explainer(make_pipeline(encoder, SVC()).fit(frame, ill)).method == "lrp-path"


@pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")
def test_levels_of_a_text_column_are_one_column_of_a_file(tmp_path):
    frame, ill = towns()
    frame.assign(ill=ill).to_csv(tmp_path / "rows.csv", index=False)
    subprocess.run([COMMAND, "train", tmp_path / "rows.csv", "--target", "ill", "--model", "svm",
                    "--one-hot", "town", "-o", tmp_path / "model.npz", "-q"], check=True)
    assert bisector.Explainer(tmp_path / "model.npz").method == "lrp-path"


def test_an_expensive_default_names_a_faster_method():
    model = SVR(C=50.0).fit(DIABETES[:150], TARGET[:150])
    by_default = bisector.Explainer(model)
    cost = {method: bisector.Explainer(model, method=method).cost
            for method in ("lrp", "lrp-expected")}
    assert by_default.method == "shapley-exact" and by_default.cost > 50 * cost["lrp"]
    times = int(by_default.cost / cost["lrp-expected"])
    assert by_default.reason.endswith(f"; lrp-expected is about {times} times as fast")
    cheap = bisector.Explainer(SVC().fit(WINE, KINDS))
    assert cheap.cost < 50 * bisector.Explainer(SVC().fit(WINE, KINDS), method="lrp").cost
    assert "as fast" not in cheap.settings["reason"]


def test_seed_and_references_reach_the_method_that_is_taken():
    model = KNeighborsClassifier(5).fit(WINE, KINDS)
    options = {"seed": 3, "references": 20}
    by_default = bisector.Explainer(model, WINE, **options)
    by_name = bisector.Explainer(model, WINE, method="lrp-expected", **options)
    assert by_default.settings["references"] == 20 and by_default.settings["seed"] == 3
    np.testing.assert_array_equal(by_default(WINE).values, by_name(WINE).values)
    other = bisector.Explainer(model, WINE, seed=4, references=20)(WINE)
    assert np.any(other.values != by_name(WINE).values)
    without = bisector.Explainer(SVC().fit(WINE, KINDS), WINE, **options)
    assert without.settings["reason"].endswith("; lrp-path takes no references")
