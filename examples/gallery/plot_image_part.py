"""
Which part of the image?
========================

Why is this digit a three and not an eight? Orange pixels push toward the three, blue pixels push toward
the eight.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.svm import SVC

import bisector

X, y = load_digits(return_X_y=True)
model = SVC(gamma=0.001, C=10).fit(X[300:], y[300:])
threes = X[:300][y[:300] == 3][:4]
explanation = bisector.Explainer(model, X[300:], positive_class=3, versus=8)(threes)

figure, axes = plt.subplots(2, 4, figsize=(9, 4.6))
for image, column in enumerate(axes.T):
    column[0].imshow(threes[image].reshape(8, 8), cmap="gray_r")
    column[0].set_axis_off()
    bisector.plots.heatmap(explanation[image], (8, 8), ax=column[1])
figure.tight_layout()
