"""PyOD's detectors, and estimators of other libraries with scikit-learn's attributes."""

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
def test_detectors_of_pyod_are_explained(kind, options):
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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind, options", [
    ("svm.SVC", {"gamma": 0.1}), ("svm.NuSVC", {"gamma": 0.1}), ("svm.SVR", {"gamma": 0.1}),
    ("neighbors.KNeighborsClassifier", {"weights": "distance"}), ("neighbors.KNeighborsRegressor", {}),
    ("neighbors.LocalOutlierFactor", {"novelty": True}), ("cluster.KMeans", {"n_clusters": 3})], ids=str)
def test_estimators_of_scikit_learn_intelex_are_explained(kind, options):
    """Its own estimators, of oneDAL, predict and are explained as what they predict."""
    pytest.importorskip("sklearnex")  # has no wheels but for x86-64
    import importlib

    module, name = kind.split(".")
    model = getattr(importlib.import_module(f"sklearnex.{module}"), name)(**options)
    model.fit(X[::2], X[::2, 0] if name in ("SVR", "KNeighborsRegressor") else Y[::2])
    assert type(model).__module__.startswith("sklearnex")
    explanation = bisector.Explainer(model)(X)
    sure = ~explanation.tie
    assert sure.mean() > 0.7
    np.testing.assert_allclose(explanation.prediction[sure], model.predict(X)[sure], rtol=1e-9)


@pytest.mark.parametrize("model", [SVC(gamma=0.1), KNeighborsClassifier(weights="distance")],
                         ids=["SVC", "KNN"])
@pytest.mark.parametrize("library", ["cuml.svm", "sklearnex.neighbors"])
def test_estimators_with_the_attributes_of_scikit_learn_are_explained(model, library):
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


def test_one_count_of_all_support_vectors_is_supported():
    """cuML's SVC has one number where scikit-learn has one for each class. cuML itself needs a graphics
    processor, and is not run here."""
    model = SVC(gamma=0.1).fit(X, Y == 1)
    names = ("support_", "support_vectors_", "dual_coef_", "intercept_", "classes_", "kernel", "gamma",
             "n_features_in_")
    kind = type("SVC", (), {"__module__": "cuml.svm", "fit": None,
                            "decision_function": lambda self, rows: model.decision_function(rows)})
    other = kind()
    other.__dict__.update({name: getattr(model, name) for name in names}, n_support_=len(model.support_))
    ours, theirs = bisector.Explainer(other)(X), bisector.Explainer(model)(X)
    np.testing.assert_allclose(ours.values, theirs.values, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(ours.prediction, theirs.prediction)


@pytest.mark.parametrize("count", [2, 3])
def test_model_files_of_thundersvm_are_read(count, tmp_path):
    """As its save_to_file writes them: LIBSVM's keywords, a space at the end of every line, labels
    before probabilities, sixteen digits of coefficients and eight of values."""
    keep = Y < count
    model = SVC(gamma=0.25).fit(X[keep].astype(np.float32), Y[keep])
    pairs = len(model.classes_) * (len(model.classes_) - 1) // 2
    # scikit-learn turns the only machine of two classes round.
    sign = -1.0 if count == 2 else 1.0
    lines = ["svm_type c_svc", "kernel_type rbf", "gamma 0.25", f"nr_class {count}",
             f"total_sv {len(model.support_)}",
             "rho " + "".join(f"{-sign * value:.17g} " for value in model.intercept_),
             "label " + "".join(f"{label} " for label in model.classes_),
             "nr_sv " + "".join(f"{number} " for number in model.n_support_),
             "probA " + "0.5 " * pairs, "probB " + "-0.1 " * pairs, "SV "]
    for point, weights in zip(model.support_vectors_, sign * model.dual_coef_.T):
        lines.append("".join(f"{weight:.16g} " for weight in weights)
                     + "".join(f"{d + 1}:{value:.8g} " for d, value in enumerate(point) if value))
    path = tmp_path / "thunder.model"
    path.write_text("\n".join(lines) + "\n")
    explanation = bisector.Explainer(path)(X[keep])
    np.testing.assert_array_equal(explanation.prediction, model.predict(X[keep]))
    assert np.abs(explanation.values).max() > 0.0
