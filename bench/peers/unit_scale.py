"""Which scale converts the relevance of kernel machines to the unit of their output?  make bench-units

unit_scale.py RESULTS    a folder to write unit_scale.md into

Relevance R in the unit of g is multiplied by a scale c_x of the row and then stretched to the difference from the base
value (docs/guide/units.md). Rules for c_x are compared by the correlation of the values with exact Shapley values of the
output. None of the problems is in the tables of the paper or of the units: digits of scikit-learn, and generated ones.
Choice and confirmation have different seeds.
"""

import os
import sys
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
from sklearn import datasets  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

import bisector  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

ROWS, TRAINING_ROWS, REFERENCES = 60, 400, 150
SETTINGS = ((1.0, 1.0), (0.2, 1.0), (5.0, 1.0), (1.0, 10.0), (0.2, 100.0))  # gamma times features, cost
LARGE_STRETCH = 10.0


def least_stretch(ratio, c, t, p, n):
    """T / ΣR, which needs no stretch, within a factor of 2 of the rule."""
    rule = np.maximum(ratio, np.minimum(c / 4, np.abs(t) / (p + n)))
    exact = np.divide(t, p - n, out=rule.copy(), where=p != n)
    return np.clip(np.where(exact > 0, exact, rule), rule / 2, 2 * rule)


# c_x of every row, from f / g, the common scale c, T, and the sums of positive and negative relevance.
RULES = {
    "clip(f/g, c/4, 4c), the former rule": lambda ratio, c, t, p, n: np.clip(ratio, c / 4, 4 * c),
    "clip(f/g, c/8, 4c)": lambda ratio, c, t, p, n: np.clip(ratio, c / 8, 4 * c),
    "min(f/g, 4c)": lambda ratio, c, t, p, n: np.minimum(ratio, 4 * c),
    "max(f/g, c/4)": lambda ratio, c, t, p, n: np.maximum(ratio, c / 4),
    "f/g": lambda ratio, c, t, p, n: ratio,
    "max(f/g, T/S)": lambda ratio, c, t, p, n: np.maximum(ratio, np.abs(t) / (p + n)),
    "T/ΣR within a factor of 2 of the rule": least_stretch,
    "max(f/g, min(c/4, T/S)), the rule": lambda ratio, c, t, p, n: np.maximum(
        ratio, np.minimum(c / 4, np.abs(t) / (p + n))),
}


def problems(seed):
    """Pairs of rows and two classes: balanced and rare ones, light and heavy tails, clusters."""
    random = np.random.default_rng(seed)
    found = []
    rows, target = datasets.load_digits(return_X_y=True)
    rows = rows[:, rows.std(axis=0) > 0]
    found += [(rows, target == digit) for digit in (3, 8)]
    for one, other in ((1, 8), (4, 9)):
        is_either = (target == one) | (target == other)
        found.append((rows[is_either], target[is_either] == one))
    shapes = [(6, 4, .5, 1), (10, 5, .5, 1), (10, 5, .8, 1), (15, 4, .9, .7), (20, 10, .5, 1.5), (8, 8, .3, .5), (4, 3, .95, 1)]
    for n, (features, informative, weight, distance) in enumerate(shapes):
        rows, target = datasets.make_classification(
            900, features, n_informative=informative, n_redundant=min(2, features - informative), weights=[weight],
            class_sep=distance, random_state=n + 100 * seed)
        found += [(rows, target), (np.sinh(1.5 * rows / rows.std(axis=0)), target)]
    for make in (datasets.make_friedman1, datasets.make_friedman2, datasets.make_friedman3):
        rows, target = make(900, random_state=seed)
        found.append((rows, target > np.median(target)))
    found += [datasets.make_moons(600, noise=0.3, random_state=seed),
              datasets.make_circles(600, noise=0.15, factor=0.5, random_state=seed)]
    for n in range(4):
        cluster = random.integers(0, 6, 800)
        rows = 2 * random.normal(size=(6, 5))[cluster] + random.normal(size=(800, 5)) * random.uniform(.5, 1.5, 6)[cluster, None]
        found.append((rows, cluster % 2 == 0 if n < 2 else cluster == 0))
    for level in range(3):
        rows = random.lognormal(0, 1, (800, 6))
        found.append((rows, np.log(rows) @ random.normal(size=6) + 0.5 * random.normal(size=800) > level))
    rows = random.standard_t(2.5, (800, 7))
    found += [(rows, np.tanh(rows) @ random.normal(size=7) > 0.3), (rows, np.tanh(rows[:, 0]) + rows[:, 1] * rows[:, 2] > 0)]
    return [(rows, np.asarray(target).astype(int)) for rows, target in found]


KINDS = {
    "SVC, `lrp-path`": (lambda gamma, cost: SVC(gamma=gamma, C=cost), "lrp-path", {"positive_class": 1}),
    "kernel ridge, `lrp-expected`": (lambda gamma, cost: KernelRidge(kernel="rbf", gamma=gamma, alpha=1 / cost),
                                     "lrp-expected", {"level": 0.0}),
}


def common_scale(f, g):
    """The mean of f, c and F over reference rows."""
    of_g = np.sort(np.abs(g - g.mean()))
    of_f = np.abs(f - f.mean())
    return f.mean(), of_f.mean() / of_g[:len(g) - len(g) // 10].mean(), 2 * of_f.max()


def converted(relevance, f, g, scale, rule):
    """Values of each row and its stretch."""
    mean, c, limit = scale
    p, n = np.where(relevance > 0, relevance, 0).sum(axis=1), -np.where(relevance < 0, relevance, 0).sum(axis=1)
    t = f - mean
    ratio = np.divide(f, g, out=np.full(len(f), c), where=g != 0)
    factor = np.minimum(rule(ratio, c, t, p, n), limit / np.maximum(p, n))
    p, n = np.maximum(factor * p, 1e-300), np.maximum(factor * n, 1e-300)
    larger = 0.5 * (np.abs(t) + np.hypot(t, 2 * np.sqrt(p * n)))
    stretch = np.where(t >= 0, larger / p, n / larger)
    return relevance * factor[:, None] * np.where(relevance > 0, stretch[:, None], 1 / stretch[:, None]), stretch


def pearson(x, y):
    x, y = x - x.mean(), y - y.mean()
    size = np.sqrt((x @ x) * (y @ y))
    return x @ y / size if size > 0 else 0.0


def correlations(values, reference):
    return np.mean([pearson(*pair) for pair in zip(values, reference)]), pearson(values.ravel(), reference.ravel())


def distance_of_start(relevance, f, ratio, of_background):
    """How far the output at which the relevance starts is from the mean output, in mean deviations of the output."""
    start = np.median(f - ratio * relevance.sum(axis=1))
    mean = of_background.mean()
    return abs(start - mean) / np.abs(of_background - mean).mean()


def measure(model, method, options, rows, background):
    """Of f / g per row and of every rule: correlation within rows and over all rows, share of rows with a large stretch.

    Of f / g per row, which has no stretch, the third number is distance_of_start."""
    def explain(those, method, **more):
        return bisector.Explainer(model, background, method=method, n_jobs=1, **options, **more)(those)

    reference = explain(rows, "shapley-exact", references=REFERENCES).values
    in_g, of_background = explain(rows, method, unit="g"), explain(background, "lrp", unit="g")
    scale = common_scale(of_background.decision, of_background.g)
    f, g = in_g.decision, in_g.g
    ratio = np.divide(f, g, out=np.zeros(len(f)), where=g != 0)
    results = [(*correlations(in_g.values * ratio[:, None], reference),
                distance_of_start(in_g.values, f, ratio, of_background.decision))]
    for rule in RULES.values():
        values, stretch = converted(in_g.values, f, g, scale, rule)
        is_large = (stretch > LARGE_STRETCH) | (stretch < 1 / LARGE_STRETCH)
        results.append((*correlations(values, reference), is_large.mean()))
    return results


def study(kind, seed):
    make, method, options = KINDS[kind]
    results = []
    for rows, target in problems(seed):
        train, test, classes, _ = train_test_split(rows, target, test_size=0.3, random_state=seed, stratify=target)
        scaler = StandardScaler().fit(train)
        train, classes, test = scaler.transform(train)[:TRAINING_ROWS], classes[:TRAINING_ROWS], scaler.transform(test)[:ROWS]
        if method == "lrp-expected":
            classes = classes - classes.mean()
        for width, cost in SETTINGS:
            model = make(width / train.shape[1], cost).fit(train, classes)
            results.append(measure(model, method, options, test, train[:REFERENCES]))
    return np.array(results)


HEAD = """# The scale of kernel machines in the unit `decision`

`make bench-units` writes this page. Relevance R in the unit of g is multiplied by a scale c_x of
the row before it is stretched to T, the difference of the output from the base value
([units](../guide/units.md)). The page compares rules for c_x. c is the common scale of the
contrast, S the sum of |R|. Every rule also has the limit F.

{problems} problems, none of which is in the tables of [units](units.md) or of the paper:
scikit-learn's digits, and generated classes, among them rare ones, heavy tails and clusters. A
first comparison also had iris, wine and diabetes, which are in the table of units, and gave the
same result. Each problem has five settings of gamma times the number of features, and cost:
{settings}.
{rows} held-out rows each; standardized features. The reference values are exact Shapley values of
the output over {references} training rows. "Worse" counts the models in which the correlation is
more than 0.01 below that of f / g per row, the unit before version 0.2, whose base value differs
from row to row.

"""


def section(kind, title, results):
    former = results[:, 0]
    lines = [f"## {kind}, {title}: {len(results)} models", "",
             "| scale c_x | within rows | over all rows | worse within | worse over all | stretch above 10 |",
             "| --- | ---: | ---: | ---: | ---: | ---: |",
             f"| f / g per row, no stretch | {former[:, 0].mean():.3f} | {former[:, 1].mean():.3f} | | | |"]
    for n, name in enumerate(RULES, start=1):
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


def main(folder):
    settings = ", ".join(f"({width:g}, {cost:g})" for width, cost in SETTINGS)
    head = HEAD.format(problems=len(problems(0)), settings=settings, rows=ROWS, references=REFERENCES)
    results = {(kind, title): study(kind, seed) for kind in KINDS
               for seed, title in enumerate(("choice", "confirmation"))}
    parts = [section(kind, title, own) for (kind, title), own in results.items()]
    svc = np.concatenate([own for (kind, _), own in results.items() if kind.startswith("SVC")])
    whole_file.write(folder / "unit_scale.md", "\n".join([head.rstrip("\n") + "\n", *parts, cause(svc), TAIL]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected RESULTS")
    main(Path(sys.argv[1]).resolve())
