#!/usr/bin/env python3
"""Check README.md and run the commands of the guide: check_readme.py BISECTOR ROOT

README.md has at most 120 lines, its links lead to files, and `pip install bisector` appears only
together with the sentence that the package is not published. Every command of the table of tasks in
docs/guide/command_line.md runs on generated files. Needs only the standard library and svm-train.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LONGEST = 120  # lines of README.md


def run(command, folder):
    result = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    return result.returncode, result.stderr.strip()


def write_files(folder):
    draw = random.Random(1)
    rows = [[draw.gauss(0, 1) for _ in range(4)] for _ in range(200)]
    table = [",".join([*(f"{value:.3f}" for value in row), str(5 + (row[0] + row[1] * row[2] > 0))])
             for row in rows]
    header = "acid,sugar,salt,alcohol"
    for name, count in (("wine.csv", 200), ("test.csv", 40), ("train.csv", 200)):
        (folder / name).write_text("\n".join([header + ",quality", *table[:count]]) + "\n")
    for name in ("new.csv", "rows.csv"):
        features = (line.rpartition(",")[0] for line in table)
        (folder / name).write_text("\n".join([header, *features]) + "\n")
    (folder / "cars.csv").write_text("doors,boot,class\n" + "".join(
        f"{draw.randint(2, 5)},{draw.choice(('small', 'big'))},{draw.choice(('good', 'bad'))}\n"
        for _ in range(40)))
    (folder / "sensors.json").write_text('{"taste": ["acid", "sugar", "salt"]}')
    (folder / "rows.svm").write_text("".join(
        f"{n % 10} 1:{n % 10 + draw.gauss(0, .1):.3f} 2:{draw.gauss(0, 1):.3f}\n" for n in range(100)))
    subprocess.run(["svm-train", "-q", "rows.svm", "digits.model"], cwd=folder, check=True)


def readme_problems(root):
    text = (root / "README.md").read_text("utf-8")
    if (lines := len(text.splitlines())) > LONGEST:
        yield f"README.md has {lines} lines, expected at most {LONGEST}"
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not (root / link).exists():
            yield f"README.md links to {link}, which does not exist"
    for paragraph in text.split("\n\n"):
        if "pip install bisector" in paragraph and "not published" not in paragraph:
            yield "README.md: `pip install bisector` without the sentence that it is not published"


def tasks(root):
    """Yield the commands of the table "you want | you type"."""
    page = (root / "docs/guide/command_line.md").read_text("utf-8")
    for row in re.findall(r"^\| .+? \| `(.*)` \|$", page.partition("| you want |")[2], re.MULTILINE):
        yield row.replace("\\|", "|")


def task_problems(root):
    commands = list(tasks(root))
    if len(commands) < 15:
        yield f"{len(commands)} commands found in the table of tasks, expected at least 15"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        for command in commands:
            code, error = run(command, folder)
            if code:
                yield f"{command}: {error}"


def main():
    program, root = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    problems = [*readme_problems(root), *task_problems(root)]
    print("\n".join(problems) or "README.md and the table of tasks are correct")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
