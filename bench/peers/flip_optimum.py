"""Compares flips of an SVM with the nearest flips that SciPy finds from many starts.

flip_optimum.py [DATASET] [--starts N]

Prints the distance of every row, ours and the optimizer's (SLSQP with the exact gradient, started
at random training rows with the other prediction, seeded).
"""

import argparse

import numpy as np
from scipy.optimize import minimize

import bisector
from flip_problems import DATASETS, make_problem


def nearest(x, machine, starts, bounds):
    """The smallest distance from x at which the sign of the decision function changes."""
    def decision(z):
        return machine.dual_coef_[0] @ kernel(z) + machine.intercept_[0]

    def kernel(z):
        return np.exp(-machine._gamma * ((z - machine.support_vectors_) ** 2).sum(axis=1))

    def gradient(z):
        return (machine.dual_coef_[0] * kernel(z)) @ (-2.0 * machine._gamma * (z - machine.support_vectors_))

    sign, best = np.sign(decision(x)), np.inf
    for start in starts:
        found = minimize(lambda z: ((z - x) ** 2).sum(), start, jac=lambda z: 2.0 * (z - x), bounds=bounds,
                         constraints={"type": "ineq", "fun": lambda z: -sign * decision(z),
                                      "jac": lambda z: -sign * gradient(z)}, method="SLSQP")
        if found.success and sign * decision(found.x) < 1e-6:
            best = min(best, np.sqrt(found.fun))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", nargs="?", default="moons with noise (5)", choices=[*DATASETS])
    parser.add_argument("--starts", type=int, default=15)
    arguments = parser.parse_args()
    problem = make_problem(arguments.dataset, "SVM", 10)
    scaler, machine = problem.pipeline
    ours = bisector.Explainer(problem.pipeline, problem.X, n_jobs=1).flip(problem.rows).distance
    points, predicted = scaler.transform(problem.X), problem.pipeline.predict(problem.X)
    random = np.random.default_rng(0)
    for row, x in enumerate(scaler.transform(problem.rows)):
        others = points[predicted != problem.pipeline.predict(problem.rows)[row]]
        bounds = list(zip(np.minimum(points.min(axis=0), x), np.maximum(points.max(axis=0), x)))
        best = nearest(x, machine, others[random.choice(len(others), arguments.starts)], bounds)
        print(f"row {row}: ours {ours[row]:.5f}, SLSQP {best:.5f}, ratio {ours[row] / best:.5f}")


if __name__ == "__main__":
    main()
