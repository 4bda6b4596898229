#!/usr/bin/env python3
"""Fails where the product could run what a file says: check_no_execution.py ROOT | --self-test

No shell, no eval, no pickle, no library chosen at run time, in the library, the commands, the package and the page."""

import re
import sys
from pathlib import Path

FORBIDDEN = {
    (".cpp", ".h"): r"\b(?:system|popen|posix_spawnp?|execl\w*|execvp?e?|dlopen)\s*\(",
    (".py",): r"(?<![\w.])(?:eval|exec|__import__)\(|\b(?:pickle|joblib|dill|marshal|shelve)\.|allow_pickle=True|os\.system|"
              r"shell=True|\bimport (?:pickle|joblib|dill|marshal|subprocess)",
    (".ts",): r"(?<![\w.])eval\(|new Function|innerHTML|outerHTML|document\.write|insertAdjacentHTML|\bfetch\(|XMLHttpRequest|WebSocket",
}
FOLDERS = ("src", "include", "tools", "cli", "paper", "python/bisector", "python/src", "web/src", "web/engine")
# The reason follows the file.
ALLOWED = {
    # Runs our own command, which lies in the package or is named by the user, without a shell.
    "python/bisector/_command.py",
}


def findings(text, pattern):
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"(//|#).*", "", line)
        if re.search(pattern, code):
            yield number, line.strip()


def check(root):
    count = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = str(path.relative_to(root))
            for endings, pattern in FORBIDDEN.items():
                if path.suffix not in endings or name in ALLOWED:
                    continue
                for number, line in findings(path.read_text("utf-8"), pattern):
                    print(f"{name}:{number}: {line}, expected nothing that runs or fetches")
                    count += 1
    return count


def self_test():
    bad = {".cpp": ['system("rm");', "popen(command, mode);", 'dlopen("x.so", 1);'],
           ".py": ["eval(text)", "import pickle", "np.load(f, allow_pickle=True)"],
           ".ts": ["eval(x)", "node.innerHTML = text", "new Function(text)", "fetch(address)"]}
    good = {".cpp": ["Matrix system_of(rows);", "matrix.eval();"], ".py": ["model.eval()", "allow_pickle=False"],
            ".ts": ["node.textContent = text"]}
    for wanted, cases in ((True, bad), (False, good)):
        for ending, lines in cases.items():
            pattern = next(p for endings, p in FORBIDDEN.items() if ending in endings)
            for line in lines:
                assert any(findings(line, pattern)) == wanted, line
    print("self-test passed")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "--self-test":
        sys.exit(self_test())
    found = check(Path(sys.argv[1]))
    print(f"{found} findings")
    sys.exit(1 if found else 0)
