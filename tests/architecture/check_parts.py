#!/usr/bin/env python3
"""Fails unless docs/licenses.md lists every part, and the bill of materials lists the same:
check_parts.py ROOT PROGRAM..."""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "scripts"))
import parts  # noqa: E402


def linked_libraries(program):
    shown = subprocess.run(["readelf", "--dynamic", program], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"NEEDED.*\[(?!libbisector_)(.+?)\]", shown))


def problems(programs):
    yield from parts.unlisted(set().union(*map(linked_libraries, programs)))
    recorded = json.loads((ROOT / "docs/sbom.cdx.json").read_text("utf-8"))["components"]
    if [entry["name"] for entry in recorded] != [part.name for part in parts.listed()]:
        yield "docs/sbom.cdx.json lists other parts than docs/licenses.md, expected the same: scripts/write-sbom"


if __name__ == "__main__":
    found = list(problems(sys.argv[2:]))
    print("\n".join(found) if found else f"{len(parts.listed())} parts, all listed")
    sys.exit(1 if found else 0)
