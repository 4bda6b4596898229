"""Correlation of explanations with reference values, within rows and over all rows, with paired standard errors."""

import math
from statistics import NormalDist, fmean, stdev


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


def jackknife(one, other, reference):
    """The difference of the correlations over all rows, and its standard error by leaving out one row at a time."""
    def difference(rows):
        chosen = [reference[r] for r in rows]
        return (over_all_rows([one[r] for r in rows], chosen) - over_all_rows([other[r] for r in rows], chosen))

    count = len(reference)
    parts = [difference([r for r in range(count) if r != left_out]) for left_out in range(count)]
    center = fmean(parts)
    error = math.sqrt((count - 1) / count * sum((part - center) ** 2 for part in parts))
    return difference(range(count)), error


def corrected_errors(comparisons, errors=2.0):
    """The number of standard errors that has the same chance in one of `comparisons` as `errors` in a single one."""
    chance = 2.0 * NormalDist().cdf(-errors)
    return -NormalDist().inv_cdf(chance / comparisons / 2.0)
