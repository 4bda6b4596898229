"""Models know which row of the training table each of their points is."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RANSACRegressor
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import (KNeighborsClassifier, KNeighborsRegressor, LocalOutlierFactor,
                               NearestCentroid)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC, SVR, NuSVC, OneClassSVM

import bisector

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(90, 3))
NUMBER = X[:, 0] + X[:, 1] ** 2
TWO, THREE = (NUMBER > 1.0).astype(int), np.digitize(NUMBER, [0.3, 1.5])
SOME = np.where(np.arange(90) % 3 == 0, -1, TWO)

MODELS = {
    "SVC": SVC().fit(X, TWO), "three classes": SVC().fit(X, THREE), "NuSVC": NuSVC().fit(X, TWO),
    "SVR": SVR().fit(X, NUMBER), "one class": OneClassSVM(nu=0.2).fit(X),
    "neighbors": KNeighborsClassifier(3).fit(X, TWO),
    "mean of neighbors": KNeighborsRegressor(3).fit(X, NUMBER),
    "kernel ridge": KernelRidge(kernel="rbf", gamma=0.5).fit(X, NUMBER),
    "process": GaussianProcessRegressor().fit(X, NUMBER),
    "outliers": LocalOutlierFactor(novelty=True).fit(X),
    "one against the rest": OneVsRestClassifier(SVC(gamma=0.3)).fit(X, THREE),
    "self-training": SelfTrainingClassifier(SVC(gamma=0.3, probability=True),
                                            threshold=0.95).fit(X, SOME),
    "consensus": RANSACRegressor(SVR(), min_samples=40, random_state=0).fit(X, NUMBER),
}


def bundle_of(model, path):
    bisector.Explainer(model).save(path)
    with np.load(path, allow_pickle=False) as bundle:
        return dict(bundle)


@pytest.mark.parametrize("name", MODELS)
def test_every_point_is_the_row_that_its_number_says(name, tmp_path):
    arrays = bundle_of(MODELS[name], tmp_path / "model.npz")
    points = arrays["support_vectors" if "support_vectors" in arrays else "points"]
    np.testing.assert_allclose(X[arrays["training_rows"]], points, rtol=1e-12)


def test_evidence_of_a_saved_model_names_the_same_rows(tmp_path):
    model = make_pipeline(StandardScaler(), SVC()).fit(X, TWO)
    explainer = bisector.Explainer(model)
    explainer.save(tmp_path / "model.npz")
    pairs = [explainer.evidence(X[4], 3),
             bisector.Explainer(tmp_path / "model.npz").evidence(X[4], 3)]
    rows = [[(pair.positive, pair.negative) for pair in some] for some in pairs]
    assert rows[0] == rows[1]
    assert {row for pair in rows[0] for row in pair} - {None} <= set(model[-1].support_.tolist())


def test_rows_behind_a_sampler_are_those_of_the_table(tmp_path):
    pipeline = pytest.importorskip("imblearn.pipeline")
    sampling = pytest.importorskip("imblearn.under_sampling")
    model = pipeline.make_pipeline(sampling.RandomUnderSampler(random_state=0),
                                   KNeighborsClassifier(3)).fit(X, TWO)
    arrays = bundle_of(model, tmp_path / "model.npz")
    np.testing.assert_array_equal(X[arrays["training_rows"]], arrays["points"])


def test_points_that_are_no_rows_have_no_numbers(tmp_path):
    split = [(np.arange(0, 60), np.arange(60, 90))]
    of_a_part = CalibratedClassifierCV(SVC(), cv=split, ensemble=True).fit(X, TWO)
    for model in (NearestCentroid().fit(X, TWO), of_a_part):
        assert "training_rows" not in bundle_of(model, tmp_path / "model.npz")
