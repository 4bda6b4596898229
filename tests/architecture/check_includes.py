#!/usr/bin/env python3
"""Checks that includes have the directions of docs/architecture.md.

check_includes.py ROOT         checks a source tree, one line per violation
check_includes.py --self-test  shows on made-up trees that the check can fail
"""

import re
import sys
import tempfile
from pathlib import Path

# A component of the library, and those that it may use.
COMPONENTS = {
    "core": (),
    "io": ("core",),
    "train": ("core", "io"),
    "report": ("core",),
}

# A module, a folder of src/, and the modules whose internal headers it may include in addition to its own. A file
# is in the innermost module around it; those in a component's own folder put its modules together.
MAY_INCLUDE = {
    "core/util": (),
    "core/simd": ("core/util",),
    "core/linalg": ("core/simd", "core/util"),
    "core/models": ("core/linalg", "core/util"),
    "core/contrast": ("core/models", "core/linalg", "core/util"),
    "core/methods": ("core/contrast", "core/models", "core/linalg", "core/util"),
    "core/explain": ("core/methods", "core/contrast", "core/models", "core/linalg", "core/util"),
    "core/evaluate": ("core/explain", "core/methods", "core/contrast", "core/models", "core/linalg", "core/util"),
    "core/flips": ("core/contrast", "core/models", "core/linalg", "core/util"),
    "io/common": (),
    "io/text": ("io/common", "core/models", "core/util"),
    "io/arrays": ("io/common", "io/text"),
    "io/packed": ("io/common", "io/text"),
    "io/libsvm": ("io/common", "io/text", "core/models"),
    "io/bundle": ("io/common", "io/text", "io/arrays", "core/models"),
    "io": ("io/common", "io/text", "io/arrays", "io/packed", "io/libsvm", "io/bundle",
           "core/models", "core/util"),
    "train": ("core/models", "core/linalg", "core/simd", "core/util", "io/text"),
    "report/page": ("core/models",),
    "report": ("report/page", "core/models", "core/linalg", "core/util"),
}

# A public header belongs to the component of its subfolder. Those without are the core's, but for the
# entry point, which reads files too; they belong to the module that has a source of their name. These have
# none: the vocabulary, which every module may use, and those that several sources implement.
ENTRY_POINT = "bisector.h"
VOCABULARY = "vocabulary"
MODULE_OF_HEADER = {
    "distance.h": VOCABULARY,
    "enum_names.h": VOCABULARY,
    "error.h": VOCABULARY,
    "export.h": VOCABULARY,
    "kernel.h": VOCABULARY,
    "kernel_forms.h": VOCABULARY,
    "limits.h": VOCABULARY,
    "matrix.h": VOCABULARY,
    "model_fields.h": VOCABULARY,
    "method.h": VOCABULARY,  # a model keeps the one that was measured for it
    "method_table.h": VOCABULARY,
    "random.h": VOCABULARY,
    "text.h": VOCABULARY,
    "version.h": VOCABULARY,
    "predict.h": "core/models",
    "baselines.h": "core/contrast",
    "explain.h": "core/contrast",
    "network.h": "core/contrast",
}

# Folders on top of the library: what they may include in addition to themselves and the public headers.
FRONT_ENDS = {
    "tools": (),
    "cli": ("tools",),
    "paper": ("tools",),
    "python": (),
    "bench": ("core/linalg", "core/simd", "core/util"),  # the kernels are measured alone, and are not public
    "web/engine": ("report/page",),  # the model as the page carries it
}

# Libraries that only some modules may know: how the header's path begins, and the modules and front ends,
# with the modules inside them. What systems do differently is behind the modules for it.
PLATFORM = ("core/util", "io/common", "tools/platform", "paper")
KEPT_TO = {
    **dict.fromkeys(("sys/", "fcntl.h", "io.h", "process.h", "signal.h", "spawn.h", "unistd.h", "windows.h"),
                    PLATFORM),
    "cpuid.h": ("core/simd",),
    "fast_float/": ("core/util",),
    "hwy/": ("core/simd", "web/engine"),
    "Eigen/": ("core/linalg", "train"),
    "svm.h": ("train",),
    "libsvm/": ("train",),
    "cblas": ("bench",),  # the benchmarks measure the machine's peak with it
    "zip.h": ("io/arrays",),
    "zlib.h": ("io/packed",),
    "zstd.h": ("io/packed",),
    "nlohmann/": ("io", "report", "cli", "paper", "bench"),
    "CLI/": ("cli", "paper"),
    "nanobind/": ("python",),
    "benchmark/": ("bench",),
}
FOR_ALL = re.compile(r"[a-z_0-9]+|fmt/.*")  # std, fmt

# The namespaces that headers may declare into, inside bisector (""). The public ones are first.
NAMESPACES = {
    "include/core": ("", "detail"),
    "include/io": ("",),
    "include/train": ("",),
    "include/report": ("",),
    "core": ("detail", "linalg", "simd", "util"),
    "io": ("io",),
    "train": ("detail",),
    "report": ("report",),
    "tools": ("tools",),
    "cli": ("cli",),
    "paper": ("paper", "molecules"),
}

NOT_OURS = re.compile(r"\..*|build.*|node_modules")  # folders in which others put their files
FOLDERS_WITH_SOURCES = ("include", "src", "tests", "fuzz", *FRONT_ENDS)
LONGEST_FILE = 600  # lines

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
SYSTEM_CALL = re.compile(r"(?<![\w>:)])::[a-z_]+\(")
NAMESPACE = re.compile(r"^\s*namespace bisector(?:::(\w+))?[\w:]* *\{")
USING = re.compile(r"^using namespace ")
DOCUMENTED = re.compile(r"\| `([\w/]+)/` \| .* \| ([\w/, –]+) \|")
NEEDS = re.compile(r"^set\(bisector_needs_(\w+) ([\w ]+)\)", re.MULTILINE)
STANDARD_HEADER = re.compile(r"[a-z_0-9]+")


def sources(folder):
    return sorted(
        path for path in folder.rglob("*")
        if path.suffix in (".cpp", ".h") and path.is_file()
        and not any(map(NOT_OURS.fullmatch, path.relative_to(folder).parts[:-1])))


def numbered(path):
    return enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)


def includes(path):
    """The (line number, header) pairs of a file."""
    for number, line in numbered(path):
        if match := INCLUDE.match(line):
            yield number, match[1]


def is_in(module, outer):
    return module == outer or module.startswith(outer + "/")


def module_of_path(path):
    """The innermost module around a path below src/ ("io/text/csv.h"), or None."""
    return next((str(folder) for folder in Path(path).parents if str(folder) in MAY_INCLUDE), None)


def module_of_header(root, header):
    """The module, or the component, of the public header "bisector/<header>"; None if unknown."""
    if header == ENTRY_POINT:
        return "io"
    if "/" in header:
        component = header.split("/")[0]
        return component if component in COMPONENTS and component != "core" else None
    if header in MODULE_OF_HEADER:
        return MODULE_OF_HEADER[header]
    found = (root / "src/core").rglob(f"{Path(header).stem}.cpp")
    modules = {module_of_path(path.relative_to(root / "src")) for path in found}
    return modules.pop() if len(modules) == 1 else None


def component_of(module):
    return "core" if module == VOCABULARY else module.split("/")[0]


def public_direction(root, owner, header):
    """Why module `owner` may not include the public header "bisector/<header>", or None."""
    module = module_of_header(root, header)
    if module in (owner, VOCABULARY, None):
        return None
    own, other = component_of(owner), component_of(module)
    if own != other:
        allowed = COMPONENTS[own]
        if other in allowed and header != ENTRY_POINT:
            return None
        return (f'{own} may not include {other} ("bisector/{header}"), expected '
                f"{own} -> {' '.join(allowed) or 'nothing else'}")
    if own != "core" or module in MAY_INCLUDE.get(owner, ()):
        return None
    return f'{owner} may not include {module} ("bisector/{header}")'


def internal_direction(owner, header):
    """Why module `owner` may not include this file of src/, or None."""
    module = module_of_path(header)
    if module == owner or module in MAY_INCLUDE[owner]:
        return None
    allowed = " ".join(MAY_INCLUDE[owner]) or "nothing else"
    return f'{owner} may not include {module} ("{header}"), expected {owner} -> {allowed}'


def kept_elsewhere(owner, header):
    """Why `owner`, a module or a front end, may not include this third-party header, or None."""
    for start, owners in KEPT_TO.items():
        if header.startswith(start):
            if any(is_in(owner, allowed) for allowed in owners):
                return None
            return f"<{header}> is for {' and '.join(owners)} only"
    return None


def check_library_include(root, path, owner, header):
    """An include of a file of src/ in the module `owner`."""
    is_sibling = "/" not in header and (path.parent / header).is_file()
    if is_sibling or header.startswith((".", "src/")):
        return f'"{header}" is not written from src/, expected "{owner}/..."'
    if any(is_in(header, front_end) for front_end in FRONT_ENDS):
        return f'src may not include "{header}": front ends are on top of the library'
    first, _, rest = header.partition("/")
    if first == "bisector":
        return public_direction(root, owner, rest)
    if first in COMPONENTS and rest:
        return internal_direction(owner, header)
    if not FOR_ALL.fullmatch(header) and not header.startswith(tuple(KEPT_TO)):
        return f"<{header}> is of an unknown library, expected a line in KEPT_TO"
    return kept_elsewhere(owner, header)


def check_public_include(root, owner, header):
    """An include of a public header that belongs to `owner`, a module, a component or the vocabulary."""
    if header.startswith("bisector/"):
        return public_direction(root, owner, header.removeprefix("bisector/"))
    if STANDARD_HEADER.fullmatch(header):
        return None
    return f"a public header includes {header}, expected the standard library or bisector/ only"


def check_front_end_include(root, path, owner, header):
    """An include of a file on top of the library."""
    if header.startswith("bisector/"):
        return None
    bases = (path.parent, root / owner, root)
    targets = [target for base in bases if (target := (base / header).resolve()).is_file()]
    for other in FRONT_ENDS:
        if is_in(header, other) or any(target.is_relative_to(root / other) for target in targets):
            allowed = other in (owner, *FRONT_ENDS[owner])
            return None if allowed else f'{owner} may not include {other} ("{header}")'
    inner = re.sub(r"^(\.\./)*(src/)?", "", header)
    is_internal = "/" in inner and inner.split("/")[0] in COMPONENTS
    if is_internal and module_of_path(inner) not in FRONT_ENDS[owner]:
        return f'{owner} may include public headers only, not "{header}"'
    return kept_elsewhere(path.parent.relative_to(root).as_posix(), header)


def check_files(root, paths, check):
    for path in paths:
        for number, header in includes(path):
            if problem := check(path, header):
                yield f"{path.relative_to(root)}:{number}: {problem}"


def check_library(root):
    for path in sources(root / "src"):
        owner = module_of_path(path.relative_to(root / "src"))
        if owner is None:
            yield f"{path.relative_to(root)}: in no module, expected src/ and one of " + " ".join(MAY_INCLUDE)
            continue
        yield from check_files(
            root, [path], lambda path, header: check_library_include(root, path, owner, header))


def check_public_headers(root):
    include = root / "include/bisector"
    for path in sources(root / "include"):
        owner = module_of_header(root, str(path.relative_to(include)))
        if owner is None:
            yield (f"{path.relative_to(root)}: belongs to no module, expected a component's subfolder, "
                   f"src/core/<module>/{path.stem}.cpp or a line in MODULE_OF_HEADER")
            continue
        yield from check_files(
            root, [path], lambda _, header: check_public_include(root, owner, header))


def check_front_ends(root):
    for owner in FRONT_ENDS:
        yield from check_files(
            root, sources(root / owner),
            lambda path, header: check_front_end_include(root, path, owner, header))


def check_system_calls(root):
    """Calls of the system stand where its headers may: others compile where some header brings it along."""
    allowed = PLATFORM
    for base, folders in ((root / "src", COMPONENTS), (root, FRONT_ENDS)):
        for path in (path for folder in folders for path in sources(base / folder)):
            owner = path.parent.relative_to(base).as_posix()
            for number, line in numbered(path):
                if SYSTEM_CALL.search(line) and not any(is_in(owner, module) for module in allowed):
                    yield (f"{path.relative_to(root)}:{number}: calls the system, expected in "
                           f"{' or '.join(allowed)} only")


def check_lengths(root):
    for folder in FOLDERS_WITH_SOURCES:
        for path in sources(root / folder):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > LONGEST_FILE:
                yield f"{path.relative_to(root)}: {lines} lines, expected at most {LONGEST_FILE}"


def namespace_owner(root, path):
    """The key of NAMESPACES for a header, or None."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        module = module_of_header(root, "/".join(parts[2:]))
        return None if module is None else f"include/{component_of(module)}"
    return parts[1] if parts[0] == "src" else parts[0]


def check_namespaces(root):
    """Headers declare into the namespaces of their component, and open none for others."""
    for folder in FOLDERS_WITH_SOURCES:
        for path in sources(root / folder):
            if path.suffix != ".h":
                continue
            allowed = NAMESPACES.get(namespace_owner(root, path))
            for number, line in numbered(path):
                where = f"{path.relative_to(root)}:{number}"
                if USING.match(line):
                    yield f"{where}: a header opens a namespace for every file that includes it: {line.strip()}"
                match = NAMESPACE.match(line)
                if match and allowed is not None and (match[1] or "") not in allowed:
                    names = " or ".join(f"bisector::{name}".removesuffix("::") for name in allowed)
                    yield f"{where}: declares into {line.strip(' {')}, expected {names}"


def documented(text):
    """The rows of docs/architecture.md's tables: folder, and what it may include."""
    for line in text.splitlines():
        if match := DOCUMENTED.fullmatch(line):
            yield match[1].removeprefix("src/"), tuple(match[2].replace("–", "").split(", "))


def check_documents(root):
    """The build and the documentation say what the tables here say."""
    page, build = root / "docs/architecture.md", root / "cmake/Components.cmake"
    if page.is_file():
        rows = dict(documented(page.read_text(encoding="utf-8")))
        for module, allowed in {**MAY_INCLUDE, **FRONT_ENDS}.items():
            if set(rows.get(module, ("no row",))) - {""} != set(allowed):
                yield (f"docs/architecture.md: {module} may include {', '.join(rows.get(module, ['no row']))}"
                       f", expected {', '.join(allowed) or '–'}")
    if build.is_file():
        found = {name: tuple(needs.split()) for name, needs in NEEDS.findall(build.read_text("utf-8"))}
        if {"core": (), **found} != COMPONENTS:
            yield f"cmake/Components.cmake: components need {found}, expected {COMPONENTS}"


def violations(root):
    return [*check_library(root), *check_public_headers(root), *check_front_ends(root),
            *check_system_calls(root), *check_lengths(root), *check_namespaces(root), *check_documents(root)]


def table_with(**changed):
    """The documentation's tables with some rows changed ("core/simd" is written core__simd)."""
    rows = {**MAY_INCLUDE, **FRONT_ENDS, **{name.replace("__", "/"): to for name, to in changed.items()}}
    return "\n".join(f"| `{module}/` | what it knows | {', '.join(allowed) or '–'} |"
                     for module, allowed in rows.items() if allowed is not None)


# Made-up trees: their files, and what the one violation says (None: there is no violation).
SELF_TESTS = [
    ({"src/core/explain/rule.cpp": '#include "bisector/rule.h"\n#include "core/contrast/pools.h"',
      "include/bisector/rule.h": '#include <vector>\n#include "bisector/matrix.h"\nnamespace bisector {',
      "src/core/models/checks.cpp": '#include <fmt/format.h>\n// #include "core/explain/rule.h"',
      "src/core/simd/exp.cpp": "#include <hwy/highway.h>",
      "src/core/util/memory.cpp": "#include <sys/mman.h>",
      "src/core/explain/baselines/a.cpp": '#include "core/explain/rule.h"',
      "src/core/linalg/a.h": "namespace bisector::linalg {\nnamespace bisector::simd {",
      "src/io/text/a.cpp": '#include "io/common/limits.h"\n#include "bisector/rule.h"',
      "src/io/entry point.cpp": '#include "io/text/a.h"\n#include "bisector/bisector.h"',
      "src/io/packed/a.h": "#include <zlib.h>\nnamespace bisector::io {",
      "include/bisector/bisector.h": '#include "bisector/rule.h"\n#include "bisector/io/a.h"',
      "include/bisector/io/a.h": "namespace bisector {",
      "bench/exp.cpp": '#include "core/simd/exp.h"',
      "tools/output.h": '#include "tools/streams.h"\nnamespace bisector::tools {', "tools/streams.h": "",
      "cli/main.cpp": '#include "cli/verbs/a.h"\n#include "tools/output.h"\n#include "bisector/rule.h"',
      "cli/verbs/a.h": '#include "b.h"\nnamespace CLI {', "cli/verbs/b.h": "",
      "paper/wine/a.cpp": '#include "wine/a.h"\n#include "tools/output.h"',
      "paper/wine/a.h": "namespace bisector::paper {",
      "paper/molecules/a.h": "namespace bisector::molecules {",
      "web/engine/a.cpp": '#include "report/page/packed_model.h"\n#include <hwy/targets.h>',
      "tests/core/a.cpp": '#include "cli/main.h"\nusing namespace bisector::detail;',
      "python/build/third_party.h": "#include <zip.h>\nusing namespace std;"}, None),
    # Modules of the core.
    ({"src/core/linalg/a.cpp": '#include "core/models/b.h"'}, "core/linalg may not include core/models"),
    ({"src/core/models/a.cpp": "\n\n# include <core/explain/b.h>"},
     "src/core/models/a.cpp:3: core/models may not include core/explain"),
    ({"src/core/models/a.cpp": '#include "core/simd/exp.h"'}, "core/models may not include core/simd"),
    ({"src/core/explain/a.cpp": '#include "core/evaluate/b.h"'}, "may not include core/evaluate"),
    ({"src/core/models/a.cpp": '#include "bisector/b.h"', "src/core/explain/b.cpp": "",
      "include/bisector/b.h": ""}, 'core/models may not include core/explain ("bisector/b.h")'),
    ({"include/bisector/a.h": '#include "bisector/b.h"', "include/bisector/b.h": "",
      "src/core/models/a.cpp": "", "src/core/explain/b.cpp": ""}, "core/models may not include core/exp"),
    ({"include/bisector/matrix.h": '#include "bisector/a.h"', "include/bisector/a.h": "",
      "src/core/models/a.cpp": ""}, "vocabulary may not include core/models"),
    ({"include/bisector/stray.h": ""}, "belongs to no module"),
    ({"include/bisector/core/a.h": ""}, "belongs to no module"),
    ({"src/core/simd/a.cpp": "#include <sys/mman.h>"}, "<sys/mman.h> is for core/util"),
    ({"cli/a.cpp": "#include <unistd.h>"}, "<unistd.h> is for core/util"),
    ({"cli/a.cpp": "\nlong pages = ::sysconf(1);"}, "cli/a.cpp:2: calls the system"),
    ({"src/io/text/a.cpp": "auto a = std::move(b), c = fmt::format(d), e = bisector::io::read(f);"}, None),
    # Components.
    ({"src/core/explain/a.cpp": '#include "io/text/b.h"'}, "core/explain may not include io/text"),
    ({"src/core/explain/a.cpp": '#include "bisector/io/b.h"', "include/bisector/io/b.h": ""},
     "core may not include io"),
    ({"src/core/explain/a.cpp": '#include "bisector/bisector.h"'}, "core may not include io"),
    ({"src/train/a.cpp": '#include "bisector/bisector.h"'}, "train may not include io"),
    ({"include/bisector/matrix.h": '#include "bisector/io/b.h"', "include/bisector/io/b.h": ""},
     "core may not include io"),
    ({"src/io/text/a.cpp": '#include "bisector/train/b.h"'}, "io may not include train"),
    ({"src/report/page/a.cpp": '#include "bisector/io/b.h"'}, "report may not include io"),
    ({"include/bisector/report/a.h": '#include "bisector/train/b.h"',
      "include/bisector/train/b.h": ""}, "report may not include train"),
    ({"src/train/a.cpp": '#include "report/page/b.h"'}, "train may not include report/page"),
    # Modules of the other components.
    ({"src/io/common/a.cpp": '#include "io/text/b.h"'}, "io/common may not include io/text"),
    ({"src/io/text/a.cpp": '#include "io/recognize.h"'}, 'io/text may not include io ("io/recog'),
    ({"src/io/packed/a.cpp": '#include "io/libsvm/b.h"'}, "io/packed may not include io/libsvm"),
    ({"src/report/page/a.cpp": '#include "report/b.h"'}, "report/page may not include report"),
    ({"src/misc/a.cpp": ""}, "in no module"),
    ({"src/core/a.cpp": ""}, "in no module"),
    # How includes are written.
    ({"src/core/models/a.cpp": '#include "b.h"', "src/core/models/b.h": ""}, "not written from src/"),
    ({"src/core/models/a.cpp": '#include "../explain/b.h"'}, "not written from src/"),
    # Libraries of others.
    ({"src/core/linalg/a.cpp": "#include <hwy/highway.h>"}, "for core/simd and web/engine only"),
    ({"src/core/models/a.cpp": "#include <Eigen/Dense>"}, "for core/linalg and train only"),
    ({"src/core/explain/a.cpp": "#include <cblas.h>"}, "for bench only"),
    ({"src/io/libsvm/a.cpp": "#include <libsvm/svm.h>"}, "for train only"),
    ({"src/train/a.cpp": "#include <zip.h>"}, "for io/arrays only"),
    ({"src/core/models/a.cpp": "#include <nlohmann/json.hpp>"}, "is for io and report and cli"),
    ({"tools/a.cpp": "#include <CLI/CLI.hpp>"}, "is for cli and paper only"),
    ({"python/binding.cpp": "#include <zip.h>"}, "for io/arrays only"),
    ({"src/train/a.cpp": "#include <boost/any.hpp>"}, "of an unknown library"),
    ({"include/bisector/error.h": "#include <fmt/core.h>"}, "public header includes fmt/core.h"),
    ({"include/bisector/error.h": '#include "core/models/a.h"'}, "public header includes core"),
    # Front ends.
    ({"src/report/page/a.cpp": '#include "cli/main.h"'}, "front ends are on top"),
    ({"src/io/text/a.cpp": '#include "tools/output.h"'}, "front ends are on top"),
    ({"cli/main.cpp": '#include "core/explain/rule.h"'}, "cli may include public headers only"),
    ({"paper/a.cpp": '#include "../src/core/linalg/a.h"'}, "paper may include public"),
    ({"bench/a.cpp": '#include "core/models/checks.h"'}, "bench may include public headers only"),
    ({"web/engine/a.cpp": '#include "io/text/a.h"'}, "web/engine may include public headers only"),
    ({"paper/a.cpp": '#include "cli/run.h"', "cli/run.h": ""}, "paper may not include cli"),
    ({"paper/molecules/a.cpp": '#include "io/text/b.h"'}, "paper may include public headers only"),
    ({"cli/a.cpp": '#include "paper/b.h"'}, "cli may not include paper"),
    ({"cli/a.cpp": '#include "../paper/b.h"', "paper/b.h": ""}, "cli may not include paper"),
    ({"tools/a.cpp": '#include "cli/run.h"', "cli/run.h": ""}, "tools may not include cli"),
    ({"tools/a.cpp": '#include "io/text/csv.h"'}, "tools may include public headers only"),
    ({"python/a.cpp": '#include "tools/output.h"', "tools/output.h": ""}, "python may not include tools"),
    # Namespaces.
    ({"src/core/models/a.h": "namespace bisector {"}, "expected bisector::detail or bisector::linalg"),
    ({"src/io/text/a.h": "\nnamespace bisector::detail {"}, "a.h:2: declares into namespace bisector::det"),
    ({"src/report/page/a.h": "namespace bisector {"}, "expected bisector::report"),
    ({"paper/a.h": "namespace bisector {"}, "expected bisector::paper or bisector::molecules"),
    ({"include/bisector/io/a.h": "namespace bisector::io {"}, "bisector::io, expected bisector"),
    ({"cli/a.h": "namespace bisector {"}, "expected bisector::cli"),
    ({"tests/reference/a.h": "using namespace detail;"}, "a header opens a namespace"),
    # Documents.
    ({"docs/architecture.md": table_with()}, None),
    ({"docs/architecture.md": table_with(core__linalg=())}, "core/linalg may include , expected core/simd"),
    ({"docs/architecture.md": table_with(core__simd=("io",))}, "core/simd may include io, expected core/util"),
    ({"docs/architecture.md": table_with(tools=None)}, "tools may include no row"),
    ({"cmake/Components.cmake": "set(bisector_needs_io core train)"}, "components need {'io': ('core', 't"),
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
