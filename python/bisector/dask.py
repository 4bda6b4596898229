"""Dask DataFrames: every partition is explained where it is."""

from __future__ import annotations

from typing import Any, Sequence

from ._batches import PREFIX, RowExplainer


def explain(df: Any, model: Any, columns: Sequence[str] | None = None, *,
            keep: Sequence[str] | None = None, prefix: str = PREFIX, n_jobs: int = 1,
            **options: Any) -> Any:
    """A dask.dataframe.DataFrame with the explanation of every row of `df`, in the same partitions
    and with the same index.

    model: what Explainer takes, with its `options`; workers have to have bisector installed.
    columns: the model's features, in its order. Default: the columns of the model's own names.
    keep: the columns of `df` that go along, such as a key. Default: all.
    prefix: the columns of relevance are called this and the feature's name.
    n_jobs: threads of each task. Dask runs as many tasks as it has threads.

    The result has the kept columns, `prediction`, `g`, `tie`, the columns of relevance, `remainder`
    and `outside`. Nothing is computed before Dask is asked for rows.
    """
    from dask.delayed import delayed

    have = [str(name) for name in df.columns]
    rows = RowExplainer(model, have, columns, keep, prefix, {**options, "n_jobs": n_jobs})
    # Delayed: the model is one node of the graph, instead of a copy in every task.
    shared = delayed(rows, pure=False, traverse=False)
    return df.map_partitions(_explained, shared, meta=rows.empty_frame(df._meta),
                             enforce_metadata=False)


def _explained(frame: Any, rows: RowExplainer) -> Any:
    return rows.frame(frame)
