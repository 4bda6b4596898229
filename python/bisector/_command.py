"""The compiled command: as `bisector`, as `python -m bisector`, and for report()."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import NoReturn, Sequence

HOW_TO_INSTALL = (
    "the bisector command, which writes reports, is not part of this installation. Type one of "
    "these in a clone of the source: make build && export BISECTOR_COMMAND=$PWD/build/bisector, or "
    "pip install . -Ccmake.define.BISECTOR_WHEEL_COMMAND=ON"
)

WINDOWS = os.name == "nt"


def find_command() -> str:
    """The path of the compiled command; raises FileNotFoundError if there is none."""
    named = os.environ.get("BISECTOR_COMMAND")
    inside = files("bisector").joinpath("bin", "bisector.exe" if WINDOWS else "bisector")
    # On Windows, pip installs a program of this name that calls this module again.
    folders = [] if WINDOWS else os.get_exec_path()
    candidates = [named, str(inside), *(str(Path(folder, "bisector")) for folder in folders)]
    for candidate in candidates:
        if candidate and os.access(candidate, os.X_OK) and _is_compiled(candidate):
            return candidate
    raise FileNotFoundError(HOW_TO_INSTALL)


def _is_compiled(path: str) -> bool:
    """False for a script: pip installs one that calls this module again."""
    found = shutil.which(path)
    if found is None or os.path.isdir(found):
        return False
    with open(found, "rb") as file:
        return file.read(2) != b"#!"


def run(arguments: Sequence[str]) -> None:
    """Runs the command; its error message becomes a ValueError."""
    result = subprocess.run([find_command(), *arguments], capture_output=True, text=True)
    if result.returncode != 0:
        message = result.stderr.strip() or f"the command failed with code {result.returncode}"
        raise ValueError(message.removeprefix("error: "))


def main() -> NoReturn:
    """Replaces this process by the command, with its output, exit code and signals. ONNX models
    are converted here, without the command."""
    if sys.argv[1:2] == ["convert"] and any(one.endswith(".onnx") for one in sys.argv[2:]):
        from ._onnx import convert as convert_onnx

        sys.exit(convert_onnx(sys.argv[2:]))
    try:
        command = find_command()
    except FileNotFoundError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    if WINDOWS:  # Its execv does not wait for the command.
        sys.exit(subprocess.run([command, *sys.argv[1:]]).returncode)
    os.execv(command, ["bisector", *sys.argv[1:]])
