"""The commands that are disturbed, each on a small task of its own."""

import random
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Command:
    """A command line and the files that it writes, by name in the folder of a try."""
    name: str
    words: list  # {folder} is replaced by the folder of the try
    outputs: list
    journal: str = ""  # where the command continues
    to_stdout: list = field(default_factory=list)  # the words that send results to standard output
    seconds: float = 0.0
    expected: dict = field(default_factory=dict)  # the content of each output, undisturbed
    printed: int = 0  # bytes on standard output, undisturbed

    def line(self, folder, words=None):
        return [str(word).format(folder=folder) for word in words or self.words]


def write_table(path, rows, positive, negative, target):
    """Four features and a class that a kernel machine can learn."""
    draw = random.Random(7)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="ascii") as out:
        print("a,b,c,d", target, sep=",", file=out)
        for _ in range(rows):
            x = [draw.gauss(0, 1) for _ in range(4)]
            label = positive if x[0] * x[1] + 0.3 * x[2] > 0 else negative
            print(*(f"{value:.4f}" for value in x), label, sep=",", file=out)


def commands(bisector, paper, inputs):
    """All commands; their inputs are made in the folder `inputs`."""
    table, many, model = inputs / "table.csv", inputs / "many.csv", inputs / "model.npz"
    write_table(table, 300, "p", "n", "y")
    write_table(many, 30000, "p", "n", "y")
    write_table(inputs / "raisin" / "Raisin_Dataset.csv", 160, "Kecimen", "Besni", "Class")
    subprocess.run([bisector, "train", table, "--target", "y", "--model", "svm", "-o", model],
                   check=True, stdout=subprocess.DEVNULL)
    explain = [bisector, "explain", model, many, "--method", "lrp-path"]
    evaluate = [bisector, "evaluate", model, table, "--sample", "60", "--method", "lrp", "--method", "gi", "--method", "random"]
    # On a busy machine a note estimates the time of tuning; the checks expect the error alone.
    train = [bisector, "train", table, "--target", "y", "--model", "svm", "--tune", "-q"]
    report = [bisector, "report", model, table]
    study = [paper, "table", "--data", inputs, "--datasets", "raisin", "--seeds", "2"]
    return [
        Command("explain", [*explain, "-o", "{folder}/relevance.csv"], ["relevance.csv"],
                to_stdout=explain),
        Command("train --tune", [*train, "-o", "{folder}/model.npz"], ["model.npz"]),
        Command("evaluate", [*evaluate, "-o", "{folder}/aufc.csv",
                             "--curves", "{folder}/curves.csv"],
                ["aufc.csv", "curves.csv"]),
        Command("report", [*report, "-o", "{folder}/report.html"], ["report.html"],
                to_stdout=[*report, "-o", "-"]),
        Command("bisector-paper table", [*study, "--out", "{folder}"],
                ["table.csv", "table_disjoint.csv", "table.md", "table_disjoint.md"],
                journal="table.journal"),
    ]


def measure(command, folder):
    """Runs the command undisturbed, three times, and keeps what it makes and how long it takes."""
    seconds = []
    for _ in range(3):
        for path in folder.iterdir():
            path.unlink()
        start = time.monotonic()
        done = subprocess.run(command.line(folder), check=True, capture_output=True)
        seconds.append(time.monotonic() - start)
        command.printed = len(done.stdout)
        files = command.outputs + ([command.journal] if command.journal else [])
        made = {name: (folder / name).read_bytes() for name in files}
        if command.expected not in ({}, made):
            raise SystemExit(f"{command.name}: two undisturbed runs differ")
        command.expected = made
    command.seconds = sorted(seconds)[1]


def measured(bisector, paper, inputs: Path, folder: Path):
    inputs.mkdir()
    folder.mkdir()
    found = commands(bisector, paper, inputs)
    for command in found:
        measure(command, folder)
    return found
