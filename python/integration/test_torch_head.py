"""bisector.torch.Head: the same g as the library's, with its gradient, for every kind of model."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import (
    KernelDensity,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LocalOutlierFactor,
    NearestCentroid,
    NearestNeighbors,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, OneClassSVM

import bisector
from bisector.torch import Head

X, LABELS = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)
BINARY, TARGET = (LABELS == 1).astype(int), X[:, 0] * 2.0 + X[:, 5]

# Kinds of models: a fitted one, and the level that it needs.
KINDS = {
    "SVC": (SVC(gamma=0.1).fit(X, BINARY), None),
    "SVC of three classes": (SVC(gamma=0.1).fit(X, LABELS), None),
    "SVC with a linear kernel": (SVC(kernel="linear").fit(X, BINARY), None),
    "SVC with a polynomial kernel": (SVC(kernel="poly", degree=2).fit(X, BINARY), None),
    "SVR": (SVR(gamma=0.1).fit(X, TARGET), None),
    "KernelRidge, Gaussian": (KernelRidge(kernel="rbf", gamma=0.05).fit(X, TARGET), None),
    "KernelRidge, Laplacian": (KernelRidge(kernel="laplacian", gamma=0.05).fit(X, TARGET), None),
    # An optimized length scale may be so long that coefficients of 1e6 cancel. Differences of g then
    # have too few digits.
    "GaussianProcessRegressor": (
        GaussianProcessRegressor(RBF(3.0), alpha=0.1, optimizer=None).fit(X, TARGET), None),
    "OneClassSVM": (OneClassSVM(gamma=0.1, nu=0.2).fit(X), None),
    "KNN": (KNeighborsClassifier(5).fit(X, BINARY), None),
    "KNN of three classes": (KNeighborsClassifier(4).fit(X, LABELS), None),
    "KNN, weighted": (KNeighborsClassifier(5, weights="distance").fit(X, BINARY), None),
    "KNN, cosine": (KNeighborsClassifier(5, metric="cosine").fit(X, BINARY), None),
    "KNN, Manhattan": (KNeighborsClassifier(5, metric="manhattan").fit(X, BINARY), None),
    "KNN, Minkowski": (KNeighborsClassifier(5, p=3).fit(X, BINARY), None),
    "KNN behind PCA": (make_pipeline(PCA(5), StandardScaler(), KNeighborsClassifier(5)).fit(
        X, BINARY), None),
    "KNN regression": (KNeighborsRegressor(7).fit(X, TARGET), None),
    "NearestCentroid": (NearestCentroid().fit(X, LABELS), None),
    "KMeans": (KMeans(3, n_init=1, random_state=0).fit(X), None),
    "LocalOutlierFactor": (LocalOutlierFactor(5, novelty=True).fit(X), None),
    "NearestNeighbors": (NearestNeighbors(n_neighbors=3).fit(X), 4.0),
    "KernelDensity": (KernelDensity(bandwidth=1.5).fit(X), -20.0),
}
# Rows between the training rows, where distances have no ties.
ROWS = X[::9] + np.random.default_rng(0).normal(0.0, 0.2, X[::9].shape)


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def test_g_is_that_of_the_library(kind):
    model, level = kind
    g = bisector.Explainer(model, unit="g", level=level)(ROWS).g
    head = Head(model, level=level)
    found = head(torch.tensor(ROWS)).numpy()
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, g, rtol=1e-12, atol=1e-12 * np.abs(g).max())


def test_float32_keeps_six_digits_of_the_scores(kind):
    model, level = kind
    head = Head(model, level=level)
    positive, negative = head.pairs(ROWS)
    exact = head(torch.tensor(ROWS), positive, negative).numpy()
    single = torch.tensor(ROWS, dtype=torch.float32)
    found = head(single, positive, negative)
    assert found.dtype == torch.float32
    scores = (ROWS ** 2).sum(axis=1).max()
    gradient = np.abs(_gradients(head, ROWS)).max()
    np.testing.assert_allclose(found.numpy(), exact, rtol=1e-6,
                               atol=1e-6 * (scores + gradient * np.abs(ROWS).max()))


def test_gradients_are_those_of_finite_differences(kind):
    model, level = kind
    is_ranked = not hasattr(model, "support_") and not hasattr(model, "dual_coef_")
    kappa = 0 if is_ranked and _takes_kappa(model, level) else None
    head = Head(model, level=level, kappa=kappa)
    positive, negative = head.pairs(ROWS)
    found = _gradients(head, ROWS)
    step, wanted = 1e-6, np.empty_like(ROWS)
    for d in range(ROWS.shape[1]):
        shift = np.zeros(ROWS.shape[1])
        shift[d] = step
        above = head(torch.tensor(ROWS + shift), positive, negative).numpy()
        below = head(torch.tensor(ROWS - shift), positive, negative).numpy()
        wanted[:, d] = (above - below) / (2.0 * step)
    scale = np.abs(wanted).max()
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6 * scale)


def _takes_kappa(model, level):
    try:
        Head(model, level=level, kappa=0)
    except ValueError:
        return False
    return True


def _gradients(head, rows):
    inputs = torch.tensor(rows, requires_grad=True)
    positive, negative = head.pairs(rows)
    head(inputs, positive, negative).sum().backward()
    return inputs.grad.numpy()


def test_the_gradient_of_a_band_is_the_mean_over_its_ranks():
    points, labels = X[:60], np.arange(60) % 2
    model = KNeighborsClassifier(5).fit(points, labels)
    row = ROWS[:1]
    found = _gradients(Head(model, kappa=1), row)[0]
    nearest = {label: np.argsort(((points[labels == label] - row) ** 2).sum(axis=1), kind="stable")
               for label in (0, 1)}
    means = {label: points[labels == label][nearest[label][1:4]].mean(axis=0) for label in (0, 1)}
    np.testing.assert_allclose(found, 2.0 * (means[1] - means[0]), rtol=1e-12, atol=1e-12)


def test_the_backward_pass_multiplies_the_gradient():
    head = Head(SVC(gamma=0.1).fit(X, BINARY))
    inputs = torch.tensor(ROWS, requires_grad=True)
    (head(inputs) * torch.arange(len(ROWS), dtype=torch.float64)).sum().backward()
    np.testing.assert_allclose(inputs.grad.numpy(),
                               _gradients(head, ROWS) * np.arange(len(ROWS))[:, None])


def test_half_precision_is_kept_out_of_g():
    head = Head(SVC(gamma=0.1).fit(X, BINARY))
    inputs = torch.tensor(ROWS, dtype=torch.bfloat16, requires_grad=True)
    g = head(inputs)
    assert g.dtype == torch.float32
    g.sum().backward()
    assert inputs.grad.dtype == torch.bfloat16
    exact = head(inputs.detach().double()).numpy()
    np.testing.assert_allclose(g.detach().numpy(), exact, rtol=1e-6)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "manhattan"])
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_labeled_arrays_are_a_vote_of_their_nearest_rows(metric, weights):
    names = np.array(["red", "white", "rose"])[LABELS]
    head = Head.from_arrays(X, names, k=5, metric=metric, weights=weights)
    model = KNeighborsClassifier(5, metric=metric, weights=weights).fit(X, names)
    assert list(head.classes) == list(model.classes_)
    torch.testing.assert_close(head(torch.tensor(ROWS)), Head(model)(torch.tensor(ROWS)))


def test_wrong_embeddings_are_refused():
    head = Head(SVC().fit(X, BINARY))
    with pytest.raises(ValueError, match="expected 2: rows and features"):
        head(torch.zeros(2, 13, 1))
    with pytest.raises(ValueError, match="5 features, the model 13"):
        head(torch.zeros(2, 5))
    with pytest.raises(ValueError, match="expected two of 2 classes"):
        head(torch.zeros(2, 13), [0, 0], [1, 7])


def test_importing_bisector_does_not_import_torch():
    code = "import sys, bisector; assert 'torch' not in sys.modules; bisector.torch.Head"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_captum_uses_the_head_unchanged():
    captum = pytest.importorskip("captum.attr")
    features, labels = load_iris(return_X_y=True)
    network = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh()).double()
    embeddings = network(torch.tensor(features)).detach().numpy()
    head = Head(SVC().fit(embeddings, labels), positive_class=2, versus=1)
    combined = torch.nn.Sequential(network, head)
    inputs, baseline = torch.tensor(features[100:105]), torch.tensor(features[:1])
    values = captum.IntegratedGradients(combined).attribute(inputs, baseline, n_steps=200)
    difference = combined(inputs) - combined(baseline)
    torch.testing.assert_close(values.sum(dim=1), difference.detach(), rtol=1e-4, atol=1e-6)
    occluded = captum.FeatureAblation(combined).attribute(inputs, baselines=baseline)
    assert occluded.shape == inputs.shape


def test_zennit_uses_the_head_unchanged():
    pytest.importorskip("zennit")
    from zennit.attribution import Gradient
    from zennit.composites import LayerMapComposite
    from zennit.rules import Epsilon, Pass

    features, labels = load_iris(return_X_y=True)
    network = torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.ReLU()).double()
    embeddings = network(torch.tensor(features)).detach().numpy()
    head = Head(SVC().fit(embeddings, labels), positive_class=2, versus=1)
    combined = torch.nn.Sequential(network, head)
    inputs = torch.tensor(features[100:105])
    # Epsilon on the head is z times the gradient of g, if it starts from g.
    composite = LayerMapComposite([(torch.nn.ReLU, Pass()), (torch.nn.Linear, Epsilon()),
                                   (Head, Epsilon(1e-12))])
    with Gradient(combined, composite) as attributor:
        g, relevance = attributor(inputs, lambda output: output)
    assert relevance.shape == inputs.shape
    z = network(inputs).detach()
    linear = network[0]
    start = z * torch.tensor(_gradients(head, z.numpy()))
    products = linear(inputs).detach()
    wanted = inputs * ((start / (products + 1e-6 * products.sign())) @ linear.weight.detach())
    torch.testing.assert_close(relevance, wanted, rtol=1e-3, atol=1e-3 * float(wanted.abs().max()))
