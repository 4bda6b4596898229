"""
Which features act together?
============================

Exact Shapley interaction values of a kernel model: the cell of two features is what they contribute
together beyond the sum of their own effects, as a mean over the rows.
"""

import numpy as np
import pandas as pd
from sklearn.kernel_ridge import KernelRidge

import bisector

random = np.random.default_rng(0)
X = pd.DataFrame(random.uniform(-1, 1, (300, 4)), columns=["water", "cement", "age", "sand"])
y = X["water"] * X["cement"] * 2 + X["age"]  # water and cement act together, sand does nothing
model = KernelRidge(kernel="rbf", gamma=0.5, alpha=0.01).fit(X, y)

interactions = bisector.Explainer(model, X).interactions(X.head(50))
bisector.plots.interactions(interactions)
