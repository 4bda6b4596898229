"""Three lines for a model that you already have: which measurements speak for malignant?"""

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

explainer = bisector.Explainer(model)
explanation = explainer(X_test)
print(f"right for {np.mean(explanation.prediction == y_test):.1%} of {len(X_test)} patients")

# Positive relevance speaks for classes_[1], here malignant.
importance = np.abs(explanation.values).mean(axis=0)
for feature in np.argsort(-importance)[:5]:
    print(f"{explanation.feature_names[feature]:24} {importance[feature]:.3f}")

# The clearest malignant case, and the two pairs of training patients that decided it.
patient = int(np.argmax(explanation.g))
for pair in explainer.evidence(X_test.iloc[[patient]], count=2):
    print(f"like patient {pair.positive}, unlike patient {pair.negative}: weight {pair.weight:.3f}")

print(f"AUFC {bisector.aufc(explainer, X_test, background=X_train):.3f} (lower is better)")
