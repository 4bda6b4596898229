#!/usr/bin/env python3
"""Runs what README.md prints, as it prints it: check_readme.py BISECTOR README.md

The demo and the session after it say what the page says they do; every command of the table "you want | you type" runs, on
made-up files of the names in it. Needs nothing but Python's standard library, and LIBSVM's svm-train.
"""

import gzip
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

EVERYWHERE = re.compile(r"`(bisector [^`]+)`")


def run(command, folder):
    result = subprocess.run(command.split("\\|")[0], shell=True, cwd=folder, capture_output=True, text=True)
    return result.returncode, result.stdout, result.stderr


def write_files(folder):
    draw = random.Random(1)
    rows = [[draw.gauss(0, 1) for _ in range(4)] for _ in range(200)]
    table = [",".join([*(f"{value:.3f}" for value in row), str(5 + (row[0] + row[1] * row[2] > 0))]) for row in rows]
    header = "acid,sugar,salt,alcohol"
    (folder / "wine.csv").write_text("\n".join([header + ",quality", *table]) + "\n")
    for name, count in (("test.csv", 40), ("train.csv", 200)):
        (folder / name).write_text("\n".join([header + ",quality", *table[:count]]) + "\n")
    for name in ("new.csv", "rows.csv"):
        (folder / name).write_text("\n".join([header, *(line.rpartition(",")[0] for line in table)]) + "\n")
    (folder / "cars.csv").write_text("doors,boot,class\n" + "".join(
        f"{draw.randint(2, 5)},{draw.choice(('small', 'big'))},{draw.choice(('good', 'bad'))}\n" for _ in range(40)))
    (folder / "rows.svm").write_text("".join(
        f"{number % 10} 1:{number % 10 + draw.gauss(0, .1):.3f} 2:{draw.gauss(0, 1):.3f}\n" for number in range(100)))
    subprocess.run(["svm-train", "-q", "rows.svm", "digits.model"], cwd=folder, check=True)
    with gzip.open(folder / "qm9.xyz.gz", "wt") as file:
        for _ in range(40):
            far = 1 + draw.random()
            file.write(f"3\nmu={far:.4f}\nO 0 0 0\nH {far:.4f} 0 0\nH 0 {1 + draw.random():.4f} 0\n")
    (folder / "new.xyz").write_text(gzip.open(folder / "qm9.xyz.gz", "rt").read())


def missing_line(block, output):
    """The first line of a block that the output has not, in this order; "..." stands for any."""
    lines = iter(output.splitlines())
    for wanted in block.strip("\n").splitlines():
        if wanted.strip() not in ("...", "") and wanted not in lines:
            return wanted
    return None


def demo_problems(readme, folder):
    """The demo, whose output the page shows, and the session after it."""
    shown = re.search(r"```\n(gamma = .*?)```", readme, re.S)[1]
    session = re.search(r"```\n\$ (bisector explain demo/.*?)\n(.*?)```", readme, re.S)
    for command, block in (("bisector demo -o demo", shown), session.groups()):
        code, output, error = run(command, folder)
        if code or (line := missing_line(block, output)) is not None:
            yield f"{command}: {error or 'its output has no line ' + repr(line)}"


def typed(readme):
    """The commands of the table, and of the sentence on KNN."""
    yield from re.findall(r"`(bisector explain --knn [^`]+)`", readme)
    for row in re.findall(r"^\| [^|]+ \| (.*) \|$", readme.partition("| you want |")[2], re.M):
        yield from EVERYWHERE.findall(row)


def main():
    program, readme = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).read_text(encoding="utf-8")
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        problems = list(demo_problems(readme, folder))
        commands = list(typed(readme))
        for command in commands:
            code, _, error = run(command, folder)
            if code:
                problems.append(f"{command}: {error.strip()}")
    if len(commands) < 15:
        problems.append(f"{len(commands)} commands found, expected the table of README.md")
    print("\n".join(problems) or f"{len(commands)} commands of README.md run as they are printed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
