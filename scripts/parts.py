"""The dependencies of docs/licenses.md, compared with what the project uses."""

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The package of each shared library.
PACKAGE_OF_LIBRARY = {
    "libhwy": "libhwy-dev", "libfmt": "libfmt-dev", "libzip": "libzip-dev", "libz": "zlib1g-dev",
    "libzstd": "libzstd-dev",
    "libsvm": "libsvm-dev", "libstdc++": "g++", "libgcc_s": "g++",
    "libc": "libc6", "libm": "libc6", "ld-linux-x86-64": "libc6", "ld-linux-aarch64": "libc6",
}
TOOLS = {"make", "cmake", "ninja-build", "ccache"}


@dataclass(frozen=True)
class Part:
    name: str
    source: str  # a Debian package, "npm", or a package of PyPI
    license: str
    how: str


def listed():
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \| .+ \|$", (ROOT / "docs/licenses.md").read_text("utf-8"), re.MULTILINE)
    return [Part(*row) for row in rows if row[0] not in ("part", "---")]


def debian_packages():
    """Return the packages of the group `build` that end up in the product (not build tools)."""
    lines = (ROOT / "scripts/packages.txt").read_text("utf-8").splitlines()
    found = {line.split()[1].split(":")[0] for line in lines if line.startswith("build ")}
    return found - TOOLS


def npm_packages():
    """Return {name: (version, license)} for every npm package in the page."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    names = {path.removeprefix("node_modules/"): entry for path, entry in lock.items() if path}
    return {name: (entry["version"], entry["license"]) for name, entry in names.items()
            if "esbuild" not in name and not entry.get("dev")}


def python_packages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = project["project"]["dependencies"] + project["build-system"]["requires"]
    return {re.match(r"[\w-]+", text).group() for text in wanted} - {"scikit-build-core"}


def unlisted(linked_libraries=()):
    """Yield a message for each dependency that is used but not listed, or listed but not used."""
    parts = listed()
    sources = {part.source for part in parts}
    npm = {part.name: part.license for part in parts if part.source == "npm"}
    used = debian_packages() | python_packages() | {"libc6", "emscripten"}
    for library in linked_libraries:
        package = PACKAGE_OF_LIBRARY.get(library.split(".so")[0])
        if package is None:
            yield f"{library} is linked, expected a line in docs/licenses.md and in scripts/parts.py"
        elif package not in sources:
            yield f"{library} of {package} is linked, expected a line in docs/licenses.md"
    for name in sorted(used - sources):
        yield f"{name} is used, expected a line in docs/licenses.md"
    for name in sorted(sources - used - {"npm"}):
        yield f"docs/licenses.md lists {name}, expected something that is used"
    for name, (_, license) in npm_packages().items():
        if npm.get(name) != license:
            yield f"{name} ({license}) is in the page's bundle, expected a line with this license in docs/licenses.md"
    for name in sorted(npm.keys() - npm_packages().keys()):
        yield f"docs/licenses.md lists {name}, expected something in web/package-lock.json"
