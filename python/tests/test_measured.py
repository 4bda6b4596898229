"""The method that was measured for a model is chosen, stored and reported."""

import pickle

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

X, Y = CLASSIFICATION["classification"]()
MODELS = {
    "SVC": lambda: (SVC().fit(X, Y == 1), X),
    "KNN": lambda: (KNeighborsClassifier(5).fit(X, Y), X),
    "SVR": lambda: (SVR(C=10.0).fit(*REGRESSION["friedman 1"]()), REGRESSION["friedman 1"]()[0]),
}


@pytest.mark.parametrize("view", ["model", "data"])
@pytest.mark.parametrize("kind", MODELS)
def test_the_most_faithful_method_is_taken(kind, view):
    model, rows = MODELS[kind]()
    explainer = bisector.Explainer(model, method="measured", view=view, background=rows)
    figures = list(explainer.measured.values())
    assert "auto" in explainer.measured and len(figures) >= 3
    # The one that was taken stands first: the fixed choice may be, within an error of the lowest.
    assert figures[1:] == sorted(figures[1:], key=lambda figure: figure[0])
    assert all(-1.0 <= aufc <= 1.0 and error >= 0.0 for aufc, error in figures)
    assert "measured" in explainer.settings["reason"] and "40 rows" in explainer.settings["reason"]
    # The measured rule is a rule like any other, on the whole background.
    parameters = ("eta", "path_steps", "references", "side", "neighborhood")
    by_name = bisector.Explainer(model, method=explainer.method, background=rows, **{
        name: explainer.settings[name] for name in parameters if name in explainer.settings})
    np.testing.assert_array_equal(explainer(rows[:20]).values, by_name(rows[:20]).values)
    assert by_name.measured is None


def test_the_measured_choice_is_deterministic_and_has_a_seed():
    found = [bisector.Explainer(SVC().fit(X, Y), method="measured", background=X, seed=seed,
                                n_jobs=n_jobs).measured
             for seed, n_jobs in ((0, 1), (0, 2), (7, 1))]
    assert found[0] == found[1] != found[2]


def test_files_and_copies_keep_the_measured_choice(tmp_path):
    frame = pd.DataFrame({"kind": np.random.default_rng(0).choice(["a", "b"], len(X)),
                          **{f"c{d}": X[:, d] for d in range(5)}})
    columns = make_column_transformer((OneHotEncoder(), ["kind"]),
                                      (StandardScaler(), [f"c{d}" for d in range(5)]))
    model = make_pipeline(columns, SVC()).fit(frame, Y == 1)
    explainer = bisector.Explainer(model, method="measured", background=frame)
    wanted = explainer(frame[:20]).values
    explainer.save(tmp_path / "model.npz")
    for other in (bisector.Explainer(tmp_path / "model.npz", background=frame),
                  pickle.loads(pickle.dumps(explainer)), bisector.Explainer(explainer,
                                                                            background=frame)):
        assert other.measured == explainer.measured and other.method == explainer.method
        assert other.settings["reason"] == explainer.settings["reason"]
        np.testing.assert_allclose(other(frame[:20]).values, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("options, words", [
    ({}, 'method is "measured" without a background'),
    ({"background": X[:60]}, "the background has 60 rows, expected at least"),
    ({"background": X, "eta": 0.5}, "eta is a parameter of lrp"),
], ids=str)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        bisector.Explainer(SVC().fit(X, Y), method="measured", **options)
