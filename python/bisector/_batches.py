"""Rows explained batch by batch: Arrow in, Arrow out, in any process."""

from __future__ import annotations

import copy
from typing import Any, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ._exchange import arrow_array, free_name, table_columns
from .explainer import Explainer, known_names, options_for
from .explanation import Explanation


class RowExplainer:
    """An explainer for batches of a table.

    The result has the kept columns and those of `Explanation.to_frame`. The column `row` comes
    first if the rows are numbered; in a table whose parts come in any order they are not. By
    default the columns that the model does not take are kept. The order of rows does not change.
    The object can be pickled and sent to other processes.
    """

    def __init__(self, model: Any, have: Sequence[str], columns: Sequence[str] | None,
                 keep: Sequence[str] | None, prefix: str, options: dict[str, Any]):
        if isinstance(model, Explainer):
            options = {**options_for(model, options.get("method")), **options}
        self.explainer = Explainer(model, **{**options, "progress": False})
        names = self.explainer.feature_names
        self.columns = list(names if columns is None else columns)
        self.keep = [name for name in have if name not in self.columns] if keep is None else list(keep)
        self.prefix = prefix
        _require_present(self.columns, have, "explained")
        _require_present(self.keep, have, "kept")
        if len(self.columns) != len(names):
            raise ValueError(f"{len(self.columns)} columns, expected {len(names)}: the model's "
                             "features")
        self.names = list(known_names(self.explainer) or self.columns)
        self._require_distinct()
        self.empty = self._new_columns(self.explainer(np.empty((0, len(names)))))

    def _require_distinct(self) -> None:
        for name in self.names:
            if self.prefix + name in self.keep:
                raise ValueError(
                    f'the result would have two columns "{self.prefix + name}": leave it out of '
                    'keep=[...], or choose a prefix, such as prefix="relevance_"'
                )

    @property
    def needed(self) -> list[str]:
        """The columns that must be read."""
        return list(dict.fromkeys([*self.keep, *self.columns]))

    def _new_columns(self, explanation: Explanation) -> dict[str, NDArray[Any]]:
        named = copy.copy(explanation)
        named.feature_names = self.names
        named.row = None
        return dict(table_columns(named, self.prefix, kept=self.keep))

    def _explained(self, X: Any, count: int) -> dict[str, NDArray[Any]]:
        return self._new_columns(self.explainer(X)) if count else self.empty

    @property
    def row_name(self) -> str:
        """The name of the column of row numbers."""
        return free_name("row", {*self.keep, *self.empty})

    def batch(self, batch: Any, rows_before: int | None = None) -> Any:
        """The explanation of a pyarrow.RecordBatch, with row numbers if `rows_before` is given."""
        import pyarrow as pa

        kept = [batch.column(batch.schema.get_field_index(name)) for name in self.keep]
        new = self._explained(self._rows(batch), batch.num_rows)
        arrays = [arrow_array(column) for column in new.values()]
        arrays, names = [*kept, *arrays], [*self.keep, *new]
        if rows_before is not None:
            first = rows_before + 1
            arrays.insert(0, pa.array(np.arange(first, first + batch.num_rows)))
            names.insert(0, self.row_name)
        return pa.RecordBatch.from_arrays(arrays, names=names)

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield self.batch(batch)

    def frame(self, frame: Any) -> Any:
        """The explanation of a pandas.DataFrame, with its index."""
        import pandas

        new = self._explained(frame[self.columns], len(frame))
        return pandas.concat([frame[self.keep], pandas.DataFrame(new, index=frame.index)], axis=1)

    def empty_frame(self, frame: Any) -> Any:
        """The result of frame() for no rows."""
        return self.frame(frame.iloc[:0])

    def _rows(self, batch: Any) -> Any:
        """An array if every column has numbers, else a data frame."""
        import pyarrow as pa

        chosen = [batch.column(batch.schema.get_field_index(name)) for name in self.columns]
        if not all(_is_number(array.type) for array in chosen):
            return pa.Table.from_arrays(chosen, names=self.columns).to_pandas()
        rows = np.empty((batch.num_rows, len(chosen)))
        for position, array in enumerate(chosen):
            # Missing values become NaN, which is refused with the row and the feature.
            rows[:, position] = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return rows


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _require_present(names: Sequence[str], have: Sequence[str], what: str) -> None:
    for name in names:
        if name not in have:
            raise ValueError(
                f'there is no column "{name}" to be {what}, expected some of {", ".join(have)}'
            )
