"""Draws the pictures of docs/method: method_pictures.py FOLDER

pools.svg: a row, two pools of points, and the bisectors of the strongest pairs. network.svg: the
same comparison as a network. paths.svg: gradients on the path from one reference and from many.
orders.svg: Shapley values of two features. neighborhood.svg: near rows of both outcomes. units.svg: one explanation in the unit of the network and in that of the model.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

FOR, AGAINST, GRAY = "#b84a00", "#0b3d73", "#8a8a8a"
GAMMA, ROW = 2.0, np.array([1.25, -0.15])
plt.rcParams.update({"svg.hashsalt": "bisector", "font.size": 9, "axes.spines.top": False,
                     "axes.spines.right": False})


def machine():
    """An SVM of two features: points, signed weights and intercept."""
    X, y = make_moons(40, noise=0.15, random_state=2)
    svm = SVC(gamma=GAMMA, C=3.0).fit(X, y)
    return svm, svm.support_vectors_, svm.dual_coef_[0]


def responsibilities(row, points, weights, side):
    chosen = np.flatnonzero(side * weights > 0)
    scores = np.log(np.abs(weights[chosen])) - GAMMA * ((row - points[chosen]) ** 2).sum(axis=1)
    share = np.exp(scores - scores.max())
    return chosen, share / share.sum()


def g_and_gradient(rows, points, weights):
    found = []
    for row in rows:
        pooled, mean = [], []
        for side in (1, -1):
            chosen, share = responsibilities(row, points, weights, side)
            scores = np.log(np.abs(weights[chosen])) - GAMMA * ((row - points[chosen]) ** 2).sum(axis=1)
            pooled.append(np.logaddexp.reduce(scores) / GAMMA)
            mean.append(share @ points[chosen])
        found.append([pooled[0] - pooled[1], *(2.0 * (mean[0] - mean[1]))])
    return np.array(found)


def background(axes, svm, levels=(0,)):
    x, y = np.meshgrid(np.linspace(-1.7, 2.7, 120), np.linspace(-1.2, 1.7, 90))
    values = svm.decision_function(np.c_[x.ravel(), y.ravel()]).reshape(x.shape)
    axes.contour(x, y, values, levels=levels, colors="black", linewidths=1.2)
    axes.set(xlim=(-1.7, 2.7), ylim=(-1.2, 1.7), xlabel="feature 1", ylabel="feature 2", aspect="equal")


def draw_points(axes, points, weights):
    for side, color, name in ((1, FOR, "pool P"), (-1, AGAINST, "pool N")):
        own = points[side * weights > 0]
        axes.scatter(*own.T, color=color, s=22, label=name, zorder=3)


def pools():
    svm, points, weights = machine()
    row = ROW
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    background(axes, svm)
    draw_points(axes, points, weights)
    sides = [responsibilities(row, points, weights, side) for side in (1, -1)]
    for (chosen, share), color in zip(sides, (FOR, AGAINST)):
        for k, p in zip(chosen, share):
            axes.plot(*np.c_[row, points[k]], color=color, linewidth=9 * p, alpha=0.5)
    pairs = [(p * q, i, j) for i, p in zip(*sides[0]) for j, q in zip(*sides[1])]
    for _, i, j in sorted(pairs, reverse=True)[:3]:
        middle, across = (points[i] + points[j]) / 2, (points[i] - points[j])[::-1] * [1, -1]
        ends = middle + np.outer([-9, 9], across)
        axes.plot(*ends.T, color=GRAY, linewidth=1, linestyle="--",
                  label=None if axes.get_legend_handles_labels()[1].count("bisectors") else "bisectors")
    axes.scatter(*row, marker="*", s=160, color="black", zorder=4, label="row x")
    axes.legend(loc="upper right", frameon=True)
    return figure


def network():
    figure, axes = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    columns = [("features", ["x₁", "x₂", "x₃"], 0.0, GRAY),
               ("one unit for each\npair of points", ["z₁₁", "z₁₂", "z₂₁", "z₂₂"], 1.6, "black"),
               ("pool over the\npoints of N", ["min", "min"], 3.2, AGAINST),
               ("pool over the\npoints of P", ["max"], 4.6, FOR), ("output", ["g"], 5.8, "black")]
    places = []
    for title, names, x, color in columns:
        heights = np.linspace(1, -1, len(names) + 2)[1:-1] * 1.3
        places.append([(x, y) for y in heights])
        axes.text(x, 1.45, title, ha="center", va="bottom")
        for name, (left, y) in zip(names, places[-1]):
            axes.add_patch(plt.Circle((left, y), 0.24, color="white", ec=color, zorder=3))
            axes.text(left, y, name, ha="center", va="center", zorder=4, color=color)
    links = [(0, a, b) for a in range(3) for b in range(4)]
    links += [(1, 0, 0), (1, 1, 0), (1, 2, 1), (1, 3, 1), (2, 0, 0), (2, 1, 0), (3, 0, 0)]
    for layer, a, b in links:
        axes.plot(*np.c_[places[layer][a], places[layer + 1][b]], color="#cccccc", linewidth=1, zorder=1)
    axes.set(xlim=(-0.6, 6.3), ylim=(-1.3, 2.1), aspect="equal")
    axes.axis("off")
    return figure


def paths():
    svm, points, weights = machine()
    row = ROW
    figure, both = plt.subplots(1, 2, figsize=(9.0, 3.4), layout="constrained", sharey=True)
    many = np.random.default_rng(4).permutation(make_moons(40, noise=0.15, random_state=2)[0])[:8]
    for axes, references, steps, title in ((both[0], [points.mean(axis=0)], 5, "lrp-path: one reference"),
                                           (both[1], many, 1, "lrp-expected: many references")):
        background(axes, svm)
        for n, start in enumerate(references):
            axes.plot(*np.c_[start, row], color=GRAY, linewidth=1)
            axes.scatter(*start, color=GRAY, s=22, zorder=3, label=None if n else "reference r")
            at = (np.arange(steps) + 0.5) / steps if steps > 1 else [(n + 0.5) / len(references)]
            on_path = start + np.outer(at, row - start)
            slopes = g_and_gradient(on_path, points, weights)[:, 1:]
            axes.quiver(*on_path.T, *slopes.T, color=FOR, angles="xy", scale_units="xy", scale=1.5, headwidth=3,
                        width=0.005, zorder=4, label=None if n else "gradient of g")
        axes.scatter(*row, marker="*", s=140, color="black", zorder=5, label="row x")
        axes.set_title(title)
    both[1].set_ylabel("")
    both[0].legend(loc="upper right")
    return figure


def orders():
    """Shapley values of two features: the changes of f on both orders from the reference to the row."""
    svm, points, _ = machine()
    reference = points.mean(axis=0)
    corners = np.array([reference, [ROW[0], reference[1]], [reference[0], ROW[1]], ROW])
    f = svm.decision_function(corners)
    first, second = (f[1] - f[0] + f[3] - f[2]) / 2, (f[2] - f[0] + f[3] - f[1]) / 2
    figure, axes = plt.subplots(figsize=(6.4, 3.9), layout="constrained")
    background(axes, svm)
    texts = (("reference", (-8, 4), "right"), ("feature 1 known", (8, 8), "left"),
             ("feature 2 known", (-8, -18), "right"), ("row", (8, -16), "left"))
    for corner, value, (name, offset, side) in zip(corners, f, texts):
        axes.annotate(f"{name}\nf = {value:.2f}", corner, offset, textcoords="offset points", ha=side)
    for a, b, color in ((0, 1, FOR), (1, 3, AGAINST), (0, 2, AGAINST), (2, 3, FOR)):
        axes.annotate("", corners[b], corners[a], zorder=3,
                      arrowprops={"arrowstyle": "->", "color": color, "linewidth": 2})
    axes.scatter(*corners[:3].T, color=GRAY, s=22, zorder=4)
    axes.scatter(*ROW, marker="*", s=140, color="black", zorder=5)
    axes.set_title(f"feature 1 (orange): {first:+.2f}    feature 2 (blue): {second:+.2f}    "
                   f"sum: {first + second:+.2f}", fontsize=9)
    return figure


def neighborhood():
    """The near rows of both outcomes, and how far they are from the row in each feature."""
    svm, _, _ = machine()
    rows = make_moons(120, noise=0.15, random_state=5)[0]
    outcome = svm.decision_function(rows) > 0
    figure, (axes, bars) = plt.subplots(1, 2, figsize=(9.0, 3.4), layout="constrained",
                                        width_ratios=(3, 2))
    background(axes, svm)
    distances = []
    for side, color, name in ((True, FOR, "rows of one outcome"), (False, AGAINST, "rows of the other")):
        own = rows[outcome == side]
        near = own[np.argsort(((own - ROW) ** 2).sum(axis=1))[:10]]
        axes.scatter(*own.T, color=color, s=16, alpha=0.35)
        axes.scatter(*near.T, color=color, s=30, zorder=3, label=f"10 nearest {name}")
        distances.append(((ROW - near) ** 2).mean(axis=0))
    axes.scatter(*ROW, marker="*", s=140, color="black", zorder=5, label="row x")
    axes.legend(loc="upper right", fontsize=8)
    places = np.arange(2)
    bars.bar(places - 0.2, distances[0], 0.38, color=FOR)
    bars.bar(places + 0.2, distances[1], 0.38, color=AGAINST)
    bars.set_xticks(places, ["feature 1", "feature 2"])
    bars.set_ylabel("mean squared distance")
    gap = distances[1] - distances[0]
    bars.set_title(f"relevance: {gap[0]:+.2f} and {gap[1]:+.2f}", fontsize=9)
    return figure


def units():
    data = load_breast_cancer(as_frame=True)
    X, y = data.data[data.feature_names[:6]], data.target_names[data.target]
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    figure, both = plt.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained", sharey=True)
    for axes, unit, name in ((both[0], "g", "unit g: squared distances"),
                             (both[1], "decision", "unit decision: decision value")):
        row = bisector.Explainer(model, X, positive_class="malignant", unit=unit)(X[:1])[0]
        places = np.arange(len(row.values))[::-1]
        axes.barh(places, row.values, color=np.where(row.values > 0, FOR, AGAINST))
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_yticks(places, row.feature_names)
        axes.set_title(f"{name}\nbase value {row.base_values:.2f}, sum of values "
                       f"{row.values.sum():.2f}, output {row.output:.2f}")
    return figure


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (pools, network, paths, orders, neighborhood, units):
        path = folder / f"{draw.__name__}.svg"
        draw().savefig(path, metadata={"Date": None})
        print(path.name)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
