"""Models that skl2onnx exports explain as the originals do, and onnxruntime runs what we write."""

import os
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest
from skl2onnx import convert_sklearn, to_onnx
from skl2onnx.common.data_types import FloatTensorType
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (MaxAbsScaler, MinMaxScaler, Normalizer, RobustScaler,
                                   StandardScaler)
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import bisector

# skl2onnx asks for attributes of SVC that scikit-learn will take away.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")

COMMAND = os.environ.get("BISECTOR_COMMAND", "build-dev/bisector")
SCALERS = [StandardScaler(), StandardScaler(with_mean=False), MinMaxScaler(), RobustScaler(),
           MaxAbsScaler(), PCA(2), PCA(2, whiten=True),
           make_pipeline(StandardScaler(), PCA(3), MinMaxScaler()),
           ColumnTransformer([("a", StandardScaler(), [0, 2]), ("b", "passthrough", [3]),
                              ("c", PCA(1), [1, 2])])]


def data(name):
    X, y = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}[name](
        return_X_y=True)
    if name == "wine":
        y = np.array(["Barolo", "Grignolino", "Barbera"])[y]
    return X.astype(np.float32), y


def export(model, X, path, **more):
    path.write_bytes(to_onnx(model, X[:1], **more).SerializeToString())
    return path


def run(path, X):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    feed = {names[0]: X} if len(names) == 1 else {
        name: X[:, [column]] for column, name in enumerate(names)}
    return session.run(None, feed)


def require_same_explanation(path, model, X):
    """Of the file and of the object, where the file has half the digits."""
    ours, theirs = bisector.Explainer(path, reference="origin", eta=0.5, level=level(model)), \
        bisector.Explainer(model, reference="origin", eta=0.5, level=level(model))
    a, b = ours(X), theirs(X)
    assert np.array_equal(a.prediction, b.prediction) or np.allclose(
        np.asarray(a.prediction, float), np.asarray(b.prediction, float), rtol=1e-5)
    same = np.asarray(a.positive_class) == np.asarray(b.positive_class)
    assert same.mean() > 0.99  # the runner-up of a row may change with the last digit
    largest = np.abs(b.values).max(axis=1, keepdims=True)
    # The support vectors' 32 bits, times gamma, times the width of unscaled columns.
    assert np.allclose((a.values / largest)[same], (b.values / largest)[same], atol=2e-3)


def level(model):
    return 5.5 if hasattr(model, "predict") and not hasattr(model, "decision_function") else None


@pytest.mark.parametrize("scaler", SCALERS, ids=str)
@pytest.mark.parametrize("name", ["iris", "wine", "cancer"])
def test_classifiers_decide_and_explain_alike(tmp_path, name, scaler):
    X, y = data(name)
    model = make_pipeline(scaler, SVC()).fit(X, y)
    path = export(model, X, tmp_path / "m.onnx")
    explainer = bisector.Explainer(path)
    assert np.array_equal(explainer.predict(X), run(path, X)[0])
    assert np.mean(explainer.predict(X) == model.predict(X)) == 1.0
    if not isinstance(scaler, ColumnTransformer):
        require_same_explanation(path, model, X)


@pytest.mark.parametrize("estimator", [NuSVC(nu=0.3), SVC(decision_function_shape="ovo"),
                                       SVC(kernel="rbf", gamma="auto", C=10),
                                       SVC(kernel="linear"), SVC(kernel="poly"),
                                       SVC(kernel="sigmoid", gamma=0.05)], ids=str)
def test_estimators_and_options(tmp_path, estimator):
    X, y = data("iris")
    model = make_pipeline(StandardScaler(), estimator).fit(X, y)
    for options in ({"zipmap": False}, {"zipmap": "columns"}, {"raw_scores": True}):
        path = export(model, X, tmp_path / "m.onnx", options={id(model): options})
        assert np.array_equal(bisector.Explainer(path).predict(X), run(path, X)[0])


def test_probabilities_do_not_decide(tmp_path):
    X, y = data("iris")
    rows = X[50:]
    model = make_pipeline(StandardScaler(), SVC(probability=True, C=0.05, random_state=0))
    model.fit(rows, y[50:])
    path = export(model, X, tmp_path / "m.onnx")
    assert np.array_equal(bisector.Explainer(path).predict(rows), run(path, rows)[0])


@pytest.mark.parametrize("estimator", [SVR(), NuSVR()], ids=str)
def test_regressors(tmp_path, estimator):
    X, _ = data("iris")
    model = make_pipeline(StandardScaler(), estimator).fit(X, X[:, 0])
    path = export(model, X, tmp_path / "m.onnx")
    values = bisector.Explainer(path).predict(X)
    assert np.allclose(values, run(path, X)[0].ravel(), atol=1e-5)
    assert np.allclose(values, model.predict(X), atol=1e-5)
    require_same_explanation(path, model, X)


def test_one_class(tmp_path):
    X, _ = data("iris")
    model = make_pipeline(StandardScaler(), OneClassSVM(nu=0.2)).fit(X)
    path = export(model, X, tmp_path / "m.onnx")
    explainer = bisector.Explainer(path)
    assert np.array_equal(explainer.predict(X), run(path, X)[0].ravel())
    require_same_explanation(path, model, X)


def test_an_input_for_each_column_gives_the_names(tmp_path):
    X, y = data("iris")
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    inputs = [(name, FloatTensorType([None, 1])) for name in ("a", "b", "c", "d")]
    path = tmp_path / "m.onnx"
    path.write_bytes(convert_sklearn(model, initial_types=inputs).SerializeToString())
    explainer = bisector.Explainer(path)
    assert explainer.feature_names == ["a", "b", "c", "d"]
    assert np.array_equal(explainer.predict(X), run(path, X)[0])


def test_the_command_line_gives_the_same_numbers(tmp_path):
    X, y = data("wine")
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    path = export(model, X, tmp_path / "m.onnx")
    np.save(tmp_path / "rows.npy", X.astype(np.float64))
    subprocess.run([COMMAND, "explain", path, tmp_path / "rows.npy", "-o", tmp_path / "out.npy"],
                   check=True)
    assert np.array_equal(np.load(tmp_path / "out.npy"), bisector.Explainer(path)(X).values)


@pytest.mark.parametrize("estimator", [SVC(), SVR(), OneClassSVM()], ids=str)
@pytest.mark.parametrize("scaler", [None, StandardScaler(), PCA(2)], ids=str)
def test_onnxruntime_runs_what_we_write(tmp_path, scaler, estimator):
    X, y = data("wine")
    model = make_pipeline(*([scaler] if scaler else []), estimator)
    model.fit(X, X[:, 0] if isinstance(estimator, SVR) else y)
    bundle, path = tmp_path / "m.npz", tmp_path / "m.onnx"
    bisector.Explainer(model).save(bundle)
    subprocess.run([COMMAND, "convert", bundle, path], check=True)
    onnx.checker.check_model(onnx.load(path), full_check=True)
    output = run(path, X)[0].ravel()
    if isinstance(estimator, SVR):
        assert np.allclose(output, model.predict(X), atol=1e-4)
    else:
        assert np.mean(output == model.predict(X)) == 1.0


@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor],
                         ids=["classes", "numbers"])
@pytest.mark.parametrize("options", [{}, {"weights": "distance"}, {"metric": "manhattan"},
                                     {"p": 3}, {"metric": "cosine"}], ids=str)
def test_neighbors_are_refused_with_advice_that_works(tmp_path, kind, options):
    """They are exported as plain operators. A bundle keeps them."""
    X, y = data("iris")
    model = kind(5, **options).fit(X, y)
    path = export(model, X, tmp_path / "m.onnx")
    with pytest.raises(ValueError, match=r"expected an SVMClassifier or SVMRegressor: .*save\(") as told:
        bisector.Explainer(path)
    advice = str(told.value).rpartition("with ")[2]
    assert advice == 'bisector.Explainer(model).save("model.npz")'
    bisector.Explainer(model).save(tmp_path / "model.npz")
    explanation = bisector.Explainer(tmp_path / "model.npz")(X)
    sure = ~explanation.tie
    assert np.allclose(explanation.prediction[sure], model.predict(X)[sure], rtol=1e-6)


@pytest.mark.parametrize("model, message", [
    (make_pipeline(Normalizer(), SVC()), r'node "Normalizer" \(Normalizer\): not known'),
    (make_pipeline(MinMaxScaler(clip=True), SVC()), r"\(Clip\): not known to be linear"),
    (CalibratedClassifierCV(SVC(), cv=2, ensemble=True), "the second SVM"),
    (CalibratedClassifierCV(SVC(), cv=2, ensemble=False), "its label is no output"),
], ids=str)
def test_what_cannot_be_explained_is_named(tmp_path, model, message):
    X, y = data("iris")
    path = export(model.fit(X, y), X, tmp_path / "m.onnx")
    with pytest.raises(ValueError, match=message):
        bisector.Explainer(path)
