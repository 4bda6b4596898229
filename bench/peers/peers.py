"""One function per program: prepares it for a case and times it. None: it is not installed."""

import ctypes
import importlib.util

import numpy as np

from cases import GAMMA, fit_svm
from clock import Timing, best_of, per_row
import plain_numpy

BACKGROUND_ROWS = 100  # of the shap explainers


def sklearn_decisions(case):
    return per_row(case.estimator.decision_function, case.rows, longest=6.0)


def sklearn_neighbors(case):
    return per_row(case.estimator.predict, case.rows, longest=6.0)


def intelex(case):
    """Intel's scikit-learn: the same call on its own estimator."""
    if importlib.util.find_spec("sklearnex") is None:
        return None
    if case.shape.neighbors:
        from sklearnex.neighbors import KNeighborsClassifier
        estimator = KNeighborsClassifier(n_neighbors=case.shape.neighbors).fit(case.points, case.labels)
        return per_row(estimator.predict, case.rows)
    from sklearnex.svm import SVC
    return per_row(fit_svm(SVC, case.points, case.labels).decision_function, case.rows)


def libsvm(case):
    """svm_predict_values() row by row, as svm-predict calls it; rows are converted before the timing."""
    from libsvm.svm import gen_svm_nodearray, libsvm as library, svm_node, toPyModel

    svc = case.estimator
    model = toPyModel(library.svm_load_model(libsvm_model_file(case, svc).encode()))
    decision = (ctypes.c_double * 1)()
    some = [gen_svm_nodearray(dict(enumerate(row, start=1)))[0] for row in case.rows[:512]]
    pointers = [ctypes.cast(nodes, ctypes.POINTER(svm_node)) for nodes in some]

    def run(rows):
        for nodes in rows:
            library.svm_predict_values(model, nodes, decision)

    timing = per_row(run, pointers)
    return Timing(timing.rows, timing.seconds, f"one thread; extrapolated from {timing.rows} rows")


def libsvm_model_file(case, svc):
    path = case.model_file.with_suffix(".libsvm")
    first, total = svc.n_support_
    lines = ["svm_type c_svc", "kernel_type rbf", f"gamma {GAMMA!r}", "nr_class 2", f"total_sv {first + total}",
             f"rho {float(svc.intercept_[0])!r}", "label 0 1", f"nr_sv {first} {total}", "SV"]
    for coefficient, vector in zip(-svc.dual_coef_[0], svc.support_vectors_):
        values = " ".join(f"{n}:{value!r}" for n, value in enumerate(vector.tolist(), start=1))
        lines.append(f"{float(coefficient)!r} {values}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def faiss_flat(case):
    import faiss
    index = faiss.IndexFlatL2(case.shape.features)
    index.add(case.points.astype(np.float32))
    rows = case.rows.astype(np.float32)
    return per_row(lambda some: index.search(some, case.shape.neighbors), rows, longest=6.0)


def numpy_formulas(case):
    """The number of rows whose differences to a pool fit into two gigabytes."""
    fitting = max(1, int(2e9 / (8 * case.shape.points * case.shape.features)))
    some = case.rows[:min(len(case.rows), fitting)]
    seconds = best_of(lambda: plain_relevance(case, some, 0.4), 2, 3)
    note = "" if len(some) == len(case.rows) else f"extrapolated from {len(some):,} rows"
    return Timing(len(some), seconds, note)


def plain_relevance(case, rows, eta):
    svc = case.estimator
    return plain_numpy.explain(rows, svc.support_vectors_, svc.dual_coef_[0], svc.intercept_[0], GAMMA, eta)


def kernel_shap(case):
    """KernelExplainer on one row. Model evaluations dominate its time: if they would take minutes, fewer
    samples are drawn and the time is scaled to the default number."""
    import shap
    features = case.shape.features
    by_default = min(2 * features + 2048, 2 ** min(features, 30) - 2)
    explainer = shap.KernelExplainer(case.estimator.decision_function, case.points[:BACKGROUND_ROWS])
    affordable = int(3.0 / (BACKGROUND_ROWS * seconds_per_evaluation(case)))
    samples = min(by_default, max(affordable, 4))
    row = case.rows[:1]
    seconds = best_of(lambda: explainer.shap_values(row, nsamples=samples, silent=True, l1_reg=0), 1, 1)
    return scaled(seconds, by_default, samples, "samples")


def permutation_shap(case):
    """PermutationExplainer on one row; if it would take minutes, fewer background rows, scaled up."""
    import shap
    evaluations = 10 * (2 * case.shape.features + 1)
    affordable = int(3.0 / (evaluations * seconds_per_evaluation(case)))
    background = min(BACKGROUND_ROWS, max(affordable, 1))
    rounds = 10 if affordable >= 1 else 1
    masker = shap.maskers.Independent(case.points[:background], max_samples=background)
    explainer = shap.PermutationExplainer(case.estimator.decision_function, masker)
    row = case.rows[:1]
    budget = rounds * (2 * case.shape.features + 1)
    seconds = best_of(lambda: explainer(row, max_evals=budget, silent=True), 1, 1)
    return scaled(seconds, 10 * BACKGROUND_ROWS, rounds * background, "evaluations")


def seconds_per_evaluation(case):
    timing = per_row(case.estimator.decision_function, case.rows[:512], longest=0.3)
    return timing.seconds / timing.rows


def scaled(seconds, wanted, measured, what):
    note = f"{BACKGROUND_ROWS} background rows, 1 row measured"
    if measured < wanted:
        note += f", {measured / wanted:.2%} of the {what}, scaled up"
    return Timing(1, seconds * wanted / measured, note)


def shapiq_product_kernel(case):
    """Times exact Shapley values of the game that drops absent features from the kernel; returns them too."""
    from shapiq.explainer.product_kernel import ProductKernelExplainer
    explainer = ProductKernelExplainer(case.estimator)
    values = [explainer.explain(row).get_n_order_values(1) for row in case.rows[:4]]

    def run(rows):
        for row in rows:
            explainer.explain(row)

    return per_row(run, case.rows, longest=1.0, first=4), np.array(values)
