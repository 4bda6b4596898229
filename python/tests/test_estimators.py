"""Every estimator on ten datasets: the library predicts what scikit-learn predicts, on every row."""

import numpy as np
import pytest
from datasets import CLASSIFICATION, REGRESSION
from sklearn.cluster import KMeans
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import bisector

WORDS = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])

CLASSIFIERS = {
    "SVC": lambda: SVC(),
    "SVC auto": lambda: SVC(gamma="auto", C=10.0, class_weight="balanced"),
    "NuSVC": lambda: NuSVC(nu=0.1, gamma=0.2),
    "KNN 5": lambda: KNeighborsClassifier(5),
    "KNN 4": lambda: KNeighborsClassifier(4, algorithm="brute", metric="euclidean"),
    "NearestCentroid": lambda: NearestCentroid(),
}
REGRESSORS = {
    "SVR": lambda: SVR(C=100.0),
    "NuSVR": lambda: NuSVR(gamma="auto", C=10.0),
    "KernelRidge": lambda: KernelRidge(kernel="rbf", alpha=0.1),
    "KernelRidge gamma": lambda: KernelRidge(kernel="rbf", gamma=0.3),
    "GP": lambda: GaussianProcessRegressor(ConstantKernel(2.0) * RBF(1.5) + WhiteKernel(0.1),
                                           optimizer=None, normalize_y=True),
    "GP anisotropic": lambda: None,  # needs the number of features
}


def halves(data):
    X, y = data
    return X[::2], y[::2], X, y


def has_tie(model, X):
    """Rows for which the k-th and the next neighbor are equally far, up to rounding."""
    k = model.n_neighbors
    if k >= len(model._fit_X):
        return np.zeros(len(X), dtype=bool)
    distance = model.kneighbors(X, n_neighbors=k + 1)[0]
    return distance[:, k] - distance[:, k - 1] <= 1e-9 * distance[:, k]


@pytest.mark.parametrize("words", [False, True], ids=["numbers", "words"])
@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("name", CLASSIFICATION)
def test_classifiers_predict_as_scikit_learn(name, kind, words):
    X_train, y_train, X, y = halves(CLASSIFICATION[name]())
    if words:
        y_train = WORDS[y_train]
    model = CLASSIFIERS[kind]().fit(X_train, y_train)
    explanation = bisector.Explainer(model)(X)
    clear = ~has_tie(model, X) if kind.startswith("KNN") else np.ones(len(X), dtype=bool)
    assert clear.mean() > 0.8
    np.testing.assert_array_equal(explanation.prediction[clear], model.predict(X)[clear])
    if len(model.classes_) == 2:
        assert set(explanation.positive_class) == {model.classes_[1]}
        assert set(explanation.versus) == {model.classes_[0]}
        if hasattr(model, "decision_function") and not isinstance(model, NearestCentroid):
            f = model.decision_function(X)
            sure = np.abs(f) > 1e-9
            np.testing.assert_array_equal(np.sign(explanation.g[sure]), np.sign(f[sure]))
            np.testing.assert_allclose(explanation.decision, f, atol=1e-8)
    elif isinstance(model, (SVC, NuSVC)):
        require_pairwise_signs(model, X, explanation)
    else:
        # Nearest centroids and votes: the predicted class wins against its rival.
        sure = clear & ~explanation.tie
        assert np.all(explanation.g[sure] > 0)


def require_pairwise_signs(model, X, explanation):
    """sign(g) is the decision of the machine of the two classes that are contrasted."""
    pairwise = type(model)(**{**model.get_params(), "decision_function_shape": "ovo"})
    pairwise.__dict__.update({name: value for name, value in model.__dict__.items()
                              if name != "decision_function_shape"})
    f = pairwise.decision_function(X)
    classes = list(model.classes_)
    pairs = [(a, b) for a in range(len(classes)) for b in range(a + 1, len(classes))]
    for row in range(len(X)):
        a, b = classes.index(explanation.positive_class[row]), classes.index(explanation.versus[row])
        value = f[row, pairs.index((min(a, b), max(a, b)))] * (1 if a < b else -1)
        np.testing.assert_allclose(explanation.decision[row], value, atol=1e-8)
        assert abs(value) < 1e-9 or np.sign(explanation.g[row]) == np.sign(value)


@pytest.mark.parametrize("kind", REGRESSORS)
@pytest.mark.parametrize("name", REGRESSION)
def test_regressors_predict_as_scikit_learn(name, kind):
    X_train, y_train, X, y = halves(REGRESSION[name]())
    model = REGRESSORS[kind]()
    if model is None:
        lengths = np.linspace(0.8, 2.5, X.shape[1])
        model = GaussianProcessRegressor(ConstantKernel(1.3) * RBF(lengths) + ConstantKernel(0.4),
                                         alpha=0.05, optimizer=None)
    model.fit(X_train, y_train)
    explainer = bisector.Explainer(model)
    explanation = explainer(X)
    predicted = model.predict(X)
    spread = np.abs(predicted).max()
    np.testing.assert_allclose(explanation.prediction, predicted, rtol=1e-9, atol=1e-9 * spread)
    level = explainer.settings["level"]
    sure = np.abs(predicted - level) > 1e-7 * spread
    np.testing.assert_array_equal(np.sign(explanation.g[sure]), np.sign((predicted - level)[sure]))
    if not isinstance(model, (SVR, NuSVR)):
        assert level == pytest.approx(y_train.mean(), rel=1e-6, abs=1e-6 * np.abs(y_train).max())


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_one_class_machines_and_clusters_predict_as_scikit_learn(name):
    X_train, _, X, _ = halves(CLASSIFICATION[name]())
    one_class = OneClassSVM(nu=0.2).fit(X_train)
    explanation = bisector.Explainer(one_class)(X)
    np.testing.assert_array_equal(explanation.prediction, one_class.predict(X))
    f = one_class.decision_function(X)
    sure = np.abs(f) > 1e-9
    np.testing.assert_array_equal(np.sign(explanation.g[sure]), np.sign(f[sure]))
    clusters = KMeans(4, n_init=2, random_state=0).fit(X_train)
    np.testing.assert_array_equal(bisector.Explainer(clusters)(X).prediction, clusters.predict(X))


def test_the_setting_gamma_is_a_number():
    X, y = CLASSIFICATION["wine"]()
    model = SVC(gamma="scale").fit(X, y)
    assert bisector.Explainer(model).settings["gamma"] == pytest.approx(1 / (X.shape[1] * X.var()))


def test_models_of_sparse_rows_equal_those_of_dense_rows():
    from scipy.sparse import csr_matrix

    X, y = CLASSIFICATION["wine"]()
    dense, sparse = SVC().fit(X, y), SVC().fit(csr_matrix(X), y)
    ours = bisector.Explainer(sparse)(csr_matrix(X))
    np.testing.assert_array_equal(ours.prediction, sparse.predict(csr_matrix(X)))
    np.testing.assert_allclose(ours.values, bisector.Explainer(dense)(X).values, atol=1e-4)


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_rows_with_neighbors_at_equal_distances_predict_alike(algorithm):
    """Which of equally far points are neighbors is a matter of order: rows for which that decides
    are flagged and take the estimator's own neighbors, and no honest model is refused."""
    for seed in range(20):
        generator = np.random.default_rng(seed)
        X = generator.integers(0, 4, size=(120, 4)).astype(float)
        model = KNeighborsClassifier(int(generator.integers(1, 8)), algorithm=algorithm)
        model.fit(X, generator.integers(0, 3, size=len(X)))
        rows = generator.integers(0, 4, size=(200, 4)).astype(float)
        explanation = bisector.Explainer(model, method="lrp")(rows)
        np.testing.assert_array_equal(explanation.prediction, model.predict(rows))
        assert explanation.tie.any() and not explanation.tie.all()
