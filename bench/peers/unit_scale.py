"""Which scale converts relevance to the unit of the model's output?  make bench-units

unit_scale.py RESULTS    a folder to write unit_scale.md into

Relevance R in the unit of g is multiplied by a scale c_x of the row and then stretched to the difference from the base
value (docs/guide/units.md). Rules for c_x are compared by the correlation of the values with Shapley values of the
output, for kernel machines and for models that compare distances. None of the problems is in the tables of the paper or
of the units: digits of scikit-learn, and generated ones. Choice and confirmation have different seeds.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # before NumPy is loaded
import numpy as np  # noqa: E402
from sklearn.kernel_ridge import KernelRidge  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor, NearestNeighbors  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

import bisector  # noqa: E402
import unit_scale_page as page  # noqa: E402
from unit_scale_problems import curves, problems  # noqa: E402
from units import predictions, sampled_shapley, vote_shares, votes  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import whole_file  # noqa: E402

ROWS, TRAINING_ROWS, REFERENCES = 60, 400, 150
LARGE_STRETCH = 10.0
HALVES = ("choice", "confirmation")  # by the seed


@dataclass
class Rows:
    """What a rule knows: f / g, T = f - mean, and the sums of positive and negative relevance of each row; c and F."""
    ratio: np.ndarray
    t: np.ndarray
    p: np.ndarray
    n: np.ndarray
    c: float
    limit: float

    @property
    def steady(self):
        """|T / sum of R|, the scale that needs no stretch if the signs agree."""
        difference = np.abs(self.p - self.n)
        return np.divide(np.abs(self.t), difference, out=np.full(len(self.t), np.inf), where=difference > 0)

    @property
    def enough(self):
        """The least scale at which the values of both signs together are as large as T."""
        return np.abs(self.t) / (self.p + self.n)


def least_stretch(r):
    """T / sum of R within a factor of 2 of the rule of kernel machines."""
    rule = of_kernel_machines(r)
    exact = np.where(r.t * (r.p - r.n) > 0, r.steady, rule)
    return np.clip(exact, rule / 2, 2 * rule)


def of_kernel_machines(r):
    return np.maximum(r.ratio, np.minimum(r.c / 4, r.enough))


def mean_of_slopes(width, most):
    """A mean of c and |T / sum of R|, whose weight is the square of c times the sum; that of c is (F / width)^2."""
    def rule(r):
        total, weight = np.abs(r.p - r.n), (r.limit / (width * r.c)) ** 2
        return np.minimum((np.abs(r.t) * total + weight * r.c) / (total ** 2 + weight), most * r.c)
    return rule


# The scale of every row.
KERNEL_RULES = {
    "clip(f/g, c/4, 4c), the former rule": lambda r: np.clip(r.ratio, r.c / 4, 4 * r.c),
    "clip(f/g, c/8, 4c)": lambda r: np.clip(r.ratio, r.c / 8, 4 * r.c),
    "min(f/g, 4c)": lambda r: np.minimum(r.ratio, 4 * r.c),
    "max(f/g, c/4)": lambda r: np.maximum(r.ratio, r.c / 4),
    "f/g": lambda r: r.ratio,
    "max(f/g, T/S)": lambda r: np.maximum(r.ratio, r.enough),
    "T/ΣR within a factor of 2 of the rule": least_stretch,
    "max(f/g, min(c/4, T/S)), the rule": of_kernel_machines,
}
FORMER, RULE = "c, the former rule", "mean of T/ΣR and c, width 8, up to c: the rule"
NEIGHBOR_RULES = {
    FORMER: lambda r: np.full(len(r.t), r.c),
    "clip(T/ΣR, c/2, c)": lambda r: np.clip(r.steady, r.c / 2, r.c),
    "clip(T/ΣR, c/4, c)": lambda r: np.clip(r.steady, r.c / 4, r.c),
    "min(T/ΣR, c)": lambda r: np.minimum(r.steady, r.c),
    "clip(T/ΣR, c/2, 2c)": lambda r: np.clip(r.steady, r.c / 2, 2 * r.c),
    "clip(T/ΣR, c/2, c), c if the signs differ": lambda r: np.where(
        r.t * (r.p - r.n) > 0, np.clip(r.steady, r.c / 2, r.c), r.c),
    "clip(f/g, c/4, c)": lambda r: np.clip(r.ratio, r.c / 4, r.c),
    "clip(f/g, c/4, 4c)": lambda r: np.clip(r.ratio, r.c / 4, 4 * r.c),
    "max(f/g, min(c/4, T/S)), as kernel machines": of_kernel_machines,
    "c / (1 + 2c ΣR/F)": lambda r: r.c / (1 + 2 * r.c * np.abs(r.p - r.n) / r.limit),
    "c / √(1 + (2c ΣR/F)²)": lambda r: r.c / np.sqrt(1 + (2 * r.c * (r.p - r.n) / r.limit) ** 2),
    "c / √(1 + (4c ΣR/F)²)": lambda r: r.c / np.sqrt(1 + (4 * r.c * (r.p - r.n) / r.limit) ** 2),
    "√(c · clip(T/ΣR, c/16, c))": lambda r: np.sqrt(r.c * np.clip(r.steady, r.c / 16, r.c)),
    **{f"mean of T/ΣR and c, width {width}": mean_of_slopes(width, np.inf) for width in (4, 8, 16)},
    **{f"mean of T/ΣR and c, width {width}, up to c": mean_of_slopes(width, 1.0) for width in (4, 6, 12, 16)},
    RULE: mean_of_slopes(8, 1.0),
}


def inside_by_distance(model, rows):
    return model.level - model.kneighbors(rows)[0][:, -1]


def inside_by_factor(model, rows):
    return model.decision_function(rows)


def distance_detector(rows, rank):
    model = NearestNeighbors(n_neighbors=rank).fit(rows)
    model.level = np.quantile(model.kneighbors()[0][:, -1], 0.9)
    return model


@dataclass
class Kind:
    """One kind of model with one method."""
    rules: dict
    make: object  # (training rows, *setting) -> estimator
    settings: tuple
    method: str
    options: dict
    output: object = None  # (model, rows) -> output; without it the kernel has exact Shapley values
    problems: object = problems
    has_target: bool = True
    parameters: dict = field(default_factory=dict)  # of the method
    is_stretched: bool = True
    variants: dict = field(default_factory=dict)  # changes for other methods, which compare two rules

    def all_of(self, name):
        return {name: self} | {f"{name}, {title}": replace(self, rules=TWO_RULES, **changes)
                               for title, changes in self.variants.items()}


KERNEL_SETTINGS = ((1.0, 1.0), (0.2, 1.0), (5.0, 1.0), (1.0, 10.0), (0.2, 100.0))  # gamma times features, cost
NEIGHBOR_SETTINGS = ((5,), (15,), (45,))
KERNEL_MACHINES = {
    "SVC, `lrp-path`": Kind(
        KERNEL_RULES, lambda rows, width, cost: SVC(gamma=width / rows.shape[1], C=cost), KERNEL_SETTINGS,
        "lrp-path", {"positive_class": 1}),
    "kernel ridge, `lrp-expected`": Kind(
        KERNEL_RULES, lambda rows, width, cost: KernelRidge(kernel="rbf", gamma=width / rows.shape[1], alpha=1 / cost),
        KERNEL_SETTINGS, "lrp-expected", {"level": 0.0}),
}
TWO_RULES = {name: NEIGHBOR_RULES[name] for name in (FORMER, RULE)}
OTHER_METHODS = {"`lrp-path`": {"method": "lrp-path"},
                 "`lrp-expected` with neighborhood": {"parameters": {"neighborhood": 0.5}},
                 "`lrp`, no stretch": {"method": "lrp", "is_stretched": False}}
# The rule is chosen by these kinds.
NEIGHBORS = {
    "KNN": Kind(
        NEIGHBOR_RULES, lambda rows, k: KNeighborsClassifier(k), NEIGHBOR_SETTINGS, "lrp-expected",
        {"positive_class": 1}, votes, variants=OTHER_METHODS),
    "KNN, distance weights": Kind(
        NEIGHBOR_RULES, lambda rows, k: KNeighborsClassifier(k, weights="distance"), NEIGHBOR_SETTINGS, "lrp-expected",
        {"positive_class": 1}, vote_shares, variants=OTHER_METHODS),
    "KNN regression": Kind(
        NEIGHBOR_RULES, lambda rows, k: KNeighborsRegressor(k), NEIGHBOR_SETTINGS, "lrp-expected",
        {"level": 0.0}, predictions, curves, variants=OTHER_METHODS),
    "KNN regression, distance weights": Kind(
        NEIGHBOR_RULES, lambda rows, k: KNeighborsRegressor(k, weights="distance"), NEIGHBOR_SETTINGS, "lrp-expected",
        {"level": 0.0}, predictions, curves),
}
DETECTORS = {
    "distance to the k-th neighbor": Kind(TWO_RULES, distance_detector, ((5,), (20,)), "lrp-expected", {},
                                          inside_by_distance, curves, has_target=False),
    "local outlier factor": Kind(TWO_RULES, lambda rows, k: LocalOutlierFactor(k, novelty=True), ((20,),),
                                 "lrp-expected", {}, inside_by_factor, curves, has_target=False),
}
KINDS = KERNEL_MACHINES | NEIGHBORS | DETECTORS


def common_scale(f, g):
    """The mean of f, c and F over reference rows."""
    g = g[np.isfinite(g)]
    of_g = np.sort(np.abs(g - g.mean()))
    of_f = np.abs(f - f.mean())
    return f.mean(), of_f.mean() / of_g[:len(g) - len(g) // 10].mean(), 2 * of_f.max()


def converted(relevance, f, ratio, scale, rule, is_stretched):
    """Values of each row and its stretch. Without a ratio f / g a row takes c."""
    mean, c, limit = scale
    p, n = np.where(relevance > 0, relevance, 0).sum(axis=1), -np.where(relevance < 0, relevance, 0).sum(axis=1)
    t = f - mean
    rows = Rows(np.where(ratio == 0, c, ratio), t, p, n, c, limit)
    factor = np.minimum(rule(rows), limit / np.maximum(p, n))
    if not is_stretched:
        return relevance * factor[:, None], np.ones(len(f))
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


def measure(model, kinds, rows, background, seed):
    """Of each kind, which have one model: of f / g per row and of every rule the correlation within rows and over all rows,
    and the share of rows with a large stretch.

    Of f / g per row, which has no stretch, the third number is distance_of_start."""
    def explain(those, method, **more):
        return bisector.Explainer(model, background, method=method, n_jobs=1, **options, **more)(those)

    first = kinds[0]
    options = first.options | ({"level": model.level} if hasattr(model, "level") else {})
    if first.output:
        reference = sampled_shapley(lambda mixed: first.output(model, mixed), rows, background, seed)
    else:
        reference = explain(rows, "shapley-exact", references=REFERENCES).values
    of_background = explain(background, "lrp", unit="g")
    scale = common_scale(of_background.decision, of_background.g)
    results = []
    for kind in kinds:
        in_g = explain(rows, kind.method, unit="g", **kind.parameters)
        f, g = in_g.decision, in_g.g
        ratio = np.divide(f, g, out=np.zeros(len(f)), where=(g != 0) & np.isfinite(g))
        results.append([(*correlations(in_g.values * ratio[:, None], reference),
                         distance_of_start(in_g.values, f, ratio, of_background.decision))])
        for rule in kind.rules.values():
            values, stretch = converted(in_g.values, f, ratio, scale, rule, kind.is_stretched)
            is_large = (stretch > LARGE_STRETCH) | (stretch < 1 / LARGE_STRETCH)
            results[-1].append((*correlations(values, reference), is_large.mean()))
    return results


def study(name, seed):
    """Of the kind and its variants, by name: problems x settings x rules x three numbers."""
    kind = KINDS[name]
    kinds = kind.all_of(name)
    is_class = kind.problems is problems
    results = {title: [] for title in kinds}
    for rows, target in kind.problems(seed):
        train, test, classes, _ = train_test_split(rows, target, test_size=0.3, random_state=seed,
                                                   stratify=target if is_class else None)
        scaler = StandardScaler().fit(train)
        train, classes, test = scaler.transform(train)[:TRAINING_ROWS], classes[:TRAINING_ROWS], scaler.transform(test)[:ROWS]
        if "level" in kind.options:
            classes = (classes - classes.mean()) / (1 if is_class else classes.std())
        for own in results.values():
            own.append([])
        for setting in kind.settings:
            model = kind.make(train, *setting).fit(train, *([classes] if kind.has_target else []))
            for own, measured in zip(results.values(), measure(model, list(kinds.values()), test, train[:REFERENCES], seed)):
                own[-1].append(measured)
    return {title: np.array(own) for title, own in results.items()}


def main(folder):
    settings = ", ".join(f"({width:g}, {cost:g})" for width, cost in KERNEL_SETTINGS)
    counts = {"problems": len(problems(0)), "classes": len(problems(0)), "curves": len(curves(0))}
    head = page.HEAD.format(settings=settings, rows=ROWS, training=TRAINING_ROWS, references=REFERENCES, **counts)
    tasks = [(kind, seed) for kind in KINDS for seed in range(len(HALVES))]
    with ProcessPoolExecutor() as pool:
        results = {(title, HALVES[seed]): own for (_, seed), found in zip(tasks, pool.map(study, *zip(*tasks)))
                   for title, own in found.items()}
    parts = [page.section(kind, title, KERNEL_RULES, own) for (kind, title), own in results.items()
             if kind in KERNEL_MACHINES]
    svc = np.concatenate([own for (kind, _), own in results.items() if kind.startswith("SVC")])
    parts += [page.cause(svc.reshape(-1, *svc.shape[2:])), page.TAIL, page.NEIGHBORS_HEAD.format(**counts)]
    parts += [page.neighbor_section(title, NEIGHBOR_RULES, [results[kind, title] for kind in NEIGHBORS]) for title in HALVES]
    parts += [page.chosen_section({key: own for key, own in results.items() if key[0] not in KERNEL_MACHINES}),
              page.DETECTORS_TEXT]
    whole_file.write(folder / "unit_scale.md", head + "\n".join(parts))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected RESULTS")
    main(Path(sys.argv[1]).resolve())
