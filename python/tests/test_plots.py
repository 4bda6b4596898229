"""Plots of the package and of SHAP. Images are written to BISECTOR_PICTURES, if it is set."""

import os
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR

import bisector

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


@pytest.fixture(autouse=True)
def picture(request):
    yield
    folder = os.environ.get("BISECTOR_PICTURES")
    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        figure.canvas.draw()
        if folder:
            name = request.node.name.replace("[", "-").rstrip("]")
            figure.savefig(os.path.join(folder, f"{name}-{number}.png"), dpi=90, bbox_inches="tight")
    pyplot.close("all")


@pytest.fixture(scope="module")
def cancer():
    data = datasets.load_breast_cancer(as_frame=True)
    model = make_pipeline(StandardScaler(), SVC()).fit(
        data.data, np.array(["malignant", "benign"])[data.target])
    return bisector.Explainer(model)(data.data)


@pytest.fixture(scope="module")
def mixed():
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({"age": generator.normal(40, 12, 200).round(),
                          "town": generator.choice(["Ulm", "Bonn", "Kiel"], 200),
                          "dose": generator.gamma(2.0, 2.0, 200)})
    y = frame["age"] / 12 + 2 * (frame["town"] == "Ulm") - frame["dose"] / 2
    columns = make_column_transformer((StandardScaler(), ["age", "dose"]),
                                      (OneHotEncoder(), ["town"]))
    return bisector.Explainer(make_pipeline(columns, SVR()).fit(frame, y))(frame)


def labels(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def test_a_beeswarm_draws_every_row_and_feature(cancer):
    ax = bisector.plots.beeswarm(cancer)
    strongest = np.argmax(np.abs(cancer.values).mean(axis=0))
    assert labels(ax.yaxis)[0] == cancer.feature_names[strongest]
    drawn = [line.get_offsets() for line in ax.collections]
    assert sum(len(points) for points in drawn) == 12 * len(cancer)
    low, high = ax.get_xlim()
    assert all(low <= x <= high for points in drawn for x, _ in points)
    assert ax.get_xlabel() == "benign ← relevance in units of the output → malignant"


def test_a_beeswarm_draws_columns_of_text(mixed):
    ax = bisector.plots.beeswarm(mixed)
    assert set(labels(ax.yaxis)) == {"age", "town", "dose"}
    assert ax.get_xlabel() == "lower ← relevance in units of the output → higher"


def test_a_bar_chart_is_divided_by_sign(cancer):
    ax = bisector.plots.bar(cancer, max_display=5)
    assert len(ax.patches) == 10
    widths = sorted(patch.get_width() for patch in ax.patches)
    assert widths[0] >= 0
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["for malignant",
                                                                        "for benign"]


def test_a_waterfall_ends_at_the_output(cancer):
    ax = bisector.plots.waterfall(cancer[0])
    ends = [patch.get_x() + patch.get_width() for patch in ax.patches]
    assert ends[-1] == pytest.approx(cancer.output[0])
    assert labels(ax.yaxis)[0] == "18 other features"
    with pytest.raises(ValueError, match="pass explanation"):
        bisector.plots.waterfall(cancer)


@pytest.mark.parametrize("unit, words", [("g", "to g = "), ("decision", "to the output = "),
                                         ("share", " %\nbenign ← relevance in percent → malignant")])
def test_a_waterfall_draws_the_remainder(unit, words):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    model = make_pipeline(StandardScaler(), SVC()).fit(X, np.array(["malignant", "benign"])[y])
    row = bisector.Explainer(model, method="lrp", unit=unit)(np.vstack([X[:1], X[:1] + 1e4]))[1]
    assert abs(row.remainder) > 0.1 * abs(row.output)
    ax = bisector.plots.waterfall(row)
    assert labels(ax.yaxis)[0] == "remainder"
    first, *_, last = ax.patches
    assert first.get_x() == pytest.approx(row.base_values)
    assert first.get_width() == pytest.approx(row.remainder)
    assert last.get_x() + last.get_width() == pytest.approx(row.output)
    assert words in ax.get_xlabel()
    assert row.outside and ax.get_title().startswith("far from the training data")


def test_a_waterfall_shows_cells_of_text(mixed):
    ax = bisector.plots.waterfall(mixed[3])
    assert any("town = " in text for text in labels(ax.yaxis))


@pytest.mark.parametrize("feature, color", [("worst texture", None), (21, "mean area")])
def test_a_scatter_plot_draws_every_row(cancer, feature, color):
    ax = bisector.plots.scatter(cancer, feature, color=color)
    assert len(ax.collections[0].get_offsets()) == len(cancer)


def test_a_scatter_plot_names_the_values_of_text(mixed):
    assert set(labels(bisector.plots.scatter(mixed, "town").xaxis)) == {"Bonn", "Kiel", "Ulm"}


def test_heat_maps_are_drawn_as_a_grid():
    data = datasets.load_digits()
    explanation = bisector.Explainer(SVC().fit(data.data, data.target))(data.data[:6])
    grid = bisector.plots.heatmap(explanation, (8, 8))
    assert grid.shape == (2, 4) and grid[0, 0].get_title().startswith("0, not")
    assert bisector.plots.heatmap(explanation[0], (8, 8)).images
    with pytest.raises(ValueError, match="expected 64"):
        bisector.plots.heatmap(explanation, (28, 28))


def test_plots_are_drawn_on_the_axes_of_the_caller(cancer):
    _, axes = pyplot.subplots(1, 2)
    assert bisector.plots.bar(cancer, ax=axes[1]) is axes[1]


@pytest.fixture(scope="module")
def of_two_units():
    """Rows of different pairs of classes, which have different base values."""
    X, y = datasets.load_wine(return_X_y=True, as_frame=True)
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    return bisector.Explainer(model, method="lrp-expected", unit="decision")(X[::8])


def test_shap_plots_of_many_rows_take_one_base_value(of_two_units):
    shap = pytest.importorskip("shap")
    assert np.ptp(of_two_units.base_values) > 0.0
    why = of_two_units.to_shap(remainder=True)
    assert np.ptp(why.base_values) == 0.0
    np.testing.assert_allclose(why.base_values + why.values.sum(axis=1), of_two_units.output,
                               rtol=1e-12, atol=1e-12)
    assert why.feature_names[-1] == "not explained"
    page = shap.plots.force(why, out_names=why.output_names).html()
    assert "not explained" in page and "the class of the row (output of the model)" in page
    shap.plots.decision(why.base_values[0], why.values, feature_names=why.feature_names, show=False)
    pyplot.figure()
    shap.plots.bar(why, show=False)
    own = of_two_units.to_shap()
    np.testing.assert_array_equal(own.base_values, of_two_units.base_values)
    np.testing.assert_array_equal(own.values, of_two_units.values)


def test_shap_plots_of_one_row_end_at_the_output(of_two_units):
    shap = pytest.importorskip("shap")
    row = of_two_units[3]
    why = row.to_shap(remainder=True)
    assert why.base_values + why.values.sum() == pytest.approx(row.output, rel=1e-12)
    shap.plots.waterfall(why, show=False, max_display=20)
    assert any("not explained" in text for text in labels(pyplot.gca().yaxis))
    pyplot.figure()
    shap.plots.force(why, matplotlib=True, show=False, out_names=why.output_names)
    assert any("output of the model" in text.get_text() for text in pyplot.gca().texts)


@pytest.mark.parametrize("explanation, words", [
    ("cancer", r"malignant|benign"), ("mixed", r"^prediction \(output of the model\)$")])
def test_shap_explanations_name_the_output_and_its_unit(explanation, words, request):
    pytest.importorskip("shap")
    assert re.search(words, request.getfixturevalue(explanation).to_shap().output_names)


@pytest.mark.parametrize("plot", ["beeswarm", "bar", "waterfall", "scatter", "heatmap", "violin"])
def test_plots_of_shap_take_explanations(plot, cancer):
    shap = pytest.importorskip("shap")
    explanation = cancer.to_shap()
    np.testing.assert_array_equal(explanation.values, cancer.values)
    part = {"waterfall": explanation[0], "scatter": explanation[:, "worst texture"]}
    getattr(shap.plots, plot)(part.get(plot, explanation), show=False)
    assert pyplot.gcf().axes


def test_plots_of_shap_take_columns_of_text(mixed):
    shap = pytest.importorskip("shap")
    shap.plots.waterfall(mixed.to_shap()[0], show=False)
    pyplot.figure()
    shap.plots.beeswarm(mixed.to_shap(), show=False)


def test_cohorts_are_drawn_side_by_side(cancer):
    ax = bisector.plots.bar(cancer.cohorts(3), max_display=4)
    assert len(ax.patches) == 4 * len(cancer.cohorts(3))


def test_cohorts_are_reduced_as_in_shap(cancer):
    means = cancer.cohorts(3).abs.mean(0)
    assert list(means) == list(cancer.cohorts(3))
    for name, part in cancer.cohorts(3).items():
        np.testing.assert_array_equal(means[name].values, np.abs(part.values).mean(axis=0))
    of_means, of_rows = (bisector.plots.bar(cohorts) for cohorts in (means, cancer.cohorts(3)))
    assert [bar.get_width() for bar in of_means.patches] == [bar.get_width() for bar in of_rows.patches]


def test_a_heat_map_of_a_table_has_rows_and_the_strongest_features(cancer):
    ax = bisector.plots.heatmap(cancer[:50], max_display=4)
    assert ax.images[0].get_array().shape == (4, 50)
    assert labels(ax.yaxis) == labels(bisector.plots.bar(cancer[:50], max_display=4).yaxis)
    order = bisector.plots.heatmap(cancer[:50], instance_order=np.arange(50)[::-1], max_display=1)
    by_sum = bisector.plots.heatmap(cancer[:50], instance_order=cancer[:50].sum(1))
    strongest = int(np.argmax(np.abs(cancer[:50].values).mean(axis=0)))
    np.testing.assert_array_equal(order.images[0].get_array()[0], cancer.values[49::-1, strongest])
    assert by_sum.images[0].get_array().shape == (12, 50)
    with pytest.raises(ValueError, match="expected 50 numbers"):
        bisector.plots.heatmap(cancer[:50], instance_order=[1, 2])


def test_plots_take_the_arguments_of_shap(cancer):
    ax = bisector.plots.beeswarm(cancer, order=cancer.abs.max(0), max_display=3)
    strongest = np.argsort(-np.abs(cancer.values).max(axis=0))[:3]
    assert labels(ax.yaxis) == [cancer.feature_names[f] for f in strongest]
    one, other = cancer[:, "mean area"], cancer[:, "mean texture"]
    ours = bisector.plots.scatter(one, color=other).collections[0]
    named = bisector.plots.scatter(cancer, "mean area", color="mean texture").collections[0]
    np.testing.assert_array_equal(ours.get_offsets(), named.get_offsets())
    np.testing.assert_array_equal(ours.get_array(), named.get_array())


def test_plots_of_what_cannot_be_drawn_are_refused(cancer):
    X, y = datasets.load_iris(return_X_y=True)
    explainer = bisector.Explainer(SVC().fit(X, y), X, groups={"petal": [2, 3]})
    every = explainer(X, classes="all")
    for draw in (bisector.plots.bar, bisector.plots.beeswarm, bisector.plots.heatmap,
                 lambda e: bisector.plots.waterfall(e[0])):
        with pytest.raises(ValueError, match=r"pass explanation\[\.\.\., class\]"):
            draw(every)
    with pytest.raises(ValueError, match='"petal" is a group of columns without a value'):
        bisector.plots.scatter(explainer(X), "petal")
    with pytest.raises(ValueError, match=r"pass explanation\[:, feature\]"):
        bisector.plots.scatter(cancer)
    with pytest.raises(ValueError, match="expected one for each of 30 features"):
        bisector.plots.beeswarm(cancer, order=[1.0])


def test_interactions_are_drawn_as_a_matrix():
    values = np.random.default_rng(0).normal(size=(5, 4, 4))
    ax = bisector.plots.interactions(values, ["a", "b", "c", "d"], max_display=3)
    assert ax.images[0].get_array().shape == (3, 3)
    assert set(labels(ax.xaxis)) < {"a", "b", "c", "d"}


def _boxes(artists):
    renderer = artists[0].figure.canvas.get_renderer()
    return [artist.get_window_extent(renderer) for artist in artists if artist.get_text()]


LONG = {"beeswarm": lambda e, found: bisector.plots.beeswarm(e),
        "bar": lambda e, found: bisector.plots.bar(e),
        "cohorts": lambda e, found: bisector.plots.bar(e.cohorts(3)),
        "heatmap": lambda e, found: bisector.plots.heatmap(e),
        "waterfall": lambda e, found: bisector.plots.waterfall(e[0]),
        "scatter": lambda e, found: bisector.plots.scatter(e, 0, color=1),
        "interactions": lambda e, found: bisector.plots.interactions(found),
        "partner": lambda e, found: bisector.plots.partner(found, 0)}


@pytest.fixture(scope="module", params=[1, 10])
def long_names(request):
    X, y = datasets.load_diabetes(return_X_y=True)
    names = [f"a very long name of a column that goes on and on, number {n} (mg/dl)" for n in range(10)]
    X = pd.DataFrame(X, columns=names).iloc[:, :request.param]
    explainer = bisector.Explainer(SVR(C=100.0).fit(X, y), X)
    return explainer(X[:40]), explainer.interactions(X[:10])


@pytest.mark.parametrize("name", LONG)
def test_labels_of_long_names_are_inside_the_figure_and_do_not_overlap(name, long_names):
    explanation, found = long_names
    if name in ("scatter", "interactions", "partner") and explanation.shape[1] == 1:
        return
    figure = LONG[name](explanation, found).figure
    figure.canvas.draw()
    for ax in figure.axes:
        legend = ax.get_legend()
        lines = [box for box in _boxes(ax.get_yticklabels())  # Others are not drawn.
                 if ax.bbox.y0 <= (box.y0 + box.y1) / 2 <= ax.bbox.y1]
        for box in [*lines, *_boxes([ax.xaxis.label, ax.yaxis.label, *ax.texts,
                                     *(legend.get_texts() if legend else [])])]:
            assert figure.bbox.x0 - 1 <= box.x0 and box.x1 <= figure.bbox.x1 + 1
            assert figure.bbox.y0 - 1 <= box.y0 and box.y1 <= figure.bbox.y1 + 1
        lines.sort(key=lambda box: box.y0)
        assert all(low.y1 <= high.y0 + 1 for low, high in zip(lines, lines[1:]))


def test_axes_name_the_unit_and_the_texts_of_a_color(mixed):
    assert bisector.plots.bar(mixed).get_xlabel() == "mean |relevance| in units of the output"
    assert bisector.plots.bar(mixed.cohorts(2)).get_xlabel().endswith("in units of the output")
    colors = bisector.plots.scatter(mixed, "age", color="town").figure.axes[1]
    assert set(labels(colors.yaxis)) == {"Bonn", "Kiel", "Ulm"}


def test_show_displays_the_figure(cancer, monkeypatch):
    shown = []
    monkeypatch.setattr(pyplot, "show", lambda: shown.append(True))
    bisector.plots.beeswarm(cancer, show=True)
    assert shown == [True]
