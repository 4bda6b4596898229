"""Times several runs on as many rows as the time allows, and takes the shortest."""

import statistics
import time
from dataclasses import dataclass


def best_of(run, least=3, most=20, patience=1.5, clock=time.perf_counter):
    """Seconds of the shortest run; no further run begins after `patience` seconds."""
    begin = clock()
    best = float("inf")
    for n in range(most):
        start = clock()
        if n >= least and start - begin > patience:
            break
        run()
        best = min(best, clock() - start)
    return best


def median_of(runs):
    """The median of the runs in seconds."""
    times = []
    for run in runs:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


@dataclass
class Timing:
    rows: int
    seconds: float
    note: str = ""


def per_row(run, rows, longest=2.0, first=32):
    """Times run(rows), or fewer rows if all would take longer than `longest` seconds."""
    count = min(first, len(rows))
    run(rows[:count])  # warm up threads and caches
    while count < len(rows):
        start = time.perf_counter()
        run(rows[:count])
        taken = time.perf_counter() - start
        affordable = int(count * longest / max(taken, 1e-9))
        if affordable < 2 * count:
            break
        count = min(len(rows), affordable, 16 * count)
    some = rows[:count]
    note = "" if count == len(rows) else f"extrapolated from {count:,} rows"
    return Timing(count, best_of(lambda: run(some)), note)
