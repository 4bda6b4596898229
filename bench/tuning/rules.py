#!/usr/bin/env python3
"""Which rule should decide between the default parameters and the other settings of --tune?

    bench/tuning/rules.py BISECTOR [--repeats N] [--rows N]

Generated problems, none of which is in docs/results/tuning.md, are tuned on few rows. Every rule
chooses a setting from the means and standard errors of the cross-validation; the settings are then
scored on held-out rows. The table shows how often a rule leaves the default, on how many problems
it is worse or better by more than one standard error, its mean gain, and its largest loss.
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn import datasets

from run import options_of, write_table

ROWS = 2500
BALANCED = ("--model svm", "balanced_accuracy")
AUC = ("--model svm --tune-for auc", "auc")
ACCURACY = ("--model svm --class-weight none", "accuracy")
NEIGHBORS = ("--model knn", "accuracy")
RIDGE = ("--model krr", "-mean_absolute_error")
RIDGE_R2 = ("--model krr --tune-for r2", "r_squared")
NUMBER_NEIGHBORS = ("--model knnr", "-mean_absolute_error")
THRESHOLDS = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5)


def class_problems():
    """Name, features, classes, and the models that are tuned."""
    kinds = [(0.95, 0.8, 0.0), (0.9, 0.8, 0.02), (0.9, 1.2, 0.02), (0.8, 1.0, 0.1), (0.8, 0.8, 0.3),
             (0.5, 1.0, 0.02), (0.5, 0.7, 0.1), (0.7, 1.5, 0.0)]
    for i, (weight, separation, flipped) in enumerate(kinds):
        yield (f"two{i}", *datasets.make_classification(
            ROWS, 10 + i, n_informative=4 + i % 3, n_redundant=2, weights=[weight], flip_y=flipped,
            class_sep=separation, random_state=101 + i), [BALANCED, AUC] + [NEIGHBORS] * (i % 2))
    for i, weights in enumerate([[0.8, 0.15, 0.05], [0.4, 0.3, 0.3], [0.6, 0.3, 0.1]]):
        yield (f"three{i}", *datasets.make_classification(
            ROWS, 12, n_informative=5, n_redundant=2, n_classes=3, weights=weights, flip_y=0.02,
            random_state=201 + i), [BALANCED] + [NEIGHBORS] * (i > 0))
    yield ("moons", *datasets.make_moons(ROWS, noise=0.3, random_state=301), [BALANCED, AUC])
    yield ("circles", *datasets.make_circles(ROWS, noise=0.2, factor=0.5, random_state=302), [BALANCED, ACCURACY])
    yield ("quantiles", *datasets.make_gaussian_quantiles(
        n_samples=ROWS, n_features=6, n_classes=2, random_state=303), [BALANCED, AUC])
    features, target = datasets.make_hastie_10_2(ROWS, random_state=304)
    yield "sphere", features, target > 0, [BALANCED, ACCURACY]
    yield ("clouds", *datasets.make_blobs(ROWS, n_features=5, centers=4, cluster_std=4, random_state=305),
           [BALANCED, NEIGHBORS])
    draw = np.random.default_rng(306)
    features = draw.normal(size=(ROWS, 15))
    yield "linear", features, features[:, 0] + 0.5 * features[:, 1] + draw.normal(size=ROWS) > 1.2, [BALANCED, AUC]
    features = draw.normal(size=(ROWS, 5))
    noise = 0.3 * draw.normal(size=ROWS)
    yield ("wavy", features, np.sin(3 * features[:, 0]) + features[:, 1] * features[:, 2] + noise > 0.5,
           [BALANCED, AUC])
    bits = draw.integers(0, 2, size=(ROWS, 9)).astype(float)
    yield "bits", bits, (bits[:, 0] != bits[:, 1]) | ((bits[:, 2] > 0) & (bits[:, 3] > 0)), [BALANCED]


def number_problems():
    yield ("friedman1", *datasets.make_friedman1(ROWS, noise=1.5, random_state=401), [RIDGE, NUMBER_NEIGHBORS])
    yield ("friedman2", *datasets.make_friedman2(ROWS, noise=100, random_state=402), [RIDGE_R2])
    yield ("friedman3", *datasets.make_friedman3(ROWS, noise=0.2, random_state=403), [RIDGE])
    yield ("plane", *datasets.make_regression(ROWS, 8, n_informative=4, noise=40, random_state=404), [RIDGE])
    yield ("uncorrelated", *datasets.make_sparse_uncorrelated(ROWS, n_features=8, random_state=405), [RIDGE_R2])
    draw = np.random.default_rng(406)
    features = draw.normal(size=(ROWS, 6))
    noise = 0.5 * draw.normal(size=ROWS)
    yield "wiggle", features, 2 * np.sin(4 * features[:, 0]) + features[:, 1] + noise, [RIDGE]


def chosen(trials, takes_bound, threshold):
    """The setting that a rule chooses; None for the default."""
    better = [t for t, (gain, error) in enumerate(trials) if gain > threshold * error]
    if not better:
        return None
    return max(better, key=lambda t: trials[t][0] - (threshold * trials[t][1] if takes_bound else 0.0))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def compare(arguments, path, words, figure, seed, rules):
    """For each rule the gain over the default on held-out rows; zero if the rule keeps the default."""
    command = [arguments.bisector, "train", path, "--target", "target", "--sample", str(arguments.rows), "--holdout",
               "0.3", "--seed", str(seed), "--json", "-q", "--threads", "1", "-o", f"{path}.npz"]
    plain = words[:words.index("--tune-for")] if "--tune-for" in words else words

    def held_out(more):
        value = run([*command, *plain, *more])["held_out"][figure.lstrip("-")]
        return -value if figure.startswith("-") else value

    tuning = run([*command, *words, "--tune"])["tuning"]
    own = tuning["trials"][tuning["default"]]["mean"]
    trials = [(trial["mean"] - own, trial["standard_error"]) for trial in tuning["trials"]]
    default, scores, gains = held_out([]), {}, []
    for rule in rules:
        setting = chosen(trials, *rule)
        if setting is not None and setting not in scores:
            parameters = tuning["trials"][setting]["parameters"]
            scores[setting] = held_out([word for name in ("gamma", "cost", "lambda", "k") if name in parameters
                                        for word in (f"--{name}", str(parameters[name]))])
        gains.append(0.0 if setting is None else scores[setting] - default)
    return gains, abs(default) if figure.startswith("-") else 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bisector")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", type=int, default=200, help="training rows")
    arguments = parser.parse_args()
    rules = [(takes_bound, threshold) for takes_bound in (False, True) for threshold in THRESHOLDS]
    results = [[] for _ in rules]  # per rule and problem: the gains of the splits, and the unit
    with tempfile.TemporaryDirectory() as folder:
        for name, features, target, kinds in [*class_problems(), *number_problems()]:
            path = str(Path(folder) / f"{name}.csv")
            is_number = kinds[0] in (RIDGE, RIDGE_R2)
            write_table(path, features, [repr(float(t)) if is_number else f"{int(t)}" for t in target])
            for options, figure in kinds:
                pairs = [compare(arguments, path, options_of(options, path), figure, seed, rules)
                         for seed in range(arguments.repeats)]
                for rule, gains in zip(results, zip(*[gains for gains, _ in pairs])):
                    rule.append((gains, statistics.fmean(unit for _, unit in pairs)))
    print("| rule | changes | worse | better | mean gain | largest loss |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for (takes_bound, threshold), problems in zip(rules, results):
        means = [statistics.fmean(gains) for gains, _ in problems]
        errors = [statistics.stdev(gains) / math.sqrt(len(gains)) * (1 + 1e-9) for gains, _ in problems]
        relative = [mean / unit for mean, (_, unit) in zip(means, problems)]
        print(f"| {'largest lower bound' if takes_bound else 'largest score'}, {threshold} standard errors | "
              f"{sum(gain != 0.0 for gains, _ in problems for gain in gains)} | "
              f"{sum(m < -e for m, e in zip(means, errors))} | {sum(m > e for m, e in zip(means, errors))} | "
              f"{statistics.fmean(relative):.4f} | {max(0.0, -min(relative)):.4f} |")


if __name__ == "__main__":
    main()
