"""Compares a Laplacian kernel machine with scikit-learn's manhattan_distances, exp and product.

manhattan.py BISECTOR_KERNELS [ROUNDS]

10,000 rows, 1,000 points, 30 features, one thread, processor time. Both run in every round, and the
best of the rounds counts, so that a busy machine does not decide.
"""

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import subprocess
import sys
import time

import numpy as np
import sklearn
from sklearn.metrics.pairwise import manhattan_distances


def peer(rows, points, coefficients):
    start = time.process_time()
    distances = manhattan_distances(rows, points)
    only_distances = time.process_time() - start
    np.exp(-distances) @ coefficients
    return only_distances, time.process_time() - start


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    random = np.random.default_rng(1)
    rows, points = random.normal(size=(10000, 30)) / 60**0.5, random.normal(size=(1000, 30)) / 60**0.5
    coefficients = random.normal(size=1000)
    ours, theirs = [], []
    for _ in range(rounds):
        theirs.append(peer(rows, points, coefficients))
        answer = subprocess.run([program, "manhattan"], check=True, capture_output=True, text=True).stdout
        ours.append([float(word) for word in answer.split()])
    distances, product = (min(times) for times in zip(*theirs))
    predict, explain = (min(times) for times in zip(*ours))
    print(f"scikit-learn {sklearn.__version__}, seconds: manhattan_distances {distances:.3f}, with exp and product {product:.3f}")
    print(f"bisector, seconds: prediction {predict:.4f}, explanation {explain:.4f}")
    print(f"prediction {product / predict:.1f} times faster, explanation {product / explain:.1f} times")


if __name__ == "__main__":
    main()
