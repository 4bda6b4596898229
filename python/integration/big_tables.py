"""A table with a key and more columns than the model wants, models of it, and the expected rows."""

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import bisector

COLUMNS = ["width", "height", "weight"]


def table(rows=1000, seed=0):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(random.normal(size=(rows, 3)), columns=COLUMNS)
    frame.insert(0, "key", random.permutation(rows))
    frame["note"] = random.choice(["a", "b"], size=rows)
    frame["count"] = random.integers(0, 9, size=rows)
    return frame


def classifier(renamed={}):
    """Three classes with names; features may be renamed."""
    frame = table(150, seed=1)
    classes = np.array(["low", "mid", "high"])[pd.qcut(frame.width, 3, labels=False)]
    return make_pipeline(StandardScaler(), SVC()).fit(frame[COLUMNS].rename(columns=renamed), classes)


def regressor(renamed={}):
    """Without names of the features, unless they are renamed."""
    frame = table(100, seed=2)
    features = frame[COLUMNS].rename(columns=renamed)
    return SVR().fit(features if renamed else features.to_numpy(), frame.width.to_numpy())


def with_text():
    frame = table(120, seed=3)
    front = make_column_transformer((OneHotEncoder(), ["note"]), (StandardScaler(), COLUMNS))
    return make_pipeline(front, SVC()).fit(frame[["note", *COLUMNS]], frame.width > 0)


def result_columns(model, columns=COLUMNS):
    """Those of the command's CSV, without the number of the row."""
    classes = ["class", "versus"] if hasattr(model, "classes_") else []
    return ["prediction", *classes, "output", "base", *columns, "remainder", "outside", "tie"]


def expected(model, frame, columns=COLUMNS):
    """The explanation by one process, sorted by key."""
    why = bisector.Explainer(model)(frame[columns])
    result = pd.DataFrame(why.values, columns=columns)
    result.insert(0, "key", frame.key.to_numpy())
    added = {"prediction": why.prediction, "class": why.positive_class, "versus": why.versus,
             "output": why.output, "base": why.base_values, "remainder": why.remainder,
             "outside": why.outside, "tie": why.tie}
    result = result.assign(**added)[["key", *result_columns(model, columns)]]
    return result.sort_values("key", ignore_index=True)


def require_same(actual, model, frame, columns=COLUMNS):
    """Bit for bit: a row's result depends only on the row."""
    wanted = expected(model, frame, columns)
    actual = actual.sort_values("key", ignore_index=True)[list(wanted.columns)]
    pd.testing.assert_frame_equal(actual, wanted, check_exact=True, check_dtype=False)
