"""The shapes of the comparison: one fitted scikit-learn model and its rows each, and both as files for bisector."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

GAMMA = 1.0


@dataclass(frozen=True)
class Shape:
    rows: int
    points: int
    features: int
    neighbors: int = 0  # 0: a support vector machine

    def __str__(self):
        text = f"{self.rows:,} × {self.points:,} × {self.features}"
        return f"{text}, k = {self.neighbors}" if self.neighbors else text


SVM_SHAPES = [Shape(10_000, 1_000, 10), Shape(4_096, 2_000, 784), Shape(1_024, 10_000, 100), Shape(100_000, 500, 30)]
KNN_SHAPES = [Shape(10_000, 100_000, 16, 9), Shape(1_000, 5_000, 784, 7)]


@dataclass
class Case:
    shape: Shape
    estimator: object
    rows: np.ndarray
    points: np.ndarray
    labels: np.ndarray
    model_file: Path
    rows_file: Path


def standard_normal(rng, count, features):
    """Rows with distances of about 1."""
    return rng.standard_normal((count, features)) / np.sqrt(2.0 * features)


def make_case(shape, folder):
    rng = np.random.default_rng(1)
    points = standard_normal(rng, shape.points, shape.features)
    rows = standard_normal(rng, shape.rows, shape.features)
    labels = np.arange(shape.points) % 2
    name = f"{'knn' if shape.neighbors else 'svm'}-{shape.rows}-{shape.points}-{shape.features}"
    model_file, rows_file = folder / f"{name}.npz", folder / f"{name}-rows.npy"
    np.save(rows_file, rows)
    if shape.neighbors:
        estimator = KNeighborsClassifier(n_neighbors=shape.neighbors, n_jobs=-1).fit(points, labels)
        save_neighbors(model_file, points, labels, shape.neighbors)
    else:
        estimator = fit_svm(SVC, points, labels)
        save_svm(model_file, estimator)
    return Case(shape, estimator, rows, points, labels, model_file, rows_file)


def fit_svm(kind, points, labels):
    """Random labels and a small C make every point a support vector, so that the shape is as given."""
    estimator = kind(C=0.01, gamma=GAMMA, cache_size=1000).fit(points, labels)
    found = len(estimator.support_vectors_)
    if found != len(points):
        raise SystemExit(f"error: {found} of {len(points)} points became support vectors, expected all")
    return estimator


def write_bundle(path, kind, **arrays):
    meta = json.dumps({"format": "bisector-model", "version": 1, "kind": kind, "made_by": "bench/peers"})
    np.savez(path, meta=np.array(meta), **arrays)


def save_svm(path, svc):
    """A bundle is positive for its first label, scikit-learn for its second, so the labels are swapped."""
    first = svc.n_support_[0]
    write_bundle(path, "kernel_classifier",
                 support_vectors=np.concatenate([svc.support_vectors_[first:], svc.support_vectors_[:first]]),
                 coefficients=np.concatenate([svc.dual_coef_[:, first:], svc.dual_coef_[:, :first]], axis=1),
                 intercept=svc.intercept_, gamma=np.float64(GAMMA), median_distance=np.float64(1.0),
                 n_support=svc.n_support_[::-1].astype(np.int64), labels=np.array([1, 0]))


def save_neighbors(path, points, labels, k):
    write_bundle(path, "neighbors", points=points, point_classes=labels.astype(np.int64), k=np.int64(k),
                 labels=np.array([0, 1]))
