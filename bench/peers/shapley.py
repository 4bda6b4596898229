"""Exact Shapley values and pairs against shap and shapiq, and the time that fewer nodes save.

shapley.py ours FOLDER        computes ours, in an environment with bisector
shapley.py peers FOLDER       compares, in an environment with requirements-shapley.txt
shapley.py page FOLDER PAGE   writes the page

The models are Gaussian machines as plain arrays, so that both environments evaluate the same
function. Times are CPU seconds of one thread: set OMP_NUM_THREADS=1.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

REFERENCES = 10
NODE_FEATURES = (30, 100, 784)
GAMMA_S2 = (0.1, 1.0, 3.0)
REPEATS = 5


def cpu_seconds(work, repeats=REPEATS):
    """The least CPU time of several runs, and the result."""
    best, result = np.inf, None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


def machines():
    """Name, points, coefficients, gamma, intercept and rows of SVMs on data of scikit-learn."""
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR

    for name, load, features, model in (("diabetes, SVR", load_diabetes, 10, SVR(C=100.0)),
                                        ("wine, SVC", load_wine, 12, SVC()),
                                        ("breast cancer, SVC", load_breast_cancer, 8, SVC())):
        X, y = load(return_X_y=True)
        X = StandardScaler().fit_transform(X[:, :features])
        model.fit(X, y if isinstance(model, SVR) else y == 0)
        yield (name, model.support_vectors_, model.dual_coef_[0], float(model._gamma),
               float(model.intercept_[0]), X)


def ours(folder):
    from bisector import _core

    for n, (name, points, coefficients, gamma, intercept, X) in enumerate(machines()):
        machine = _core.KernelMachine(points, coefficients, _core.Kernel(gamma), intercept)
        model, options = _core.Model(_core.KernelRegressor(machine)), _core.ExplainOptions()
        background, row = np.ascontiguousarray(X[:REFERENCES]), np.ascontiguousarray(X[50:51])
        options.set_background(background)
        options.threads = 1
        pairs = _core.InteractionExplainer(model, options, None)
        value_time, values = cpu_seconds(
            lambda: _core.exact_shapley(machine, row, background, threads=1))
        pair_time, interactions = cpu_seconds(lambda: pairs(row))
        np.savez(folder / f"model{n}.npz", name=name, points=points, coefficients=coefficients,
                 gamma=gamma, intercept=intercept, background=background, row=row[0],
                 values=np.asarray(values)[0], pairs=np.asarray(interactions)[0],
                 value_time=value_time, pair_time=pair_time)
    (folder / "nodes.json").write_text(json.dumps(node_times()))


def node_times():
    """CPU seconds with the number of nodes that the row needs, and with half as many nodes as
    features. One point of each block is replaced by one that is very far and weighs nothing: its
    steepness is so large that the block takes all nodes."""
    from bisector import _core

    random, lines = np.random.default_rng(0), []
    for features in NODE_FEATURES:
        for gamma_s2 in GAMMA_S2:
            points = random.normal(size=(512, features))
            gamma = gamma_s2 / (2.0 * features)  # The mean squared distance is 2 x features.
            coefficients = random.normal(size=512)
            coefficients[::4] = 1e-300
            far = points.copy()
            far[::4, 0] = 1e9
            rows, background = random.normal(size=(4, features)), random.normal(size=(10, features))
            models = [_core.KernelMachine(own, coefficients, _core.Kernel(gamma), 0.0)
                      for own in (points, far)]
            times, values = zip(*(cpu_seconds(lambda model=model: np.asarray(
                _core.exact_shapley(model, rows, background, threads=1))) for model in models))
            error = np.abs(values[0] - values[1]).max() / np.abs(values[1]).max()
            lines.append({"features": features, "gamma_s2": gamma_s2, "time": times[0],
                          "all_nodes": times[1], "error": error})
    return lines


def peers(folder):
    import shap
    import shapiq

    lines = []
    for path in sorted(folder.glob("model*.npz")):
        data = np.load(path)
        row, background, features = data["row"], data["background"], len(data["row"])

        def output(X, data=data):
            X = np.atleast_2d(X)
            products = X @ data["points"].T
            distances = ((X ** 2).sum(1)[:, None] - 2.0 * products
                         + (data["points"] ** 2).sum(1))
            return np.exp(-data["gamma"] * distances) @ data["coefficients"] + data["intercept"]

        def game(coalitions, row=row, background=background, output=output):
            present = np.asarray(coalitions, dtype=bool)[:, None, :]
            cells = np.where(present, row, background)
            return output(cells.reshape(-1, row.size)).reshape(len(cells), -1).mean(axis=1)

        explainer = shap.explainers.Exact(
            output, shap.maskers.Independent(background, max_samples=len(background)))
        shap_time, shap_values = cpu_seconds(lambda: explainer(row[None, :]).values[0])

        def all_pairs():
            computer = shapiq.ExactComputer(n_players=features, game=game)
            found = computer(index="SII", order=2)
            return np.array([[0.0 if d == e else found[tuple(sorted((d, e)))]
                              for e in range(features)] for d in range(features)])

        shapiq_time, shapiq_pairs = cpu_seconds(all_pairs)
        own = data["pairs"]
        off = ~np.eye(features, dtype=bool)
        lines.append({
            "name": str(data["name"]), "features": features, "points": len(data["points"]),
            "value_error_shap": float(np.abs(shap_values - data["values"]).max()),
            "pair_error_shapiq": float(np.abs(shapiq_pairs - 2.0 * own)[off].max()),
            "value_time": float(data["value_time"]), "pair_time": float(data["pair_time"]),
            "shap_time": shap_time, "shapiq_time": shapiq_time})
    versions = {"shap": shap.__version__, "shapiq": shapiq.__version__}
    (folder / "peers.json").write_text(json.dumps({"versions": versions, "lines": lines}))


def page(folder, path):
    found = json.loads((folder / "peers.json").read_text())
    versions, lines = found["versions"], found["lines"]
    errors = [line[key] for line in lines for key in ("value_error_shap", "pair_error_shapiq")]
    faster = {key: [line[f"{peer}_time"] / line[f"{key}_time"] for line in lines]
              for key, peer in (("value", "shap"), ("pair", "shapiq"))}
    text = f"""# How fast and how exact are exact Shapley values?

**Answer.** Values and pairs differ from those of shap and shapiq by at most {max(errors):.0e}.
Values are {min(faster["value"]):,.0f} to {max(faster["value"]):,.0f} times faster than shap's
`Exact`, pairs {min(faster["pair"]):,.0f} to {max(faster["pair"]):,.0f} times faster than shapiq's
`ExactComputer`.

The tables are written by `bench/peers/shapley.py`. Times are processor time of one thread, the
least of {REPEATS} runs for every package.

## Compared with other packages

shap {versions["shap"]} (`Exact`) and shapiq {versions["shapiq"]} (`ExactComputer`, index SII)
evaluate the same kernel machines on all subsets of the features, for one row and {REFERENCES}
references. Pairs are compared with shapiq only, because shap's `Exact` computes another index
(Shapley–Taylor). The largest absolute differences from bisector:

| model | features | values, shap | pairs, shapiq |
| --- | --- | --- | --- |
"""
    for line in lines:
        text += (f"| {line['name']} | {line['features']} | {line['value_error_shap']:.0e} | "
                 f"{line['pair_error_shapiq']:.0e} |\n")
    text += """
Time of one row in milliseconds, and in brackets how many times faster bisector is:

| model | points | values: bisector | shap | pairs: bisector | shapiq |
| --- | --- | --- | --- | --- | --- |
"""
    for line in lines:
        values, pairs = 1e3 * line["value_time"], 1e3 * line["pair_time"]

        def ratio(time, own):
            return f"{1e3 * time:,.0f} ({1e3 * time / own:,.0f}×)"

        text += (f"| {line['name']} | {line['points']} | {values:.2f} | "
                 f"{ratio(line['shap_time'], values)} | {pairs:.2f} | "
                 f"{ratio(line['shapiq_time'], pairs)} |\n")
    text += """
The time of bisector grows with the number of points and slowly with the number of features. The
time of the other packages doubles with every feature.

## Fewer quadrature nodes

Half as many nodes as features are always exact. bisector uses only as many as each row needs. The
error is the largest difference of the values, relative to the largest value. Generated machines of
512 points, 4 rows and 10 references:

| features | γs² | ms | ms, all nodes | times faster | error |
| --- | --- | --- | --- | --- | --- |
"""
    for line in json.loads((folder / "nodes.json").read_text()):
        text += (f"| {line['features']} | {line['gamma_s2']:g} | {1e3 * line['time']:.2f} | "
                 f"{1e3 * line['all_nodes']:.2f} | {line['all_nodes'] / line['time']:.1f} | "
                 f"{line['error']:.0e} |\n")
    Path(path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    what, where = sys.argv[1], Path(sys.argv[2])
    if what == "page":
        page(where, sys.argv[3])
    else:
        {"ours": ours, "peers": peers}[what](where)
