#!/usr/bin/env python3
"""Check the language of documents, help texts and comments.

check_prose.py tree ROOT           all of the following for a source tree
check_prose.py documents FILE...   Markdown: glossary, lengths of lines and sentences, links, anchors
check_prose.py sources FILE...     comments, docstrings, messages and texts of pages: glossary
check_prose.py help COMMAND        every help text of the command: glossary
check_prose.py --self-test         show that each rule can fail

The check of a tree also runs codespell on its documents and sources.

Each finding is one line: file, line, what was found and what to write instead.
"""

import ast
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LONGEST_LINE = 100  # columns; tables, code and links are exempt
LONGEST_SENTENCE = 45  # words
SLASHES, HASH = re.compile(r"//|/\*|^\s*\*"), re.compile("#")
COMMENT_MARKS = {".cpp": SLASHES, ".h": SLASHES, ".ts": SLASHES, ".mjs": SLASHES, ".css": SLASHES,
                 ".py": HASH, ".cmake": HASH, ".txt": HASH, ".sh": HASH, ".yml": HASH, ".yaml": HASH,
                 "": HASH, ".html": re.compile("<!--")}


def read_glossary():
    """Return the phrases to avoid in sources, and those to avoid in documents and help texts."""
    def pairs(part):
        lines = [line.split("\t") for line in part.splitlines() if line and not line.startswith("#")]
        return [(re.compile(pattern, re.IGNORECASE), advice) for pattern, advice in lines]
    text = Path(__file__).with_name("glossary.txt").read_text("utf-8")
    everywhere, documents = text.split("[documents]\n")
    return pairs(everywhere), pairs(everywhere + documents)


IN_SOURCES, IN_DOCUMENTS = read_glossary()


def glossary_findings(text, glossary=IN_DOCUMENTS):
    for pattern, advice in glossary:
        for match in pattern.finditer(text):
            yield f'"{match[0]}": write instead: {advice}'


def prose_lines(text):
    """Yield (number, line) for the lines of a Markdown text outside code blocks."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not line.startswith("    "):
            yield number, line


def is_exempt(line):
    return line.lstrip().startswith(("|", "#", "$$")) or "](" in line or "http" in line


def sentences(lines):
    """Yield (number, words) of each sentence; paragraphs end at blank lines, lists and tables."""
    words, start = [], 0
    for number, line in [*lines, (0, "")]:
        stripped = line.strip()
        begins_block = not stripped or re.match(r"([-*|#>:]|\d+\.)", stripped)
        if begins_block and words:
            yield start, words
            words = []
        if not stripped or stripped.startswith(("|", "#", ":")):
            continue
        for word in re.sub(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)", "X", stripped).split():
            if not words:
                start = number
            words.append(word)
            if re.search(r"[.?!:;]\W*$", word):
                yield start, words
                words = []


def check_document(text):
    lines = list(prose_lines(text))
    for number, line in lines:
        yield from ((number, finding) for finding in glossary_findings(re.sub(r"`[^`]*`", "", line)))
        if len(line) > LONGEST_LINE and not is_exempt(line):
            yield number, f"{len(line)} columns, expected at most {LONGEST_LINE}"
    for number, words in sentences(lines):
        if len(words) > LONGEST_SENTENCE:
            yield number, f"a sentence of {len(words)} words, expected at most {LONGEST_SENTENCE}"


def python_texts(text):
    """Yield (number, text) for the docstrings and string literals of a Python source with a blank."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield from enumerate(node.value.splitlines(), node.lineno)


def literals(text):
    """Yield (number, literal) for the string literals of C++ and TypeScript that look like prose."""
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"(?<!:)//.*", "", line)
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', code):
            if " " in literal:
                yield number, literal


def page_texts(text):
    """Yield (number, text) for the string literals and template literals of TypeScript."""
    yield from literals(text)
    for number, line in enumerate(text.splitlines(), 1):
        for literal in re.findall(r"`([^`]*)(?:`|$)", line):
            if " " in literal:
                yield number, re.sub(r"\$\{[^}]*\}", "", literal)


def html_texts(text):
    """Yield (number, text) for the text of an HTML source."""
    for number, line in enumerate(text.splitlines(), 1):
        yield number, re.sub(r"<[^>]*>", "", line)


TEXTS = {".py": python_texts, ".cpp": literals, ".h": literals, ".ts": page_texts, ".html": html_texts}


def anchors(path):
    """Return the anchors of the headings of a Markdown file."""
    titles = (line.lstrip("#") for _, line in prose_lines(path.read_text("utf-8"))
              if line.startswith("#"))
    # Sphinx writes a hyphen for other characters, GitHub leaves them out.
    plain = [title.strip().lower() for title in titles]
    return ({re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in plain}
            | {re.sub(r"[^\w]+", "-", title).strip("-") for title in plain})


def broken_links(path):
    """Yield links of a Markdown file to files and anchors that do not exist. The build makes the gallery."""
    for number, line in prose_lines(path.read_text("utf-8")):
        for link, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", re.sub(r"`[^`]*`", "", line)):
            target = path.parent / link if link else path
            if re.match(r"(tutorials|gallery)/", link):
                continue
            if not target.exists():
                yield number, f"{link} does not exist"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield number, f"{link}#{anchor}: no such heading"


def missing_paths(path, root):
    """Yield paths in backticks, such as `src/core/model.cpp`, that the tree does not have."""
    for number, line in prose_lines(path.read_text("utf-8")):
        for name in re.findall(r"`((?:{})/[\w./-]+)`".format("|".join(FOLDERS)), line):
            if "VERSION" not in name and not (root / name).exists():
                yield number, f"{name} does not exist"


def check_source(text, suffix, glossary=IN_SOURCES):
    mark = COMMENT_MARKS[suffix]
    for number, line in enumerate(text.splitlines(), 1):
        if found := mark.search(line):
            comment = line[found.end():]
            yield from ((number, finding) for finding in glossary_findings(comment, glossary))
    for number, line in TEXTS.get(suffix, lambda _: ())(text):
        plain = re.sub(r"`[^`]*`", "", line)
        yield from ((number, finding) for finding in glossary_findings(plain, glossary))


def help_texts(command):
    """Return {title: text} of the command's help and of each verb's help."""
    def run(*arguments):
        return subprocess.run([command, *arguments], check=True, capture_output=True, text=True).stdout
    overview = run("--help")
    verbs = re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE)
    return {"--help": overview, **{f"{verb} --help": run(verb, "--help") for verb in verbs}}


def report(name, findings):
    found = 0
    for number, finding in findings:
        print(f"{name}:{number}: {finding}")
        found += 1
    return found


def check(kind, paths):
    if kind == "help":
        return sum(report(title, ((n, f) for n, line in enumerate(text.splitlines(), 1)
                                  for f in glossary_findings(line)))
                   for title, text in help_texts(paths[0]).items())
    found = 0
    for path in map(Path, paths):
        text = path.read_text("utf-8")
        glossary = IN_DOCUMENTS if SHOWN.search(path.as_posix()) else IN_SOURCES
        checked = (check_document(text) if kind == "documents"
                   else check_source(text, path.suffix, glossary))
        found += report(path, checked)
        if kind == "documents":
            found += report(path, broken_links(path))
    return found


# Folders whose comments are checked, and what holds examples of what not to write.
FOLDERS = ("src", "include", "cli", "python", "web/src", "web/engine", "web/tests", "tools", "paper", "fuzz",
           "bench", "tests", "scripts", "cmake", "examples", "docs", ".github")
EXCLUDED = re.compile(r"docs/command.md|docs/(gallery|tutorials)/|tests/(prose|.*corpus)/|CODE_OF_CONDUCT|"
                      r"/(node_modules|build|__pycache__)")
# Sources whose texts and comments are read on a page: they follow the rules of documents.
SHOWN = re.compile(r"web/src/|examples/(tutorials|gallery)/")
# Documents that name files of patches, or of an earlier version.
OTHER_TREES = re.compile(r"docs/extending.md|docs/results/coverage.md")
# Symbols of elements and others that look like misspelt words.
WORDS = "nwe,nd,fo,te,ths"


def check_tree(root):
    documents = [*root.glob("*.md"), *(root / ".github").glob("*.md"), *(root / "examples").rglob("*.rst"),
                 *(path for folder in ("docs", "paper", "fuzz", "examples")
                   for path in (root / folder).rglob("*.md"))]
    sources = [path for folder in FOLDERS for path in (root / folder).rglob("*")
               if path.suffix in COMMENT_MARKS and path.is_file() and (path.suffix or folder == "scripts")]
    sources += [root / "Makefile", root / "CMakeLists.txt"]
    documents, sources = ([path for path in sorted(paths) if not EXCLUDED.search(str(path.relative_to(root)))]
                          for paths in (documents, sources))
    if len(documents) < 50 or len(sources) < 500:
        print(f"{root}: {len(documents)} documents and {len(sources)} sources, expected more")
        return 1
    spelling = subprocess.run(["codespell", "-L", WORDS, *documents, *sources], check=False,
                              capture_output=True, text=True)
    print(spelling.stdout + spelling.stderr, end="")
    paths = sum(report(path, missing_paths(path, root)) for path in documents
                if not OTHER_TREES.search(path.as_posix()))
    return (check("documents", documents) + check("sources", sources) + paths
            + len(spelling.stdout.splitlines()))


def self_test():
    long_sentence = "word " * (LONGEST_SENTENCE + 1) + "end."
    wrapped = "\n".join(re.findall(r"(?:\S+ ?){1,15}", long_sentence))
    cases = [("The room is full.", 1), ("It lies beside y.", 1), ("Use `room` here.", 0), ("x" * 101, 1), ("| " + "x" * 101, 0),
             (wrapped, 1), ("```\nThe room.\n```", 0), ("A short sentence.", 0)]
    wrong = [text for text, count in cases if len(list(check_document(text))) != count]
    sources = [("x = 1  # the twin", ".py", 1), ("x = 1  # lies beside y", ".py", 0),
               ('"""The slow twin."""', ".py", 1), ('f("the slow twin");', ".cpp", 1),
               ('raise ValueError("the slow twin")', ".py", 1), ("h(`the slow twin ${x}`);", ".ts", 1),
               ("<p>the slow twin</p>", ".html", 1), ("/** The\n * twin. */", ".ts", 1), ("int twin = 1;", ".cpp", 0)]
    wrong += [text for text, suffix, count in sources
              if len(list(check_source(text, suffix))) != count]
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text("# A title\n\n[here](page.md#a-title), [web](https://a.b), [top](#a-title)\n"
                        "[missing](missing.md), [anchor](page.md#b), [own anchor](#b)\n")
        wrong += [] if len(list(broken_links(page))) == 3 else ["links"]
        page.write_text("`src/a.cpp` and `b/c`\n")
        wrong += [] if len(list(missing_paths(page, Path(folder)))) == 1 else ["paths"]
    print(*wrong, f"{len(cases) + len(sources) + 2} cases, {len(wrong)} wrong", sep="\n")
    return len(wrong)


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    found = (check_tree(Path(arguments[1])) if arguments[0] == "tree"
             else check(arguments[0], arguments[1:]))
    print(f"{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
