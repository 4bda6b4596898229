#!/usr/bin/env python3
"""Makes the ONNX files of tests/io/data with scikit-learn and skl2onnx, and next to each a CSV of
rows with what onnxruntime answers to them: the columns, the label or value, the scores.

    pip install scikit-learn skl2onnx onnxruntime
    python tests/io/make_onnx.py [NAME ...]
"""

import csv
import sys
import warnings
from pathlib import Path

import numpy
import onnxruntime
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import FloatTensorType
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, OneClassSVM

warnings.simplefilter("ignore", FutureWarning)  # skl2onnx asks for attributes that will go

FOLDER = Path(__file__).parent / "data"
NAMES = numpy.array(["setosa", "versicolor", "virginica"])

X, y = load_iris(return_X_y=True)
X = X[::5].astype(numpy.float32)  # few rows: the files stay small
y = y[::5]
two = y > 0

MODELS = {
    "two_classes": make_pipeline(StandardScaler(), SVC(gamma=0.5, C=0.5)).fit(X[two], y[two]),
    "two_names": make_pipeline(MinMaxScaler(), SVC(gamma=2.0)).fit(X[two], NAMES[y[two]]),
    "three_names": make_pipeline(RobustScaler(), NuSVC(gamma=0.5, nu=0.4)).fit(X, NAMES[y]),
    "regressor": make_pipeline(StandardScaler(), SVR(gamma=0.3, epsilon=0.3)).fit(X, X[:, 0]),
    "one_class": make_pipeline(StandardScaler(), OneClassSVM(gamma=0.3, nu=0.3)).fit(X),
    "whitened": make_pipeline(StandardScaler(), PCA(2, whiten=True),
                              SVC(decision_function_shape="ovo")).fit(X, y),
    "columns": make_pipeline(
        ColumnTransformer([("scaled", StandardScaler(), [3, 0]), ("mixed", PCA(1), [1, 2])]),
        SVC(gamma=0.7, decision_function_shape="ovo")).fit(X, y),
    "neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(3)).fit(X, NAMES[y]),
    "neighbors_cosine": KNeighborsClassifier(4, metric="cosine").fit(X[two], y[two]),
    "neighbors_mean": KNeighborsRegressor(3, p=3).fit(X, X[:, 0]),
    "neighbors_cdist": make_pipeline(StandardScaler(), KNeighborsRegressor(2)).fit(X, y),
    "process": make_pipeline(StandardScaler(), GaussianProcessRegressor(
        ConstantKernel(2.0) * RBF([1.0, 2.0, 3.0, 4.0]) + WhiteKernel(0.1), alpha=0.1, optimizer=None,
        normalize_y=True)).fit(X, X[:, 0]),
}
SEPARATE_INPUTS = {"two_names"}


def inputs_of(name):
    if name in SEPARATE_INPUTS:
        return [(column, FloatTensorType([None, 1])) for column in ("a", "b", "c", "d")]
    return [("X", FloatTensorType([None, 4]))]


def answers(path, rows):
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    feed = {"X": rows} if names == ["X"] else {
        name: rows[:, [column]] for column, name in enumerate(names)}
    return session.run(None, feed)


def main():
    FOLDER.mkdir(exist_ok=True)
    rows = X[1::4]
    for name in sys.argv[1:] or MODELS:
        model = MODELS[name]
        is_classifier = hasattr(model, "classes_")
        options = {id(model): {"zipmap": False}} if is_classifier else {}
        if name == "neighbors_cdist":
            options[id(model[-1])] = {"optim": "cdist"}
        graph = convert_sklearn(model, initial_types=inputs_of(name), options=options)
        path = FOLDER / f"{name}.onnx"
        path.write_bytes(graph.SerializeToString())
        outputs = [numpy.asarray(each).reshape(len(rows), -1) for each in answers(path, rows)]
        with open(FOLDER / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            for n, row in enumerate(rows):
                writer.writerow([*map(repr, map(float, row)), *outputs[0][n], *(
                    repr(float(score)) for score in numpy.concatenate(
                        [[], *(each[n] for each in outputs[1:])]))])


if __name__ == "__main__":
    main()
