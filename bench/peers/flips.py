"""Flips compared with other searches for counterfactuals: make bench-flips.

flips.py RESULTS [--rows N] [--limit SECONDS] [--only DATASET] [--ours]

With --ours, the peers' figures of RESULTS/flips.csv stay.

A KNN and an SVM of ten datasets, the same rows for all. The peers are DiCE (random, genetic and
kd-tree), NICE, and the nearest training row with the other prediction. Every answer is predicted
again by the model. Distances are Euclidean, in the model's own space (after its preprocessing).
Times are those of the processor, so that other programs on the machine do not count. A row that
takes longer than the limit is stopped and counts as an answer that does not flip.
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
from dataclasses import asdict, dataclass, fields
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

import bisector  # noqa: E402
from flip_peers import NEAREST, PEERS  # noqa: E402
from flip_problems import DATASETS, MODELS, TABLE_ROWS, make_problem  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

OURS = "bisector"
CALLS = 3  # of flip with a table; the median counts


class TimeOut(BaseException):
    """Peers catch Exception."""


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


@dataclass
class Row:
    """The answer for one row; an answer that does not flip has no distance."""

    dataset: str
    model: str
    method: str
    row: int
    is_valid: int
    distance: float
    changes: int
    seconds: float
    failure: str


def judged(problem, method, number, answer, seconds, failure=""):
    """Predicts the answer again with the original model."""
    row = problem.rows.iloc[[number]]
    is_valid, distance, changes = 0, float("nan"), 0
    if answer is not None:
        answer = answer[list(problem.X)].astype(dict(problem.X.dtypes))
        is_valid = int(problem.pipeline.predict(answer)[0] != problem.pipeline.predict(row)[0])
        if is_valid:
            space = problem.pipeline[:-1]
            distance = float(np.linalg.norm(space.transform(answer) - space.transform(row)))
            changes = int((answer.to_numpy() != row.to_numpy()).sum())
    return Row(problem.dataset, problem.model, method, number, is_valid, distance, changes, seconds,
               failure)


def of_peer(problem, method, limit, budget):
    """Stops after the first row that ends beyond the budget."""
    begin, rows, search = time.process_time(), [], None
    try:
        with limited(limit):
            search = PEERS[method](problem)
    except (TimeOut, Exception) as error:  # noqa: BLE001
        failure = type(error).__name__
        return [judged(problem, method, 0, None, float("nan"), failure)]
    for number in range(len(problem.rows)):
        if rows and time.process_time() - begin > budget:
            break
        start, answer, failure = time.process_time(), None, ""
        try:
            with limited(limit):
                answer = search(problem.rows.iloc[[number]])
        except (TimeOut, Exception) as error:  # noqa: BLE001
            failure = type(error).__name__
        rows.append(judged(problem, method, number, answer, time.process_time() - start, failure))
    return rows


def of_ours(problem):
    """Every row alone, as the peers; and the seconds per row of a table in one call, without and
    with the radius, and of one prediction of the pipeline for a row and its changed row."""
    explainer = bisector.Explainer(problem.pipeline, problem.X, n_jobs=1)
    explainer.flip(problem.rows[:1])
    rows = []
    for number in range(len(problem.rows)):
        start = time.process_time()
        flips = explainer.flip(problem.rows.iloc[[number]], radius=False)
        seconds = time.process_time() - start
        answer = pd.DataFrame(flips.data, columns=list(problem.X)) if flips.found[0] else None
        rows.append(judged(problem, OURS, number, answer, seconds))
    size = len(problem.table)
    return rows, [
        median([seconds_of(lambda: explainer.flip(problem.table, radius=radius)) / size
                for _ in range(CALLS)]) for radius in (False, True)] + [
        median([seconds_of(lambda: problem.pipeline.predict(problem.rows[:2])) for _ in range(10)])]


def seconds_of(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def read_rows(path):
    """The rows of an earlier run."""
    with open(path, encoding="utf-8", newline="") as lines:
        return [Row(**{field.name: {"int": int, "float": float, "str": str}[field.type.__name__](row[field.name])
                       for field in fields(Row)}) for row in csv.DictReader(lines)]


@dataclass
class Line:
    """A line of the page: a method on a dataset and a model."""

    dataset: str
    model: str
    method: str
    rows: int
    valid: float
    distance: float
    ratio: float  # median of our distances over the method's median, on the rows it flips
    changes: float
    milliseconds: float
    time_outs: int


def median(values):
    values = [value for value in values if value == value]
    return statistics.median(values) if values else float("nan")


def line_of(rows, ours):
    first = rows[0]
    flipped = [row for row in rows if row.is_valid]
    same = median([ours[row.row].distance for row in flipped])
    distance = median([row.distance for row in flipped])
    return Line(first.dataset, first.model, first.method, len(rows), len(flipped) / len(rows), distance,
                same / distance if flipped else float("nan"), median([row.changes for row in flipped]),
                1000.0 * median([row.seconds for row in rows]),
                sum(row.failure == "TimeOut" for row in rows))


def best_peer(lines):
    """The peer with the smallest distance among those that flip every row that they tried."""
    valid = [line for line in lines if line.method != OURS and line.valid == 1.0]
    return min(valid, key=lambda line: line.distance, default=None)


def shown(value, digits):
    return "–" if value != value else f"{value:,.{digits}f}"


def table(lines):
    text = ["| dataset, model | method | rows | flipped | distance | ours / theirs | changed columns "
            "| ms per row | stopped |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for line in lines:
        text.append(
            f"| {line.dataset}, {line.model} | {line.method} | {line.rows} | {100 * line.valid:.0f} % | "
            f"{shown(line.distance, 3)} | {shown(line.ratio, 2)} | {shown(line.changes, 1)} | "
            f"{shown(line.milliseconds, 2 if line.milliseconds < 10 else 0)} | {line.time_outs} |")
    return "\n".join(text)


def grouped(lines):
    groups = {}
    for line in lines:
        groups.setdefault((line.dataset, line.model), []).append(line)
    return groups


def fastest(group, program):
    """Milliseconds per row of the program's fastest search."""
    times = [line.milliseconds for line in group if line.method.startswith(program)]
    return min((t for t in times if t == t), default=float("nan"))


def summary(lines, tables):
    """A table of the goals, and a table with a line per dataset and model."""
    text = ["| dataset, model | flipped | best peer that always flips | ours / best peer | changed "
            "columns, ours and peer | ms per row of a table | with radius | ms, one row | ms, one prediction | "
            "DiCE / table | DiCE / one row | DiCE / one prediction | NICE / table |",
            "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    valid, near, faster = 0, 0, [0, 0, 0, 0]
    groups = grouped(lines)
    for ((dataset, model), group), times in zip(groups.items(), tables):
        ours, peer = next(line for line in group if line.method == OURS), best_peer(group)
        of_table, with_radius, prediction = (1000.0 * seconds for seconds in times)
        dice, nice = fastest(group, "DiCE"), fastest(group, "NICE")
        ratios = [dice / of_table, dice / ours.milliseconds, dice / prediction, nice / of_table]
        valid += ours.valid == 1.0
        near += peer is not None and peer.ratio <= 0.8
        faster = [count + (ratio >= 100.0) for count, ratio in zip(faster, ratios)]
        text.append(f"| {dataset}, {model} | {100 * ours.valid:.0f} % | {peer.method if peer else '–'} | "
                    f"{shown(peer.ratio, 2) if peer else '–'} | {shown(ours.changes, 1)}, "
                    f"{shown(peer.changes, 1) if peer else '–'} | {shown(of_table, 2)} | "
                    f"{shown(with_radius, 2)} | {shown(ours.milliseconds, 1)} | {shown(prediction, 1)} | "
                    f"{' | '.join(shown(ratio, 0) for ratio in ratios)} |")
    goals = [
        "| goal | reached on |", "| --- | ---: |",
        f"| every row flips, as the original model confirms | {valid} of {len(groups)} |",
        f"| median distance at most 0.8 of the best peer's that always flips | {near} of {len(groups)} |",
        f"| at least 100 times faster than DiCE's fastest search, table in one call | {faster[0]} of {len(groups)} |",
        f"| at least 100 times faster than DiCE's fastest search, one row per call | {faster[1]} of {len(groups)} |",
        f"| the same if a flip took no longer than one prediction of the pipeline | {faster[2]} of {len(groups)} |",
        f"| at least 100 times faster than NICE's fastest search, table in one call | {faster[3]} of {len(groups)} |"]
    return "\n".join(goals), "\n".join(text)


PAGE = """# How small and how fast are flips?

A flip is the smallest change of a row that makes a model decide otherwise
([guide](../guide/flips.md)). This page compares `Explainer.flip` with other programs that search
for counterfactuals: [DiCE](https://github.com/interpretml/DiCE) (random, genetic and kd-tree),
[NICE](https://github.com/DBrughmans/NICE), and the nearest training row with the other prediction.
The page is written by `bench/peers/flips.py` (`make bench-flips`).

- Ten datasets, each with k nearest neighbors (k = 5) and an SVM, both with the default parameters
  of scikit-learn after standard scaling. No parameter was chosen on these data.
- Up to {rows} rows per line, none of them a training row. A peer stops after {budget} seconds per line, and a
  row after {limit} seconds; a stopped row counts as not flipped.
- Every answer is predicted again by the original pipeline. Distances are Euclidean after the
  scaling. "ours / theirs" compares the medians on the rows that the peer flips.
- Times are processor time on one thread, with the predictions of the original pipeline. The peers
  search row by row; theirs is the median row, and does not become shorter with more rows. Ours is
  measured twice: per row of a table of up to {most} rows in one call (median of {calls} calls), and for
  one row per call (median row). Neither the construction of a peer nor our first call, which
  prepares the search, counts. Every answer is predicted again by the original pipeline, which
  takes one to several milliseconds whatever the number of rows ("one prediction"): no search that
  confirms its answers can be faster than that for one row per call.
{earlier}- The peers have no radius, so that the comparison is with `radius=False`. The column "with radius"
  has the time per row of a table with it.
- On "moons with noise" with an SVM the ratio is 0.82 because the flips cannot be shorter: the best
  of 15 starts of SciPy's SLSQP is at most 0.05 % nearer on every row
  (`bench/peers/flip_optimum.py`).
- The flips here are the shortest ones, so they change many columns a little. The peers change fewer
  columns by more. `changes=2` limits the columns.

{goals}

"DiCE / table" is the time of the fastest of the three searches of DiCE divided by our time per row
of a table; "DiCE / one row" divides it by our time of one row per call, and "DiCE / one prediction"
by the time in which the pipeline predicts a row and its changed row.

{summary}

## All methods

{table}
"""


TOGETHER = """- All programs were measured in one run. Other programs may have used the machine at the same time,
  which makes all times longer. Long searches suffer more from that than short calls, so that the
  ratios of a quiet machine may be smaller.
"""
EARLIER = """- The figures of the peers are those of an earlier run on the same machine; only ours were measured
  again.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds per row")
    parser.add_argument("--budget", type=float, default=5.0, help="seconds per peer, dataset and model")
    parser.add_argument("--only", choices=[*DATASETS])
    parser.add_argument("--ours", action="store_true", help="measure only bisector again")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    known = read_rows(arguments.results / "flips.csv") if arguments.ours else []
    everything, lines, tables = [], [], []
    for dataset in [arguments.only] if arguments.only else DATASETS:
        for model in MODELS:
            problem = make_problem(dataset, model, arguments.rows)
            ours, per_row = of_ours(problem)
            tables.append(per_row)
            for method in [OURS, *PEERS]:
                rows = ours if method == OURS else [
                    row for row in known if (row.dataset, row.model, row.method) == (dataset, model, method)]
                rows = rows or of_peer(problem, method, arguments.limit, arguments.budget)
                everything += rows
                lines.append(line_of(rows, ours))
                print(table(lines[-1:]).splitlines()[-1], {row.failure for row in rows}, flush=True)
    goals, short = summary(lines, tables)
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Row)], lineterminator="\n")
    writer.writeheader()
    for row in everything:
        writer.writerow({**asdict(row), "distance": f"{row.distance:.6g}", "seconds": f"{row.seconds:.4g}"})
    whole_file.write(arguments.results / "flips.csv", text.getvalue())
    whole_file.write(arguments.results / "flips.md", PAGE.format(
        rows=arguments.rows, most=TABLE_ROWS, calls=CALLS, earlier=EARLIER if arguments.ours else TOGETHER,
        limit=f"{arguments.limit:g}", budget=f"{arguments.budget:g}", goals=goals, summary=short,
        table=table(lines)))
    print(goals)


if __name__ == "__main__":
    main()
