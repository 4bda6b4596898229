"""Measures bisector and other programs on the same models and rows, in one run: make bench-peers.

run.py PROGRAM WORK RESULTS    bisector-timing, a folder for models and rows, and one with speed.md to write into
"""

import contextlib
import datetime
import importlib.metadata
import os
import platform
import re
import sys
import time
from pathlib import Path

import blas
import ours

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402


def say(text):
    print(text, flush=True)


def processor():
    with contextlib.suppress(OSError):
        match = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
        if match:
            return match[1]
    return platform.machine()


def peer_versions():
    names = ["numpy", "scikit-learn", "scikit-learn-intelex", "libsvm-official", "faiss-cpu", "shap", "shapiq"]
    found = []
    for name in names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{name} {importlib.metadata.version(name)}")
    return "Peers: " + ", ".join(found)


def describe_machine(own):
    return {**own, "date": datetime.date.today().isoformat(), "processor": processor(),
            "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
            "peer_cores": ", ".join(sorted(set(blas.cores()))), "peers": peer_versions()}


def time_peers(case, peers):
    timings = {who: measure(case) for who, measure in peers.items()}
    return {who: timing for who, timing in timings.items() if timing is not None}


def faster(one, other):
    """The shorter of two timings of each peer."""
    return {who: min(timing, other[who], key=lambda t: t.seconds / t.rows) for who, timing in one.items()}


def measure_case(results, program, case, peers):
    """Times all programs twice, in the order ABBA, and takes the shorter time of each."""
    first = case.shape == results.svm_shapes[0]
    own = ours.measure(program, case, shapley=first)
    timings = faster(time_peers(case, peers), time_peers(case, peers))
    own = ours.better(own, ours.measure(program, case))
    results.ours[case.shape], results.peers[case.shape] = own["measured"], timings
    for who, timing in timings.items():
        say(f"   {who}: {1e6 * timing.seconds / timing.rows:,.4g} µs per row {timing.note}")
    best = results.measured(case.shape, "f64")
    say(f"   bisector: explain {1e6 * best['explain'] / best['rows']:,.4g}, predict "
        f"{1e6 * best['predict'] / best['rows']:,.4g} µs per row")
    return own


def python_latency(case):
    """Median seconds for one row in Python."""
    import bisector
    from clock import median_of
    explainer = bisector.Explainer(case.estimator)
    return median_of([lambda row=row: explainer(row) for row in case.rows[:2000, None]])


def measure_first_shape(results, program, case, own):
    """Measurements at 1,000 points and 10 features only."""
    import agreement
    import peers
    timing, values = peers.shapiq_product_kernel(case)
    results.peers[case.shape]["shapiq ProductKernelExplainer"] = timing
    results.shapley = own["shapley"]
    results.agreement[case.shape] |= agreement.check_shapley(own["shapley"]["values"], values)
    results.latency = ours.timing(program, "latency", case.model_file, case.rows_file)
    results.latency["python"] = python_latency(case)


def measure_all(program, work):
    import agreement
    import cases
    import peers
    from results import Results
    svm_peers = {"scikit-learn": peers.sklearn_decisions, "scikit-learn-intelex": peers.intelex, "LIBSVM": peers.libsvm,
                 "plain NumPy": peers.numpy_formulas, "shap KernelExplainer": peers.kernel_shap,
                 "shap PermutationExplainer": peers.permutation_shap}
    knn_peers = {"scikit-learn": peers.sklearn_neighbors, "scikit-learn-intelex": peers.intelex,
                 "FAISS flat": peers.faiss_flat}
    results = Results(cases.SVM_SHAPES, cases.KNN_SHAPES)
    for shape in (*cases.SVM_SHAPES, *cases.KNN_SHAPES):
        say(f"== {shape}")
        case = cases.make_case(shape, work)
        own = measure_case(results, program, case, knn_peers if shape.neighbors else svm_peers)
        check = agreement.check_knn if shape.neighbors else agreement.check_svm
        results.agreement[shape] = check(case, own["check"])
        if shape == cases.SVM_SHAPES[0]:
            measure_first_shape(results, program, case, own)
        case.rows_file.unlink()
        results.machine = own["machine"]
    say("== scaling")
    results.scaling = ours.timing(program, "scaling")
    return results


def main(program, work, folder):
    import plots
    import report
    page, table = folder / "speed.md", folder / "speed.csv"
    begin = time.monotonic()
    work.mkdir(parents=True, exist_ok=True)
    results = measure_all(program, work)
    results.machine = describe_machine(results.machine) | {"minutes": (time.monotonic() - begin) / 60}
    whole_file.write(page, report.replace_measured(page.read_text(encoding="utf-8"), report.markdown(results)))
    whole_file.write(table, report.csv_text(results))
    figures = [folder / "speed-scaling.svg", folder / "speed-peers.svg"]
    whole_file.write(figures[0], plots.scaling(results))
    whole_file.write(figures[1], plots.peers(results))
    say("written: " + ", ".join(map(str, [page, table, *figures])))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("error: expected PROGRAM WORK RESULTS")
    arguments = [Path(argument).resolve() for argument in sys.argv[1:]]
    if "BISECTOR_PEERS_BLAS_CHOSEN" not in os.environ:
        # OpenBLAS chooses its kernels when it is loaded, so choose before that.
        blas.choose_core(ours.timing(arguments[0], "machine")["blas_core"])
        os.environ["BISECTOR_PEERS_BLAS_CHOSEN"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    main(*arguments)
