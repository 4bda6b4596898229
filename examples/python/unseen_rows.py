"""Every row explained by a model that did not see it, and how values and relevance go together.

Give a CSV file and the name of its target to study a table of your own:
python unseen_rows.py wine.csv quality 5
"""

import sys

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

if len(sys.argv) == 4:
    import pandas as pd
    table = pd.read_csv(sys.argv[1], sep=None, engine="python")
    y = (table.pop(sys.argv[2]) > float(sys.argv[3])).to_numpy()
    X, names = table.to_numpy(float), list(table.columns)
else:
    data = load_breast_cancer()
    X, y, names = data.data, data.target == 0, list(data.feature_names)

relevance = np.zeros_like(X)
right = 0
for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
    model = make_pipeline(StandardScaler(), SVC(class_weight="balanced")).fit(X[train], y[train])
    relevance[test] = bisector.Explainer(model)(X[test]).values
    right += np.sum(model.predict(X[test]) == y[test])
print(f"right for {right / len(y):.1%} of {len(y)} rows that the models did not see")

# The plots of the paper: rows normalized to a sum of one.
relevance /= np.abs(relevance).sum(axis=1, keepdims=True)
order = np.argsort(-np.abs(relevance).mean(axis=0))
print(f"{'feature':26}{'mean |relevance|':>18}{'correlation':>13}{'curvature':>11}")
for d in order[:8]:
    z = (X[:, d] - X[:, d].mean()) / X[:, d].std()
    line, curve = np.corrcoef(z, relevance[:, d])[0, 1], np.polyfit(z, relevance[:, d], 2)[0]
    print(f"{names[d]:26}{np.abs(relevance[:, d]).mean():18.4f}{line:+13.2f}{curve:+11.4f}")

# Does the most important feature mean something else where the second is low or high?
first, second = order[:2]
z = (X[:, first] - X[:, first].mean()) / X[:, first].std()
high = X[:, second] > np.median(X[:, second])
for name, rows in (("low", ~high), ("high", high)):
    slope = np.polyfit(z[rows], relevance[rows, first], 1)[0]
    print(f"{names[first]} where {names[second]} is {name}: slope {slope:+.4f}")
