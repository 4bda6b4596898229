"""Problems that are in no table of the paper or of the units: scikit-learn's digits, and generated ones."""

import numpy as np
from sklearn import datasets


def problems(seed):
    """Pairs of rows and two classes: balanced and rare ones, light and heavy tails, clusters."""
    random = np.random.default_rng(seed)
    found = []
    rows, target = datasets.load_digits(return_X_y=True)
    rows = rows[:, rows.std(axis=0) > 0]
    found += [(rows, target == digit) for digit in (3, 8)]
    for one, other in ((1, 8), (4, 9)):
        is_either = (target == one) | (target == other)
        found.append((rows[is_either], target[is_either] == one))
    shapes = [(6, 4, .5, 1), (10, 5, .5, 1), (10, 5, .8, 1), (15, 4, .9, .7), (20, 10, .5, 1.5), (8, 8, .3, .5), (4, 3, .95, 1)]
    for n, (features, informative, weight, distance) in enumerate(shapes):
        rows, target = datasets.make_classification(
            900, features, n_informative=informative, n_redundant=min(2, features - informative), weights=[weight],
            class_sep=distance, random_state=n + 100 * seed)
        found += [(rows, target), (np.sinh(1.5 * rows / rows.std(axis=0)), target)]
    for make in (datasets.make_friedman1, datasets.make_friedman2, datasets.make_friedman3):
        rows, target = make(900, random_state=seed)
        found.append((rows, target > np.median(target)))
    found += [datasets.make_moons(600, noise=0.3, random_state=seed),
              datasets.make_circles(600, noise=0.15, factor=0.5, random_state=seed)]
    for n in range(4):
        cluster = random.integers(0, 6, 800)
        rows = 2 * random.normal(size=(6, 5))[cluster] + random.normal(size=(800, 5)) * random.uniform(.5, 1.5, 6)[cluster, None]
        found.append((rows, cluster % 2 == 0 if n < 2 else cluster == 0))
    for level in range(3):
        rows = random.lognormal(0, 1, (800, 6))
        found.append((rows, np.log(rows) @ random.normal(size=6) + 0.5 * random.normal(size=800) > level))
    rows = random.standard_t(2.5, (800, 7))
    found += [(rows, np.tanh(rows) @ random.normal(size=7) > 0.3), (rows, np.tanh(rows[:, 0]) + rows[:, 1] * rows[:, 2] > 0)]
    return [(rows, np.asarray(target).astype(int)) for rows, target in found]


def curves(seed):
    """Pairs of rows and a number: smooth, with interactions, heavy tails, clusters and steps."""
    random = np.random.default_rng(seed + 50)
    found = [make(900, noise=0.1, random_state=seed) for make in (datasets.make_friedman2, datasets.make_friedman3)]
    found += [datasets.make_friedman1(900, n_features=features, noise=noise, random_state=seed + features)
              for features, noise in ((5, 1.0), (10, 0.5), (15, 2.0))]
    for features, informative in ((6, 6), (12, 4), (20, 10)):
        rows, target = datasets.make_regression(900, features, n_informative=informative, noise=10.0,
                                                random_state=seed + features)
        found += [(rows, np.tanh(target / target.std())), (np.sinh(1.5 * rows), target)]
    rows = random.lognormal(0, 1, (800, 6))
    found.append((rows, np.log(rows) @ random.normal(size=6) + 0.5 * random.normal(size=800)))
    rows = random.standard_t(2.5, (800, 7))
    found += [(rows, np.tanh(rows) @ random.normal(size=7)), (rows, np.abs(rows[:, 0]) ** 1.5 + rows[:, 1] * rows[:, 2])]
    cluster = random.integers(0, 8, 800)
    rows = 2 * random.normal(size=(8, 5))[cluster] + random.normal(size=(800, 5))
    found += [(rows, random.normal(size=8)[cluster] + 0.3 * rows[:, 0]), (rows, np.exp(random.normal(size=8))[cluster])]
    rows = random.normal(size=(800, 8))
    found.append((rows, (rows[:, 0] > 0) + 2.0 * (rows[:, 1] > 1) + 0.1 * random.normal(size=800)))
    return found
