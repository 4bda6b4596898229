"""Cost and faithfulness: every rule and baseline and KernelSHAP on the same models and rows: make bench-peers.

frontier.py RESULTS    a folder to write frontier.md, frontier.csv and frontier.svg into

The training rows are halved: one half is the background of the methods, the other imputes removed features. The
models have scikit-learn's defaults or round numbers. Concrete is read from BISECTOR_DATA and left out where it is not.
"""

import csv
import io
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
import shap  # noqa: E402
from sklearn.datasets import load_breast_cancer  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

import bisector  # noqa: E402
import frontier_plot  # noqa: E402
import report  # noqa: E402
from clock import best_of  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

EXPLAINED_ROWS, BACKGROUND_ROWS, SEED = 150, 50, 0
FEW_ROWS = f"Shapley, exact, {BACKGROUND_ROWS} rows"  # as many rows as KernelSHAP has
RULES = {"lrp": {"method": "lrp"}, "lrp-path": {"method": "lrp-path"}, "lrp-expected": {"method": "lrp-expected"},
         "neighborhood": {"method": "neighborhood"}, "auto": {"method": "auto"},
         "auto, data view": {"method": "auto", "view": "data"}}
OF_KERNELS = {"gi": {"method": "gi"}, "ig": {"method": "ig"}, "occlusion": {"method": "occlusion"},
              "Shapley, sampled": {"method": "shapley"}, "Shapley, exact": {"method": "shapley-exact"},
              FEW_ROWS: {"method": "shapley-exact"}}
# Baselines of neighbors explain the votes, which have no gradient.
OF_NEIGHBORS = {"occlusion": {"method": "occlusion", "on": "votes"},
                "Shapley, sampled": {"method": "shapley", "on": "votes"}}


@dataclass
class Problem:
    name: str
    estimator: object
    output: object  # function of rows whose sign is the decision; KernelSHAP explains it
    methods: dict
    options: dict  # of every Explainer
    rows: np.ndarray
    rule_rows: np.ndarray  # the background of the methods
    donor_rows: np.ndarray


@dataclass
class Measured:
    problem: str
    method: str
    settings: str  # the chosen rule
    microseconds: float  # per row
    aufc: object = None


def split(inputs, target):
    """Standardized training rows with their target, and held-out rows."""
    train, test, target, _ = train_test_split(inputs, target, test_size=0.3, random_state=SEED)
    scaler = StandardScaler().fit(train)
    return scaler.transform(train), target, scaler.transform(test)[:EXPLAINED_ROWS]


def problem(name, estimator, output, methods, data, **options):
    train, target, rows = data
    order = np.random.default_rng(SEED).permutation(len(train))
    half = len(train) // 2
    return Problem(name, estimator.fit(train, target), output, methods, options, rows, train[order[:half]],
                   train[order[half:]])


def concrete():
    path = Path(os.environ.get("BISECTOR_DATA") or ".") / "concrete" / "Concrete_Data.csv"
    if not path.exists():
        print(f"{path} does not exist: no kernel ridge on concrete")
        return None
    numbers = np.loadtxt(path, delimiter=",", skiprows=1)
    return split(numbers[:, :-1], numbers[:, -1] - numbers[:, -1].mean())


def problems():
    cancer = split(*load_breast_cancer(return_X_y=True))
    svc, knn = SVC(), KNeighborsClassifier(9, algorithm="brute")
    yield problem("SVC, breast cancer (30 features)", svc, svc.decision_function, RULES | OF_KERNELS, cancer)
    yield problem("KNN, breast cancer (30 features)", knn, lambda rows: knn.predict_proba(rows)[:, 1] - 0.5,
                  RULES | OF_NEIGHBORS, cancer)
    strength = concrete()
    if strength is not None:
        ridge = KernelRidge(kernel="rbf", gamma=1 / 8, alpha=0.1)
        yield problem("kernel ridge, concrete (8 features)", ridge, ridge.predict, RULES | OF_KERNELS, strength, level=0.0)


def processor_time(run, least=5):
    """Processor time of this process, which has one thread."""
    return best_of(run, least, clock=time.process_time)


def rule_taken(settings):
    references = [f"{settings['references']} references"] if settings.get("references") else []
    share = [f"neighborhood {settings['neighborhood']:g}"] if settings.get("neighborhood") else []
    return ", ".join([settings["method"], *references, *share])


def by_bisector(of, name, arguments):
    background = of.rule_rows[:BACKGROUND_ROWS] if name == FEW_ROWS else of.rule_rows
    explainer = bisector.Explainer(of.estimator, background=background, n_jobs=1, **arguments, **of.options)
    seconds = processor_time(lambda: explainer(of.rows))
    return Measured(of.name, name, rule_taken(explainer.settings), 1e6 * seconds / len(of.rows)), explainer(of.rows)


def by_kernel_shap(of):
    """With its default number of samples, once: it takes most of a second per row. Without its selection of ten
    features, which would leave the others in no order."""
    explainer = shap.KernelExplainer(of.output, of.rule_rows[:BACKGROUND_ROWS])
    np.random.seed(SEED)
    begin = time.process_time()
    values = explainer.shap_values(of.rows, silent=True, l1_reg=0)
    seconds = time.process_time() - begin
    towards_prediction = np.where(of.output(of.rows) > 0.0, 1.0, -1.0)
    return (Measured(of.name, "KernelSHAP", f"{BACKGROUND_ROWS} background rows", 1e6 * seconds / len(of.rows)),
            values * towards_prediction[:, None])


def measure(of):
    """Every method, and a random order."""
    found = [by_bisector(of, name, arguments) for name, arguments in of.methods.items()]
    found.append(by_kernel_shap(of))
    model = bisector.Explainer(of.estimator, **of.options)
    judged = {"background": of.donor_rows, "donors": "same", "seed": SEED, "n_jobs": 1}
    aufc = bisector.aufc(model, of.rows, relevance={row.method: relevance for row, relevance in found}, **judged)
    for row, _ in found:
        row.aufc = aufc[row.method]
        print(f"   {row.method}: {row.microseconds:,.4g} µs per row, AUFC {row.aufc:.3f} ± {row.aufc.standard_error:.3f}",
              flush=True)
    return [row for row, _ in found], bisector.aufc(model, of.rows, method="random", **judged)


def above_auto(row, rows):
    """The mean difference to auto, row by row, with its standard error."""
    auto = next(other for other in rows if other.method == "auto" and other.problem == row.problem)
    difference = row.aufc.values - auto.aufc.values
    return difference.mean(), difference.std(ddof=1) / len(difference) ** 0.5


def cost_text(microseconds):
    return f"{microseconds:,.0f}" if microseconds >= 100 else f"{microseconds:.3g}"


def csv_text(rows):
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["model", "method", "taken", "microseconds_per_row", "aufc", "standard_error", "above_auto",
                    "above_auto_standard_error"])
    for row in rows:
        figures = (row.aufc, row.aufc.standard_error, *above_auto(row, rows))
        table.writerow([row.problem, row.method, row.settings, f"{row.microseconds:.4g}", *(f"{x:.4f}" for x in figures)])
    return out.getvalue()


def markdown_table(rows, chance):
    lines = ["| method | µs per row | AUFC | minus auto |", "| --- | ---: | ---: | ---: |"]
    for row in sorted(rows, key=lambda row: row.aufc):
        taken = f" ({row.settings})" if row.method.startswith("auto") else ""
        difference, error = above_auto(row, rows)
        lines.append(f"| {row.method}{taken} | {cost_text(row.microseconds)} | {row.aufc:.3f} ± {row.aufc.standard_error:.3f} | "
                     f"{difference:+.3f} ± {error:.3f} |")
    return "\n".join([*lines, f"| random order | | {chance:.3f} ± {chance.standard_error:.3f} | |"])


def main(folder):
    measured = {}
    for of in problems():
        print(f"== {of.name}", flush=True)
        measured[of.name] = measure(of)
    page = folder / "frontier.md"
    tables = [f"## {name}\n\n{markdown_table(rows, chance)}" for name, (rows, chance) in measured.items()]
    text = "\n\n".join([report.BEGIN, *tables, report.END])
    whole_file.write(page, report.replace_measured(page.read_text(encoding="utf-8"), text))
    whole_file.write(folder / "frontier.csv", csv_text([row for rows, _ in measured.values() for row in rows]))
    whole_file.write(folder / "frontier.svg", frontier_plot.draw(measured))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected RESULTS")
    main(Path(sys.argv[1]).resolve())
