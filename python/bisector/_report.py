"""report(): the report page of the command, for a fitted model."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Literal, Mapping, Sequence

import numpy as np

from . import _core
from ._columns import cell_text
from ._command import find_command, run
from ._exchange import free_name
from ._groups import Groups
from ._options import method_of, method_parameters, thread_count
from ._prepared import Prepared
from ._tables import (Floats, cells, columns_at, default_names, is_frame, opened,
                      opened_background, selected)
from .explainer import Explainer, given_options, options_for, shown_model
from .explanation import Explanation

# The command's names of an Explainer's options.
_OPTIONS = {"positive_class": "class", "versus": "versus", "level": "versus", "unit": "unit"}


def report(model: Any, X: Any, path: str | os.PathLike[str], *, y: Any = None,
           title: str | None = None, background: Any = None,
           groups: Mapping[str, Sequence[Any]] | Literal["columns"] | None = None,
           interactions: bool = False, image: Sequence[int] | None = None, evaluate: bool = False,
           rows: int | None = None, evidence: int | None = None, without_model: bool = False,
           **options: Any) -> Path:
    """Write a report about the rows of X: one HTML file that opens in any browser.

    The compiled command writes the report. Columns that a model file can hold are shown as they
    are. Behind other steps, such as a PowerTransformer or a Normalizer, the report shows the
    outputs of the steps.

    Parameters
    ----------
    model : estimator, path-like or Explainer
        A model that `Explainer` takes, or an `Explainer`.
    X : table
        Rows like those that the model was fitted on.
    path : path-like
        The file to write.
    y : sequence, optional
        The actual class or target of each row. The report then also says how good the model is and
        where it errs. The name of a Series is the name of the target.
    title : str, optional
        The title of the report; by default what the model predicts.
    background : table, optional
        Rows that represent the data.
    groups : dict of str to list or "columns", optional
        Groups of columns that are explained together, as in `Explainer`.
    interactions : bool, default=False
        Show the pairs of features that act together, also if they take long. By default they are
        shown if they take about a second: kernels that are a product over at most 40 columns.
    image : (int, int), optional
        Height and width, if the features are pixels.
    evaluate : bool, default=False
        Measure the faithfulness of the explanation.
    rows, evidence : int, optional
        The largest number of rows, and of pairs of training rows for each.
    without_model : bool, default=False
        Leave the model's points out of the report.
    **options
        Options of `Explainer`.

    Returns
    -------
    pathlib.Path
        The path of the report.

    Raises
    ------
    FileNotFoundError
        If the command is not installed. The message says how to install it.
    """
    find_command()  # Raises an error before any work is done.
    if type(model).__module__ == "bisector.torch":
        raise TypeError("the model is a bisector.torch.Explainer, which writes its own report: type "
                        "explainer.report(X, path, training=...)")
    if isinstance(model, Explainer):
        options = {**options_for(model, options.get("method")), **options}
    options.update({name: value for name, value in (("background", background), ("groups", groups))
                    if value is not None})
    explainer = Explainer(model, **options)
    given = given_options(explainer)
    path = Path(path)
    with tempfile.TemporaryDirectory() as folder:
        files = _Files(*shown_model(explainer), Path(folder))
        arguments = ["report", files.model, *files.data(X, y), "-o", str(path)]
        arguments += [] if title is None else ["--title", title]
        arguments += files.options(given)
        for flag, is_set in (("interactions", interactions), ("evaluate", evaluate),
                             ("without-model", without_model)):
            arguments += [f"--{flag}"] if is_set else []
        arguments += _shown(image=image, rows=rows, evidence=evidence)
        run(arguments)
    return path


def network_report(one: Prepared, embeddings: Floats, explanation: Explanation,
                   path: str | os.PathLike[str], *, network: str, points: Floats | None, y: Any,
                   title: str | None, **shown: Any) -> Path:
    """The report of a model on top of a network: `explanation` is that of the network's inputs, and
    `points` are the inputs of the model's points."""
    given = dict(one.arguments)
    if given["method"] != "lrp":  # Kernels of dot products have one rule.
        given.update(method=None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = _Files(one, one.features, folder)
        arrays = {"values": explanation.data, "relevance": explanation.values,
                  "totals": np.column_stack([explanation.output, explanation.base_values,
                                             explanation.remainder]),
                  "standard_error": explanation.standard_errors, "points": points}
        known = {key: value for key, value in arrays.items() if value is not None}
        for key, value in known.items():
            np.save(folder / f"{key}.npy", np.ascontiguousarray(value, dtype=np.float64))
        about = {"network": network, "method": explanation.method,
                 "names": explanation.feature_names, **{key: f"{key}.npy" for key in known}}
        (folder / "network.json").write_text(json.dumps(about), encoding="utf-8")
        run(["report", files.model, *files.data(embeddings, y), "-o", str(path), "--network",
             str(folder / "network.json"), *([] if title is None else ["--title", title]),
             *files.options(given), *_shown(**shown)])
    return Path(path)


def _shown(image: Sequence[int] | None, rows: int | None, evidence: int | None) -> list[str]:
    """Options of the page that are not None."""
    layout = None if image is None else "x".join(str(size) for size in image)
    options = {"layout": layout, "sample": rows, "evidence": evidence}
    return [text for option, value in options.items() if value is not None
            for text in (f"--{option}", str(value))]


def _flags(given: Mapping[str, Any]) -> list[str]:
    found = [text for name, option in _OPTIONS.items() if given[name] is not None
             for text in (f"--{option}", str(given[name]))]
    values = [f"{name}={'true' if value is True else value}"
              for name, value in method_parameters(given).items()]
    if given["method"] is not None or values:
        found += ["--method", ":".join([method_of(given).name, *filter(None, [",".join(values)])])]
    threads = thread_count(given["n_jobs"])
    return found + (["--threads", str(threads)] if threads else [])


class _Files:
    """Files of a model and its tables for the command."""

    def __init__(self, one: Prepared, features: Callable[[Any], Floats], folder: Path):
        self._one, self._features = one, features
        self._columns, self._folder = self._one.columns, folder
        self._is_behind_steps = False
        names = self._one.names
        if not self._columns.is_identity and self._columns.names is None:
            names = self._one.feature_names  # The files of rows have a header.
        try:
            self._stored = self._one.subject.storable(names)
        except ValueError:  # A file cannot hold a step: the report shows the step's outputs.
            self._stored, self._is_behind_steps = self._one.subject.model, True
        self.model = str(folder / "model.npz")
        _core.write_bundle(self.model, self._stored)

    def data(self, X: Any, y: Any) -> list[str]:
        """The file of the rows, with their target if it is given."""
        if y is None:
            return [self._table(X, "rows")]
        target = np.ravel(cells(opened(y)) if is_frame(y) else np.asarray(y))
        names = self._shown_names()
        name = free_name(str(getattr(y, "name", None) or "target"), set(names))
        path = self._folder / "rows.csv"
        parts = self._parts(X)
        if len(target) != len(parts[0]):
            raise ValueError(f"y has {len(target)} entries, expected {len(parts[0])} as X has rows")
        _write_table(path, [*names, name], [*parts, target])
        return [str(path), "--target", name]

    def options(self, given: Mapping[str, Any]) -> list[str]:
        """The options of an explainer, some of which are files."""
        found = _flags({**given, "level": None} if self._one.subject.has_level else given)
        if given["background"] is not None:
            found += ["--background", self._table(opened_background(given["background"]),
                                                  "background")]
        if isinstance(given["reference"], str):
            found += ["--reference", given["reference"]]
        elif given["reference"] is not None:
            row = np.atleast_2d(np.asarray(given["reference"]))
            found += ["--reference", self._table(row, "reference")]
        if self._one.groups is not None:
            found += ["--groups", self._groups(self._one.groups)]
        return found

    @property
    def _has_features(self) -> bool:
        """True if the columns of the files are the features of the model."""
        return self._columns.is_identity or self._is_behind_steps

    def _shown_names(self) -> list[str]:
        """The names of the columns of the files."""
        encoding = self._stored.encoding
        if encoding is not None:
            return list(encoding.column_names)
        return list(self._stored.feature_names) or default_names(self._stored.features)

    def _groups(self, groups: Groups) -> str:
        names = self._shown_names()
        entries = groups.of_column
        if self._is_behind_steps:
            entries = entries[np.asarray(self._columns.groups)]
        members = {group: [names[n] for n in np.flatnonzero(entries == entry)]
                   for entry, group in enumerate(groups.names) if groups.single[entry] is None}
        path = self._folder / "groups.json"
        path.write_text(json.dumps(members), encoding="utf-8")
        return str(path)

    def _table(self, X: Any, name: str) -> str:
        if self._has_features:
            path = self._folder / f"{name}.npy"
            np.save(path, np.ascontiguousarray(self._features(X)))
        else:
            path = self._folder / f"{name}.csv"
            _write_table(path, self._shown_names(), self._parts(X))
        return str(path)

    def _parts(self, X: Any) -> list[Any]:
        """The columns of a table as the files have them."""
        if self._has_features:
            return list(self._features(X).T)
        X = selected(opened(X), self._columns.names, self._columns.count)
        return [cells(columns_at(X, [position])).ravel() for position in range(X.shape[1])]


def _write_table(path: Path, names: list[str], parts: list[Any]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for row in zip(*parts):
            writer.writerow([cell_text(cell) for cell in row])
