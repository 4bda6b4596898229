"""Rows explained batch by batch: Arrow in, Arrow out, in any process."""

from __future__ import annotations

import copy
from typing import Any, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ._docstrings import filled
from ._exchange import arrow_array, free_name, table_columns
from ._vectors import entry_names, packed, vector_of
from .explainer import Explainer, given_options, known_names, options_for
from .explanation import Explanation


_MODEL = """model : estimator, path-like or Explainer
        A model that `Explainer` takes. Workers must have bisector installed."""
_COLUMNS = """columns : sequence of str, optional
        The model's features, in its order. By default the columns with the model's own names.
    keep : sequence of str, optional
        The columns that are copied, such as a key. By default those that the model does not take.
    prefix : str, default=""
        Prefix of the features' names in the result."""
_OPTIONS = """**options
        Options of `Explainer`."""
documented = filled(
    model=_MODEL, columns=_COLUMNS, options=_OPTIONS, parameters=f"""{_MODEL}
    {_COLUMNS}
    n_jobs : int, default=1
        Threads of each task; as many tasks run at once as there are cores.
    {_OPTIONS}""",
    result="""The kept columns, then those of the command's CSV: `prediction`, `class`, `versus`,
        `output`, `base`, one column per feature, `remainder`, `outside` and `tie`. There is no
        `row`, because the rows have no numbers; keep a key.""")


class RowExplainer:
    """An explainer for batches of a table.

    The result has the kept columns and those of `Explanation.to_frame`. The column `row` comes
    first if the rows are numbered; in a table whose parts come in any order they are not. By
    default the columns that the model does not take are kept. The order of rows does not change.
    A feature or a kept column with the name of another column gets underscores.
    The object can be pickled and sent to other processes.
    """

    def __init__(self, model: Any, have: Sequence[str], columns: Sequence[str] | None,
                 keep: Sequence[str] | None, prefix: str, options: dict[str, Any],
                 vectors: Mapping[str, int] | None = None):
        """`vectors`: the sizes of columns of vectors."""
        if isinstance(model, Explainer):
            options = {**options_for(model, options.get("method")), **options}
        explainer = Explainer(model, **{**options, "progress": False})
        names = explainer.feature_names
        self.columns = list(columns or dict.fromkeys(
            name if name in have else vector_of(name) or name for name in names))
        self.keep = [name for name in have if name not in self.columns] if keep is None else list(keep)
        self.prefix, self._vectors = prefix, dict(vectors or {})
        _require_present(self.columns, have, "explained")
        _require_present(self.keep, have, "kept")
        features = [feature for name in self.columns for feature in
                    (entry_names(name, self._vectors[name]) if name in self._vectors else [name])]
        if len(features) != len(names):
            raise ValueError(f"{len(features)} columns, expected {len(names)}: the model's "
                             "features")
        if known_names(explainer) is None:
            explainer = Explainer(explainer, **{**given_options(explainer),
                                                "feature_names": features})
        self.explainer = explainer
        none = explainer(np.empty((0, len(names))))
        self.empty = self._new_columns(none)

    @property
    def needed(self) -> list[str]:
        """The columns that must be read."""
        return list(dict.fromkeys([*self.keep, *self.columns]))

    def _new_columns(self, explanation: Explanation) -> dict[str, NDArray[Any]]:
        named = copy.copy(explanation)
        named.row = None
        return dict(table_columns(named, self.prefix))

    def _explained(self, X: Any, count: int) -> dict[str, NDArray[Any]]:
        return self._new_columns(self.explainer(X)) if count else self.empty

    def kept_names(self, are_numbered: bool = False) -> list[str]:
        """The names of the kept columns in the result, where ours and those of features are
        taken."""
        taken = {*self.empty, *(["row"] if are_numbered else [])}
        return [free_name(name, taken) for name in self.keep]

    def batch(self, batch: Any, rows_before: int | None = None) -> Any:
        """The explanation of a pyarrow.RecordBatch, with row numbers if `rows_before` is given."""
        import pyarrow as pa

        kept = [batch.column(batch.schema.get_field_index(name)) for name in self.keep]
        new = self._explained(self._rows(batch), batch.num_rows)
        columns = packed(new) if self._vectors else list(new.items())
        arrays = [*kept, *(arrow_array(column) for _, column in columns)]
        names = [*self.kept_names(rows_before is not None), *(name for name, _ in columns)]
        if rows_before is not None:
            first = rows_before + 1
            arrays.insert(0, pa.array(np.arange(first, first + batch.num_rows)))
            names.insert(0, "row")
        return pa.RecordBatch.from_arrays(arrays, names=names)

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield self.batch(batch)

    def frame(self, frame: Any) -> Any:
        """The explanation of a pandas.DataFrame, with its index."""
        import pandas

        new = self._explained(frame[self.columns], len(frame))
        kept = frame[self.keep].set_axis(self.kept_names(), axis=1)
        return pandas.concat([kept, pandas.DataFrame(new, index=frame.index)], axis=1)

    def empty_frame(self, frame: Any) -> Any:
        """The result of frame() for no rows."""
        return self.frame(frame.iloc[:0])

    def _rows(self, batch: Any) -> Any:
        """An array if every column has numbers, else a data frame."""
        import pyarrow as pa

        chosen = [batch.column(batch.schema.get_field_index(name)) for name in self.columns]
        blocks = [_numbers(array) for array in chosen]
        if any(block is None for block in blocks):
            return pa.Table.from_arrays(chosen, names=self.columns).to_pandas()
        return np.concatenate([np.empty((batch.num_rows, 0)), *blocks], axis=1)


def _numbers(array: Any) -> NDArray[np.float64] | None:
    """Rows x 1 of a column of numbers, rows x entries of fixed-size lists; None for others. Missing
    values become NaN, which is refused with the row and the feature."""
    import pyarrow as pa

    size = 1
    if pa.types.is_fixed_size_list(array.type) and array.null_count == 0:
        size, array = array.type.list_size, array.flatten()
    if not _is_number(array.type):
        return None
    values = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.asarray(values, dtype=np.float64).reshape(-1, size)


def vector_sizes(schema: Any) -> dict[str, int]:
    """The columns of fixed-size lists of numbers, and their sizes."""
    import pyarrow as pa

    return {field.name: field.type.list_size for field in schema
            if pa.types.is_fixed_size_list(field.type) and _is_number(field.type.value_type)}


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _require_present(names: Sequence[str], have: Sequence[str], what: str) -> None:
    for name in names:
        if name not in have:
            raise ValueError(
                f'there is no column "{name}" to be {what}, expected some of {", ".join(have)}'
            )
