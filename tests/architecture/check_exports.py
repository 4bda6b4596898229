#!/usr/bin/env python3
"""Checks that shared libraries export what public headers declare, and nothing else.

check_exports.py INCLUDE NAME=LIBRARY=ARCHIVE...  one component each: its shared library, and the
                                                  archive of the same objects
check_exports.py --self-test                      shows on made-up symbols that the check can fail

Every exported symbol has to be declared by a public header, and every function that a public header
declares and the archive defines has to be exported.
"""

import re
import subprocess
import sys
from pathlib import Path

# Our internal namespaces.
INNER = ("detail", "linalg", "simd", "io", "report", "train", "core")

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# The format puts a type's first line and its last at the beginning of theirs.
TYPE = re.compile(r"^(?:class|struct) (?:BISECTOR_EXPORT )?(\w+)[^;{]*\{(.*?)^\};",
                  re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"(operator\s*(?:\(\)|[^\s\w(]+)|~?\b\w+)\s*\(")
OF_A_TYPE = re.compile(r"(?:typeinfo(?: name)?|vtable) for (.+)")

CONSTANT = re.compile(r"static constexpr [\w:<> ]+ (\w+) =")


def declared_names(texts):
    """The functions ("explain"), types ("Model") and members ("Model::points") of public headers.

    Calls in inline functions are among them, which does no harm.
    """
    names = set()
    for text in texts:
        text = COMMENT.sub("", text)
        for name, body in TYPE.findall(text):
            names.add(name)
            names.update(f"{name}::{member}" for member in FUNCTION.findall(body))
            names.update(f"{name}::{member}" for member in CONSTANT.findall(body))
        names.update(FUNCTION.findall(TYPE.sub("", text)))
    return names


def qualified_name(symbol):
    """The parts of "bisector::Model::points() const": no arguments, no ABI tags, no kind of table."""
    if match := OF_A_TYPE.fullmatch(symbol):
        symbol = match[1]
    symbol = symbol.replace("[abi:cxx11]", "").replace("operator()", "operator\0")
    return [part.replace("\0", "()") for part in symbol.split("(")[0].split("::")]


def complaint(symbol, names):
    """Why a library should not export this symbol, or None."""
    space, *rest = qualified_name(symbol)
    if space != "bisector" or not rest:
        return "is not ours"
    if rest[0] in INNER and len(rest) > 1:
        return f"is internal, of bisector::{rest[0]}"
    if rest[0] in ("chart",):
        rest = rest[1:]
    name = "::".join(rest)
    return None if name in names else f"is in no public header: {name}"


def violations(exported, defined, names):
    """Of one component: exported symbols, functions that its archive defines, declared names."""
    for symbol in sorted(exported):
        if problem := complaint(symbol, names):
            yield f"exports {symbol}, which {problem}"
    for symbol in sorted(defined - exported):
        if complaint(symbol, names) is None:
            yield f"does not export {symbol}, which a public header declares"


def symbols(arguments, kinds):
    """The demangled names that nm finds, of these kinds (a regular expression)."""
    text = subprocess.run(["nm", "--demangle", "--defined-only", *arguments], check=True,
                          capture_output=True, text=True).stdout
    return {match[1] for match in re.finditer(rf"^[0-9a-f]+ {kinds} (.+)$", text, re.MULTILINE)}


NAMES = declared_names(["""
struct BISECTOR_EXPORT Model {
  Model(Matrix);
  Model& operator=(Model&&);
  std::size_t points() const;
};
BISECTOR_EXPORT Explanation explain(const Model&);
class Explainer final : public Base {
  double operator()(double) const;
  ~Explainer();
  class Implementation;  // hidden() is no function
};
"""])
# Exported, defined in the archive, and what the one violation says (None: there is no violation).
SELF_TESTS = [
    ({"bisector::Model::points() const", "vtable for bisector::Model", "bisector::Model::Model(int)",
      "bisector::explain(bisector::Model const&)", "typeinfo name for bisector::Explainer",
      "bisector::Explainer::operator()(double) const", "bisector::Explainer::~Explainer()",
      "bisector::Model::operator=(bisector::Model&&)", "bisector::chart::explain[abi:cxx11]()"},
     {"bisector::detail::explain()", "bisector::hidden()", "bisector::explain(bisector::Model const&)"},
     None),
    ({"bisector::detail::explain()"}, set(), "internal, of bisector::detail"),
    ({"bisector::linalg::explain()"}, set(), "internal, of bisector::linalg"),
    ({"vtable for bisector::io::Model"}, set(), "internal, of bisector::io"),
    ({"bisector::hidden()"}, set(), "in no public header: hidden"),
    ({"bisector::points()"}, set(), "in no public header: points"),
    ({"bisector::Explainer::Implementation::points()"}, set(), "in no public header: Explainer::Imp"),
    ({"vtable for bisector::Explainer::Implementation"}, set(), "in no public header: Explainer::Imp"),
    ({"std::vector<bisector::Model>::_M_realloc_insert(int)"}, set(), "is not ours"),
    ({"fmt::v9::format(bisector::Model)"}, set(), "is not ours"),
    (set(), {"bisector::explain(bisector::Model const&)"}, "does not export bisector::explain"),
    (set(), {"bisector::Model::points() const"}, "does not export bisector::Model::points"),
]


def self_test_failures():
    for exported, defined, expected in SELF_TESTS:
        found = list(violations(exported, defined, NAMES))
        if expected is None and found:
            yield f"expected no violation, found {found}"
        if expected is not None and (len(found) != 1 or expected not in found[0]):
            yield f'expected one violation with "{expected}", found {found}'


def check(include, components):
    names = declared_names(path.read_text(encoding="utf-8") for path in include.rglob("*.h"))
    for component in components:
        name, library, archive = component.split("=")
        exported = symbols(["--dynamic", library], "[A-Za-z]")
        print(f"{name}: {len(exported)} names exported")
        if not exported:
            yield f"{name} exports nothing"
        for problem in violations(exported, symbols([archive], "T"), names):
            yield f"{name} {problem}"


def main(arguments):
    if arguments == ["--self-test"]:
        problems = list(self_test_failures())
        print(f"{len(SELF_TESTS)} made-up libraries, {len(problems)} misjudged")
    elif len(arguments) > 1:
        problems = list(check(Path(arguments[0]), arguments[1:]))
        print(f"{len(problems)} violations")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
