"""Tests the arithmetic of bench/peers: timings, exponents, ratios, verdicts and the page."""

import contextlib
import csv
import io
import sys
import unittest
import unittest.mock
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench/peers"))
import clock  # noqa: E402
import report  # noqa: E402
import run as run_peers  # noqa: E402
import targets  # noqa: E402
from results import Results  # noqa: E402


@dataclass(frozen=True)
class Shape:
    rows: int
    points: int
    features: int
    neighbors: int = 0

    def __str__(self):
        return f"{self.rows} x {self.points} x {self.features}"


SVM, KNN = Shape(1000, 100, 10), Shape(1000, 100, 16, 9)


def own(explain, predict, precision="f64", threads=2, peak=1.0):
    return {"precision": precision, "threads": threads, "rows": 1000, "explain": explain, "predict": predict, "peak": peak,
            "explain in decision": explain + predict}


def run():
    """bisector explains a row in 1 µs with two threads and 2 µs with one; its peers need 20 µs, shapiq 1 ms."""
    results = Results([SVM], [KNN])
    measured = [own(2e-3, 2e-3, threads=1, peak=3.0), own(1e-3, 0.8e-3, peak=6.0), own(0.5e-3, 0.4e-3, "f32", peak=12.0)]
    results.ours = {SVM: measured, KNN: measured}
    slow = {who: clock.Timing(100, 100 * 20e-6) for who in ("scikit-learn", "plain NumPy", "shap KernelExplainer", "FAISS flat")}
    results.peers = {SVM: slow | {"shapiq ProductKernelExplainer": clock.Timing(10, 10 * 1e-3)}, KNN: slow}
    results.agreement = {SVM: {"decision values": 1e-12}}
    results.shapley = {"threads": 2, "rows": 1000, "seconds": 4e-3}
    results.latency = {"median": 11e-6, "best": 8e-6, "calls": 30, "python": 200e-6}
    results.scaling = [{"axis": axis, "value": n, "rows": n, "points": 5, "features": 2, "threads": 1, "seconds": 1e-6 * n ** power}
                       for axis, power in (("rows", 1.0), ("points", 1.2), ("features", 1.0), ("threads", -1.0))
                       for n in (10, 100, 1000)]
    results.machine = {"date": "", "version": "", "kernels": "", "threads": 2, "processor": "", "system": "", "blas_core": "",
                       "peer_cores": "", "peers": "", "minutes": 1.0}
    return results


class Peers(unittest.TestCase):
    def test_the_exponent_of_a_power_is_its_power(self):
        self.assertAlmostEqual(targets.exponent(run().scaling, "points"), 1.2)
        self.assertIsNone(targets.exponent(run().scaling[:1], "rows"))

    def test_ratios_are_per_row_on_all_threads(self):
        self.assertAlmostEqual(targets.ratio(run(), SVM, "scikit-learn"), 20.0)
        self.assertAlmostEqual(targets.ratio(run(), SVM, "scikit-learn", "f32"), 40.0)

    def test_the_share_counts_three_products(self):
        # 6 * 1000 * 100 * 10 operations in a millisecond are 6 GFLOP/s.
        self.assertAlmostEqual(run().share(SVM, "f64"), 1.0)

    def test_verdicts(self):
        met = {(v.promise, v.shape): v.met for v in targets.verdicts(run())}
        self.assertTrue(met["15 times scikit-learn's decision_function", str(SVM)])
        self.assertFalse(met["300 times plain NumPy", str(SVM)])
        self.assertTrue(met["at most 2.0 of our own predictions", str(SVM)])
        self.assertTrue(met["as fast as FAISS flat search", str(KNN)])
        self.assertTrue(met["exact Shapley values 200 times shapiq", str(SVM)])
        self.assertFalse(met["one row from Python under 150 µs", "1 × 1,000 × 10"])
        self.assertTrue(met["linear in rows: exponent 1.00 ± 0.07", "two decades"])
        self.assertFalse(met["linear in points: exponent 1.00 ± 0.07", "two decades"])

    def test_the_page_keeps_what_people_wrote(self):
        page = f"# Title\n{report.BEGIN}\nold\n{report.END}\nby hand\n"
        new = report.replace_measured(page, report.markdown(run()))
        self.assertTrue(new.startswith("# Title\n") and new.endswith("\nby hand\n"))
        self.assertNotIn("\nold\n", new)
        self.assertIn("| 300 times plain NumPy | 1000 x 100 x 10 | 20× | **not met** |", new)
        with self.assertRaises(SystemExit):
            report.replace_measured("no marks", "x")

    def test_the_table_holds_every_measurement(self):
        lines = list(csv.DictReader(io.StringIO(report.csv_text(run()))))
        own_line = next(line for line in lines if line["who"] == "bisector" and line["what"] == "explain" and line["threads"] == "2")
        self.assertEqual(float(own_line["microseconds_per_row"]), 1.0)
        converted = next(line for line in lines if line["what"] == "explain in decision" and line["threads"] == "2")
        self.assertEqual(float(converted["microseconds_per_row"]), 1.8)
        self.assertEqual(sum(line["what"].startswith("scaling") for line in lines), 12)

    def test_all_programs_are_timed_equally_often_and_by_their_shortest_run(self):
        calls, seconds = [], iter([3.0, 4.0, 2.0, 5.0])
        results = Results([SVM], [KNN])
        measured = iter([2e-3, 1e-3])

        def measure_ours(*_, **__):
            calls.append("ours")
            return {"measured": [own(next(measured), 1e-3)]}

        def measure_peer(who):
            def measure(_):
                calls.append(who)
                return clock.Timing(10, next(seconds)) if who != "absent" else None
            return measure

        case = type("Case", (), {"shape": SVM})
        with unittest.mock.patch.object(run_peers.ours, "measure", measure_ours), \
                contextlib.redirect_stdout(io.StringIO()):
            run_peers.measure_case(results, None, case, {who: measure_peer(who) for who in ("a", "b", "absent")})
        self.assertEqual({calls.count(who) for who in ("ours", "a", "b", "absent")}, {2})
        self.assertEqual(results.ours[SVM][0]["explain"], 1e-3)
        self.assertEqual({who: timing.seconds for who, timing in results.peers[SVM].items()}, {"a": 2.0, "b": 4.0})

    def test_the_clock_takes_the_shortest_and_the_median_run(self):
        now, durations = [0.0], [3.0, 1.0, 2.0]

        def run(n=None):
            now[0] += durations[run.calls % 3] if n is None else 0.01 * len(n)
            run.calls += 1

        run.calls = 0
        with unittest.mock.patch.object(clock.time, "perf_counter", lambda: now[0]):
            self.assertEqual(clock.best_of(run, least=3, most=3, clock=lambda: now[0]), 1.0)
            self.assertEqual(clock.median_of([run] * 3), 2.0)
            timing = clock.per_row(run, list(range(100)), longest=2.0)
            self.assertEqual(timing.rows, 100)
            few = clock.per_row(run, list(range(100000)), longest=2.0)
            self.assertLessEqual(0.01 * few.rows, 2.0)
            self.assertIn("extrapolated", few.note)


if __name__ == "__main__":
    unittest.main()
