"""report(): the report page of the command, for a fitted model."""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path
from typing import Any, Sequence

import numpy as np

from . import _core
from ._adapt import Subject
from ._columns import Columns, cell_text
from ._command import find_command, run
from ._options import PARAMETERS, thread_count
from ._tables import cells, columns_at, opened, opened_background, selected
from .explainer import Explainer, given_options, prepared

# The command's names of an Explainer's options.
_OPTIONS = {"positive_class": "class", "versus": "versus", "level": "level", "method": "method",
            **{name: name.replace("_", "-") for name, parameter in PARAMETERS.items()
               if parameter["type"] != "flag" and name != "on"}}


def report(model: Any, X: Any, path: str | os.PathLike[str], *, title: str | None = None,
           background: Any = None, image: Sequence[int] | None = None, evaluate: bool = False,
           rows: int | None = None, evidence: int | None = None, without_model: bool = False,
           figures: str | os.PathLike[str] | None = None, **options: Any) -> Path:
    """Write a report about the rows of X: one HTML file that opens in any browser.

    The compiled command writes the report. Columns that a model file can hold are shown as they
    are. Behind other steps, such as a PowerTransformer, the report shows the outputs of the steps.

    Parameters
    ----------
    model : estimator, path-like or Explainer
        A model that `Explainer` takes, or an `Explainer`.
    X : table
        Rows like those that the model was fitted on.
    path : path-like
        The file to write.
    title : str, optional
        The title of the report.
    background : table, optional
        Rows that represent the data.
    image : (int, int), optional
        Height and width, if the features are pixels.
    evaluate : bool, default=False
        Measure the faithfulness of the explanation.
    rows, evidence : int, optional
        The largest number of rows, and of pairs of training rows for each.
    without_model : bool, default=False
        Leave the model's points out of the report.
    figures : path-like, optional
        A folder for each chart as SVG.
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
    if isinstance(model, Explainer):
        options = {**given_options(model), **options}
    explainer = Explainer(model, **options)
    given = given_options(explainer)
    background = given["background"] if background is None else opened_background(background)
    path = Path(path)
    with tempfile.TemporaryDirectory() as folder:
        name = type(model).__name__ if title is None else title
        files = _Files(prepared(explainer).subject, Path(folder))
        arguments = [
    "report",
    files.model,
    files.table(
        X,
        "rows"),
        "-o",
        str(path),
        "--title",
         name]
        if background is not None:
            arguments += ["--background", files.table(background, "background")]
        if isinstance(given["reference"], str):
            arguments += ["--reference", given["reference"]]
        elif given["reference"] is not None:
            row = np.atleast_2d(np.asarray(given["reference"]))
            arguments += ["--reference", files.table(row, "reference")]
        arguments += _flags(given, image, evaluate, without_model)
        for option, value in (("rows", rows), ("evidence", evidence), ("figures", figures)):
            arguments += [] if value is None else [f"--{option}", str(value)]
        run(arguments)
    return path


def _flags(given: dict[str, Any], image: Sequence[int] | None, evaluate: bool,
           without_model: bool) -> list[str]:
    found = [text for name, option in _OPTIONS.items() if given[name] is not None
             for text in (f"--{option}", str(given[name]))]
    found += [] if given["unit"] is None else ["--unit", given["unit"]]
    found += ["--ignore-intercept"] if given["ignore_intercept"] else []
    found += ["--evaluate"] if evaluate else []
    found += ["--without-model"] if without_model else []
    found += [] if image is None else ["--image", "x".join(str(size) for size in image)]
    threads = thread_count(given["n_jobs"])
    return found + (["--threads", str(threads)] if threads else [])


class _Files:
    """Files of a model and its tables for the command."""

    def __init__(self, subject: Subject, folder: Path):
        self.subject, self.folder = subject, folder
        self.model = str(folder / "model.npz")
        try:
            stored = subject.storable()
            self.is_behind_steps = False
        except ValueError:  # A file cannot hold a step: the report shows the step's outputs.
            stored, self.is_behind_steps = subject.model, True
        _core.write_bundle(self.model, stored)

    def table(self, X: Any, name: str) -> str:
        columns = self.subject.columns
        if columns.is_identity or self.is_behind_steps:
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
        writer.writerow([cell_text(cell) for cell in row])
