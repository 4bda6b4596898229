"""Compares bisector's results on the first rows with those of the other programs."""

import numpy as np

from peers import plain_relevance


def largest_error(ours, theirs):
    theirs = np.asarray(theirs)
    return float(np.abs(np.asarray(ours) - theirs).max() / np.abs(theirs).max())


def check_svm(case, check):
    rows = case.rows[:len(check["decision"])]
    few = rows[:4]
    _, relevance = plain_relevance(case, few, check["eta"])
    return {"decision values, scikit-learn": largest_error(check["decision"], case.estimator.decision_function(rows)),
            "relevance, plain NumPy": largest_error(check["relevance"][:len(few)], relevance)}


def check_knn(case, check):
    rows = case.rows[:len(check["prediction"])]
    same = np.array(check["prediction"]) == case.estimator.predict(rows).astype(str)
    return {"predicted classes, scikit-learn": 1.0 - float(same.mean())}


def check_shapley(values, theirs):
    return {"Shapley values, shapiq": largest_error(values[:len(theirs)], theirs)}
