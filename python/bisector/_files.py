"""Files of explanations: .npz archives of plain arrays and a JSON text."""

from __future__ import annotations

import json
import os
import tempfile
from types import MappingProxyType
from typing import Any, Mapping

import numpy as np

_FORMAT = {"format": "bisector-explanation", "version": 3}
_READABLE_VERSIONS = (2, 3)
_TEXTS = ("method", "settings", "feature_names")
_FORMER_NAMES = {"_prediction": "prediction_index", "_positive": "positive_index",
                 "_negative": "negative_index"}


def write_fields(path: str | os.PathLike[str], fields: Mapping[str, Any]) -> None:
    """Writes the fields that are not None. The file is complete or absent."""
    arrays: dict[str, Any] = {}
    meta: dict[str, Any] = {**_FORMAT, **{name: fields[name] for name in _TEXTS}}
    meta["settings"] = dict(fields["settings"])
    for name, value in fields.items():
        if name not in _TEXTS and value is not None:
            array = np.asarray(value)
            if array.dtype == object:
                meta[name] = array.tolist()
            else:
                arrays[name] = array
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


def read_fields(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The fields of a file, by name."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    try:
        meta = json.loads(str(arrays.pop("meta")))
        if meta["format"] != _FORMAT["format"]:
            raise KeyError("format")
        if meta["version"] not in _READABLE_VERSIONS:
            raise KeyError(f"version {_FORMAT['version']}")
        fields: dict[str, Any] = {name: meta.pop(name) for name in _TEXTS}
        arrays["values"]  # Every explanation has them.
    except (KeyError, ValueError) as error:
        raise ValueError(
            f"{os.fspath(path)}: the file has no {error}, expected a file of Explanation.save"
        ) from None
    fields["settings"] = MappingProxyType(fields["settings"])
    for name, value in meta.items():
        if name not in _FORMAT:
            fields[_FORMER_NAMES.get(name, name)] = np.array(value, dtype=object)
    for name, array in arrays.items():
        fields[_FORMER_NAMES.get(name, name)] = array[()] if array.ndim == 0 else array
    return fields


def _plain(value: Any) -> Any:
    """Objects of NumPy and pandas as JSON can write them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else str(value)
