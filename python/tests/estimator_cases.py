"""Every estimator with its options and the outcome: the source of docs/guide/estimators.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
from sklearn import calibration, cluster, compose, covariance, ensemble, gaussian_process
from sklearn import kernel_approximation, kernel_ridge, linear_model, model_selection, multiclass
from sklearn import neighbors, preprocessing, svm
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)
from sklearn.pipeline import make_pipeline

import bisector

EXACTLY, ON_F = "explained exactly", "explained on f"


@dataclass
class Case:
    """`kind` is the data it is fitted on: "classes", "two classes", "targets", "rows" (no target)
    or "categories"; `level` makes the threshold of a detector that has none."""

    estimator: str
    option: str
    make: Callable[[np.ndarray], Any]  # of the training rows
    kind: str = "classes"
    becomes: str = EXACTLY
    level: Callable[[Any, np.ndarray], float] | None = None

    @property
    def id(self) -> str:
        return f"{self.estimator}({self.option})"


def _case(estimator: Any, option: str, kind: str = "classes", becomes: str = EXACTLY, level: Any = None,
          **parameters: Any) -> Case:
    return Case(estimator.__name__, option, lambda X: estimator(**parameters), kind, becomes, level)


def _support_vectors() -> list[Case]:
    machines: list[tuple[Any, str, dict[str, Any]]] = [
        (svm.SVC, "classes", {}), (svm.NuSVC, "classes", {"nu": 0.1}),
        (svm.SVR, "targets", {"C": 10.0}), (svm.NuSVR, "targets", {"C": 10.0}),
        (svm.OneClassSVM, "rows", {"nu": 0.2})]
    cases = []
    for machine, kind, own in machines:
        cases += [
            _case(machine, "kernel='rbf'", kind, **own),
            _case(machine, "kernel='linear'", kind, ON_F, kernel="linear", **own),
            _case(machine, "kernel='poly'", kind, ON_F, kernel="poly", degree=2, coef0=1.0, **own),
            _case(machine, "kernel='sigmoid'", kind, ON_F, kernel="sigmoid", gamma=0.01, **own),
            _case(machine, "kernel=a function", kind, "refused", kernel=_dot, **own),
        ]
    return cases + [
        _case(svm.SVC, "class_weight='balanced'", class_weight="balanced"),
        _case(svm.SVC, "probability=True", "two classes", probability=True),
        _case(svm.SVC, "break_ties=True", break_ties=True),
        _case(svm.LinearSVC, "", becomes=ON_F),
        _case(svm.LinearSVC, "two classes", "two classes", ON_F),
        _case(svm.LinearSVR, "", "targets", ON_F),
        _case(linear_model.LogisticRegression, "", becomes=ON_F),
        _case(linear_model.LogisticRegression, "two classes", "two classes", ON_F),
        _case(linear_model.Ridge, "", "targets", ON_F),
        _case(linear_model.Lasso, "", "targets", ON_F, alpha=0.01),
    ]


def _dot(a: Any, b: Any) -> Any:
    return a @ b.T


def _ridges() -> list[Case]:
    ridge = kernel_ridge.KernelRidge
    return [
        _case(ridge, "kernel='rbf'", "targets", kernel="rbf", alpha=0.1),
        _case(ridge, "kernel='laplacian'", "targets", kernel="laplacian", alpha=0.1),
        _case(ridge, "kernel='linear'", "targets", ON_F, kernel="linear"),
        _case(ridge, "kernel='poly'", "targets", ON_F, kernel="poly", degree=2),
        _case(ridge, "kernel='sigmoid'", "targets", ON_F, kernel="sigmoid", gamma=0.01),
        _case(ridge, "kernel=Matern(nu=1.5)", "targets", kernel=Matern(1.3, nu=1.5)),
        _case(ridge, "kernel='cosine'", "targets", "refused", kernel="cosine"),
        _case(ridge, "kernel=a function", "targets", "refused", kernel=_dot),
    ]


def _processes() -> list[Case]:
    regressor, classifier = (gaussian_process.GaussianProcessRegressor,
                             gaussian_process.GaussianProcessClassifier)
    kernels: list[tuple[str, Any, str]] = [
        ("RBF", RBF(1.5), EXACTLY),
        ("constant * RBF + white noise", ConstantKernel(2.0) * RBF(1.5) + WhiteKernel(0.1), EXACTLY),
        ("Matern(nu=0.5)", Matern(2.0, nu=0.5), EXACTLY),
        ("Matern(nu=1.5) + constant", Matern(2.0, nu=1.5) + ConstantKernel(0.5), EXACTLY),
        ("Matern(nu=2.5)", ConstantKernel(3.0) * Matern(2.0, nu=2.5), EXACTLY),
        ("RationalQuadratic", RationalQuadratic(1.5, alpha=0.7), EXACTLY),
        ("RBF + Matern", RBF(3.0) + ConstantKernel(0.5) * Matern(1.0, nu=1.5), EXACTLY),
        ("RBF * RBF", RBF(3.0) * RBF(2.0), EXACTLY),
        ("RBF ** 2", RBF(3.0) ** 2, EXACTLY),
        ("DotProduct", DotProduct(1.0) + WhiteKernel(0.5), ON_F),
        ("DotProduct ** 2", ConstantKernel(0.1) * DotProduct(1.0) ** 2 + WhiteKernel(0.5), ON_F),
        ("RBF + DotProduct", RBF(2.0) + DotProduct(1.0), "refused"),
        ("Matern(nu=0.7)", Matern(2.0, nu=0.7), "refused"),
        ("ExpSineSquared", ExpSineSquared(2.0, 5.0), "refused"),
    ]
    cases = [_case(regressor, name, "targets", becomes, kernel=kernel, alpha=0.05, optimizer=None,
                   normalize_y=True) for name, kernel, becomes in kernels]
    cases += [_case(classifier, f"two classes, {name}", "two classes", becomes, kernel=kernel,
                    optimizer=None) for name, kernel, becomes in kernels
              if "white" not in name and "DotProduct" not in name and name != "ExpSineSquared"]
    return cases + [
        Case("GaussianProcessRegressor", "one length scale for each feature", lambda X: regressor(
            Matern(np.linspace(1.0, 3.0, X.shape[1]), nu=2.5), alpha=0.05, optimizer=None), "targets"),
        Case("GaussianProcessRegressor", "length scales that differ between parts", lambda X: regressor(
            RBF(np.linspace(1.0, 3.0, X.shape[1])) + RBF(2.0), alpha=0.05, optimizer=None), "targets",
             "refused"),
        _case(classifier, "more classes", becomes="refused", optimizer=None),
        _case(classifier, "more classes, multi_class='one_vs_one'", becomes="refused",
              multi_class="one_vs_one", optimizer=None),
    ]


def _up_to_a_distance(distances: Any) -> Any:
    return np.maximum(1.0 - distances / 100.0, 0.001)


def _metrics() -> list[tuple[str, Callable[[np.ndarray], dict[str, Any]]]]:
    return [
        ("metric='euclidean'", lambda X: {}),
        ("metric='manhattan'", lambda X: {"metric": "manhattan"}),
        ("metric='minkowski', p=3", lambda X: {"p": 3}),
        ("metric='minkowski' with weights", lambda X: {
            "p": 3, "metric_params": {"w": np.linspace(0.5, 2.0, X.shape[1])}}),
        ("metric='cosine'", lambda X: {"metric": "cosine"}),
        ("metric='seuclidean'", lambda X: {
            "metric": "seuclidean", "metric_params": {"V": X.var(axis=0) + 0.1}}),
        ("metric='mahalanobis'", lambda X: {
            "metric": "mahalanobis", "algorithm": "brute",
            "metric_params": {"VI": np.linalg.inv(np.cov(X.T) + 0.1 * np.eye(X.shape[1]))}}),
    ]


def _neighbor(estimator: Any, option: str, kind: str, of_rows: Any, becomes: str = EXACTLY,
              level: Any = None, **own: Any) -> Case:
    return Case(estimator.__name__, option, lambda X: estimator(**{**own, **of_rows(X)}), kind,
                becomes, level)


def _neighbors() -> list[Case]:
    cases = []
    for estimator, kind in ((neighbors.KNeighborsClassifier, "classes"),
                            (neighbors.KNeighborsRegressor, "targets")):
        for weights in ("uniform", "distance"):
            cases += [_neighbor(estimator, f"weights={weights!r}, {option}", kind, of_rows,
                                n_neighbors=5, weights=weights) for option, of_rows in _metrics()]
            cases.append(_case(estimator, f"weights={weights!r}, metric='hamming'", "categories" if
                               kind == "classes" else "categories and targets", metric="hamming",
                               weights=weights, n_neighbors=5))
        cases += [
            *(_neighbor(estimator, f"weights={weights!r}, metric=bisector.Gower", kind, _gower,
                        n_neighbors=5, weights=weights) for weights in ("uniform", "distance")),
            _case(estimator, "weights=a function", kind, "refused", weights=_up_to_a_distance),
            _case(estimator, "metric='chebyshev'", kind, "refused", metric="chebyshev"),
            _case(estimator, "metric=a function", kind, "refused", metric=_absolute),
        ]
    cases.append(_neighbor(neighbors.KNeighborsClassifier, "metric='correlation'", "classes",
                           lambda X: {"metric": "correlation"} if X.shape[1] > 2 else {}))
    for estimator, kind in ((neighbors.RadiusNeighborsClassifier, "classes"),
                            (neighbors.RadiusNeighborsRegressor, "targets")):
        cases += [_neighbor(estimator, f"weights={weights!r}, {option}", kind,
                            lambda X, of_rows=of_rows: {"radius": _reach(X, of_rows(X)),
                                                        **of_rows(X)}, weights=weights)
                  for weights in ("uniform", "distance") for option, of_rows in _metrics()[:5]]
    return cases


def _gower(X: np.ndarray) -> dict[str, Any]:
    """The first column is treated as a category."""
    return {"metric": bisector.Gower([0], ranges=np.maximum(np.ptp(X, axis=0), 1e-9))}


def _absolute(a: Any, b: Any) -> Any:
    return np.abs(a - b).sum()


def _reach(X: np.ndarray, parameters: dict[str, Any]) -> float:
    """A radius within which every row has a neighbor."""
    search = neighbors.NearestNeighbors(n_neighbors=min(8, len(X)), **parameters).fit(X)
    return float(1.5 * search.kneighbors(X)[0][:, -1].max())


def _centers() -> list[Case]:
    centroid = neighbors.NearestCentroid
    return [
        _case(centroid, "metric='euclidean'"),
        _case(centroid, "metric='manhattan'", metric="manhattan"),
        _case(centroid, "shrink_threshold", shrink_threshold=0.3),
        _case(centroid, "unequal priors", "two classes", "refused", priors=[0.2, 0.8]),
        _case(cluster.KMeans, "", "rows", n_clusters=4, n_init=2, random_state=0),
        _case(cluster.MiniBatchKMeans, "", "rows", n_clusters=4, n_init=2, random_state=0),
        _case(cluster.BisectingKMeans, "two clusters", "rows", n_clusters=2, random_state=0),
        _case(cluster.BisectingKMeans, "more clusters", "rows", "refused", n_clusters=4,
              random_state=0),
    ]


def _kth(model: Any, X: np.ndarray) -> float:
    return float(np.quantile(model.kneighbors(X)[0][:, -1], 0.8))


def _density(model: Any, X: np.ndarray) -> float:
    return float(np.quantile(model.score_samples(X), 0.2))


def _detectors() -> list[Case]:
    factor, density = neighbors.LocalOutlierFactor, neighbors.KernelDensity
    cases = [_neighbor(factor, f"novelty=True, {option}", "rows", of_rows, novelty=True, n_neighbors=7,
                       contamination=0.1) for option, of_rows in _metrics()]
    cases += [_neighbor(neighbors.NearestNeighbors, f"level=, {option}", "rows", of_rows, level=_kth,
                        n_neighbors=4) for option, of_rows in _metrics()]
    return cases + [
        _case(factor, "novelty=False", "rows", "refused"),
        _case(neighbors.NearestNeighbors, "without level=", "rows", "refused"),
        _case(density, "kernel='gaussian', level=", "rows", level=_density, bandwidth=0.8),
        _case(
    density,
    "kernel='exponential', level=",
    "rows",
    level=_density,
     kernel="exponential"),
        _case(density, "kernel='exponential', metric='manhattan', level=", "rows", level=_density,
              kernel="exponential", metric="manhattan"),
        _case(density, "kernel='tophat', level=", "rows", "refused", _density, kernel="tophat",
              bandwidth=30.0),
        _case(density, "without level=", "rows", "refused"),
        _case(covariance.EllipticEnvelope, "", "rows", contamination=0.2, random_state=0,
              support_fraction=0.9),
        _case(linear_model.SGDOneClassSVM, "", "rows", ON_F, random_state=0),
    ]


def _sampled(option: str, kind: str, linear: Any,
             becomes: str = EXACTLY, **parameters: Any) -> Case:
    return Case("Nystroem", option, lambda X: make_pipeline(kernel_approximation.Nystroem(
        n_components=min(20, len(X)), random_state=0, **parameters), linear()), kind, becomes)


def _combinations() -> list[Case]:
    return [
        _sampled("and LinearSVC", "classes", svm.LinearSVC, gamma=0.1),
        _sampled(
    "and LogisticRegression",
    "two classes",
    linear_model.LogisticRegression,
     gamma=0.1),
        _sampled("and SGDOneClassSVM", "rows",
                 lambda: linear_model.SGDOneClassSVM(random_state=0), gamma=0.1),
        _sampled("and Ridge", "targets", linear_model.Ridge, gamma=0.1),
        _sampled("with kernel='laplacian' and Ridge", "targets", linear_model.Ridge,
                 kernel="laplacian", gamma=0.1),
        _sampled("with kernel='poly' and Ridge", "targets", linear_model.Ridge, ON_F, kernel="poly",
                 degree=2, gamma=0.1),
        _sampled("and a tree", "classes", _tree, "refused"),
        Case("RBFSampler", "and LinearSVC", lambda X: make_pipeline(
            kernel_approximation.RBFSampler(random_state=0), svm.LinearSVC()), "classes", "refused"),
        Case("RBFSampler", "and LogisticRegression", lambda X: make_pipeline(
            kernel_approximation.RBFSampler(random_state=0), linear_model.LogisticRegression()),
             "classes", "refused"),
        Case("AdditiveChi2Sampler", "and SVC", lambda X: make_pipeline(
            preprocessing.FunctionTransformer(np.abs), kernel_approximation.AdditiveChi2Sampler(),
            svm.SVC())),
        Case("OneVsRestClassifier", "of SVC", lambda X: multiclass.OneVsRestClassifier(
            svm.SVC(gamma=0.1))),
        Case("OneVsRestClassifier", "of SVC(kernel='linear')", lambda X:
             multiclass.OneVsRestClassifier(svm.SVC(kernel="linear")), becomes=ON_F),
        Case("OneVsRestClassifier", "of LinearSVC", lambda X: multiclass.OneVsRestClassifier(
            svm.LinearSVC()), becomes=ON_F),
        *(Case("OneVsRestClassifier", f"of KNeighborsClassifier, weights={weights!r}",
               lambda X, weights=weights: multiclass.OneVsRestClassifier(
                   neighbors.KNeighborsClassifier(weights=weights))) for weights in ("uniform", "distance")),
        Case("OneVsRestClassifier", "of RadiusNeighborsClassifier", lambda X:
             multiclass.OneVsRestClassifier(neighbors.RadiusNeighborsClassifier(_reach(X, {})))),
        Case("OneVsOneClassifier", "of SVC(gamma=0.1)", lambda X: multiclass.OneVsOneClassifier(
            svm.SVC(gamma=0.1))),
        Case("OneVsOneClassifier", "of SVC(kernel='linear')", lambda X:
             multiclass.OneVsOneClassifier(svm.SVC(kernel="linear")), becomes=ON_F),
        Case("OneVsOneClassifier", "of SVC, gamma another for each pair", lambda X:
             multiclass.OneVsOneClassifier(svm.SVC()), becomes="refused"),
        Case("OneVsOneClassifier", "of KNeighborsClassifier", lambda X:
             multiclass.OneVsOneClassifier(neighbors.KNeighborsClassifier()), becomes="refused"),
        Case("BaggingRegressor", "of SVR(gamma=0.1)", lambda X: ensemble.BaggingRegressor(
            svm.SVR(gamma=0.1), 3, random_state=0), "targets"),
        Case("BaggingRegressor", "of SVR, max_features=0.5", lambda X: ensemble.BaggingRegressor(
            svm.SVR(gamma=0.1), 3, random_state=0, max_features=0.5), "targets", "refused"),
        Case("VotingRegressor", "of SVR and KernelRidge of one gamma", lambda X:
             ensemble.VotingRegressor(_of_one_gamma(), weights=[1.0, 3.0]), "targets"),
        Case("VotingRegressor", "of KNeighborsRegressor", lambda X: ensemble.VotingRegressor(
            [(str(k), neighbors.KNeighborsRegressor(k)) for k in (2, 5)], weights=[1.0, 3.0]), "targets"),
        Case("VotingRegressor", "of KNeighborsRegressor, weights='distance'", lambda X:
             ensemble.VotingRegressor([(str(k), neighbors.KNeighborsRegressor(k, weights="distance"))
                                       for k in (2, 5)]), "targets", "refused"),
        Case("VotingRegressor", "of KNeighborsRegressor and SVR", lambda X: ensemble.VotingRegressor(
            [("a", neighbors.KNeighborsRegressor()), ("b", svm.SVR())]), "targets", "refused"),
        Case("VotingClassifier", "of SVC and KNeighborsClassifier", lambda X:
             ensemble.VotingClassifier([("a", svm.SVC()), ("b", neighbors.KNeighborsClassifier())]),
             becomes="refused"),
        *(Case("VotingClassifier", f"of KNeighborsClassifier, weights={weights!r}, voting={voting!r}",
               lambda X, weights=weights, voting=voting: ensemble.VotingClassifier(
                   [(str(k), neighbors.KNeighborsClassifier(k, weights=weights))
                     for k in (3, 5, 8)],
                   voting=voting, weights=[1.0, 1.0, 2.0]), becomes=becomes)
          for weights, voting, becomes in (("uniform", "soft", EXACTLY), ("uniform", "hard", "refused"),
                                           ("distance", "soft", "refused"))),
        Case("BaggingClassifier", "of KNeighborsClassifier", lambda X: ensemble.BaggingClassifier(
            neighbors.KNeighborsClassifier(), 3, random_state=0), becomes="refused"),
        Case("BaggingClassifier", "of SVC", lambda X: ensemble.BaggingClassifier(
            svm.SVC(), 3, random_state=0), becomes="refused"),
    ]


def _calibrated(option: str, kind: str = "two classes", becomes: str = EXACTLY, machine: Any = svm.SVC,
                **parameters: Any) -> Case:
    return Case("CalibratedClassifierCV", option, lambda X: calibration.CalibratedClassifierCV(
        machine(), cv=2, **parameters), kind, becomes)


def _wrappers() -> list[Case]:
    return [
        Case("Pipeline", "of StandardScaler and SVC", lambda X: make_pipeline(
            preprocessing.StandardScaler(), svm.SVC())),
        Case("GridSearchCV", "of KNeighborsClassifier", lambda X: model_selection.GridSearchCV(
            neighbors.KNeighborsClassifier(), {"n_neighbors": [3, 5]}, cv=2)),
        Case("TransformedTargetRegressor", "of SVR, the targets scaled", lambda X:
             compose.TransformedTargetRegressor(svm.SVR(),
             transformer=preprocessing.StandardScaler()), "targets"),
        _calibrated("of SVC, ensemble=False", ensemble=False),
        _calibrated("of SVC, ensemble=True"),
        _calibrated(
    "of LinearSVC, ensemble=False",
    becomes=ON_F,
    machine=svm.LinearSVC,
     ensemble=False),
        _calibrated("of SVC, method='isotonic', ensemble=False", method="isotonic", ensemble=False),
        _calibrated("of KNeighborsClassifier, ensemble=False", machine=neighbors.KNeighborsClassifier,
                    ensemble=False),
        _calibrated("of KNeighborsClassifier, ensemble=True", becomes="refused",
                    machine=neighbors.KNeighborsClassifier),
        _calibrated(
    "of SVC, method='isotonic', ensemble=True",
    becomes="refused",
     method="isotonic"),
        _calibrated("more classes", "classes", "refused"),
        _calibrated("of LinearSVC, more classes, ensemble=False", "classes", ON_F, svm.LinearSVC,
                    ensemble=False),
        _calibrated("of OneVsRestClassifier, more classes, ensemble=False", "classes", EXACTLY,
                    lambda: multiclass.OneVsRestClassifier(svm.SVC(gamma=0.1)), ensemble=False),
    ]


def _of_one_gamma() -> list[tuple[str, Any]]:
    return [("a", svm.SVR(gamma=0.1)), ("b", kernel_ridge.KernelRidge(kernel="rbf", gamma=0.1))]


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier()


CASES = [*_support_vectors(), *_ridges(), *_processes(), *_neighbors(), *_centers(), *_detectors(),
         *_combinations(), *_wrappers()]
