"""Networks as timm and sentence-transformers load them, with random weights: no downloads."""

import numpy as np
import pytest
import torch
from sklearn.neighbors import KNeighborsClassifier

import bisector.torch

timm = pytest.importorskip("timm")
sentence_transformers = pytest.importorskip("sentence_transformers")
transformers = pytest.importorskip("transformers")

WORDS = ["good", "bad", "food", "wine", "service", "slow", "very", "and"]
TEXTS = ["good food and good wine", "bad food and slow service", "very good service",
         "slow and bad", "good wine", "bad wine and bad food"]
LABELS = ["yes", "no", "yes", "no", "yes", "no"]


def require_complete(explanation, tolerance=1e-9):
    total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
    assert np.all(np.isfinite(explanation.values)) and np.any(explanation.values != 0.0)
    np.testing.assert_allclose(total, explanation.output, atol=tolerance)


@pytest.mark.parametrize("name, options, size", [
    ("resnet18", {}, 32), ("vit_small_patch14_dinov2", {"img_size": 28}, 28)])
def test_backbones_of_timm(name, options, size):
    torch.manual_seed(0)
    network = timm.create_model(name, pretrained=False, num_classes=0, **options).eval()
    images = torch.rand(12, 3, size, size)
    with torch.no_grad():
        embeddings = network(images).double().numpy()
    model = KNeighborsClassifier(3).fit(embeddings, np.arange(12) % 2)
    explainer = bisector.torch.Explainer(network, model, images, samples=6)
    explanation = explainer(images[:2])
    assert explanation.shape == (2, size * size)
    assert list(explanation.settings["shape"]) == [size, size]
    np.testing.assert_array_equal(explanation.prediction, model.predict(embeddings[:2]))
    require_complete(explanation)


class TokensToSentence(torch.nn.Module):
    """The sentence embedding of vectors of tokens, as docs/guide/networks_text.md has it."""

    def __init__(self, model):
        super().__init__()
        self.transformer, self.pooling = model[0].auto_model, model[1]

    def forward(self, vectors, mask=None):
        mask = torch.ones(vectors.shape[:2]) if mask is None else mask
        tokens = self.transformer(inputs_embeds=vectors, attention_mask=mask).last_hidden_state
        found = self.pooling({"token_embeddings": tokens, "attention_mask": mask})
        return found["sentence_embedding"]


@pytest.fixture(scope="module")
def sentences(tmp_path_factory):
    """A sentence transformer as it is loaded from a folder, with random weights."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "words.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=5 + len(WORDS), hidden_size=16, num_hidden_layers=2,
                                     num_attention_heads=2, intermediate_size=32)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizer(str(folder / "words.txt")).save_pretrained(folder)
    # A folder without modules gets the mean of the tokens. The classes of modules have other places
    # in other versions.
    return sentence_transformers.SentenceTransformer(str(folder), device="cpu")


def test_tokens_of_a_sentence_transformer(sentences):
    embeddings = sentences.encode(TEXTS)
    tokens = sentences.tokenize(TEXTS)
    ids, mask = tokens["input_ids"], tokens["attention_mask"]
    network = TokensToSentence(sentences).eval()
    table = sentences[0].auto_model.get_input_embeddings()
    with torch.no_grad():
        np.testing.assert_allclose(network(table(ids), mask).numpy(), embeddings, atol=1e-5)
    model = KNeighborsClassifier(1, metric="cosine").fit(embeddings, LABELS)
    explainer = bisector.torch.Explainer(network, model, ids, embedding=table, samples=20)
    explanation = explainer(ids, mask)
    assert list(explanation.prediction) == LABELS and explanation.shape == ids.shape
    require_complete(explanation)
    np.testing.assert_array_equal(explanation.values[mask.numpy() == 0], 0.0)
