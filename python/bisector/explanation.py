"""Explanation: the relevance of every feature for every row, with the field names of SHAP."""

from __future__ import annotations

import copy
import os
from dataclasses import KW_ONLY, dataclass
from types import MappingProxyType
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._cohorts import Cohorts, cluster_order, tree_cohorts
from ._exchange import codes, to_arrow, to_frame, to_shap
from ._files import read_fields, write_fields
from ._html import to_html
from ._notes import notes_of
from ._tables import Floats, dense, is_sparse

# Attributes that have another name than the library's field.
_ATTRIBUTES = {"base": "base_values", "value": "prediction_index", "prediction": "prediction_index",
               "positive": "positive_index", "negative": "negative_index"}
_FIELDS = {_ATTRIBUTES.get(name, name): is_signed
           for name, is_signed in _core.explanation_fields()}
# Fields with one entry per row. The signed ones change their sign with that of the relevance.
_SIGNED = tuple(name for name, is_signed in _FIELDS.items() if is_signed)
_PER_CELL = ("values", "data", "imputed", "standard_errors")
PER_ROW = (*_FIELDS, "unexplained", "display_data", "certified", "row")


def attributes(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The library's arrays with one entry per row, by the names of attributes."""
    found = {_ATTRIBUTES.get(name, name): array for name, array in arrays.items()}
    return {name: found[name] for name in PER_ROW if name in found and name != "output"}


@dataclass(slots=True, eq=False, repr=False)
class Explanation:
    """The relevance of every feature for the prediction of every row.

    `Explainer` and `explain` return explanations. In every row,
    ``base_values + values.sum(axis=1) + remainder == output`` up to rounding. An explanation can be
    indexed by rows and by features, as ``explanation[rows, features]``.

    Attributes
    ----------
    values : ndarray of shape (rows, features)
        The relevance. Positive values push toward `positive_class`, negative values toward
        `versus`. With ``classes="all"`` the shape is (rows, features, classes).
    base_values : ndarray of shape (rows,)
        The output that the relevance starts from: the mean over the references.
    output : ndarray of shape (rows,)
        The explained output of the model, in `unit`.
    remainder : ndarray of shape (rows,)
        The part of the output that the features do not explain.
    standard_errors : ndarray of shape (rows, features) or None
        Standard errors of the relevance, for methods that draw references; None for other methods.
        Those of a one-hot column are upper bounds: the sums over its levels.
    data : array of shape (rows, features)
        The cells of X; sparse if X was sparse.
    imputed : ndarray of bool of shape (rows, features) or None
        True for cells of X that are missing, so that the model filled them in, as by the
        SimpleImputer of a pipeline; None if the model fills in nothing.
    display_data : array or None
        The texts of a text model.
    feature_names : list of str
        The names of the columns.
    g : ndarray of shape (rows,) or None
        The output of the neuralized model; None for the explanation of a function.
    decision : ndarray of shape (rows,)
        The model's own output for the two classes that are contrasted.
    tie : ndarray of bool or None
        True if votes or distances are equal up to rounding: another order of the training rows or
        classes could give another output or prediction. Such rows have scikit-learn's neighbors.
    outside : ndarray of bool or None
        True if the row is far from the training data, so that its explanation is unreliable.
    unexplained : ndarray of bool or None
        True if the features leave more than a fifth of the difference from the base value
        unexplained, and more than a hundredth of the range of the output.
    alike : ndarray of bool or None
        True if the model answers nearly all background rows alike: the 5th and the 95th percentile
        of the output differ by at most a thousandth of its range.
    certified : ndarray of bool or None
        `explain_neighbors`: True if the row's explanation is that of all training rows, False if it
        is approximate.
    correction : ndarray or None
        Path rules: the part of the relevance that distributes the error of their steps, in the
        unit g.
    stretch : ndarray or None
        By what the conversion from g multiplied positive and divided negative relevance; 1 if
        nothing was stretched. Far from 1, relevance and output disagree.
    row : ndarray of int or None
        The numbers of the rows in X, counted from 1.
    classes : ndarray or None
        The labels of a classifier.
    prediction_index, positive_index, negative_index : ndarray of int or None
        Positions in `classes` of `prediction`, `positive_class` and `versus`.
    method : str
        The method that computed the relevance.
    settings : Mapping
        The resolved options of the explainer.
    index : index or None
        The index of the data frame that was explained.

    See Also
    --------
    Explainer : Computes explanations of a model.

    Examples
    --------
    >>> import bisector
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> explanation = bisector.Explainer(SVC().fit(X, y), X)(X)
    >>> explanation.shape
    (150, 4)
    >>> total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    >>> bool(np.allclose(total, explanation.output))
    True
    >>> explanation[:10, "petal length (cm)"].shape
    (10,)
    """

    values: Floats
    output: Any
    data: Any
    feature_names: Any
    _: KW_ONLY
    method: str
    settings: Mapping[str, Any]
    base_values: Any
    remainder: Any
    classes: NDArray[Any] | None = None
    prediction_index: Any = None
    positive_index: Any = None
    negative_index: Any = None
    g: Any = None
    decision: Any = None
    tie: Any = None
    outside: Any = None
    unexplained: Any = None
    alike: Any = None
    correction: Any = None
    stretch: Any = None
    standard_errors: Any = None
    imputed: Any = None
    display_data: Any = None
    index: Any = None
    certified: Any = None
    row: Any = None

    def __post_init__(self) -> None:
        if self.row is None and np.ndim(self.values) > 1:
            self.row = np.arange(1, len(self.values) + 1)

    @property
    def unit(self) -> str:
        """The unit of the relevance: "decision" (the model's own output), "share" (percent) or
        "g"."""
        return str(self.settings["unit"])

    @property
    def prediction(self) -> Any:
        """The model's own prediction: a class, or the value of a regressor."""
        if self.classes is None or self.prediction_index is None:
            return self.prediction_index
        return self.classes[self.prediction_index]

    @property
    def positive_class(self) -> Any:
        """The class that positive relevance pushes toward; "above" for regressors."""
        return self._named(self.positive_index, "above")

    @property
    def versus(self) -> Any:
        """The class that negative relevance pushes toward; "below" for regressors."""
        return self._named(self.negative_index, "below")

    def _named(self, classes: Any, otherwise: str) -> Any:
        if self.classes is not None:
            return "the rest" if classes is None else self.classes[classes]
        shape = np.shape(self.output)
        return np.full(shape, otherwise) if shape else otherwise

    @property
    def output_names(self) -> Any:
        """The class that positive relevance pushes toward in every row, if it is one class; the
        list of all classes with ``classes="all"``."""
        if self.has_class_axis and self.classes is not None:
            return [str(name) for name in self.classes]
        names = {str(name) for name in np.unique(np.ravel(self.positive_class))}
        return names.pop() if len(names) == 1 else None

    @property
    def eta(self) -> float | None:
        """The parameter eta of the rule, if it has one."""
        return self.settings.get("eta")

    @property
    def level(self) -> float | None:
        """Regressors: the level that the prediction is compared with."""
        return self.settings.get("level")

    @property
    def has_class_axis(self) -> bool:
        """True for an explanation of all classes, whose last axis is the class."""
        return self.settings.get("classes") == "all"

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers should know, and what to type. Ties are always noted. Rows
        that are explained in part only, scaled by more than 10 or far from the training data are
        noted if they are together more than 5 % of the rows and at least two, or the only row.
        `repr` counts the notes, and notebooks show them."""
        return notes_of(self, self.settings)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of `values`."""
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        size = " x ".join(str(n) for n in self.shape)
        count = len(self.notes)
        noted = f", {count} note{'' if count == 1 else 's'}: see .notes" if count > 0 else ""
        return f"<bisector.Explanation of {size} by {self.method}, unit {self.unit}{noted}>"

    def __getitem__(self, key: Any) -> Explanation:
        """explanation[rows], explanation[rows, features] or explanation[rows, features, class];
        features by position or by name, a class by position or by label."""
        keys = key if isinstance(key, tuple) else (key,)
        keys = _without_ellipsis(keys, self.values.ndim)
        part = self._rows(keys[0])
        if len(keys) > 1:
            part = part._features(keys[1])
        return part._class(keys[2]) if len(keys) > 2 else part

    def _rows(self, rows: Any) -> Explanation:
        part = copy.copy(self)
        for name in (*_PER_CELL, *PER_ROW, "index"):
            values = getattr(self, name)
            setattr(part, name, None if values is None else values[rows])
        if is_sparse(part.data) and np.ndim(rows) == 0 and not isinstance(rows, slice):
            part.data = np.ravel(part.data.toarray())
        return part

    def _features(self, columns: Any) -> Explanation:
        if isinstance(columns, slice) and columns == slice(None):
            return self
        chosen = self.position(columns)
        part = copy.copy(self)
        for name in _PER_CELL:
            values = getattr(self, name)
            if values is not None:
                setattr(part, name, values[..., chosen, :] if self.has_class_axis and name not in ("data", "imputed")
                        else values[:, chosen] if is_sparse(values) else values[..., chosen])
        if is_sparse(part.data) and np.ndim(chosen) == 0 and not isinstance(chosen, slice):
            part.data = np.ravel(part.data.toarray())
        names = np.asarray(self.feature_names, dtype=object)[chosen]
        part.feature_names = names if isinstance(names, str) else list(names)
        return part

    def _class(self, which: Any) -> Explanation:
        """One class of an explanation of all classes."""
        if not self.has_class_axis or self.classes is None:
            raise IndexError("too many indices, expected rows and features")
        if not isinstance(which, (int, np.integer)):
            which = [str(label) for label in self.classes].index(str(which))
        part = copy.copy(self)
        for name in ("values", "standard_errors", *_SIGNED):
            values = getattr(self, name)
            setattr(part, name, None if values is None else values[..., which])
        part.positive_index = np.full(np.shape(part.output), which)
        part.settings = MappingProxyType({name: value for name, value in self.settings.items()
                                          if name != "classes"})
        return part

    def position(self, features: Any) -> Any:
        """The position of a feature that is given by name, or a list of positions."""
        if isinstance(features, str):
            if features not in self.feature_names:
                raise KeyError(
                    f'no feature "{features}", expected one of {", ".join(self.feature_names)}'
                )
            return list(self.feature_names).index(features)
        if isinstance(features, (list, tuple)):
            return [self.position(feature) for feature in features]
        return features

    def for_predicted(self) -> Explanation:
        """The same explanation with positive relevance for the predicted class.

        Rows that contrast two other classes do not change. For regressors, positive relevance is
        for the side of the level on which the prediction is."""
        if self.classes is None:
            turned = ~(np.asarray(self.output if self.g is None else self.g) > 0.0)
        else:
            turned = np.asarray(self.prediction_index == self.negative_index)
        sign = np.where(turned, -1.0, 1.0)
        part = copy.copy(self)
        part.values = self.values * sign[..., None]
        for name in _SIGNED:
            values = getattr(self, name)
            setattr(part, name, None if values is None else values * sign)
        if self.stretch is not None:  # Positive and negative relevance are exchanged.
            part.stretch = np.where(turned, np.reciprocal(self.stretch), self.stretch)
        if self.classes is not None:
            part.positive_index = np.where(turned, self.negative_index, self.positive_index)
            part.negative_index = np.where(turned, self.positive_index, self.negative_index)
        return part

    @property
    def abs(self) -> Explanation:
        """The same explanation with the absolute values of the relevance. These add up to nothing,
        so that base_values, remainder, correction and output are None."""
        part = copy.copy(self)
        part.values = np.abs(self.values)
        part.base_values = part.remainder = part.correction = part.output = None
        return part

    def mean(self, axis: int = 0) -> Any:
        """The mean over the rows (axis 0), as an explanation of one row, or over the features (axis
        1), as an array: ``explanation.abs.mean(0)``."""
        return self._reduced(np.mean, axis)

    def sum(self, axis: int = 0) -> Any:
        """The sum over the rows (axis 0), as an explanation of one row, or over the features (axis
        1), as an array."""
        return self._reduced(np.sum, axis)

    def max(self, axis: int = 0) -> Any:
        """The largest value over the rows (axis 0), as an explanation of one row, or over the
        features (axis 1), as an array."""
        return self._reduced(np.max, axis)

    def min(self, axis: int = 0) -> Any:
        """The smallest value over the rows (axis 0), as an explanation of one row, or over the
        features (axis 1), as an array."""
        return self._reduced(np.min, axis)

    @property
    def argsort(self) -> NDArray[np.int64]:
        """The order of the values along the last axis, the smallest first:
        ``explanation.abs.mean(0).argsort``."""
        return np.argsort(self.values, axis=-1, kind="stable")

    def _reduced(self, reduce: Callable[..., Any], axis: int) -> Any:
        if axis == 1:
            return reduce(self.values, axis=1)
        if axis != 0 or self.values.ndim < 2 or len(self.values) == 0:
            raise ValueError(f"cannot reduce {self!r} along axis {axis}, expected several rows and "
                             "axis 0 or 1")
        part = copy.copy(self)
        part.values, part.index = reduce(self.values, axis=0), None
        part.standard_errors = part.imputed = None
        part.data = (np.ravel(self.data.mean(axis=0)) if self.data.dtype != object
                     else np.full(self.values.shape[1], None, dtype=object))
        for name in PER_ROW:
            values = getattr(self, name)
            is_reduced = values is not None and name in _SIGNED and reduce in (np.mean, np.sum)
            setattr(part, name, reduce(values, axis=0) if is_reduced else None)
        if self.classes is not None and not self.has_class_axis:
            part.positive_index = _common(self.positive_index)
            part.negative_index = _common(self.negative_index)
            if part.positive_index is None or part.negative_index is None:
                part.classes = None
        return part

    def sample(self, max_samples: int, replace: bool = False, random_state: int = 0) -> Explanation:
        """At most `max_samples` rows, drawn at random.

        Parameters
        ----------
        max_samples : int
            The largest number of rows.
        replace : bool, default=False
            Draw with replacement.
        random_state : int, default=0
            The seed of the draw.
        """
        count = max_samples if replace else min(max_samples, len(self))
        generator = np.random.default_rng(random_state)
        return self[generator.choice(len(self), count, replace=replace)]

    def cohorts(self, cohorts: Any) -> Cohorts:
        """The explanation in groups of rows.

        Parameters
        ----------
        cohorts : int or array of shape (rows,)
            A name for each row, or the largest number of groups. A decision tree with that many
            leaves then divides the rows by the features, so that their relevance is similar.

        Returns
        -------
        Cohorts
            A dict of str to Explanation with `abs`, `mean`, `sum`, `max` and `min`, which apply to
            each group. ``bisector.plots.bar`` draws it.
        """
        if isinstance(cohorts, (int, np.integer)):
            data = codes(np.asarray(dense(self.data), dtype=object))
            cohorts = tree_cohorts(data, self.values, int(cohorts), self.feature_names)
        names = np.array([str(name) for name in cohorts])
        if len(names) != len(self):
            raise ValueError(f"{len(names)} cohort names, expected {len(self)}: one for each row")
        return Cohorts({str(name): self[np.flatnonzero(names == name)]
                        for name in np.unique(names)})

    def hclust(self, metric: str = "sqeuclidean", axis: int = 0) -> NDArray[np.int64]:
        """An order in which similar rows (axis 0) or features (axis 1) are next to each other.

        Parameters
        ----------
        metric : str, default="sqeuclidean"
            A metric of scipy.spatial.distance.pdist.
        axis : int, default=0
            0 for rows, 1 for features.
        """
        return cluster_order(self.values if axis == 0 else self.values.T, metric)

    def to_shap(self, remainder: bool | None = None) -> Any:
        """The explanation as a `shap.Explanation`, for SHAP's plots.

        Parameters
        ----------
        remainder : bool, optional
            Add a last feature "not explained", so that every row adds up to its output. By default
            it is added if the features leave something unexplained. With True, all rows also start
            from one base value, which SHAP's plots of several rows need.
        """
        return to_shap(self, remainder)

    def to_frame(self, prefix: str = "", *, details: bool = False) -> Any:
        """The explanation as a `pandas.DataFrame` with the columns of the command's CSV: row,
        prediction, class, versus, output, base, the features, remainder, outside and tie.
        Regressors have neither class nor versus.

        Parameters
        ----------
        prefix : str, default=""
            Prefix of the features' names. A feature with the name of another column gets an
            underscore.
        details : bool, default=False
            Add the columns g, decision, correction, stretch, the level of a regressor, and
            "standard error of" each feature, as far as the method has them.
        """
        return to_frame(self, prefix, details)

    def to_arrow(self, prefix: str = "", *, details: bool = False, vectors: bool = False) -> Any:
        """The table of `to_frame` as a `pyarrow.Table`. With `vectors`, features such as
        "embedding[0]" are one column of fixed-size lists."""
        return to_arrow(self, prefix, details, vectors)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The Arrow stream, for polars.DataFrame(explanation), DuckDB and others."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __dlpack__(self, **options: Any) -> Any:
        """The relevance without a copy, for torch.from_dlpack(explanation) and others."""
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def _repr_html_(self) -> str:
        return to_html(self)

    def __getstate__(self) -> dict[str, Any]:
        # A mapping proxy cannot be pickled.
        return {**self._fields(), "settings": dict(self.settings)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in self.__slots__:
            setattr(self, name, state.get(name))
        self.settings = MappingProxyType(state["settings"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an .npz file of plain arrays and a JSON text, which `load` reads. Nothing is
        pickled, and the file is complete or absent."""
        write_fields(path, {**self._fields(), "data": dense(self.data)})

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Explanation:
        """Reads a file that `save` wrote."""
        found = read_fields(path)
        fields: dict[str, Any] = {name: found.get(name) for name in Explanation.__slots__}
        return Explanation(**fields)


def _without_ellipsis(keys: tuple[Any, ...], dimensions: int) -> tuple[Any, ...]:
    places = [n for n, key in enumerate(keys) if key is Ellipsis]
    if not places:
        return keys
    missing = dimensions - len(keys) + 1
    return (*keys[:places[0]], *[slice(None)] * missing, *keys[places[0] + 1:])


def _common(values: Any) -> Any:
    """The entry that all rows share; None if they differ."""
    return values[0] if values is not None and np.all(values == values[0]) else None
