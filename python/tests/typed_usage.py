"""A script that uses the whole interface; scripts/test-python checks its types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris
from sklearn.svm import SVC

import bisector
import bisector.arrow


def main(folder: Path) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = SVC().fit(X, y)
    explainer = bisector.Explainer(model, X, method="lrp-expected", unit="decision", references=30,
                                   n_jobs=1, progress=False)
    explanation: bisector.Explanation = explainer(X)
    row: bisector.Explanation = explanation[0]
    part = explanation[:10, ["petal length (cm)", "petal width (cm)"]]
    top: np.ndarray = np.argsort(explanation.abs.mean(0).values)
    cohorts: dict[str, bisector.Explanation] = explanation.cohorts(3)
    order = explanation.sample(20).hclust()
    pairs: list[bisector.Evidence] = explainer.evidence(X.iloc[0], count=2)
    joint: bisector.Interactions = explainer.interactions(X.head(2), top=3)
    grouped = bisector.Explainer(model, X, groups={"petal": ["petal length (cm)"]})
    network: bisector.Network = explainer.network(X.iloc[0])
    explainer.save(folder / "model.npz")
    explanation.save(folder / "explanation.npz")
    loaded = bisector.Explanation.load(folder / "explanation.npz")
    score: bisector.AUFC = bisector.aufc(explainer, X, background=X, max_rows=10, samples=5)
    curves: bisector.PixelFlipping = bisector.pixel_flipping(explainer, X, max_rows=10, samples=5)
    function = bisector.explain(model.predict, X.head(2), background=X, method="occlusion")
    importance = bisector.importance(model, X)
    axes = bisector.plots.bar(cohorts, max_display=3, show=False)
    bisector.plots.waterfall(row)
    batches: bisector.arrow.BatchExplainer = bisector.arrow.explainer(model)
    try:
        bisector.Explainer(object())
    except bisector.UnsupportedModelError as error:
        print(error.problem, error.advice)
    print(part, top, order, len(pairs), network.g, loaded, float(score), curves.aufc, function,
          importance, axes, batches, joint, grouped)


if __name__ == "__main__":
    main(Path("."))
