#!/usr/bin/env python3
"""Records what ordinary commands print and write, so that two versions can be compared.

    tests/recorded/record.py record build/bisector before/      # runs the commands, on any commit
    tests/recorded/record.py compare before/ after/             # lists what differs; exit code 1
    tests/recorded/record.py check build/bisector               # every command works; exit code 1

The commands cover all verbs, formats and kinds of models. Their tables are made here from seeded
draws and by `bisector demo`. A command may have several spellings, because options are renamed: the
first one that the program knows is used. Files are recorded by their bytes, except that of a bundle
the arrays are recorded by their checksums, and of a page only that it was written: both contain
versions and compressed data.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

TRAIN = "train training.csv --target diagnosis"
# name: spellings, separated by " || "; the text after " < " is a file for standard input
COMMANDS = {
    # Models of every kind. Later commands use the files.
    "train-svm": f"{TRAIN} --model svm -o svm.npz",
    "train-knn": f"{TRAIN} --model knn -o knn.npz",
    "train-knn-distance": f"{TRAIN} --model knn --weights distance -o distance.npz",
    "train-density": "train held_out.csv --drop diagnosis --model density -o density.npz",
    "train-linear": f"{TRAIN} --model svm --kernel linear -o linear.npz",
    "train-digits": "train letters.csv --target letter --model svm -o letters.npz",
    "train-svr": "train prices.csv --target price --model svr -o svr.npz",
    "train-krr": "train prices.csv --target price --model krr -o krr.npz",
    "train-laplacian": "train prices.csv --target price --model krr --kernel laplacian -o laplacian.npz",
    "train-knn-regression": "train prices.csv --target price --model knnr -o knnr.npz",
    "train-categories": "train houses.csv --target sold --model svm -o houses.npz",
    "train-gower": "train houses.csv --target sold --model knn --metric gower -o gower.npz",
    "train-one-class": "train held_out.csv --drop diagnosis --model oneclass -o oneclass.npz",
    "train-lof": "train held_out.csv --drop diagnosis --model lof -o lof.npz",
    "train-json": f"{TRAIN} --model svm --holdout 0.2 --seed 3 --json -o holdout.npz",
    # Predictions.
    "predict-csv": "predict svm.npz held_out.csv",
    "predict-json": "predict knn.npz held_out.csv --format json",
    "predict-jsonl": "predict svr.npz prices.csv --format jsonl",
    "predict-json-file": "predict letters.npz letters.csv -o predicted.json",
    "predict-skip": "predict svm.npz gaps.csv --missing skip -o skipped.csv",
    "predict-mark": "predict svm.npz gaps.csv --missing mark",
    "predict-stdin": "predict svm.npz - < held_out.csv",
    # Explanations.
    "explain-svm": "explain svm.npz held_out.csv",
    "explain-g": "explain svm.npz held_out.csv --method lrp --unit g",
    "explain-share": "explain knn.npz held_out.csv --unit share -o share.csv",
    "explain-json": "explain knn.npz held_out.csv --format json",
    "explain-jsonl": "explain knn.npz held_out.csv --format jsonl",
    "explain-npy": "explain distance.npz held_out.csv -o relevance.npy",
    "explain-text": "explain svm.npz held_out.csv --text",
    "explain-row": "explain svm.npz held_out.csv --row 5",
    "explain-ig": "explain linear.npz held_out.csv",
    "explain-svr": "explain svr.npz prices.csv --background prices.csv",
    "explain-krr": "explain krr.npz prices.csv",
    "explain-laplacian": "explain laplacian.npz prices.csv",
    "explain-knn-regression": "explain knnr.npz prices.csv",
    "explain-categories": "explain houses.npz houses.csv",
    "explain-gower": "explain gower.npz houses.csv",
    "explain-one-class": "explain oneclass.npz held_out.csv",
    "explain-lof": "explain lof.npz held_out.csv",
    "explain-keep": "explain svm.npz held_out.csv --keep diagnosis -o kept.csv",
    "explain-pair": "explain letters.npz letters.csv --class b --versus c",
    "explain-all-classes": "explain letters.npz letters.csv --all-classes -o all.json",
    "explain-all-npy": "explain letters.npz letters.csv --all-classes -o all.npy",
    "explain-density": "explain density.npz held_out.csv",
    "explain-interactions": "explain svm.npz held_out.csv --interactions --top 3 -o pairs.csv",
    "explain-evidence": "explain svm.npz held_out.csv --row 2 --evidence 3 --format json",
    "explain-sampled": "explain letters.npz letters.csv --method shapley:seed=4"
    " || explain letters.npz letters.csv --method shapley --seed 4",
    # The other verbs.
    "flip-row": "flip svm.npz held_out.csv --row 5",
    "flip-csv": "flip knn.npz held_out.csv -o flips.csv",
    "flip-fixed": "flip svr.npz prices.csv --row 2 --to 30 --fix floors",
    "score-text": "score svm.npz held_out.csv --target diagnosis",
    "score-json": "score knn.npz held_out.csv --target diagnosis --json",
    "evaluate": "evaluate knn.npz held_out.csv --background training.csv --sample 20 --samples 10"
    " || evaluate knn.npz held_out.csv --background training.csv --rows 20 --samples 10",
    "choose": "choose knn.npz --background training.csv --sample 10 --samples 10 -o chosen.npz"
    " || choose knn.npz --background training.csv --rows 10 --samples 10 -o chosen.npz",
    "inspect-svm": "inspect svm.npz",
    "inspect-json": "inspect houses.npz --json",
    "report": "report svm.npz held_out.csv --target diagnosis -o report.html",
    # Wrong calls.
    "wrong-file": "predict svm.npz no-such-file.csv",
    "wrong-cell": "predict svm.npz gaps.csv",
    "wrong-method": "explain svm.npz held_out.csv --method nothing",
}
FAILS = {"wrong-file": 1, "wrong-cell": 1, "wrong-method": 2}


def write_tables(command: Path, folder: Path) -> None:
    """Writes the tables that the commands read."""
    run = subprocess.run([command, "demo", "-o", "demo"], cwd=folder, capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        sys.exit(f"bisector demo: {run.stderr}")
    training = (folder / "demo/training.csv").read_text().splitlines()
    held_out = (folder / "demo/held_out.csv").read_text().splitlines()[:41]
    (folder / "training.csv").write_text("\n".join(training[:161]) + "\n")
    (folder / "held_out.csv").write_text("\n".join(held_out) + "\n")
    gaps = [line.split(",") for line in held_out[:12]]
    for row, column in [(3, 4), (7, 2), (7, 9)]:
        gaps[row][column] = ""
    (folder / "gaps.csv").write_text("".join(",".join(cells) + "\n" for cells in gaps))
    draw = random.Random(7)
    prices = ["floors,area,age,price"]
    houses = ["town,floors,age,sold"]
    letters = ["x,y,z,letter"]
    for _ in range(60):
        floors, area, age = draw.randint(1, 6), draw.uniform(30, 200), draw.uniform(0, 90)
        price = 5 * floors + area / 10 - age / 20 + draw.gauss(0, 1)
        prices.append(f"{floors},{area:.1f},{age:.1f},{price:.2f}")
        town = draw.choice(["Bonn", "Ulm", "Trier"])
        sold = "yes" if floors + (town == "Ulm") * 2 + draw.gauss(0, 1) > 4 else "no"
        houses.append(f"{town},{floors},{age:.1f},{sold}")
        letter = draw.choice("abcd")
        x, y = divmod("abcd".index(letter), 2)
        letters.append(f"{x + draw.gauss(0, 0.3):.3f},{y + draw.gauss(0, 0.3):.3f},{draw.gauss(0, 1):.3f},{letter}")
    for name, lines in [("prices", prices), ("houses", houses), ("letters", letters)]:
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def content_of(path: Path) -> bytes:
    if path.suffix == ".html":
        return b"written\n"
    if path.suffix != ".npz":
        return path.read_bytes()
    with zipfile.ZipFile(path) as bundle:
        members = sorted((m.filename, m.file_size, m.CRC) for m in bundle.infolist() if m.filename != "meta.npy")
    return "".join(f"{name} {size} {crc:08x}\n" for name, size, crc in members).encode()


def run_all(command: Path) -> Iterator[tuple[str, int, dict[str, bytes]]]:
    """Runs every command; yields its name, its exit code and what it printed and wrote, by name."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "COLUMNS": "100", "HOME": "/nonexistent"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(command, folder)
        for title, spellings in COMMANDS.items():
            before = set(folder.iterdir())
            for spelling in spellings.split(" || "):
                call, _, given = spelling.partition(" < ")
                with open(folder / given if given else os.devnull, "rb") as stream:
                    done = subprocess.run([command, *call.split()], cwd=folder, env=environment, stdin=stream,
                                          capture_output=True, timeout=600)
                if done.returncode != 2:
                    break
            parts = {"stdout": done.stdout, "stderr": done.stderr}
            for path in sorted(set(folder.iterdir()) - before):
                parts[path.name] = content_of(path)
            yield title, done.returncode, parts


def record(command: Path, target: Path) -> None:
    for title, code, parts in run_all(command):
        folder = target / title
        folder.mkdir(parents=True)
        (folder / "exit").write_text(f"{code}\n")
        for name, content in parts.items():
            (folder / name).write_bytes(content)
        print(f"{title}: exit {code}, {sum(map(len, parts.values())):,} bytes")


def check(command: Path) -> int:
    wrong = 0
    for title, code, parts in run_all(command):
        if code != FAILS.get(title, 0):
            wrong += 1
            print(f"{title}: exit {code}: {parts['stderr'].decode(errors='replace')}", file=sys.stderr)
    print(f"{len(COMMANDS) - wrong} passed, {wrong} failed")
    return int(wrong > 0)


def compare(before: Path, after: Path) -> int:
    differing = 0
    files = sorted({p.relative_to(root) for root in (before, after) for p in root.rglob("*") if p.is_file()})
    for name in files:
        old, new = (root / name for root in (before, after))
        a, b = (p.read_bytes() if p.exists() else b"" for p in (old, new))
        if a == b:
            continue
        differing += 1
        print(f"== {name}")
        if b"\0" in a + b:
            print(f"   {len(a):,} bytes before, {len(b):,} after")
            continue
        lines = difflib.unified_diff(a.decode().splitlines(), b.decode().splitlines(), "before", "after", lineterm="", n=0)
        for line in list(lines)[2:14]:
            print("   " + line[:160])
    print(f"{differing} of {len(files)} files differ")
    return int(differing > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "compare", "check"])
    parser.add_argument("first", type=Path, help="the command, or the earlier record")
    parser.add_argument("second", type=Path, nargs="?", help="the folder to write, or the later record")
    given = parser.parse_args()
    if given.action == "check":
        return check(given.first.resolve())
    if given.second is None:
        parser.error(f"{given.action} needs two paths")
    if given.action == "record":
        record(given.first.resolve(), given.second)
        return 0
    return compare(given.first, given.second)


if __name__ == "__main__":
    sys.exit(main())
