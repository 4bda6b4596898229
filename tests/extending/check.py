#!/usr/bin/env python3
"""Checks the patches of docs/extending.md.

check.py ROOT            each patch applies, has a test, and touches no more production files than allowed
check.py ROOT --build [NAME...]
                         also builds a copy of the tree with each patch and runs the patch's tests
check.py --self-test     the check finds a patch that does not apply and one that touches too many files
"""

import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PRODUCTION = ("src/", "include/", "cli/", "tools/", "python/", "web/", "paper/")


@dataclass(frozen=True)
class Extension:
    most_files: int  # production files that the patch may touch
    area: str        # folder of tests/ with the patch's tests
    tests: str       # filter of these tests


EXTENSIONS = {
    "kind": Extension(7, "models", "PrototypeModel.*"),
    "kernel": Extension(4, "models", "Matern72.*"),
    "method": Extension(3, "explain", "EveryMethod.IsItsDefinitionForEveryKindOfModel"),
    "result": Extension(3, "cli", "PredictCommand.NearestWritesADistancePerRowInEveryFormat"),
    "sink": Extension(3, "cli", "ExplainCommand.TsvIsCsvWithTabs"),
}


def touched(patch):
    """Files of a patch, and which of them are new."""
    files, new = [], set()
    for old, path in re.findall(r"^--- (\S+)\n\+\+\+ b/(\S+)$", patch, re.MULTILINE):
        files.append(path)
        if old == "/dev/null":
            new.add(path)
    return files, new


def apply(patch, root, folder):
    """Applies a patch to a copy of the files that it touches; returns the problem or None."""
    files, new = touched(patch)
    for name in files:
        if name not in new:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, folder / name)
    done = subprocess.run(["git", "apply", "--unsafe-paths", "-"], cwd=folder, input=patch, text=True,
                          capture_output=True, env={"GIT_DIR": str(folder / "none"), "PATH": "/usr/bin:/bin"})
    return done.stderr.strip() or None


def problems(name, extension, patch, root):
    production = [f for f in touched(patch)[0] if f.startswith(PRODUCTION)]
    if len(production) > extension.most_files:
        yield f"{name}: {len(production)} production files, expected at most {extension.most_files}: " \
              + ", ".join(production)
    if not any(f.startswith("tests/") for f in touched(patch)[0]):
        yield f"{name}: no test"
    with tempfile.TemporaryDirectory() as folder:
        try:
            problem = apply(patch, root, Path(folder))
        except FileNotFoundError as error:
            problem = str(error)
        if problem:
            yield f"{name}: the patch does not apply, expected it to be renewed: {problem}"


def build(name, extension, patch, root):
    """Builds a patched copy next to the tree, so that compilers find unchanged objects in their cache."""
    folder = root / f"build-extending-{name}"
    shutil.rmtree(folder / "tree", ignore_errors=True)
    shutil.copytree(root, folder / "tree", ignore=shutil.ignore_patterns("build", "build-*", ".git", "node_modules"))
    subprocess.run(["git", "apply", "--unsafe-paths", "-"], cwd=folder / "tree", input=patch, text=True, check=True,
                   env={"GIT_DIR": str(folder / "none"), "PATH": "/usr/bin:/bin"})
    tests = f"{extension.area}_tests"
    subprocess.run(["cmake", "-G", "Ninja", "-S", folder / "tree", "-B", folder / "build",
                    "-DCMAKE_BUILD_TYPE=Debug", "-DBISECTOR_BUILD_TESTS=ON", "-DBISECTOR_REPORT_PAGE=OFF",
                    f"-DBISECTOR_BUILD_CLI={'ON' if extension.area == 'cli' else 'OFF'}",
                    f"-DBISECTOR_TEST_AREAS={extension.area}", "-DBISECTOR_FAST_BUILD=ON"], check=True)
    subprocess.run(["cmake", "--build", folder / "build", "--target", tests], check=True)
    program = next(p for p in (folder / "build").rglob(tests) if p.is_file())
    subprocess.run([program, f"--gtest_filter={extension.tests}", "--gtest_brief=1"], check=True)


def self_test():
    good = "--- a/src/a.h\n+++ b/src/a.h\n@@ -1 +1 @@\n-one\n+two\n--- /dev/null\n+++ b/tests/t.cpp\n@@ -0,0 +1 @@\n+x\n"
    with tempfile.TemporaryDirectory() as root:
        (Path(root) / "src").mkdir()
        (Path(root) / "src/a.h").write_text("one\n", "utf-8")
        one, none = Extension(1, "", ""), Extension(0, "", "")
        assert not list(problems("good", one, good, Path(root)))
        assert "production files" in next(problems("many", none, good, Path(root)))
        assert "does not apply" in next(problems("old", one, good.replace("-one", "-three"), Path(root)))
        assert "no test" in next(problems("untested", one, good.split("--- /dev")[0], Path(root)))
    print("self-test passed")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root, builds = Path(sys.argv[1]).resolve(), "--build" in sys.argv
    names = [a for a in sys.argv[2:] if not a.startswith("--")] or list(EXTENSIONS)
    failed = False
    for name in names:
        patch = (root / "tests/extending" / f"{name}.patch").read_text("utf-8")
        for problem in problems(name, EXTENSIONS[name], patch, root):
            print(problem)
            failed = True
        if builds and not failed:
            build(name, EXTENSIONS[name], patch, root)
    print("failed" if failed else "passed")
    return sys.exit(failed)


if __name__ == "__main__":
    main()
