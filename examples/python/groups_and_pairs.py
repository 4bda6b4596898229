"""Which sensor, and which two ingredients? Groups of columns and interactions of pairs.

python groups_and_pairs.py [FOLDER]  also writes the figures of the guide into a folder
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

import bisector

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None


def save(axes, name):
    """Writes a figure without a date, so that the same figure has the same bytes."""
    if folder is not None:
        axes.figure.savefig(folder / name, metadata={"Date": None})


if folder is not None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "bisector"

# Three sensors with three columns each; the columns of the temperature are almost copies.
random = np.random.default_rng(0)
heat = random.normal(size=(300, 1))
table = pd.DataFrame({
    **{f"temperature {n}": heat[:, 0] + 0.2 * random.normal(size=300) for n in (1, 2, 3)},
    **{f"vibration {axis}": random.normal(size=300) for axis in "xyz"},
    **{f"current {n}": random.normal(size=300) for n in (1, 2, 3)},
})
wear = heat[:, 0] + table["vibration x"] * table["vibration y"] + 0.1 * random.normal(size=300)
model = make_pipeline(StandardScaler(), SVR(C=10, gamma=0.05)).fit(table, wear)
sensors = {name: [column for column in table if column.startswith(name)]
           for name in ("temperature", "vibration", "current")}
columns = bisector.Explainer(model, table)(table)
groups = bisector.Explainer(model, table, groups=sensors)(table)
for name, size in zip(groups.feature_names, np.abs(groups.values).mean(axis=0)):
    print(f"{name:12} {size:.3f}")
if folder is not None:
    save(bisector.plots.bar(columns), "sensors-columns.svg")
    save(bisector.plots.bar(groups), "sensors-groups.svg")

# The strength of concrete: the ratio of cement to water, multiplied by the age.
random = np.random.default_rng(0)
X = pd.DataFrame({
    "cement": random.uniform(150, 500, 400), "water": random.uniform(140, 220, 400),
    "age": np.exp(random.uniform(0, 4.5, 400)), "sand": random.uniform(600, 900, 400),
    "gravel": random.uniform(850, 1100, 400)})
strength = 10 * X["cement"] / X["water"] * (0.3 + 0.3 * np.log(X["age"])) + X["sand"] / 100
model = make_pipeline(StandardScaler(), SVR(C=100, gamma=0.1)).fit(X, strength)
interactions = bisector.Explainer(model, X).interactions(X)
print(interactions.top(3))
if folder is not None:
    save(bisector.plots.interactions(interactions), "pairs-matrix.svg")
    save(bisector.plots.partner(interactions, "cement"), "pairs-partner.svg")
