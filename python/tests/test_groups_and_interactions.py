"""Groups and interactions against sums over all subsets of the players."""

import json
import os
import pickle
import subprocess
from itertools import combinations
from math import factorial

import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import bisector

RANDOM = np.random.default_rng(3)
COMMAND = os.environ.get("BISECTOR_COMMAND")


class Game:
    """The mean output over the references if the players of a set have the row's values."""

    def __init__(self, output, row, references, players):
        self.output, self.row, self.references = output, row, references
        self.players = np.asarray(players)
        self.count = int(self.players.max()) + 1
        self.known = {}

    def __call__(self, present):
        key = frozenset(present)
        if key not in self.known:
            own = np.isin(self.players, list(key))
            self.known[key] = self.output(np.where(own, self.row, self.references)).mean()
        return self.known[key]

    def _sum(self, left_out, difference):
        others = [player for player in range(self.count) if player not in left_out]
        total = 0.0
        for size in range(len(others) + 1):
            weight = factorial(size) * factorial(len(others) - size) / factorial(len(others) + 1)
            total += weight * sum(difference(set(s)) for s in combinations(others, size))
        return total

    def value(self, d):
        return self._sum([d], lambda s: self(s | {d}) - self(s))

    def interaction(self, d, e):
        return self._sum([d, e],
                         lambda s: self(s | {d, e}) - self(s | {d}) - self(s | {e}) + self(s))


def data(features, rows=40):
    X = RANDOM.normal(size=(rows, features))
    return X, X[:, 0] * X[:, 1] + np.sin(X[:, -1])


@pytest.mark.parametrize("features", [2, 5, 10])
@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_values_and_pairs_are_those_of_all_subsets(features, kernel):
    X, y = data(features)
    model = KernelRidge(kernel=kernel, gamma=0.2).fit(X, y)
    background = X[:3]
    explainer = bisector.Explainer(model, background, method="shapley-exact")
    found = explainer.interactions(X[:1])
    assert (found.method, found.unit) == ("shapley", "decision")
    game = Game(model.predict, X[0], background, np.arange(features))
    values = explainer(X[:1]).values[0]
    np.testing.assert_allclose(values, [game.value(d) for d in range(features)], atol=1e-9)
    np.testing.assert_allclose(found.values[0].sum(axis=1), values, atol=1e-9)
    np.testing.assert_array_equal(found.values[0], found.values[0].T)
    for d, e in combinations(range(features), 2):
        assert 2.0 * found.values[0, d, e] == pytest.approx(game.interaction(d, e), abs=1e-9)


def test_values_and_pairs_of_groups_are_those_of_all_subsets_of_the_groups():
    X, y = data(7)
    model = SVR(gamma=0.3).fit(X, y)
    groups = {"first": ["x1", "x7"], "second": [2, 3, 4]}
    players = [0, 1, 2, 2, 2, 3, 0]
    explainer = bisector.Explainer(model, X[:4], method="shapley-exact", groups=groups)
    explanation, found = explainer(X[:3]), explainer.interactions(X[:3])
    assert explanation.feature_names == found.feature_names == ["first", "x2", "second", "x6"]
    for r in range(3):
        game = Game(model.predict, X[r], X[:4], players)
        np.testing.assert_allclose(explanation.values[r], [game.value(p) for p in range(4)],
                                   atol=1e-9)
        for d, e in combinations(range(4), 2):
            assert 2.0 * found.values[r, d, e] == pytest.approx(game.interaction(d, e), abs=1e-9)
    np.testing.assert_allclose(found.values.sum(axis=2), explanation.values, atol=1e-9)
    assert np.isnan(explanation.data[:, 0]).all()
    np.testing.assert_array_equal(explanation.data[:, 1], X[:3, 1])


@pytest.mark.parametrize("method", ["lrp", "lrp-path", "lrp-expected", "neighborhood", "occlusion",
                                    "ig", "shapley"])
def test_groups_of_other_methods_are_sums(method):
    X, y = data(5)
    model = SVC().fit(X, y > 0)
    alone = bisector.Explainer(model, X, method=method)(X[:4])
    together = bisector.Explainer(model, X, method=method, groups={"g": ["x2", "x4"]})(X[:4])
    assert together.feature_names == ["x1", "g", "x3", "x5"]
    wanted = np.column_stack([alone.values[:, 0], alone.values[:, [1, 3]].sum(axis=1),
                              alone.values[:, 2], alone.values[:, 4]])
    np.testing.assert_allclose(together.values, wanted, atol=1e-12)
    total = together.base_values + together.values.sum(axis=1) + together.remainder
    np.testing.assert_allclose(total, together.output, atol=1e-9)


def test_levels_of_a_column_are_one_player():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"color": list("rgbrgbrgbr") * 4, "size": RANDOM.normal(size=40),
                              "age": RANDOM.normal(size=40)})
    y = table["size"] * (table["color"] == "r") + table["age"]
    model = make_pipeline(
        make_column_transformer((OneHotEncoder(sparse_output=False), ["color"]),
                                remainder=StandardScaler()), KernelRidge(kernel="rbf", gamma=0.4))
    model.fit(table, y)
    background = table.iloc[:5]
    explainer = bisector.Explainer(model, background, method="shapley-exact")
    row = table.iloc[[11]]

    def output(cells):
        frame = pandas.DataFrame(cells, columns=table.columns)
        return model.predict(frame.astype({"size": float, "age": float}))

    game = Game(output, row.to_numpy(dtype=object), background.to_numpy(dtype=object), [0, 1, 2])
    explanation, found = explainer(row), explainer.interactions(row)
    np.testing.assert_allclose(explanation.values[0], [game.value(d) for d in range(3)], atol=1e-9)
    assert 2.0 * found.values[0, 0, 1] == pytest.approx(game.interaction(0, 1), abs=1e-9)
    levels = explainer(row, per_level=True)
    assert levels.shape == (1, 5)
    np.testing.assert_allclose(levels.values.sum(), explanation.values.sum(), atol=1e-9)
    assert np.count_nonzero(levels.values) > 3


def test_features_that_the_model_does_not_use_have_nothing():
    X, y = data(4)
    points = X.copy()
    points[:, 2] = 1.0
    model = KernelRidge(kernel="rbf", gamma=0.3).fit(points, y)
    rows = X[:2].copy()
    rows[:, 2] = 1.0
    found = bisector.Explainer(model, points[:5]).interactions(rows)
    assert np.abs(found.values[:, 2, :]).max() < 1e-12


def test_the_default_of_regressors_has_interactions_that_sum_to_it():
    X, y = data(6, rows=90)
    explainer = bisector.Explainer(SVR().fit(X, y), X)
    assert explainer.method == "shapley-exact"
    found = explainer.interactions(X[:4])
    np.testing.assert_allclose(found.values.sum(axis=2), explainer(X[:4]).values, atol=1e-9)


def test_classifiers_name_the_classes_of_every_row():
    X, y = data(4)
    labels = np.array(["a", "b", "c"])[np.digitize(y, [-0.3, 0.5])]
    explainer = bisector.Explainer(SVC().fit(X, labels), X, method="shapley-exact", references=20)
    explanation, found = explainer(X), explainer.interactions(X)
    np.testing.assert_array_equal(found.positive_class, explanation.positive_class)
    np.testing.assert_array_equal(found.versus, explanation.versus)
    np.testing.assert_allclose(found.values.sum(axis=2), explanation.values, atol=1e-9)


def test_kernels_that_are_no_product_have_integrated_hessians_of_g():
    X, y = data(3)
    model = GaussianProcessRegressor(Matern(nu=1.5), optimizer=None, alpha=0.1).fit(X, y)
    found = bisector.Explainer(model, X).interactions(X[:2])
    assert (found.method, found.unit) == ("integrated-hessians", "g")
    np.testing.assert_allclose(found.values, found.values.transpose(0, 2, 1), atol=1e-12)


def test_the_strongest_pairs_are_those_of_all_pairs():
    X, y = data(6)
    explainer = bisector.Explainer(SVR().fit(X, y), X)
    found, few = explainer.interactions(X[:3]), explainer.interactions(X[:3], top=4)
    assert few.values is None and few.shape == (3, 6, 6)
    frame = found.to_frame()
    assert list(frame.columns) == ["row", "first", "second", "interaction"] and len(frame) == 45
    for row in range(3):
        wanted = frame[frame["row"] == row].head(4).reset_index(drop=True)
        given = few.to_frame()
        given = given[given["row"] == row].reset_index(drop=True)
        assert wanted[["first", "second"]].equals(given[["first", "second"]])
        np.testing.assert_allclose(wanted["interaction"], given["interaction"], atol=1e-12)
    top = found.top(2)
    assert len(top) == 2 and top["mean_size"].is_monotonic_decreasing
    assert found[1].values.shape == (1, 6, 6)
    with pytest.raises(ValueError, match="without top"):
        few.top()


def test_the_rows_do_not_depend_on_each_other():
    X, y = data(5)
    explainer = bisector.Explainer(SVR().fit(X, y), X, groups={"g": [0, 3]})
    np.testing.assert_array_equal(explainer.interactions(X[2:3]).values,
                                  explainer.interactions(X[:5]).values[2:3])
    np.testing.assert_array_equal(explainer(X[2:3]).values, explainer(X[:5]).values[2:3])


def test_refusals_say_what_to_do():
    X, y = data(3)
    with pytest.raises(ValueError, match="explain a kernel machine of the same data"):
        bisector.Explainer(KNeighborsRegressor().fit(X, y), X).interactions(X)
    model = SVR().fit(X, y)
    for groups, message in [({"g": ["z"]}, 'has the column "z", expected columns of the model: x1'),
                            ({"g": "x1"}, "expected a list of columns"),
                            ({"g": [0], "h": [0]}, 'is in the groups "g" and "h"'),
                            ({"x2": [0]}, "has the name of a column that is not in it")]:
        with pytest.raises(ValueError, match=message):
            bisector.Explainer(model, X, groups=groups)
    with pytest.raises(ValueError, match="expected one of the two"):
        bisector.Explainer(model, X, groups={"g": [0, 1]})(X, per_level=True)


def test_groups_survive_copies_and_other_classes():
    X, y = data(4)
    labels = np.digitize(y, [-0.3, 0.5])
    explainer = bisector.Explainer(SVC().fit(X, labels), X, groups={"g": [0, 1]})
    copied = pickle.loads(pickle.dumps(explainer))
    np.testing.assert_array_equal(copied(X).values, explainer(X).values)
    assert copied.get_params()["groups"] == {"g": [0, 1]}
    assert explainer(X, classes="all").shape == (40, 3, 3)


@pytest.mark.skipif(COMMAND is None, reason="BISECTOR_COMMAND is not set")
def test_the_command_writes_the_same_numbers(tmp_path):
    X, y = data(5)
    explainer = bisector.Explainer(SVR().fit(X, y), method="shapley-exact", references=20,
                                   groups={"g": ["x1", "x4"]})
    explainer.save(tmp_path / "m.npz")
    np.save(tmp_path / "d.npy", X[:6])
    (tmp_path / "g.json").write_text(json.dumps({"g": ["x1", "x4"]}))
    words = [COMMAND, "explain", tmp_path / "m.npz", tmp_path / "d.npy", "--method",
             "shapley-exact:references=20", "--groups", tmp_path / "g.json", "-o"]
    subprocess.run([*words, tmp_path / "v.npy"], check=True, capture_output=True)
    subprocess.run([*words, tmp_path / "i.npy", "--interactions"], check=True, capture_output=True)
    np.testing.assert_allclose(np.load(tmp_path / "v.npy"), explainer(X[:6]).values, atol=1e-12)
    np.testing.assert_allclose(np.load(tmp_path / "i.npy"), explainer.interactions(X[:6]).values,
                               atol=1e-12)


def test_plots_draw_pairs():
    pytest.importorskip("matplotlib").use("Agg")
    X, y = data(4)
    explainer = bisector.Explainer(SVR().fit(X, y), X)
    found = explainer.interactions(X[:9])
    assert len(bisector.plots.interactions(found).get_xticks()) == 4
    axes = bisector.plots.partner(found, "x1")
    assert axes.get_xlabel() == "x1" and "x2" in axes.get_ylabel()
    grouped = bisector.Explainer(SVR().fit(X, y), X, groups={"g": [0, 1]})
    explanation = grouped(X[:9])
    bisector.plots.beeswarm(explanation)
    labels = bisector.plots.waterfall(explanation[0]).get_yticklabels()
    assert "g" in [label.get_text() for label in labels]
    with pytest.raises(ValueError, match="is a group of columns"):
        bisector.plots.partner(grouped.interactions(X[:9]), "g")


def test_a_grid_has_every_pixel_once_and_blocks_in_the_order_of_the_image():
    blocks = bisector.groups.grid((5, 7, 3), (2, 4))
    assert list(blocks) == ["rows 0-1, columns 0-3", "rows 0-1, columns 4-6", "rows 2-3, columns 0-3",
                            "rows 2-3, columns 4-6", "rows 4, columns 0-3", "rows 4, columns 4-6"]
    assert sorted(column for columns in blocks.values() for column in columns) == list(range(105))
    columns = np.arange(105).reshape(5, 7, 3)
    assert blocks["rows 2-3, columns 4-6"] == columns[2:4, 4:7].ravel().tolist()
    assert bisector.groups.grid((4, 4), 2) == bisector.groups.grid((4, 4), (2, 2))


def test_a_mask_gathers_the_pixels_of_each_label():
    labels = np.array([["sky", "sky"], ["sea", "sky"]])
    assert bisector.groups.mask(labels) == {"region sea": [2], "region sky": [0, 1, 3]}
    assert bisector.groups.mask([[7, 9]], {7: "a", 9: "b"}, channels=2) == {"a": [0, 1], "b": [2, 3]}


@pytest.mark.parametrize("make, problem", [
    (lambda: bisector.groups.grid((8,), 2), "shape is"),
    (lambda: bisector.groups.grid((8, 8), 0), "size is"),
    (lambda: bisector.groups.grid((8, 8), 2.5), "size|iterable"),
    (lambda: bisector.groups.mask([]), "no pixels"),
    (lambda: bisector.groups.mask([[0, 1]], ["one"]), "no name for the label 1"),
    (lambda: bisector.groups.mask([[0, 1]], ["one", "one"]), "two labels have the name"),
    (lambda: bisector.groups.mask([[0, 1]], channels=0), "channels is"),
])
def test_shapes_and_names_that_do_not_fit_are_refused(make, problem):
    with pytest.raises((ValueError, TypeError), match=problem):
        make()
