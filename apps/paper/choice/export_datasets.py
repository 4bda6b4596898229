#!/usr/bin/env python3
"""Writes the datasets that `bisector-paper choice` and `regressors` take from scikit-learn and MNIST
as CSV files: export_datasets.py DATA, where DATA is the folder of the datasets. Needs scikit-learn.
MNIST's test part (DATA/mnist/t10k-*.gz) is reduced to 14 x 14 pixels."""

import gzip
import pathlib
import sys

import numpy as np
from sklearn import datasets


def write(path, rows, target, names):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write(",".join([*names, "target"]) + "\n")
        for row, value in zip(rows, target):
            out.write(",".join([f"{x:.10g}" for x in row] + [str(value)]) + "\n")


def plain(names):
    return [name.replace(",", " ") for name in names]


def export_sklearn(folder):
    for name, loaded in (
        ("iris", datasets.load_iris()),
        ("wine_cultivars", datasets.load_wine()),
        ("digits", datasets.load_digits()),
        ("diabetes_progression", datasets.load_diabetes(scaled=False)),
    ):
        target = loaded.target
        if hasattr(loaded, "target_names") and name != "digits":
            target = [loaded.target_names[t] for t in target]
        write(folder / f"{name}.csv", loaded.data, target, plain(loaded.feature_names))


def idx(path, header):
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), np.uint8, offset=header)


def export_mnist(source, folder):
    images = source / "t10k-images-idx3-ubyte.gz"
    if not images.exists():
        print(f"{images} is not there: no mnist.csv")
        return
    labels = idx(source / "t10k-labels-idx1-ubyte.gz", 8)
    pooled = idx(images, 16).reshape(-1, 14, 2, 14, 2).mean(axis=(2, 4)).reshape(-1, 196)
    names = [f"pixel {n}" for n in range(196)]
    write(folder / "mnist.csv", pooled, labels, names)
    wanted = (labels == 4) | (labels == 9)
    write(folder / "mnist_4_9.csv", pooled[wanted], labels[wanted], names)


def main():
    data = pathlib.Path(sys.argv[1])
    folder = data / "choice"
    folder.mkdir(exist_ok=True)
    export_sklearn(folder)
    export_mnist(data / "mnist", folder)


main()
