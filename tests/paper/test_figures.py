"""Tests paper/figures.py on the results of bisector-paper: test_figures.py PROGRAM

It needs matplotlib: that of this Python, or of $BISECTOR_TEST_PYTHON. Exits with 77 without it.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

if importlib.util.find_spec("matplotlib") is None:
    other = os.environ.get("BISECTOR_TEST_PYTHON", sys.executable)
    if other == sys.executable or not Path(other).exists():
        sys.exit(77)
    os.environ["BISECTOR_TEST_PYTHON"] = sys.executable
    os.execv(other, [other, *sys.argv])

PAPER = Path(__file__).resolve().parents[2] / "paper"
sys.path.insert(0, str(PAPER))
import figures  # noqa: E402

PROGRAM = sys.argv.pop()

ATOMS = """molecules,representation,name,truth,prediction,level,atom,element,x,y,z
A,bag of bonds,m1,2.5,2.4,2.0,0,O,0,0,0.1
A,bag of bonds,m1,2.5,2.4,2.0,1,H,0.76,0,-0.47
A,bag of bonds,m1,2.5,2.4,2.0,2,H,-0.76,0,-0.47
"""
PAIRS = """molecules,representation,method,first,second,relevance
A,bag of bonds,lrp,0,1,0.5
A,bag of bonds,lrp,0,2,0.25
A,bag of bonds,lrp,1,2,-0.125
A,bag of bonds,lrp,1,1,9
"""


class Figures(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(figures.plt.close, "all")

    def test_bisectors_of_the_overview_bisect(self):
        subprocess.run([PROGRAM, "overview", "--out", self.folder], check=True, stdout=subprocess.DEVNULL)
        panels = figures.overview(self.folder).axes
        self.assertEqual(len(panels), 8)
        for axes in (panels[2], panels[6]):
            lines = [line.get_xydata() for line in axes.get_lines()]
            self.assertEqual(len(lines), 2 * figures.PAIRS)
            for pair, bisector in zip(lines[::2], lines[1::2]):
                across = (pair[1] - pair[0]) @ (bisector[1] - bisector[0])
                self.assertAlmostEqual(across, 0.0, places=9)
                for middle in zip(pair.mean(axis=0), bisector.mean(axis=0)):
                    self.assertAlmostEqual(*middle, places=9)
        for axes in (panels[3], panels[7]):  # two inputs, nine pairs, three pools, one output
            self.assertEqual(len(axes.collections), 2 + 9 + 3 + 1)

    def test_bars_of_the_ablation_have_the_height_of_their_numbers(self):
        shutil.copy(PAPER / "results/ablation.csv", self.folder)
        rows = figures.read(self.folder / "ablation.csv")
        bars = [bar for bars in figures.ablation(self.folder).axes[0].containers
                if hasattr(bars, "errorbar") for bar in bars]
        heights = [row["aufc"] for method in figures.distinct(rows, "method")
                   for row in figures.chosen(rows, method=method)]
        self.assertEqual([bar.get_height() for bar in bars], heights)

    def test_heat_maps_have_a_cell_for_each_number(self):
        shutil.copy(PAPER / "results/heuristics.csv", self.folder)
        rows = figures.read(self.folder / "heuristics.csv")
        panels = figures.heuristics(self.folder).axes
        cells = sum(figures.np.isfinite(axes.images[0].get_array().filled(figures.np.nan)).sum()
                    for axes in panels)
        self.assertEqual(cells, len(rows))

    def test_a_molecule_has_its_bonds_and_a_line_for_each_pair_of_two_atoms(self):
        (self.folder / "dipole_atoms.csv").write_text(ATOMS)
        (self.folder / "dipole_pairs.csv").write_text(PAIRS)
        drawn = figures.dipole(self.folder).axes[0]
        colors = [line.get_color() for line in drawn.get_lines()]
        self.assertEqual(colors, ["#999999"] * 2 + [figures.AGAINST] + [figures.FOR] * 2)
        ends = [line.get_xydata() for line in drawn.get_lines()]
        self.assertAlmostEqual(figures.np.linalg.norm(ends[2][0] - ends[2][1]), 1.52, places=6)

    def test_wine_has_a_panel_for_each_feature_model_and_half(self):
        draw = figures.np.random.default_rng(0)
        names = ["residual sugar", "chlorides", "pH"]
        header = names + [f"{name} at gamma {gamma}" for gamma in ("0.0001", "0.2") for name in names]
        rows = draw.uniform(0, [15, 0.2, 4, *[1] * 6], (100, 9))
        (self.folder / "wine_relevance.csv").write_text(
            "\n".join([",".join(header), *(",".join(map(str, row)) for row in rows)]) + "\n")
        self.assertEqual(len(figures.wine(self.folder).axes), 2 * 3 + 4)

    def test_the_program_draws_what_the_folder_has(self):
        shutil.copy(PAPER / "results/ablation.csv", self.folder)
        sys.argv = ["figures.py", str(self.folder)]
        figures.main()
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["ablation.csv", "ablation.svg"])
        (self.folder / "ablation.csv").unlink()
        with self.assertRaises(SystemExit):
            figures.main()


if __name__ == "__main__":
    unittest.main()
