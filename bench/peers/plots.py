"""Two figures of a run: the growth of the cost, and the ratios to other programs."""

import io
import math

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

from targets import exponent, ratio  # noqa: E402

BLUE, GRAY = "#2166ac", "#6b7280"
# Equal pictures give equal files.
matplotlib.rcParams.update({"svg.hashsalt": "bisector", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"})


def svg_text(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    return out.getvalue()


def fitted(points, slope):
    """The fitted line at the points; it passes through their mean."""
    middle_x = sum(math.log(m["value"]) for m in points) / len(points)
    middle_y = sum(math.log(m["seconds"]) for m in points) / len(points)
    return [math.exp(middle_y + slope * (math.log(m["value"]) - middle_x)) for m in points]


def draw_axis(axes, measured, axis):
    points = [m for m in measured if m["axis"] == axis]
    values = [m["value"] for m in points]
    slope = exponent(measured, axis)
    if slope is not None:
        axes.plot(values, [1e3 * s for s in fitted(points, slope)], color=GRAY, linewidth=1, linestyle="--")
    axes.plot(values, [1e3 * m["seconds"] for m in points], "o", color=BLUE)
    axes.set(xscale="log", yscale="log", xlabel=axis, title="" if slope is None else f"exponent {slope:.2f}")
    if axis == "threads":
        axes.set_xticks(values, map(str, values), minor=False)
        times = [1e3 * m["seconds"] for m in points]
        axes.set_yticks(times, [f"{time:.3g}" for time in times], minor=False)
        axes.minorticks_off()


def scaling(results):
    axes_names = ("rows", "points", "features", "threads")
    figure, all_axes = pyplot.subplots(1, 4, figsize=(11, 2.8), layout="constrained")
    for axes, axis in zip(all_axes, axes_names):
        draw_axis(axes, results.scaling, axis)
    all_axes[0].set_ylabel("time to explain, ms")
    return svg_text(figure)


def peers(results):
    bars = [(f"{who}, {shape}", ratio(results, shape, who)) for shape in results.svm_shapes + results.knn_shapes
            for who in results.peers[shape] if not who.startswith("shapiq")]
    figure, axes = pyplot.subplots(figsize=(8, 0.24 * len(bars) + 1))
    axes.barh([name for name, _ in bars], [value for _, value in bars], color=[BLUE if value >= 1 else "#b2182b" for _, value in bars])
    axes.axvline(1.0, color="black", linewidth=1)
    axes.invert_yaxis()
    axes.set(xscale="log", xlabel="times as long per row as bisector explains (double, all threads)")
    return svg_text(figure)
