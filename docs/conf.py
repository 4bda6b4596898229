"""Configuration of the documentation: tutorials, gallery, guide, method, reference and results."""

import bisector
import docutils.nodes
import latex2mathml.converter

project = "bisector"
author = "the bisector authors"
version = release = bisector.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design",
              "sphinx_gallery.gen_gallery"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 2

include_patterns = ["*.md", "guide/*.md", "method/*.md", "results/*.md", "tutorials/*", "gallery/*"]
exclude_patterns = ["architecture.md", "**/*.ipynb"]

# The build runs every script of examples/ and fails if one of them fails.
sphinx_gallery_conf = {
    "examples_dirs": ["../examples/tutorials", "../examples/gallery"],
    "gallery_dirs": ["tutorials", "gallery"],
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
}
html_math_renderer = "mathml"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
maximum_signature_line_length = 80
python_use_unqualified_type_names = True

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_title = f"bisector {release}"

def write_formula(translator, node):
    """Write a formula as MathML, which browsers draw without a script."""
    display = "inline" if node.tagname == "math" else "block"
    translator.body.append(latex2mathml.converter.convert(node.astext(), display=display))
    raise docutils.nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
