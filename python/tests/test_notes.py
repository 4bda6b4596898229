"""What Python tells a reader of the numbers: notes, and explanations with a background of one row."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.svm import SVC, SVR, OneClassSVM

import bisector

X, Y = load_wine(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0)
BACKGROUND_NOTE = "the base value is the average over the model's own points"


def test_a_missing_background_of_an_svm_is_noted():
    model = SVC().fit(X, Y == 0)
    explainer = bisector.Explainer(model)
    assert len(explainer.notes) == 1 and explainer.notes[0].startswith(BACKGROUND_NOTE)
    assert "Explainer(model, X_train)" in explainer.notes[0]
    assert "without a background: see .notes" in repr(explainer)
    explanation = explainer(X)
    assert explainer.notes[0] in explanation.notes and "see .notes" in repr(explanation)
    assert BACKGROUND_NOTE in explanation._repr_html_().replace("&#x27;", "'")
    for silent in (bisector.Explainer(model, X), bisector.Explainer(model, unit="g"),
                   bisector.Explainer(KNeighborsClassifier().fit(X, Y))):
        assert silent.notes == [] and "notes" not in repr(silent)


def test_rows_that_need_care_are_counted():
    model = SVC().fit(X, Y == 0)
    explanation = bisector.Explainer(model, X)(np.vstack([X[:3], X[:2] + 1e4]))
    assert any(note.startswith("2 rows are far from the training data") for note in explanation.notes)
    assert any(note.startswith("1 row is far") for note in explanation[3].notes)
    assert not any("far from" in note for note in explanation[:3].notes)
    assert any("far from" in note for note in bisector.Explainer(SVC().fit(X, Y), X)(
        X[:2] + 1e4, classes="all").notes)
    tie = bisector.Explainer(KNeighborsClassifier(2).fit([[0.0], [1.0]], [0, 1]))([[0.5]])
    assert any(note.startswith("1 row is a tie") for note in tie.notes)


def test_rows_with_a_large_stretch_are_counted():
    # The relevance starts at one row, far from the mean output.
    model = SVC(C=0.01).fit(X, Y == 0)
    explanation = bisector.Explainer(model, X, method="lrp-path", reference=X[0])(X)
    count = int(((explanation.stretch > 10) | (explanation.stretch < 0.1)).sum())
    assert count > 1
    notes = [note for note in explanation.notes if "explanation.stretch" in note]
    assert len(notes) == 1 and notes[0].startswith(f"{count} rows ")


def test_the_note_on_the_remainder_counts_its_rows_and_names_a_rule_that_adds_up():
    model = SVC().fit(X, Y == 0)
    explanation = bisector.Explainer(model, X, method="lrp")(X)
    count = int((np.abs(explanation.remainder) > 0.2 * np.abs(explanation.output)).sum())
    assert count > 1
    assert any(note.startswith(f"{count} rows have values that miss more than a fifth")
               and 'method="lrp-path"' in note for note in explanation.notes)
    assert not any("miss" in note for note in bisector.Explainer(model, X)(X).notes)


@pytest.mark.parametrize("model", [
    SVC().fit(X, Y), SVC().fit(X, Y == 0), SVC(kernel="linear").fit(X, Y == 0), SVR().fit(X, Y),
    KNeighborsClassifier(5).fit(X, Y), KNeighborsRegressor(5, weights="distance").fit(X, Y),
    NearestCentroid().fit(X, Y), KernelRidge(kernel="rbf").fit(X, Y), OneClassSVM().fit(X)], ids=str)
@pytest.mark.parametrize("method", [None, "lrp", "lrp-path", "lrp-expected", "neighborhood",
                                    "shapley", "ig", "occlusion"])
def test_a_background_of_one_row_is_a_baseline(model, method):
    try:
        explainer = bisector.Explainer(model, X[:1], method=method)
    except ValueError as error:
        assert "background" not in str(error)  # The model does not have the method at all.
        return
    found = explainer(X[:20])
    for numbers in (found.values, found.base_values, found.remainder):
        assert np.isfinite(numbers).all()
    np.testing.assert_allclose(found.base_values + found.values.sum(axis=1) + found.remainder,
                               found.output, atol=1e-9)
    if method in (None, "lrp", "lrp-path", "lrp-expected") and not isinstance(model, OneClassSVM):
        same = (found.positive_index == found.positive_index[0]) & (
            found.negative_index == found.negative_index[0]) if found.classes is not None else slice(None)
        np.testing.assert_allclose(found.base_values[same], found.output[0], atol=1e-9)


def test_a_background_without_rows_is_refused():
    with pytest.raises(ValueError, match="no rows"):
        bisector.Explainer(SVC().fit(X, Y), X[:0])
