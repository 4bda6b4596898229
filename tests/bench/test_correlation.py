"""Tests the statistics that compare units: correlations and paired errors."""

import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench/peers"))
import correlation  # noqa: E402


class Correlation(unittest.TestCase):
    def setUp(self):
        draw = random.Random(1)
        self.reference = [[draw.gauss(0, 1) for _ in range(5)] for _ in range(30)]

    def test_scale_of_a_row_matters_only_over_all_rows(self):
        scaled = [[(10 if n % 2 else 1) * value for value in row] for n, row in enumerate(self.reference)]
        self.assertTrue(all(abs(c - 1) < 1e-12 for c in correlation.within_rows(scaled, self.reference)))
        self.assertLess(correlation.over_all_rows(scaled, self.reference), 0.95)

    def test_a_constant_row_has_no_correlation(self):
        self.assertEqual(correlation.pearson([1, 1, 1], [1, 2, 3]), 0.0)

    def test_paired_errors_are_of_the_differences(self):
        mean, error = correlation.paired([1.0, 2.0, 3.0], [0.5, 1.4, 2.6])
        self.assertAlmostEqual(mean, 0.5)
        self.assertAlmostEqual(error, 0.1 / 3 ** 0.5)


if __name__ == "__main__":
    unittest.main()
