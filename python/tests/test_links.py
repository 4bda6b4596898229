"""Explanations of probabilities and logits add up to what predict_proba gives."""

import numpy as np
import pytest
from advice import followed
from datasets import CLASSIFICATION
from sklearn.calibration import CalibratedClassifierCV
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

X, Y = CLASSIFICATION["breast cancer"]()
LABELS = np.array(["malignant", "benign"])[Y]
MODELS = {
    "logistic regression": LogisticRegression(),
    "behind a Nystroem": make_pipeline(Nystroem(random_state=0), LogisticRegression()),
    "calibrated": CalibratedClassifierCV(SVC(), ensemble=False),
    "calibrated ensemble": CalibratedClassifierCV(SVC(), cv=3),
}


def total(explanation):
    return explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder


@pytest.mark.parametrize("positive", ["benign", "malignant"])
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore")
def test_probabilities_are_those_of_predict_proba(name, positive):
    model = make_pipeline(StandardScaler(), MODELS[name]).fit(X, LABELS)
    options = {"positive_class": positive, "unit": "decision"}
    plain = bisector.Explainer(model, X, **options)(X)
    found = bisector.Explainer(model, X, output="probability", **options)(X)
    wanted = model.predict_proba(X)[:, list(model.classes_).index(positive)]
    np.testing.assert_allclose(found.output, wanted, atol=1e-6)
    np.testing.assert_allclose(total(found), found.output, atol=1e-9)
    assert np.all(found.base_values >= -1e-9) and np.all(found.base_values <= 1.0 + 1e-9)
    np.testing.assert_array_equal(np.sign(found.values), np.sign(plain.values))
    if name == "calibrated ensemble":
        with pytest.raises(bisector.UnsupportedModelError, match="no logit in common"):
            bisector.Explainer(model, X, output="logit", **options)
        return
    logit = bisector.Explainer(model, X, output="logit", **options)(X)
    np.testing.assert_allclose(1.0 / (1.0 + np.exp(-logit.output)), wanted, atol=1e-6)
    np.testing.assert_allclose(total(logit), logit.output, atol=1e-7)


def test_models_without_calibrated_probabilities_are_refused():
    model = KNeighborsClassifier().fit(X, LABELS)
    with pytest.raises(bisector.UnsupportedModelError, match="no calibrated probabilities") as error:
        bisector.Explainer(model, output="probability", unit="decision")
    followed(error.value, model, X[:5], X)
    with pytest.raises(ValueError, match='output is "odds"'):
        bisector.Explainer(model, output="odds")
    with pytest.raises(ValueError, match='expected unit="decision"'):
        bisector.Explainer(model, output="logit", unit="share")


@pytest.mark.parametrize("output", ["probability", "logit"])
@pytest.mark.filterwarnings("ignore")
def test_probabilities_that_libsvm_iterates_are_refused_with_a_calibration_that_is_exact(output):
    scaler = StandardScaler()
    model = make_pipeline(scaler, SVC(probability=True, random_state=0)).fit(X, LABELS)
    with pytest.raises(bisector.UnsupportedModelError) as error:
        bisector.Explainer(model, X, output=output)
    typed = "CalibratedClassifierCV(SVC(), ensemble=False)"
    assert typed in error.value.problem
    followed(error.value, model, X[:5], X)
    calibrated = make_pipeline(scaler, eval(typed)).fit(X, LABELS)
    wanted = calibrated.predict_proba(X)[:, 1]
    wanted = wanted if output == "probability" else np.log(wanted / (1.0 - wanted))
    np.testing.assert_allclose(bisector.Explainer(calibrated, X, output=output)(X).output, wanted,
                               atol=1e-6)
