"""
Outliers
========

Why does a detector call a row unusual? Contributions are in the unit of the score: negative values
push the row outside.
"""

# %%
# A local outlier factor on wine analyses, and the most unusual row.
from sklearn.datasets import load_wine
from sklearn.neighbors import LocalOutlierFactor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bisector

X = load_wine(as_frame=True).data
model = make_pipeline(StandardScaler(), LocalOutlierFactor(20, novelty=True)).fit(X)
scores = model.decision_function(X)
row = scores.argmin()
print(f"score {scores[row]:.2f}: {'inside' if scores[row] > 0 else 'outside'}")

explanation = bisector.Explainer(model, X)(X.iloc[[row]])
bisector.plots.waterfall(explanation[0], max_display=8)
