#!/usr/bin/env python3
"""Fails unless a program has the hardening that the threat model states: check_hardening.py PROGRAM"""

import re
import subprocess
import sys


def readelf(option, program):
    return subprocess.run(["readelf", "--wide", option, program], check=True, capture_output=True, text=True).stdout


def missing(program):
    header, segments = readelf("--file-header", program), readelf("--segments", program)
    dynamic, symbols = readelf("--dynamic", program), readelf("--dyn-syms", program)
    stack = re.search(r"GNU_STACK.*", segments)
    found = {
        "PIE": re.search(r"Type:\s+DYN", header),
        "RELRO": "GNU_RELRO" in segments,
        "all symbols bound at the start": re.search(r"BIND_NOW|FLAGS.*NOW", dynamic),
        "a stack that is not executable": stack and "RWE" not in stack.group(),
        "stack protection": "__stack_chk_fail" in symbols,
        "fortified calls": re.search(r"__\w+_chk@", symbols.replace("__stack_chk_fail", "")),
    }
    return [name for name, there in found.items() if not there]


if __name__ == "__main__":
    lacking = missing(sys.argv[1])
    for name in lacking:
        print(f"{sys.argv[1]}: no {name}, expected one")
    sys.exit(1 if lacking else 0)
