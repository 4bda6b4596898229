"""Explanations of Parquet files equal those of the same rows in memory."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from big_tables import (COLUMNS, classifier, regressor, require_same, result_columns, table,
                        with_text)

import bisector


def write(path, frame, row_group=100):
    pq.write_table(pa.Table.from_pandas(frame, preserve_index=False), path,
                   row_group_size=row_group)
    return path


@pytest.mark.parametrize("batch_rows", [1, 7, 65536])
def test_equals_the_rows_in_one_piece_and_keeps_their_order(tmp_path, batch_rows):
    frame = table(50)
    source = write(tmp_path / "in.parquet", frame, row_group=20)
    target = tmp_path / "out.parquet"
    rows = bisector.explain_parquet(source, classifier(), target, COLUMNS, batch_rows=batch_rows)
    result = pq.read_table(target).to_pandas()
    assert rows == len(frame)
    assert list(result.key) == list(frame.key)
    assert list(result.columns) == ["row", "key", "note", "count", *result_columns(classifier())]
    assert list(result.row) == list(range(1, len(frame) + 1))
    require_same(result, classifier(), frame)
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet"]


def test_columns_are_found_by_name_and_chosen_columns_are_kept(tmp_path):
    frame = table(30)
    source = write(tmp_path / "in.parquet", frame)
    bisector.explain_parquet(source, classifier(), tmp_path / "out.parquet", keep=["key"],
                             prefix="why_")
    assert pq.read_schema(tmp_path / "out.parquet").names == [
        "row", "key", *result_columns(classifier(), ["why_width", "why_height", "why_weight"])]


def test_text_columns_are_encoded_by_the_model(tmp_path):
    frame = table(40)
    source = write(tmp_path / "in.parquet", frame)
    bisector.explain_parquet(source, with_text(), tmp_path / "out.parquet")
    result = pq.read_table(tmp_path / "out.parquet").to_pandas()
    require_same(result, with_text(), frame, ["note", *COLUMNS])


def test_a_folder_is_read_file_by_file(tmp_path):
    frame = table(60)
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder / "0.parquet", frame[:25])
    write(folder / "1.parquet", frame[25:])
    bisector.explain_parquet(folder, regressor(), tmp_path / "out.parquet", COLUMNS)
    result = pq.read_table(tmp_path / "out.parquet").to_pandas()
    assert list(result.key) == list(frame.key)
    assert list(result.row) == list(range(1, 61))
    require_same(result, regressor(), frame)


def test_a_file_without_rows_gives_a_file_without_rows(tmp_path):
    source = write(tmp_path / "in.parquet", table(5)[:0])
    assert bisector.explain_parquet(source, classifier(), tmp_path / "out.parquet") == 0
    empty = pq.read_table(tmp_path / "out.parquet")
    assert empty.num_rows == 0
    assert empty.schema.field("prediction").type in (pa.string(), pa.large_string())


def test_a_missing_value_is_named_and_no_file_is_left(tmp_path):
    frame = table(50)
    frame.loc[33, "height"] = np.nan
    source = write(tmp_path / "in.parquet", frame)
    with pytest.raises(ValueError, match=r'in\.parquet: rows 31 to 40: row 4, feature "height" is nan'):
        bisector.explain_parquet(source, classifier(), tmp_path / "out.parquet", batch_rows=10)
    assert os.listdir(tmp_path) == ["in.parquet"]


def test_wrong_columns_are_named(tmp_path):
    source = write(tmp_path / "in.parquet", table(5))
    target = tmp_path / "out.parquet"
    with pytest.raises(ValueError, match='no column "depth" to be explained, expected some of key, width'):
        bisector.explain_parquet(source, regressor(), target, ["width", "height", "depth"])
    with pytest.raises(ValueError, match="2 columns, expected 3"):
        bisector.explain_parquet(source, regressor(), target, ["width", "height"])
    with pytest.raises(ValueError, match='no column "id" to be kept'):
        bisector.explain_parquet(source, regressor(), target, COLUMNS, keep=["id"])


def test_a_kept_column_with_one_of_our_names_gets_an_underscore(tmp_path):
    frame = table(20).rename(columns={"key": "row", "note": "class"})
    source = write(tmp_path / "in.parquet", frame)
    bisector.explain_parquet(source, classifier(), tmp_path / "out.parquet",
                             keep=["row", "class", "count", "width"])
    result = pq.read_table(tmp_path / "out.parquet").to_pandas()
    assert list(result.columns)[:8] == ["row", "row_", "class_", "count", "width_", "prediction",
                                        "class", "versus"]
    assert list(result["row_"]) == list(frame["row"])
    assert list(result["width_"]) == list(frame["width"])


MEASURE = """
import resource, sys
import bisector
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
bisector.explain_parquet(sys.argv[1], sys.argv[2], sys.argv[3], batch_rows=4096)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_does_not_grow_with_the_file(tmp_path):
    model = tmp_path / "model.npz"
    bisector.Explainer(classifier()).save(model)
    used = []
    for rows in (20_000, 400_000):
        source = write(tmp_path / f"{rows}.parquet", table(rows), row_group=20_000)
        command = [sys.executable, "-c", MEASURE, source, model, tmp_path / "out.parquet"]
        used.append(int(subprocess.run(command, capture_output=True, check=True).stdout))
    # The larger result has 32 MB of numbers; kilobytes.
    assert used[1] < used[0] + 16_000, used
