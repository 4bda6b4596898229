"""
Regression: what raises a prediction?
=====================================

Support vector regression predicts the progression of diabetes after one year. The explanation is in the
unit of the target: points of the progression score.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

import bisector

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = make_pipeline(StandardScaler(), SVR(C=100, gamma=0.02)).fit(X_train, y_train)
print(f"R² on new patients: {model.score(X_test, y_test):.2f}")

# %%
# The default for regressors with a Gaussian kernel is the exact Shapley value. The values add up to the
# prediction:
explainer = bisector.Explainer(model, X_train)
explanation = explainer(X_test)
print(explainer.method, "-", explainer.settings["reason"])
total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
assert np.allclose(total, model.predict(X_test))

# %%
# One patient, from the average prediction to this prediction:
bisector.plots.waterfall(explanation[0])
plt.tight_layout()

# %%
# How the contribution of the body mass index depends on its value:
bisector.plots.scatter(explanation, "bmi")
plt.tight_layout()

# %%
# The Shapley values are exact for the chosen references. The standard error says how much the choice of
# the references matters:
errors = explanation.standard_errors[0]
for d in np.argsort(-np.abs(explanation.values[0]))[:3]:
    print(f"{explanation.feature_names[d]:4} {explanation.values[0, d]:+6.1f} ± {errors[d]:.1f}")
