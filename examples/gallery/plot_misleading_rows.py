"""
Which training rows mislead the model?
======================================

A nearest-neighbor model makes mistakes. Which training rows vote for the wrong class most often? Rows
with a wrong label show up at the top of this list.
"""

from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bisector

X, y = load_wine(return_X_y=True, as_frame=True)
y = (y == 0).astype(int)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
mislabeled = np.arange(0, 12, 3)  # we flip these labels on purpose
y_train = y_train.to_numpy().copy()
y_train[mislabeled] = 1 - y_train[mislabeled]
model = make_pipeline(StandardScaler(), KNeighborsClassifier(5)).fit(X_train, y_train)
explainer = bisector.Explainer(model, X_train, method="lrp", positive_class=1)

votes = Counter()
for row, actual in zip(range(len(X_test)), y_test):
    for pair in explainer.evidence(X_test.iloc[[row]], count=5):
        wrong = pair.positive if actual == 0 else pair.negative
        if wrong is not None:
            votes[wrong] += pair.weight

worst = votes.most_common(8)
colors = ["#c8562e" if index in mislabeled else "#9aa5b1" for index, _ in worst]
plt.bar([str(index) for index, _ in worst], [weight for _, weight in worst], color=colors)
plt.xlabel("training row (orange: label was flipped)")
plt.ylabel("weight of its votes for the wrong class")
plt.tight_layout()
