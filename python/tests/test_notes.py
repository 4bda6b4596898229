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
    assert any(note.startswith("2 of 5 rows are far from the training data")
               for note in explanation.notes)
    assert any(note.startswith("the row is far") for note in explanation[3].notes)
    assert not any("far from" in note for note in explanation[:3].notes)
    assert any("far from" in note for note in bisector.Explainer(SVC().fit(X, Y), X)(
        X[:2] + 1e4, classes="all").notes)
    tie = bisector.Explainer(KNeighborsClassifier(2).fit([[0.0], [1.0]], [0, 1]))([[0.5]])
    assert any(note.startswith("the row is a tie") for note in tie.notes)


def test_few_rows_far_from_the_data_are_not_noted():
    explainer = bisector.Explainer(SVC().fit(X, Y == 0), X)
    rows = np.vstack([X[:95], X[:6] + 1e4])
    assert not any("far from" in note for note in explainer(rows[:100]).notes)
    assert any(note.startswith("6 of 101 rows are far") for note in explainer(rows).notes)


def test_interactions_and_flips_have_the_same_notes():
    explainer = bisector.Explainer(SVC(gamma=0.1).fit(X, Y == 0), X, method="shapley-exact",
                                   references=60)
    rows = np.vstack([X[:3], X[:2] + 1e4])
    for found in (explainer.interactions(rows), explainer.flip(rows)):
        assert found.notes == ["2 of 5 rows are far from the training data, where explanations are "
                               "not reliable (explainer(X).outside): leave them out, "
                               "X[~explainer(X).outside]"]
    assert explainer.interactions(rows)[:3].notes == explainer.flip(rows[:3]).notes == []


def test_rows_with_a_large_stretch_are_counted():
    # The relevance starts at one row, far from the mean output.
    model = SVC(C=0.01).fit(X, Y == 0)
    explanation = bisector.Explainer(model, X, method="lrp-path", reference=X[0])(X)
    is_stretched = (explanation.stretch > 10) | (explanation.stretch < 0.1)
    count = int(is_stretched.sum())
    assert 1 < count < 10  # Of 178 rows.
    assert not any("explanation.stretch" in note for note in explanation.notes)
    part = explanation[np.argsort(~is_stretched, kind="stable")[:20]]
    notes = [note for note in part.notes if "explanation.stretch" in note]
    assert len(notes) == 1 and notes[0].startswith(f"in {count} of 20 rows ")
    assert 'use method="shapley-exact"' in notes[0]


@pytest.mark.parametrize("classes", [None, "all"])
def test_the_note_on_the_remainder_counts_its_rows_and_names_a_rule_that_adds_up(classes):
    model = SVC().fit(X, Y == 0)
    explanation = bisector.Explainer(model, X, method="lrp")(X, classes=classes)
    output = bisector.Explainer(model, X)(X).output
    difference = np.abs(explanation.output - explanation.base_values).reshape(len(X), -1)[:, 0]
    limit = 2.0 * np.abs(output - output.mean()).max()
    missing = np.abs(explanation.remainder).reshape(len(X), -1)[:, 0]
    count = int(((missing > 0.2 * difference) & (missing > 0.01 * limit)).sum())
    assert count > 9
    assert any(note.startswith(f"in {count} of 178 rows the features leave more than a fifth")
               and 'method="lrp-path"' in note for note in explanation.notes)
    assert not any("leave" in note and "fifth" in note
                   for note in bisector.Explainer(model, X)(X, classes=classes).notes)


def test_a_model_that_answers_nearly_all_rows_alike_is_noted():
    # A machine that is 0 except near few of its points.
    model = SVR(gamma=1e5, epsilon=0.0).fit(X[:3], [5.0, 6.0, 7.0])
    for method in ("lrp-path", "shapley-exact", "occlusion"):
        notes = bisector.Explainer(model, X, method=method)(X[:20]).notes
        assert sum(note.startswith("the model answers nearly all background rows alike")
                   for note in notes) == 1
    assert not any("alike" in note for note in bisector.Explainer(SVC().fit(X, Y == 0), X)(X).notes)


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


def test_interactions_say_if_their_sums_are_not_the_values():
    model = SVC(gamma=0.1).fit(X, Y == 0)
    for method, is_equal in (("lrp-path", False), ("shapley-exact", True)):
        explainer = bisector.Explainer(model, X, method=method)
        interactions = explainer.interactions(X[:3])
        assert np.allclose(interactions.values.sum(axis=2), explainer(X[:3]).values) == is_equal
        assert any("sum to exact Shapley values" in note for note in interactions.notes) != is_equal
