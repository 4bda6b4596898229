"""
What would flip the credit decision?
====================================

A flip is the smallest change that makes the model decide otherwise. Age must not change, and the
amount can only become smaller. Every answer was predicted again by the pipeline.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector

random = np.random.default_rng(0)
X = pd.DataFrame({"duration": random.integers(6, 48, 400), "amount": random.integers(500, 9000, 400),
                  "age": random.integers(19, 70, 400)})
y = np.where(X["duration"] / 24 + X["amount"] / 5000 > 2.0, "bad", "good")
model = make_pipeline(StandardScaler(), SVC()).fit(X, y)

refused = X[model.predict(X) == "bad"].head(5)
flips = bisector.Explainer(model, X).flip(refused, fix=["age"], decrease=["amount"])
for sentence in flips.sentences():
    print(sentence)

plt.scatter(X["duration"], X["amount"], c=np.where(y == "bad", "tab:red", "tab:blue"), s=8)
for (_, before), after in zip(refused.iterrows(), np.asarray(flips.data)):
    plt.annotate("", after[:2], (before["duration"], before["amount"]), arrowprops={"arrowstyle": "->"})
plt.xlabel("duration [months]")
plt.ylabel("amount")
