"""A pipeline with numbers and text: relevance is mapped back to the columns of the table."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVR

import bisector

generator = np.random.default_rng(0)
flats = pd.DataFrame({
    "area": generator.normal(75, 20, 400).round(),
    "town": generator.choice(["Bonn", "Kiel", "Ulm"], 400),
    "floor": generator.integers(0, 6, 400),
})
rent = 9.0 * flats["area"] + 150.0 * (flats["town"] == "Bonn") - 10.0 * flats["floor"]

columns = make_column_transformer(
    (StandardScaler(), ["area", "floor"]), (OneHotEncoder(), ["town"]))
model = make_pipeline(columns, SVR(C=1000.0)).fit(flats, rent)

# In euros: the average rent, the contribution of each column, and the predicted rent.
explanation = bisector.Explainer(model, flats, unit="decision")(flats.head(5))
table = explanation.to_frame().round(1)
print(table[["base", "area", "town", "floor", "output"]].to_string())
