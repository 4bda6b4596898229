"""Correlation of explanations with reference values, within rows and over all rows, with paired standard errors."""

import math
from statistics import fmean, stdev


def pearson(x, y):
    """Pearson's correlation; 0 if x or y is constant."""
    mx, my = fmean(x), fmean(y)
    sxx = sum((a - mx) ** 2 for a in x)
    syy = sum((b - my) ** 2 for b in y)
    if sxx <= 0.0 or syy <= 0.0:
        return 0.0
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / math.sqrt(sxx * syy)


def within_rows(values, reference):
    """The correlation of each row."""
    return [pearson(row, other) for row, other in zip(values, reference)]


def over_all_rows(values, reference):
    """The correlation of all entries."""
    return pearson([v for row in values for v in row], [v for row in reference for v in row])


def paired(one, other):
    """The mean difference of paired numbers and its standard error."""
    differences = [a - b for a, b in zip(one, other)]
    return fmean(differences), stdev(differences) / math.sqrt(len(differences))
