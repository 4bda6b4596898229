#!/usr/bin/env python3
"""Disturbs the commands at seeded moments and sees what is lost.

run.py BISECTOR BISECTOR_PAPER [--tries N] [--seed S] [--result FILE.md]

Ends with 1 where anything was lost: a half-written output under its final name, finished work that
a command has to keep, a temporary file after a signal that can be answered, a wrong status, or
anything but one clear line on standard error.
"""

import argparse
import random
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path

import faults
from commands import measured

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)


def faults_of(folder, tries):
    """Name, function and tries of every fault; those that need no moment get a fifth."""
    for which in SIGNALS:
        yield which.name, partial(faults.killed, which=which), tries
    fewer = max(1, tries // 5)
    if faults.can_mount(folder):
        yield "full disk", faults.full_disk, fewer
    yield "file size limit", faults.file_limit, fewer
    yield "full standard output", faults.full_standard_output, fewer
    yield "closed standard output", faults.closed_standard_output, fewer
    yield "closed pipe", faults.closed_pipe, fewer
    yield "unwritable output", faults.unwritable, fewer


def disturb(command, name, fault, folder, tries, seed):
    """A line of the table, and the problems found. Moments are spread evenly, each in its part."""
    draw = random.Random(f"{seed} {command.name} {name}")
    results = []
    for n in range(tries):
        share = (n + draw.random()) / tries
        results.append(fault(command, folder, draw, share=share))
        if results[-1].lost:
            print(f"LOST: {command.name}, {name}, try {n} at {share:.3f}: {results[-1].lost}",
                  flush=True)
    hit, left = sum(r.hit for r in results), sum(r.left for r in results)
    lost = sum(bool(r.lost) for r in results)
    return [command.name, name, tries, hit, left, lost]


def page(lines, commands, seed, mounts):
    header = ["command", "fault", "tries", "hit", "left behind", "lost"]
    rows = [header, ["---"] * len(header), *lines]
    table = "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)
    times = "\n".join(f"- `{c.name}`: {c.seconds:.2f} s" for c in commands)
    disk = "a tmpfs" if mounts else "left out: mounting was not possible"
    tries, lost = (sum(line[column] for line in lines) for column in (2, -1))
    answer = (f"**Yes**: in {lost:,} of {tries:,} tries." if lost else
              f"No. In {tries:,} tries, no output was half-written and no finished work was lost.")
    return f"""# Is anything lost when a command is interrupted?

**Answer.** {answer}

Each try disturbs one run of a command: a signal, a full disk, a file size limit, or an output that
cannot be written.

{table}

- **hit**: tries in which the fault came before the run had ended.
- **left behind**: temporary files (`*.tmp`). Only SIGKILL may leave them, and only until the next
  run of the command.
- **lost**: tries after which anything was wrong:
  - an output that is neither complete nor unchanged;
  - a temporary file that could have been removed, or that the next run did not remove;
  - an exit code other than 130 (SIGINT), 143 (SIGTERM), 141 (closed pipe) or 1 (a failed write);
  - anything on standard error except one line that says what could not be written and why;
  - for `bisector-paper table`, a unit of work that was reported as finished and is not in the
    journal, or results of the next run that differ in a byte from those of an undisturbed run.

## How it was measured

`make faults` (seed {seed}). The moments of the signals are spread over the command's run time. The
sizes of the full disk ({disk}) and of the file size limit are spread over the size of the
outputs. In about half of the tries, files with the outputs' names exist before.

The commands take, undisturbed:

{times}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bisector", type=Path)
    parser.add_argument("paper", type=Path)
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--result", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "try"
        commands = measured(options.bisector.resolve(), options.paper.resolve(),
                            Path(work) / "inputs", folder)
        lines = []
        for command in commands:
            for name, fault, tries in faults_of(folder, options.tries):
                lines.append(disturb(command, name, fault, folder, tries, options.seed))
                print("{}, {}: {} tries, {} hit, {} left behind, {} lost".format(*lines[-1]),
                      flush=True)
        mounts = any(line[1] == "full disk" for line in lines)
    if options.result:
        options.result.write_text(page(lines, commands, options.seed, mounts), encoding="utf-8")
    return 1 if any(line[-1] for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
