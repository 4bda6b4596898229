"""A table that does not fit into memory: which measurements raise the quality of a wine, over all
bottles?

The table is made up here, file by file; explaining it streams, and so does the summary.

    python examples/python/big_table.py [ROWS]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector


def write_bottles(folder, wines, rows, rows_per_file=50_000):
    """Bottles like the known ones, with some noise."""
    random = np.random.default_rng(0)
    for first in range(0, rows, rows_per_file):
        count = min(rows_per_file, rows - first)
        chosen = wines.iloc[random.integers(0, len(wines), count)].reset_index(drop=True)
        chosen += random.normal(size=chosen.shape) * wines.std().to_numpy() / 4
        chosen.insert(0, "bottle", np.arange(first, first + count))
        chosen.to_parquet(folder / f"{first:09}.parquet", index=False)


def mean_relevance(path, features):
    """Of every feature, batch by batch."""
    total, rows = None, 0
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=list(features)):
            part = batch.to_pandas().abs()
            total = part.sum() if total is None else total + part.sum()
            rows += len(part)
    return (total / rows).sort_values(ascending=False)


def main(rows):
    wines, cultivar = load_wine(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), SVC()).fit(wines, cultivar == 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bottles").mkdir()
        write_bottles(folder / "bottles", wines, rows)
        explained = bisector.explain_parquet(folder / "bottles", model, folder / "why.parquet",
                                             keep=["bottle"])
        print(f"{explained:,} bottles explained; what told the first cultivar from the others:")
        strongest = mean_relevance(folder / "why.parquet", wines.columns).head(5)
        print(pd.DataFrame({"mean |relevance|": strongest}).to_string())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
