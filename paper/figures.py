"""Draws the figures of the paper from the CSV files of bisector-paper: figures.py FOLDER [FIGURE...]

Figures: overview, ablation, heuristics, wine, dipole; by default all whose files FOLDER has. They are
written beside the files, as SVG.
"""

import argparse
import csv
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

FOR, AGAINST, UNIT = "#e67a22", "#17518f", "#5b2a86"
LINES = ("#0072b2", "#d55e00", "#009e73")
BANDS = matplotlib.colors.LinearSegmentedColormap.from_list(
    "bands", ("#08306b", "#2067a8", "#6aaed6", "#b3d3e8", "#eeeeee", "#fdd0a2", "#fdae6b",
              "#f58634", "#e0600f"))
plt.rcParams.update({"svg.hashsalt": "bisector", "font.size": 8, "axes.spines.top": False,
                     "axes.spines.right": False, "axes.titlesize": 9, "legend.frameon": False})


def read(path):
    """The rows of a CSV file as dictionaries; cells that are numbers are numbers."""
    with path.open(encoding="utf-8") as file:
        return [{name: number(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def chosen(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def distinct(rows, name):
    return list(dict.fromkeys(row[name] for row in rows))


def columns(rows, *names):
    return np.array([[row[name] for row in rows] for name in names])


# Figure 1: f, g, the units that decide a point, and the network at that point.

ROW = (0.55, -0.15)  # the explained row of overview.cpp
NODES, PAIRS = 3, 6


def draw_field(axes, x, y, values, rows):
    """The values in nine bands on each side of zero, with the line of zero and the rows."""
    largest = np.quantile(np.abs(values), 0.98)
    bands = matplotlib.colors.BoundaryNorm(np.linspace(-largest, largest, 19), BANDS.N, extend="both")
    axes.imshow(values, cmap=BANDS, norm=bands, origin="lower", extent=(x[0], x[-1], y[0], y[-1]), aspect="auto")
    axes.contour(x, y, values, [0.0], colors="#1b1d21", linewidths=1.4)
    for label, color, marker in (("orange", FOR, "o"), ("blue", AGAINST, "s")):
        axes.scatter(*columns(chosen(rows, **{"class": label}), "x1", "x2"), s=12, c=color,
                     marker=marker, edgecolors="white", linewidths=0.5)
    axes.set(xlabel="$x_1$", ylabel="$x_2$")


def draw_units(axes, units):
    """The strongest pairs of points, with their bisectors."""
    weight = {id(unit): unit["positive_weight"] * unit["negative_weight"] for unit in units}
    strongest = sorted(units, key=lambda unit: -weight[id(unit)])[:PAIRS]
    for unit in strongest:
        u, v = columns([unit], "u1", "u2")[:, 0], columns([unit], "v1", "v2")[:, 0]
        width = 0.7 + 2.0 * weight[id(unit)] / weight[id(strongest[0])]
        axes.plot(*zip(u, v), color="#1b1d21", linewidth=0.5 * width, linestyle=":")
        across = np.array([v[1] - u[1], u[0] - v[0]])
        if across.any():
            across = 0.55 * across / np.linalg.norm(across)
            middle = (u + v) / 2
            axes.plot(*zip(middle - across, middle + across), color=UNIT, linewidth=width)
        axes.scatter(*u, s=26, c=FOR, edgecolors="#1b1d21", zorder=3)
        axes.scatter(*v, s=26, c=AGAINST, edgecolors="#1b1d21", zorder=3)
    axes.scatter(*ROW, s=45, c="#111111", marker="X", edgecolors="white", zorder=4)
    one = units[0]
    axes.set_xlabel(f"g = {one['g']:+.2f}, relevance ({one['relevance1']:+.2f}, {one['relevance2']:+.2f})")


def draw_network(axes, units):
    """The three layers for the most influential points: widths are parts in the relevance, colors activations."""
    g = units[0]["g"]
    pools = list(dict.fromkeys((unit["v1"], unit["v2"]) for unit in units))[:NODES]
    inputs, output = (0.75, 0.25), 0.5

    def node(x, y, value, text=""):
        color = "white" if value is None else BANDS(0.5 + 0.25 * value / abs(g))
        axes.scatter(x, y, s=90, color=color, edgecolors="#1b1d21", zorder=3)
        axes.annotate(text, (x, y), (7, 5), textcoords="offset points")

    for j, (v1, v2) in enumerate(pools):
        pool = chosen(units, v1=v1, v2=v2)[:NODES]
        weight = pool[0]["negative_weight"]
        at = 1 - (j + 0.5) / len(pools)
        for i, unit in enumerate(pool):
            y = 1 - (j * NODES + i + 0.5) / (NODES * len(pools))
            for x in inputs:
                axes.plot((0, 1), (x, y), color="#b9bec7", linewidth=0.6)
            axes.plot((1, 2), (y, at), color=UNIT, alpha=0.8,
                      linewidth=0.5 + 8 * unit["positive_weight"] * weight)
            node(1, y, unit["detection"])
        axes.plot((2, 3), (at, output), color=UNIT, alpha=0.8, linewidth=0.5 + 8 * weight)
        node(2, at, pool[0]["hidden"], f"{pool[0]['hidden']:+.2f}")
    node(3, output, g, f"{g:+.2f}")
    for i, x in enumerate(inputs):
        node(0, x, None, f"$x_{i + 1}$")
    axes.set(xticks=range(4), yticks=(), xlim=(-0.3, 3.6), ylim=(-0.05, 1.05))
    axes.set_xticklabels(("input", "pairs $z_{ij}$", "pools $h_j$", "output g"))
    axes.spines["left"].set_visible(False)


def overview(folder):
    rows, fields, units = (read(folder / f"overview_{part}.csv") for part in ("rows", "fields", "units"))
    models = distinct(fields, "model")
    figure, panels = plt.subplots(len(models), 4, figsize=(15, 3.7 * len(models)), layout="constrained")
    for model, line in zip(models, panels):
        of = chosen(fields, model=model)
        x, y = distinct(of, "x1"), distinct(of, "x2")
        f, g = columns(of, "f", "g").reshape(2, len(y), len(x))
        own = chosen(units, model=model)
        draw_field(line[0], x, y, f, rows)
        draw_field(line[1], x, y, g, rows)
        draw_field(line[2], x, y, g, [])
        draw_units(line[2], own)
        draw_network(line[3], own)
        for axes, title in zip(line, ("output f", "output g of the network", "the units that decide a point",
                                      "the network at that point")):
            axes.set_title(f"{model}: {title}")
    return figure


# Figure 2: the ablation.

def ablation(folder):
    rows = read(folder / "ablation.csv")
    datasets, methods = distinct(rows, "dataset"), distinct(rows, "method")
    figure, axes = plt.subplots(figsize=(1.2 * len(datasets) + 1, 3.2), layout="constrained")
    share = 0.8 / len(methods)
    for m, method in enumerate(methods):
        mean, error = columns(chosen(rows, method=method), "aufc", "standard_error")
        axes.bar(np.arange(len(mean)) + share * (m - (len(methods) - 1) / 2), mean, 0.92 * share, yerr=error,
                 color=LINES[m], error_kw={"linewidth": 0.8}, label=method)
    axes.set(xticks=range(len(datasets)), ylabel="AUFC (lower is more faithful)")
    axes.set_xticklabels([name.replace("_", "\n") for name in datasets])
    axes.legend()
    return figure


# Note G: AUFC over the model's parameter and the rule's, each column with its own scale.

def heuristics(folder):
    rows = read(folder / "heuristics.csv")
    maps = list(dict.fromkeys((row["model"], row["rule_parameter"]) for row in rows))
    figure, panels = plt.subplots(-(-len(maps) // 2), 2, figsize=(9, 2.6 * -(-len(maps) // 2)),
                                  layout="constrained")
    for (model, rule), axes in zip(maps, panels.flat):
        own = chosen(rows, model=model, rule_parameter=rule)
        x, y = (sorted(set(distinct(own, name))) for name in ("model_parameter", "value"))
        cells = np.full((len(y), len(x)), np.nan)
        for row in own:
            cells[y.index(row["value"]), x.index(row["model_parameter"])] = row["aufc"]
        low, high = np.nanmin(cells, axis=0), np.nanmax(cells, axis=0)
        axes.imshow((cells - low) / np.where(high > low, high - low, 1), origin="lower", aspect="auto", cmap="inferno")
        heuristic = [chosen(own, model_parameter=value)[0]["heuristic"] for value in x]
        axes.plot(range(len(x)), np.interp(heuristic, y, range(len(y))), "w--", linewidth=2)
        axes.set(title=f"{model.upper()}: {rule}", xlabel="γ" if model == "svm" else "k",
                 ylabel="β / γ" if rule == "beta" else rule, xticks=range(len(x)), yticks=range(len(y)))
        axes.set_xticklabels([f"{value:g}" for value in x])
        axes.set_yticklabels([f"{value:g}" for value in y])
    figure.supxlabel("color: AUFC between the lowest (black) and the highest of a column; line: the default",
                     fontsize=8)
    return figure


# Figure 3: wine, value against relevance.

SMOOTH, DETAILED = "0.0001", "0.2"
MOST_SUGAR = 20.0  # of the interactions; this and the cuts are the paper's (paper/wine/wine_models.cpp)
SPLITS = (("residual sugar", "chlorides", 0.10), ("pH", "residual sugar", 10.0))


def draw_dots(axes, title, x, y, color, limits):
    """Up to 500 wines, and the means of 20 groups of equal size."""
    shown = np.random.default_rng(0).permutation(len(x))[:500]
    axes.scatter(x[shown], y[shown], s=2, c=color, rasterized=True)
    groups = np.array_split(np.argsort(x, kind="stable"), 20)
    axes.plot([x[group].mean() for group in groups], [y[group].mean() for group in groups], color="#c8281e")
    axes.axhline(0, color="#888888", linewidth=0.7, linestyle="--")
    axes.set(title=title, xlim=limits[0], ylim=limits[1])


def limits(x, y):
    """The middle 99 % of the values, and of the relevance around zero."""
    most = max(np.percentile(y, 99.5), -np.percentile(y, 0.5))
    return (np.percentile(x, 0.5), np.percentile(x, 99.5)), (-most, most)


def wine(folder):
    rows = read(folder / "wine_relevance.csv")
    features = [name for name in rows[0] if " at gamma " not in name]
    figure, panels = plt.subplots(5, 6, figsize=(15, 10), layout="constrained")
    empty = list(panels.flat)
    for gamma in (SMOOTH, DETAILED):
        for feature in features:
            x, y = columns(rows, feature, f"{feature} at gamma {gamma}")
            draw_dots(empty.pop(0), f"{feature} (γ = {gamma})", x, y, "#5b7fa6", limits(x, y))
    used = [row for row in rows if row["residual sugar"] <= MOST_SUGAR]
    for feature, other, cut in SPLITS:
        x, y, split = columns(used, feature, f"{feature} at gamma {DETAILED}", other)
        for name, wines, color in (("low", split <= cut, "#3a8f6b"), ("high", split > cut, "#8a5fb0")):
            draw_dots(empty.pop(0), f"{feature}, {name} {other}", x[wines], y[wines], color, limits(x, y))
    for axes in empty:
        axes.remove()
    figure.supylabel("normalized relevance for a good wine")
    return figure


# Figure 4: molecules with the relevance of their pairs of atoms.

RADIUS = {"H": 0.31, "C": 0.76, "N": 0.71, "O": 0.66}  # covalent, in Angstrom (Cordero et al. 2008)
COLOR = {"H": "#c9c9c9", "C": "#2b2b2b", "N": "#7fa8f0", "O": "#ffffff"}


def draw_molecule(axes, atoms, pairs):
    """The molecule along its principal axes, never mirrored, with a line for each pair."""
    places = columns(atoms, "x", "y", "z").T
    places = places - places.mean(axis=0)
    turn = np.linalg.eigh(places.T @ places)[1][:, ::-1]
    seen = places @ (turn * [1, 1, np.linalg.det(turn)])
    elements = [atom["element"] for atom in atoms]
    for i, j in zip(*np.triu_indices(len(atoms), 1)):
        if np.linalg.norm(places[i] - places[j]) < 1.25 * (RADIUS[elements[i]] + RADIUS[elements[j]]):
            axes.plot(*seen[[i, j], :2].T, color="#999999", linewidth=2.5, zorder=1)
    largest = max(abs(pair["relevance"]) for pair in pairs)
    for pair in sorted(pairs, key=lambda pair: abs(pair["relevance"])):
        share = abs(pair["relevance"]) / largest
        if share >= 0.05:
            ends = seen[[int(pair["first"]), int(pair["second"])], :2]
            axes.plot(*ends.T, color=FOR if pair["relevance"] > 0 else AGAINST,
                      linewidth=4 * share, alpha=0.15 + 0.8 * share, zorder=2)
    for n in np.argsort(seen[:, 2]):
        axes.scatter(*seen[n, :2], s=60 if elements[n] == "H" else 130, color=COLOR[elements[n]],
                     edgecolors="#222222", zorder=3)
        if elements[n] in "NO":
            axes.annotate(elements[n], seen[n, :2], ha="center", va="center", weight="bold", zorder=4)
    axes.set_aspect("equal")
    axes.axis("off")


def draw_distances(figure, cell, atoms, pairs):
    """For each pair of elements how many pairs have a distance, colored by the sum of their relevance."""
    bins = np.arange(0, 9.5, 0.5)
    of = defaultdict(list)
    for pair in pairs:
        ends = [atoms[int(pair[end])] for end in ("first", "second")]
        a, b = columns(ends, "x", "y", "z").T
        of["-".join(sorted((end["element"] for end in ends), key="CNOH".index))].append(
            (np.linalg.norm(a - b), pair["relevance"]))
    sums = {name: np.histogram(*np.array(own).T[:1], bins, weights=np.array(own)[:, 1])[0] for name, own in of.items()}
    largest = max(np.abs(values).max() for values in sums.values())
    strips = cell.subgridspec(len(of), 1, hspace=0).subplots()
    for axes, name in zip(np.atleast_1d(strips), sorted(of)):
        counts = np.histogram([length for length, _ in of[name]], bins)[0]
        axes.bar(bins[:-1], counts, 0.45, align="edge", color=BANDS(0.5 + 0.5 * sums[name] / largest),
                 edgecolor="#bbbbbb", linewidth=0.4)
        axes.set(yticks=(), xlim=(0, 9), xticks=() if name != max(of) else (0, 3, 6, 9))
        axes.set_ylabel(name, rotation=0, ha="right", va="center")
    axes.set_xlabel("distance, Å")


def dipole(folder):
    atoms, pairs = read(folder / "dipole_atoms.csv"), read(folder / "dipole_pairs.csv")
    sets, representations = distinct(atoms, "molecules"), distinct(atoms, "representation")
    methods = distinct(pairs, "method")
    lines = [(representation, method) for representation in representations for method in methods]
    figure = plt.figure(figsize=(7.5 * len(sets), 3.4 * len(lines)), layout="constrained")
    grid = figure.add_gridspec(len(lines), 2 * len(sets), width_ratios=(3, 2) * len(sets))
    for r, (representation, method) in enumerate(lines):
        for c, name in enumerate(sets):
            own = chosen(atoms, molecules=name, representation=representation)
            of = [pair for pair in chosen(pairs, molecules=name, representation=representation, method=method)
                  if pair["first"] != pair["second"]]
            axes = figure.add_subplot(grid[r, 2 * c])
            axes.set_title(f"{representation}, {method}: {own[0]['name']}\ndipole moment {own[0]['truth']:.2f} Debye, "
                           f"predicted {own[0]['prediction']:.2f}, level {own[0]['level']:.2f}", loc="left")
            draw_molecule(axes, own, of)
            draw_distances(figure, grid[r, 2 * c + 1], own, of)
    figure.supxlabel("Orange raises the dipole moment, blue lowers it. Bars: number of pairs.", fontsize=8)
    return figure


FIGURES = {"overview": (overview, "overview_units.csv"), "ablation": (ablation, "ablation.csv"),
           "heuristics": (heuristics, "heuristics.csv"), "wine": (wine, "wine_relevance.csv"),
           "dipole": (dipole, "dipole_pairs.csv")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("figures", nargs="*", metavar="FIGURE", choices=[*FIGURES, []])
    given = parser.parse_args()
    there = [name for name, (_, file) in FIGURES.items() if (given.folder / file).exists()]
    if not there and not given.figures:
        files = ", ".join(file for _, file in FIGURES.values())
        parser.error(f"{given.folder} has no results, expected one of {files}")
    for name in given.figures or there:
        path = given.folder / f"{name}.svg"
        FIGURES[name][0](given.folder).savefig(path, metadata={"Date": None})
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
