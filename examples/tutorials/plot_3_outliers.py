"""
Outliers: what is unusual about this row?
=========================================

A local outlier factor flags a wine as unusual. Which measurement is the reason?
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bisector

X = load_wine(as_frame=True).data
model = make_pipeline(StandardScaler(), LocalOutlierFactor(novelty=True)).fit(X)

# %%
# We spoil three wines: their magnesium is far too high. Everything else is normal.
spoiled = X.iloc[:3].copy()
spoiled["magnesium"] = 400.0
print("inliers (+1) and outliers (-1):", model.predict(X.iloc[:3]), model.predict(spoiled))

# %%
# The output is threshold − score: positive means inside. Negative contributions push a row outside.
explainer = bisector.Explainer(model, X)
explanation = explainer(spoiled)
assert (explanation.prediction == -1).all()
print([explanation.feature_names[d] for d in np.argmin(explanation.values, axis=1)])
bisector.plots.waterfall(explanation[0])
plt.tight_layout()
