"""bisector.torch.Explainer: predictions of a model on a network, explained by the network's inputs."""

import base64
import json
import os

import matplotlib
import numpy as np
import pytest
import torch
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import bisector
from bisector._paths import RunningMoments, contrasted_pairs
from bisector.torch import Explainer, Head

matplotlib.use("Agg")
COMMAND = os.environ.get("BISECTOR_COMMAND", "")
needs_command = pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")

WINE, KINDS_OF_WINE = load_wine(return_X_y=True)
WINE = StandardScaler().fit_transform(WINE)
DIGITS, DIGIT = load_digits(return_X_y=True)
IMAGES = (DIGITS / 16.0).reshape(-1, 1, 8, 8)


def tabular_network(features):
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(features, 16), torch.nn.Tanh(),
                               torch.nn.Linear(16, 8), torch.nn.Tanh()).double()


@pytest.fixture(scope="module")
def image_network():
    """Trained for some seconds, so that its embeddings separate the digits."""
    torch.manual_seed(0)
    body = torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.Flatten(),
        torch.nn.Linear(256, 32))
    whole = torch.nn.Sequential(body, torch.nn.ReLU(), torch.nn.Linear(32, 10))
    optimizer = torch.optim.Adam(whole.parameters(), 0.01)
    images, digit = torch.tensor(IMAGES, dtype=torch.float32), torch.tensor(DIGIT)
    for _ in range(30):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(whole(images[:1000]), digit[:1000]).backward()
        optimizer.step()
    return body.eval()


def embedded(network, inputs):
    parameter = next(network.parameters())
    return network(torch.as_tensor(inputs, dtype=parameter.dtype)).detach().double().numpy()


def models_of(embeddings):
    first = embeddings[:, 0]
    return {
        "SVC": (SVC().fit(embeddings, KINDS_OF_WINE), {}),
        "linear SVC": (SVC(kernel="linear").fit(embeddings, KINDS_OF_WINE), {}),
        "KNN": (KNeighborsClassifier(5).fit(embeddings, KINDS_OF_WINE), {}),
        "KNN, cosine": (KNeighborsClassifier(5, metric="cosine").fit(embeddings, KINDS_OF_WINE), {}),
        "SVR": (SVR().fit(embeddings, first), {}),
        "KNN regression": (KNeighborsRegressor(5).fit(embeddings, first), {}),
        "detector": (NearestNeighbors(n_neighbors=3).fit(embeddings), {"level": 0.5}),
    }


NAMES = ("SVC", "linear SVC", "KNN", "KNN, cosine", "SVR", "KNN regression", "detector")


@pytest.mark.parametrize("unit", ["decision", "share", "g"])
@pytest.mark.parametrize("name", NAMES)
def test_rows_add_up_to_the_output(name, unit):
    network = tabular_network(13)
    model, options = models_of(embedded(network, WINE))[name]
    explanation = Explainer(network, model, WINE, unit=unit, samples=20, **options)(WINE[::20])
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, rtol=1e-9, atol=1e-9)
    assert explanation.values.shape == explanation.standard_errors.shape == (9, 13)
    assert np.all(np.isfinite(explanation.values)) and np.all(explanation.standard_errors >= 0.0)


@pytest.mark.parametrize("name", NAMES)
def test_output_and_prediction_are_those_of_the_model(name):
    network = tabular_network(13)
    embeddings = embedded(network, WINE)
    model, options = models_of(embeddings)[name]
    explainer = Explainer(network, model, WINE, samples=4, **options)
    wanted = bisector.Explainer(model, embeddings, **options)(embeddings[::20])
    found = explainer(WINE[::20])
    np.testing.assert_allclose(found.output, wanted.output, rtol=1e-9, atol=1e-9)
    if wanted.classes is None:  # Embeddings of another batch size may differ in the last digit.
        np.testing.assert_allclose(found.prediction, wanted.prediction, rtol=1e-9, atol=1e-12)
    else:
        np.testing.assert_array_equal(found.prediction, wanted.prediction)
        np.testing.assert_array_equal(found.positive_class, wanted.positive_class)
    np.testing.assert_array_equal(explainer.predict(WINE[::20]), found.prediction)


@pytest.mark.parametrize("name", NAMES)
def test_one_pair_of_classes_has_one_base_value(name):
    network = tabular_network(13)
    model, options = models_of(embedded(network, WINE))[name]
    if name in ("SVC", "linear SVC", "KNN", "KNN, cosine"):
        options = {"positive_class": 1, "versus": 0}
    explanation = Explainer(network, model, WINE, samples=10, **options)(WINE[::10])
    assert len(np.unique(np.round(explanation.base_values, 9))) == 1


# g of KNN regression has steps, where another row becomes the median of the votes. No gradient sees
# them, so that they are part of the correction.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "KNN regression"])
def test_the_sum_is_within_two_standard_errors(name, monkeypatch):
    """Of the difference of g from the base value, before the sampling error is distributed."""
    network = tabular_network(13)
    model, options = models_of(embedded(network, WINE))[name]
    if name in ("KNN", "KNN, cosine", "detector"):
        options = {**options, "kappa": 0}  # The mean over a band is not the gradient of g.
    explainer = Explainer(network, model, WINE, unit="g", samples=400, **options)
    rows = WINE[::15]
    inputs = explainer._inputs(rows)
    head = explainer._prepared
    positive, negative = contrasted_pairs(head, explainer._embed(inputs))
    g, _ = head.core.gradients(explainer._embed(inputs), positive, negative)
    sums: list[np.ndarray] = []  # Of the terms of each step.
    add = RunningMoments.add

    def add_and_keep_sums(self, batch):
        sums.append(batch.reshape(len(batch), -1).sum(axis=1))
        add(self, batch)

    monkeypatch.setattr(RunningMoments, "add", add_and_keep_sums)
    within = 0
    for r in range(len(rows)):
        sums.clear()
        pair = int(positive[r]), int(negative[r])
        plan = explainer._plans.of(*pair)
        moments = explainer._steps(inputs[r:r + 1], plan, (), pair, None, 0, 1)
        difference = moments.mean.sum() - (g[r] - plan.base)
        of_steps = np.concatenate(sums)
        within += abs(difference) <= 2.0 * of_steps.std(ddof=1) / np.sqrt(len(of_steps))
    assert within >= 0.9 * len(rows)


def test_a_network_that_does_nothing_gives_the_rule_of_tables():
    model = SVC().fit(WINE, KINDS_OF_WINE)
    identity = torch.nn.Identity()
    options = {"positive_class": 1, "versus": 0, "unit": "g"}
    found = Explainer(identity, model, WINE, samples=2000, **options)(WINE[::20])
    wanted = bisector.Explainer(model, WINE, method="lrp-expected", references=178, **options)(
        WINE[::20])
    agreement = np.corrcoef(found.values.ravel(), wanted.values.ravel())[0, 1]
    assert agreement > 0.99


def test_images_have_one_value_per_pixel(image_network):
    model = KNeighborsClassifier(9).fit(embedded(image_network, IMAGES[:1000]), DIGIT[:1000])
    explainer = Explainer(image_network, model, IMAGES[:200], samples=30)
    explanation = explainer(IMAGES[1000:1006])
    assert explanation.values.shape == (6, 64)
    assert explanation.settings["shape"] == [8, 8]
    assert explanation.feature_names[9] == "[1, 1]"
    np.testing.assert_allclose(explanation.data, IMAGES[1000:1006].reshape(6, 64))
    evidence = explainer.evidence(IMAGES[1000:1001], count=3)
    assert DIGIT[evidence[0].positive] == explanation.prediction[0]
    nearest = [(DIGIT[pair.positive], IMAGES[pair.positive]) for pair in evidence]
    assert len(bisector.plots.image(explanation[0], nearest=nearest)) == 4
    drawn = bisector.plots.image(explanation[0])
    assert drawn.get_title() == f"{explanation.positive_class[0]}, not {explanation.versus[0]}"
    bisector.plots.image(explanation[0], np.repeat(IMAGES[1000], 3, axis=0))
    with pytest.raises(ValueError, match=r"pass explanation\[row\]"):
        bisector.plots.image(explanation)
    # Pixels that are 0 in the image and in all references have no relevance.
    assert np.all(explanation.values[:, 0] == 0.0)


def test_the_relevance_is_more_faithful_than_gradient_times_input(image_network):
    """Replacing the most relevant pixels by those of a reference lowers g faster."""
    embeddings = embedded(image_network, IMAGES[:1000])
    model = SVC(gamma="scale").fit(embeddings, DIGIT[:1000])
    rows = IMAGES[1000:1020]
    explainer = Explainer(image_network, model, IMAGES[:300], unit="g")
    explanation = explainer(rows)
    positive, negative = explanation.positive_index, explanation.negative_index
    inputs = torch.tensor(rows, dtype=torch.float32, requires_grad=True)
    head = Head(model)
    head(image_network(inputs), positive, negative).sum().backward()
    product = (inputs.grad * inputs).detach().numpy().reshape(20, 64)

    def area(relevance):
        background = IMAGES[:300].mean(axis=0).ravel()
        order, changed, total = np.argsort(-relevance, axis=1), rows.reshape(20, 64).copy(), 0.0
        for n in range(20):
            changed[np.arange(20), order[:, n]] = background[order[:, n]]
            z = embedded(image_network, changed.reshape(20, 1, 8, 8))
            total += head(torch.tensor(z), positive, negative).mean().item()
        return total

    assert area(explanation.values) < area(product)


def test_tokens_have_one_value_each():
    torch.manual_seed(0)
    ids = np.random.default_rng(0).integers(0, 30, (60, 7))
    labels = (ids == 3).any(axis=1).astype(int)
    labels[:5] = [0, 1, 0, 1, 0]
    table = torch.nn.Embedding(30, 5)

    class Mean(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(5, 4)

        def forward(self, vectors, mask=None):
            weights = torch.ones(vectors.shape[:2]) if mask is None else mask.float()
            mean = (vectors * weights[..., None]).sum(1) / weights.sum(1, keepdim=True)
            return torch.tanh(self.linear(mean))

    network = Mean()
    embeddings = network(table(torch.tensor(ids))).detach().numpy()
    model = KNeighborsClassifier(5).fit(embeddings, labels)
    explainer = Explainer(network, model, ids, embedding=table, samples=10)
    mask = torch.ones(4, 7)
    mask[:, 5:] = 0
    explanation = explainer(ids[:4], mask)
    assert explanation.values.shape == (4, 7)
    assert explanation.feature_names[0] == "token[0]"
    np.testing.assert_array_equal(explanation.data, ids[:4])
    assert np.all(explanation.values[:, 5:] == 0.0)
    words = [f"word{token}" for token in ids[0][:5]]
    drawn = bisector.plots.tokens(explanation[0], words)
    assert [text.get_text() for text in drawn.texts] == words
    with pytest.raises(ValueError, match="a value for each token"):
        bisector.plots.tokens(explanation[0], words * 2)


def test_batches_and_seeds():
    network = tabular_network(13)
    model = SVC().fit(embedded(network, WINE), KINDS_OF_WINE)
    one = Explainer(network, model, WINE, samples=30)(WINE[:4])
    other = Explainer(network, model, WINE, samples=30, batch_size=7)(WINE[:4])
    np.testing.assert_allclose(one.values, other.values, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(one.standard_errors, other.standard_errors, rtol=1e-9, atol=1e-12)
    again = Explainer(network, model, WINE, samples=30, seed=1)(WINE[:4])
    assert np.any(again.values != one.values)


def test_the_network_keeps_its_mode():
    network = torch.nn.Sequential(torch.nn.Linear(13, 4), torch.nn.Dropout(0.5)).double()
    network.train()
    model = SVC().fit(WINE @ np.ones((13, 4)), KINDS_OF_WINE)
    explainer = Explainer(network, model, WINE, samples=4)
    first, second = explainer(WINE[:2]), explainer(WINE[:2])
    assert network.training and network[1].training
    np.testing.assert_array_equal(first.values, second.values)


def test_rules_of_zennit_go_through_the_network(image_network):
    pytest.importorskip("zennit")
    model = SVC().fit(embedded(image_network, IMAGES[:1000]), DIGIT[:1000])
    explanation = Explainer(image_network, model, IMAGES[:100], method="lrp")(IMAGES[1000:1004])
    assert explanation.values.shape == (4, 64)
    assert explanation.standard_errors is None
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    np.testing.assert_allclose(total, explanation.output, rtol=1e-9, atol=1e-9)


def test_a_network_of_torchvision_without_downloaded_weights():
    torchvision = pytest.importorskip("torchvision")
    torch.manual_seed(0)
    network = torchvision.models.resnet18(weights=None)
    network.fc = torch.nn.Identity()  # The 512 features before the classifier.
    images = torch.rand(8, 3, 32, 32)
    labels = np.arange(8) % 2
    head = Head.from_arrays(embedded(network.eval(), images), labels, k=1, metric="cosine")
    explanation = Explainer(network, head, images, samples=4)(images[:2] * 0.5)
    assert explanation.settings["shape"] == [32, 32]
    assert np.all(np.isfinite(explanation.values))


def page_data(path):
    text = path.read_text(encoding="utf-8").partition('id="report-data">')[2]
    return json.loads(text.partition("</script>")[0])


def unpacked(columns):
    """Columns of numbers as the page packs them."""
    types = {"u8": "u1", "i16": "<i2", "i32": "<i4", "f32": "<f4", "f64": "<f8"}
    return np.column_stack([np.frombuffer(base64.b64decode(one["data"]), types[one["type"]])
                            / one["scale"] for one in columns])


@needs_command
@pytest.mark.parametrize("method", ["lrp-expected", "lrp"])
def test_a_report_shows_the_maps_of_the_network(method, image_network, tmp_path):
    train, digits = IMAGES[:1000], DIGIT[:1000]
    model = KNeighborsClassifier(5).fit(embedded(image_network, train), digits)
    explainer = Explainer(image_network, model, train[:200], samples=8, method=method)
    images, actual = IMAGES[1000:1012], DIGIT[1000:1012]
    data = page_data(explainer.report(images, tmp_path / "page.html", training=train, y=actual))
    explanation = explainer(images)
    rows = data["rows"]
    np.testing.assert_allclose(unpacked(rows["values"]), explanation.data, atol=1e-6)
    np.testing.assert_allclose(unpacked(rows["relevance"]), explanation.values, rtol=1e-5, atol=1e-6)
    for name, wanted in (("output", explanation.output), ("base", explanation.base_values),
                         ("remainder", explanation.remainder)):
        np.testing.assert_allclose(unpacked([rows[name]])[:, 0], wanted, rtol=1e-5, atol=1e-5)
    labels = np.array(data["labels"])
    predicted = unpacked([rows["prediction"]])[:, 0].astype(int)
    np.testing.assert_array_equal(labels[predicted].astype(int), explanation.prediction)
    np.testing.assert_array_equal(labels[unpacked([rows["truth"]])[:, 0].astype(int)].astype(int),
                                  actual)
    assert data["image"] == [8, 8] and data["network"] == "Sequential"
    assert data["settings"]["method"] == method and data["unit"]["kind"] == "decision"
    assert data["model"] is None and "through a network" in data["whyNoModel"]
    points = np.array(data["evidence"]["points"]) - 1
    np.testing.assert_allclose(unpacked(data["evidence"]["values"]), DIGITS[points] / 16.0)
    nearest = {pair.positive for pair in explainer.evidence(images[:1], count=25)}
    assert {int(points[place]) for place, _ in data["evidence"]["rows"][0][0]} <= nearest


@needs_command
@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_model_has_a_report(name, tmp_path):
    network = tabular_network(13)
    model, options = models_of(embedded(network, WINE))[name]
    explainer = Explainer(network, model, WINE, samples=4, **options)
    data = page_data(explainer.report(WINE[::20], tmp_path / "page.html", training=WINE, rows=5,
                                      title="Kinds of wine"))
    assert data["image"] is None and [one["name"] for one in data["columns"]][12] == "x12"
    assert data["words"]["title"] == "Kinds of wine" and data["rows"]["total"] == 9
    assert (len(data["evidence"]["points"]) > 0) == (name != "linear SVC")


@needs_command
def test_a_report_refuses_tokens_and_too_few_training_inputs(tmp_path):
    network = tabular_network(13)
    model = KNeighborsClassifier(5).fit(embedded(network, WINE), KINDS_OF_WINE)
    explainer = Explainer(network, model, WINE, samples=4)
    with pytest.raises(ValueError, match="training has 100 inputs, expected at least 178"):
        explainer.report(WINE[:3], tmp_path / "page.html", training=WINE[:100])
    with pytest.raises(TypeError, match="type explainer.report"):
        bisector.report(explainer, WINE[:3], tmp_path / "page.html")
    words = torch.nn.Embedding(5, 13)
    mean = MeanOfTokens()
    tokens = torch.randint(0, 5, (20, 4))
    model = KNeighborsClassifier(3).fit(embedded_tokens(mean, words, tokens), np.arange(20) % 2)
    with pytest.raises(ValueError, match="draw tokens by bisector.plots.tokens"):
        Explainer(mean, model, tokens, embedding=words, samples=4).report(
            tokens[:2], tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


class MeanOfTokens(torch.nn.Module):
    def forward(self, vectors):
        return vectors.mean(dim=1)


def embedded_tokens(network, words, tokens):
    return network(words(tokens)).detach().double().numpy()


def test_wrong_arguments_are_refused():
    network = tabular_network(13)
    model = SVC().fit(embedded(network, WINE), KINDS_OF_WINE)
    with pytest.raises(ValueError, match='expected "lrp-expected" or "lrp"'):
        Explainer(network, model, WINE, method="shapley")
    with pytest.raises(ValueError, match="best training inputs"):
        Explainer(network, model, WINE[:1])
    with pytest.raises(ValueError, match="at least 2 samples"):
        Explainer(network, model, WINE, samples=1)
    with pytest.raises(ValueError, match="expected 13: one for each value"):
        Explainer(network, model, WINE, feature_names=["a"])(WINE[:1])


def test_diabetes_regression_through_a_network():
    X, y = load_diabetes(return_X_y=True)
    network = tabular_network(10)
    model = SVR(C=100.0).fit(embedded(network, X), y)
    explanation = Explainer(network, model, X[:200])(X[200:210])
    np.testing.assert_allclose(explanation.output, model.predict(embedded(network, X[200:210])))
    np.testing.assert_allclose(
        explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder,
        explanation.output)
