"""Explanations in the default unit: the output is scikit-learn's, every number is finite, and there
is one base value per pair of classes, for ordinary rows, training rows and rows far away."""

import numpy as np
import pytest
from datasets import CLASSIFICATION
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, Matern, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import (KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor,
                               NearestCentroid, RadiusNeighborsClassifier, RadiusNeighborsRegressor)
from sklearn.svm import SVC, SVR, OneClassSVM

import bisector

ROWS, KINDS = CLASSIFICATION["wine"]()
ROWS = (ROWS - ROWS.mean(axis=0)) / ROWS.std(axis=0)
TRAIN, CLASSES = ROWS[::2], KINDS[::2]
NUMBERS = TRAIN[:, 0] + TRAIN[:, 1] ** 2
FAR = np.vstack([ROWS[:3] * 1e6, ROWS[:2] + 1e6])


def decision(model, rows, explanation):
    return model.decision_function(rows)


def shares(model, rows, explanation):
    """The difference of the shares of the votes of the pair of each row."""
    place = {label: n for n, label in enumerate(model.classes_)}
    share, row = model.predict_proba(rows), np.arange(len(rows))
    first, second = ([place[label] for label in labels]
                     for labels in (explanation.positive_class, explanation.versus))
    return share[row, first] - share[row, second]


def votes(model, rows, explanation):
    return model.n_neighbors * shares(model, rows, explanation)


def predictions(model, rows, explanation):
    return model.predict(rows)


def squared_distances(model, rows, explanation):
    squared = ((rows[:, None] - model.centroids_) ** 2).sum(axis=2)
    row = np.arange(len(rows))
    return squared[row, explanation.versus] - squared[row, explanation.positive_class]


# The model and its output.
MODELS = {
    "SVC": (lambda: SVC().fit(TRAIN, CLASSES == 1), decision),
    "linear SVC": (lambda: SVC(kernel="linear").fit(TRAIN, CLASSES == 1), decision),
    "KNN": (lambda: KNeighborsClassifier(7).fit(TRAIN, CLASSES), votes),
    "KNN by distance": (lambda: KNeighborsClassifier(7, weights="distance").fit(TRAIN, CLASSES), shares),
    "radius": (lambda: RadiusNeighborsClassifier(4.0).fit(TRAIN, CLASSES), shares),
    "radius with an outlier label": (
        lambda: RadiusNeighborsClassifier(2.5, outlier_label=2).fit(TRAIN, CLASSES), shares),
    "centroids": (lambda: NearestCentroid().fit(TRAIN, CLASSES), squared_distances),
    "SVR": (lambda: SVR().fit(TRAIN, NUMBERS), predictions),
    "kernel ridge": (lambda: KernelRidge(kernel="rbf", alpha=0.1).fit(TRAIN, NUMBERS), predictions),
    "KNN regression": (lambda: KNeighborsRegressor(5).fit(TRAIN, NUMBERS), predictions),
    "KNN regression by distance": (
        lambda: KNeighborsRegressor(5, weights="distance").fit(TRAIN, NUMBERS), predictions),
    "radius regression": (lambda: RadiusNeighborsRegressor(4.0).fit(TRAIN, NUMBERS), predictions),
    "GP": (lambda: GaussianProcessRegressor(RBF(3.0) + WhiteKernel(0.1), optimizer=None).fit(
        TRAIN, NUMBERS), predictions),
    "GP, Matern": (lambda: GaussianProcessRegressor(Matern(3.0) + WhiteKernel(0.1), optimizer=None).fit(
        TRAIN, NUMBERS), predictions),
    "LOF": (lambda: LocalOutlierFactor(10, novelty=True).fit(TRAIN), decision),
    "one class": (lambda: OneClassSVM(nu=0.2).fit(TRAIN), decision),
}


def rows_of(model):
    """New rows, training rows and rows far away; only those for which scikit-learn has an output."""
    rows = np.vstack([ROWS[1:60:2], TRAIN[:20], FAR])
    is_radius = type(model).__name__.startswith("Radius")
    if not is_radius or getattr(model, "outlier_label_", None) is not None:
        return rows
    return rows[[len(near) > 0 for near in model.radius_neighbors(rows, return_distance=False)]]


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("name", MODELS)
def test_the_output_is_scikit_learns_and_every_number_is_finite(name, precision):
    make, output = MODELS[name]
    model = make()
    rows = rows_of(model)
    explainer = bisector.Explainer(model, TRAIN, precision=precision)
    found = explainer(rows)
    numbers = np.column_stack([found.values, found.base_values, found.remainder, found.output])
    assert np.all(np.isfinite(numbers)) and np.all(np.isfinite(found.stretch))
    expected = np.asarray(output(model, rows, found))
    sign = 1.0
    if output is decision:  # of the second class, or of inside
        sign = np.where(found.positive_class == max(found.classes), 1.0, -1.0)
    size = np.abs(numbers).max(axis=1) + 1.0
    rounding = 1e-9 if precision == "double" else 1e-3
    assert np.all(np.abs(found.output - sign * expected) <= rounding * size)
    total = found.base_values + found.values.sum(axis=1) + found.remainder
    assert np.all(np.abs(total - found.output) <= 1e-9 * size)
    pairs = np.char.add(found.positive_class.astype(str), found.versus.astype(str))
    assert all(len(set(found.base_values[pairs == pair])) == 1 for pair in np.unique(pairs))
    for row in (0, len(rows) - 1):
        alone = explainer(rows[row:row + 1])
        for field in ("values", "base_values", "remainder", "output", "stretch"):
            np.testing.assert_array_equal(getattr(alone, field)[0], getattr(found, field)[row])


def test_values_of_rows_far_away_are_bounded():
    for name in ("SVC", "KNN", "KNN by distance", "kernel ridge", "KNN regression", "one class"):
        model = MODELS[name][0]()
        explainer = bisector.Explainer(model, TRAIN)
        near, far = explainer(ROWS), explainer(FAR)
        assert np.abs(far.values).max() <= 4.0 * np.abs(near.output - near.base_values).max(), name
        assert far.outside.all()


def test_parts_of_a_score_have_no_stretch():
    found = bisector.Explainer(MODELS["LOF"][0](), TRAIN)(ROWS)
    assert np.all(found.stretch == 1.0) and np.all(found.values <= 0.0)
    assert len(set(found.base_values)) == 1


def alone(model, rows):
    return np.array([len(near) == 0 for near in model.radius_neighbors(rows, return_distance=False)])


@pytest.mark.parametrize("label", [None, "most_frequent", 0, -1])
def test_rows_without_a_neighbor_do_not_stop_the_others(label):
    model = RadiusNeighborsClassifier(2.5, outlier_label=label).fit(TRAIN, CLASSES)
    rows = np.vstack([ROWS[1:60:2], FAR])
    lonely = alone(model, rows)
    assert 5 < lonely.sum() < len(rows)
    explainer = bisector.Explainer(model, TRAIN)
    found = explainer(rows)
    assert found.tie[lonely].all() and found.outside[lonely].all()
    assert np.all(found.values[lonely] == 0.0) and np.any(found.values[~lonely] != 0.0)
    np.testing.assert_allclose(found.base_values + found.values.sum(axis=1) + found.remainder, found.output,
                               atol=1e-12)
    near = rows[~lonely]
    np.testing.assert_array_equal(found.values[~lonely], explainer(near).values)
    np.testing.assert_array_equal(explainer.predict(near), model.predict(near))
    if label in ("most_frequent", 0):
        np.testing.assert_array_equal(explainer.predict(rows), model.predict(rows))
        together = explainer(rows, classes="all")
        np.testing.assert_allclose(together.output[lonely], 2.0 * model.predict_proba(rows)[lonely] - 1.0)
    else:
        assert np.all(found.output[lonely] == 0.0)


def test_regressors_give_rows_without_a_neighbor_the_mean_target():
    model = RadiusNeighborsRegressor(2.5).fit(TRAIN, NUMBERS)
    rows = np.vstack([ROWS[1:60:2], FAR])
    lonely = alone(model, rows)
    found = bisector.Explainer(model, TRAIN)(rows)
    np.testing.assert_allclose(found.output[lonely], NUMBERS.mean())
    np.testing.assert_allclose(found.output[~lonely], model.predict(rows)[~lonely])
    assert np.all(found.values[lonely] == 0.0) and found.tie[lonely].all()


def test_a_background_of_one_class_has_values():
    model = KNeighborsClassifier(5, weights="distance").fit(TRAIN, CLASSES == 1)
    background = TRAIN[CLASSES == 1]
    found = bisector.Explainer(model, background)(ROWS[1::2])
    far = np.abs(found.output - found.base_values) > 0.5
    assert far.any() and np.all(np.abs(found.values[far]).sum(axis=1) > 0.1)
