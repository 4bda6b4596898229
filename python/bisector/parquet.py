"""Parquet files of any size, explained in constant memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Iterator, Sequence

from ._batches import PREFIX, RowExplainer
from ._progress import Progress, shown


def explain_parquet(source: str | os.PathLike[str], model: Any,
                    target: str | os.PathLike[str], columns: Sequence[str] | None = None, *,
                    keep: Sequence[str] | None = None, prefix: str = PREFIX,
                    batch_rows: int = 65536, progress: Progress = None, **options: Any) -> int:
    """Explains every row of a Parquet file and writes a Parquet file; returns the number of rows.

    source: a file, or a folder whose Parquet files are read in the order of their names.
    model: what Explainer takes, with its `options`.
    target: the file to write. It has its name only when it is complete.
    columns: the model's features, in its order. Default: the columns of the model's own names.
    keep: the columns that go along into the target. Default: all.
    prefix: the columns of relevance are called this and the feature's name.
    batch_rows: rows in memory at a time.

    Rows stay in their order.
    """
    import pyarrow.parquet as pq

    files = _files(Path(source))
    schema = pq.read_schema(files[0])
    rows = RowExplainer(model, schema.names, columns, keep, prefix, options)
    total = sum(pq.read_metadata(file).num_rows for file in files)
    with shown(progress, "explaining", total) as callback:
        return _write(rows, files, schema, Path(target), batch_rows, total, callback)


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    files = sorted(source.glob("**/*.parquet"))
    if not files:
        raise ValueError(f"{source}: no file *.parquet in this folder, expected at least one")
    return files


def _batches(rows: RowExplainer, files: Sequence[Path], batch_rows: int) -> Iterator[Any]:
    import pyarrow.parquet as pq

    for file in files:
        done = 0
        with pq.ParquetFile(file) as reader:
            for batch in reader.iter_batches(batch_size=batch_rows, columns=rows.needed):
                try:
                    yield rows.batch(batch)
                except ValueError as error:
                    where = f"{file}: rows {done + 1} to {done + batch.num_rows}"
                    raise ValueError(f"{where}: {error}") from None
                done += batch.num_rows


def _write(rows: RowExplainer, files: Sequence[Path], schema: Any, target: Path, batch_rows: int,
           total: int, callback: Any) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    empty = rows.batch(pa.RecordBatch.from_pylist([], schema=schema))
    done = 0
    handle, temporary = tempfile.mkstemp(dir=target.absolute().parent, suffix=".parquet")
    os.close(handle)
    try:
        with pq.ParquetWriter(temporary, empty.schema) as writer:
            for batch in _batches(rows, files, batch_rows):
                writer.write_batch(batch.cast(empty.schema))
                done += batch.num_rows
                if callback is not None:
                    callback(done, total)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
    return done
