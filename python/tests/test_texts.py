"""Text models are explained word by word."""

import pickle

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import bisector

pyplot.switch_backend("Agg")
WORDS = "the a wine beer table was is very quite so one two three".split()


def texts_and_labels(count=60):
    generator = np.random.default_rng(0)
    labels = np.arange(count) % 2
    texts = [" ".join([*generator.choice(WORDS, 6), "good" if y else "bad"]) for y in labels]
    return texts, np.array(["no", "yes"])[labels]


TEXTS, LABELS = texts_and_labels()
PIPELINES = {
    "tfidf": make_pipeline(TfidfVectorizer(), SVC()),
    "counts": make_pipeline(CountVectorizer(), SVC(gamma=0.1)),
    "counts and tfidf": make_pipeline(CountVectorizer(), TfidfTransformer(), SVC()),
    "bigrams": make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), SVC()),
    "selection": make_pipeline(TfidfVectorizer(), SelectKBest(k=6), SVC()),
    "latent": make_pipeline(TfidfVectorizer(), TruncatedSVD(4, random_state=0), SVC()),
    "linear": make_pipeline(TfidfVectorizer(), LogisticRegression()),
    "neighbors": make_pipeline(TfidfVectorizer(), KNeighborsClassifier(5)),
    "search": GridSearchCV(make_pipeline(TfidfVectorizer(), SVC()), {"svc__C": [1.0, 3.0]}, cv=2),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_predictions_are_those_of_the_pipeline_and_values_add_up(name):
    model = PIPELINES[name].fit(TEXTS, LABELS)
    explainer = bisector.Explainer(model, TEXTS)
    explanation = explainer(TEXTS[:20])
    differs = explanation.prediction != model.predict(TEXTS[:20])
    assert not np.any(differs & ~explanation.tie)
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, atol=1e-9)
    importance = dict(zip(explanation.feature_names, np.abs(explanation.values).mean(axis=0)))
    assert name == "latent" or sorted(importance, key=importance.get)[-1] in ("good", "bad")


def test_only_words_of_the_rows_and_missing_words_that_matter_are_kept():
    extra = [f"rare{n} {text}" for n, text in enumerate(TEXTS)]
    explanation = bisector.Explainer(PIPELINES["tfidf"].fit(extra, LABELS), method="lrp")(extra[:1])
    vocabulary = len(PIPELINES["tfidf"][0].vocabulary_)
    assert len(explanation.feature_names) < 0.9 * vocabulary
    assert "rare0" in explanation.feature_names
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, atol=1e-9)


def test_series_of_texts_keep_their_index_and_pickled_explainers_explain_alike():
    explainer = bisector.Explainer(PIPELINES["tfidf"].fit(TEXTS, LABELS))
    series = pd.Series(TEXTS[:4], index=list("abcd"))
    explanation = pickle.loads(pickle.dumps(explainer))(series)
    np.testing.assert_array_equal(explanation.values, explainer(TEXTS[:4]).values)
    assert explanation[2].display_data == TEXTS[2]
    assert list(explanation.to_frame().index) == list("abcd")


def test_the_plot_colors_words_and_lists_missing_words():
    explanation = bisector.Explainer(PIPELINES["tfidf"].fit(TEXTS, LABELS))(TEXTS[:3])
    drawn = [text.get_text() for text in bisector.plots.text(explanation[1]).texts]
    assert drawn[:7] == TEXTS[1].split()
    assert drawn[-1].startswith("missing words: ") and "bad" in drawn[-1]
    with pytest.raises(ValueError, match="pass explanation"):
        bisector.plots.text(explanation)


def test_one_text_without_a_list_and_hashed_words_are_refused_with_advice():
    with pytest.raises(ValueError, match="expected a list of texts"):
        bisector.Explainer(PIPELINES["tfidf"].fit(TEXTS, LABELS))("good wine")
    model = make_pipeline(HashingVectorizer(n_features=64), SVC()).fit(TEXTS, LABELS)
    with pytest.raises(bisector.UnsupportedModelError, match="no vocabulary") as refusal:
        bisector.Explainer(model)
    advised = eval(refusal.value.advice[0], {"bisector": bisector, "model": model, "X": TEXTS})
    np.testing.assert_array_equal(advised.prediction, model.predict(TEXTS))
    with pytest.raises(ValueError, match="TfidfVectorizer is not fitted"):
        bisector.Explainer(make_pipeline(TfidfVectorizer(), SVC()))
