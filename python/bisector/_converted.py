"""Parquet and Arrow files for the command, which is built without Arrow in a wheel."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO, Iterator, Sequence

# One line for each file: the number of an open file with the CSV, and the path.
VARIABLE = "BISECTOR_CONVERTED"
_MARKS = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
_PANDAS_INDEX = "__index_level_"


def convert(arguments: Sequence[str]) -> None:
    """Writes every Parquet or Arrow file among the arguments as CSV to an open temporary file,
    which ends with the process. Does nothing without pyarrow."""
    files = [path for argument in arguments
             for path in {argument, argument.partition("=")[2]} if _is_columnar(path)]
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return
    lines = []
    for path in files:
        converted = tempfile.TemporaryFile()
        try:
            _write_csv(path, converted)
        except (OSError, ValueError, NotImplementedError) as error:  # All errors of pyarrow.
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise SystemExit(
                f"error: {path}: a damaged {_format_of(path)} file ({reason})") from None
        converted.flush()
        number = os.dup(converted.fileno())  # Stays open after the object is closed.
        os.set_inheritable(number, True)
        lines.append(f"{number} {path}\n")
    if lines:
        os.environ[VARIABLE] = "".join(lines)


def _is_columnar(path: str) -> bool:
    if not path or not Path(path).is_file():
        return False
    with open(path, "rb") as file:
        return file.read(8).startswith(_MARKS)


def _format_of(path: str) -> str:
    with open(path, "rb") as file:
        return "Parquet" if file.read(4) == b"PAR1" else "Arrow"


def _batches(path: str) -> tuple[Any, Iterator[Any]]:
    """The schema and the batches."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open(path, "rb") as file:
        mark = file.read(6)
    if mark.startswith(b"PAR1"):
        parquet = pq.ParquetFile(path)
        return parquet.schema_arrow, parquet.iter_batches()
    if mark == b"ARROW1":
        blocks = pa.ipc.open_file(path)
        return blocks.schema, (blocks.get_batch(b) for b in range(blocks.num_record_batches))
    stream = pa.ipc.open_stream(pa.OSFile(path))
    return stream.schema, iter(stream)


def _write_csv(path: str, to: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.csv

    schema, batches = _batches(path)
    fields = [f for f in range(len(schema)) if _has_cells(schema.field(f).type)]
    for f in sorted(set(range(len(schema))) - set(fields)):
        print(f'note: {path}: left out: column "{schema.field(f).name}" of type '
              f"{schema.field(f).type}, which is neither numbers nor text", file=sys.stderr)
    # The index of pandas comes first.
    fields.sort(key=lambda f: not schema.field(f).name.startswith(_PANDAS_INDEX))
    names = ["" if schema.field(f).name.startswith(_PANDAS_INDEX) else schema.field(f).name
             for f in fields]
    text = pa.schema([pa.field(name, pa.string()) for name in names])
    options = pyarrow.csv.WriteOptions(quoting_style="all_valid")
    with pyarrow.csv.CSVWriter(to, text, write_options=options) as writer:
        for batch in batches:
            columns = [_texts(batch.column(f)) for f in fields]
            writer.write(pa.RecordBatch.from_arrays(columns, schema=text))


def _has_cells(kind: Any) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    wanted = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_string,
              pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null, pa.types.is_date,
              pa.types.is_timestamp, pa.types.is_time, pa.types.is_decimal)
    return any(is_kind(kind) for is_kind in wanted)


def _texts(column: Any) -> Any:
    """The cells as text, as src/columnar/column_text.cpp writes them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_floating(column.type):
        column = pc.cast(column, pa.float64())
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.float64()), column)
    if pa.types.is_boolean(column.type):
        column = pc.if_else(column, "True", "False")
    return pc.fill_null(pc.cast(column, pa.string()), "")
