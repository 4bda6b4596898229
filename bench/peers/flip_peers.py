"""Other searches for counterfactuals: each takes a problem and gives a function from a row to its
answer, a frame of one row, or None."""

import dice_ml
import numpy as np
import pandas as pd
from nice import NICE
from sklearn.preprocessing import OrdinalEncoder

TARGET, NEAREST = "target", "nearest training row"


class Scored:
    """A classifier of two classes with scores from 0 to 1, which the peers ask for. 0.5 is the
    model's own threshold."""

    def __init__(self, pipeline):
        self.pipeline, self.classes_ = pipeline, pipeline.classes_

    def predict(self, X):
        return self.pipeline.predict(X)

    def predict_proba(self, X):
        if hasattr(self.pipeline[-1], "predict_proba"):
            return self.pipeline.predict_proba(X)
        positive = 1.0 / (1.0 + np.exp(-self.pipeline.decision_function(X)))
        return np.column_stack([1.0 - positive, positive])


def dice(problem, method):
    frame = problem.X.assign(**{TARGET: problem.y})
    search = dice_ml.Dice(
        dice_ml.Data(dataframe=frame, continuous_features=problem.numbers, outcome_name=TARGET),
        dice_ml.Model(model=Scored(problem.pipeline), backend="sklearn"), method=method)
    seed = {"random_seed": 0} if method == "random" else {}

    def answer(row):
        found = search.generate_counterfactuals(row, total_CFs=1, desired_class="opposite",
                                                verbose=False, **seed)
        frame = found.cf_examples_list[0].final_cfs_df
        return None if frame is None or len(frame) == 0 else frame.iloc[[0]][list(problem.X)]

    return answer


def nice(problem, optimization):
    """NICE knows numbers only, so that levels are codes for it."""
    texts = problem.texts
    places = [list(problem.X).index(name) for name in texts]
    coder = OrdinalEncoder().fit(problem.X[texts]) if texts else None

    def coded(frame):
        frame = frame.copy()
        if coder is not None:
            frame[texts] = coder.transform(frame[texts])
        return frame.to_numpy(float)

    def decoded(codes):
        frame = pd.DataFrame(codes, columns=list(problem.X))
        if coder is not None:
            frame[texts] = coder.inverse_transform(frame[texts])
        return frame

    scored = Scored(problem.pipeline)
    search = NICE(lambda codes: scored.predict_proba(decoded(codes)), coded(problem.X), places,
                  y_train=problem.y, optimization=optimization, justified_cf=False)
    return lambda row: decoded(search.explain(coded(row))[:1])


def nearest_row(problem):
    space = problem.pipeline[:-1]
    points, predicted = space.transform(problem.X), problem.pipeline.predict(problem.X)

    def answer(row):
        others = np.flatnonzero(predicted != problem.pipeline.predict(row)[0])
        if len(others) == 0:
            return None
        distances = np.linalg.norm(points[others] - space.transform(row), axis=1)
        return problem.X.iloc[[others[np.argmin(distances)]]]

    return answer


PEERS = {
    "DiCE, random": lambda problem: dice(problem, "random"),
    "DiCE, genetic": lambda problem: dice(problem, "genetic"),
    "DiCE, kd-tree": lambda problem: dice(problem, "kdtree"),
    "NICE, fewest changes": lambda problem: nice(problem, "sparsity"),
    "NICE, nearest": lambda problem: nice(problem, "proximity"),
    NEAREST: nearest_row,
}
