"""How faithful is each method for your model? And any other model by its function."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

X, y = load_wine(return_X_y=True)
X_train, X_test, y_train, _ = train_test_split(StandardScaler().fit_transform(X), y == 1,
                                               random_state=0)
model = SVC().fit(X_train, y_train)

for method in ("lrp", "lrp-path", "gi", "ig", "sensitivity", "occlusion", "shapley",
               "shapley-exact"):
    score = bisector.aufc(model, X_test, background=X_train, method=method)
    print(f"{method:14} {score:+.3f} ± {score.standard_error:.3f}")

forest = RandomForestClassifier(random_state=0).fit(X_train, y_train)


def margin(rows):
    """Positive where the forest says yes."""
    return forest.predict_proba(rows)[:, 1] - 0.5


def effects(rows):
    """How much the margin falls if a column takes its mean: relevance of your own."""
    columns = np.eye(rows.shape[1], dtype=bool)
    return np.column_stack([margin(rows) - margin(np.where(column, X_train.mean(axis=0), rows))
                            for column in columns])


rows = X_test[:10]
score = bisector.aufc(margin, rows, relevance=effects(rows), background=X_train, samples=10)
print(f"a random forest, explained by your own function: {score:+.3f}")
