"""How faithful explanations of the rarer kinds of models are, beside KernelSHAP: make bench-kinds.

kinds.py RESULTS    a folder to write kinds.md and kinds.csv into

Weighted votes, other metrics, regression by neighbours, other kernels, and detectors, on real data; detectors on generated
data too. Data that scikit-learn does not bring are read from BISECTOR_DATA, and left out where they are not there.
"""

import csv
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
import shap  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.gaussian_process import GaussianProcessClassifier  # noqa: E402
from sklearn.gaussian_process.kernels import Matern  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neighbors import (KernelDensity, KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor,  # noqa: E402
                               NearestNeighbors)
from sklearn.preprocessing import StandardScaler  # noqa: E402

import bisector  # noqa: E402
import report  # noqa: E402
from bisector import _core  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

EXPLAINED_ROWS, BACKGROUND_ROWS, SHAP_SAMPLES, SEED = 40, 20, 512, 0
OURS = ("auto", "lrp", "lrp-path", "lrp-expected", "occlusion")


@dataclass
class Data:
    name: str
    train: np.ndarray
    target: np.ndarray  # of classes: 0 and 1; of detectors: none is looked at
    rows: np.ndarray


@dataclass
class Row:
    kind: str
    data: str
    method: str
    taken: str
    aufc: object


def from_file(name, **options):
    path = Path(os.environ.get("BISECTOR_DATA") or ".") / name
    return np.genfromtxt(path, **options) if path.exists() else None


def split(name, inputs, target):
    train, rows, target, _ = train_test_split(inputs, target, test_size=0.4, random_state=SEED)
    scaler = StandardScaler().fit(train)
    return Data(name, scaler.transform(train), target, scaler.transform(rows)[:EXPLAINED_ROWS])


def of_classes():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    yield split("breast cancer (30)", X, y)
    X, y = datasets.load_wine(return_X_y=True)
    yield split("wine cultivars (13)", X, (y == 1).astype(int))
    table = from_file("raisin/Raisin_Dataset.csv", delimiter=",", skip_header=1, dtype=str)
    if table is not None:
        yield split("raisin (7)", table[:, :-1].astype(float), (table[:, -1] == "Kecimen").astype(int))


def of_numbers():
    X, y = datasets.load_diabetes(return_X_y=True)
    yield split("diabetes progression (10)", X, y - y.mean())
    for name, path, drop in (("concrete (8)", "concrete/Concrete_Data.csv", 0),
                             ("real estate (6)", "real_estate/Real_estate_valuation.csv", 1)):
        table = from_file(path, delimiter=",", skip_header=1)
        if table is not None:
            yield split(name, table[:, drop:-1], table[:, -1] - table[:, -1].mean())


def with_outliers(name, inside, outside, count):
    """Trained on both, without saying which is which; half of what is explained are outliers where there are as many."""
    random = np.random.default_rng(SEED)
    inside, outside = random.permutation(inside), random.permutation(outside)[:count]
    half = len(outside) // 2
    train = np.vstack([inside[:len(inside) // 2], outside[:half]])
    strange = outside[half:][:EXPLAINED_ROWS // 2]
    rows = np.vstack([strange, inside[len(inside) // 2:][:EXPLAINED_ROWS - len(strange)]])
    scaler = StandardScaler().fit(train)
    return Data(name, scaler.transform(train), np.empty(0), scaler.transform(rows))


def of_outliers():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    yield with_outliers("breast cancer: malignant (30)", X[y == 1], X[y == 0], 40)
    X, y = datasets.load_wine(return_X_y=True)
    yield with_outliers("wine: first cultivar (13)", X[y != 0], X[y == 0], 20)
    table = from_file("wine_quality/winequality-red.csv", delimiter=";", skip_header=1)
    if table is not None:
        poor = table[:, -1] <= 4
        yield with_outliers("red wine: quality up to 4 (11)", table[~poor][:600, :-1], table[poor][:, :-1], 60)
    random = np.random.default_rng(SEED)
    usual = random.normal(size=(400, 8)) @ np.diag(np.linspace(0.5, 2.0, 8))
    strange = random.normal(size=(40, 8)) @ np.diag(np.linspace(0.5, 2.0, 8))
    strange[np.arange(40), random.integers(0, 8, 40)] += random.choice([-8.0, 8.0], 40)
    yield with_outliers("generated: one feature is off (8)", usual, strange, 40)


CLASSIFIERS = {
    "KNN, distance weights": lambda: KNeighborsClassifier(9, weights="distance"),
    "KNN, Manhattan": lambda: KNeighborsClassifier(9, metric="manhattan"),
    "KNN, cosine": lambda: KNeighborsClassifier(9, metric="cosine"),
    "Gaussian process classifier, Matérn 5/2": lambda: GaussianProcessClassifier(
        Matern(4.0, nu=2.5), optimizer=None),
}
REGRESSORS = {
    "KNN regression": lambda: KNeighborsRegressor(9),
    "KNN regression, distance weights": lambda: KNeighborsRegressor(9, weights="distance"),
    "kernel ridge, Laplacian": lambda: KernelRidge(kernel="laplacian", alpha=0.1),
    "kernel ridge, Matérn 3/2": lambda: KernelRidge(kernel=Matern(3.0, nu=1.5), alpha=0.1),
}
OUTSIDE = 0.1  # the share of the training rows
DETECTORS = {
    "LOF": lambda train: (LocalOutlierFactor(9, novelty=True, contamination=OUTSIDE), None),
    "distance to the 9th neighbour": lambda train: (NearestNeighbors(n_neighbors=9), lambda m: np.quantile(
        m.kneighbors()[0][:, -1], 1.0 - OUTSIDE)),
    "density, Gaussian": lambda train: (KernelDensity(bandwidth="scott"), _density_level(train)),
    "density, exponential": lambda train: (KernelDensity(bandwidth="scott", kernel="exponential"),
                                           _density_level(train)),
}


def _density_level(train):
    return lambda model: np.quantile(model.score_samples(train), OUTSIDE)


def problems():
    """(kind, data, fitted model, options of its explainers)"""
    for data in of_classes():
        for kind, make in CLASSIFIERS.items():
            yield kind, data, make().fit(data.train, data.target), {}
    for data in of_numbers():
        for kind, make in REGRESSORS.items():
            yield kind, data, make().fit(data.train, data.target), {"level": 0.0}
    for data in of_outliers():
        for kind, make in DETECTORS.items():
            model, level_of = make(data.train)
            model.fit(data.train)
            yield kind, data, model, {} if level_of is None else {"level": float(level_of(model))}


def by_kernel_shap(model, options, rows, background):
    """On the decision value as the library computes it, which is the model's own and quick. Turned to the prediction."""
    core = bisector.Explainer(model, **options)._subject.model
    decide = _core.DecisionFunction(core, threads=1)

    def output(X):
        decisions = decide(np.ascontiguousarray(X))[0]
        return decisions[:, 0] - (options.get("level", 0.0) if core.is_regressor else 0.0)

    np.random.seed(SEED)
    values = shap.KernelExplainer(output, background).shap_values(rows, silent=True, l1_reg=0, nsamples=SHAP_SAMPLES)
    return values * np.where(output(rows) > 0.0, 1.0, -1.0)[:, None]


def measure(kind, data, model, options):
    order = np.random.default_rng(SEED).permutation(len(data.train))
    half = len(order) // 2
    stand_for_data, complete = data.train[order[:half]], data.train[order[half:]]
    relevance, taken = {}, {}
    for method in OURS:
        try:
            explainer = bisector.Explainer(model, method=method, background=stand_for_data, n_jobs=1, **options)
            relevance[method] = explainer(data.rows)
        except ValueError:
            continue  # a rule that this kind does not have
        taken[method] = explainer.settings["method"]
    relevance["KernelSHAP"] = by_kernel_shap(model, options, data.rows, stand_for_data[:BACKGROUND_ROWS])
    judge = bisector.Explainer(model, n_jobs=1, **options)
    judged = {"background": complete, "donors": "same", "seed": SEED, "n_jobs": 1}
    aufc = bisector.aufc(judge, data.rows, relevance=relevance, **judged)
    rows = [Row(kind, data.name, name, taken.get(name, ""), aufc[name]) for name in relevance]
    rows.append(Row(kind, data.name, "chance", "", bisector.aufc(judge, data.rows, method="random", **judged)))
    return rows


def figure(aufc):
    return f"{aufc:.3f} ± {aufc.standard_error:.3f}"


def csv_text(rows):
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["kind", "data", "method", "taken", "aufc", "standard_error", "rows"])
    for row in rows:
        table.writerow([row.kind, row.data, row.method, row.taken, f"{row.aufc:.4f}", f"{row.aufc.standard_error:.4f}",
                        len(row.aufc.values)])
    return out.getvalue()


def difference(rows, method):
    """Row by row to KernelSHAP, over all data of a kind."""
    of = {(row.data, row.method): row.aufc for row in rows}
    apart = np.concatenate([aufc.values - of[data, "KernelSHAP"].values for (data, name), aufc in of.items()
                            if name == method])
    return apart.mean(), apart.std(ddof=1) / len(apart) ** 0.5


def markdown(measured):
    """One table: a line for each kind and dataset, a column for each method."""
    methods = [*OURS, "KernelSHAP", "chance"]
    lines = ["| kind | data (features) | " + " | ".join(methods) + " |",
             "| --- | --- |" + " ---: |" * len(methods)]
    for rows in measured:
        of = {row.method: row for row in rows}
        cells = [figure(of[name].aufc) + (f" ({of[name].taken})" if name == "auto" else "") if name in of else "–"
                 for name in methods]
        lines.append(f"| {rows[0].kind} | {rows[0].data} | " + " | ".join(cells) + " |")
    kinds = list(dict.fromkeys(rows[0].kind for rows in measured))
    lines += ["", "| kind | auto less KernelSHAP, row by row | |", "| --- | ---: | --- |"]
    for kind in kinds:
        mean, error = difference([row for rows in measured for row in rows if row.kind == kind], "auto")
        words = "more faithful" if mean < -2 * error else "less faithful" if mean > 2 * error else "no difference"
        lines.append(f"| {kind} | {mean:+.3f} ± {error:.3f} | {words} |")
    return "\n".join(lines)


def main(folder):
    measured = []
    for kind, data, model, options in problems():
        measured.append(measure(kind, data, model, options))
        print(f"{kind}, {data.name}: " + ", ".join(f"{row.method} {row.aufc:.3f}" for row in measured[-1]), flush=True)
    page = folder / "kinds.md"
    text = "\n\n".join([report.BEGIN, markdown(measured), report.END])
    whole_file.write(page, report.replace_measured(page.read_text(encoding="utf-8"), text))
    whole_file.write(folder / "kinds.csv", csv_text([row for rows in measured for row in rows]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected RESULTS")
    main(Path(sys.argv[1]).resolve())
