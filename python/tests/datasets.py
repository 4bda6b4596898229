"""Ten datasets that scikit-learn contains or generates, at most 400 rows of each."""

import numpy as np
from sklearn import datasets
from sklearn.preprocessing import StandardScaler


def _bundled(load, rows=400):
    data = load()
    order = np.random.default_rng(0).permutation(len(data.data))[:rows]
    return StandardScaler().fit_transform(data.data)[order], data.target[order]


def _two_spirals():
    generator = np.random.default_rng(1)
    angle = np.sqrt(generator.uniform(size=300)) * 10
    spiral = np.column_stack([np.cos(angle), np.sin(angle)]) * angle[:, None] / 10
    label = np.arange(300) // 3 % 2
    return np.where(label[:, None] == 1, spiral, -spiral) + 0.03 * generator.normal(
        size=(300, 2)), label


CLASSIFICATION = {
    "iris": lambda: _bundled(datasets.load_iris),
    "wine": lambda: _bundled(datasets.load_wine),
    "breast cancer": lambda: _bundled(datasets.load_breast_cancer),
    "digits": lambda: _bundled(datasets.load_digits),
    "moons": lambda: datasets.make_moons(300, noise=0.2, random_state=0),
    "circles": lambda: datasets.make_circles(300, noise=0.1, factor=0.5, random_state=0),
    "blobs": lambda: datasets.make_blobs(300, centers=4, n_features=5, cluster_std=3.0,
                                         random_state=0),
    "classification": lambda: datasets.make_classification(
        300, n_features=12, n_informative=6, n_classes=3, random_state=0),
    "quantiles": lambda: datasets.make_gaussian_quantiles(n_samples=300, n_features=4, n_classes=3,
                                                          random_state=0),
    "spirals": _two_spirals,
}

REGRESSION = {
    "diabetes": lambda: _bundled(datasets.load_diabetes),
    "linnerud": lambda: _linnerud(),
    "friedman 1": lambda: datasets.make_friedman1(300, random_state=0),
    "friedman 2": lambda: _scaled(datasets.make_friedman2(300, random_state=0)),
    "friedman 3": lambda: _scaled(datasets.make_friedman3(300, random_state=0)),
    "regression": lambda: datasets.make_regression(300, n_features=8, noise=5.0, random_state=0),
    "sparse": lambda: datasets.make_sparse_uncorrelated(300, random_state=0),
    "s curve": lambda: datasets.make_s_curve(300, random_state=0),
    "swiss roll": lambda: _scaled(datasets.make_swiss_roll(300, random_state=0)),
    "iris, petal width": lambda: _petal_width(),
}


def _scaled(data):
    return StandardScaler().fit_transform(data[0]), data[1]


def _linnerud():
    data = datasets.load_linnerud()
    return StandardScaler().fit_transform(data.data), data.target[:, 0]


def _petal_width():
    data = datasets.load_iris().data
    return StandardScaler().fit_transform(data[:, :3]), data[:, 3]
