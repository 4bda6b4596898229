"""The page unit_scale.md. Results are arrays: problems x settings x (f / g per row, and every rule) x three numbers, which are
the correlation within rows, that over all rows, and the share of rows with a large stretch."""

import numpy as np

HEAD = """# The scale of relevance in the unit `decision`

`make bench-units` writes this page. Relevance R in the unit of g is multiplied by a scale c_x of
the row before it is stretched to T, the difference of the output from the base value
([units](../guide/units.md)). The page compares rules for c_x: one for kernel machines, one for
neighbors. c is the common scale of the contrast, S the sum of |R|. Every rule also has the limit F.
T/ΣR and f/g are taken without their signs.

None of the problems is in the tables of [units](units.md) or of the paper: scikit-learn's digits,
and generated ones, among them rare classes, heavy tails and clusters. {rows} held-out rows each, up
to {training} training rows; standardized features. Choice and confirmation have other random
numbers. "Worse" counts the models in which the correlation is more than 0.01 below that of f / g
per row, the unit before version 0.2, whose base value differs from row to row.

## Kernel machines

{problems} problems. A first comparison also had iris, wine and diabetes, which are in the table of
units, and gave the same result. Each problem has five settings of gamma times the number of
features, and cost: {settings}.
The reference values are exact Shapley values of the output over {references} training rows.

"""


def section(kind, title, rules, results):
    results = results.reshape(-1, *results.shape[2:])
    former = results[:, 0]
    lines = [f"## {kind}, {title}: {len(results)} models", "",
             "| scale c_x | within rows | over all rows | worse within | worse over all | stretch above 10 |",
             "| --- | ---: | ---: | ---: | ---: | ---: |",
             f"| f / g per row, no stretch | {former[:, 0].mean():.3f} | {former[:, 1].mean():.3f} | | | |"]
    for n, name in enumerate(rules, start=1):
        within, over_all, large = results[:, n].T
        worse = [int((values < former[:, column] - 0.01).sum()) for column, values in enumerate((within, over_all))]
        lines.append(f"| {name} | {within.mean():.3f} | {over_all.mean():.3f} | {worse[0]} | {worse[1]} | "
                     f"{100 * large.mean():.1f} % |")
    return "\n".join(lines) + "\n"


CAUSE = """## Where the rule is below f / g per row

The values of `decision` start at the mean output. The relevance of `lrp-path` starts at one row,
whose output may be far from it. The models of both tables of SVC, in quarters by this distance, in
mean deviations of the output:

"""


def cause(results):
    """A table of the rule, which is the last one, by the distance of the start."""
    distances = results[:, 0, 2]
    quarters = np.digitize(distances, np.quantile(distances, (0.25, 0.5, 0.75)))
    lines = ["| distance of the start | difference within rows | difference over all rows | worse within | worse over all |",
             "| ---: | ---: | ---: | ---: | ---: |"]
    for quarter in range(4):
        own = results[quarters == quarter]
        difference = own[:, -1, :2] - own[:, 0, :2]
        worse = (difference < -0.01).sum(axis=0)
        lines.append(f"| {distances[quarters == quarter].mean():.2f} | {difference[:, 0].mean():+.3f} | "
                     f"{difference[:, 1].mean():+.3f} | {worse[0]} of {len(own)} | {worse[1]} of {len(own)} |")
    return CAUSE + "\n".join(lines) + "\n"


TAIL = """Exact sums, one base value, the signs and the order within each sign leave one free number: the
scale c_x. A scale that stretches less, T/ΣR within a factor of 2, raises the correlation within
rows by at most 0.002 and lowers it over all rows by 0.02 to 0.04. So the scale stays. `shapley-
exact` starts at the mean output by definition.

The limits of the former rule around c hurt models whose rows have very different f/g, such as those
of heavy tails: c is a mean over all rows. Without limits the scale is the row's own. Far from the
data f/g goes to 0 although T does not. There the lower limit T/S lets the values reach T; c/4 keeps
it from rows whose relevance is small.
"""


NEIGHBORS_HEAD = """## Neighbors

{classes} problems with two classes and {curves} with a number to predict, each with 5, 15 and 45
neighbors, by `lrp-expected`, the default. The reference values are sampled Shapley values of the
output, 60 orders per row; every row has orders and background rows of its own. Votes and means of
targets are bounded and g is not: far from the decision boundary c times ΣR is far above T.

The rule was chosen as follows, after a first look at the choice half. The confirmation half was
computed afterwards.

- A rule qualifies if in each of the four kinds (votes, distance weights, regression, regression
  with distance weights) its correlation over all rows is above that of c by at least one standard
  error over the problems.
- Of these, the one with the smallest shortfall is taken. The shortfall is the mean over the models
  of how far the correlation within rows is below that of f / g per row, where it is below.

The mean of T/ΣR and c has the weights (c ΣR)² and (F / width)². "Up to c" bounds it by c. Other
widths and mixtures of these rules were also tried on the choice half; none was taken.
"""
DETECTORS_TEXT = """No method of neighbors is below c by a standard error in either half. `lrp` has no stretch: its
correlation within rows does not depend on c_x, and the remainder is what the values miss of T.
Detectors compare a distance with a level, and the distance grows with g. There the rule changes
little, and over all rows it is worse than c for the local outlier factor. So detectors keep c. By
default the values of detectors of neighbors are parts of the distance and have no scale.
"""


def from_former(own):
    """Of every rule: mean difference from c of both correlations, and its standard error over the problems."""
    difference = (own - own[:, :, 1:2])[..., :2].mean(axis=1)
    return difference.mean(axis=0), difference.std(axis=0, ddof=1) / np.sqrt(len(difference))


def shortfall(own):
    """Of every rule: how far the correlation within rows is below that of f / g per row, where it is below."""
    return np.maximum(own[:, :, :1, 0] - own[..., 0], 0).mean(axis=(0, 1))


def qualifying(kinds):
    """Of every rule: True if its correlation over all rows is above that of c in every kind, by one standard error."""
    compared = [from_former(own) for own in kinds]
    return np.all([(difference[:, 1] > 0) & (difference[:, 1] >= error[:, 1]) for difference, error in compared], axis=0)


def neighbor_section(title, rules, kinds):
    """All rules, over the four kinds of neighbors."""
    means = np.mean([from_former(own)[0] for own in kinds], axis=0)
    least = np.min([from_former(own)[0] for own in kinds], axis=0)
    below = np.mean([shortfall(own) for own in kinds], axis=0)
    worse = sum((own[:, :, 1:, :2] < own[:, :, :1, :2] - 0.01).sum(axis=(0, 1)) for own in kinds)
    large = np.mean([own[:, :, 1:, 2].mean(axis=(0, 1)) for own in kinds], axis=0)
    passes = qualifying(kinds)
    count = sum(own.shape[0] * own.shape[1] for own in kinds)
    lines = [f"## Neighbors, {title}: {count} models", "",
             "Differences from c, mean over the kinds; in brackets that of the worst kind.", "",
             "| scale c_x | within rows | over all rows | qualifies | shortfall | worse within | worse over all | stretch above 10 |",
             "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |"]
    for n, name in enumerate(rules, start=1):
        difference = [f"{means[n, column]:+.4f} ({least[n, column]:+.4f})" for column in (0, 1)]
        lines.append(f"| {name} | {difference[0]} | {difference[1]} | {'yes' if passes[n] else ''} | {below[n]:.5f} | "
                     f"{worse[n - 1, 0]} | {worse[n - 1, 1]} | {100 * large[n - 1]:.1f} % |")
    return "\n".join(lines) + "\n"


def chosen_section(results):
    """The rule and c, by kind, method and half."""
    lines = ["## The rule by kind and method", "",
             "Differences from c ± their standard errors over the problems; c → the rule.", "",
             "| kind, method | half | models | within rows | over all rows | worse within | worse over all | stretch above 10 |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for (name, title), own in results.items():
        difference, error = (both[-1] for both in from_former(own))  # the rule is the last one
        worse = (own[..., :2] < own[:, :, :1, :2] - 0.01).sum(axis=(0, 1))
        large = 100 * own[..., 2].mean(axis=(0, 1))
        changes = [f"{difference[column]:+.4f} ± {error[column]:.4f}" for column in (0, 1)]
        counts = [f"{worse[1, column]} → {worse[-1, column]}" for column in (0, 1)]
        lines.append(f"| {name} | {title} | {own.shape[0] * own.shape[1]} | {' | '.join(changes)} | {' | '.join(counts)} | "
                     f"{large[1]:.1f} % → {large[-1]:.1f} % |")
    return "\n".join(lines) + "\n"
