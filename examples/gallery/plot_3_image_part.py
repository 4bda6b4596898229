"""
Which part of the image?
========================

Nearest neighbors recognize handwritten digits. Red pixels support the predicted digit against its
closest competitor, blue pixels support the competitor.
"""

from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

import bisector

X, y = load_digits(return_X_y=True)
model = KNeighborsClassifier(9).fit(X[:1500], y[:1500])

explainer = bisector.Explainer(model, X[:1500])
explanation = explainer(X[1500:1504])
print("predicted:", model.predict(X[1500:1504]))
bisector.plots.heatmap(explanation, (8, 8))
