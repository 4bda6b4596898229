#!/usr/bin/env python3
"""Checks that kinds of models and kernels are described once: check_kinds.py ROOT | --self-test

Prints one line per violation:
- a kind of model that more than MOST_FILES production files name;
- code that would run an unknown kind or an unknown enum value as another one: visits of a
  predictor with a parameter of any type that is not used, tables indexed by the position of a
  kind, and comparisons of kernel forms or vote weights by their order.
"""

import re
import sys
import tempfile
from pathlib import Path

FOLDERS = ("src", "include", "cli", "tools", "python", "web", "paper")
ENDINGS = (".cpp", ".h", ".py", ".ts")
SKIPPED = ("python/tests", "python/integration", "web/node_modules", "web/tests")
# A new kind should not need more files than an existing one. Kernel machines are older than this rule
# and serve many readers and trainers, so the rule is tested on the newest kind.
KIND, MOST_FILES = "OutlierDetector", 9

FORBIDDEN = {
    "a catch-all for kinds of models": re.compile(r"\(const auto&\)\s*(?:->\s*[\w:<>]+\s*)?\{"),
    "a table indexed by the position of a kind": re.compile(r"\[[^\]\n]*predictor\(\)\.index\(\)\]"),
    "a comparison of enum values by their order": re.compile(
        r"\s[<>]=?\s+(?:KernelForm|NeighborVote::Weights|Weights|OutlierScore|ModelKind)::"),
}
# Folders in which visits are visits of predictors. Visits of methods and learners are not checked.
KIND_FOLDERS = ("src/core/models", "src/core/contrast", "src/core/explain", "src/core/flips", "cli/verbs",
                 "cli/writers", "src/io", "src/report/page", "python/src", "include")


def production_files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in ENDINGS and path.is_file() and not name.startswith(SKIPPED):
                yield name, path.read_text("utf-8")


def violations(root):
    naming = []
    for name, text in production_files(root):
        if KIND in text:
            naming.append(name)
        if not name.startswith(KIND_FOLDERS):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for what, pattern in FORBIDDEN.items():
                if pattern.search(line):
                    yield f"{name}:{number}: {what}: {line.strip()}"
    if len(naming) > MOST_FILES:
        yield f"{len(naming)} files name {KIND}, expected at most {MOST_FILES}: {', '.join(naming)}"


def self_test():
    bad = {"src/core/models/a.cpp": "std::visit([](const auto&) -> int { return 0; }, predictor);",
           "src/io/b.cpp": "return kKinds[model.predictor().index()];",
           "include/c.h": "return form < KernelForm::polynomial;"}
    good = {"src/core/models/a.cpp": "std::visit([](const auto& m) { return m.features(); }, predictor);",
            "src/core/methods/b.cpp": "[](const auto&) { return true; }"}
    for files, wanted in ((bad, len(bad)), (good, 0),
                          ({f"cli/{n}.cpp": KIND for n in range(MOST_FILES + 1)}, 1)):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
            found = list(violations(Path(folder)))
            assert len(found) == wanted, found
    print("self-test passed")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    found = list(violations(Path(sys.argv[1])))
    print("\n".join([f"{len(found)} violations", *found]))
    return sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
