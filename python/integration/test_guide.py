"""The examples of the guide and of README.md run: the Python blocks of a page one after another, in a folder of its own."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot
import pytest

ROOT = Path(__file__).parents[2]
# Pages about networks run where torch is installed (scripts/test-integration torch).
PAGES = [page for page in (ROOT / "README.md", ROOT / "docs" / "index.md", *sorted((ROOT / "docs" / "guide").glob("*.md")))
         if find_spec("torch") or not page.stem.startswith("networks")]
BLOCK = r"^```{}\n(.*?)^```$"


def code_of(page, language="python"):
    """The blocks where they stand in the page, so that an error has the page's line number."""
    text = page.read_text(encoding="utf-8")
    code, line = "", 1
    for block in re.finditer(BLOCK.format(language), text, re.MULTILINE | re.DOTALL):
        start = text.count("\n", 0, block.start(1)) + 1
        code += "\n" * (start - line) + block[1]
        line = start + block[1].count("\n")
    return code


def run_in_a_shell(code, page, folder):
    """With `bisector` being the command that is tested."""
    (folder / "bin").mkdir()
    (folder / "bin" / "bisector").symlink_to(os.environ["BISECTOR_COMMAND"])
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    result = subprocess.run(["sh", "-eu", "-c", code, page.name], cwd=folder, capture_output=True,
                            text=True, timeout=300, env={**os.environ, "PATH": path})
    assert result.returncode == 0, result.stderr


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_every_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.pyplot.switch_backend("Agg")
    python, shell = code_of(page), code_of(page, "sh")
    assert python or shell, "expected an example on every page"
    exec(compile(python, str(page), "exec"), {"__name__": page.stem})
    if shell:
        run_in_a_shell(shell, page, tmp_path)
    matplotlib.pyplot.close("all")


@pytest.mark.skipif(not find_spec("torch"), reason="needs torch")
def test_the_tutorial_about_networks_runs(capsys):
    """The other tutorials run when the pages are built, in an environment without torch."""
    matplotlib.pyplot.switch_backend("Agg")
    tutorial = ROOT / "examples" / "tutorials" / "plot_5_network_images.py"
    exec(compile(tutorial.read_text(encoding="utf-8"), str(tutorial), "exec"), {"__name__": "tutorial"})
    assert "votes" in capsys.readouterr().out
    matplotlib.pyplot.close("all")


def test_the_example_of_a_big_table_runs():
    example = ROOT / "examples" / "python" / "big_table.py"
    result = subprocess.run([sys.executable, example, "2000"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "2,000 bottles explained" in result.stdout
    assert "proline" in result.stdout
