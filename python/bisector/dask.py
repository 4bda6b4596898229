"""Dask DataFrames: every partition is explained by the worker that has it."""

from __future__ import annotations

from typing import Any, Sequence

from ._batches import RowExplainer, documented


@documented
def explain(df: Any, model: Any, columns: Sequence[str] | None = None, *,
            keep: Sequence[str] | None = None, prefix: str = "", n_jobs: int = 1,
            **options: Any) -> Any:
    """Explain every row of a dask.dataframe.DataFrame.

    Nothing is computed before Dask asks for rows. Partitions and index do not change.

    Parameters
    ----------
    df : dask.dataframe.DataFrame
        The table.
    %(parameters)s

    Returns
    -------
    dask.dataframe.DataFrame
        %(result)s
    """
    from dask.delayed import delayed

    have = [str(name) for name in df.columns]
    rows = RowExplainer(model, have, columns, keep, prefix, {**options, "n_jobs": n_jobs})
    # A delayed model is one node of the graph instead of a copy in every task.
    shared = delayed(rows, pure=False, traverse=False)
    return df.map_partitions(_explain_partition, shared, meta=rows.empty_frame(df._meta),
                             enforce_metadata=False)


def _explain_partition(frame: Any, rows: RowExplainer) -> Any:
    return rows.frame(frame)
