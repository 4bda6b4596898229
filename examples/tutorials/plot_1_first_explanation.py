"""
First explanation
=================

Train a model, explain its predictions, and check that the numbers add up.
"""

# %%
# A model
# -------
# Any scikit-learn model that compares distances will do, also at the end of a pipeline.
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bisector

data = load_breast_cancer(as_frame=True)
X, X_test, y, y_test = train_test_split(data.data, data.target_names[data.target], random_state=0)
model = make_pipeline(StandardScaler(), KNeighborsClassifier(15)).fit(X, y)
print(f"{model.score(X_test, y_test):.0%} of the held-out rows are predicted correctly")

# %%
# One row
# -------
# The background, here the training rows, defines what an average prediction is. The unit is the
# model's own: votes of 15 neighbors.
explainer = bisector.Explainer(model, X, positive_class="malignant")
explanation = explainer(X_test)
bisector.plots.waterfall(explanation[0], max_display=8)

# %%
# The numbers add up
# ------------------
# Base value, contributions and remainder give the difference of votes.
total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
share = model.predict_proba(X_test)
print(np.abs(total - 15 * (share[:, 1] - share[:, 0])).max() < 1e-9)

# %%
# All rows
# --------
# Each point is one row; color is the value of the feature.
bisector.plots.beeswarm(explanation, max_display=8)
