"""The command of an installed package: report() and `python -m bisector`."""

import json
import os
import re
import stat
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import bisector
from bisector import _command

COMMAND = os.environ.get("BISECTOR_COMMAND", "")
needs_command = pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")


@needs_command
def test_a_report_of_a_fitted_model_is_written(tmp_path):
    X, y = CLASSIFICATION["wine"]()
    frame = pd.DataFrame(X, columns=[f"feature {d}" for d in range(13)])
    model = make_pipeline(StandardScaler(), SVC()).fit(frame, np.array(["a", "b", "c"])[y])
    path = bisector.report(model, frame, tmp_path / "page.html", title="Wine & more",
                           background=frame, rows=20, method="lrp", eta=0.5)
    text = path.read_text(encoding="utf-8")
    assert "Wine" in text and "feature 12" in text
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["page.html"]


@needs_command
@pytest.mark.parametrize("kind", ["levels", "imputer", "regressor",
                         "explainer", "array", "picture"])
def test_reports_of_every_kind_of_model_are_written(kind, tmp_path):
    X, y = CLASSIFICATION["moons"]()
    frame = pd.DataFrame({"town": np.where(X[:, 0] > 0, 'Ulm, "old"', "Jena"), "age": X[:, 1]})
    options = {}
    if kind == "levels":
        front = make_column_transformer((OneHotEncoder(), ["town"]), (StandardScaler(), ["age"]))
        model = make_pipeline(front, SVC()).fit(frame, y)
    elif kind == "imputer":
        frame = frame[["age"]].assign(size=X[:, 0])
        frame.iloc[::5, 0] = np.nan
        model = make_pipeline(SimpleImputer(add_indicator=True), SVC()).fit(frame, y)
    elif kind == "regressor":
        frame, y = REGRESSION["diabetes"]()
        model, options = SVR().fit(frame, y), {"level": 100.0}
    elif kind == "explainer":
        model = bisector.Explainer(SVC().fit(X, y), positive_class=0, reference="mean",
                                   unit="share")
        frame = X
    elif kind == "picture":
        frame, y = CLASSIFICATION["digits"]()
        model, options = SVC().fit(frame, y), {"image": (8, 8), "rows": 10, "without_model": True}
    else:
        model, frame = SVC().fit(X, y), X
    path = bisector.report(model, frame, tmp_path / "page.html", **options)
    assert path.stat().st_size > 10_000


@needs_command
@pytest.mark.parametrize("kind", ["numbers", "levels"])
def test_groups_interactions_and_targets_give_the_page_of_the_command(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.chdir(tmp_path)
    X, y = CLASSIFICATION["wine"]()
    frame = pd.DataFrame(X[:, :4], columns=["acid", "sugar", "salt", "ash"])
    target = pd.Series(np.array(["red", "white", "rose"])[y], name="color")
    options, groups = [], {"taste": ["sugar", "salt"]}
    if kind == "levels":
        frame["acid"] = np.where(frame["acid"] > 13.0, "high", "low")
        columns = make_column_transformer((OneHotEncoder(), ["acid"]),
                                          (StandardScaler(), ["sugar", "salt", "ash"]))
        model, rows = make_pipeline(columns, SVC()).fit(frame, target), "rows.csv"
        frame.assign(color=target).to_csv(rows, index=False)
        options = ["--target", "color"]
    else:
        model, rows = make_pipeline(StandardScaler(), SVC()).fit(frame, target), "rows.npy"
        np.save(rows, frame.to_numpy())
    bisector.Explainer(model).save("model.npz")
    (tmp_path / "groups.json").write_text(json.dumps(groups))
    subprocess.run([COMMAND, "report", "model.npz", rows, *options, "-o", "page.html", "--groups",
                    "groups.json", "--interactions", "--sample", "30"], check=True)
    (tmp_path / "ours").mkdir()
    path = bisector.report(model, frame, tmp_path / "ours" / "page.html",
                           y=target if kind == "levels" else None, groups=groups,
                           interactions=True, rows=30)
    ours, theirs = (re.sub(rb"[0-9a-f]{64}", b"", page.read_bytes())  # Without sums of the files.
                    for page in (path, tmp_path / "page.html"))
    assert ours == theirs


@needs_command
def test_a_detector_with_a_level_has_a_report(tmp_path):
    X, _ = CLASSIFICATION["wine"]()
    path = bisector.report(NearestNeighbors(n_neighbors=3).fit(X), X[:20], tmp_path / "page.html",
                           level=30.0)
    assert "outside the usual range" in path.read_text(encoding="utf-8")


@needs_command
def test_a_report_names_the_columns_that_the_explainer_names(tmp_path):
    X, y = CLASSIFICATION["wine"]()
    names = [f"measure {d}" for d in range(13)]
    explainer = bisector.Explainer(SVC().fit(X, y), feature_names=names, groups={"pair": names[:2]})
    text = bisector.report(explainer, X, tmp_path / "page.html", y=y).read_text(encoding="utf-8")
    assert "measure 12" in text and "Predicting target: 0, 1 or 2" in text
    with pytest.raises(ValueError, match="y has 5 entries, expected 178 as X has rows"):
        bisector.report(explainer, X, tmp_path / "page.html", y=y[:5])
    explainer.save(tmp_path / "model.npz")
    assert bisector.Explainer(tmp_path / "model.npz").feature_names == names


@needs_command
def test_a_report_behind_a_normalizer_shows_its_outputs(tmp_path):
    X, y = CLASSIFICATION["wine"]()
    frame = pd.DataFrame(X, columns=[f"measure {d}" for d in range(13)])
    model = make_pipeline(StandardScaler(), Normalizer(), SVC()).fit(frame, y)
    path = bisector.report(model, frame, tmp_path / "page.html", background=frame, rows=20)
    assert "measure 12" in path.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="groups of columns before the Normalizer"):
        bisector.report(model, frame, tmp_path / "no.html", background=frame, groups={"a": [0, 1]})


@needs_command
def test_errors_of_the_command_become_value_errors(tmp_path):
    X, y = CLASSIFICATION["moons"]()
    with pytest.raises(ValueError, match="image|pixels"):
        bisector.report(SVC().fit(X, y), X, tmp_path / "page.html", image=(3, 3))
    assert not list(tmp_path.iterdir())


@needs_command
@pytest.mark.parametrize("arguments, code", [(["--version"], 0), (["explain"], 2)])
def test_running_the_module_runs_the_command(arguments, code):
    ours = subprocess.run([sys.executable, "-m", "bisector", *arguments], capture_output=True,
                          text=True)
    theirs = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
    assert ours.returncode == theirs.returncode == code
    assert (ours.stdout, ours.stderr) == (theirs.stdout, theirs.stderr)


def test_a_missing_command_is_an_error_that_says_what_to_install(monkeypatch, tmp_path, capsys):
    """The script that pip installs is not the command, because it would call itself forever."""
    script = tmp_path / "bisector"
    script.write_text("#!/bin/sh\nexit 3\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BISECTOR_COMMAND", raising=False)
    if _packaged():
        pytest.skip("this package has the command inside")
    with pytest.raises(FileNotFoundError, match="not part of this installation"):
        bisector.report(None, None, tmp_path / "page.html")
    with pytest.raises(SystemExit) as end:
        _command.main()
    assert end.value.code == 1
    assert re.match(r"error: the bisector command, .* is not part of .*make build", capsys.readouterr().err)


def _packaged():
    from importlib.resources import files

    return files("bisector").joinpath("bin", "bisector").is_file()
