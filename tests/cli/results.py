#!/usr/bin/env python3
"""Every result in every format, with rows that the model cannot use.

    results.py BISECTOR docs/guide/command_line.md

Runs predict, explain, explain --all-classes, explain --interactions and flip with each format and each
--missing, always with --keep of a column whose name is one of ours. A case writes what the table of the guide
says, or is refused with one line that says what to type instead. Cases that write: marked rows are there,
names are unique, row numbers are those of the file, flags and notes are there, and all formats have the same
numbers to the last digit.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

VERBS = ["predict", "explain", "explain --all-classes", "explain --interactions", "flip"]
FORMATS = ["csv", "json", "jsonl", "npy"]
POLICIES = ["error", "skip", "mark"]
ROWS, GAPS, FAR = 14, (3, 8), (11, 12)  # numbers of rows, from one
FEATURES = ["x", "output", "z"]  # one has a name of ours
BLOCKS = {"relevance": "features", "decisions": "decisions", "values": "columns"}
RENAMED = {"flips": {"prediction": "flipped", "changes": "changed"}}  # JSON's name: CSV's


def write_tables(folder: Path) -> None:
    draw = random.Random(5)

    def rows(count: int) -> list[list[str]]:
        made = []
        for n in range(count):
            label = draw.choice("abc")
            center = "abc".index(label)
            cells = [f"{draw.gauss(center, 0.6):.3f}", f"{draw.gauss(-center, 0.6):.3f}", f"{draw.gauss(0, 1):.3f}"]
            made.append([f"k{n}", *cells, label])
        return made

    def write(name: str, lines: list[list[str]]) -> None:
        with open(folder / name, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["row", *FEATURES, "label"], *lines])

    write("train.csv", rows(90))
    whole = rows(ROWS)
    for number in FAR:
        whole[number - 1][1:4] = ["900", "-900", "900"]
    write("whole.csv", whole)
    gaps = [list(line) for line in whole]
    for number in GAPS:
        gaps[number - 1][2] = ""
    write("gaps.csv", gaps)
    bad = [list(line) for line in whole]
    bad[4][1] = "many"
    write("bad.csv", bad)


class Runner:
    def __init__(self, command: Path, folder: Path):
        self.command, self.folder, self.failures = command, folder, []

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([self.command, *arguments], cwd=self.folder, capture_output=True, timeout=300)

    def expect(self, condition: bool, case: str, what: object) -> None:
        if not condition:
            self.failures.append(f"{case}: {what}")


def cases_of_guide(guide: str) -> dict[tuple[str, str], str]:
    """What the table of results and formats says."""
    lines = [line for line in guide.splitlines() if re.match(r"\| `(predict|explain|flip)", line)]
    table = {}
    for line in lines:
        verb, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if verb.strip("`") in VERBS and len(cells) == len(FORMATS):
            table.update({(verb.strip("`"), name): cell for name, cell in zip(FORMATS, cells)})
    return table


def number(text: object) -> object:
    if isinstance(text, str):
        try:
            return float(text)
        except ValueError:
            return {"true": True, "false": False}.get(text, text)
    return float(text) if isinstance(text, int) and not isinstance(text, bool) else text


def of_csv(text: str) -> tuple[list[str], list[dict[str, object]]]:
    header, *lines = csv.reader(io.StringIO(text))
    return header, [{name: number(cell) for name, cell in zip(header, line)} for line in lines]


def of_json(row: dict[str, object], names: dict[str, list[str]]) -> list[dict[str, object]]:
    """The lines that CSV has for a row of JSON."""
    line: dict[str, object] = {}
    items: list[dict[str, object]] = [{}]
    for key, value in row.items():
        if key == "kept":
            line.update(value)
        elif key in BLOCKS:
            line.update(block(key, value, names))
        elif isinstance(value, list) and (not value or isinstance(value[0], dict)):
            items = [of_item(key, item, names) for item in value] or [{}]
        else:
            line[key] = value
    return [{name: number(cell) for name, cell in {**line, **item}.items()} for item in items]


def of_item(items: str, item: dict[str, object], names: dict[str, list[str]]) -> dict[str, object]:
    line: dict[str, object] = {}
    for key, value in item.items():
        if key in BLOCKS:
            line.update(block(key, value, names))
        elif key == "changes":
            line["changed"] = "; ".join(value)
        else:
            line[RENAMED.get(items, {}).get(key, key)] = value
    return line


def block(key: str, values: object, names: dict[str, list[str]]) -> dict[str, object]:
    named = values.items() if isinstance(values, dict) else zip(names[BLOCKS[key]], values)
    # A feature with the name of one of our columns has an underscore in a line.
    return {name + "_" if name == "output" and key == "relevance" else name: value for name, value in named}


def of_npy(data: bytes) -> tuple[tuple[int, ...], list[float]]:
    size = struct.unpack("<H", data[8:10])[0]
    shape = re.search(rb"'shape': \(([^)]*)\)", data[:10 + size])
    return (tuple(int(n) for n in shape[1].split(b",") if n.strip()),
            [value[0] for value in struct.iter_unpack("<d", data[10 + size:])])


def wanted_rows(policy: str) -> list[int]:
    return [n for n in range(1, ROWS + 1) if policy != "skip" or n not in GAPS]


def is_equal(one: object, other: object) -> bool:
    return one == other or one in ("", None) and other in ("", None)


def check_lines(tests: Runner, case: str, verb: str, policy: str, header: list[str],
                lines: list[dict[str, object]]) -> None:
    tests.expect(len(set(header)) == len(header), case, f"names twice: {header}")
    tests.expect(header[:2] == ["row", "row_"], case, f"header {header}")
    numbers = [int(row) for row, _ in itertools.groupby(line["row"] for line in lines)]
    tests.expect(numbers == wanted_rows(policy), case, f"rows {numbers}")
    tests.expect(all(line["row_"] == f"k{int(line['row']) - 1}" for line in lines), case, "kept cells")
    for line in lines:
        empty = [name for name in header[2:] if line[name] != "" and name not in ("label",)]
        if policy == "mark" and line["row"] in GAPS:
            tests.expect(not empty, case, f"a marked row has {empty}")
        elif verb != "flip":
            tests.expect(len(empty) >= len(header) - 4, case, f"row {line['row']} is empty")
        if verb == "predict":
            tests.expect(line["label"] in ("a", "b", "c"), case, f"no target in row {line['row']}")
        elif line["row"] in FAR:
            tests.expect(line["outside"] is True and line["tie"] in (True, False), case, "no flags")


def check_json(tests: Runner, case: str, name: str, text: str, header: list[str],
               lines: list[dict[str, object]], names: dict[str, list[str]]) -> None:
    if name == "json":
        document = json.loads(text)
        names.update({key: value for key, value in document.items() if key in BLOCKS.values()})
        tests.expect(any("far from the training data" in note for note in document["notes"]), case, "no note")
        rows = document["rows"]
    else:
        rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        tests.expect(("problem" in row) == (row["row"] in GAPS and "mark" in case), case, f"problem: {row}")
    target = "target" if "label" in header else ""
    found = [line for row in rows for line in of_json(row, names)]
    tests.expect(len(found) == len(lines), case, f"{len(found)} lines, CSV has {len(lines)}")
    for one, other in zip(found, lines):
        one["label" if target else ""] = one.pop(target, "")
        for column in header:
            if column in ("rank", "answer"):
                continue
            tests.expect(is_equal(one.get(column, ""), other[column]), case,
                         f"row {other['row']}, {column}: {one.get(column)} and {other[column]}")


def check_npy(tests: Runner, case: str, verb: str, policy: str, data: bytes,
              lines: list[dict[str, object]], header: list[str]) -> None:
    shape, values = of_npy(data)
    rows = wanted_rows(policy)
    tests.expect(shape[0] == len(rows), case, f"shape {shape}")
    width = math.prod(shape[1:])
    table = {row: values[i * width:(i + 1) * width] for i, row in enumerate(rows)}
    for line in lines:
        own = table[line["row"]]
        if policy == "mark" and line["row"] in GAPS:
            tests.expect(all(math.isnan(value) for value in own), case, "a marked row is not NaN")
        elif verb == "explain --interactions":
            names = [FEATURES.index(str(line[key])) for key in ("first", "second")]
            tests.expect(2 * own[names[0] * shape[2] + names[1]] == line["interaction"], case, f"row {line['row']}")
        else:
            columns = [name for name in header if name in ("x", "output_", "z")]
            if verb == "predict":
                columns = [name for name in header if name.startswith("decision")]
            if verb == "explain --all-classes":
                own = own["abc".index(str(line["class"]))::shape[2]]
            tests.expect(own == [line[name] for name in columns], case, f"row {line['row']}")


def check_refused(tests: Runner, case: str, done: subprocess.CompletedProcess[bytes]) -> None:
    lines = [line for line in done.stderr.decode().splitlines() if not line.startswith("note: ")]
    tests.expect(done.returncode == 2 and len(lines) == 1 and not done.stdout, case,
                 f"exit {done.returncode}: {done.stderr!r}")
    tests.expect(re.search(r"leave out|use --format", lines[0] if lines else "") is not None, case,
                 f"no advice: {lines}")


def check_case(tests: Runner, table: dict[tuple[str, str], str], verb: str, policy: str) -> int:
    data = "whole.csv" if policy == "error" else "gaps.csv"
    call = [*verb.split()[:1], "model.npz", data, *verb.split()[1:], "--missing", policy]
    call += ["--details"] if verb == "predict" else []
    header, lines = [], []
    names: dict[str, list[str]] = {}
    count = 0
    for name in FORMATS:
        case = f"{verb} --format {name} --missing {policy} --keep row"
        says = table.get((verb, name), "")
        done = tests.run(*call, "--format", name, "--keep", "row")
        count += 1
        if says == "yes":
            tests.expect(done.returncode == 0, case, done.stderr.decode())
            tests.expect("far from the training data" in done.stderr.decode(), case, f"no note: {done.stderr!r}")
            if name == "csv":
                header, lines = of_csv(done.stdout.decode())
                check_lines(tests, case, verb, policy, header, lines)
            else:
                check_json(tests, case, name, done.stdout.decode(), header, lines, names)
            continue
        check_refused(tests, case, done)
        if says == "no":
            continue
        tests.expect(says.endswith(", without `--keep`"), case, f"the guide says {says!r}")
        done = tests.run(*call, "--format", name)
        tests.expect(done.returncode == 0, case, done.stderr.decode())
        if done.returncode == 0:
            check_npy(tests, case, verb, policy, done.stdout, lines, header)
    return count


def main() -> int:
    command, guide = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).read_text("utf-8")
    table = cases_of_guide(guide)
    if len(table) != len(VERBS) * len(FORMATS):
        sys.exit(f"{sys.argv[2]}: the table of results and formats has {len(table)} cells, expected 20")
    with tempfile.TemporaryDirectory() as name:
        tests = Runner(command, Path(name))
        write_tables(tests.folder)
        train = ["train", "train.csv", "--target", "label", "--drop", "row", "--model"]
        made = tests.run(*train, "svm", "-o", "model.npz")
        tests.expect(made.returncode == 0, "train", made.stderr.decode())
        count = sum(check_case(tests, table, verb, policy) for verb in VERBS for policy in POLICIES)
        # The same cell has the same name, whatever happens to rows that cannot be used.
        messages = {tests.run("predict", "model.npz", "bad.csv", "--missing", policy).stderr for policy in POLICIES}
        tests.expect(len(messages) == 1 and b'bad.csv:6: column "x"' in messages.pop(), "a cell", messages)
    for failure in tests.failures[:40]:
        print(failure, file=sys.stderr)
    print(f"{count} cases, {len(tests.failures)} failures")
    return int(bool(tests.failures))


if __name__ == "__main__":
    sys.exit(main())
