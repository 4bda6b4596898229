"""A reference implementation of the relevance in NumPy, point by point from the definition."""

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


def kernel_state(x, points, coefficients, gamma, intercept, beta):
    """The pools' points with their responsibilities at x, and g."""
    pools, values = [], []
    for members, scores in kernel_pools(x, points, coefficients, gamma, intercept):
        values.append(soft_pool(scores, gamma))
        pools.append((members, softmax(-beta * scores)))
    return pools, values[1] - values[0]


def kernel_relevance(x, points, coefficients, gamma, intercept, settings, affine=None):
    """(relevance, g) of one row of the input space; `affine` is (A, c) of x -> A x + c."""
    A, c = (np.eye(len(x)), np.zeros(len(x))) if affine is None else affine
    reference = np.asarray(settings["reference"])
    mapped, mapped_reference = A @ x + c, A @ reference + c
    pools, g = kernel_state(mapped, points, coefficients, gamma, intercept, settings["beta"])
    return pool_relevance(x - reference, pools, mapped_reference, A, settings["eta"]), g


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


def neighbor_state(x, points, classes, positive, negative, k, kappa):
    """The bands of ranks of a pair of classes at x with equal responsibilities, and g."""
    distance = ((points - x) ** 2).sum(axis=1)
    order = np.argsort(distance, kind="stable")
    nearest = classes[order[:k]]
    votes = (nearest == positive).sum() + (nearest == negative).sum()
    q = max(1, -(-votes // 2))
    pools, ranks = [], []
    for label in (positive, negative):
        members = order[classes[order] == label]
        ranks.append(distance[members[q - 1]])
        band = members[max(1, q - kappa) - 1:q + kappa]
        pools.append((points[band], np.full(len(band), 1.0 / len(band))))
    return pools, ranks[1] - ranks[0]


def neighbor_relevance(x, points, classes, positive, negative, k, settings):
    """(relevance, g) of one row for the pair of classes, by ranks."""
    reference = np.asarray(settings["reference"])
    pools, g = neighbor_state(x, points, classes, positive, negative, k, settings["kappa"])
    return pool_relevance(x - reference, pools, reference, np.eye(len(x)), settings["eta"]), g


def path_rule(x, paths, state, eta):
    """The relevance by the paths to x, each from a reference at one fraction; `state` gives pools
    and g at a point."""
    first = np.zeros(len(x))
    for reference, fraction in paths:
        (P, p), (N, n) = state(reference + fraction * (x - reference))[0]
        first += 2 * (x - reference) * (p @ P - n @ N) / len(paths)
    (P, p), (N, n) = state(x)[0]
    return (1 - eta) * first + eta * (n @ (x - N) ** 2 - p @ (x - P) ** 2)


def path_relevance(x, paths, state, eta):
    """(relevance, g, base); the error of the sum is distributed in proportion to the relevance."""
    relevance, g = path_rule(x, paths, state, eta), state(x)[1]
    base = np.mean([state(reference)[1] for reference, _ in paths])
    missing = (g - base - relevance.sum()) / np.abs(relevance).sum()
    return relevance + np.clip(missing, -0.9, 0.9) * np.abs(relevance), g, base


def neighborhood_rule(x, positive, negative):
    """Two pools of rows: their squared differences to x, the mean over the nearest 10, 20, ..."""

    def near(members):
        order = np.argsort(((members - x) ** 2).sum(axis=1), kind="stable")
        sizes = [min(10, len(members))]
        while 2 * sizes[-1] <= len(members):
            sizes.append(2 * sizes[-1])
        return np.mean([((members[order[:k]] - x) ** 2).mean(axis=0) for k in sizes], axis=0)

    return near(negative) - near(positive)


def middles(reference, steps):
    """The paths of the path rule: midpoints of equal steps from one reference."""
    return [(np.asarray(reference), (step + 0.5) / steps) for step in range(steps)]


def drawn_paths(background, background_g, g, settings, seed):
    """The paths of the expected path rule to a row with this g."""
    count, side = settings["references"], settings["side"]
    order = shuffled(range(len(background)), mersenne_twister_64(seed))
    above = [n for n in order if background_g[n] > 0]
    below = [n for n in order if not background_g[n] > 0]
    if side == "both":
        chosen = (balanced(background, above, (count + 1) // 2)
                  + balanced(background, below, count // 2))
    else:
        members = order if side == "all" else below if g > 0 else above
        chosen = balanced(background, members, count)
    references = background[chosen]
    return list(zip(references, spread_fractions(references, seed)))


def standard_moments(rows):
    """Features and their squared deviations, each with mean 0 and deviation 1."""
    deviations = rows - rows.mean(axis=0)
    moments = np.hstack([deviations, deviations ** 2])
    moments -= moments.mean(axis=0)
    spread = moments.std(axis=0)
    return moments / np.where(spread > 0, spread, 1.0)


def balanced(background, members, count):
    """Chooses members one by one, so that the sum of all moments stays as short as possible."""
    moments = standard_moments(background[members])
    chosen, total = [], np.zeros(moments.shape[1])
    while len(chosen) < count:
        length = ((total + moments) ** 2).sum(axis=1)
        length[chosen[len(chosen) // len(members) * len(members):]] = np.inf  # in this round
        chosen.append(int(np.argmin(length)))
        total += moments[chosen[-1]]
    return [members[n] for n in chosen]


def spread_fractions(references, seed):
    """The order of the fractions, out of 64, that is least correlated with the references."""
    moments, draws = standard_moments(references), mersenne_twister_64(seed)
    order = [(n + 0.5) / len(references) for n in range(len(references))]
    orders = [order := shuffled(order, draws) for _ in range(64)]
    return min(orders, key=lambda order: (((np.array(order) - 0.5) @ moments) ** 2).sum())


def shuffled(items, draws):
    """In the library's random order."""
    items, most = list(items), 2**64 - 1
    for place in range(len(items), 1, -1):
        draw = next(draw for draw in draws if draw < most - most % place) % place
        items[place - 1], items[draw] = items[draw], items[place - 1]
    return items


def mersenne_twister_64(seed):
    """The numbers of C++'s std::mt19937_64."""
    state, mask = [seed], 2**64 - 1
    for i in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ state[-1] >> 62) + i) & mask)
    while True:
        for i in range(312):
            x = (state[i] & ~0x7FFFFFFF) | (state[(i + 1) % 312] & 0x7FFFFFFF)
            state[i] = state[(i + 156) % 312] ^ x >> 1 ^ (0xB5026F5AA96619E9 if x & 1 else 0)
        for x in list(state):
            x ^= x >> 29 & 0x5555555555555555
            x ^= x << 17 & 0x71D67FFFEDA60000
            x ^= x << 37 & 0xFFF7EEE000000000
            yield x ^ x >> 43
