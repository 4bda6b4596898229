"""bench/compare on results that are made up."""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMPARE = Path(__file__).resolve().parents[2] / "bench/compare"
HEAD = ["shape", "who", "what", "precision", "threads", "microseconds_per_row", "note"]
OWN = ["a", "bisector", "explain", "f64", "2"]
BLAS = ["a", "BLAS", "product", "f64", "2"]


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def results(self, name, *lines):
        with open(self.folder / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([HEAD, *([*line, ""] for line in lines)])
        return self.folder / name

    def run_on(self, old, new, *options):
        return subprocess.run([sys.executable, COMPARE, old, new, *options], capture_output=True, text=True)

    def test_the_same_is_no_change(self):
        old = self.results("old.csv", [*OWN, 10.0])
        done = self.run_on(old, old)
        self.assertEqual((done.returncode, done.stdout), (0, "1 compared, 0 changed by more than 15 %\n"))

    def test_slower_is_told_and_ends_with_1(self):
        done = self.run_on(self.results("old.csv", [*OWN, 10.0]), self.results("new.csv", [*OWN, 13.0]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("slower   1.30 x   a: bisector explain f64 2 threads", done.stdout)

    def test_faster_is_told_and_ends_with_0(self):
        done = self.run_on(self.results("old.csv", [*OWN, 10.0]), self.results("new.csv", [*OWN, 5.0]))
        self.assertEqual(done.returncode, 0)
        self.assertIn("faster   2.00 x", done.stdout)

    def test_a_slower_machine_is_no_slower_bisector(self):
        done = self.run_on(self.results("old.csv", [*OWN, 10.0], [*BLAS, 1.0]),
                           self.results("new.csv", [*OWN, 20.0], [*BLAS, 2.0]))
        self.assertEqual((done.returncode, done.stdout), (0, "1 compared, 0 changed by more than 15 %\n"))

    def test_the_noise_is_an_option(self):
        done = self.run_on(self.results("old.csv", [*OWN, 10.0]), self.results("new.csv", [*OWN, 13.0]), "--noise", "50")
        self.assertEqual(done.returncode, 0)

    def test_what_came_and_went_is_told(self):
        other = ["b", "bisector", "explain", "f64", "2", 1.0]
        done = self.run_on(self.results("old.csv", [*OWN, 10.0]), self.results("new.csv", other))
        self.assertIn("gone             a: bisector", done.stdout)
        self.assertIn("new              b: bisector", done.stdout)

    def test_a_file_that_is_none_gets_one_line(self):
        other = self.folder / "other.csv"
        other.write_text("a,b\n1,2\n", encoding="utf-8")
        done = self.run_on(other, other)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("expected a speed.csv of make bench-peers", done.stderr)


if __name__ == "__main__":
    unittest.main()
