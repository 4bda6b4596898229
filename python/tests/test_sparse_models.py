"""Models that were fitted on sparse rows and explain sparse rows: the numbers are those of dense
ones, and of the rows only a part is dense at a time."""

import numpy as np
import pytest
import scipy.sparse
from sklearn import cluster, kernel_approximation, kernel_ridge, neighbors, svm
from sklearn.pipeline import make_pipeline

import bisector
from bisector import _sparse

X = scipy.sparse.csr_matrix(scipy.sparse.random(120, 40, 0.1, random_state=0)
                            + scipy.sparse.eye(120, 40))
ROWS = scipy.sparse.csr_matrix(scipy.sparse.random(90, 40, 0.1, random_state=1))
T = np.asarray(X.sum(axis=1)).ravel()
Y = (T > np.median(T)).astype(int)

MODELS = {
    "SVC": (svm.SVC(), Y), "SVC linear": (svm.SVC(kernel="linear"), Y), "NuSVC": (svm.NuSVC(), Y),
    "SVR": (svm.SVR(), T), "NuSVR": (svm.NuSVR(), T), "OneClassSVM": (svm.OneClassSVM(), None),
    "LinearSVC": (svm.LinearSVC(), Y), "LinearSVR": (svm.LinearSVR(), T),
    "KNN": (neighbors.KNeighborsClassifier(5), Y),
    "KNN Manhattan": (neighbors.KNeighborsClassifier(5, metric="manhattan", weights="distance"), Y),
    "KNN regression": (neighbors.KNeighborsRegressor(5), T),
    "radius": (neighbors.RadiusNeighborsClassifier(9.0), Y),
    "LOF": (neighbors.LocalOutlierFactor(novelty=True), None),
    "distance": (neighbors.NearestNeighbors(n_neighbors=3), None),
    "ridge": (kernel_ridge.KernelRidge(kernel="rbf"), T),
    "ridge Laplacian": (kernel_ridge.KernelRidge(kernel="laplacian"), T),
    "centroids": (neighbors.NearestCentroid(), Y),
    "k-means": (cluster.KMeans(3, n_init=1, random_state=0), None),
    "Nystroem": (make_pipeline(kernel_approximation.Nystroem(n_components=20, random_state=0),
                               svm.LinearSVC()), Y),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_sparse_models_give_the_numbers_of_dense_models(name, monkeypatch):
    model, target = MODELS[name]
    model.fit(X) if target is None else model.fit(X, target)
    level = 1.3 if name == "distance" else None
    explainer = bisector.Explainer(model, level=level)
    dense = explainer(ROWS.toarray())
    monkeypatch.setattr(_sparse, "_NUMBERS", 20 * ROWS.shape[1])
    parts = []

    class Watched(scipy.sparse.csr_matrix):
        def toarray(self, *arguments, **options):
            parts.append(self.shape[0])
            return super().toarray(*arguments, **options)

    sparse = explainer(Watched(ROWS))
    np.testing.assert_array_equal(sparse.values, dense.values)
    np.testing.assert_array_equal(sparse.prediction, dense.prediction)
    assert max(parts) == 20 and sum(parts) == ROWS.shape[0]
    if level is None and sparse.classes is None:
        np.testing.assert_allclose(sparse.prediction, model.predict(ROWS), rtol=1e-8)
