"""Checks the links of the built documentation: check_links.py FOLDER

Every local link of a page leads to an existing file, and to an existing anchor if it names one. Pages
of the C++ reference and the sample report are link targets; their own links are not checked.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

MADE_BY_OTHERS = ("cpp", "sample", "_static", "_modules")


class Page(HTMLParser):
    """The anchors and links of an HTML page."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append((self.getpos()[0], value))


def broken_links(folder):
    """Yield one line per broken link."""
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))
             if path.relative_to(folder).parts[0] not in MADE_BY_OTHERS}
    for path, page in pages.items():
        for line, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path}:{line}: {link} does not exist"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path}:{line}: {link} has no such anchor"


def main(folder):
    broken = list(broken_links(folder))
    for line in broken:
        print(line)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
