"""
First explanation: a support vector machine
===========================================

A support vector machine predicts whether a tumor is malignant from 30 measurements. Why does it say
"malignant" for one patient? This tutorial answers the question in three lines and shows how to read the
answer.
"""

# %%
# The model
# ---------
# Any fitted scikit-learn SVM works, alone or in a pipeline.
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
y = y.map({0: "malignant", 1: "benign"})
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
model = make_pipeline(StandardScaler(), SVC(C=10)).fit(X_train, y_train)
print(f"accuracy on new patients: {model.score(X_test, y_test):.1%}")

# %%
# The explanation
# ---------------
# The second argument is the background: rows that represent the data. Pass the training rows.
import bisector

explainer = bisector.Explainer(model, X_train, positive_class="malignant")
explanation = explainer(X_test)
print(explainer)

# %%
# ``values`` has one number per row and feature. A positive value pushes the prediction toward
# ``positive_class``. Base value, values and remainder add up to the decision value of the SVM.
total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
assert abs(total - explanation.output).max() < 1e-9

# %%
# One patient
# -----------
# The bars lead from the average patient (base value) to this patient.
row = int(explanation.output.argmax())
bisector.plots.waterfall(explanation[row])
plt.tight_layout()

# %%
# All patients
# ------------
# Each dot is a patient. Its position is the contribution, its color the value of the measurement.
bisector.plots.beeswarm(explanation)
plt.tight_layout()

# %%
# The ranking of the measurements by their mean absolute contribution:
bisector.plots.bar(explanation)
plt.tight_layout()

# %%
# With which patients was this one compared?
# ------------------------------------------
# The model compares a row with its support vectors. These are the most influential pairs of training
# rows for the patient above.
for pair in explainer.evidence(X_test.iloc[[row]], count=3):
    print(f"training row {pair.positive} against {pair.negative}: {pair.weight:.1%} of the weight")
