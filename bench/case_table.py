"""The command line and the table of a benchmark that runs one program on a list of cases."""

import argparse
from pathlib import Path


def write_table(description, columns, cases, cells_of):
    """Writes one line per case: cells_of(program, work, case). `columns` has the names and alignments ("" or ":")."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the program that is timed")
    parser.add_argument("work", type=Path, help="a folder for data")
    parser.add_argument("out", type=Path, help="the table (.md)")
    parser.add_argument("--cases", type=int, default=len(cases), help="the number of cases")
    parser.add_argument("--skip", type=int, default=0, help="cases that were measured before")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    row = lambda cells: "| " + " | ".join(cells) + " |"
    lines = [row(columns), "|" + "|".join("---" + alignment for alignment in columns.values()) + "|"]
    for case in cases[arguments.skip:arguments.skip + arguments.cases]:
        lines.append(row(cells_of(arguments.program.resolve(), arguments.work, case)))
        print(lines[-1], flush=True)
        arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
