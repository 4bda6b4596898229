#!/usr/bin/env python3
"""Holds the sources to the directions of docs/architecture.md.

check_includes.py ROOT         checks a source tree, one line per violation
check_includes.py --self-test  shows on made-up trees that the check can fail
"""

import re
import sys
import tempfile
from pathlib import Path

# An area of src/ and the areas that it may include beside itself.
MAY_INCLUDE = {
    "simd": (),
    "linalg": ("simd",),
    "models": ("linalg",),
    "io": ("models", "linalg"),
    "neuralize": ("models", "linalg"),
    "explain": ("neuralize", "models", "linalg"),
    "baselines": ("neuralize", "models", "linalg"),
    "methods": ("explain", "baselines", "neuralize", "models", "linalg"),
    "evaluate": ("models", "linalg"),
    "train": ("models", "linalg"),
    "chemistry": ("models", "io", "linalg"),
    "draw": ("chemistry", "io"),
    "report": ("draw", "explain", "models", "linalg"),
    # No folder: the header that includes the others, for users.
    "users": ("methods", "explain", "io", "models"),
}

# A public header belongs to the area that has a source of its name. These have none: the
# vocabulary, which everybody may use, and those that several sources of an area implement.
EVERYBODY = "everybody"
AREA_OF_HEADER = {
    "error.h": EVERYBODY,
    "limits.h": EVERYBODY,
    "matrix.h": EVERYBODY,
    "version.h": EVERYBODY,
    "random.h": EVERYBODY,
    "bisector.h": "users",
    "predict.h": "models",
    "network.h": "explain",
    "explain.h": "explain",
    "baselines.h": "baselines",
    "methods.h": "methods",
    "data_reader.h": "io",
    "model_file.h": "io",
    "report.h": "report",
}

# Libraries that only some areas may know: how the header's path begins, and the areas.
KEPT_TO = {
    "hwy/": ("simd",),
    "cblas": ("linalg", "train", "bench"),  # the benchmarks measure the machine's peak with it
    "lapacke": ("linalg", "train"),
    "openblas": ("linalg", "train"),
    "libsvm/": ("train",),
    "svm.h": ("train",),
    "zip.h": ("io",),
    "protozero/": ("io",),
    "zlib.h": ("io",),
    "bzlib.h": ("io",),
}

# Folders on top of the library use its public headers only, but for these areas.
FRONT_ENDS = {
    "cli": (),
    "python": (),
    "experiments": (),
    "bench": ("linalg", "simd"),  # the kernels are measured alone, and are not public
}

NOT_OURS = re.compile(r"\..*|build.*|node_modules")  # folders in which others put their files
FOLDERS_WITH_SOURCES = ("include", "src", "tests", "fuzz", *FRONT_ENDS)
LONGEST_FILE = 600  # lines

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
STANDARD_HEADER = re.compile(r"[a-z_0-9]+")


def sources(folder):
    return sorted(
        path for path in folder.rglob("*")
        if path.suffix in (".cpp", ".h") and path.is_file()
        and not any(map(NOT_OURS.fullmatch, path.relative_to(folder).parts[:-1])))


def includes(path):
    """The (line number, header) pairs of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def area_of_header(root, header):
    """The area of "bisector/<header>", or None where nobody said."""
    if header in AREA_OF_HEADER:
        return AREA_OF_HEADER[header]
    owners = {path.parts[-2] for path in (root / "src").glob(f"*/{Path(header).stem}.cpp")}
    return owners.pop() if len(owners) == 1 else None


def area_of_target(root, header):
    """The area that an included path belongs to, or None for the outside world."""
    first, _, rest = header.partition("/")
    if first == "bisector":
        return area_of_header(root, rest)
    return first if first in MAY_INCLUDE else None


def kept_elsewhere(owner, header):
    """Why `owner` may not include this third-party header, or None."""
    for start, areas in KEPT_TO.items():
        if header.startswith(start) and owner not in areas:
            return f"<{header}> is for {' and '.join(areas)} only"
    return None


def direction(root, owner, header):
    """Why area `owner` may not include `header` of ours, or None."""
    area = area_of_target(root, header)
    if area in (owner, EVERYBODY, None) or area in MAY_INCLUDE.get(owner, ()):
        return None
    allowed = " ".join(MAY_INCLUDE.get(owner, ())) or "nothing else"
    return f'{owner} may not include {area} ("{header}"), expected {owner} -> {allowed}'


def check_library_include(root, path, owner, header):
    """An include of a file of src/ (area `owner`)."""
    is_sibling = "/" not in header and (path.parent / header).is_file()
    if is_sibling or header.startswith((".", "src/")):
        return f'"{header}" is not written from the root, expected "{owner}/..."'
    if header.split("/")[0] in FRONT_ENDS:
        return f'src may not include "{header}": front ends are on top of the library'
    return kept_elsewhere(owner, header) or direction(root, owner, header)


def check_public_include(root, owner, header):
    """An include of a public header that belongs to `owner`, an area or everybody."""
    if header.startswith("bisector/"):
        return direction(root, owner, header)
    if STANDARD_HEADER.fullmatch(header):
        return None
    return f"a public header includes {header}, expected the standard library or bisector/ only"


def check_front_end_include(root, path, owner, header):
    """An include of a file on top of the library."""
    if header.startswith("bisector/"):
        return None
    home = (root / owner).resolve()
    if any((base / header).resolve().is_relative_to(home) and (base / header).is_file()
           for base in (path.parent, home, root)):
        return None
    parts = [part for part in header.split("/") if part not in ("..", "src")]
    if len(parts) > 1 and parts[0] in MAY_INCLUDE and parts[0] not in FRONT_ENDS[owner]:
        return f'{owner} may include public headers only, not "{header}"'
    return kept_elsewhere(owner, header)


def check_files(root, paths, check):
    for path in paths:
        for number, header in includes(path):
            if problem := check(path, header):
                yield f"{path.relative_to(root)}:{number}: {problem}"


def check_library(root):
    for path in sources(root / "src"):
        owner = path.relative_to(root / "src").parts[0]
        if owner not in MAY_INCLUDE:
            yield (f"{path.relative_to(root)}: not in an area, expected src/ and one of "
                   + " ".join(MAY_INCLUDE))
            continue
        yield from check_files(
            root, [path], lambda path, header: check_library_include(root, path, owner, header))


def check_public_headers(root):
    for path in sources(root / "include"):
        owner = area_of_header(root, path.name)
        if owner is None:
            yield (f"{path.relative_to(root)}: belongs to no area, expected "
                   f"src/<area>/{path.stem}.cpp or a line in AREA_OF_HEADER")
            continue
        yield from check_files(
            root, [path], lambda _, header: check_public_include(root, owner, header))


def check_front_ends(root):
    for owner in FRONT_ENDS:
        yield from check_files(
            root, sources(root / owner),
            lambda path, header: check_front_end_include(root, path, owner, header))


def check_lengths(root):
    for folder in FOLDERS_WITH_SOURCES:
        for path in sources(root / folder):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > LONGEST_FILE:
                yield f"{path.relative_to(root)}: {lines} lines, expected at most {LONGEST_FILE}"


def violations(root):
    return [*check_library(root), *check_public_headers(root), *check_front_ends(root),
            *check_lengths(root)]


# Made-up trees: their files, and what the one violation says (None: there is no violation).
SELF_TESTS = [
    ({"src/explain/rule.cpp": '#include "bisector/rule.h"\n#include "neuralize/pools.h"',
      "include/bisector/rule.h": '#include <vector>\n#include "bisector/matrix.h"',
      "src/models/checks.cpp": '#include <fmt/format.h>\n// #include "explain/rule.h"',
      "src/simd/exp.cpp": "#include <hwy/highway.h>",
      "bench/exp.cpp": '#include "simd/exp.h"',
      "cli/main.cpp": '#include "cli/commands.h"\n#include "bisector/rule.h"',
      "cli/commands.h": '#include "options.h"', "cli/options.h": "",
      "python/build/third_party.h": "#include <zip.h>"}, None),
    ({"src/linalg/gemm.cpp": '#include "models/checks.h"'}, "linalg may not include models"),
    ({"src/models/a.cpp": "\n\n# include <explain/rule.h>"}, "src/models/a.cpp:3: models may not"),
    ({"src/explain/a.cpp": '#include "baselines/shapley.h"'}, "explain may not include baselines"),
    ({"src/baselines/a.cpp": '#include "explain/rule.h"'}, "baselines may not include explain"),
    ({"src/models/a.cpp": '#include "simd/exp.h"'}, "models may not include simd"),
    ({"src/explain/a.cpp": '#include "bisector/shapley.h"', "src/baselines/shapley.cpp": "",
      "include/bisector/shapley.h": ""}, "explain may not include baselines"),
    ({"src/report/a.cpp": '#include "cli/main.h"'}, "front ends are on top"),
    ({"src/models/a.cpp": '#include "b.h"', "src/models/b.h": ""}, "not written from the root"),
    ({"src/models/a.cpp": '#include "../explain/b.h"'}, "not written from the root"),
    ({"src/misc/a.cpp": ""}, "not in an area"),
    ({"src/linalg/a.cpp": "#include <hwy/highway.h>"}, "for simd only"),
    ({"src/explain/a.cpp": "#include <cblas.h>"}, "for linalg and train and bench only"),
    ({"src/linalg/a.cpp": "#include <libsvm/svm.h>"}, "for train only"),
    ({"src/train/a.cpp": "#include <zip.h>"}, "for io only"),
    ({"include/bisector/error.h": "#include <fmt/core.h>"}, "public header includes fmt/core.h"),
    ({"include/bisector/error.h": '#include "models/checks.h"'}, "public header includes models"),
    ({"include/bisector/a.h": '#include "bisector/b.h"', "include/bisector/b.h": "",
      "src/models/a.cpp": "", "src/explain/b.cpp": ""}, "models may not include explain"),
    ({"include/bisector/matrix.h": '#include "bisector/a.h"', "include/bisector/a.h": "",
      "src/models/a.cpp": ""}, "everybody may not include models"),
    ({"include/bisector/stray.h": ""}, "belongs to no area"),
    ({"cli/main.cpp": '#include "explain/rule.h"'}, "cli may include public headers only"),
    ({"experiments/a.cpp": '#include "linalg/gemm.h"'}, "experiments may include public"),
    ({"experiments/a.cpp": '#include "../src/linalg/gemm.h"'}, "experiments may include public"),
    ({"bench/a.cpp": '#include "models/checks.h"'}, "bench may include public headers only"),
    ({"python/binding.cpp": "#include <zip.h>"}, "for io only"),
    ({"src/io/long.cpp": "\n" * (LONGEST_FILE + 1)}, "601 lines"),
]


def self_test_failures():
    for files, expected in SELF_TESTS:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            found = violations(Path(folder))
        if expected is None and found:
            yield f"{list(files)}: expected no violation, found {found}"
        if expected is not None and (len(found) != 1 or expected not in found[0]):
            yield f'{list(files)}: expected one violation with "{expected}", found {found}'


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--self-test":
        problems = list(self_test_failures())
        print(f"{len(SELF_TESTS)} made-up trees, {len(problems)} misjudged")
    else:
        root = Path(arguments[0]).resolve()
        if not sources(root / "src"):
            print(f"{root}: no sources in src/, expected the project's root", file=sys.stderr)
            return 2
        problems = violations(root)
        print(f"{len(problems)} violations")
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
