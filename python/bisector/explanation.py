"""Explanation: relevance of every feature for every row, with SHAP's field names."""

from __future__ import annotations

import json
import os
import tempfile
from types import MappingProxyType
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ._exchange import to_arrow, to_frame, to_shap
from ._html import to_html
from ._tables import Floats, dense, is_sparse

_FORMAT = {"format": "bisector-explanation", "version": 2}
# Fields with an entry per row, beside values and data.
_SIGNED = ("base_values", "remainder", "correction", "output", "g", "decision")
_PER_ROW = (*_SIGNED, "tie", "outside", "_prediction", "_positive", "_negative")


class Explanation:
    """What Explainer and explain() return.

    `values` (rows x features) is the relevance: positive speaks for the row's `positive_class`, negative
    for its `versus`. It starts from `base_values` and leaves a `remainder` of the explained `output`
    (g, or for baselines f; in the `unit`):
    base_values + values.sum(axis=1) + remainder == output. The base is the same for all rows of a
    pair of classes (with side="other": of a pair and a side of the decision); in units other than
    "g" it is scaled as its row. `data` and `feature_names` are those of X.
    """

    __slots__ = ("values", "data", "feature_names", "classes", "method", "settings", "index",
                 *_PER_ROW)

    values: Floats
    base_values: Any  # what the relevance starts from
    remainder: Any  # what the relevance leaves of the output
    correction: Any  # path rules: what their steps had left and the relevance already has
    output: Any  # what base_values, values and remainder add up to
    g: Any  # output of the neuralized model; None for explanations of a function
    decision: Any  # f of the two classes that are contrasted
    tie: Any  # the sign of g does not decide: it is 0, or two classes have equal votes
    outside: Any  # the row is far from all data: its explanation says little
    data: Any  # the cells of X; sparse where X was
    feature_names: Any
    classes: NDArray[Any] | None  # labels of a classifier
    method: str
    settings: Mapping[str, Any]
    index: Any

    def __init__(self, values: Floats, output: Any, data: Any,
                 feature_names: Sequence[str], *, method: str, settings: Mapping[str, Any],
                 classes: NDArray[Any] | None = None, prediction: Any = None,
                 positive: Any = None, negative: Any = None, g: Any = None, decision: Any = None,
                 tie: Any = None, index: Any = None, base_values: Any, remainder: Any,
                 correction: Any = None, outside: Any = None):
        self.values, self.output, self.data = values, output, data
        self.feature_names, self.method, self.settings = feature_names, method, settings
        self.classes, self._prediction = classes, prediction
        self._positive, self._negative = positive, negative
        self.g, self.decision, self.tie, self.index = g, decision, tie, index
        self.base_values, self.remainder = base_values, remainder
        self.correction, self.outside = correction, outside

    @property
    def unit(self) -> str:
        """What the relevance is counted in: "g", "decision" (the model's own output) or "share"
        (per cent)."""
        return str(self.settings["unit"])

    @property
    def prediction(self) -> Any:
        """The model's own prediction: a class, or a regressor's value."""
        if self.classes is None or self._prediction is None:
            return self._prediction
        return self.classes[self._prediction]

    @property
    def positive_class(self) -> Any:
        """The class that positive relevance speaks for; "above" the level for regressors."""
        return self._named(self._positive, "above")

    @property
    def of_class(self) -> Any:
        """The former name of positive_class."""
        return self.positive_class

    @property
    def versus(self) -> Any:
        """The class that negative relevance speaks for; "below" the level for regressors."""
        return self._named(self._negative, "below")

    def _named(self, classes: Any, otherwise: str) -> Any:
        if self.classes is not None:
            return self.classes[classes]
        shape = np.shape(self.output)
        return np.full(shape, otherwise) if shape else otherwise

    @property
    def output_names(self) -> str | None:
        """The one class that positive relevance speaks for in every row, where there is one."""
        names = {str(name) for name in np.unique(np.ravel(self.positive_class))}
        return names.pop() if len(names) == 1 else None

    @property
    def eta(self) -> float | None:
        return self.settings.get("eta")

    @property
    def level(self) -> float | None:
        """Regressors: the explanation says why the prediction is above or below this."""
        return self.settings.get("level")

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        size = " x ".join(str(n) for n in self.shape)
        unit = "" if self.unit == "g" else f", in units of {self.unit}"
        return f"<bisector.Explanation of {size} by {self.method}{unit}>"

    def __getitem__(self, key: Any) -> Explanation:
        """explanation[rows], explanation[rows, features]; features by number or by name."""
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        part = self._copy()
        part.values, part.data = self.values[rows], self.data[rows]
        if is_sparse(part.data) and part.values.ndim == 1:  # a single row
            part.data = np.ravel(part.data.toarray())
        for name in _PER_ROW:
            values = getattr(self, name)
            setattr(part, name, None if values is None else values[rows])
        part.index = None if self.index is None else self.index[rows]
        if not (isinstance(columns, slice) and columns == slice(None)):
            chosen = self._positions(columns)
            part.values = part.values[..., chosen]
            part.data = (part.data[:, chosen] if is_sparse(part.data)
                         else part.data[..., chosen])
            if is_sparse(part.data) and part.values.ndim == 1:  # a single column
                part.data = np.ravel(part.data.toarray())
            names = np.asarray(self.feature_names, dtype=object)[chosen]
            part.feature_names = names if isinstance(names, str) else list(names)
        return part

    def _positions(self, columns: Any) -> Any:
        if isinstance(columns, str):
            if columns not in self.feature_names:
                raise KeyError(
                    f'no feature "{columns}", expected one of {", ".join(self.feature_names)}'
                )
            return list(self.feature_names).index(columns)
        if isinstance(columns, (list, tuple)):
            return [self._positions(column) for column in columns]
        return columns

    def _copy(self) -> Explanation:
        copy = object.__new__(Explanation)
        for name in self.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    def for_predicted(self) -> Explanation:
        """The same with each row's sign turned so that positive relevance speaks for the class in
        `prediction`. Rows that contrast two other classes stay as they are."""
        if self.classes is None:
            turned = ~(np.asarray(self.output if self.g is None else self.g) > 0.0)
        else:
            turned = np.asarray(self._prediction == self._negative)
        sign = np.where(turned, -1.0, 1.0)
        part = self._copy()
        part.values = self.values * sign[..., None]
        for name in _SIGNED:
            values = getattr(self, name)
            setattr(part, name, None if values is None else values * sign)
        if self.classes is not None:
            part._positive = np.where(turned, self._negative, self._positive)
            part._negative = np.where(turned, self._positive, self._negative)
        return part

    def to_shap(self, remainder: bool | None = None) -> Any:
        """As a shap.Explanation, for SHAP's own plots. Its `output_names` say what a row adds up to
        and what is counted (shap.plots.force takes them as `out_names`).

        remainder: add a feature of this name with what a row's relevance leaves of the output, so
        that every row goes from one base to its output; what a row's base differs from their mean is
        in it, too. Without, a row's base is its own, and a waterfall of SHAP ends that much beside
        the output. Default: where rows have different bases, for SHAP's plots of many rows have one.
        """
        return to_shap(self, remainder)

    def to_frame(self, prefix: str = "") -> Any:
        """As a pandas.DataFrame: prediction, g, tie, a column of relevance for each feature,
        remainder and outside (of a function without g, tie and outside). The features' columns have
        their names behind `prefix`; where one is called like one of ours, ours gets an underscore.
        """
        return to_frame(self, prefix)

    def to_arrow(self, prefix: str = "") -> Any:
        """The table of to_frame() as a pyarrow.Table."""
        return to_arrow(self, prefix)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """For polars.DataFrame(explanation), duckdb and all others that read Arrow's stream."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __dlpack__(self, **options: Any) -> Any:
        """For torch.from_dlpack(explanation) and the like: the relevance, not copied."""
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def _repr_html_(self) -> str:
        return to_html(self)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__slots__}
        return {**state, "settings": dict(self.settings)}  # a view of a dict cannot be pickled

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name in self.__slots__:
            setattr(self, name, state[name])
        self.settings = MappingProxyType(state["settings"])

    @property
    def abs(self) -> Explanation:
        """The same with the size of the relevance, without its sign. It adds up to nothing any more,
        so base_values, remainder, correction and output are None."""
        part = self._copy()
        part.values = np.abs(self.values)
        part.base_values = part.remainder = part.correction = part.output = None
        return part

    def mean(self, axis: int = 0) -> Explanation:
        """The mean over all rows, as an explanation of one row that is nobody's: explanation.mean(),
        explanation.abs.mean(0)."""
        if axis != 0 or self.values.ndim != 2 or len(self.values) == 0:
            raise ValueError(f"the mean of {self!r} along axis {axis}, expected several rows and axis "
                             "0; along features there is explanation.values.mean(axis=1)")
        part = self._copy()
        part.values, part.index = self.values.mean(axis=0), None
        numbers = self.data.dtype != object
        part.data = (np.ravel(self.data.mean(axis=0)) if numbers
                     else np.full(self.values.shape[1], None, dtype=object))
        for name in _PER_ROW:
            values = getattr(self, name)
            averaged = values is not None and name in _SIGNED
            setattr(part, name, float(np.mean(values)) if averaged else None)
        if self.classes is not None:
            part._positive, part._negative = _common(self._positive), _common(self._negative)
            if part._positive is None or part._negative is None:
                part.classes = None
        return part

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes an .npz file of plain arrays and a JSON text; load() reads it. Nothing is pickled,
        and the file is complete or not there."""
        arrays: dict[str, Any] = {"values": self.values}
        meta: dict[str, Any] = {**_FORMAT, "method": self.method, "settings": dict(self.settings),
                                "feature_names": self.feature_names}
        _put("data", dense(self.data), arrays, meta)
        for name in (*_PER_ROW, "classes"):
            _put(name, getattr(self, name), arrays, meta)
        if self.index is not None:
            _put("index", np.asarray(self.index), arrays, meta)
        arrays["meta"] = np.array(json.dumps(meta, default=_plain))
        folder = os.path.dirname(os.path.abspath(path))
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".npz")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, **arrays)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Explanation:
        """Reads what save() wrote."""
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        try:
            meta = json.loads(str(arrays.pop("meta")))
            if meta["format"] != _FORMAT["format"]:
                raise KeyError("format")
            if meta["version"] != _FORMAT["version"]:
                raise KeyError(f"version {_FORMAT['version']}")
            result = object.__new__(Explanation)
            result.method, result.settings = meta["method"], meta["settings"]
            result.feature_names = meta["feature_names"]
            result.values = arrays["values"]
            for name in (*_PER_ROW, "data", "classes", "index"):
                setattr(result, name, _got(name, arrays, meta))
        except (KeyError, ValueError) as error:
            raise ValueError(
                f"{os.fspath(path)}: no {error} in it, expected a file of Explanation.save"
            ) from None
        return result


def _common(values: Any) -> Any:
    """The one entry that all have; None where they differ."""
    return values[0] if np.all(values == values[0]) else None


def _put(name: str, value: Any, arrays: dict[str, Any], meta: dict[str, Any]) -> None:
    if value is None:
        return
    value = np.asarray(value)
    if value.dtype == object:
        meta[name] = value.tolist()
    else:
        arrays[name] = value


def _got(name: str, arrays: dict[str, Any], meta: dict[str, Any]) -> Any:
    if name in meta:
        return np.array(meta[name], dtype=object)
    value = arrays.get(name)
    return value[()] if value is not None and value.ndim == 0 else value


def _plain(value: Any) -> Any:
    """What JSON cannot write of NumPy and pandas."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else str(value)
