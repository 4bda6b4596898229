"""
Which training rows mislead the model?
======================================

The evidence of a wrong prediction is a list of pairs of training rows: one of the predicted class
and one of the other. A training row that leads the evidence of several wrong predictions is worth a
second look. Here ten labels were exchanged on purpose.
"""

from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.svm import SVC

import bisector

X, y = load_iris(return_X_y=True)
X, y = X[50:, 2:], y[50:]  # two classes, two features
wrong = np.random.default_rng(0).choice(len(y), 10, replace=False)
labels = y.copy()
labels[wrong] = 3 - labels[wrong]
model = SVC(gamma=5.0, C=100.0).fit(X, labels)

explainer = bisector.Explainer(model, X)
blamed = Counter()
for row in X[model.predict(X) != y]:
    predicted = model.predict([row])[0]
    for pair in explainer.evidence(row, 3):
        blamed.update(one for one in (pair.positive, pair.negative) if labels[one] == predicted)
rows = [row for row, _ in blamed.most_common(5)]
print(f"{sum(row in wrong for row in rows)} of {len(rows)} suspects had an exchanged label")

plt.scatter(*X.T, c=labels, cmap="coolwarm", s=15)
plt.scatter(*X[rows].T, s=120, facecolors="none", edgecolors="black", label="suspects")
plt.xlabel("petal length [cm]")
plt.ylabel("petal width [cm]")
plt.legend()
