"""The promised ratios, and whether a run reaches them."""

import math
from dataclasses import dataclass


@dataclass
class Verdict:
    promise: str
    shape: str
    figure: str
    met: bool


def at_least(promise, shape, value, bound, unit="×"):
    return Verdict(promise, str(shape), f"{value:,.3g}{unit}" if value < 1000 else f"{value:,.0f}{unit}", value >= bound)


def at_most(promise, shape, value, bound, unit=""):
    return Verdict(promise, str(shape), f"{value:.3g}{unit}", value <= bound)


def ratio(results, shape, who, precision="f64"):
    """Time per row of another program over that of an explanation by bisector."""
    peer = results.peers[shape].get(who)
    return peer.seconds / peer.rows / results.per_row(shape, "explain", precision) if peer else None


def exponent(scaling, axis):
    """The slope of log time against log value, by least squares."""
    points = [(math.log(m["value"]), math.log(m["seconds"])) for m in scaling if m["axis"] == axis]
    if len(points) < 2:
        return None
    x_mean = sum(x for x, _ in points) / len(points)
    y_mean = sum(y for _, y in points) / len(points)
    return sum((x - x_mean) * (y - y_mean) for x, y in points) / sum((x - x_mean) ** 2 for x, _ in points)


def svm_verdicts(results, shape):
    features = shape.features
    yield at_least("15 times scikit-learn's decision_function", shape, ratio(results, shape, "scikit-learn"), 15)
    yield at_least("25 times, in float", shape, ratio(results, shape, "scikit-learn", "f32"), 25)
    yield at_least("300 times plain NumPy", shape, ratio(results, shape, "plain NumPy"), 300)
    yield at_least("10,000 times KernelExplainer", shape, ratio(results, shape, "shap KernelExplainer"), 10_000)
    own = results.measured(shape, "f64")
    most = 2.0 if features <= 30 else 3.0
    yield at_most(f"at most {most} of our own predictions", shape, own["explain"] / own["predict"], most)
    share = 100.0 * results.share(shape, "f64")
    if features >= 100:
        yield at_least("80 % of the run's GEMM peak", shape, share, 80, " %")
    if features == 10:
        yield at_least("40 % of the run's GEMM peak", shape, share, 40, " %")


def knn_verdicts(results, shape):
    yield at_least("as fast as FAISS flat search", shape, ratio(results, shape, "FAISS flat"), 1.0)
    yield at_least("5 times scikit-learn's predict", shape, ratio(results, shape, "scikit-learn"), 5)


def other_verdicts(results):
    shape = results.svm_shapes[0]
    shapiq = results.peers[shape]["shapiq ProductKernelExplainer"]
    own = results.shapley["seconds"] / results.shapley["rows"]
    yield at_least("exact Shapley values 200 times shapiq", shape, shapiq.seconds / shapiq.rows / own, 200)
    yield at_most("one row under 50 µs", "1 × 1,000 × 10", 1e6 * results.latency["median"], 50, " µs")
    yield at_most("one row from Python under 150 µs", "1 × 1,000 × 10", 1e6 * results.latency["python"], 150, " µs")
    for axis in ("rows", "points"):
        slope = exponent(results.scaling, axis)
        yield Verdict(f"linear in {axis}: exponent 1.00 ± 0.07", "two decades", f"{slope:.3f}", abs(slope - 1.0) <= 0.07)
    worst = max(max(errors.values()) for errors in results.agreement.values())
    yield at_most("the same results as the peers, to 1e-9", "first rows", worst, 1e-9)


def verdicts(results):
    found = []
    for shape in results.svm_shapes:
        found += svm_verdicts(results, shape)
    for shape in results.knn_shapes:
        found += knn_verdicts(results, shape)
    return [*found, *other_verdicts(results)]
