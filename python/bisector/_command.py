"""The compiled command, as `bisector`, as `python -m bisector` and for report()."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn, Sequence

from ._converted import convert

HOW_TO_GET_IT = (
    "the command is not part of this installation, expected bisector/bin/bisector in the package, "
    "`bisector` on the PATH, or its path in the variable BISECTOR_COMMAND: a wheel has it, and `make "
    "build` in a clone leaves it at build/bisector"
)

WINDOWS = os.name == "nt"


def find_command() -> str:
    """The path of the compiled command; FileNotFoundError where there is none."""
    from importlib.resources import files

    named = os.environ.get("BISECTOR_COMMAND")
    inside = files("bisector").joinpath("bin", "bisector.exe" if WINDOWS else "bisector")
    # On Windows what pip put there is a program too, which would only call us again.
    folders = [] if WINDOWS else os.get_exec_path()
    candidates = [named, str(inside), *(str(Path(folder, "bisector")) for folder in folders)]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK) and _is_compiled(candidate):
            return candidate
    raise FileNotFoundError(HOW_TO_GET_IT)


def _is_compiled(path: str) -> bool:
    """Not a script: that would be the one that pip installed, which only calls us again."""
    found = shutil.which(path)
    if found is None or os.path.isdir(found):
        return False
    with open(found, "rb") as file:
        return file.read(2) != b"#!"


def run(arguments: Sequence[str]) -> None:
    """Runs the command to its end; what it says on failure becomes a ValueError."""
    result = subprocess.run([find_command(), *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        said = result.stderr.strip() or f"the command ended with the code {result.returncode}"
        raise ValueError(said.removeprefix("error: "))


def main() -> NoReturn:
    """The command in our place: its output, its exit code, its signals."""
    try:
        command = find_command()
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    convert(sys.argv[1:])
    if WINDOWS:  # whose execv does not wait
        sys.exit(subprocess.run([command, *sys.argv[1:]]).returncode)
    os.execv(command, ["bisector", *sys.argv[1:]])
