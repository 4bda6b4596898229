"""Models that skl2onnx exports, converted to bundles, predict and explain as the originals do."""

import os
import subprocess
import sys

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
from sklearn.ensemble import RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel
from sklearn.neighbors import (KNeighborsClassifier, KNeighborsRegressor,
                               RadiusNeighborsClassifier)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (FunctionTransformer, MaxAbsScaler, MinMaxScaler, Normalizer,
                                   RobustScaler, StandardScaler)
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import bisector
from bisector._onnx import convert

# skl2onnx asks for attributes of SVC that scikit-learn will take away.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")

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


def converted(path):
    """The path of a bundle with the model of an ONNX file."""
    bundle = path.with_suffix(".npz")
    assert convert([str(path), str(bundle)]) == 0
    return bundle


def problem_of(path, capsys):
    """The line that the converter prints for a file that it refuses."""
    assert convert([str(path), str(path.with_suffix(".npz"))]) == 1
    assert not path.with_suffix(".npz").exists()
    return capsys.readouterr().err


def run(path, X):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    feed = {names[0]: X} if len(names) == 1 else {
        name: X[:, [column]] for column, name in enumerate(names)}
    return session.run(None, feed)


def require_same_explanation(path, model, X, unit="g"):
    """Of the file and of the object, where the file has half the digits."""
    a, b = (bisector.Explainer(each, reference="origin", eta=0.5, level=level(model), unit=unit)(X)
            for each in (converted(path), model))
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
    explainer = bisector.Explainer(converted(path))
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
        assert np.array_equal(bisector.Explainer(converted(path)).predict(X), run(path, X)[0])


def test_the_prediction_is_by_decision_values_and_not_by_probabilities(tmp_path):
    X, y = data("iris")
    rows = X[50:]
    model = make_pipeline(StandardScaler(), SVC(probability=True, C=0.05, random_state=0))
    model.fit(rows, y[50:])
    path = export(model, X, tmp_path / "m.onnx")
    assert np.array_equal(bisector.Explainer(converted(path)).predict(rows), run(path, rows)[0])


@pytest.mark.parametrize("estimator", [SVR(), NuSVR()], ids=str)
def test_regressors(tmp_path, estimator):
    X, _ = data("iris")
    model = make_pipeline(StandardScaler(), estimator).fit(X, X[:, 0])
    path = export(model, X, tmp_path / "m.onnx")
    values = bisector.Explainer(converted(path)).predict(X)
    assert np.allclose(values, run(path, X)[0].ravel(), atol=1e-5)
    assert np.allclose(values, model.predict(X), atol=1e-5)
    require_same_explanation(path, model, X)


def test_one_class_machines_equal_the_original(tmp_path):
    X, _ = data("iris")
    model = make_pipeline(StandardScaler(), OneClassSVM(nu=0.2)).fit(X)
    path = export(model, X, tmp_path / "m.onnx")
    explainer = bisector.Explainer(converted(path))
    assert np.array_equal(explainer.predict(X), run(path, X)[0].ravel())
    require_same_explanation(path, model, X)


def test_an_input_for_each_column_gives_the_names(tmp_path):
    X, y = data("iris")
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    inputs = [(name, FloatTensorType([None, 1])) for name in ("a", "b", "c", "d")]
    path = tmp_path / "m.onnx"
    path.write_bytes(convert_sklearn(model, initial_types=inputs).SerializeToString())
    explainer = bisector.Explainer(converted(path))
    assert explainer.feature_names == ["a", "b", "c", "d"]
    assert np.array_equal(explainer.predict(X), run(path, X)[0])


def test_the_conversion_runs_without_the_compiled_command(tmp_path):
    X, y = data("wine")
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    path, bundle = export(model, X, tmp_path / "m.onnx"), tmp_path / "out.npz"
    subprocess.run([sys.executable, "-m", "bisector", "convert", path, bundle], check=True,
                   env={**os.environ, "BISECTOR_COMMAND": "", "PATH": ""})
    assert np.array_equal(bisector.Explainer(bundle)(X).values,
                          bisector.Explainer(converted(path))(X).values)


@pytest.mark.parametrize("scaler", [FunctionTransformer(), MinMaxScaler(), PCA(2, whiten=True)],
                         ids=str)
@pytest.mark.parametrize("estimator", [SVC(), NuSVC(nu=0.4), SVC(kernel="linear")], ids=str)
def test_decision_values_are_those_of_onnxruntime(tmp_path, estimator, scaler):
    X, y = data("iris")
    estimator.set_params(decision_function_shape="ovo")
    for rows, classes in ((X, y), (X[50:], y[50:])):
        model = make_pipeline(scaler, estimator).fit(rows, classes)
        path = export(model, X, tmp_path / "m.onnx", options={id(model): {"zipmap": False}})
        explanation = bisector.Explainer(converted(path))(rows)
        assert np.array_equal(explanation.prediction, run(path, rows)[0])
        scores = run(path, rows)[1]
        values = np.sort(np.abs(scores), axis=1)
        nearest = np.abs(values - np.abs(explanation.output)[:, None]).min(axis=1)
        assert nearest.max() < 1e-5 * max(1.0, values.max())


def has_clear_neighbors(model, X):
    """Rows whose k-th and next neighbors differ in distance by more than 32 bits' rounding."""
    rows, last = (X, model) if not hasattr(model, "steps") else (model[:-1].transform(X), model[-1])
    far = last.kneighbors(rows, last.n_neighbors + 1)[0]
    return far[:, -1] - far[:, -2] > 1e-5 * far[:, -1] + 1e-6


def require_same_neighbors(path, model, X):
    """Predictions of the file, of onnxruntime and of the object, and the explanations. The rows
    have no value that a point has: there a distance of Manhattan has no slope."""
    X = (X * 1.003).astype(np.float32)
    ours, theirs = (bisector.Explainer(each, method="lrp")(X) for each in (converted(path), model))
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
def test_distance_weights_are_read_or_refused(tmp_path, capsys, kind, options):
    """A file that weighs every neighbor alike, though it was meant otherwise, is refused."""
    X, y = data("wine")
    target = y if kind is KNeighborsClassifier else X[:, 0]
    model = make_pipeline(StandardScaler(), kind(5, weights="distance", **options))
    model.fit(X[1::2], target[1::2])
    path = export(model, X, tmp_path / "m.onnx")
    problem = problem_of(path, capsys)
    assert "every neighbor weighs the same" in problem and "known fault of skl2onnx" in problem
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
    values = bisector.Explainer(converted(path)).predict(X)
    assert np.allclose(values, run(path, X)[0].ravel(), atol=1e-6)
    assert np.allclose(values, model.predict(X), atol=1e-6)
    require_same_explanation(path, model, X, "decision")  # g is of distances over the length scale


@pytest.mark.parametrize("model", [
    RadiusNeighborsClassifier(40.0), KNeighborsRegressor(),
    GaussianProcessRegressor(Matern(nu=1.5), alpha=0.1, optimizer=None)], ids=str)
def test_other_models_are_refused_with_advice_that_works(tmp_path, capsys, model):
    X, y = data("iris")
    several = isinstance(model, KNeighborsRegressor)
    path = export(model.fit(X, np.stack([y, -y], axis=1) if several else y), X, tmp_path / "m.onnx")
    problem = problem_of(path, capsys)
    assert problem.startswith(f"error: {path}: ") and problem.count("\n") == 1
    assert problem.endswith('with bisector.Explainer(model).save("model.npz")\n')
    if several:
        model = KNeighborsRegressor().fit(X, y)
    bisector.Explainer(model).save(tmp_path / "model.npz")
    explanation = bisector.Explainer(tmp_path / "model.npz")(X)
    assert np.allclose(explanation.prediction, model.predict(X), rtol=1e-6)


@pytest.mark.parametrize("model, named", [
    (make_pipeline(Normalizer(), SVC()), "(Normalizer)"),
    (make_pipeline(MinMaxScaler(clip=True), SVC()), "(Clip)"),
    (RandomForestClassifier(3), "(TreeEnsembleClassifier)"),
    (CalibratedClassifierCV(SVC(), cv=2, ensemble=True), "node "),
    (CalibratedClassifierCV(SVC(), cv=2, ensemble=False), "node "),
], ids=str)
def test_unsupported_graphs_are_refused(tmp_path, capsys, model, named):
    X, y = data("iris")
    path = export(model.fit(X, y), X, tmp_path / "m.onnx")
    assert named in problem_of(path, capsys)


def graph_of(nodes, constants=(), outputs=("label",), inputs=(("X", [None, 2]),)):
    """A model of an SVM for two columns after, or before, the given nodes."""
    def values(names):
        return [onnx.helper.make_tensor_value_info(name, 1, shape) for name, shape in names]

    tensors = [onnx.numpy_helper.from_array(np.array(value), name) for name, value in constants]
    return onnx.helper.make_model(onnx.helper.make_graph(
        list(nodes), "g", values(inputs), values((name, None) for name in outputs), tensors))


def svm(rows="X", **changed):
    attributes = {"kernel_type": "RBF", "kernel_params": [0.5, 0.0, 3.0], "rho": [0.25],
                  "support_vectors": [0.0, 1.0, 2.0, 3.0], "coefficients": [1.0, -1.0],
                  "vectors_per_class": [1, 1], "classlabels_ints": [4, 7], **changed}
    return onnx.helper.make_node("SVMClassifier", [rows], ["label", "scores"], domain="ai.onnx.ml",
                                 **{name: value for name, value in attributes.items() if value})


def node(name, inputs, output="Y", **attributes):
    return onnx.helper.make_node(name, inputs, [output], **attributes)


def test_linear_operators_are_composed(tmp_path):
    """The prediction is that of the same SVM on columns that were computed by hand."""
    nodes = [node("Sub", ["X", "mean"], "a"), node("Div", ["a", "deviation"], "b"),
             node("Sub", ["one", "b"], "c"), node("Gemm", ["c", "m", "o"], "d", transB=1),
             node("Gather", ["X", "second"], "e", axis=1), node("Concat", ["d", "e"], axis=1)]
    constants = [("mean", [3.0, 4.0]), ("deviation", [[2.0, 4.0]]), ("one", 1.0),
                 ("m", [[10.0, 100.0]]), ("o", [5.0]), ("second", [1])]
    rows = np.random.default_rng(0).normal(size=(20, 2))
    by_hand = np.column_stack([(1 - (rows - [3, 4]) / [2, 4]) @ [10.0, 100.0] + 5, rows[:, 1]])
    values = []
    for name, graph in (("a", graph_of([*nodes, svm("Y")], constants)), ("b", graph_of([svm()]))):
        onnx.save(graph, tmp_path / f"{name}.onnx")
        explainer = bisector.Explainer(converted(tmp_path / f"{name}.onnx"))
        values.append(explainer(rows if name == "a" else by_hand).output)
    assert np.allclose(*values, rtol=1e-12)


@pytest.mark.parametrize("graph, problem", [
    (graph_of([svm(kernel_type="PRECOMPUTED")]), "the kernel PRECOMPUTED"),
    (graph_of([svm(rho=None)]), "rho"),
    (graph_of([svm(support_vectors=[1.0, 2.0, 3.0])]), "cannot reshape"),
    (graph_of([svm(kernel_params=[0.0, 0.0, 3.0])]), "gamma is 0"),
    (graph_of([svm(vectors_per_class=[2147483647, 2147483647])]), "cannot reshape"),
    (graph_of([svm()], inputs=[("X", [None, 1 << 40])]), "columns, expected 1 to 10000"),
    (graph_of([svm()], inputs=[("X", [None, None])]), "FloatTensorType"),
    (graph_of([svm()], inputs=[("X", [None, 3])]), "3 columns reach a model of 2"),
    (graph_of([node("Mul", ["X", "X"]), svm("Y")]), "(SVMClassifier)"),
    (graph_of([node("Cast", ["X"], to=7), svm("Y")]), "(Cast) is not read"),
    (graph_of([node("Add", ["X", "c"]), svm("Y")], [("c", [1.0, 0.0, 2.0])]), "(Add)"),
    (graph_of([node("Add", ["X", "c"]), svm("Y")], [("c", [[1.0], [0.0]])]), "(Add)"),
    (graph_of([svm("Y"), node("Identity", ["X"])]), "Y"),
    (graph_of([svm()], outputs=["scores"]), "(SVMClassifier)"),
    (graph_of([svm(), node("Neg", ["label"], "n")], outputs=["n"]), "(Neg)"),
    (graph_of([node("Identity", ["X"])], outputs=["Y"]), "linear function"),
])
def test_damaged_graphs_are_refused_in_one_line(tmp_path, capsys, graph, problem):
    onnx.save(graph, tmp_path / "m.onnx")
    shown = problem_of(tmp_path / "m.onnx", capsys)
    assert problem in shown and shown.count("\n") == 1 and shown.startswith("error: ")


def test_other_files_and_calls_are_refused(tmp_path, capsys):
    (tmp_path / "m.onnx").write_bytes(b"\x08\x07 no model")
    assert "no ONNX model" in problem_of(tmp_path / "m.onnx", capsys)
    assert "No such file" in problem_of(tmp_path / "n.onnx", capsys)
    assert convert([str(tmp_path / "m.onnx"), "m.model"]) == 1
    assert "python -m bisector convert model.onnx model.npz" in capsys.readouterr().err


def test_cut_and_changed_files_end_in_one_line(tmp_path, capsys):
    X, y = data("iris")
    path = tmp_path / "m.onnx"
    for model in (SVC(), KNeighborsClassifier(3)):
        whole = to_onnx(make_pipeline(StandardScaler(), model).fit(X[::5], y[::5]),
                        X[:1]).SerializeToString()
        generator = np.random.default_rng(0)
        for n in range(300):
            changed = bytearray(whole)
            for place in generator.integers(len(whole), size=1 + n % 3):
                changed[place] = generator.integers(256)
            path.write_bytes(changed[:generator.integers(len(whole))] if n % 3 == 0 else changed)
            code = convert([str(path), str(tmp_path / "m.npz")])
            shown = capsys.readouterr().err
            assert code == 0 and shown == "" or code == 1 and shown.count("\n") == 1
