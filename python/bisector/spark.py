"""Spark DataFrames: every partition is explained where it is."""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from ._batches import PREFIX, RowExplainer


def explain(df: Any, model: Any, columns: Sequence[str] | None = None, *,
            keep: Sequence[str] | None = None, prefix: str = PREFIX, n_jobs: int = 1,
            **options: Any) -> Any:
    """A pyspark.sql.DataFrame with the explanation of every row of `df`.

    model: what Explainer takes, with its `options`; it is broadcast once to every executor, which
        has to have bisector installed.
    columns: the model's features, in its order. Default: the columns of the model's own names.
    keep: the columns of `df` that go along, such as a key. Default: all.
    prefix: the columns of relevance are called this and the feature's name.
    n_jobs: threads of each task. Spark runs as many tasks as it has cores.

    The result has the kept columns, `prediction`, `g`, `tie`, the columns of relevance, `remainder`
    and `outside`. Nothing is computed before Spark is asked for rows.
    """
    rows = RowExplainer(model, df.columns, columns, keep, prefix, {**options, "n_jobs": n_jobs})
    shared = _Shared(df.sparkSession, rows)

    def explained(batches: Iterator[Any]) -> Iterator[Any]:
        yield from shared.get().batches(batches)

    return df.select(*(_quoted(name) for name in rows.needed)).mapInArrow(explained, _schema(df, rows))


class _Shared:
    """A broadcast variable; the object itself where Spark is behind a remote connection, which has
    no broadcast."""

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
    prediction = kinds.get(rows.no_predictions.dtype.kind, types.StringType())
    of_results = {"prediction": prediction, "tie": types.BooleanType(),
                  "outside": types.BooleanType()}
    new = [types.StructField(name, of_results.get(name, types.DoubleType())) for name in rows.results]
    return types.StructType([*(df.schema[name] for name in rows.keep), *new])
