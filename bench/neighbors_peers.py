"""Compares exact nearest neighbors with FAISS, usearch and scikit-learn on the same data, in one run.

neighbors_peers.py PROGRAM WORK OUT.md [--skip N] [--cases N]   bisector-neighbors, a folder for data, the table

Needs numpy, faiss-cpu, usearch and scikit-learn; what is not installed is left out. Every program uses
one thread. Times are processor time. The programs alternate for several rounds; each runs for SECONDS in a
round, and its least time counts. A program is left out where one batch would take several times SECONDS.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
# OpenBLAS does not recognize every processor, and would then compare us with code without AVX.
flags = Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
if "avx2" in flags:
    os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX" if "avx512vl" in flags else "Haswell")

import numpy as np  # noqa: E402

NEIGHBORS = 9
ROUNDS = 2
SECONDS = 0.5
# points, features, rows, rows per batch
CASES = [(10000, features, rows, batch) for features in (384, 784, 1536)
         for rows, batch in ((50, 1), (100, 100))]
CASES += [(10000, features, 10000, 10000) for features in (384, 784)]
CASES += [(100000, 384, 100, 100), (10000, 96, 100, 100), (1000000, 96, 100, 100), (10000, 16, 100, 100)]
CASES += [(10000, features, rows, batch) for features in (96, 16) for rows, batch in ((50, 1), (10000, 10000))]
CASES += [(100000, 784, 100, 100), (100000, 384, 20, 1), (1000000, 16, 100, 100), (100000, 1536, 100, 100),
          (10000, 1536, 10000, 10000), (500000, 384, 100, 100), (2000000, 96, 100, 100)]


def make_data(points, features, rows, seed=1):
    """200 Gaussian clusters, in numbers that single precision holds exactly."""
    random = np.random.default_rng(seed)
    centers = random.standard_normal((200, features))
    draw = lambda n: (centers[random.integers(200, size=n)] + random.standard_normal((n, features))).astype(np.float32)
    return draw(points), draw(rows)


def searched(search, rows, batch):
    """The least seconds per row of several runs, and what was found for the rows that were searched."""
    best, begin = float("inf"), time.process_time()
    while time.process_time() - begin < SECONDS:
        start, found = time.process_time(), []
        for first in range(0, len(rows), batch):
            found.append(search(rows[first:first + batch]))
            if time.process_time() - start > SECONDS:
                break
        found = np.concatenate(found)
        best = min(best, (time.process_time() - start) / len(found))
    return best, found


def faiss_searches(points):
    try:
        import faiss
    except ImportError:
        return {}
    faiss.omp_set_num_threads(1)
    made = {"FAISS flat": faiss.IndexFlatL2(points.shape[1])}
    if hasattr(faiss, "IndexFlatL2Panorama"):
        made["FAISS Panorama"] = faiss.IndexFlatL2Panorama(points.shape[1], 8)
    for index in made.values():
        index.add(points)
    return {name: (lambda rows, index=index: index.search(rows, NEIGHBORS)[1]) for name, index in made.items()}


def other_searches(points):
    searches = {}
    try:
        from usearch.index import MetricKind, search
        searches["usearch exact"] = lambda rows: search(points, rows, NEIGHBORS, MetricKind.L2sq, exact=True,
                                                        threads=1).keys.reshape(len(rows), -1)
    except ImportError:
        pass
    try:
        from sklearn.neighbors import NearestNeighbors
        brute = NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute").fit(points)
        searches["scikit-learn"] = lambda rows: brute.kneighbors(rows, return_distance=False)
    except ImportError:
        pass
    return searches


def run_ours(program, work, rows, batch, repeats):
    out = work / "found"
    printed = subprocess.run([program, work / "points", work / "rows", str(rows.shape[1]), str(NEIGHBORS),
                              str(batch), str(repeats), out], check=True, capture_output=True, text=True).stdout
    return json.loads(printed), np.fromfile(out, dtype=np.uint64).reshape(len(rows), -1)


def measure(program, work, case, slow):
    """`slow` has the seconds per row of programs in earlier cases of the same shape."""
    points_count, features, rows_count, batch = case
    points, rows = make_data(points_count, features, rows_count)
    for name, matrix in (("points", points), ("rows", rows)):
        matrix.tofile(work / name)
    searches = {name: search for name, search in {**faiss_searches(points), **other_searches(points)}.items()
                if slow.get((points_count, features, name), 0.0) * batch < 8 * SECONDS}
    times, differing = {name: float("inf") for name in searches}, {}
    ours, found = run_ours(program, work, rows, batch, 1)
    for _ in range(ROUNDS):
        for name, search in searches.items():
            taken, own = searched(search, rows, batch)
            times[name] = min(times[name], taken)
            differing[name] = int((own.astype(np.uint64) != found[:len(own)]).any(axis=1).sum())
        repeats = min(max(int(SECONDS / ours["seconds"]), 1), 50)
        again, _ = run_ours(program, work, rows, batch, repeats)
        ours["seconds"] = min(ours["seconds"], again["seconds"])
    ours["seconds"] /= rows_count
    slow.update({(points_count, features, name): taken for name, taken in times.items()})
    return ours, times, differing


def table_row(case, ours, times, differing, names):
    points, features, _, batch = case
    per_row = lambda seconds: f"{1e6 * seconds:,.0f}"
    cells = [f"{points:,} × {features:,}", f"{batch:,}", per_row(ours["seconds"]),
             "codes" if ours["by_codes"] else "floats", f"{ours['survivors']:.0f}", f"{ours['bytes']:.2f}"]
    for name in names:
        if name not in times:
            cells.append("–")
            continue
        other = f", {differing[name]} differ" if differing[name] else ""
        cells.append(f"{per_row(times[name])} ({times[name] / ours['seconds']:.1f}×{other})")
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", type=int, default=len(CASES))
    parser.add_argument("--skip", type=int, default=0, help="cases that were measured before")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    names = ["FAISS flat", "FAISS Panorama", "usearch exact", "scikit-learn"]
    lines = ["| points × features | batch | bisector, µs per row | by | survivors | bytes per number | "
             + " | ".join(names) + " |", "|---|---:|---:|---|---:|---:|" + "---:|" * len(names)]
    slow = {}
    for case in CASES[arguments.skip:arguments.cases]:
        lines.append(table_row(case, *measure(arguments.program.resolve(), arguments.work, case, slow), names))
        print(lines[-1], flush=True)
        arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
