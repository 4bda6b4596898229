#!/usr/bin/env python3
"""Does --tune improve the score it tunes for?

    bench/tuning/run.py BISECTOR DATA_FOLDER [--repeats N] [--page PAGE.md]

Every dataset is split at random several times. A model with default parameters and a tuned model
are trained on the same rows and scored on the same held-out rows. The page lists both means and the
standard error of their difference. The exit status is 1 if tuning lowers a score by more than one
standard error. DATA_FOLDER has the datasets of the paper (see apps/paper).
"""

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WINE = "wine_quality/winequality-red.csv"
# Name, file, options, and the score of `score --json` that tuning maximizes (a minus: an error).
DATASETS = [
    ("Breast cancer (Ljubljana)", "breast_cancer/breast-cancer.data", "--target 1", "balanced_accuracy"),
    ("Breast cancer (Wisconsin)", "breast_cancer/wdbc.data", "--target 2", "balanced_accuracy"),
    ("Cars: unacceptable", "car_evaluation/car.data", "--target 7 --positive unacc", "balanced_accuracy"),
    ("Cars: very good", "car_evaluation/car.data", "--target 7 --positive vgood", "balanced_accuracy"),
    ("Diabetes risk", "diabetes_risk/diabetes_data_upload.csv", "--target class", "balanced_accuracy"),
    ("Raisins", "raisin/Raisin_Dataset.csv", "--target Class", "balanced_accuracy"),
    ("Red wine: above 5", WINE, "--target quality --above 5", "balanced_accuracy"),
    ("Red wine: above 6", WINE, "--target quality --above 6", "balanced_accuracy"),
    ("Red wine: above 6, AUC", WINE, "--target quality --above 6 --tune-for auc", "auc"),
    ("Concrete strength, kernel ridge", "concrete/Concrete_Data.csv", "--target -1 --model krr", "-mean_absolute_error"),
    ("Real estate, SVR", "real_estate/Real_estate_valuation.csv", "--target -1 --model svr --tune-for r2", "r_squared"),
]


def options_of(text, path):
    """The words of the options; the target -1 is the last column."""
    words = text.split()
    if "-1" in words:
        with open(path, encoding="utf-8", errors="replace") as lines:
            words[words.index("-1")] = str(next(lines).count(",") + 1)
    return words


def held_out_score(bisector, path, words, seed, figure, folder):
    command = [bisector, "train", path, *words, "--sample", "800", "--holdout", "0.3", "--seed",
               str(seed), "--json", "-q", "-o", f"{folder}/m.npz"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    score = json.loads(run.stdout)["held_out"]
    return -score[figure[1:]] if figure.startswith("-") else score[figure]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bisector")
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    lines, worse = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, file, options, figure in DATASETS:
            path = str(arguments.data / file)
            tuned_words = options_of(options, path)
            words = [w for i, w in enumerate(tuned_words)
                     if w != "--tune-for" and (i == 0 or tuned_words[i - 1] != "--tune-for")]
            pairs = [(held_out_score(arguments.bisector, path, words, seed, figure, folder),
                      held_out_score(arguments.bisector, path, [*tuned_words, "--tune"], seed, figure, folder))
                     for seed in range(arguments.repeats)]
            differences = [tuned - default for default, tuned in pairs]
            error = statistics.stdev(differences) / math.sqrt(len(differences))
            mean = [statistics.fmean(column) for column in zip(*pairs)]
            difference = statistics.fmean(differences)
            if difference < -error:
                worse.append(name)
            lines.append(f"| {name} | {figure.lstrip('-').replace('_', ' ')} | {abs(mean[0]):.3f} | "
                         f"{abs(mean[1]):.3f} | {difference:+.3f} | {error:.3f} |")
            print(lines[-1], flush=True)
    if arguments.page:
        arguments.page.write_text(PAGE.format(repeats=arguments.repeats, table="\n".join(lines)), encoding="utf-8")
    if worse:
        sys.exit("tuning lowers the score by more than one standard error: " + ", ".join(worse))


PAGE = """# Does tuning help?

`bisector train --tune` chooses parameters by 5-fold cross-validation. For each dataset this page
compares it with the default parameters. Both models are trained on the same rows (at most 800) and
scored on the same held-out rows (30 %), for {repeats} random splits. The difference is tuned minus
default, with the sign that makes more better; its standard error is over the splits. Tuning is
never worse than the default by more than one standard error, which `bench/tuning/run.py` checks.

| dataset | score | default | tuned | difference | standard error |
| --- | --- | ---: | ---: | ---: | ---: |
{table}
"""

if __name__ == "__main__":
    main()
