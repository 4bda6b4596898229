"""A script that uses the whole interface. scripts/test-python checks its types with mypy and
pyright, and test_documentation.py runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

import bisector
import bisector.arrow


def explanations(model: SVC, X: Any, folder: Path) -> bisector.Explanation:
    explainer = bisector.Explainer(model, X, method="lrp-expected", unit="decision", references=30,
                                   n_jobs=1, progress=False)
    explanation: bisector.Explanation = explainer(X)
    every_class: bisector.Explanation = explainer(X, classes="all")
    part = explanation[:10, ["petal length (cm)", "petal width (cm)"]]
    top: np.ndarray = np.argsort(explanation.abs.mean(0).values)
    order = explanation.sample(20).hclust()
    totals = explanation.sum(0), explanation.max(0)
    explainer.save(folder / "model.npz")
    explanation.save(folder / "explanation.npz")
    loaded = bisector.Explanation.load(folder / "explanation.npz")
    tables = explanation.to_frame(details=True), explanation.to_arrow(), explanation.to_shap()
    print(every_class.shape, part, top, order, totals, loaded, len(tables), explainer.settings)
    return explanation


def questions(model: SVC, X: Any) -> None:
    explainer = bisector.Explainer(model, X)
    pairs: list[bisector.Evidence] = explainer.evidence(X.iloc[0], count=2)
    joint: bisector.Interactions = explainer.interactions(X.head(2))
    network: bisector.Network = explainer.network(X.iloc[0])
    flips: bisector.Flips = explainer.flip(X.head(2), fix=["petal length (cm)"], count=1)
    grouped = bisector.Explainer(model, X, groups={"petal": ["petal length (cm)"]})
    importance = bisector.importance(model, X)
    bisector.plots.interactions(joint)
    print(len(pairs), joint.top(2), network.g, flips.changed, grouped, importance)


def neighbors(X: Any, y: Any) -> None:
    metric: Any = bisector.Gower([0], ranges=np.ptp(X, axis=0))
    explanation = bisector.Explainer(KNeighborsClassifier(5, metric=metric).fit(X, y), X)(X)
    found: list[Any] = [np.arange(len(X))] * 2
    certified: bisector.Explanation = bisector.explain_neighbors(X[:2], found, y, k=5, vectors=X)
    print(explanation, certified.certified)


def plots(explanation: bisector.Explanation) -> None:
    cohorts: dict[str, bisector.Explanation] = explanation.cohorts(3)
    axes = bisector.plots.bar(cohorts, max_display=3, show=False)
    bisector.plots.waterfall(explanation[0])
    bisector.plots.beeswarm(explanation, max_display=2)
    bisector.plots.scatter(explanation, "petal length (cm)", color="petal width (cm)")
    bisector.plots.heatmap(explanation[:2], (2, 2))
    print(axes)


def evaluation(model: SVC, X: Any) -> None:
    explainer = bisector.Explainer(model, X)
    score: bisector.AUFC = bisector.aufc(explainer, X, background=X, max_rows=10, samples=5)
    curves: bisector.PixelFlipping = bisector.pixel_flipping(explainer, X, max_rows=10, samples=5)
    batches: bisector.arrow.BatchExplainer = bisector.arrow.explainer(model)
    print(float(score), curves.aufc, batches)


def errors() -> None:
    try:
        bisector.Explainer(object())
    except bisector.UnsupportedModelError as error:
        print(error.problem, error.advice)


def main(folder: Path) -> None:
    iris: Any = load_iris(as_frame=True)
    X, y = iris.data, iris.target
    model = SVC().fit(X, y)
    explanation = explanations(model, X, folder)
    questions(model, X)
    neighbors(X.to_numpy(), y.to_numpy())
    plots(explanation)
    evaluation(model, X)
    errors()


if __name__ == "__main__":
    main(Path("."))
