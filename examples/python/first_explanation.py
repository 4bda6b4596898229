"""Explain a fitted model in three lines: which measurements push toward malignant?"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

data = load_breast_cancer(as_frame=True)
diagnosis = np.array(["malignant", "benign"])[data.target]
X_train, X_test, y_train, y_test = train_test_split(data.data, diagnosis, random_state=0)
model = make_pipeline(StandardScaler(), SVC()).fit(X_train, y_train)

explainer = bisector.Explainer(model, X_train)
explanation = explainer(X_test)
print(f"correct for {np.mean(explanation.prediction == y_test):.1%} of {len(X_test)} patients")

# Positive relevance pushes toward classes_[1], here malignant.
importance = np.abs(explanation.values).mean(axis=0)
for feature in np.argsort(-importance)[:5]:
    print(f"{explanation.feature_names[feature]:24} {importance[feature]:.3f}")

# The clearest malignant case, and the most influential pairs of training patients.


def named(row):
    """A training patient; None is the intercept, which represents no patient."""
    return "the intercept" if row is None else f"patient {X_train.index[row]}"


patient = int(np.argmax(explanation.g))
for pair in explainer.evidence(X_test.iloc[patient], count=2):
    print(f"like {named(pair.positive)}, unlike {named(pair.negative)}: weight {pair.weight:.3f}")

print(f"AUFC {bisector.aufc(explainer, X_test, background=X_train):.3f} (lower is better)")
