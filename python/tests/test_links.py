"""Explanations of probabilities and logits add up to what predict_proba gives."""

import numpy as np
import pytest
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
    "SVC": SVC(probability=True, random_state=0),
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
    # LIBSVM couples the probabilities of an SVC iteratively, to about 0.0025.
    tolerance = 0.003 if name == "SVC" else 1e-6
    np.testing.assert_allclose(found.output, wanted, atol=tolerance)
    np.testing.assert_allclose(total(found), found.output, atol=1e-9)
    assert np.all(found.base_values >= -1e-9) and np.all(found.base_values <= 1.0 + 1e-9)
    np.testing.assert_array_equal(np.sign(found.values), np.sign(plain.values))
    if name == "calibrated ensemble":
        with pytest.raises(bisector.UnsupportedModelError, match="no logit in common"):
            bisector.Explainer(model, X, output="logit", **options)
        return
    logit = bisector.Explainer(model, X, output="logit", **options)(X)
    np.testing.assert_allclose(1.0 / (1.0 + np.exp(-logit.output)), wanted, atol=tolerance)
    np.testing.assert_allclose(total(logit), logit.output, atol=1e-7)


def test_models_without_calibrated_probabilities_are_refused():
    model = KNeighborsClassifier().fit(X, LABELS)
    with pytest.raises(bisector.UnsupportedModelError, match="no calibrated probabilities") as error:
        bisector.Explainer(model, output="probability", unit="decision")
    names = {"bisector": bisector, "model": model, "X": X[:5], "X_train": X}
    np.testing.assert_allclose(eval(error.value.advice[0], names).output,
                               model.predict_proba(X[:5])[:, 1])
    with pytest.raises(ValueError, match='output is "odds"'):
        bisector.Explainer(model, output="odds")
    with pytest.raises(ValueError, match='expected unit="decision"'):
        bisector.Explainer(model, output="logit", unit="share")
