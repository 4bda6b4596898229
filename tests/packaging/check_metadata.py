#!/usr/bin/env python3
"""Checks the metadata of the project: check_metadata.py ROOT

Every copy of the version is that of include/bisector/version.h. Workflows, pyproject.toml and
CITATION.cff have the required fields. Every library that may be downloaded is pinned. Needs only
Python's standard library.
"""

import re
import sys
from pathlib import Path


def text(root, name):
    return (root / name).read_text(encoding="utf-8")


def version_problems(root):
    version = re.search(r'kVersion = "([0-9.]+)"', text(root, "include/bisector/version.h"))[1]
    minor = ".".join(version.split(".")[:2])
    said = {
        "CITATION.cff": re.search(r"^version: (\S+)", text(root, "CITATION.cff"), re.M)[1],
        "CHANGELOG.md": re.search(r"^## ([0-9.]+)", text(root, "CHANGELOG.md"), re.M)[1],
        "debian/changelog": re.match(r"bisector \(([0-9.]+)-", text(root, "debian/changelog"))[1],
    }
    for name, other in said.items():
        if other != version:
            yield f"{name}: version {other}, expected {version} as in include/bisector/version.h"
    if f"Package: libbisector{minor}\n" not in text(root, "debian/control"):
        yield f"debian/control: no package libbisector{minor}, expected the library's file name"
    if not (root / f"debian/libbisector{minor}.install").exists():
        yield f"debian/libbisector{minor}.install is missing"


def citation_problems(root):
    citation = text(root, "CITATION.cff")
    for key in ("cff-version", "message", "title", "authors", "license", "preferred-citation"):
        if not re.search(rf"^{key}:", citation, re.M):
            yield f"CITATION.cff: no {key}"


def pin_problems(root):
    dependencies = text(root, "cmake/Dependencies.cmake")
    names = re.findall(r"^set\(bisector_target_(\w+) ", dependencies, re.M)
    for name in names:
        pin = re.search(rf"set\(bisector_archive_{name}\s+(\S+)\s+([0-9a-f]*)\)", dependencies)
        if not pin or not pin[1].startswith("https://") or len(pin[2]) != 64:
            yield f"cmake/Dependencies.cmake: {name} is not pinned by an address and a SHA-256"
        if f"set(bisector_source_{name} " not in dependencies:
            yield f"cmake/Dependencies.cmake: {name} has no Debian source package"
        if f"function(bisector_build_{name} " not in dependencies:
            yield f"cmake/Dependencies.cmake: no function that builds {name}"


def workflow_problems(root):
    for path in sorted((root / ".github/workflows").glob("*.yml")):
        content = path.read_text(encoding="utf-8")
        name = path.relative_to(root)
        for key in ("name", "on", "permissions", "jobs"):
            if not re.search(rf"^{key}:", content, re.M):
                yield f"{name}: no {key}"
        for number, line in enumerate(content.splitlines(), 1):
            if "\t" in line:
                yield f"{name}:{number}: a tab, expected blanks"
            if (used := re.search(r"uses: (\S+)", line)) and "@" not in used[1]:
                yield f"{name}:{number}: {used[1]} without a version"
        targets = set(re.findall(r"^([a-z-]+):", text(root, "Makefile"), re.M))
        for target in re.findall(r"run: make ([a-z-]+)", content):
            if target not in targets:
                yield f"{name}: make {target}, which the Makefile does not have"


def project_problems(root):
    project = text(root, "pyproject.toml")
    for key in ("license", "license-files", "authors", "keywords", "classifiers", "requires-python"):
        if not re.search(rf"^{key} = ", project, re.M):
            yield f"pyproject.toml: no {key}"
    for name in re.findall(r"\]\((?!https?://|#)([^)#]+)", text(root, "README.md")):
        if not (root / name).exists():
            yield f"README.md: {name} does not exist"


def main():
    root = Path(sys.argv[1])
    checks = (version_problems, citation_problems, pin_problems, workflow_problems, project_problems)
    problems = [problem for check in checks for problem in check(root)]
    print("\n".join(problems) or "the metadata agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
