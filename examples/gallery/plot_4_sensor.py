"""
Which sensor drifted?
=====================

An outlier detector watches a machine with three sensors, each with several readings. A group has one
value for all readings of a sensor, so that the answer is a sensor and not a column.
"""

import numpy as np
import pandas as pd
from sklearn.svm import OneClassSVM

import bisector

random = np.random.default_rng(0)
names = ["temperature 1", "temperature 2", "pressure 1", "pressure 2", "vibration 1", "vibration 2"]
normal = pd.DataFrame(random.normal(size=(400, 6)), columns=names)
today = normal.iloc[[0]].copy()
today[["pressure 1", "pressure 2"]] += [2.5, 2.0]  # the drift

model = OneClassSVM(gamma=0.1, nu=0.05).fit(normal)
sensors = {name: [column for column in names if column.startswith(name)]
           for name in ("temperature", "pressure", "vibration")}
explainer = bisector.Explainer(model, normal, groups=sensors)
explanation = explainer(today)
print("inside" if model.predict(today)[0] == 1 else "outlier")
bisector.plots.waterfall(explanation[0])
