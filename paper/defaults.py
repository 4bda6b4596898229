"""What the default method is, how good it is and what it costs: defaults.py [-o CSV] [--rows N] [KIND...]

One line for each kind of model, dataset and method (the default, its alternatives, KernelSHAP):

- taken: the method that the default represents
- aufc, aufc_error: how soon predictions change when the most relevant features are removed first; lower is
  more faithful. The methods know one half of the training rows, the other half imputes
- minus_auto, minus_auto_error: the difference to the default, row by row
- shapley: the correlation within a row with exact Shapley values of the model's output, which KernelSHAP finds
  from all coalitions over 100 background rows
- sign, unused, effects: on data with known effects, the share of large effects whose value has the right sign, the
  share of the values on features without effect, and the correlation within a row with the effects
- microseconds: processor time per row, one thread

The data are generated, and no method was chosen on them.
"""

import argparse
import csv
import io
import os
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
import shap  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.gaussian_process import GaussianProcessRegressor  # noqa: E402
from sklearn.gaussian_process.kernels import RBF  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.neighbors import (KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor,  # noqa: E402
                               NearestCentroid)
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC, SVR, OneClassSVM  # noqa: E402

import bisector  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))
import whole_file  # noqa: E402

TRAINING, PEER_ROWS, REFERENCE_ROWS, SEED = 400, 20, 100, 0
METHODS = ("auto", "lrp", "lrp-path", "lrp-expected", "neighborhood", "shapley-exact")
COLUMNS = ("kind", "data", "method", "taken", "rows", "aufc", "aufc_error", "minus_auto", "minus_auto_error",
           "shapley", "sign", "unused", "effects", "microseconds")


@dataclass
class Data:
    name: str
    X: np.ndarray
    numbers: np.ndarray  # the target of regressors, around zero; classes are its sign
    effects: np.ndarray | None = None  # of every feature on the number, with mean zero


def additive(random, count):
    """A sum of effects of six features: a step, a bend, a peak, an exponential, a line; two without effect."""
    X = random.normal(size=(count, 7))
    X[:, 1] = 0.7 * X[:, 0] + 0.7 * X[:, 1]  # correlated
    effects = np.zeros_like(X)
    effects[:, 0] = 1.5 * (X[:, 0] > 0.3)
    effects[:, 1] = 1.2 * np.abs(X[:, 1])
    effects[:, 2] = 2.0 * np.exp(-2.0 * X[:, 2] ** 2)
    effects[:, 3] = 0.5 * np.exp(0.8 * X[:, 3])
    effects[:, 4] = -0.8 * X[:, 4]
    effects -= effects.mean(axis=0)
    return Data("sum of effects (7)", X, effects.sum(axis=1) + 0.1 * random.normal(size=count), effects)


def friedman(random, count):
    X, y = datasets.make_friedman2(count, noise=30.0, random_state=SEED)
    return Data("Friedman 2 (4)", X, y - np.median(y))


def shells(random, count):
    X, y = datasets.make_gaussian_quantiles(n_samples=count, n_features=6, n_classes=2, random_state=SEED)
    distance = (X ** 2).sum(axis=1)
    return Data("shells (6)", X, distance - np.median(distance))


def moons(random, count):
    X, y = datasets.make_moons(count, noise=0.25, random_state=SEED)
    return Data("moons and noise (6)", np.hstack([X, random.normal(size=(count, 4))]), y - 0.5)


def outliers(random, count):
    """A correlated cloud; every eighth row has one feature far off, which is its effect on being usual."""
    mixing = np.linalg.cholesky(0.5 * np.eye(6) + 0.5)
    X = random.normal(size=(count, 6)) @ mixing.T
    effects = np.zeros_like(X)
    strange, feature = np.arange(0, count, 8), random.integers(0, 6, len(range(0, count, 8)))
    X[strange, feature] += random.choice([-6.0, 6.0], len(strange))
    effects[strange, feature] = -18.0
    return Data("one feature is off (6)", X, effects.sum(axis=1), effects)


@dataclass
class Kind:
    model: object
    output: str  # the method of the model whose value is explained
    data: tuple
    target: str = "classes"

    def fit(self, X, numbers):
        target = {"classes": (numbers > 0).astype(int), "numbers": numbers, "none": None}[self.target]
        return self.model.fit(X, target)

    def function(self, model):
        """The model's output, whose sign is the decision; regressors: the number."""
        call = getattr(model, self.output)
        if self.output == "predict_proba":
            return lambda X: call(X)[:, 1] - 0.5
        return call


CLASSES, NUMBERS, STRANGE = (additive, shells, moons), (additive, friedman, shells), (outliers,)
KINDS = {
    "SVM": Kind(SVC(), "decision_function", CLASSES),
    "KNN": Kind(KNeighborsClassifier(9), "predict_proba", CLASSES),
    "KNN, distance weights": Kind(KNeighborsClassifier(9, weights="distance"), "predict_proba", CLASSES),
    "KNN, Manhattan": Kind(KNeighborsClassifier(9, p=1), "predict_proba", CLASSES),
    "nearest centroid": Kind(NearestCentroid(), "decision_function", (additive, moons)),
    "kernel ridge": Kind(KernelRidge(kernel="rbf", alpha=0.1), "predict", NUMBERS, "numbers"),
    "kernel ridge, Laplacian": Kind(KernelRidge(kernel="laplacian", alpha=0.1), "predict", NUMBERS, "numbers"),
    "SVR": Kind(SVR(C=10.0), "predict", NUMBERS, "numbers"),
    "Gaussian process": Kind(GaussianProcessRegressor(RBF(2.0), alpha=0.1, optimizer=None), "predict",
                             NUMBERS, "numbers"),
    "KNN regression": Kind(KNeighborsRegressor(9), "predict", NUMBERS, "numbers"),
    "one-class SVM": Kind(OneClassSVM(nu=0.1), "decision_function", STRANGE, "none"),
    "local outlier factor": Kind(LocalOutlierFactor(9, novelty=True), "decision_function", STRANGE, "none"),
}


def within_rows(one, other):
    """The mean over the rows of the correlation of two sets of values."""
    one, other = (values - values.mean(axis=1, keepdims=True) for values in (one, other))
    sizes = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    known = sizes > 0
    return float(((one * other).sum(axis=1)[known] / sizes[known]).mean())


def against_effects(values, effects):
    large = np.abs(effects) > 0.5
    return [f"{(np.sign(values) == np.sign(effects))[large].mean():.3f}",
            f"{np.abs(values)[effects == 0].sum() / np.abs(values).sum():.3f}", f"{within_rows(values, effects):.3f}"]


def kernel_shap(function, background, rows):
    """Shapley values from all coalitions, as there are at most 7 features; and microseconds per row."""
    np.random.seed(SEED)
    explainer, start = shap.KernelExplainer(function, background), time.process_time()
    values = explainer.shap_values(rows, silent=True, l1_reg=0)
    return np.asarray(values), 1e6 * (time.process_time() - start) / len(rows)


def ours(model, method, background, rows, options):
    explainer = bisector.Explainer(model, background, method=method, n_jobs=1, **options)
    found, seconds = explainer(rows), []
    for _ in range(3):
        start = time.process_time()
        explainer(rows)
        seconds.append(time.process_time() - start)
    return found, explainer.settings["method"], 1e6 * min(seconds) / len(rows)


def measure(name, kind, make, count):
    """A line of the table per method."""
    random = np.random.default_rng(SEED)
    data = make(random, TRAINING + 8 * count)
    X = StandardScaler().fit(data.X[:TRAINING]).transform(data.X)
    train = X[:TRAINING]
    model = kind.fit(train, data.numbers[:TRAINING])
    function, options = kind.function(model), {}
    if kind.target == "numbers":
        options["level"] = 0.0
    # Of outliers, the explained rows are strange ones; every eighth row is one.
    rows = X[TRAINING::8] if kind.target == "none" else X[TRAINING:TRAINING + count]
    effects = data.effects
    if effects is not None:
        effects = effects[TRAINING::8] if kind.target == "none" else effects[TRAINING:TRAINING + count]
    half = random.permutation(TRAINING)
    seen, donors = train[half[:TRAINING // 2]], train[half[TRAINING // 2:]]
    towards = np.where(function(rows) > 0, 1.0, -1.0)[:, None]  # aufc takes values for the prediction

    reference, _ = kernel_shap(function, seen[:REFERENCE_ROWS], rows)
    peer, peer_time = kernel_shap(function, seen[:PEER_ROWS], rows)
    relevance, values, facts = {}, {}, {}
    for method in METHODS:
        try:
            found, taken, microseconds = ours(model, method, seen, rows, options)
        except ValueError:
            continue  # this kind of model does not have the method
        relevance[method], values[method], facts[method] = found, found.values, (taken, microseconds)
    relevance["KernelSHAP"], values["KernelSHAP"], facts["KernelSHAP"] = peer * towards, peer, ("", peer_time)
    judged = bisector.aufc(bisector.Explainer(model, n_jobs=1, **options), rows, background=donors, donors="same",
                           relevance=relevance, seed=SEED, n_jobs=1)
    for method, (taken, microseconds) in facts.items():
        aufc = judged[method]
        apart = aufc.values - judged["auto"].values
        error = apart.std(ddof=1) / len(apart) ** 0.5
        yield [name, data.name, method, taken, len(rows), f"{aufc:.3f}", f"{aufc.standard_error:.3f}",
               f"{apart.mean():.3f}", f"{error:.3f}", f"{within_rows(values[method], reference):.3f}",
               *(["", "", ""] if effects is None else against_effects(values[method], effects)), f"{microseconds:.3g}"]


def mean(lines, column):
    found = [float(line[COLUMNS.index(column)]) for line in lines if line[COLUMNS.index(column)] != ""]
    return sum(found) / len(found) if found else None


def summary(lines):
    """A line per kind: the default against KernelSHAP, means over the datasets."""
    text = ["| kind | default | AUFC | minus KernelSHAP | agreement with Shapley values | correlation with effects "
            "| µs per row | KernelSHAP, µs |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for kind in dict.fromkeys(line[0] for line in lines):
        auto, peer = ([line for line in lines if line[0] == kind and line[2] == method]
                      for method in ("auto", "KernelSHAP"))
        apart, error = -mean(peer, "minus_auto"), (sum(float(line[8]) ** 2 for line in peer) ** 0.5) / len(peer)
        known = ", ".join(f"{mean(own, 'effects'):.3f}" for own in (auto, peer) if mean(own, "effects") is not None)
        text.append(f"| {kind} | `{'`, `'.join(dict.fromkeys(line[3] for line in auto))}` | {mean(auto, 'aufc'):.3f} | "
                    f"{apart:+.3f} ± {error:.3f} | {mean(auto, 'shapley'):.3f} | "
                    f"{known} | "
                    f"{mean(auto, 'microseconds'):,.0f} | {mean(peer, 'microseconds'):,.0f} |")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", choices=[*KINDS, []])
    parser.add_argument("-o", "--output", type=Path, default=Path("defaults.csv"))
    parser.add_argument("--rows", type=int, default=40, help="explained rows per dataset")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = []
    for name in arguments.kinds or KINDS:
        for make in KINDS[name].data:
            lines += measure(name, KINDS[name], make, arguments.rows)
            print("\n".join(", ".join(map(str, line)) for line in lines if line[:2] == lines[-1][:2]), flush=True)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *lines])
    whole_file.write(arguments.output, text.getvalue())
    print(summary(lines))


if __name__ == "__main__":
    main()
