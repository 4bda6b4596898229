"""Threads that share an explainer get the same numbers, also on its first use. With a free-threaded
Python they run without the interpreter's lock."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, PowerTransformer, StandardScaler
from sklearn.svm import SVC

import bisector

THREADS = 8
X, Y = CLASSIFICATION["digits"]()
W, KINDS = CLASSIFICATION["wine"]()
D, T = REGRESSION["diabetes"]()
USES = {
    "values": (lambda: bisector.Explainer(SVC().fit(X, Y), X, n_jobs=1), lambda e: e(X[:60]).values),
    "all classes": (lambda: bisector.Explainer(SVC().fit(W, KINDS), W),
                    lambda e: e(W[:20], classes="all").values),
    "neighbors": (lambda: bisector.Explainer(KNeighborsClassifier().fit(X, Y), X[:50]),
                  lambda e: e(X).values),
    "local outlier factor": (
        lambda: bisector.Explainer(LocalOutlierFactor(novelty=True).fit(W), W), lambda e: e(W).values),
    "interactions": (lambda: bisector.Explainer(KernelRidge(kernel="rbf").fit(D, T), D[:50]),
                     lambda e: e.interactions(D[:5]).values),
    "prediction": (lambda: bisector.Explainer(SVC().fit(X, Y)), lambda e: e.predict(X)),
    "encoded columns": (
        lambda: bisector.Explainer(make_pipeline(PowerTransformer(), SVC()).fit(W, KINDS), W),
        lambda e: e(W).values),
    "paths through a step": (
        lambda: bisector.Explainer(
            make_pipeline(StandardScaler(), Normalizer(), SVC()).fit(W, KINDS), W),
        lambda e: e(W[:10]).values),
}


@pytest.mark.parametrize("name", USES)
def test_threads_that_share_an_explainer_get_the_same_numbers(name):
    make, use = USES[name]
    wanted = use(make())
    for _ in range(3):
        explainer, start = make(), Barrier(THREADS)

        def at_once(_):
            start.wait()
            return use(explainer)

        with ThreadPoolExecutor(THREADS) as pool:
            for found in pool.map(at_once, range(THREADS)):
                np.testing.assert_array_equal(found, wanted)


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled") or "free-threading" not in sys.version,
                    reason="needs a free-threaded Python")
def test_the_package_does_not_enable_the_lock_again():
    assert not sys._is_gil_enabled()
