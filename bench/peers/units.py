"""Which unit agrees with the Shapley values of the model's output?  make bench-units

units.py RESULTS    a folder to write units.md and units.csv into

Ten datasets and five kinds of models, 20 random splits each. Held-out rows are explained by the default method in the
unit g, in the former `decision`, which scaled each row by output / g, and in the present `decision`. The reference
values are interventional Shapley values of the output. Every row has sampled orders and background rows of its own:
rows that share them have the same error, which no standard error over rows shows. Standard errors are those of the
splits, because a difference may be special to one split. Datasets that scikit-learn does not contain are read from
BISECTOR_DATA.
"""

import csv
import io
import os
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, fields
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

import bisector  # noqa: E402
import correlation  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

SPLITS, ROWS, TRAINING_ROWS, ORDERS = 20, 30, 600, 60
UNITS = ("g", "f / g", "decision")


@dataclass
class Cell:
    """Correlations of one dataset and kind of model with the Shapley values."""
    model: str
    data: str
    g_within: float
    old_within: float
    new_within: float
    within_difference: float
    within_error: float
    g_all: float
    old_all: float
    new_all: float
    all_difference: float
    all_error: float


def table(path, delimiter=",", drop=0):
    numbers = np.genfromtxt(Path(os.environ["BISECTOR_DATA"]) / path, delimiter=delimiter, skip_header=1)
    return numbers[:, drop:-1], numbers[:, -1]


def raisins():
    path = Path(os.environ["BISECTOR_DATA"]) / "raisin/Raisin_Dataset.csv"
    cells = [line.strip().split(",") for line in path.read_text(encoding="utf-8").splitlines()[1:] if line.strip()]
    return np.array([row[:-1] for row in cells], float), np.array([row[-1] == "Kecimen" for row in cells], float)


def rice():
    path = Path(os.environ["BISECTOR_DATA"]) / "rice/Rice_Cammeo_Osmancik.arff"
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip().lower() == "@data")
    cells = [line.strip().split(",") for line in lines[start + 1:] if line.strip()]
    return np.array([row[:-1] for row in cells], float), np.array([row[-1] == "Cammeo" for row in cells], float)


DATA = {
    "breast cancer": lambda: datasets.load_breast_cancer(return_X_y=True),
    "wine cultivars": lambda: datasets.load_wine(return_X_y=True),
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "diabetes progression": lambda: datasets.load_diabetes(return_X_y=True),
    "concrete": lambda: table("concrete/Concrete_Data.csv"),
    "real estate": lambda: table("real_estate/Real_estate_valuation.csv", drop=1),
    "red wine": lambda: table("wine_quality/winequality-red.csv", ";"),
    "white wine": lambda: table("wine_quality/winequality-white.csv", ";"),
    "raisin": raisins,
    "rice": rice,
}


@dataclass
class Kind:
    make: object
    method: str  # "auto" for the default of the model
    is_classifier: bool
    output: object  # (model, rows) -> what the explanations add up to


def votes(model, rows):
    """Difference of the numbers of votes."""
    share = model.predict_proba(rows)
    return model.n_neighbors * (share[:, 1] - share[:, 0])


def vote_shares(model, rows):
    share = model.predict_proba(rows)
    return share[:, 1] - share[:, 0]


def predictions(model, rows):
    return model.predict(rows)


KINDS = {
    "KNN, k = 15": Kind(lambda: KNeighborsClassifier(15), "auto", True, votes),
    "KNN, k = 15, distance weights": Kind(lambda: KNeighborsClassifier(15, weights="distance"), "auto", True,
                                          vote_shares),
    "SVC": Kind(SVC, "auto", True, lambda model, rows: model.decision_function(rows)),
    "KNN regression, k = 9": Kind(lambda: KNeighborsRegressor(9), "auto", False, predictions),
    "kernel ridge": Kind(lambda: KernelRidge(kernel="rbf", gamma=0.1, alpha=0.1), "auto", False, predictions),
}
# Not the default of its kind of model.
EXTRA = {
    "kernel ridge, lrp-expected": Kind(KINDS["kernel ridge"].make, "lrp-expected", False, predictions),
}


def split(name, is_classifier, seed):
    """Standardized training rows, held-out rows, and the target of the training rows: two classes, or numbers."""
    rows, target = DATA[name]()
    target = np.asarray(target, float)
    if is_classifier:
        target = (target > np.median(target) if len(np.unique(target)) > 2 else target == target.max()).astype(int)
    else:
        target = (target - target.mean()) / target.std()
    train, test, train_target, _ = train_test_split(rows, target, test_size=0.3, random_state=seed,
                                                    stratify=target if is_classifier else None)
    scaler = StandardScaler().fit(train)
    return scaler.transform(train)[:TRAINING_ROWS], train_target[:TRAINING_ROWS], scaler.transform(test)[:ROWS]


def sampled_shapley(output, rows, background, seed):
    """Interventional Shapley values of output(rows). Each row has its own random orders, in pairs with their reverse, and
    each pair another background row."""
    random = np.random.default_rng(seed)
    count, features = rows.shape
    absent = np.array([random.permutation(len(background))[:ORDERS // 2] for _ in range(count)])
    values = np.zeros(rows.shape)
    for pair in range(ORDERS // 2):
        position = random.permuted(np.tile(np.arange(features), (count, 1)), axis=1)
        for own in (position, features - 1 - position):
            is_present = own < np.arange(features + 1)[:, None, None]
            mixed = np.where(is_present, rows, background[absent[:, pair]])
            outputs = output(mixed.reshape(-1, features)).reshape(features + 1, count)
            values += np.take_along_axis(np.diff(outputs, axis=0).T, own, axis=1) / ORDERS
    return values


def explain(model, kind, rows, background, unit, method):
    """Positive values raise the output."""
    options = {"positive_class": 1} if kind.is_classifier else {"level": 0.0}
    return bisector.Explainer(model, background=background, method=method, unit=unit, n_jobs=1, **options)(rows)


def units_of(model, kind, rows, background):
    """The values in each unit. Rows with an infinite g are scaled to the output; rows with g = 0 count as zeros."""
    new = explain(model, kind, rows, background, "decision", kind.method)
    if new.method == "shapley-exact":  # explains the output, in its unit, whatever the unit of the rules
        return dict.fromkeys(UNITS, np.asarray(new.values))
    in_g = explain(model, kind, rows, background, "g", kind.method)
    values, g = np.asarray(in_g.values), np.asarray(in_g.g)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = kind.output(model, rows) / np.where(np.isfinite(g), g, values.sum(axis=1))
    old = values * np.where(np.isfinite(scale), scale, 0.0)[:, None]
    return {"g": values, "f / g": old, "decision": np.asarray(new.values)}


def measure_split(data, kind, seed):
    """Of each unit: the mean correlation within rows, and the correlation over all rows."""
    train, target, rows = split(data, kind.is_classifier, seed)
    model = kind.make().fit(train, target)
    values = units_of(model, kind, rows, train)
    reference = sampled_shapley(lambda mixed: kind.output(model, mixed), rows, train, seed).tolist()
    lists = [values[unit].tolist() for unit in UNITS]
    return ([float(np.mean(correlation.within_rows(own, reference))) for own in lists],
            [correlation.over_all_rows(own, reference) for own in lists])


def measure(data, name):
    results = np.array([measure_split(data, (KINDS | EXTRA)[name], seed) for seed in range(SPLITS)])
    numbers = []
    for of_splits in (results[:, 0], results[:, 1]):
        numbers += [*of_splits.mean(axis=0).tolist(), *correlation.paired(of_splits[:, 2].tolist(), of_splits[:, 1].tolist())]
    return Cell(name, data, *numbers)


def corrected_errors(comparisons):
    """The number of standard errors over the splits that has the same chance in any of `comparisons` as two standard
    errors of a normal distribution in a single one."""
    return float(stats.t.isf(stats.norm.sf(2.0) / comparisons, SPLITS - 1))


# Attributes of a Cell: g, f / g, decision, difference of the last two, its standard error.
COMPARED = {
    "within rows": ("g_within", "old_within", "new_within", "within_difference", "within_error"),
    "over all rows": ("g_all", "old_all", "new_all", "all_difference", "all_error"),
}


def is_worse(difference, error, limit):
    return difference < -limit * error and difference < -1e-9


def comparisons(cells, sign, limit):
    """The comparisons in which sign times the difference is more than `limit` standard errors below 0."""
    found = []
    for cell in cells:
        for title, (*_, difference_name, error_name) in COMPARED.items():
            difference, error = getattr(cell, difference_name), getattr(cell, error_name)
            if is_worse(sign * difference, error, limit):
                found.append(f"{cell.model} on {cell.data} {title} ({difference:+.4f} ± {error:.4f})")
    return found


def summary(cells):
    defaults = [cell for cell in cells if cell.model in KINDS]
    extra = [cell for cell in cells if cell.model in EXTRA]
    limit = corrected_errors(2 * len(defaults))
    worse, doubtful = comparisons(defaults, 1, limit), comparisons(defaults, 1, 2.0)
    significant = (f"{len(defaults)} cells with the default method of the model, two correlations each. A difference is "
                   f"significant if it is above {limit:.2f} standard errors. By Student's distribution, this has the same "
                   f"chance in any of the {2 * len(defaults)} comparisons as two standard errors in one. `decision` is "
                   f"significantly worse than f / g in {len(worse)} of them and better in "
                   f"{len(comparisons(defaults, -1, limit))}.")
    if worse:
        significant += f" Worse: {'; '.join(worse)}."
    single = (f"Without the correction, {len(doubtful)} comparisons are more than two standard errors below 0 and "
              f"{len(comparisons(defaults, -1, 2.0))} above. Below: {'; '.join(doubtful) or 'none'}.")
    other = (f"Kernel ridge by `lrp-expected`, which is not its default, is significantly worse in "
             f"{len(comparisons(extra, 1, limit))} and better in {len(comparisons(extra, -1, limit))} of {2 * len(extra)} "
             f"comparisons.")
    return limit, worse, [part for text in (significant, single, other) for part in (textwrap.fill(text, 100), "")]


def markdown(cells):
    limit, _, lines = summary(cells)
    for title, attributes in COMPARED.items():
        lines += [f"## Correlation {title}", "", "| model | data | g | f / g per row | decision | difference |",
                  "| --- | --- | ---: | ---: | ---: | ---: |"]
        for cell in cells:
            g, old, new, difference, error = (getattr(cell, name) for name in attributes)
            mark = " worse" if is_worse(difference, error, limit) else " better" if is_worse(-difference, error, limit) else ""
            lines.append(f"| {cell.model} | {cell.data} | {g:.3f} | {old:.3f} | {new:.3f} | "
                         f"{difference:+.4f} ± {error:.4f}{mark} |")
        lines.append("")
    return "\n".join(lines)


HEAD = """# Agreement of the units with Shapley values of the output

`make bench-units` writes this page. It compares relevance in the unit g, in the unit `decision`,
and in the former `decision`, which scaled each row by output / g, with interventional Shapley
values of the model's output. {splits} random splits of each dataset, each with {rows} held-out rows
and up to {training} training rows; standardized features. The background of the explanations and of
the Shapley values is the training set. All three units are those of the default method: `lrp-path`
for SVC, `lrp-expected` for neighbors, and `shapley-exact` for kernel ridge, which explains the
output itself. [The scales of kernel machines and neighbors](unit_scale.md) were chosen on other
problems.

Shapley values are sampled by {orders} orders per row. Each row has orders and background rows of its
own: rows that share background rows share their error, and one of the units is then favored by
chance. Standard errors are those of the mean over the splits. Rows of one split share a model and
its base value, so a standard error over the rows of one split would be too small.

"""


def main(folder):
    tasks = [(data, name) for name in KINDS | EXTRA for data in DATA]
    cells = []
    with ProcessPoolExecutor() as pool:
        for cell in pool.map(measure, *zip(*tasks)):
            cells.append(cell)
            print(cell, flush=True)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([field.name for field in fields(Cell)])
    rows.writerows([f"{value:.6g}" if isinstance(value, float) else value for value in astuple(cell)] for cell in cells)
    whole_file.write(folder / "units.csv", out.getvalue())
    head = HEAD.format(splits=SPLITS, rows=ROWS, training=TRAINING_ROWS, orders=ORDERS)
    whole_file.write(folder / "units.md", head + markdown(cells))
    return len(summary(cells)[1])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected RESULTS")
    sys.exit(1 if main(Path(sys.argv[1]).resolve()) else 0)
