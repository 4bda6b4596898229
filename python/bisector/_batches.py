"""Explaining rows batch by batch: Arrow in, Arrow out, in any process."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .explainer import Explainer, options_for
from .explanation import Explanation

PREFIX = "relevance_"


class RowExplainer:
    """A model and what becomes of a table: the columns that are explained and those that are kept.

    The result has the kept columns, `prediction`, `g`, `tie`, a column of relevance for each feature
    under `prefix` and its name, `remainder` and `outside`. Rows stay in their order. Can be pickled, and then sent to others.
    """

    def __init__(self, model: Any, have: Sequence[str], columns: Sequence[str] | None,
                 keep: Sequence[str] | None, prefix: str, options: dict[str, Any]):
        if isinstance(model, Explainer):
            options = {**options_for(model, options.get("method")), **options}
        self.explainer = Explainer(model, **{**options, "progress": False})
        names = self.explainer.feature_names
        self.columns = list(names if columns is None else columns)
        self.keep = list(have if keep is None else keep)
        self.relevance = [prefix + name for name in self._explained_names()]
        _require_there(self.columns, have, "explained")
        _require_there(self.keep, have, "kept")
        if len(self.columns) != len(names):
            raise ValueError(f"{len(self.columns)} columns, expected {len(names)}: the model's "
                             "features")
        self._require_distinct()

    def _explained_names(self) -> list[str]:
        """The model's own names, or where it has none those of the columns."""
        known = self.explainer._names or self.explainer._columns.names
        return list(known or self.columns)

    def _require_distinct(self) -> None:
        taken = set(self.keep)
        for name in self.results:
            if name in taken:
                raise ValueError(
                    f'the result would have two columns "{name}", expected other names: choose the '
                    "columns with keep=[...], or another prefix"
                )
            taken.add(name)

    @property
    def results(self) -> list[str]:
        """The names of the columns that are new."""
        return list(self._columns_of(None))

    def _columns_of(self, why: Explanation | None) -> dict[str, NDArray[Any]]:
        """The new columns in their order; for None those of no rows."""
        if why is None:
            relevance = np.empty((len(self.relevance), 0))
            prediction, g, remainder = self.no_predictions, np.empty(0), np.empty(0)
            tie, outside = np.empty(0, bool), np.empty(0, bool)
        else:
            relevance, prediction, g = why.values.T, np.asarray(why.prediction), why.g
            tie, remainder, outside = why.tie, why.remainder, why.outside
        return {"prediction": prediction, "g": g, "tie": tie, **dict(zip(self.relevance, relevance)),
                "remainder": remainder, "outside": outside}

    @property
    def needed(self) -> list[str]:
        """The columns that have to be read."""
        return list(dict.fromkeys([*self.keep, *self.columns]))

    @property
    def no_predictions(self) -> NDArray[Any]:
        """An empty array of the type that predictions have."""
        labels = self.explainer.classes
        return np.empty(0) if labels is None else np.asarray(labels)[:0]

    def batch(self, batch: Any) -> Any:
        """A pyarrow.RecordBatch explained."""
        import pyarrow as pa

        kept = [batch.column(batch.schema.get_field_index(name)) for name in self.keep]
        why = self.explainer(self._rows(batch)) if batch.num_rows else None
        arrays = [pa.array(np.ascontiguousarray(column)) for column in self._columns_of(why).values()]
        return pa.RecordBatch.from_arrays([*kept, *arrays], names=[*self.keep, *self.results])

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield self.batch(batch)

    def frame(self, frame: Any) -> Any:
        """A pandas.DataFrame explained; its index is kept."""
        import pandas

        if len(frame) == 0:
            return self.empty_frame(frame)
        new = self._columns_of(self.explainer(frame[self.columns]))
        return pandas.concat([frame[self.keep], pandas.DataFrame(new, index=frame.index)], axis=1)

    def empty_frame(self, frame: Any) -> Any:
        """What frame() gives for no rows of this kind."""
        import pandas

        kept = frame[self.keep].iloc[:0]
        new = pandas.DataFrame(self._columns_of(None), index=kept.index)
        return pandas.concat([kept, new], axis=1)

    def _rows(self, batch: Any) -> Any:
        """An array where every column holds numbers, else a data frame."""
        import pyarrow as pa

        chosen = [batch.column(batch.schema.get_field_index(name)) for name in self.columns]
        if not all(_is_number(array.type) for array in chosen):
            return pa.Table.from_arrays(chosen, names=self.columns).to_pandas()
        rows = np.empty((batch.num_rows, len(chosen)))
        for position, array in enumerate(chosen):
            # Missing values become NaN, which the library refuses with row and feature.
            rows[:, position] = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
        return rows


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _require_there(names: Sequence[str], have: Sequence[str], what: str) -> None:
    for name in names:
        if name not in have:
            raise ValueError(
                f'there is no column "{name}" to be {what}, expected some of: {", ".join(have)}'
            )
