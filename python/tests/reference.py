"""The relevance written straight from its definition, point by point, in NumPy."""

import numpy as np


def soft_pool(scores, gamma):
    """The soft minimum of scores."""
    lowest = scores.min()
    return lowest - np.log(np.exp(-gamma * (scores - lowest)).sum()) / gamma


def softmax(exponents):
    weights = np.exp(exponents - exponents.max())
    return weights / weights.sum()


def kernel_pools(x, points, coefficients, gamma, intercept):
    """For P and N: the points and their scores; the intercept is a point at x."""
    points = np.vstack([points, x])
    coefficients = np.append(coefficients, intercept)
    distance = ((points - x) ** 2).sum(axis=1)
    for sign in (1.0, -1.0):
        members = sign * coefficients > 0
        yield points[members], distance[members] - np.log(np.abs(coefficients[members])) / gamma


def kernel_relevance(x, points, coefficients, gamma, intercept, settings, affine=None):
    """(relevance, g) of one row of the input space; `affine` is (A, c) of x -> A x + c."""
    A, c = (np.eye(len(x)), np.zeros(len(x))) if affine is None else affine
    reference = np.asarray(settings["reference"])
    mapped, mapped_reference = A @ x + c, A @ reference + c
    pools, values = [], []
    for members, scores in kernel_pools(mapped, points, coefficients, gamma, intercept):
        values.append(soft_pool(scores, gamma))
        pools.append((members, softmax(-settings["beta"] * scores)))
    relevance = pool_relevance(x - reference, pools, mapped_reference, A, settings["eta"])
    return relevance, values[1] - values[0]


def pool_relevance(x, pools, reference, A, eta):
    """The rule behind a linear layer; x is measured from the reference already."""
    inverse = np.linalg.pinv(A)
    means = []
    for members, weights in pools:
        centered = members - reference
        a, b = centered @ inverse.T, centered @ A
        means.append((weights @ a, weights @ b, weights @ (a * b)))
    (a_P, b_P, ab_P), (a_N, b_N, ab_N) = means
    return 2 * x * (b_P - b_N) - eta * (ab_P - ab_N + a_N * b_P - a_P * b_N)


def neighbor_relevance(x, points, classes, positive, negative, k, settings):
    """(relevance, g) of one row for the pair of classes, by ranks."""
    distance = ((points - x) ** 2).sum(axis=1)
    order = np.argsort(distance, kind="stable")
    nearest = classes[order[:k]]
    votes = (nearest == positive).sum() + (nearest == negative).sum()
    q = max(1, -(-votes // 2))
    reference = np.asarray(settings["reference"])
    pools, ranks = [], []
    for label in (positive, negative):
        members = order[classes[order] == label]
        ranks.append(distance[members[q - 1]])
        band = members[max(1, q - settings["kappa"]) - 1:q + settings["kappa"]]
        pools.append((points[band], np.full(len(band), 1.0 / len(band))))
    relevance = pool_relevance(x - reference, pools, reference, np.eye(len(x)), settings["eta"])
    return relevance, ranks[1] - ranks[0]
