"""Tests that need a process of their own: memory, Ctrl-C, and threads."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest


def python(text, *arguments):
    return [sys.executable, "-c", textwrap.dedent(text), *arguments]


MEMORY = """
    import numpy as np
    from sklearn.svm import SVC
    import bisector

    def peak():  # of this process alone: getrusage begins with the parent's
        with open("/proc/self/status") as status:
            return 1024 * int(next(line for line in status if "VmHWM" in line).split()[1])

    order = __import__("sys").argv[1]
    generator = np.random.default_rng(0)
    small = generator.normal(size=(60, 20))
    explainer = bisector.Explainer(SVC(C=0.1).fit(small, small[:, 0] > 0), method="lrp-path")
    X = np.empty((1_000_000, 20), order=order)
    for part in range(0, 1_000_000, 50_000):
        X[part:part + 50_000] = generator.normal(size=(50_000, 20))
    explainer(X[:20_000])
    before = peak()
    explanation = explainer(X)
    added = peak() - before
    fields = ["values", "base_values", "output", "remainder", "correction", "stretch", "g",
              "decision", "tie", "outside", "prediction_index", "positive_index", "negative_index"]
    print(added / sum(getattr(explanation, name).nbytes for name in fields))
"""


@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_for_a_million_rows_is_little_more_than_their_explanation(order):
    result = subprocess.run(python(MEMORY, order), capture_output=True, text=True, check=True)
    assert 0.9 < float(result.stdout) < 1.05


SPARSE = """
    import numpy as np
    import scipy.sparse as sp
    from sklearn.svm import SVC, SVR
    import bisector

    def peak():
        with open("/proc/self/status") as status:
            return int(next(line for line in status if "VmHWM" in line).split()[1]) / 1024

    rows, features, words = 1500, 20_000, 80
    generator = np.random.default_rng(0)
    columns = generator.integers(0, features, rows * words)
    X = sp.csr_matrix((generator.random(rows * words), columns, np.arange(0, rows * words + 1,
    words)),
                      shape=(rows, features))
    X.sum_duplicates()
    y = generator.integers(0, 2, rows)
    model = __import__("sys").argv[1]
    model = SVC(gamma=0.05, C=10.0) if model == "SVC" else SVR(gamma=0.05, C=10.0, epsilon=0.001)
    model.fit(X, y)
    before = peak()
    explainer = bisector.Explainer(model, method="lrp")
    why = explainer(X[:24])
    assert model.support_vectors_.shape[0] > 1400 and sp.issparse(why.data)
    print(before, peak())
"""


@pytest.mark.parametrize("model", ["SVC", "SVR"])
def test_sparse_rows_need_little_memory(model):
    """20,000 features and 1,500 support vectors on all threads: once 240 MB, and no copy of them."""
    result = subprocess.run(python(SPARSE, model), capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    before, peak = map(float, result.stdout.split())
    # With the 200 MB of Python and scikit-learn under 500; every further
    # thread packs a piece of its own.
    allowed = 290.0 + 11.0 * max(0, (os.cpu_count() or 1) - 2)
    assert peak - before < allowed, f"{before:.0f} MB before, {peak:.0f} MB behind"


INTERRUPTED = """
    import numpy as np
    from sklearn.svm import SVC
    import bisector

    X = np.random.default_rng(0).normal(size=(1500, 60))
    explainer = bisector.Explainer(SVC().fit(X, X[:, 0] > 0), method={method!r}, n_jobs=1)
    many = np.broadcast_to(X[0], (3_000_000, 60))  # minutes of work, in no memory
    print("ready", flush=True)
    try:
        {call}
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize("method, call", [
    ("lrp", "explainer(many)"),
    ("lrp-expected", "explainer(many)"),
    ("neighborhood", "explainer(many)"),
    ("shapley", "explainer(many)"),
    ("shapley-exact", "explainer(many)"),
    ("lrp", "bisector.aufc(explainer, many[:300_000], background=X, max_rows=300_000)"),
    ("lrp", "n = 1_000_000; explainer(__import__('scipy.sparse').sparse.csr_matrix("
            "(np.ones(n), np.zeros(n, int), np.arange(n + 1)), shape=(n, 60)))"),
], ids=["lrp", "lrp-expected", "neighborhood", "shapley", "shapley-exact", "aufc", "sparse"])
def test_interrupts_end_a_call_within_a_second_of_work(method, call):
    # Where SIGINT is ignored, as in a script that runs in the background, the
    # child would ignore it too.
    process = subprocess.Popen(python(INTERRUPTED.format(method=method, call=call)),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    end = threading.Timer(120, process.kill)  # what is not answered must not be waited for
    end.start()
    try:
        expect_an_answer(process)
    finally:
        end.cancel()
        process.kill()
        process.wait()


def processor_seconds(process):
    """The processor time of a process and its threads, which other programs do not lengthen."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def expect_an_answer(process):
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    assert process.poll() is None, "it was over before it could be interrupted"
    start = processor_seconds(process)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    assert processor_seconds(process) - start < 1.0 * os.cpu_count()
    assert process.communicate(timeout=30)[1] == "", "there was noise at the exit"


LEFT_BEHIND = """
    import sys
    import threading
    import numpy as np
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC
    import bisector

    X = np.random.default_rng(0).normal(size=(200, 5))
    kept = [bisector.Explainer(SVC().fit(X, X[:, 0] > 0)),
            bisector.Explainer(KNeighborsClassifier(3).fit(X, X[:, 0] > 0), background=X)]
    kept += [explainer(X) for explainer in kept]
    kept.append(kept)  # a circle
    def refused():
        try:
            kept[0](np.full((2, 5), np.nan))
        except ValueError as error:
            kept.append(error)  # with the frames that it went through
    refused()
    bisector.forever = kept  # beyond the end of the interpreter
    threading.Thread(target=lambda: [kept[0](X) for _ in range(10**6)], daemon=True).start()
    if sys.argv[1] == "exit":
        sys.exit()
"""


@pytest.mark.parametrize("end", ["exit", "fall through"])
def test_threads_at_exit_print_nothing(end):
    result = subprocess.run(python(LEFT_BEHIND, end), capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (0, "")


FORKED = """
    import multiprocessing
    import numpy as np
    from sklearn.svm import SVC
    import bisector

    X = np.random.default_rng(0).normal(size=(500, 5))
    explainer = bisector.Explainer(SVC().fit(X, X[:, 0] > 0))
    wanted = explainer(X).values
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = pool.map(explainer.shap_values, [X[:250], X[250:]])
    print(np.array_equal(np.vstack(parts), wanted))
"""


def test_forked_processes_give_the_same_numbers():
    result = subprocess.run(python(FORKED), capture_output=True, text=True, check=True, timeout=120)
    assert result.stdout == "True\n"


IMPORTED = """
    import sys
    import bisector
    heavy = {"sklearn", "pandas", "scipy", "matplotlib", "shap"} & set(sys.modules)
    print(sorted(heavy))
"""


def test_importing_the_package_needs_numpy_only():
    result = subprocess.run(python(IMPORTED), capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
