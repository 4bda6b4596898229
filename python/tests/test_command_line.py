"""The command and the package give equal numbers for the same model file."""

import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, OneClassSVM

import bisector

COMMAND = os.environ.get("BISECTOR_COMMAND", "")
pytestmark = pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")


METHODS = [*bisector._core.methods(), "random"]


def read(path):
    """Numbers as they were written, to the last digit."""
    return pd.read_csv(path, engine="python")


def flags(column):
    return column.astype(str).str.lower() == "true"


def run(*arguments):
    result = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def table(data):
    X, y = data
    return pd.DataFrame(X, columns=[f"c{d}" for d in range(X.shape[1])]), y


MODELS = {
    "two classes": lambda: (make_pipeline(StandardScaler(), SVC()), CLASSIFICATION["moons"]()),
    "words": lambda: (SVC(), words(CLASSIFICATION["wine"]())),
    "neighbors": lambda: (KNeighborsClassifier(4), CLASSIFICATION["blobs"]()),
    "regression": lambda: (make_pipeline(StandardScaler(), SVR(C=10.0)), REGRESSION["diabetes"]()),
}


def words(data):
    return data[0], np.array(["Barolo", "Grignolino", "Barbera"])[data[1]]


NOT_FOR_NEIGHBORS = ("gi", "ig", "sensitivity", "shapley-exact")


@pytest.mark.parametrize("kind, method", [
    (kind, method) for kind in MODELS for method in [None, *bisector._core.methods()]
    if not (kind == "neighbors" and method in NOT_FOR_NEIGHBORS)])
def test_bundles_give_equal_numbers(kind, method, tmp_path):
    model, data = MODELS[kind]()
    X, y = table(data)
    chosen = {} if method is None else {"method": method}
    explainer = bisector.Explainer(model.fit(X, y), **chosen)
    explainer.save(tmp_path / "model.npz")
    X.to_csv(tmp_path / "rows.csv", index=False)
    run("explain", tmp_path / "model.npz", tmp_path / "rows.csv",
        *(f"--{name}={value}" for name, value in chosen.items()),
        "--unit", explainer.settings["unit"], "--details", "-o", tmp_path / "out.csv")
    theirs = read(tmp_path / "out.csv")
    for ours in (explainer(X), bisector.Explainer(tmp_path / "model.npz", **chosen)(X)):
        np.testing.assert_array_equal(theirs[list(X.columns)].to_numpy(), ours.values)
        np.testing.assert_array_equal(theirs["g"], ours.g)
        np.testing.assert_array_equal(theirs["prediction"], ours.prediction)
        np.testing.assert_array_equal(theirs["remainder"], ours.remainder)
        np.testing.assert_array_equal(flags(theirs["outside"]), ours.outside)
        np.testing.assert_array_equal(theirs["output"], ours.output)
        np.testing.assert_array_equal(theirs["base"], ours.base_values)
        np.testing.assert_array_equal(flags(theirs["tie"]), ours.tie)


def test_parameters_and_ties_give_equal_numbers(tmp_path):
    """The parameters of a method, and the flags of a grid on which many points are equally far."""
    generator = np.random.default_rng(0)
    X, y = table((generator.integers(0, 3, (120, 4)).astype(float), generator.integers(0, 2, 120)))
    explainer = bisector.Explainer(KNeighborsClassifier(3).fit(X, y), method="shapley", seed=5,
                                   sequences=3, on="votes", positive_class=0)
    explainer.save(tmp_path / "model.npz")
    X.to_csv(tmp_path / "rows.csv", index=False)
    run("explain", tmp_path / "model.npz", tmp_path / "rows.csv", "--method",
        "shapley:seed=5,sequences=3,on=votes", "--class", 0, "--unit", explainer.settings["unit"], "-o",
        tmp_path / "out.csv")
    theirs, ours = read(tmp_path / "out.csv"), explainer(X)
    np.testing.assert_array_equal(theirs[list(X.columns)].to_numpy(), ours.values)
    np.testing.assert_array_equal(flags(theirs["tie"]), ours.tie)
    assert ours.tie[ours.g == 0].all() and (ours.g == 0).sum() > 5


@pytest.mark.parametrize("unit", ["g", "decision", "share"])
@pytest.mark.parametrize("kind", MODELS)
def test_details_are_equal_in_every_unit(kind, unit, tmp_path):
    model, data = MODELS[kind]()
    X, y = table(data)
    explainer = bisector.Explainer(model.fit(X, y), view="data", unit=unit, background=X)
    explainer.save(tmp_path / "model.npz")
    X.to_csv(tmp_path / "rows.csv", index=False)
    run("explain", tmp_path / "model.npz", tmp_path / "rows.csv", "--method",
        "auto:view=data", "--unit", unit, "--background", tmp_path / "rows.csv", "--details", "-o", tmp_path / "out.csv")
    theirs, ours = read(tmp_path / "out.csv"), explainer(X)
    np.testing.assert_array_equal(theirs[list(X.columns)].to_numpy(), ours.values)
    for name, wanted in {"base": ours.base_values, "remainder": ours.remainder,
                         "correction": ours.correction, "output": ours.output}.items():
        np.testing.assert_array_equal(theirs[name], wanted)


def test_libsvm_files_give_equal_numbers(tmp_path):
    X, y = CLASSIFICATION["wine"]()
    with open(tmp_path / "rows.svm", "w") as file:
        for row, label in zip(X, y):
            file.write(f"{label} " + " ".join(f"{d + 1}:{v!r}" for d, v in enumerate(row.tolist()))
                       + "\n")
    subprocess.run(["svm-train", "-q", "-g", "0.05", tmp_path / "rows.svm", tmp_path / "wine.model"],
                   check=True)
    run("explain", tmp_path / "wine.model", tmp_path / "rows.svm", "--unit", "g", "-o",
        tmp_path / "out.json")
    theirs = json.loads((tmp_path / "out.json").read_text())
    ours = bisector.Explainer(str(tmp_path / "wine.model"), unit="g")(X)
    np.testing.assert_array_equal([row["relevance"] for row in theirs["rows"]], ours.values)
    np.testing.assert_array_equal([int(row["prediction"]) for row in theirs["rows"]],
                                  ours.prediction)


def test_evaluations_give_equal_numbers(tmp_path):
    X, y = table(CLASSIFICATION["breast cancer"]())
    explainer = bisector.Explainer(make_pipeline(StandardScaler(), SVC()).fit(X, y))
    explainer.save(tmp_path / "model.npz")
    X[:60].to_csv(tmp_path / "rows.csv", index=False)
    X[100:300].to_csv(tmp_path / "background.csv", index=False)
    run("evaluate", tmp_path / "model.npz", tmp_path / "rows.csv", "--background",
        tmp_path / "background.csv", *(f"--method={name}" for name in METHODS), "--sample", "25",
        "--seed", "3", "--samples", "20", "-o", tmp_path / "out.csv")
    theirs = read(tmp_path / "out.csv").set_index("method")
    ours = bisector.aufc(explainer, X[:60], background=X[100:300], max_rows=25, seed=3, samples=20,
                         method=METHODS)
    assert sorted(ours) == sorted(theirs.index) == sorted(METHODS)
    for name, found in ours.items():
        assert [found, found.standard_error] == list(theirs.loc[name, ["aufc", "standard_error"]])
    # A method by its name is what an Explainer of it is.
    assert bisector.aufc(bisector.Explainer(tmp_path / "model.npz", method="gi"), X[:60],
                         background=X[100:300], max_rows=25, seed=3, samples=20) == ours["gi"]


def test_tables_with_text_give_equal_numbers(tmp_path):
    """A model that the command trained on text is explained from a DataFrame."""
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({"age": generator.normal(40, 10, 80).round(2),
                          "town": generator.choice(["Ulm", "Bonn", "Kiel"], 80)})
    frame["ill"] = np.where(frame["age"] + 10 * (frame["town"] == "Ulm") > 45, "yes", "no")
    frame.to_csv(tmp_path / "rows.csv", index=False)
    run("train", tmp_path / "rows.csv", "--target", "ill", "--model", "svm", "--type",
        "town=one-hot", "-o", tmp_path / "model.npz")
    run("explain", tmp_path / "model.npz", tmp_path / "rows.csv", "-o", tmp_path / "out.csv")
    theirs = read(tmp_path / "out.csv")
    ours = bisector.Explainer(tmp_path / "model.npz")(frame)
    assert list(ours.feature_names) == ["age", "town"]
    np.testing.assert_allclose(theirs[["age", "town"]].to_numpy(), ours.values, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(theirs["prediction"], ours.prediction)


def _distances(a, b, power=2):
    return (np.abs(a[:, None, :] - b[None, :, :]) ** power).sum(axis=2) ** (1.0 / power)


# With gamma 0.7; scikit-learn is given the formula as a function.
KERNELS = {
    "laplacian": lambda a, b: np.exp(-0.7 * _distances(a, b, 1)),
    "matern12": lambda a, b: np.exp(-0.7 * _distances(a, b)),
    "matern32": lambda a, b: (1 + 0.7 * _distances(a, b)) * np.exp(-0.7 * _distances(a, b)),
    "matern52": lambda a, b: ((1 + 0.7 * _distances(a, b) + (0.7 * _distances(a, b)) ** 2 / 3)
                              * np.exp(-0.7 * _distances(a, b))),
    "cauchy": lambda a, b: 1 / (1 + 0.7 * _distances(a, b) ** 2),
    "inverse-multiquadric": lambda a, b: 1 / np.sqrt(1 + 0.7 * _distances(a, b) ** 2),
    "rational-quadratic:shape=2.5": lambda a, b: (1 + 0.7 * _distances(a, b) ** 2) ** -2.5,
    "poly:degree=2,offset=0.5": lambda a, b: (0.7 * a @ b.T + 0.5) ** 2,
}


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("kind", ["svm", "svr", "oneclass"])
def test_kernels_are_trained_as_scikit_learn_trains_them(name, kind, tmp_path):
    X, y = CLASSIFICATION["moons"]()
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(c=y if kind == "svm" else X[:, 0] * X[:, 1])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    learned = {"svm": ["--target", "c", "--cost", 2, "--class-weight", "none"],
               "svr": ["--target", "c", "--cost", 2, "--epsilon", 0.1], "oneclass": ["--drop", "c", "--outliers", 0.2]}[kind]
    run("train", tmp_path / "rows.csv", "--model", kind, "--kernel", name, "--gamma", 0.7,
        "--scale", "none", *learned, "-o", tmp_path / "model.npz")
    run("predict", tmp_path / "model.npz", tmp_path / "rows.csv", "-o", tmp_path / "out.csv")
    made = {"svm": SVC(C=2.0, kernel=KERNELS[name]), "svr": SVR(C=2.0, kernel=KERNELS[name]),
            "oneclass": OneClassSVM(nu=0.2, kernel=KERNELS[name])}[kind]
    made.fit(X) if kind == "oneclass" else made.fit(X, frame["c"])
    theirs = made.predict(X) if kind == "svr" else made.decision_function(X)
    found = read(tmp_path / "out.csv")
    ours = found["prediction" if kind == "svr" else "decision"].to_numpy(float)
    # LIBSVM stops at a tolerance of 1e-3 in both libraries.
    np.testing.assert_allclose(ours, theirs, atol=5e-3 * max(1.0, np.abs(theirs).max()))
    explanation = bisector.Explainer(tmp_path / "model.npz")(frame)
    sure = np.abs(explanation.decision) > 1e-9
    np.testing.assert_array_equal(np.sign(explanation.g)[sure], np.sign(explanation.decision)[sure])


def test_gower_is_trained_as_scikit_learn_trains_it(tmp_path):
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({"age": generator.normal(40, 10, 90).round(2),
                          "town": generator.choice(["Ulm", "Bonn", "Kiel"], 90),
                          "rooms": generator.integers(1, 5, 90)})
    rent = 10 * frame["age"] + 300 * (frame["town"] == "Ulm")
    frame.assign(rent=rent).to_csv(tmp_path / "rows.csv", index=False)
    run("train", tmp_path / "rows.csv", "--target", "rent", "--model", "knnr", "--metric", "gower",
        "--k", 5, "--weights", "distance", "-o", tmp_path / "model.npz")
    codes = frame.assign(town=frame["town"].astype("category").cat.codes).to_numpy(float)
    metric = bisector.Gower([1], ranges=np.ptp(codes, axis=0))
    model = KNeighborsRegressor(5, weights="distance", metric=metric).fit(codes, rent)
    moved = frame.assign(age=frame["age"] + 0.13)
    codes[:, 0] += 0.13
    ours = bisector.Explainer(tmp_path / "model.npz", method="lrp")(moved)
    theirs = bisector.Explainer(model, method="lrp")(codes)
    sure = ~theirs.tie
    np.testing.assert_allclose(ours.prediction[sure], model.predict(codes)[sure], rtol=1e-9)
    np.testing.assert_allclose(ours.values[sure], theirs.values[sure], rtol=1e-6, atol=1e-9)
    assert list(ours.feature_names) == ["age", "town", "rooms"]
