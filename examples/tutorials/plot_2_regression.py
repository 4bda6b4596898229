"""
Regression
==========

Explain a predicted number: contributions have the unit of the target.
"""

# %%
# Kernel ridge regression of disease progression. For a Gaussian kernel the default method gives
# exact Shapley values over 60 rows of the background, with their standard errors.
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bisector

X, y = load_diabetes(return_X_y=True, as_frame=True)
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
ridge = KernelRidge(kernel="rbf", gamma=0.02, alpha=0.5)
model = TransformedTargetRegressor(make_pipeline(StandardScaler(), ridge),
                                   transformer=StandardScaler()).fit(X, y)
print(f"R² {model.score(X_test, y_test):.2f} on held-out rows")

explainer = bisector.Explainer(model, X)
explanation = explainer(X_test)
print(explainer.method)

# %%
# One patient: from the mean prediction to the prediction of this row.
bisector.plots.waterfall(explanation[0])

# %%
# How the effect depends on the value, over all rows.
bisector.plots.scatter(explanation, "bmi")

# %%
# How sure are the numbers? The standard error says how much a value would vary with other
# references.
largest = abs(explanation.values[0]).argmax()
print(f"{explanation.feature_names[largest]}: {explanation.values[0, largest]:.1f} "
      f"± {explanation.standard_errors[0, largest]:.1f}")
