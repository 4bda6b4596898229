"""Spark DataFrames: every partition is explained by the executor that has it."""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from ._batches import RowExplainer, documented


@documented
def explain(df: Any, model: Any, columns: Sequence[str] | None = None, *,
            keep: Sequence[str] | None = None, prefix: str = "", n_jobs: int = 1,
            **options: Any) -> Any:
    """Explain every row of a pyspark.sql.DataFrame.

    Nothing is computed before Spark asks for rows. The model is sent once to every executor.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The table.
    %(parameters)s

    Returns
    -------
    pyspark.sql.DataFrame
        %(result)s
    """
    rows = RowExplainer(model, df.columns, columns, keep, prefix, {**options, "n_jobs": n_jobs})
    shared = _Shared(df.sparkSession, rows)

    def explained(batches: Iterator[Any]) -> Iterator[Any]:
        yield from shared.get().batches(batches)

    return df.select(*(_quoted(name) for name in rows.needed)
                     ).mapInArrow(explained, _schema(df, rows))


class _Shared:
    """A broadcast variable; the object itself for a remote connection, which has no broadcast."""

    def __init__(self, session: Any, rows: RowExplainer):
        try:
            self.broadcast = session.sparkContext.broadcast(rows)
            self.rows = None
        except Exception as error:
            if type(error).__module__.split(".")[0] != "pyspark":
                raise
            self.broadcast, self.rows = None, rows

    def get(self) -> RowExplainer:
        return self.broadcast.value if self.rows is None else self.rows


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _schema(df: Any, rows: RowExplainer) -> Any:
    from pyspark.sql import types

    kinds = {"i": types.LongType(), "u": types.LongType(), "b": types.BooleanType(),
             "f": types.DoubleType()}
    new = [types.StructField(name, kinds.get(column.dtype.kind, types.StringType()))
           for name, column in rows.empty.items()]
    kept = [types.StructField(name, df.schema[own].dataType)
            for name, own in zip(rows.kept_names(), rows.keep)]
    return types.StructType([*kept, *new])
