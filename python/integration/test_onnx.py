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
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel
from sklearn.neighbors import (KNeighborsClassifier, KNeighborsRegressor,
                               RadiusNeighborsClassifier)
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


def require_same_explanation(path, model, X, unit="g"):
    """Of the file and of the object, where the file has half the digits."""
    a, b = (bisector.Explainer(each, reference="origin", eta=0.5, level=level(model), unit=unit)(X)
            for each in (path, model))
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
def test_estimators_with_options_give_the_same_numbers(tmp_path, estimator):
    X, y = data("iris")
    model = make_pipeline(StandardScaler(), estimator).fit(X, y)
    for options in ({"zipmap": False}, {"zipmap": "columns"}, {"raw_scores": True}):
        path = export(model, X, tmp_path / "m.onnx", options={id(model): options})
        assert np.array_equal(bisector.Explainer(path).predict(X), run(path, X)[0])


def test_the_prediction_is_by_decision_values_and_not_by_probabilities(tmp_path):
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


def test_one_class_machines_equal_the_original(tmp_path):
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


def has_clear_neighbors(model, X):
    """Rows whose k-th and next neighbors differ in distance by more than 32 bits' rounding."""
    rows, last = (X, model) if not hasattr(model, "steps") else (model[:-1].transform(X), model[-1])
    far = last.kneighbors(rows, last.n_neighbors + 1)[0]
    return far[:, -1] - far[:, -2] > 1e-5 * far[:, -1] + 1e-6


def require_same_neighbors(path, model, X):
    """Predictions of the file, of onnxruntime and of the object, and the explanations. The rows
    have no value that a point has: there a distance of Manhattan has no slope."""
    X = (X * 1.003).astype(np.float32)
    ours, theirs = (bisector.Explainer(each, method="lrp")(X) for each in (path, model))
    clear = has_clear_neighbors(model, X)
    assert clear.mean() > 0.6
    if theirs.classes is None:
        assert np.allclose(ours.prediction[clear], model.predict(X)[clear].ravel(), rtol=1e-5)
        assert np.allclose(ours.prediction[clear], run(path, X)[0].ravel()[clear], rtol=1e-5)
    else:
        assert np.array_equal(ours.prediction[clear], model.predict(X)[clear])
        assert np.array_equal(ours.prediction[clear], run(path, X)[0][clear])
    # Ranks next to each other may change with the last of 32 bits.
    largest = np.maximum(np.abs(theirs.values).max(axis=1, keepdims=True), 1e-9)
    off = np.abs(ours.values - theirs.values).max(axis=1, keepdims=True) / largest
    assert np.median(off[clear]) < 1e-5 and np.mean(off[clear] < 1e-2) > 0.95


NEIGHBORS = [{}, {"n_neighbors": 4}, {"n_neighbors": 1}, {"metric": "manhattan"}, {"p": 3},
             {"metric": "cosine"}]


@pytest.mark.parametrize("options", NEIGHBORS, ids=str)
@pytest.mark.parametrize("scaler", [None, StandardScaler(), PCA(2, whiten=True)], ids=str)
def test_neighbors_decide_and_explain_alike(tmp_path, scaler, options):
    X, y = data("wine")
    rows = X[::2]
    for estimator, target in ((KNeighborsClassifier(**options), y),
                              (KNeighborsClassifier(**options), np.where(X[:, 0] > 13, 7, 3)),
                              (KNeighborsRegressor(**options), X[:, 0])):
        model = make_pipeline(scaler, estimator) if scaler else estimator
        model.fit(X[1::2], target[1::2])
        require_same_neighbors(export(model, X, tmp_path / "m.onnx"), model, rows)


@pytest.mark.parametrize("scaler", [None, StandardScaler()], ids=str)
@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor])
def test_neighbors_by_the_operator_of_distances(tmp_path, kind, scaler):
    X, _ = data("cancer")
    y = data("cancer")[1] if kind is KNeighborsClassifier else X[:, 0]
    estimator = kind(5).fit(X[1::2] if scaler is None else scaler.fit_transform(X[1::2]), y[1::2])
    model = make_pipeline(scaler, estimator) if scaler else estimator
    path = export(model, X, tmp_path / "m.onnx", options={id(estimator): {"optim": "cdist"}})
    assert "CDist" in [node.op_type for node in onnx.load(path).graph.node]
    require_same_neighbors(path, model, X[::4])


def without_the_fault(path):
    """The graph with distances as they are, where skl2onnx 1.20 negates them before it weighs."""
    file = onnx.load(path)
    nodes = file.graph.node
    (bound,) = (node for node in nodes if node.op_type == "Max")
    (negated,) = (node for node in nodes if node.output[0] == bound.input[0])
    bound.input[0] = negated.input[0]
    nodes.remove(negated)
    onnx.save(file, path)


@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor])
@pytest.mark.parametrize("options", [{}, {"metric": "manhattan"}], ids=str)
def test_distance_weights_are_read_or_refused(tmp_path, kind, options):
    """A file that weighs every neighbor alike, though it was meant otherwise, is refused."""
    X, y = data("wine")
    target = y if kind is KNeighborsClassifier else X[:, 0]
    model = make_pipeline(StandardScaler(), kind(5, weights="distance", **options))
    model.fit(X[1::2], target[1::2])
    path = export(model, X, tmp_path / "m.onnx")
    with pytest.raises(ValueError, match="every neighbor weighs the same.*known fault of skl2onnx"):
        bisector.Explainer(path)
    without_the_fault(path)
    require_same_neighbors(path, model, X[::2])


@pytest.mark.parametrize("optim", [None, "cdist"])
@pytest.mark.parametrize("scaler", [None, StandardScaler()], ids=str)
@pytest.mark.parametrize("kernel", [
    None, RBF(2.0), ConstantKernel(2.0) * RBF([1.0, 2.0, 3.0, 4.0]) + WhiteKernel(0.1)], ids=str)
def test_gaussian_processes_give_the_same_numbers(tmp_path, kernel, scaler, optim):
    """In 64 bits: the weights of a process are large and cancel."""
    X, _ = data("iris")
    X = X.astype(np.float64)
    estimator = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None, normalize_y=kernel is None)
    estimator.fit(X[1::2] if scaler is None else scaler.fit_transform(X[1::2]), X[1::2, 0])
    model = make_pipeline(scaler, estimator) if scaler else estimator
    path = export(model, X, tmp_path / "m.onnx", options={id(estimator): {"optim": optim}})
    values = bisector.Explainer(path).predict(X)
    assert np.allclose(values, run(path, X)[0].ravel(), atol=1e-6)
    assert np.allclose(values, model.predict(X), atol=1e-6)
    require_same_explanation(path, model, X, "decision")  # g is of distances over the length scale


@pytest.mark.parametrize("model, message", [
    (RadiusNeighborsClassifier(40.0), "expected an SVMClassifier, an SVMRegressor, nearest"),
    (GaussianProcessRegressor(Matern(nu=1.5), alpha=0.1, optimizer=None), "are read with a Gaussian"),
    (KNeighborsRegressor(), r"goes along the axes \(2\), expected axis 1: nearest neighbors are"),
], ids=str)
def test_other_graphs_are_refused_with_advice_that_works(tmp_path, model, message):
    X, y = data("iris")
    several = isinstance(model, KNeighborsRegressor)
    path = export(model.fit(X, np.stack([y, -y], axis=1) if several else y), X, tmp_path / "m.onnx")
    with pytest.raises(ValueError, match=message) as told:
        bisector.Explainer(path)
    assert str(told.value).endswith('with bisector.Explainer(model).save("model.npz")')
    if several:
        model = KNeighborsRegressor().fit(X, y)
    bisector.Explainer(model).save(tmp_path / "model.npz")
    explanation = bisector.Explainer(tmp_path / "model.npz")(X)
    assert np.allclose(explanation.prediction, model.predict(X), rtol=1e-6)


@pytest.mark.parametrize("model, message", [
    (make_pipeline(Normalizer(), SVC()), r'node "Normalizer" \(Normalizer\): not known'),
    (make_pipeline(MinMaxScaler(clip=True), SVC()), r"\(Clip\): not known to be linear"),
    (CalibratedClassifierCV(SVC(), cv=2, ensemble=True), "the second SVM"),
    (CalibratedClassifierCV(SVC(), cv=2, ensemble=False), "its label is not an output"),
], ids=str)
def test_unsupported_graphs_are_named(tmp_path, model, message):
    X, y = data("iris")
    path = export(model.fit(X, y), X, tmp_path / "m.onnx")
    with pytest.raises(ValueError, match=message):
        bisector.Explainer(path)
