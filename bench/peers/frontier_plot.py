"""Plots cost against AUFC, one panel per model, with labeled points."""

from matplotlib import pyplot
from plots import BLUE, GRAY, svg_text

RED = "#b2182b"
OURS = ("lrp", "neighborhood", "auto")  # prefixes of the names of our rules
# Candidate offsets of a label in points; the first one without overlap is used.
PLACES = [(6, 0), (-6, 0), (0, 12), (0, -12)] + [
    (x, y) for reach in (7, 11, 16, 22, 30, 40, 50) for x, y in ((6, reach), (6, -reach), (-6, reach), (-6, -reach))]
FAR = 14  # beyond this distance a line connects label and point


def named_points(rows):
    """(name, cost, AUFC); methods with equal numbers, such as auto and its rule, become one."""
    points = {}
    for row in rows:
        same = next((key for key in points if key[0] == row.settings and abs(key[1] - row.aufc) < 1e-12), None)
        if same is None:
            points[(row.settings, float(row.aufc))] = (row.method, row.microseconds)
        else:
            name, cost = points[same]
            points[same] = (f"{name} = {row.method}", min(cost, row.microseconds))
    return [(name, cost, aufc) for (_, aufc), (name, cost) in points.items()]


def frontier(points):
    """The points of the Pareto frontier, the cheapest first."""
    best, found = float("inf"), []
    for _, cost, aufc in sorted(points, key=lambda point: point[1]):
        if aufc < best:
            best = aufc
            found.append((cost, aufc))
    return found


def color(name):
    return RED if name == "KernelSHAP" else BLUE if name.startswith(OURS) else GRAY


def obstacles(axes, points):
    """Boxes that labels must not overlap: the points and the steps of the frontier."""
    places = [(cost, aufc, cost, aufc) for _, cost, aufc in points]
    steps = frontier(points)
    for (cost, aufc), (next_cost, next_aufc) in zip(steps, steps[1:]):
        places += [(cost, aufc, next_cost, aufc), (next_cost, next_aufc, next_cost, aufc)]
    corners = [(*axes.transData.transform((x0, y0)), *axes.transData.transform((x1, y1))) for x0, y0, x1, y1 in places]
    return [(x0 - 4, y0 - 8, x1 + 4, y1 + 8) for x0, y0, x1, y1 in corners]


def is_free(box, axes, taken):
    inside = axes.bbox.x0 < box.x0 and box.x1 < axes.bbox.x1 and axes.bbox.y0 < box.y0 and box.y1 < axes.bbox.y1
    return inside and not any(box.x0 < x1 and x0 < box.x1 and box.y0 < y1 and y0 < box.y1 for x0, y0, x1, y1 in taken)


def write_names(axes, points):
    taken = obstacles(axes, points)
    for name, cost, aufc in sorted(points, key=lambda point: point[2]):
        for x, y in PLACES:
            text = axes.annotate(name, (cost, aufc), (x, y), textcoords="offset points", fontsize=8, color=color(name),
                                 va="center", ha="left" if x > 0 else "right" if x < 0 else "center")
            box = text.get_window_extent()
            if is_free(box, axes, taken) or (x, y) == PLACES[-1]:
                break
            text.remove()
        taken.append(box.extents)
        if abs(y) > FAR:
            axes.annotate("", (cost, aufc), (x, y), textcoords="offset points",
                          arrowprops={"arrowstyle": "-", "color": GRAY, "linewidth": 0.5})


def draw_panel(axes, name, rows, chance):
    points = named_points(rows)
    axes.axhline(chance, color=GRAY, linewidth=1, linestyle=":")
    axes.annotate("random order", (1, chance), (-4, 4), xycoords=("axes fraction", "data"), textcoords="offset points",
                  ha="right", fontsize=8, color=GRAY)
    costs, heights = zip(*frontier(points))
    axes.plot(costs, heights, color="#d1d5db", linewidth=3, drawstyle="steps-post", zorder=0)
    for method, cost, aufc in points:
        axes.plot(cost, aufc, "o", markersize=5, color=color(method))
    axes.set(xscale="log", title=name, ylabel="AUFC (lower is more faithful)")
    axes.margins(0.12)
    return points


def draw(measured):
    figure, all_axes = pyplot.subplots(len(measured), 1, figsize=(8, 3.6 * len(measured)), layout="constrained", sharex=True,
                                      squeeze=False)
    panels = [(axes, draw_panel(axes, name, rows, chance))
              for axes, (name, (rows, chance)) in zip(all_axes[:, 0], measured.items())]
    all_axes[-1, 0].set_xlabel("processor time, µs per row (one thread)")
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # keep the chosen positions of the labels
    for axes, points in panels:
        write_names(axes, points)
    return svg_text(figure)
