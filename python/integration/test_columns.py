"""The command, data frames, Parquet, Dask and Arrow write the same columns with the same numbers."""

import json
import os
import subprocess

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from big_tables import COLUMNS, classifier, regressor, result_columns, table

import bisector
import bisector.arrow
import bisector.dask

COMMAND = os.environ.get("BISECTOR_COMMAND", "")
RENAMED = {"width": "class", "height": "output"}  # features with names of ours


def of_command(explainer, frame, folder, *options):
    explainer.save(folder / "model.npz")
    frame.to_csv(folder / "rows.csv", index=False)
    made = subprocess.run([COMMAND, "explain", folder / "model.npz", folder / "rows.csv", *options],
                          capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return made.stdout


def of_csv(explainer, frame, folder):
    (folder / "out.csv").write_text(of_command(explainer, frame, folder, "--keep", "key"))
    return pd.read_csv(folder / "out.csv", engine="python")  # numbers to the last digit


def of_json_lines(explainer, frame, folder):
    lines = of_command(explainer, frame, folder, "--keep", "key", "--format", "jsonl").splitlines()
    rows = []
    for row in map(json.loads, lines):
        first = {"row": row["row"], "key": int(row["kept"]["key"])}
        own = {name: value for name, value in row.items() if name not in ("kept", "relevance")}
        features = {f"{name}_" if name in own else name: value
                    for name, value in row["relevance"].items()}
        rows.append({**first, **own, **features})
    return pd.DataFrame(rows)


def of_frame(explainer, frame, folder):
    made = explainer(frame[explainer.feature_names]).to_frame()
    made.insert(1, "key", frame.key)
    return made


def of_parquet(explainer, frame, folder):
    frame.to_parquet(folder / "rows.parquet")
    bisector.explain_parquet(folder / "rows.parquet", explainer, folder / "out.parquet",
                             keep=["key"], batch_rows=7)
    return pq.read_table(folder / "out.parquet").to_pandas()


def of_arrow(explainer, frame, folder):
    made = bisector.arrow.explainer(explainer, keep=["key"])(pa.Table.from_pandas(frame)).to_pandas()
    made.insert(0, "row", range(1, len(made) + 1))
    return made


def of_dask(explainer, frame, folder):
    parts = dd.from_pandas(frame, npartitions=3)
    made = bisector.dask.explain(parts, explainer, keep=["key"]).compute(scheduler="synchronous")
    made.insert(0, "row", range(1, len(made) + 1))
    return made


TEXTS = (of_csv, of_json_lines)  # formats without types
NEED_COMMAND = pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")


def written(model, name):
    """The column of a feature in a result."""
    return name + "_" if name in result_columns(model, []) else name


def names_of(model, renamed):
    features = [written(model, renamed.get(name, name)) for name in COLUMNS]
    names = result_columns(model, ["<features>"])
    place = names.index("<features>")
    return ["row", "key", *names[:place], *features, *names[place + 1:]]


@pytest.mark.parametrize("renamed", [{}, RENAMED], ids=["own names", "names of ours"])
@pytest.mark.parametrize("model", [classifier, regressor])
@pytest.mark.parametrize("output", [
    of_frame, of_parquet, of_arrow, of_dask, pytest.param(of_csv, marks=NEED_COMMAND),
    pytest.param(of_json_lines, marks=NEED_COMMAND)])
def test_every_output_has_the_same_columns_and_numbers(output, model, renamed, tmp_path):
    frame = table(40).drop(columns=["note", "count"]).rename(columns=renamed)
    names = [renamed.get(name, name) for name in COLUMNS]
    explainer = bisector.Explainer(model(renamed or {"width": "width"}), feature_names=names)
    wanted = explainer(frame[names])
    found = output(explainer, frame, tmp_path)
    columns = names_of(model(), renamed)
    if output is of_json_lines:
        assert set(columns) <= set(found.columns)
    else:
        assert list(found.columns) == columns
    features = [written(model(), name) for name in names]
    np.testing.assert_array_equal(found[features].to_numpy(), wanted.values)
    own = {"row": np.arange(1, len(frame) + 1), "prediction": wanted.prediction,
           "class": wanted.positive_class, "versus": wanted.versus, "output": wanted.output,
           "base": wanted.base_values, "remainder": wanted.remainder, "outside": wanted.outside,
           "tie": wanted.tie}
    for name, values in own.items():
        if name in ["row", *result_columns(model(), [])]:
            np.testing.assert_array_equal(found[name].to_numpy(), values, err_msg=name)
            if output not in TEXTS and values.dtype.kind in "bif":
                assert found[name].dtype.kind == values.dtype.kind, name
