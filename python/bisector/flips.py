"""Flips: the smallest changes that make a model decide otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._columns import Read
from ._notes import notes_of
from ._progress import Progress, shown
from ._tables import Floats, is_frame, opened, selected

if TYPE_CHECKING:
    from ._prepared import Prepared

_MOST_EXAMPLES = 2000  # Rows from which the search starts.


@dataclass(frozen=True)
class Flips:
    """The smallest changes of rows that flip the prediction.

    The arrays have one entry per row of X. With ``count`` above 1 they have the shape (rows,
    count), nearest first. Where no flip was found, `distance` is infinite and nothing is changed.

    Attributes
    ----------
    data : ndarray of shape (rows, columns) or (rows, count, columns)
        The changed rows.
    changed : ndarray of bool, of the shape of `data`
        The columns that differ from X.
    distance : ndarray of shape (rows,) or (rows, count)
        The Euclidean length of the change in the model's space, after its preprocessing.
    radius : ndarray of shape (rows,)
        No shorter change flips the prediction, whatever columns it changes; 0 if no radius is
        known.
    prediction : ndarray of shape (rows,) or (rows, count)
        The original model's predictions of the changed rows.
    nearest : ndarray of shape (rows, columns)
        The nearest real row with the other outcome, for comparison; the row of X itself if there is
        none. It is one of the first 2,000 rows of the background, or of X without a background.
        Constraints do not apply to it.
    nearest_distance : ndarray of shape (rows,)
        Its distance, infinite if there is none.
    nearest_row : list
        Its index in the background's data frame, or else its row number from 0; None if there is
        none.
    original : ndarray of shape (rows, columns)
        The rows of X.
    feature_names : list of str
        The names of the columns.
    index : Index or None
        The index of X, if it is a data frame.
    reach : float or None
        The value that a regressor had to reach.
    to_class : label or None
        The class that was to be reached, if one was asked for.
    outside : ndarray of bool or None
        True for rows of X that are far from the training data, where flips are not reliable.
    """

    data: NDArray[Any]
    changed: NDArray[np.bool_]
    distance: Floats
    radius: Floats
    prediction: NDArray[Any]
    nearest: NDArray[Any]
    nearest_distance: Floats
    nearest_row: list[Any]
    original: NDArray[Any]
    feature_names: list[str]
    index: Any = None
    reach: float | None = None
    to_class: Any = None
    outside: Any = None

    @property
    def notes(self) -> list[str]:
        """What a reader of the flips should know, as `Explanation.notes`."""
        return notes_of(self, {})

    def __len__(self) -> int:
        return len(self.original)

    @property
    def found(self) -> NDArray[np.bool_]:
        """True where a flip was found."""
        return np.isfinite(self.distance)

    def sentences(self) -> list[str]:
        """One sentence per row: what would have to change for which prediction, and which real row
        is nearest to it and has the other outcome."""
        return [self._sentence(row) + self._nearest_words(row) for row in range(len(self))]

    def _nearest_words(self, row: int) -> str:
        if self.nearest_row[row] is None:
            return ""
        outcome = "with the other outcome" if self.reach is None else f"that {self._goal()}"
        return (f" (nearest real row {outcome}: row {self.nearest_row[row]}, distance "
                f"{self.nearest_distance[row]:.3g})")

    def _goal(self) -> str:
        return "flips the prediction" if self.reach is None else f"reaches {self.reach:g}"

    def _sentence(self, row: int) -> str:
        answers = self._answers(row)
        own = np.ravel(self.prediction[row])[0]
        if not answers and self.to_class is not None and own == self.to_class:
            return f"is already {own}"
        if not answers:
            return f"no allowed change that {self._goal()} was found"
        return "; or ".join(
            (f"would be {prediction} if: " if self.reach is None
             else f"would reach {self.reach:g} if: ")
            + _in_words([f"{self.feature_names[c]} {_cell(self.original[row][c])} → {_cell(data[c])}"
                         for c in np.flatnonzero(changed)])
            for data, changed, prediction, _ in answers)

    def _answers(self, row: int) -> list[tuple[Any, Any, Any, float]]:
        several = self.distance.ndim == 2
        parts = (self.data[row], self.changed[row], self.prediction[row], self.distance[row])
        every = list(zip(*parts)) if several else [parts]
        return [(data, changed, prediction, float(distance))
                for data, changed, prediction, distance in every if np.isfinite(distance)]

    def to_frame(self) -> Any:
        """A pandas data frame with one line per flip: the changed row, then the columns
        prediction, distance, radius, changed, nearest_row and nearest_distance. Rows without a flip
        have no line."""
        import pandas

        labels = range(len(self)) if self.index is None else self.index
        lines, rows = [], []
        for row, label in enumerate(labels):
            for data, changed, prediction, distance in self._answers(row):
                names = [self.feature_names[c] for c in np.flatnonzero(changed)]
                lines.append([*data, prediction, distance, self.radius[row], ", ".join(names),
                              self.nearest_row[row], self.nearest_distance[row]])
                rows.append(label)
        columns = [*self.feature_names, "prediction", "distance", "radius", "changed",
                   "nearest_row", "nearest_distance"]
        return pandas.DataFrame(lines, columns=columns, index=rows).infer_objects()

    def __repr__(self) -> str:
        return (f"<bisector.Flips of {len(self)} rows, {int(np.count_nonzero(self.found))} "
                "flips found>")


def _cell(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return repr(float(value)) if value != np.round(value) else str(int(value))
    return str(value)


def _in_words(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


class _Column:
    """One column of X, or the columns of a one-hot group: how its features change, and the cells of
    its levels."""

    def __init__(self, features: Any, number: Any, read: Read, positions: list[int]):
        self.positions, self.features = positions, [int(feature) for feature in features]
        self.number = number  # The range of a number; None for levels.
        self.levels: Floats | None = None
        self.cells: NDArray[Any] | None = None
        if number is None:
            self._find_levels(read)

    def _find_levels(self, read: Read) -> None:
        """Every combination of features that occurs in the data, in the order of the cells."""
        levels, first = np.unique(read.features[:, self.features], axis=0, return_index=True)
        cells = read.data[first][:, self.positions]
        try:
            order = np.argsort(cells[:, 0], kind="stable")
        except TypeError:  # Cells of several types have no order.
            order = np.arange(len(cells))
        self.levels, self.cells = np.ascontiguousarray(levels[order]), cells[order]

    def has_levels_of(self, read: Read) -> bool:
        if self.levels is None:
            return True
        own = read.features[:, self.features]
        return bool((own[:, None, :] == self.levels[None, :, :]).all(axis=2).any(axis=1).all())

    def core(self, changes: list[str]) -> _core.FlipColumn:
        change = "none" if "none" in (own := [changes[n] for n in self.positions]) else own[0]
        if self.number is None:
            return _core.FlipColumn(self.features, self.levels, change=change)
        return _core.FlipColumn(self.features, None, self.number.lowest, self.number.highest,
                                self.number.decimals, change)

    def cells_of(self, rows: Floats) -> NDArray[Any]:
        """The cells of rows of features."""
        if self.levels is None or self.cells is None:
            return np.asarray(rows[:, self.features])
        distances = np.abs(self.levels[None, :, :] - rows[:, None, self.features]).sum(axis=2)
        return np.asarray(self.cells[np.argmin(distances, axis=1)])


def find_flips(one: Prepared, original: Any, X: Any, *, fix: Iterable[str],
               only: Iterable[str] | None, increase: Iterable[str], decrease: Iterable[str],
               count: int, changes: int | None, to: Any, radius: bool) -> Flips:
    """The flips of an explainer's model; `original` predicts again."""
    if count < 1 or (changes is not None and changes < 1):
        raise ValueError("count and changes must be at least 1")
    X = selected(opened(X), one.columns.names, one.columns.count)
    read = one.columns.read(X)
    names = list(one.names or read.names)
    search_space = FlipSpace.of(one, read)
    changing = _changes(names, fix, only, increase, decrease)
    goal = _goal(one, to)

    def search(rows: Floats, answers: int, radius: bool) -> list[Any]:
        finder = search_space.finder(one, changing, count=answers, most_changes=changes or 0,
                                     with_radius=radius, **goal)
        progress: Progress = one.arguments["progress"]
        with one.checked(read), shown(progress, "searching flips", len(rows)) as callback:
            return list(finder(rows, callback))

    predict = _Confirmation(original if original is not None else one.predict, X, read,
                            search_space.columns, one.labels is None, to)
    found = search(read.features, count, radius)
    flips = [row.flips for row in found]
    answers = predict(flips)
    # Further answers replace those that the original model does not confirm.
    missing = [row for row, own in enumerate(answers) if len(own) < len(flips[row])]
    if missing:
        for row, more in zip(missing, search(read.features[missing], count + 2, False)):
            flips[row] = more.flips
        answers = predict(flips)
    to_class = one.labels[goal["to_class"]] if "to_class" in goal else None
    outside = np.asarray(one.outside_rows(read.features), dtype=bool)
    return _flips(read, search_space.known, names, found, answers, predict.own, count,
                  goal.get("reach"), to_class, outside)


class FlipSpace:
    """The columns of a search and the rows from which it starts. With a background they are the same
    for all calls, unless X has a level that the background does not have."""

    def __init__(self, one: Prepared, known: Read, both: Read):
        self.known, self.columns = known, _columns(one, known, both)
        self._last: tuple[Any, _core.FlipFinder] | None = None

    @staticmethod
    def of(one: Prepared, read: Read) -> FlipSpace:
        kept = one.flip_space
        if kept is not None and all(column.has_levels_of(read) for column in kept.columns):
            return kept
        known = one.background_rows or read
        both = known if known is read else Read(np.vstack([known.features, read.features]),
                                                np.vstack([known.data, read.data]), read.names, None)
        return FlipSpace(one, known, both)

    def finder(self, one: Prepared, changing: list[str], **options: Any) -> _core.FlipFinder:
        """The finder of the last call, if its options are the same: its preparation takes as long as
        some rows."""
        key = (changing, options)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        finder = _core.FlipFinder(one.subject.model,
                                  [column.core(changing) for column in self.columns],
                                  self.known.features[:_MOST_EXAMPLES],
                                  threads=one.options.threads, **options)
        self._last = key, finder
        return finder


def _columns(one: Prepared, known: Read, both: Read) -> list[_Column]:
    numbers = _core.flip_columns(one.subject.model, known.features)
    of_feature = {column.features[0]: column for column in numbers if column.is_number}
    together = _one_hot_groups(one, both)
    result = []
    for positions in together:
        features = np.flatnonzero(np.isin(one.columns.groups, positions))
        result.append(_Column(features, None, both, positions))
    grouped = {position for positions in together for position in positions}
    for position in range(one.columns.count):
        if position in grouped:
            continue
        features = np.flatnonzero(one.columns.groups == position)
        if len(features) == 0:
            continue  # The pipeline drops this column.
        number = None
        if len(features) == 1 and _is_number(one, int(features[0])):
            number = of_feature.get(int(features[0]))
        result.append(_Column(features, number, both, [position]))
    return result


def _one_hot_groups(one: Prepared, both: Read) -> list[list[int]]:
    """The groups of the explainer whose columns are 0 and 1 with a single 1 in every row."""
    result: list[list[int]] = []
    if one.groups is None:
        return result
    for entry, single in enumerate(one.groups.single):
        positions = np.flatnonzero(one.groups.of_column == entry)
        if single is not None or len(positions) < 2:
            continue
        cells = both.data[:, positions]
        if np.isin(cells, (0, 1)).all() and (cells.astype(float).sum(axis=1) == 1).all():
            result.append([int(position) for position in positions])
    return result


def _is_number(one: Prepared, feature: int) -> bool:
    if one.columns.table is not None:
        kind = one.columns.table.columns[int(one.columns.groups[feature])].kind
        return bool(kind == _core.ColumnKind.numeric)
    return one.columns.features[feature].encoder is None


def _changes(names: list[str], fix: Iterable[str], only: Iterable[str] | None,
             increase: Iterable[str], decrease: Iterable[str]) -> list[str]:
    result = ["any" if only is None else "none"] * len(names)
    for change, given in (("any", only or ()), ("increase", increase), ("decrease", decrease),
                          ("none", fix)):
        if isinstance(given, str):
            raise TypeError(f"columns are {given!r}, expected a list of names")
        for name in given:
            is_position = isinstance(name, (int, np.integer)) and 0 <= name < len(names)
            if not is_position and name not in names:
                raise ValueError(f"the model has no column {name!r}, expected some of "
                                 f"{', '.join(names)}")
            column = int(name) if is_position else names.index(name)
            if change == "decrease" and result[column] == "increase":
                raise ValueError(f"increase and decrease both name {name!r}, expected one of them "
                                 "or fix")
            result[column] = change
    return result


def _goal(one: Prepared, to: Any) -> dict[str, Any]:
    if one.labels is None:
        if to is None:
            raise ValueError("the model predicts numbers, which do not flip: pass to=VALUE, the "
                             "value to reach")
        try:
            return {"reach": float(to)}
        except (TypeError, ValueError):
            raise ValueError(f"to is {to!r}, expected a number: the model predicts numbers"
                             ) from None
    if to is None:
        return {}
    matches = [n for n, label in enumerate(one.labels) if label == to or str(label) == str(to)]
    if not matches:
        raise ValueError(f"the model has no class {to!r}, expected one of "
                         f"{', '.join(map(str, one.labels))}")
    return {"to_class": matches[0]}


@dataclass
class _Answer:
    """A changed row that the original model confirms."""

    cells: NDArray[Any]
    changed: NDArray[np.bool_]
    distance: float
    prediction: Any


class _Confirmation:
    """Predicts changed rows again, with the original model and together with the rows of X."""

    def __init__(self, predict: Callable[[Any], Any], X: Any, read: Read, columns: list[_Column],
                 is_regressor: bool, to: Any):
        self.predict, self.X, self.read, self.columns = predict, X, read, columns
        self.is_regressor, self.to = is_regressor, to
        self.own: NDArray[Any] = np.empty(0)  # The predictions of X.

    def __call__(self, flips: list[list[Any]]) -> list[list[_Answer]]:
        """The confirmed answers of every row, nearest first."""
        owners = [row for row, own in enumerate(flips) for _ in own]
        flat = [flip for own in flips for flip in own]
        data = self.read.data
        cells = np.array(data[owners])
        changing = np.zeros((len(flat), len(self.columns)), dtype=bool)
        for n, flip in enumerate(flat):
            changing[n, flip.changed] = True
        rows = np.array([flip.row for flip in flat])
        for column, mask in zip(self.columns, changing.T):
            if mask.any():
                cells[np.ix_(mask, np.array(column.positions))] = column.cells_of(rows[mask])
        changed = cells != data[owners]
        self.own, predicted = self._predicted(cells)
        result: list[list[_Answer]] = [[] for _ in flips]
        for n, (row, flip) in enumerate(zip(owners, flat)):
            if _is_flipped(self.own[row], predicted[n], self.is_regressor, self.to):
                result[row].append(_Answer(cells[n], changed[n], flip.distance, predicted[n]))
        return result

    def _predicted(self, cells: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The predictions of X and of the changed rows; one call serves both, if possible."""
        rows = len(self.read.data)
        if rows == 0:  # Many pipelines refuse to predict nothing.
            return np.empty(0), np.empty(0)
        if isinstance(self.X, np.ndarray) and self.X.dtype == cells.dtype:
            both = np.vstack([self.X, cells])
        elif hasattr(self.X, "iloc"):
            both = _like(self.X, np.vstack([self.read.data, cells]))
        else:
            own = np.asarray(self.predict(self.X))
            return own, np.asarray(self.predict(_like(self.X, cells))) if len(cells) else own[:0]
        predicted = np.asarray(self.predict(both))
        return predicted[:rows], predicted[rows:]


def _flips(read: Read, known: Read, names: list[str], found: list[Any],
           answers: list[list[_Answer]], own: NDArray[Any], count: int,
           reach: float | None, to_class: Any, outside: NDArray[np.bool_]) -> Flips:
    rows = len(read.data)
    data = np.repeat(np.array(read.data)[:, None, :], count, axis=1)
    changed = np.zeros(data.shape, dtype=bool)
    distance, prediction = np.full((rows, count), np.inf), np.repeat(own[:, None], count, axis=1)
    for row, confirmed in enumerate(answers):
        for n, answer in enumerate(confirmed[:count]):
            data[row, n], changed[row, n] = answer.cells, answer.changed
            distance[row, n], prediction[row, n] = answer.distance, answer.prediction
    if count == 1:
        data, changed, distance, prediction = (part[:, 0] for part in
                                               (data, changed, distance, prediction))
    radius = np.array([row.radius for row in found])
    return Flips(data, changed, distance, radius, prediction, *_nearest(read, known, found),
                 read.data, names, read.index, reach, to_class, outside)


def _nearest(read: Read, known: Read, found: list[Any]) -> tuple[NDArray[Any], Floats, list[Any]]:
    """The nearest known row with the other outcome for every row: cells, distance and label."""
    data, distance = np.array(read.data), np.full(len(found), np.inf)
    labels: list[Any] = [None] * len(found)
    for row, answers in enumerate(found):
        if answers.example is not None:
            data[row], distance[row] = known.data[answers.example], answers.example_distance
            labels[row] = answers.example if known.index is None else known.index[answers.example]
    return data, distance, labels


def _is_flipped(own: Any, new: Any, is_regressor: bool, to: Any) -> bool:
    if is_regressor:
        return bool(new >= to if own < to else new <= to)
    return bool(new != own if to is None else new == to or str(new) == str(to))


def _like(X: Any, cells: NDArray[Any]) -> Any:
    """The cells as a table like X."""
    if not is_frame(X):
        return cells
    if not hasattr(X, "iloc"):  # polars
        return type(X)({name: list(cells[:, n]) for n, name in enumerate(X.columns)})
    import pandas

    frame = pandas.DataFrame(cells, columns=list(X.columns))
    kinds = {name: kind for name, kind in zip(X.columns, X.dtypes.to_numpy())
             if kind != cells.dtype and kind.kind not in "iub"}
    return frame.astype(kinds) if kinds else frame
