"""Threads that share an explainer get the same numbers, and the lock is released."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from datasets import CLASSIFICATION
from sklearn.svm import SVC

import bisector


def test_threads_that_share_an_explainer_get_the_same_numbers():
    X, y = CLASSIFICATION["digits"]()
    explainer = bisector.Explainer(SVC().fit(X, y), n_jobs=1)
    wanted = explainer(X).values
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: explainer(X).values, range(12)):
            np.testing.assert_array_equal(found, wanted)
