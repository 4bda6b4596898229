"""The datasets and models of flips.py."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.compose import make_column_transformer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

TABLE_ROWS = 100

MODELS = {"KNN": lambda: KNeighborsClassifier(5), "SVM": lambda: SVC()}


def named(X, y):
    return pd.DataFrame(X, columns=[f"x{d + 1}" for d in range(X.shape[1])]), np.asarray(y, int)


def loaded(load, positive, others=None):
    """One class of a dataset against the others, or against one other."""
    X, y = load(return_X_y=True)
    if others is not None:
        kept = (y == positive) | (y == others)
        X, y = X[kept], y[kept]
    return named(X, y == positive)


def generated(columns, share, seed):
    X, y = datasets.make_classification(600, columns, n_informative=5, n_redundant=2, flip_y=0.03,
                                        weights=[1.0 - share], random_state=seed)
    return named(X.round(3), y)


def with_noise(X, y, seed):
    """Three columns of noise beside those of a problem in the plane."""
    noise = np.random.default_rng(seed).normal(size=(len(X), 3))
    return named(np.hstack([X, noise]).round(3), y)


def credit():
    random = np.random.default_rng(0)
    X = pd.DataFrame({
        "duration": random.integers(6, 48, 600), "amount": random.integers(500, 9000, 600),
        "age": random.integers(19, 70, 600),
        "savings": random.choice(["none", "some", "much"], 600),
        "housing": random.choice(["rent", "own", "free"], 600),
        "purpose": random.choice(["car", "furniture", "education", "business"], 600)})
    risk = (X["duration"] / 24 + X["amount"] / 5000 - 1.5 * (X["savings"] == "much")
            - (X["housing"] == "own") + random.normal(scale=0.3, size=600))
    return X, (risk > 1.0).to_numpy().astype(int)


DATASETS = {
    "breast cancer (30 columns)": lambda: loaded(datasets.load_breast_cancer, 1),
    "wine cultivars (13)": lambda: loaded(datasets.load_wine, 1),
    "iris (4)": lambda: loaded(datasets.load_iris, 1),
    "digits, 3 or 8 (64)": lambda: loaded(datasets.load_digits, 3, 8),
    "moons with noise (5)": lambda: with_noise(
        *datasets.make_moons(600, noise=0.2, random_state=0), 0),
    "circles with noise (5)": lambda: with_noise(
        *datasets.make_circles(600, noise=0.1, factor=0.5, random_state=0), 1),
    "generated (10)": lambda: generated(10, 0.5, 0),
    "generated, 10 % positive (20)": lambda: generated(20, 0.1, 1),
    "generated shells (6)": lambda: named(*(part.round(3) for part in datasets.make_gaussian_quantiles(
        n_samples=600, n_features=6, n_classes=2, random_state=0))),
    "generated credit, numbers and text (6)": credit,
}


@dataclass
class Problem:
    dataset: str
    model: str
    X: pd.DataFrame
    y: np.ndarray
    pipeline: object
    rows: pd.DataFrame
    table: pd.DataFrame  # these rows and further ones

    @property
    def numbers(self):
        return [name for name in self.X if self.X[name].dtype.kind in "iuf"]

    @property
    def texts(self):
        return [name for name in self.X if name not in self.numbers]


def make_problem(dataset, model, count):
    """Rows of the last third are asked about; the model knows the others."""
    X, y = DATASETS[dataset]()
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    known = 2 * len(X) // 3
    scaler = StandardScaler()
    texts = [name for name in X if X[name].dtype.kind not in "iuf"]
    if texts:
        scaler = make_column_transformer((scaler, [name for name in X if name not in texts]),
                                         (OneHotEncoder(), texts))
    pipeline = make_pipeline(scaler, MODELS[model]()).fit(X[:known], y[:known])
    return Problem(dataset, model, X[:known], y[:known], pipeline, X[known:known + count],
                   X[known:known + TABLE_ROWS])
