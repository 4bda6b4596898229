"""references="auto": as many references as separate the three largest values of a row."""

import json
import os
import subprocess

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import bisector

COMMAND = os.environ.get("BISECTOR_COMMAND")
LIMIT = 480


def case(name):
    """Model, rows and method."""
    load = load_diabetes if name == "regressor" else load_breast_cancer
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X[:, :8])
    if name == "regressor":
        return SVR(C=100.0).fit(X, y), X, "shapley-exact"
    model = SVC() if name == "SVC" else KNeighborsClassifier(9)
    return model.fit(X, y), X, "lrp-expected"


def is_separated(values, errors):
    order = np.argsort(-np.abs(values), kind="stable")[:4]
    gaps = -np.diff(np.abs(values)[order])
    return np.all(gaps >= 2.0 * np.hypot(errors[order[:-1]], errors[order[1:]]))


@pytest.mark.parametrize("name", ["regressor", "SVC", "neighbors"])
def test_rows_are_separated_and_have_the_result_of_their_number(name):
    model, X, method = case(name)
    explanation = bisector.Explainer(model, X, method=method, references="auto")(X[:25])
    assert explanation.settings["references"] == "auto"
    assert explanation.references.shape == (25,)
    assert set(explanation.references) <= set(range(30, LIMIT + 1, 30)) | {len(X)}
    for row, count in enumerate(explanation.references):
        separated = is_separated(explanation.values[row], explanation.standard_errors[row])
        assert separated or count in (LIMIT, len(X))
    for count in np.unique(explanation.references):
        own = explanation.references == count
        fixed = bisector.Explainer(model, X, method=method, references=int(count))(X[:25][own])
        np.testing.assert_array_equal(fixed.values, explanation.values[own])
        np.testing.assert_array_equal(fixed.standard_errors, explanation.standard_errors[own])
        assert fixed.references is None


def test_a_row_alone_has_the_same_bits():
    model, X, method = case("regressor")
    explainer = bisector.Explainer(model, X, method=method, references="auto", n_jobs=2)
    together = explainer(X[:20])
    for row in (0, 7, 19):
        alone = explainer(X[row:row + 1])
        np.testing.assert_array_equal(alone.values[0], together.values[row])
        assert alone.references[0] == together.references[row]


def test_references_are_a_detail_and_slice_with_the_rows():
    model, X, method = case("SVC")
    explanation = bisector.Explainer(model, X, method=method, references="auto")(X[:6])
    frame = explanation.to_frame(details=True)
    assert frame["references"].tolist() == explanation.references.tolist()
    np.testing.assert_array_equal(explanation[2:4].references, explanation.references[2:4])


def test_other_words_and_all_classes_are_refused():
    model, X, method = case("SVC")
    with pytest.raises(ValueError, match="from 1 up, or auto"):
        bisector.Explainer(model, X, method=method, references="many")
    with pytest.raises(ValueError, match="give a number"):
        bisector.Explainer(model, X, method=method, references="auto")(X[:2], classes="all")


@pytest.mark.skipif(COMMAND is None, reason="no command")
def test_the_command_has_the_same_numbers(tmp_path):
    model, X, method = case("regressor")
    explainer = bisector.Explainer(model, X, method=method, references="auto")
    explainer.save(tmp_path / "model.npz")
    np.save(tmp_path / "rows.npy", X[:5])
    np.save(tmp_path / "background.npy", X)
    command = [COMMAND, "explain", tmp_path / "model.npz", tmp_path / "rows.npy", "--method", method,
               "--references", "auto", "--background", tmp_path / "background.npy"]
    found = json.loads(subprocess.run([*command, "--format", "json"], check=True,
                                      capture_output=True).stdout)
    explanation = explainer(X[:5])
    assert [row["references"] for row in found["rows"]] == explanation.references.tolist()
    np.testing.assert_allclose([row["relevance"] for row in found["rows"]], explanation.values)
    table = subprocess.run([*command, "--details", "--format", "csv"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    column = table[0].split(",").index("references")
    assert [int(line.split(",")[column]) for line in table[1:]] == explanation.references.tolist()
