#!/usr/bin/env python3
"""Checks the rules of vector code in src/core/simd that GCC does not enforce.

check_simd.py ROOT         checks a source tree, one line per violation
check_simd.py --self-test  shows on made-up sources that the check can fail

Every lambda has HWY_ATTR, because the target of a function does not extend to lambdas in other
compilers. No class has vectors as members, because vectors of scalable instruction sets have no
size.
"""

import re
import sys
from pathlib import Path

LAMBDA = re.compile(r"\[[&=\w, ]*\]\s*\(")
MEMBER = re.compile(r"^  (?:hn::Vec<|V |Sum<)[^()]*;")


def lambda_lines(text):
    """The numbers of lines with a lambda that has no HWY_ATTR between its parameters and its body."""
    for match in LAMBDA.finditer(text):
        if re.search(r"(operator|delete)\s*$", text[: match.start()]):
            continue
        end, depth = match.end(), 1
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        body = text.find("{", end)
        if body >= 0 and not text[end:body].strip().startswith("HWY_ATTR"):
            if re.match(r"\s*(HWY_ATTR|mutable|->|\{)", text[end:]):
                yield text.count("\n", 0, match.start()) + 1


def member_lines(text):
    """The numbers of lines that declare a vector as a member of a class."""
    is_inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"(struct|class)\b[^;]*\{\s*$", line):
            is_inside = True
        elif line.startswith("};"):
            is_inside = False
        elif is_inside and MEMBER.match(line):
            yield number


def violations(name, text):
    for number in lambda_lines(text):
        yield f"{name}:{number}: a lambda without HWY_ATTR, expected it between ) and {{"
    for number in member_lines(text):
        yield f"{name}:{number}: a vector as a member, expected a local variable or a plain number"


def self_test():
    good = "auto f = [&](int k) HWY_ATTR { return k; };\nstruct A {\n  T gamma;\n};\n"
    assert not list(violations("good", good)), list(violations("good", good))
    assert list(violations("bad", "auto f = [&](int k) { return k; };\n"))
    assert list(violations("bad", "struct A {\n  hn::Vec<D> sum[2];\n};\n"))
    assert list(violations("bad", "struct A {\n  V down, gamma;  // two\n};\n"))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = []
    for path in sorted((Path(sys.argv[1]) / "src/core/simd").glob("*")):
        text = path.read_text(encoding="utf-8")
        if "HWY_NAMESPACE" in text:
            found += violations(path.name, text)
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
