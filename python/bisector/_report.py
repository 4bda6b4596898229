"""report(): the page of the command, from a fitted model."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from . import _core
from ._adapt import Subject
from ._columns import Columns, _text
from ._command import find_command, run
from ._options import PARAMETERS, thread_count
from ._tables import cells, columns_at, opened, selected
from .explainer import Explainer

# What an Explainer's options are called there.
_OPTIONS = {"positive_class": "class", "versus": "versus", "level": "level", "method": "method",
            **{name: name.replace("_", "-") for name, parameter in PARAMETERS.items()
               if parameter["type"] != "flag" and name != "on"}}


def report(model: Any, X: Any, path: str | os.PathLike[str], *, title: str | None = None,
           background: Any = None, image: Sequence[int] | None = None, evaluate: bool = False,
           rows: int | None = None, evidence: int | None = None, without_model: bool = False,
           figures: str | os.PathLike[str] | None = None, **options: Any) -> Path:
    """Writes a page about the rows of X, one HTML file that opens in any browser; returns its path.

    model: what Explainer takes, with its `options`, or an Explainer. X: like what it was fitted on.
    background: rows that stand for the data. image: (height, width), where features are pixels.
    evaluate: measure how faithful the relevance is. rows, evidence: at most so many rows, and pairs
    of points for each. without_model: keep the model's points out of the page. figures: a folder for
    each chart as SVG.

    The compiled command does the work. Columns that a model file can hold are shown as they are;
    behind other steps (an imputer, a PowerTransformer) the page is about what these make of them.
    """
    find_command()  # before any work
    if isinstance(model, Explainer):
        options = {**model._given, **options}
    explainer = Explainer(model, **options)
    background = explainer._given["background"] if background is None else background
    path = Path(path)
    with tempfile.TemporaryDirectory() as folder:
        name = type(model).__name__ if title is None else title
        files = _Files(explainer._subject, Path(folder))
        arguments = ["report", files.model, files.table(X, "rows"), "-o", str(path), "--title", name]
        if background is not None:
            arguments += ["--background", files.table(background, "background")]
        if isinstance(explainer._given["reference"], str):
            arguments += ["--reference", explainer._given["reference"]]
        elif explainer._given["reference"] is not None:
            row = np.atleast_2d(np.asarray(explainer._given["reference"]))
            arguments += ["--reference", files.table(row, "reference")]
        arguments += _flags(explainer, image, evaluate, without_model)
        for option, value in (("rows", rows), ("evidence", evidence), ("figures", figures)):
            arguments += [] if value is None else [f"--{option}", str(value)]
        run(arguments)
    return path


def _flags(explainer: Explainer, image: Sequence[int] | None, evaluate: bool, without_model: bool
           ) -> list[str]:
    given = explainer._given
    found = [text for name, option in _OPTIONS.items() if given[name] is not None
             for text in (f"--{option}", str(given[name]))]
    found += ["--unit", given["unit"]] if given["unit"] != "g" else []  # a report's default is better
    found += ["--ignore-intercept"] if given["ignore_intercept"] else []
    found += ["--evaluate"] if evaluate else []
    found += ["--without-model"] if without_model else []
    found += [] if image is None else ["--image", "x".join(str(size) for size in image)]
    threads = thread_count(given["n_jobs"])
    return found + (["--threads", str(threads)] if threads else [])


class _Files:
    """A model and tables for it, as the command reads them."""

    def __init__(self, subject: Subject, folder: Path):
        self.subject, self.folder = subject, folder
        self.model = str(folder / "model.npz")
        try:
            stored = subject.storable()
            self.made = False
        except ValueError:  # a step that no file holds: about what it makes
            stored, self.made = subject.model, True
        _core.write_bundle(self.model, stored)

    def table(self, X: Any, name: str) -> str:
        columns = self.subject.columns
        if columns.is_identity or self.made:
            path = self.folder / f"{name}.npy"
            np.save(path, np.ascontiguousarray(columns.read(X).features))
            return str(path)
        path = self.folder / f"{name}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            _write_table(csv.writer(file), X, columns)
        return str(path)


def _write_table(writer: Any, X: Any, columns: Columns) -> None:
    X = selected(opened(X), columns.names, columns.count)
    if columns.names:
        writer.writerow(columns.names)
    parts = [cells(columns_at(X, [position])).ravel() for position in range(X.shape[1])]
    for row in zip(*parts):
        writer.writerow([_text(cell) for cell in row])
