"""The method that is taken by default: what it counts, costs and passes on."""

import os
import subprocess

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import bisector

COMMAND = os.environ.get("BISECTOR_COMMAND", "")
WINE, KINDS = CLASSIFICATION["wine"]()
DIABETES, TARGET = REGRESSION["diabetes"]()


def rare_class(rows=1500):
    """Rows of which 2 % are in one class."""
    X, y = make_classification(rows, 6, n_informative=4, n_redundant=0, weights=[0.98],
                               class_sep=0.8, flip_y=0.0, random_state=0)
    return X, y


def correlation(a, b):
    return np.corrcoef(a.values.ravel(), b.values.ravel())[0, 1]


def test_svms_of_many_features_take_the_path_rule():
    X = np.random.default_rng(0).normal(size=(80, 60))
    assert bisector.Explainer(SVC().fit(X, X[:, 0] > 0), X).method == "lrp-path"


def test_values_of_a_rare_class_do_not_contradict_the_output():
    X, y = rare_class()
    model = SVC().fit(X[:1000], y[:1000])
    explainer = bisector.Explainer(model, X[:1000])
    path = bisector.Explainer(model, X[:1000], method="lrp-path")
    shapley = bisector.Explainer(model, X[:1000], method="shapley-exact")  # Over all rows.
    held_out = X[1000:]
    assert correlation(path(held_out), shapley(held_out)) < 0.8
    explanation = explainer(held_out)
    assert correlation(explanation, shapley(held_out)) > 0.95
    assert np.abs(explanation.remainder).max() < 1e-6
    assert explainer.method == "shapley-exact"
    assert "lrp-path contradicts the output" in explainer.settings["reason"]
    assert any("lrp-path contradicts the output" in note for note in explainer.notes)
    assert any("lrp-path contradicts" in note for note in explanation.notes)
    assert "see .notes" in repr(explainer) and "without" not in repr(explainer)


def test_the_decision_belongs_to_the_model(tmp_path):
    X, y = rare_class()
    explainer = bisector.Explainer(SVC().fit(X[:1000], y[:1000]), X[:1000])
    explainer.save(tmp_path / "model.npz")
    explainer.save(tmp_path / "without.npz", background=False)
    for name in ("model.npz", "without.npz"):
        assert bisector.Explainer(tmp_path / name).method == "shapley-exact"
    # Other rows, a measured choice and the data view.
    loaded = bisector.Explainer(tmp_path / "model.npz", X[:2])
    assert loaded.method == "shapley-exact"
    assert bisector.Explainer(tmp_path / "model.npz", view="data").method == "lrp-path"
    # An explainer by another method stores the decision of auto, too.
    other = bisector.Explainer(SVC().fit(X[:1000], y[:1000]), X[:1000], method="lrp")
    assert other.method == "lrp"
    other.save(tmp_path / "other.npz")
    assert bisector.Explainer(tmp_path / "other.npz").method == "shapley-exact"


def test_agreeing_methods_keep_the_path_rule():
    X = StandardScaler().fit_transform(WINE)
    explainer = bisector.Explainer(SVC().fit(X, KINDS), X)
    assert explainer.method == "lrp-path" and explainer.notes == []


def test_models_that_cannot_be_compared_name_the_command_that_compares():
    X = np.random.default_rng(0).normal(size=(400, 300))
    large = bisector.Explainer(SVC().fit(X, X[:, 0] > 0), X)  # Above 100,000 numbers.
    assert large.method == "lrp-path" and "bisector choose" in large.notes[0]
    X, y = rare_class(600)
    behind_a_matrix = make_pipeline(PCA(3), SVC()).fit(X, y)
    rare = bisector.Explainer(behind_a_matrix, X)
    assert rare.method == "lrp-path" and "bisector choose" in rare.notes[0]
    even = bisector.Explainer(make_pipeline(PCA(3), SVC()).fit(X, X[:, 0] > 0), X)
    assert even.method == "lrp-path" and even.notes == []


@pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")
def test_the_command_decides_alike(tmp_path):
    X, y = rare_class()
    model = SVC().fit(X[:1000], y[:1000])
    np.save(tmp_path / "rows.npy", X[1000:1020])
    explainer = bisector.Explainer(model, X[:1000])
    explainer.save(tmp_path / "saved.npz")
    run = subprocess.run([COMMAND, "explain", tmp_path / "saved.npz", tmp_path / "rows.npy", "-o",
                          tmp_path / "values.npy"], check=True, capture_output=True, text=True)
    assert "note: the method is exact Shapley values, because lrp-path" in run.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "values.npy"), explainer(X[1000:1020]).values)


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
