"""The examples of README.md and of the pages about networks run. The build of the documentation runs
those of the other pages (docs/page_examples.py), in an environment without torch."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
from page_examples import BLOCK, run_page  # noqa: E402

PAGES = [ROOT / "README.md"]
if find_spec("torch"):
    PAGES += sorted((ROOT / "docs" / "guide").glob("networks*.md"))


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_the_page_run(page):
    matplotlib.pyplot.switch_backend("Agg")
    text = page.read_text(encoding="utf-8")
    assert BLOCK.search(text), "expected an example on every page"
    run_page(text, page.stem)


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
