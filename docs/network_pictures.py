"""Draws the pictures of the guide's pages about networks, by running their examples:
network_pictures.py FOLDER. It needs torch, which the environment of the documentation does not have."""

import contextlib
import pathlib
import re
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

PAGES = ("networks_images", "networks_text", "networks_defects")


def draw(page: pathlib.Path, target: pathlib.Path) -> None:
    """Runs all examples of a page in an empty folder; its last figure is the picture."""
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        exec(compile("".join(blocks), str(page), "exec"), {"__name__": page.stem})
    plt.gcf().savefig(target, dpi=110, bbox_inches="tight", metadata={"Software": None})
    plt.close("all")


if __name__ == "__main__":
    for name in PAGES:
        draw(pathlib.Path(__file__).resolve().parent / "guide" / f"{name}.md",
             pathlib.Path(sys.argv[1]).resolve() / f"{name}.png")
