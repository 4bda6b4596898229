"""
Why is this tumor called malignant?
===================================

A support vector machine on 30 measurements. The bars lead from the average patient to this one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
model = make_pipeline(StandardScaler(), SVC()).fit(X[100:], y[100:])

explanation = bisector.Explainer(model, X[100:], positive_class="malignant")(X[:100])
clearest = int(explanation.output.argmax())
bisector.plots.waterfall(explanation[clearest])
plt.title(f"patient {clearest}: decision value {explanation.output[clearest]:+.2f} for malignant")
plt.tight_layout()
