"""Parquet files of any size, explained in constant memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Iterator, Sequence

from ._batches import RowExplainer, documented, vector_sizes
from ._progress import Progress, shown


@documented
def explain_parquet(source: str | os.PathLike[str], model: Any,
                    target: str | os.PathLike[str], columns: Sequence[str] | None = None, *,
                    keep: Sequence[str] | None = None, prefix: str = "",
                    batch_rows: int = 65536, progress: Progress = None, **options: Any) -> int:
    """Explain every row of a Parquet file and write a Parquet file, in constant memory.

    The target has the columns of the command's CSV: `row` (the number of the row, counted from 1),
    the kept columns, `prediction`, `class`, `versus`, `output`, `base`, one column per feature,
    `remainder`, `outside` and `tie`. Regressors have neither `class` nor `versus`.

    Parameters
    ----------
    source : path-like
        A file, or a folder whose Parquet files are read in the order of their names.
    %(model)s
    target : path-like
        The file to write. It is complete or absent.
    %(columns)s
    batch_rows : int, default=65536
        Rows in memory at a time.
    progress : bool or callable, optional
        As for `Explainer`.
    %(options)s

    Returns
    -------
    int
        The number of rows. Their order does not change.
    """
    import pyarrow.parquet as pq

    files = _files(Path(source))
    schema = pq.read_schema(files[0])
    rows = RowExplainer(model, schema.names, columns, keep, prefix, options, vector_sizes(schema))
    total = sum(pq.read_metadata(file).num_rows for file in files)
    with shown(progress, "explaining", total) as callback:
        return _write(rows, files, schema, Path(target), batch_rows, total, callback)


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return [source]
    files = sorted(source.glob("**/*.parquet"))
    if not files:
        raise ValueError(f"{source}: the folder has no file *.parquet, expected at least one")
    return files


def _batches(rows: RowExplainer, files: Sequence[Path], batch_rows: int) -> Iterator[Any]:
    import pyarrow.parquet as pq

    before = 0
    for file in files:
        in_file = 0
        with pq.ParquetFile(file) as reader:
            for batch in reader.iter_batches(batch_size=batch_rows, columns=rows.needed):
                try:
                    yield rows.batch(batch, before + in_file)
                except ValueError as error:
                    where = f"{file}: rows {in_file + 1} to {in_file + batch.num_rows}"
                    raise ValueError(f"{where}: {error}") from None
                in_file += batch.num_rows
        before += in_file


def _write(rows: RowExplainer, files: Sequence[Path], schema: Any, target: Path, batch_rows: int,
           total: int, callback: Any) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    empty = rows.batch(pa.RecordBatch.from_pylist([], schema=schema), 0)
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
