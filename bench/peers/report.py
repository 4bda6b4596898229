"""A run as a page and as a CSV table."""

import csv
import io
import textwrap

from targets import exponent, ratio, verdicts

BEGIN, END = "<!-- measured: written by make bench-peers -->", "<!-- measured: end -->"


def time_text(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def ratio_text(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def machine_text(machine):
    return (f"{machine['date']}, bisector {machine['version']} ({machine['kernels']} kernels), {machine['threads']} threads on "
            f"{machine['processor']}, {machine['system']}. BLAS cores: {machine['blas_core']} (the GEMM peak), "
            f"{machine['peer_cores']} (the peers). {machine['peers']}. Best of several; the run took {machine['minutes']:.0f} minutes.")


def wrapped(text):
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def own_rows(results):
    for shape in results.svm_shapes + results.knn_shapes:
        for own in results.ours[shape]:
            share = "" if shape.neighbors else f"{100 * results.share(shape, own['precision'], own['threads']):.0f} %"
            yield [shape, own["precision"], own["threads"], time_text(own["explain"]), time_text(own["predict"]),
                   f"{own['explain'] / own['predict']:.2f}", f"{own['explain in decision'] / own['explain']:.2f}",
                   f"{own['peak']:.0f}", share]


def peer_rows(results):
    for shape in results.svm_shapes + results.knn_shapes:
        for who, timing in results.peers[shape].items():
            ratios = [ratio_text(ratio(results, shape, who, precision)) for precision in ("f64", "f32")]
            if who.startswith("shapiq"):
                own = results.shapley["seconds"] / results.shapley["rows"]
                ratios = [f"{ratio_text(timing.seconds / timing.rows / own)} (exact Shapley values)", ""]
            yield [shape, who, time_text(timing.seconds / timing.rows), *ratios, timing.note]


def scaling_rows(results):
    for axis in ("rows", "points", "features", "threads"):
        points = [m for m in results.scaling if m["axis"] == axis]
        slope = exponent(results.scaling, axis)
        times = ", ".join(f"{m['value']:,}: {time_text(m['seconds'])}" for m in points)
        yield [axis, times, "" if slope is None else f"{slope:.3f}"]


def markdown(results):
    found = verdicts(results)
    kept = sum(verdict.met for verdict in found)
    latency = results.latency
    return "\n\n".join([
        BEGIN,
        wrapped(machine_text(results.machine)),
        f"## Promises: {kept} of {len(found)} met",
        table(["promise", "rows × points × features", "figure", ""],
              [[v.promise, v.shape, v.figure, "met" if v.met else "**not met**"] for v in found]),
        "## The peers: how many times faster bisector explains",
        "![How many times faster bisector explains than each peer needs](speed-peers.svg)",
        table(["rows × points × features", "peer", "per row", "× (double)", "× (float)", "measured"], peer_rows(results)),
        "## bisector itself",
        table(["rows × points × features", "type", "threads", "explain", "predict", "explain / predict",
               "unit decision / g", "GEMM peak, GFLOP/s", "share of it"], own_rows(results)),
        wrapped(f"One row against 1,000 points of 10 features: {time_text(latency['median'])} (median of {latency['calls']:,} calls, "
                f"best {time_text(latency['best'])}) in C++; from Python {time_text(latency['python'])}."),
        "## How the cost grows (double, one thread but for the last line)",
        "![Time against rows, points, features and threads on logarithmic axes](speed-scaling.svg)",
        table(["axis", "time", "exponent"], scaling_rows(results)),
        "## Agreement on the first rows (largest relative error; of classes, the share that differs)",
        table(["rows × points × features", "what", "error"],
              [[shape, what, f"{error:.1e}"] for shape, errors in results.agreement.items() for what, error in errors.items()]),
        END])


def csv_text(results):
    """One line per measurement, for bench/compare."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["shape", "who", "what", "precision", "threads", "microseconds_per_row", "note"])

    def line(shape, who, what, precision, threads, seconds, note=""):
        writer.writerow([shape, who, what, precision, threads, f"{1e6 * seconds:.6g}", note])

    for shape, measured in results.ours.items():
        for own in measured:
            for what in ("explain", "predict", "explain in decision"):
                line(shape, "bisector", what, own["precision"], own["threads"], own[what] / own["rows"])
            flops = 2.0 * shape.points * shape.features
            line(shape, "BLAS", "product", own["precision"], own["threads"], 1e-9 * flops / own["peak"])
    line(results.svm_shapes[0], "bisector", "exact Shapley", "f64", results.shapley["threads"],
         results.shapley["seconds"] / results.shapley["rows"])
    line("1 × 1,000 × 10", "bisector", "latency", "f64", 1, results.latency["median"])
    line("1 × 1,000 × 10", "bisector", "latency from Python", "f64", 1, results.latency["python"])
    for point in results.scaling:
        line(f"{point['rows']:,} × {point['points']:,} × {point['features']}", "bisector", f"scaling {point['axis']}",
             "f64", point["threads"], point["seconds"] / point["rows"])
    for shape, peers in results.peers.items():
        for who, timing in peers.items():
            line(shape, who, "", "", results.machine["threads"], timing.seconds / timing.rows, timing.note)
    return out.getvalue()


def replace_measured(page, measured):
    """Replaces the text between the marks and keeps the rest of the page."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"error: the page has no {BEGIN!r} ... {END!r}, expected both")
    return before + measured + after
