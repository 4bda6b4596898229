"""Runs the examples of documentation pages and shows what they print and draw.

The Python and shell blocks of a page run one after another in an empty folder. Their output and their
figures are inserted below them. An error in a block ends the build.
"""

import contextlib
import functools
import io
import os
import re
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIGURES = "\n\n```{{container}} figures\n\n{}\n```"
MOST_LINES, MOST_COLUMNS = 24, 160


def run_page(text, name, pictures=None):
    """Return `text` with the output below each block; figures are written to the folder `pictures`."""
    namespace, count = {"__name__": name}, 0

    def with_output(block):
        nonlocal count
        line = text.count("\n", 0, block.start(2))
        if block[1] == "sh":
            return block[0] + shown(run_in_shell(block[2]))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + block[2], f"{name}.md", "exec"), namespace)
        result = block[0] + shown(printed.getvalue())
        images = []
        for count, figure in enumerate(drawn_figures(), count + 1):
            if pictures is not None:
                file = pictures / f"{Path(name).name}-{count}.png"
                file.parent.mkdir(parents=True, exist_ok=True)
                figure.savefig(file, dpi=110, bbox_inches="tight", metadata={"Software": None})
                images.append(f"![The figure that the code draws]({pictures.name}/{file.name})")
        return result + (FIGURES.format("\n".join(images)) if images else "")

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.mkdir("bin")
        os.symlink(os.environ["BISECTOR_COMMAND"], "bin/bisector")
        return BLOCK.sub(with_output, text)


def run_in_shell(code):
    """Return what the commands print; `bisector` is the command BISECTOR_COMMAND."""
    path = f"{Path.cwd() / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["sh", "-eu", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300, env={**os.environ, "PATH": path})
    if done.returncode != 0:
        raise RuntimeError(f"the commands failed:\n{code}\n{done.stdout}")
    return done.stdout


def drawn_figures():
    """Yield the open figures of matplotlib, and close them."""
    import matplotlib.pyplot as plt
    for number in plt.get_fignums():
        yield plt.figure(number)
    plt.close("all")


def shown(output):
    """The output as a block of the page; long outputs and long lines are shortened."""
    lines = output.rstrip().splitlines()
    if not lines:
        return ""
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 2:] = [f"... ({len(lines) - MOST_LINES + 2} more lines)"]
    lines = [line if len(line) <= MOST_COLUMNS else line[:MOST_COLUMNS - 2] + " …" for line in lines]
    return "\n\n```{code-block} text\n:class: output\n\n" + "\n".join(lines) + "\n```"


def run_examples(app, page, source):
    """Sphinx calls this for every page that it reads."""
    folder, _, name = page.rpartition("/")
    if folder not in ("guide", "method") and page not in ("index", "reference"):
        return
    if name.startswith("networks") and not find_spec("torch"):
        return  # scripts/test-integration torch runs them
    if folder == "guide" and not BLOCK.search(source[0]):
        raise ValueError(f"{page}.md: expected an example on every page of the guide")
    pictures = Path(app.srcdir, folder, "output")
    source[0] = run_page(source[0], page, pictures)


def _get_sg_image_scraper():
    """Sphinx-Gallery calls this: figures of the gallery are saved without empty margins, too."""
    from sphinx_gallery.scrapers import matplotlib_scraper
    return functools.partial(matplotlib_scraper, bbox_inches="tight")


def setup(app):
    import matplotlib
    matplotlib.use("Agg")
    app.connect("source-read", run_examples)
    return {"parallel_read_safe": False}
