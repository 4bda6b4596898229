"""Compares exact nearest neighbors with FAISS, usearch and scikit-learn on the same data, in one run.

neighbors_peers.py PROGRAM WORK OUT.md [--skip N] [--cases N]   bisector-neighbors, a folder for data, the table

Needs numpy, faiss-cpu, usearch and scikit-learn; what is not installed is left out. Every program uses
one thread. Times are processor time. The programs alternate for several rounds; each runs for SECONDS in a
round, and its least time counts. A program is left out where one batch would take more than LONGEST seconds.

FAISS multiplies matrices by BLAS only if rows times features of a batch reach a threshold (128,000 in version
1.15), and scans the points once per row below it, which is several times slower. "FAISS flat" is measured with
both settings, and the faster one counts.
"""

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

from case_table import write_table  # noqa: E402

NEIGHBORS = 9
ROUNDS = 2
SECONDS = 0.25
LONGEST = 100.0
PEERS = ["FAISS flat", "FAISS Panorama", "usearch exact", "scikit-learn"]
# points, features, rows, rows per batch
CASES = [(10000, features, rows, batch) for features in (16, 96, 384, 784, 1536)
         for rows, batch in ((30, 1), (100, 100), (10000, 10000))]
CASES += [(100000, features, rows, batch) for features in (96, 384, 784, 1536)
          for rows, batch in ((10, 1), (100, 100), (10000, 10000)) if (features, batch) != (1536, 10000)]
CASES += [(1000000, 16, 100, 100), (1000000, 96, 100, 100), (1000000, 384, 100, 100), (500000, 784, 100, 100)]
CASES += [(2000000, 96, rows, batch) for rows, batch in ((4, 1), (100, 100), (10000, 10000))]


def make_data(points, features, rows, seed=1):
    """200 Gaussian clusters, in numbers that single precision holds exactly."""
    random = np.random.default_rng(seed)
    centers = random.standard_normal((200, features), dtype=np.float32)

    def draw(n):
        drawn = random.standard_normal((n, features), dtype=np.float32)
        for first in range(0, n, 100000):  # no second copy of all rows
            part = drawn[first:first + 100000]
            part += centers[random.integers(200, size=len(part))]
        return drawn
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
    by_default = faiss.cvar.distance_compute_blas_threshold

    def searching(index, threshold):
        def search(rows):
            faiss.cvar.distance_compute_blas_threshold = threshold
            return index.search(rows, NEIGHBORS)[1]
        return search

    flat = faiss.IndexFlatL2(points.shape[1])
    flat.add(points)
    searches = {("FAISS flat", "default"): searching(flat, by_default), ("FAISS flat", "BLAS"): searching(flat, 1)}
    if hasattr(faiss, "IndexFlatL2Panorama"):
        panorama = faiss.IndexFlatL2Panorama(points.shape[1], 8)
        panorama.add(points)
        searches["FAISS Panorama", "default"] = searching(panorama, by_default)
    return searches


def other_searches(points):
    searches = {}
    try:
        from usearch.index import MetricKind, search
        searches["usearch exact", "default"] = lambda rows: search(points, rows, NEIGHBORS, MetricKind.L2sq, exact=True,
                                                        threads=1).keys.reshape(len(rows), -1)
    except ImportError:
        pass
    try:
        from sklearn.neighbors import NearestNeighbors
        brute = NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute").fit(points)
        searches["scikit-learn", "default"] = lambda rows: brute.kneighbors(rows, return_distance=False)
    except ImportError:
        pass
    return searches


def run_ours(program, work, rows, batch, repeats):
    out = work / "found"
    printed = subprocess.run([program, work / "points", work / "rows", str(rows.shape[1]), str(NEIGHBORS),
                              str(batch), str(repeats), out], check=True, capture_output=True, text=True).stdout
    return json.loads(printed), np.fromfile(out, dtype=np.uint64).reshape(len(rows), -1)


def measure(program, work, case, slow):
    """`slow` has the seconds per row of programs and settings in earlier cases of the same shape."""
    points_count, features, rows_count, batch = case
    points, rows = make_data(points_count, features, rows_count)
    for name, matrix in (("points", points), ("rows", rows)):
        matrix.tofile(work / name)
    searches = {own: search for own, search in {**faiss_searches(points), **other_searches(points)}.items()
                if slow.get((points_count, features, own), 0.0) * min(batch, rows_count) < LONGEST}
    ours, found = run_ours(program, work, rows, batch, 1)
    times, differing, skipped = {}, {}, set()
    for _ in range(ROUNDS):
        for own, search in searches.items():
            if own in skipped:
                continue
            taken, answer = searched(search, rows, batch)
            slow[points_count, features, own] = taken
            if taken * len(answer) > 8 * SECONDS:
                skipped.add(own)  # one run is long enough
            if taken < times.get(own[0], float("inf")):
                times[own[0]] = taken
                differing[own[0]] = int((answer.astype(np.uint64) != found[:len(answer)]).any(axis=1).sum())
        repeats = min(max(int(SECONDS / ours["seconds"]), 1), 50)
        again, _ = run_ours(program, work, rows, batch, repeats)
        ours["seconds"] = min(ours["seconds"], again["seconds"])
    ours["seconds"] /= rows_count
    return ours, times, differing


def cells(program, work, case, slow):
    ours, times, differing = measure(program, work, case, slow)
    points, features, _, batch = case
    per_row = lambda seconds: f"{1e6 * seconds:,.0f}"
    found = [f"{points:,} × {features:,}", f"{batch:,}", per_row(ours["seconds"]),
             "codes" if ours["by_codes"] else "floats", f"{ours['survivors']:.0f}", f"{ours['bytes']:.2f}"]
    for name in PEERS:
        if name not in times:
            found.append("–")
            continue
        other = f", {differing[name]} differ" if differing[name] else ""
        found.append(f"{per_row(times[name])} ({times[name] / ours['seconds']:.1f}×{other})")
    return found


def main():
    slow = {}
    columns = {"points × features": "", "batch": ":", "bisector, µs per row": ":", "by": "", "survivors": ":",
               "bytes per number": ":", **{name: ":" for name in PEERS}}
    write_table(__doc__, columns, CASES, lambda *case: cells(*case, slow))


if __name__ == "__main__":
    main()
