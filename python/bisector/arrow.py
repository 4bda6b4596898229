"""Arrow record batches: one function that Polars, DuckDB, Ray Data, Daft and others can map over."""

from __future__ import annotations

from typing import Any, Sequence

from ._batches import RowExplainer, documented, vector_sizes
from .explainer import Explainer


class BatchExplainer:
    """A function from a record batch to a record batch; `explainer` makes it.

    It can be pickled and sent to other processes.
    """

    def __init__(self, model: Any, columns: Sequence[str] | None, keep: Sequence[str] | None,
                 prefix: str, options: dict[str, Any]):
        self._explainer = model if isinstance(model, Explainer) and not options else Explainer(
            model, **options)
        self._columns, self._keep, self._prefix = columns, keep, prefix
        self._rows: dict[tuple[tuple[str, int], ...], RowExplainer] = {}  # One for each list of columns.

    def __call__(self, batch: Any) -> Any:
        """Explain a `pyarrow.RecordBatch` or a `pyarrow.Table`; the result has the same type."""
        import pyarrow as pa

        if isinstance(batch, pa.Table):
            parts = batch.to_batches() or [pa.RecordBatch.from_pylist([], schema=batch.schema)]
            return pa.Table.from_batches([self(part) for part in parts])
        return self._for(batch.schema).batch(batch)

    def schema(self, schema: Any) -> Any:
        """The schema of the result for batches of this schema."""
        import pyarrow as pa

        return self(pa.RecordBatch.from_pylist([], schema=schema)).schema

    def _for(self, schema: Any) -> RowExplainer:
        vectors = vector_sizes(schema)
        key = tuple((name, vectors.get(name, 0)) for name in schema.names)
        if key not in self._rows:
            self._rows[key] = RowExplainer(self._explainer, schema.names, self._columns, self._keep,
                                           self._prefix, {}, vectors)
        return self._rows[key]


@documented
def explainer(model: Any, columns: Sequence[str] | None = None, *,
              keep: Sequence[str] | None = None, prefix: str = "", n_jobs: int = 1,
              **options: Any) -> BatchExplainer:
    """A function that explains a record batch.

    Parameters
    ----------
    %(parameters)s

    Returns
    -------
    BatchExplainer
        A function of a `pyarrow.RecordBatch` or `pyarrow.Table`. Its result has the kept columns,
        then those of `explain_parquet` without `row`, because batches may come in any order.

    Examples
    --------
    >>> import bisector.arrow
    >>> import pyarrow as pa
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explain_batch = bisector.arrow.explainer(SVC().fit(X, y), keep=[])
    >>> explain_batch(pa.RecordBatch.from_pandas(X)).num_rows
    150
    """
    if isinstance(model, Explainer) and not options:
        return BatchExplainer(model, columns, keep, prefix, {})
    return BatchExplainer(model, columns, keep, prefix,
                          {**options, "n_jobs": n_jobs, "progress": False})
