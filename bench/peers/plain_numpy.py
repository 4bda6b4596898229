"""The formulas in plain NumPy, one array operation each.

Everything of size rows × points × features is held in memory.
"""

import numpy as np


def pool(rows, points, weights, intercept, gamma):
    """The pooled score of every row, the responsibilities of the points, and the differences from them.

    An intercept is a virtual point at the row itself: it has a responsibility, and no difference.
    """
    differences = rows[:, None, :] - points[None, :, :]
    exponents = np.log(weights) - gamma * (differences ** 2).sum(axis=2)
    if intercept > 0:
        exponents = np.column_stack([exponents, np.full(len(rows), np.log(intercept))])
    largest = exponents.max(axis=1, keepdims=True)
    e = np.exp(exponents - largest)
    total = e.sum(axis=1, keepdims=True)
    score = -(largest + np.log(total))[:, 0] / gamma
    return score, (e / total)[:, :len(points)], differences


def explain(rows, points, coefficients, intercept, gamma, eta):
    """g and the relevance E_eta of every row, measured from the origin."""
    positive, negative = coefficients > 0, coefficients < 0
    score_p, p, from_p = pool(rows, points[positive], coefficients[positive], intercept, gamma)
    score_n, n, from_n = pool(rows, points[negative], -coefficients[negative], -intercept, gamma)
    midpoint = (n[:, :, None] * from_n ** 2).sum(axis=1) - (p[:, :, None] * from_p ** 2).sum(axis=1)
    gradient = 2.0 * ((n[:, :, None] * from_n).sum(axis=1) - (p[:, :, None] * from_p).sum(axis=1))
    return score_n - score_p, (1.0 - eta) * rows * gradient + eta * midpoint
