"""Tests the statistics that compare units: correlations, paired errors and the correction for many comparisons."""

import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench/peers"))
import correlation  # noqa: E402


def noisy(reference, noise, seed):
    draw = random.Random(seed)
    return [[value + noise * draw.gauss(0, 1) for value in row] for row in reference]


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

    def test_jackknife_detects_a_real_difference_and_no_other(self):
        limit = correlation.corrected_errors(100)
        good, bad = noisy(self.reference, 0.2, 2), noisy(self.reference, 2.0, 3)
        difference, error = correlation.jackknife(good, bad, self.reference)
        self.assertGreater(difference, limit * error)
        same, error = correlation.jackknife(noisy(self.reference, 0.5, 4), noisy(self.reference, 0.5, 5), self.reference)
        self.assertLess(abs(same), limit * error)

    def test_paired_errors_are_of_the_differences(self):
        mean, error = correlation.paired([1.0, 2.0, 3.0], [0.5, 1.4, 2.6])
        self.assertAlmostEqual(mean, 0.5)
        self.assertAlmostEqual(error, 0.1 / 3 ** 0.5)

    def test_the_correction_is_exact_for_one_comparison_and_grows(self):
        self.assertAlmostEqual(correlation.corrected_errors(1), 2.0)
        self.assertAlmostEqual(correlation.corrected_errors(100), 3.5, delta=0.1)


if __name__ == "__main__":
    unittest.main()
