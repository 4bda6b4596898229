"""One explainer, many threads: the lock is released and the numbers are the same."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from datasets import CLASSIFICATION
from sklearn.svm import SVC

import bisector


def test_shared_between_threads():
    X, y = CLASSIFICATION["digits"]()
    explainer = bisector.Explainer(SVC().fit(X, y), n_jobs=1)
    wanted = explainer(X).values
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: explainer(X).values, range(12)):
            np.testing.assert_array_equal(found, wanted)
