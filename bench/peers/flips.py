"""Flips compared with DiCE's random, genetic and kd-tree search: flips.py RESULTS [--rows N] [--only DATASET]

A KNN and an SVM of five datasets, the same rows for all. Every answer is predicted again by the model.
Distances are Euclidean after the model's scaling. Times are processor time on one thread. A search that
takes longer than the limit is stopped and counts as an answer that does not flip. Writes RESULTS/flips.csv
and prints its summary.
"""

import argparse
import contextlib
import csv
import io
import os
import signal
import statistics
import sys
import time
import warnings
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import dice_ml  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.compose import make_column_transformer  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

import bisector  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

MODELS = {"KNN": lambda: KNeighborsClassifier(5), "SVM": lambda: SVC(probability=True)}
SEARCHES = {"DiCE, random": "random", "DiCE, genetic": "genetic", "DiCE, kd-tree": "kdtree"}
LIMIT, BUDGET = 10.0, 5.0  # seconds per row, and per search of a dataset and model


def credit():
    random = np.random.default_rng(0)
    X = pd.DataFrame({
        "duration": random.integers(6, 48, 600), "amount": random.integers(500, 9000, 600),
        "age": random.integers(19, 70, 600), "savings": random.choice(["none", "some", "much"], 600),
        "housing": random.choice(["rent", "own", "free"], 600)})
    risk = (X["duration"] / 24 + X["amount"] / 5000 - 1.5 * (X["savings"] == "much")
            - (X["housing"] == "own") + random.normal(scale=0.3, size=600))
    return X, (risk > 1.0).to_numpy().astype(int)


def named(X, y):
    return pd.DataFrame(X, columns=[f"x{d + 1}" for d in range(X.shape[1])]), y


DATASETS = {
    "breast cancer (30 columns)": lambda: named(*datasets.load_breast_cancer(return_X_y=True)),
    "iris (4)": lambda: (lambda X, y: named(X, (y == 1).astype(int)))(*datasets.load_iris(return_X_y=True)),
    "generated (10)": lambda: named(*datasets.make_classification(
        600, 10, n_informative=5, flip_y=0.03, random_state=0)),
    "generated shells (6)": lambda: named(*datasets.make_gaussian_quantiles(
        n_samples=600, n_features=6, n_classes=2, random_state=0)),
    "generated credit, numbers and text (5)": credit,
}


class TimeOut(BaseException):
    """DiCE catches Exception."""


@contextlib.contextmanager
def limited(seconds):
    def stop(*_):
        raise TimeOut

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def timed(call):
    start = time.process_time()
    answer = call()
    return answer, time.process_time() - start


def fitted(dataset, model):
    """The pipeline, what it knows, and the rows of the last third."""
    X, y = DATASETS[dataset]()
    order = np.random.default_rng(0).permutation(len(X))
    X, y, known = X.iloc[order].reset_index(drop=True), y[order], 2 * len(X) // 3
    texts = [name for name in X if X[name].dtype.kind not in "iuf"]
    numbers = [name for name in X if name not in texts]
    scaler = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(), texts))
    pipeline = make_pipeline(scaler, MODELS[model]()).fit(X[:known], y[:known])
    return pipeline, X[:known], y[:known], X[known:], numbers


def judged(pipeline, row, answer, seconds):
    """Whether the answer flips, its distance and the number of changed columns."""
    if answer is not None:
        answer = answer[list(row)].astype(dict(row.dtypes))
        if pipeline.predict(answer)[0] != pipeline.predict(row)[0]:
            distance = np.linalg.norm(pipeline[:-1].transform(answer) - pipeline[:-1].transform(row))
            return [1, f"{distance:.6g}", int((answer.to_numpy() != row.to_numpy()).sum()), f"{seconds:.4g}"]
    return [0, "", "", f"{seconds:.4g}"]


def dice(pipeline, X, y, numbers, method, rows):
    """DiCE's answers row by row, until the budget is spent."""
    search = dice_ml.Dice(
        dice_ml.Data(dataframe=X.assign(target=y), continuous_features=numbers, outcome_name="target"),
        dice_ml.Model(model=pipeline, backend="sklearn"), method=method)
    seed = {"random_seed": 0} if method == "random" else {}
    spent = 0.0
    for number in range(len(rows)):
        if spent > BUDGET:
            break
        start, answer = time.process_time(), None
        with contextlib.suppress(TimeOut, Exception), limited(LIMIT):
            found = search.generate_counterfactuals(rows.iloc[[number]], total_CFs=1, verbose=False,
                                                    desired_class="opposite", **seed)
            frame = found.cf_examples_list[0].final_cfs_df
            answer = None if frame is None or len(frame) == 0 else frame.iloc[[0]]
        seconds = time.process_time() - start
        spent += seconds
        yield number, judged(pipeline, rows.iloc[[number]], answer, seconds)


def measure(dataset, model, count):
    """A line per method and row; the first is of ours per row of the whole table."""
    pipeline, X, y, table, numbers = fitted(dataset, model)
    explainer = bisector.Explainer(pipeline, X, n_jobs=1)
    explainer.flip(table[:1])
    seconds = statistics.median(timed(lambda: explainer.flip(table, radius=False))[1] for _ in range(3)) / len(table)
    yield [dataset, model, "bisector, table", "", "", "", "", f"{seconds:.4g}"]
    rows = table[:count]
    for number in range(count):
        flips, seconds = timed(lambda: explainer.flip(rows.iloc[[number]], radius=False))
        answer = pd.DataFrame(flips.data, columns=list(X)) if flips.found[0] else None
        yield [dataset, model, "bisector", number, *judged(pipeline, rows.iloc[[number]], answer, seconds)]
    for name, method in SEARCHES.items():
        for number, cells in dice(pipeline, X, y, numbers, method, rows):
            yield [dataset, model, name, number, *cells]


def summary(lines):
    """A line per dataset and model: ours against the DiCE search that is nearest, and the fastest one."""
    text = ["| dataset, model | flipped, ours and DiCE | distance, ours / DiCE | ms per row of a table "
            "| ms, one row | DiCE / table | DiCE / one row |", "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for dataset, model in dict.fromkeys((line[0], line[1]) for line in lines):
        own = [line for line in lines if line[:2] == [dataset, model]]
        of = {name: [line for line in own if line[2] == name] for name in ("bisector", *SEARCHES)}
        ours = {line[3]: float(line[5] or "nan") for line in of["bisector"]}
        table = 1000 * float(own[0][7])
        one, *times = (1000 * statistics.median(float(line[7]) for line in of[name]) for name in of)
        ratios = [statistics.median(ours[line[3]] / float(line[5]) for line in of[name] if line[4])
                  for name in SEARCHES if any(line[4] for line in of[name])]
        shares = [sum(line[4] for line in of[name]) / len(of[name]) for name in of]
        text.append(f"| {dataset}, {model} | {shares[0]:.0%}, {max(shares[1:]):.0%} | {max(ratios):.2f} | "
                    f"{table:.2f} | {one:.1f} | {min(times) / table:,.0f} | {min(times) / one:,.0f} |")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--only", choices=[*DATASETS])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = [line for dataset in ([arguments.only] if arguments.only else DATASETS) for model in MODELS
             for line in measure(dataset, model, arguments.rows)]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["dataset", "model", "method", "row", "flips", "distance", "changed_columns", "seconds"])
    writer.writerows(lines)
    whole_file.write(arguments.results / "flips.csv", text.getvalue())
    print(summary(lines))


if __name__ == "__main__":
    main()
