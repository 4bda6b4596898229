"""Dask DataFrames: every partition is explained by the worker that has it."""

from __future__ import annotations

from typing import Any, Sequence

from ._batches import RowExplainer


def explain(df: Any, model: Any, columns: Sequence[str] | None = None, *,
            keep: Sequence[str] | None = None, prefix: str = "", n_jobs: int = 1,
            **options: Any) -> Any:
    """Explain every row of a dask.dataframe.DataFrame.

    Nothing is computed before Dask asks for rows. Partitions and index do not change.

    Parameters
    ----------
    df : dask.dataframe.DataFrame
        The table.
    model : estimator, path-like or Explainer
        A model that `Explainer` takes. Workers must have bisector installed.
    columns : sequence of str, optional
        The model's features, in its order. By default the columns with the model's own names.
    keep : sequence of str, optional
        The columns of `df` that are copied, such as a key. By default those that the model does
        not take.
    prefix : str, default=""
        Prefix of the features' names in the result.
    n_jobs : int, default=1
        Threads of each task; Dask runs as many tasks as it has cores.
    **options
        Options of `Explainer`.

    Returns
    -------
    dask.dataframe.DataFrame
        The kept columns, then those of the command's CSV: `prediction`, `class`, `versus`,
        `output`, `base`, one column per feature, `remainder`, `outside` and `tie`. There is no
        `row`, because the rows have no numbers; keep a key.
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
