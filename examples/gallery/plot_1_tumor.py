"""
Why is this tumor called malignant?
===================================

An SVM is trained on measurements of cell nuclei. The waterfall starts at the mean decision value of
all tumors and ends at the decision value of this one; each bar is the contribution of one
measurement.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]
model = make_pipeline(StandardScaler(), SVC()).fit(X, y)

explainer = bisector.Explainer(model, X, positive_class="malignant")
explanation = explainer(X.iloc[[0]])
print("prediction:", model.predict(X.iloc[[0]])[0])
bisector.plots.waterfall(explanation[0], max_display=8)
