"""Explains rows by neighbors that stay in a file, and measures time and memory.

neighbors_file.py PROGRAM WORK OUT.md [--skip N] [--cases N]   bisector-neighbors-file, a folder for data, the table

Needs numpy and 4 bytes of disk per number. The model has two classes and 9 neighbors; the method is the
default. "Open": the model is read and its rows are checked. "First row": the rows are centered and coded, the
references of the paths are chosen, and one row is explained. Memory is the largest resident size.
"""

import json
import os
import subprocess
from pathlib import Path

import numpy as np

from case_table import write_table

ROWS = 100
CASES = [(1_000_000, 768), (10_000_000, 96), (2_000_000, 768)]  # points, features


def make_model(folder, points, features, seed=1):
    """200 Gaussian clusters, of which three of five belong to the second class."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(seed)
    centers = random.standard_normal((200, features), dtype=np.float32)
    clusters = random.integers(200, size=points)
    draw = lambda own: centers[own] + random.standard_normal((len(own), features), dtype=np.float32)
    rows = np.lib.format.open_memmap(folder / "rows.npy", "w+", np.float32, (points, features))
    for first in range(0, points, 100_000):
        rows[first:first + 100_000] = draw(clusters[first:first + 100_000])
    del rows
    np.savez(folder / "model.npz", points_file="rows.npy", point_classes=(clusters % 5 > 1).astype(int), k=9, labels=[0, 1],
             meta=json.dumps({"format": "bisector-model", "version": 2, "kind": "neighbors"}))
    np.save(folder / "queries.npy", draw(random.integers(200, size=ROWS)))


def run(program, folder):
    with subprocess.Popen([program, folder / "model.npz", folder / "queries.npy"], stdout=subprocess.PIPE,
                          text=True) as process:
        printed = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{program} failed")
    return {**json.loads(printed), "bytes": 1024 * used.ru_maxrss}


def cells(program, work, case):
    points, features = case
    folder = work / f"{points}x{features}"
    if not (folder / "queries.npy").exists():
        make_model(folder, points, features)
    used = run(program, folder)
    return [f"{points:,} × {features}", f"{4e-9 * points * features:.1f}", f"{used['open']:.1f}", f"{used['first']:.1f}",
            f"{used['explain']:.1f}", f"{1e3 * used['processor'] / ROWS:.0f}", f"{used['bytes'] / 1e9:.2f}"]


if __name__ == "__main__":
    write_table(__doc__, {"points × features": "", "file, GB": ":", "open, s": ":", "first row, s": ":",
                          "100 rows, s": ":", "processor time of a row, ms": ":", "memory, GB": ":"}, CASES, cells)
