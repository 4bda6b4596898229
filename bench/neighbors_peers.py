"""Compares exact nearest neighbors with FAISS, usearch and scikit-learn on the same data, in one run.

neighbors_peers.py PROGRAM WORK OUT.md [--cases N]   bisector-neighbors, a folder for data, the table

Needs numpy, faiss-cpu, usearch and scikit-learn; what is not installed is left out. Every program uses
one thread. Times are processor time, the least of several runs that alternate between the programs.
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
REPEATS = 3
# points, features, rows, rows per batch
CASES = [(10000, 16, 1000, 1000), (10000, 96, 1000, 1000), (10000, 384, 1000, 1000), (10000, 784, 1000, 1000),
         (10000, 1536, 500, 500), (10000, 784, 100, 100), (10000, 784, 50, 1), (100000, 96, 500, 500),
         (100000, 384, 300, 300), (60000, 784, 300, 300)]


def make_data(points, features, rows, seed=1):
    """200 Gaussian clusters, in numbers that single precision holds exactly."""
    random = np.random.default_rng(seed)
    centers = random.standard_normal((200, features))
    draw = lambda n: (centers[random.integers(200, size=n)] + random.standard_normal((n, features))).astype(np.float32)
    return draw(points), draw(rows)


def least(search, rows, batch):
    best, found = float("inf"), None
    for _ in range(REPEATS):
        start = time.process_time()
        found = np.concatenate([search(rows[i:i + batch]) for i in range(0, len(rows), batch)])
        best = min(best, time.process_time() - start)
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


def run_ours(program, work, points, rows, batch):
    for name, matrix in (("points", points), ("rows", rows)):
        matrix.astype(np.float64).tofile(work / name)
    out = work / "found"
    printed = subprocess.run([program, work / "points", work / "rows", str(points.shape[1]), str(NEIGHBORS),
                              str(batch), str(REPEATS), out], check=True, capture_output=True, text=True).stdout
    return json.loads(printed), np.fromfile(out, dtype=np.uint64).reshape(len(rows), -1)


def measure(program, work, case):
    points_count, features, rows_count, batch = case
    points, rows = make_data(points_count, features, rows_count)
    searches = {**faiss_searches(points), **other_searches(points)}
    times, differing = {name: float("inf") for name in searches}, {}
    ours, found = run_ours(program, work, points, rows, batch)
    for _ in range(2):
        for name, search in searches.items():
            taken, own = least(search, rows, batch)
            times[name] = min(times[name], taken)
            differing[name] = int((own.astype(np.uint64) != found).any(axis=1).sum())
        again, _ = run_ours(program, work, points, rows, batch)
        ours["seconds"] = min(ours["seconds"], again["seconds"])
    return ours, times, differing


def table_row(case, ours, times, differing, names):
    points, features, rows, batch = case
    per_row = lambda seconds: f"{1e6 * seconds / rows:,.0f}"
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
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    names = ["FAISS flat", "FAISS Panorama", "usearch exact", "scikit-learn"]
    lines = ["| points × features | batch | bisector, µs per row | by | survivors | bytes per number | "
             + " | ".join(names) + " |", "|---|---:|---:|---|---:|---:|" + "---:|" * len(names)]
    for case in CASES[:arguments.cases]:
        lines.append(table_row(case, *measure(arguments.program.resolve(), arguments.work, case), names))
        print(lines[-1], flush=True)
        arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
