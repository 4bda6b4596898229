"""Faithfulness of explanations of the rarer kinds of models, compared with KernelSHAP: make bench-kinds.

kinds.py RESULTS [KIND ...]    a folder to write kinds.md and kinds.csv into; only these kinds, and the figures of the others stay

Weighted votes, other metrics, regression by neighbors, other kernels, and detectors, on real data; detectors on generated
data too. Data that scikit-learn does not bring are read from BISECTOR_DATA, and left out where they are not there.
"""

import csv
import io
import os
import sys
from dataclasses import astuple, dataclass, fields
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
import shap  # noqa: E402
from pyod.models.knn import KNN  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.covariance import EllipticEnvelope  # noqa: E402
from sklearn.gaussian_process import GaussianProcessClassifier  # noqa: E402
from sklearn.gaussian_process.kernels import RBF, Matern, RationalQuadratic  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neighbors import (KernelDensity, KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor,  # noqa: E402
                               NearestNeighbors, RadiusNeighborsClassifier, RadiusNeighborsRegressor)
from sklearn.preprocessing import OrdinalEncoder, StandardScaler  # noqa: E402
from sklearn.svm import SVC, OneClassSVM  # noqa: E402

import bisector  # noqa: E402
import report  # noqa: E402
from bisector import _core  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

EXPLAINED_ROWS, BACKGROUND_ROWS, SHAP_SAMPLES, SEED = 40, 20, 512, 0
OURS = ("auto", "lrp", "lrp-path", "lrp-expected", "occlusion")
ALL, DIFFERENCE = "all", "auto less KernelSHAP"


@dataclass
class Data:
    name: str
    train: np.ndarray
    target: np.ndarray  # classes are 0 and 1; detectors ignore it
    rows: np.ndarray


@dataclass
class Row:
    """A number of the table as text: of one dataset, or the mean difference over all."""

    kind: str
    data: str
    method: str
    taken: str
    aufc: str
    standard_error: str
    rows: str


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


def of_categories():
    """Categories as numbers; the first column of the second dataset is the age."""
    cars = from_file("car_evaluation/car.data", delimiter=",", dtype=str)
    if cars is not None:
        yield categories("cars (6 categories)", cars[:, :-1], cars[:, -1] != "unacc", 0)
    risk = from_file("diabetes_risk/diabetes_data_upload.csv", delimiter=",", skip_header=1, dtype=str)
    if risk is not None:
        yield categories("diabetes risk (age and 15 categories)", risk[:, :-1], risk[:, -1] == "Positive", 1)


def categories(name, table, target, numbers):
    codes = OrdinalEncoder().fit_transform(table[:, numbers:])
    inputs = np.hstack([table[:, :numbers].astype(float) / 100.0, codes])
    train, rows, target, _ = train_test_split(inputs, target.astype(int), train_size=400, random_state=SEED)
    return Data(name, train, target, rows[:EXPLAINED_ROWS])


def of_numbers():
    X, y = datasets.load_diabetes(return_X_y=True)
    yield split("diabetes progression (10)", X, y - y.mean())
    for name, path, drop in (("concrete (8)", "concrete/Concrete_Data.csv", 0),
                             ("real estate (6)", "real_estate/Real_estate_valuation.csv", 1)):
        table = from_file(path, delimiter=",", skip_header=1)
        if table is not None:
            yield split(name, table[:, drop:-1], table[:, -1] - table[:, -1].mean())


def with_outliers(name, inside, outside, count):
    """Trained on inliers and outliers without labels; up to half of the explained rows are outliers."""
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


def radius_of(train):
    """A radius in which mixtures of two rows also have a neighbor."""
    return 2.0 * float(NearestNeighbors(n_neighbors=2).fit(train).kneighbors()[0][:, -1].max())


def ridge(kernel):
    return lambda train: KernelRidge(kernel=kernel, alpha=0.1)


def process(kernel):
    return lambda train: GaussianProcessClassifier(kernel, optimizer=None)


CLASSIFIERS = {
    "KNN, distance weights": lambda train: KNeighborsClassifier(9, weights="distance"),
    "KNN, Manhattan": lambda train: KNeighborsClassifier(9, metric="manhattan"),
    "KNN, Minkowski of power 3": lambda train: KNeighborsClassifier(9, p=3),
    "KNN, cosine": lambda train: KNeighborsClassifier(9, metric="cosine"),
    "KNN, Mahalanobis": lambda train: KNeighborsClassifier(
        9, metric="mahalanobis", metric_params={"VI": np.linalg.inv(np.cov(train.T))}),
    "neighbors within a radius, distance weights": lambda train: RadiusNeighborsClassifier(
        radius_of(train), weights="distance"),
    "Gaussian process classifier, Matérn 5/2": process(Matern(4.0, nu=2.5)),
    "Gaussian process classifier, rational quadratic": process(RationalQuadratic(4.0, alpha=1.0)),
    "SVC, linear (path on f)": lambda train: SVC(kernel="linear"),
    "SVC, polynomial (path on f)": lambda train: SVC(kernel="poly", coef0=1.0),
}
OF_CATEGORIES = {
    "KNN, Hamming": lambda train: KNeighborsClassifier(9, metric="hamming"),
    # Ages are below 1, categories whole numbers.
    "KNN, Gower": lambda train: KNeighborsClassifier(9, metric=bisector.Gower(
        np.flatnonzero(np.all(train == np.floor(train), axis=0)))),
}
REGRESSORS = {
    "KNN regression": lambda train: KNeighborsRegressor(9),
    "KNN regression, distance weights": lambda train: KNeighborsRegressor(9, weights="distance"),
    "neighbors within a radius, distance weights, regression": lambda train: RadiusNeighborsRegressor(
        radius_of(train), weights="distance"),
    "kernel ridge, Laplacian": ridge("laplacian"),
    "kernel ridge, Matérn 1/2": ridge(Matern(3.0, nu=0.5)),
    "kernel ridge, Matérn 3/2": ridge(Matern(3.0, nu=1.5)),
    "kernel ridge, Matérn 5/2": ridge(Matern(3.0, nu=2.5)),
    "kernel ridge, rational quadratic": ridge(RationalQuadratic(3.0, alpha=1.3)),
    "kernel ridge, inverse multiquadric": ridge(RationalQuadratic(3.0, alpha=0.5)),
    "kernel ridge, Cauchy": ridge(RationalQuadratic(3.0, alpha=1.0)),
    "kernel ridge, Gaussian + Matérn 3/2": ridge(RBF(3.0) + Matern(3.0, nu=1.5)),
}
OUTSIDE = 0.1  # fraction of the training rows
DETECTORS = {
    "LOF": lambda train: (LocalOutlierFactor(9, novelty=True, contamination=OUTSIDE), None),
    "distance to the 9th neighbor": lambda train: (NearestNeighbors(n_neighbors=9), lambda m: np.quantile(
        m.kneighbors()[0][:, -1], 1.0 - OUTSIDE)),
    "mean distance to 9 neighbors": lambda train: (KNN(contamination=OUTSIDE, n_neighbors=9, method="mean"), None),
    "Mahalanobis level": lambda train: (EllipticEnvelope(contamination=OUTSIDE, random_state=SEED), None),
    "one-class SVM": lambda train: (OneClassSVM(nu=OUTSIDE), None),
    "density, Gaussian": lambda train: (KernelDensity(bandwidth="scott"), _density_level(train)),
    "density, exponential": lambda train: (KernelDensity(bandwidth="scott", kernel="exponential"),
                                           _density_level(train)),
}


def _density_level(train):
    return lambda model: np.quantile(model.score_samples(train), OUTSIDE)


def problems(wanted):
    """(kind, data, fitted model, options of its explainers)"""
    def chosen(kinds, data):
        """Nearly all points vote within a radius and KernelSHAP evaluates 400,000 rows: take few points."""
        return [(kind, make) for kind, make in kinds.items()
                if (not wanted or kind in wanted) and ("radius" not in kind or len(data.train) <= 250)]

    for of_data, kinds in ((of_classes, CLASSIFIERS), (of_categories, OF_CATEGORIES)):
        for data in of_data():
            for kind, make in chosen(kinds, data):
                yield kind, data, make(data.train).fit(data.train, data.target), {}
    for data in of_numbers():
        for kind, make in chosen(REGRESSORS, data):
            yield kind, data, make(data.train).fit(data.train, data.target), {"level": 0.0}
    for data in of_outliers():
        for kind, make in chosen(DETECTORS, data):
            model, level_of = make(data.train)
            model.fit(data.train)
            yield kind, data, model, {} if level_of is None else {"level": float(level_of(model))}


def by_kernel_shap(model, options, rows, background):
    """Explains the decision value as the library computes it, which is fast. Oriented to the prediction."""
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
    rule_rows, donor_rows = data.train[order[:half]], data.train[order[half:]]
    relevance, taken = {}, {}
    for method in OURS:
        try:
            explainer = bisector.Explainer(model, method=method, background=rule_rows, n_jobs=1, **options)
            relevance[method] = explainer(data.rows)
        except ValueError:
            continue  # this kind of model does not have the rule
        taken[method] = explainer.settings["method"]
    relevance["KernelSHAP"] = by_kernel_shap(model, options, data.rows, rule_rows[:BACKGROUND_ROWS])
    judge = bisector.Explainer(model, n_jobs=1, **options)
    judged = {"background": donor_rows, "donors": "same", "seed": SEED, "n_jobs": 1}
    aufc = bisector.aufc(judge, data.rows, relevance=relevance, **judged)
    values = {name: aufc[name] for name in relevance}
    values["chance"] = bisector.aufc(judge, data.rows, method="random", **judged)
    rows = [row_of(kind, data.name, name, taken.get(name, ""), one.values) for name, one in values.items()]
    return rows, aufc["auto"].values - aufc["KernelSHAP"].values


def row_of(kind, data, method, taken, values):
    return Row(kind, data, method, taken, f"{values.mean():.4f}", f"{values.std(ddof=1) / len(values) ** 0.5:.4f}",
               str(len(values)))


def csv_text(rows):
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([field.name for field in fields(Row)])
    table.writerows(astuple(row) for row in rows)
    return out.getvalue()


def markdown(rows):
    """One table with a line for each kind and dataset, and one with the differences."""
    methods = [*OURS, "KernelSHAP", "chance"]
    lines = ["| kind | data (features) | " + " | ".join(methods) + " |",
             "| --- | --- |" + " ---: |" * len(methods)]
    for kind, data in dict.fromkeys((row.kind, row.data) for row in rows if row.data != ALL):
        of = {row.method: row for row in rows if (row.kind, row.data) == (kind, data)}
        cells = [f"{float(of[name].aufc):.3f} ± {float(of[name].standard_error):.3f}"
                 + (f" ({of[name].taken})" if name == "auto" else "") if name in of else "–" for name in methods]
        lines.append(f"| {kind} | {data} | " + " | ".join(cells) + " |")
    lines += ["", f"| kind | {DIFFERENCE}, row by row | |", "| --- | ---: | --- |"]
    for row in rows:
        if row.data == ALL:
            mean, error = float(row.aufc), float(row.standard_error)
            words = "more faithful" if mean < -2 * error else "less faithful" if mean > 2 * error else "no difference"
            lines.append(f"| {row.kind} | {mean:+.3f} ± {error:.3f} | {words} |")
    return "\n".join(lines)


def main(folder, wanted):
    rows, apart = [], {}
    if wanted:
        with open(folder / "kinds.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in map(lambda cells: Row(**cells), csv.DictReader(file)) if row.kind not in wanted]
    for kind, data, model, options in problems(wanted):
        try:
            measured, difference = measure(kind, data, model, options)
        except ValueError as error:
            if "within the radius" not in str(error):
                raise
            print(f"{kind}, {data.name}: left out, {error}", flush=True)
            continue
        rows += measured
        apart.setdefault(kind, []).append(difference)
        print(f"{kind}, {data.name}: " + ", ".join(f"{row.method} {row.aufc}" for row in measured), flush=True)
    rows += [row_of(kind, ALL, DIFFERENCE, "", np.concatenate(each)) for kind, each in apart.items()]
    page = folder / "kinds.md"
    text = "\n\n".join([report.BEGIN, markdown(rows), report.END])
    whole_file.write(page, report.replace_measured(page.read_text(encoding="utf-8"), text))
    whole_file.write(folder / "kinds.csv", csv_text(rows))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("error: expected RESULTS")
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
