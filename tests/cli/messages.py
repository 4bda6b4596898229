"""Holds docs/messages.md to what the command says: every `$ bisector ...` there is run, and what follows is its answer.

    messages.py BISECTOR docs/messages.md            checks
    messages.py BISECTOR docs/messages.md --write    writes the answers anew
"""

import difflib
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TABLES = Path(__file__).resolve().parent / "tables"
START = "    $ bisector "

# What the page's files are made from; the page says so in words.
PREPARE = [
    "train packed.csv.gz --target quality --model svm -o fruit.npz",
    "train numeric_target.csv --target price --model svr -o price.npz",
    "train arrays.npz --model svm -o plain.npz",
    "train numeric_target.csv --model oneclass -o place.npz",
]


def prepare(bisector, folder):
    for table in TABLES.iterdir():
        shutil.copy(table, folder)
    rows = (folder / "excel.csv").read_text("utf-8-sig").splitlines()
    (folder / "fruit.csv").write_text("\n".join(rows) + "\n")
    (folder / "purple.csv").write_text("\n".join([*rows[:4], "5.1,3.2,purple,good", *rows[4:]]) + "\n")
    (folder / "gaps.csv").write_text("\n".join([*rows[:4], "5.1,,red,good", *rows[4:]]) + "\n")
    (folder / "renamed.csv").write_text("\n".join([rows[0].replace("width", "Width"), *rows[1:]]) + "\n")
    (folder / "relevance.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }".ljust(117) + b"\n" + bytes(48))
    (folder / "far.csv").write_text(rows[0] + "\n9000,9000,red,good\n")
    for command in PREPARE:
        subprocess.run([bisector, *shlex.split(command)], cwd=folder, check=True, capture_output=True, timeout=60)


def answer(bisector, folder, command):
    done = subprocess.run([bisector, *shlex.split(command)], cwd=folder, capture_output=True, text=True, timeout=60)
    return [line for line in done.stderr.splitlines() if not line.startswith("read: ")]


def with_answers(bisector, lines):
    result, at = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(bisector, folder)
        while at < len(lines):
            result.append(lines[at])
            at += 1
            if not result[-1].startswith(START):
                continue
            while at < len(lines) and lines[at].startswith("    ") and not lines[at].startswith(START):
                at += 1
            result += ["    " + line for line in answer(bisector, folder, result[-1][len(START):])]
    return result


def main():
    bisector, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    lines = page.read_text("utf-8").splitlines()
    made = with_answers(bisector, lines)
    if "--write" in sys.argv:
        page.write_text("\n".join(made) + "\n", "utf-8")
        return 0
    difference = list(difflib.unified_diff(lines, made, "written", "said", lineterm="", n=1))
    print("\n".join(difference) or f"{sum(line.startswith(START) for line in lines)} messages are as the page has them")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
