"""Groups of columns that are explained together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence

import numpy as np

from ._tables import Floats, Integers, is_sparse
from ._vectors import vector_groups


@dataclass(frozen=True)
class Groups:
    """The entries of an explanation: groups of columns, and the columns that are in no group."""

    names: list[str]  # In the order of their first columns.
    of_column: Integers  # The entry of each column.
    single: list[int | None]  # The column of an entry that is no group.

    def sum(self, values: Floats) -> Floats:
        """Values of columns (rows x columns, or with a third axis), summed onto the entries."""
        result = np.zeros((len(values), len(self.names), *values.shape[2:]))
        for column, entry in enumerate(self.of_column):
            result[:, entry] += values[:, column]
        return result

    def data(self, cells: Any) -> Any:
        """The cells of single columns. Groups have no value of their own: NaN or None."""
        shape = (cells.shape[0], len(self.names))
        if not is_sparse(cells) and cells.dtype == object:
            result = np.full(shape, None, dtype=object)
        else:
            result = np.full(shape, np.nan)
        for entry, column in enumerate(self.single):
            if column is not None:
                own = cells[:, [column]].toarray() if is_sparse(cells) else cells[:, [column]]
                result[:, entry] = own[:, 0]
        return result


def checked_groups(groups: Mapping[str, Sequence[Any]] | str | None,
                   names: Sequence[str]) -> Groups | None:
    """Groups that are given by the names or positions of their columns, or "columns": the entries
    of each vector column."""
    if groups is None:
        return None
    if isinstance(groups, str):
        if groups != "columns":
            raise ValueError(f'groups is "{groups}", expected "columns" or a dictionary')
        groups = vector_groups(names)
    owner = _owners(groups, names)
    entries: list[str] = []
    single: list[int | None] = []
    of_column = np.zeros(len(names), dtype=np.int64)
    place: dict[str, int] = {}
    for column, name in enumerate(names):
        own = owner.get(column)
        if own is None or own not in place:
            entries.append(name if own is None else own)
            single.append(column if own is None else None)
        of_column[column] = (len(entries) - 1 if own is None
                             else place.setdefault(own, len(entries) - 1))
    for name in entries:
        if entries.count(name) > 1:
            raise ValueError(f'group "{name}" has the name of a column that is not in it, expected '
                             "another name")
    return Groups(entries, of_column, single)


def _owners(groups: Mapping[str, Sequence[Any]], names: Sequence[str]) -> dict[int, str]:
    """The group of each column that is in one."""
    owner: dict[int, str] = {}
    for group, columns in groups.items():
        if isinstance(columns, str) or len(columns) == 0:
            raise ValueError(f'group "{group}" is {columns!r}, expected a list of columns')
        for column in columns:
            position = _position(str(group), column, names)
            if position in owner:
                raise ValueError(f'column "{names[position]}" is in the groups '
                                 f'"{owner[position]}" and "{group}", expected it in one of them')
            owner[position] = str(group)
    return owner


def _position(group: str, column: Any, names: Sequence[str]) -> int:
    if isinstance(column, (int, np.integer)) and 0 <= column < len(names):
        return int(column)
    if str(column) not in names:
        raise ValueError(f'group "{group}" has the column "{column}", expected columns of the '
                         f"model: {', '.join(names)}")
    return list(names).index(str(column))
