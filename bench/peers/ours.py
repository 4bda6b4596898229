"""Measures bisector by build-bench/bisector-timing on the files of a case."""

import json
import subprocess


def timing(program, *arguments):
    done = subprocess.run([str(program), *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def measure(program, case, shapley=False):
    return timing(program, "model", case.model_file, case.rows_file, *(["--shapley"] if shapley else []))


def better(one, other):
    """The shorter times of two runs of the same measurements."""
    for mine, again in zip(one["measured"], other["measured"]):
        for what in ("explain", "predict", "explain in decision"):
            mine[what] = min(mine[what], again[what])
        mine["peak"] = max(mine["peak"], again["peak"])
    return one
