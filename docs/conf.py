"""The documentation: the guide, the Python reference from the docstrings, and the file formats."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import bisector
import docutils.nodes
import latex2mathml.converter

project = "bisector"
author = "the bisector authors"
version = release = bisector.__version__

sys.path.insert(0, os.path.dirname(__file__))
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
              "sphinx_gallery.gen_gallery", "page_examples"]
# The build runs every script of the gallery and the tutorials; an error in one ends the build. Without
# torch, the tutorial about a network is shown and not run: its test is python/integration/test_guide.py.
sphinx_gallery_conf = {
    "filename_pattern": "/plot_" if find_spec("torch") else "/plot_(?!.*network)",
    "examples_dirs": ["../examples/tutorials", "../examples/gallery"],
    "gallery_dirs": ["tutorials", "gallery"],
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "backreferences_dir": "gallery/backreferences",  # for the pictures of the front page
    "image_scrapers": ("page_examples",),
    "thumbnail_size": (600, 420),
    "doc_module": (),
    "download_all_examples": False,
    "capture_repr": (),
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "remove_config_comments": True,
}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

include_patterns = ["index.md", "architecture.md", "reference.md", "command.md", "cpp.md", "formats.md", "limits.md", "messages.md", "platforms.md", "releasing.md",
                    "threat_model.md", "licenses.md", "extending.md", "guide/*.md", "method/*.md",
                    "results/*.md", "tutorials/*.rst", "gallery/*.rst"]
html_math_renderer = "mathml"
napoleon_google_docstring = False
napoleon_use_ivar = True  # Attributes are members already.
autodoc_mock_imports = [] if find_spec("torch") else ["torch"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
maximum_signature_line_length = 80
python_use_unqualified_type_names = True

# "array of shape (rows, features)" is text, not a link to one of the attributes called shape.
suppress_warnings = ["ref.python"]
napoleon_preprocess_types = False

exclude_patterns = ["**/sg_execution_times.rst"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_title = f"bisector {release}"
html_show_copyright = False

SUMMARY = ("Explanations of distance-based models (SVMs, nearest neighbors, kernel ridge regression, "
           "Gaussian processes, outlier detectors): how much each feature contributed. A C++ library, a "
           "command and a Python package.")
SECTIONS = {"Guide": "guide/", "Tutorials": "tutorials/", "Examples": "gallery/", "Method": "method/",
            "Reference": "reference"}

CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


def to_markup(app, what, name, obj, options, lines):
    """`code` has single backticks in our docstrings, and | is no substitution."""
    lines[:] = [CODE.sub(r"``\1``", line).replace("|", "\\|") for line in lines]


def write_formula(translator, node):
    """As MathML, which browsers draw by themselves: the pages need no network."""
    inline = node.tagname == "math"
    formula = latex2mathml.converter.convert(node.astext(), display="inline" if inline else "block")
    translator.body.append(formula if inline else f'<div class="formula">{formula}</div>')
    raise docutils.nodes.SkipNode


def write_command_reference(app):
    """The help of every verb, from the command itself (BISECTOR_COMMAND), as command.md."""
    def help_of(*words):
        command = [os.environ["BISECTOR_COMMAND"], *words, "--help"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    overview = help_of()
    verbs = re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE)
    texts = {"bisector": overview, **{f"bisector {verb}": help_of(verb) for verb in verbs}}
    sections = [f"## {name}\n\n```text\n{text.rstrip()}\n```\n" for name, text in texts.items()]
    page = "\n".join(["# Command reference\n\nWhat `--help` prints for each verb.\n", *sections])
    Path(app.srcdir, "command.md").write_text(page, encoding="utf-8")


def write_llms_text(app, error):
    """llms.txt: the pages with their first sentences, for programs that read documentation."""
    if error is not None or app.builder.name != "html":
        return
    lines = ["# bisector", "", f"> {SUMMARY}", ""]
    for title, folder in SECTIONS.items():
        names = sorted(name for name in app.env.found_docs if name.startswith(folder))
        lines += [f"## {title}", "", *(page_line(app, name) for name in names), ""]
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines), encoding="utf-8")


def page_line(app, name):
    first = app.env.get_doctree(name).next_node(docutils.nodes.paragraph)
    sentence = "" if first is None else re.split(r"(?<=[.:])\s", first.astext())[0].rstrip(":")
    return f"- [{app.env.titles[name].astext()}]({name}.html): {' '.join(sentence.split())}"


def setup(app):
    app.connect("builder-inited", write_command_reference)
    app.connect("build-finished", write_llms_text)
    app.connect("autodoc-process-docstring", to_markup)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
