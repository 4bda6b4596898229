"""Plots, ours and SHAP's, and heat maps of images. Writes PNG files into the folder given."""

import sys
from pathlib import Path

import matplotlib
from sklearn.datasets import load_digits, load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

matplotlib.use("Agg")
folder = Path(sys.argv[1] if len(sys.argv) > 1 else "pictures")
folder.mkdir(parents=True, exist_ok=True)

wine = load_wine(as_frame=True)
model = make_pipeline(StandardScaler(), SVC()).fit(wine.data, wine.target)
explanation = bisector.Explainer(model, positive_class=0, versus=1)(wine.data)
plots = {
    "beeswarm": bisector.plots.beeswarm(explanation),
    "bar": bisector.plots.bar(explanation),
    "waterfall": bisector.plots.waterfall(explanation[0]),
    "scatter": bisector.plots.scatter(explanation, "proline", color="alcohol"),
}

digits = load_digits()
neighbors = KNeighborsClassifier(5).fit(digits.data[:1500], digits.target[:1500])
images = bisector.Explainer(neighbors)(digits.data[1500:1508])
plots["heatmap"] = bisector.plots.heatmap(images, (8, 8))[0, 0]

for name, axes in plots.items():
    axes.figure.savefig(folder / f"{name}.png", dpi=100)
    print(folder / f"{name}.png")
