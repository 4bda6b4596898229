"""The examples run and print their result."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"
SAYS = {
    "first_explanation": "AUFC",
    "method_pictures": "units.svg",
    "mixed_columns": "town",
    "pictures": "heatmap.png",
    "compare_methods": "a random forest",
    "unseen_rows": "that the models did not see",
}


def run(name, *arguments):
    result = subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *arguments],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("name", SAYS)
def test_examples_run_and_print_their_result(name, tmp_path):
    assert SAYS[name] in run(name, *([tmp_path] if name.endswith("pictures") else []))


def test_the_credit_table_is_the_one_of_the_guide(tmp_path):
    training, held_out = tmp_path / "training.csv", tmp_path / "held_out.csv"
    run("credit_table", training, held_out)
    assert len(training.read_text().splitlines()) == 701
    outcomes = [line.rsplit(",", 1)[1] for line in held_out.read_text().splitlines()[1:]]
    assert (outcomes.count("good"), outcomes.count("bad")) == (225, 75)
