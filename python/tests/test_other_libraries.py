"""PyOD's detectors, where it is installed, and estimators of other libraries with scikit-learn's
attributes."""

import numpy as np
import pytest
from datasets import CLASSIFICATION
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import bisector

X, Y = CLASSIFICATION["wine"]()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind, options", [
    ("knn.KNN", {}), ("knn.KNN", {"method": "mean"}), ("knn.KNN", {"metric": "manhattan"}),
    ("lof.LOF", {}), ("ocsvm.OCSVM", {}), ("kde.KDE", {})], ids=str)
def test_detectors(kind, options):
    pytest.importorskip("pyod")
    import importlib

    module, name = kind.split(".")
    detector = getattr(importlib.import_module(f"pyod.models.{module}"), name)(
        contamination=0.2, **options).fit(X[::2])
    explanation = bisector.Explainer(detector)(X)
    score = detector.decision_function(X) - detector.threshold_
    sure = np.abs(score) > 1e-9 * np.abs(score).max()
    np.testing.assert_array_equal(explanation.prediction[sure], detector.predict(X)[sure])
    np.testing.assert_array_equal(np.sign(explanation.g[sure]), -np.sign(score[sure]))
    outside = bisector.Explainer(detector, positive_class=1)(X)
    np.testing.assert_array_equal(np.sign(outside.g[sure]), np.sign(score[sure]))


@pytest.mark.parametrize("model", [SVC(gamma=0.1), KNeighborsClassifier(weights="distance")],
                         ids=["SVC", "KNN"])
@pytest.mark.parametrize("library", ["cuml.svm", "sklearnex.neighbors"])
def test_an_estimator_with_the_same_attributes(model, library):
    """An object of another library, which is no scikit-learn estimator by its type."""
    model.fit(X, Y)
    methods = {"fit": lambda self: self, "predict": lambda self, rows: model.predict(rows)}
    other = type(type(model).__name__, (), {**methods, "__module__": library})()
    other.__dict__.update(model.__dict__)
    if isinstance(model, SVC):
        type(other).decision_function = lambda self, rows: model.decision_function(rows)
        for name in ("n_support_", "coef0"):
            setattr(other, name, getattr(model, name))
    np.testing.assert_array_equal(bisector.Explainer(other)(X).values,
                                  bisector.Explainer(model)(X).values)
