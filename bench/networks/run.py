"""Explanations of models on top of small networks, compared with methods for networks.

bench/networks/run.py RESULTS [CASE...] measures the cases with several seeds, of the split, the
network and the draws, and writes RESULTS/networks.csv and the table of RESULTS/networks.md: means
over the seeds and their standard errors. It needs torch, captum and zennit (scripts/python-environments). Data
that scikit-learn does not have are read from BISECTOR_DATA.
"""

import csv
import os
import sys
import time
import warnings
from functools import partial
from pathlib import Path

import captum.attr
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid, NearestNeighbors
from sklearn.svm import SVC

import bisector
from bisector import _core
from bisector.torch import Explainer, Head

SEEDS, ROWS, SAMPLES, DRAWS = range(3), 60, 60, 10
METHODS = ("expected path rule", "gradient x input", "integrated gradients (captum)",
           "GradientShap (captum)", "occlusion", "LRP EpsilonPlusFlat (zennit)", "random")


def digits():
    X, y = load_digits(return_X_y=True)
    return (X / 16.0).reshape(-1, 1, 8, 8), y


def medmnist(name):
    def load():
        with np.load(Path(os.environ["BISECTOR_DATA"]) / "medmnist" / f"{name}.npz") as file:
            images = np.concatenate([file[f"{part}_images"] for part in ("train", "val", "test")])
            labels = np.concatenate([file[f"{part}_labels"] for part in ("train", "val", "test")])
        chosen = np.random.default_rng(0).permutation(len(images))[:2000]
        return images[chosen][:, None] / 255.0, labels[chosen].ravel()
    return load


IMAGES = {"digits": digits, "BreastMNIST": medmnist("breastmnist"),
          "PneumoniaMNIST": medmnist("pneumoniamnist")}
MODELS = {"KNN, k = 9": lambda: KNeighborsClassifier(9), "SVM": SVC, "prototypes": NearestCentroid}


def trained(images, labels, size, seed):
    """A small convolutional network to 32 features, trained for some seconds."""
    torch.manual_seed(seed)
    body = torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(16 * (size // 4) ** 2, 32))
    whole = torch.nn.Sequential(body, torch.nn.ReLU(), torch.nn.Linear(32, int(labels.max()) + 1))
    optimizer = torch.optim.Adam(whole.parameters(), 3e-3)
    inputs, targets = torch.tensor(images, dtype=torch.float32), torch.tensor(labels).long()
    for _ in range(20):
        for part in torch.randperm(len(inputs)).split(64):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(whole(inputs[part]), targets[part]).backward()
            optimizer.step()
    return body.eval()


def embedded(network, images):
    with torch.no_grad():
        parts = torch.tensor(images, dtype=torch.float32).split(1024)
        return np.concatenate([network(part).double().numpy() for part in parts])


class OfPairs(torch.nn.Module):
    """g of the pair of classes of each row, repeated for the copies of a row that captum makes."""

    def __init__(self, network, head, positive, negative):
        super().__init__()
        self.network, self.head, self.positive, self.negative = network, head, positive, negative

    def forward(self, inputs, row):
        row = row.numpy()
        return self.head(self.network(inputs), self.positive[row], self.negative[row])


def relevance_of_all(network, model, references, rows, seed, **options):
    """The relevance of every method for the same contrast, in the unit of g, and the seconds."""
    explainer = Explainer(network, model, references, unit="g", samples=SAMPLES, seed=seed,
                          progress=False, **options)
    began = time.perf_counter()
    explained = explainer(rows)
    found = {"expected path rule": (explained.values, time.perf_counter() - began)}
    positive = np.asarray(explained.positive_index, dtype=np.int64)
    negative = np.asarray(explained.negative_index, dtype=np.int64)
    inputs = torch.tensor(rows, dtype=torch.float32)
    background = torch.tensor(references, dtype=torch.float32)
    g = OfPairs(network, Head(model, **options), positive, negative)
    row = torch.arange(len(rows))
    calls = {
        "gradient x input": lambda: captum.attr.InputXGradient(g).attribute(
            inputs.clone().requires_grad_(), additional_forward_args=(row,)),
        "integrated gradients (captum)": lambda: captum.attr.IntegratedGradients(g).attribute(
            inputs, n_steps=SAMPLES, additional_forward_args=(row,)),
        "GradientShap (captum)": lambda: captum.attr.GradientShap(g).attribute(
            inputs, background, n_samples=SAMPLES, additional_forward_args=(row,)),
        "occlusion": lambda: captum.attr.FeatureAblation(g).attribute(
            inputs, background.mean(dim=0, keepdim=True), additional_forward_args=(row,)),
    }
    for name, call in calls.items():
        torch.manual_seed(seed)
        began = time.perf_counter()
        values = call().detach().double().numpy().reshape(len(rows), -1)
        found[name] = values, time.perf_counter() - began
    began = time.perf_counter()
    rules = Explainer(network, model, references, unit="g", method="lrp", progress=False, **options)
    found["LRP EpsilonPlusFlat (zennit)"] = rules(rows).values, time.perf_counter() - began
    drawn = np.random.default_rng(seed).normal(size=explained.values.shape)
    found["random"] = drawn, 0.0
    return explained, found


def classify(case, load, seed):
    images, labels = load()
    order = np.random.default_rng(1 + seed).permutation(len(images))
    images, labels = images[order], labels[order]
    count = int(0.8 * len(images))
    size = images.shape[-1]
    network = trained(images[:count], labels[:count], size, seed)
    embeddings = embedded(network, images[:count])
    background, rows = images[:min(count, 1000)], images[count:][:ROWS]
    # One half of the background is for the methods, the other half imputes removed pixels.
    references = background[np.asarray(_core.split_donors(len(background), None, seed).rule)]
    for name, make in MODELS.items():
        model = make().fit(embeddings, labels[:count])
        accuracy = model.score(embedded(network, images[count:]), labels[count:])
        explained, found = relevance_of_all(network, model, references, rows, seed)
        sign = np.where(explained.prediction_index == explained.positive_index, 1.0, -1.0)

        def predict(flat, model=model):
            shaped = np.asarray(flat).reshape(-1, 1, size, size)
            return model.predict(embedded(network, shaped)).astype(str)

        scores = bisector.aufc(
            predict, rows.reshape(len(rows), -1), background=background.reshape(len(background), -1),
            relevance={method: values * sign[:, None] for method, (values, _) in found.items()},
            samples=DRAWS, max_rows=ROWS, seed=seed, progress=False)
        for method, score in scores.items():
            yield [case, name, seed, f"{accuracy:.3f}", "AUFC", method, f"{float(score):.4f}",
                   f"{score.standard_error:.4f}", f"{found[method][1] / len(rows):.4f}"]


class WorstPatch(torch.nn.Module):
    """The features of the patch of an image that is farthest from a memory bank, as in PatchCore."""

    def __init__(self, layers, bank):
        super().__init__()
        self.layers, self.bank = layers, bank

    def forward(self, images):
        patches = self.layers(images).flatten(2).transpose(1, 2)
        distances = torch.cdist(patches.detach(), self.bank[None]).min(dim=2).values
        return patches[torch.arange(len(images)), distances.argmax(dim=1)]


def textures(count, generator, size=32):
    """Stripes with noise."""
    x, y = np.meshgrid(np.arange(size), np.arange(size))
    phase = generator.uniform(0.0, 6.3, (count, 1, 1))
    stripes = 0.5 + 0.25 * np.sin(0.8 * x + 0.3 * y + phase)
    return (stripes + generator.normal(0.0, 0.03, (count, size, size)))[:, None]


def defects(case, seed):
    """A memory bank of patches against synthetic defects: is the relevance at the defect?"""
    generator = np.random.default_rng(seed)
    normal, damaged = textures(300, generator), textures(40, generator)
    masks = np.zeros(damaged.shape, dtype=bool)
    for mask in masks:
        top, left = generator.integers(2, 25, 2)
        mask[0, top:top + 5, left:left + 5] = True
    damaged = np.where(masks, damaged[:, :, ::-1].transpose(0, 1, 3, 2), damaged)
    torch.manual_seed(seed)
    layers = torch.nn.Sequential(torch.nn.Conv2d(1, 16, 5, 2, 2), torch.nn.ReLU(),
                                 torch.nn.Conv2d(16, 32, 3, 2, 1), torch.nn.ReLU())
    with torch.no_grad():
        patches = layers(torch.tensor(normal[:200], dtype=torch.float32)).flatten(2).transpose(1, 2)
        bank = patches.reshape(-1, 32)[torch.randperm(patches.shape[0] * patches.shape[1])[:2000]]
    network = WorstPatch(layers, bank).eval()
    model = NearestNeighbors(n_neighbors=1).fit(bank.double().numpy())
    distances = model.kneighbors(embedded(network, normal[200:]))[0].ravel()
    level = float(np.quantile(distances, 0.95))
    found_defects = model.kneighbors(embedded(network, damaged))[0].ravel() > level
    _, found = relevance_of_all(network, model, normal[200:], damaged, seed, level=level)
    for method, (values, seconds) in found.items():
        # Positive relevance is for "inside", so that a defect has negative relevance.
        areas = [roc_auc_score(mask.ravel(), -row) for mask, row in zip(masks, values)]
        yield [case, "memory bank", seed, f"{found_defects.mean():.3f}", "AUROC", method,
               f"{np.mean(areas):.4f}", f"{np.std(areas, ddof=1) / np.sqrt(len(areas)):.4f}",
               f"{seconds / len(damaged):.4f}"]


def table(lines):
    """One row per case and model, one column per method: the mean over the seeds and its standard
    error."""
    head = "| data | model | accuracy | metric | " + " | ".join(METHODS) + " |"
    text = [head, "|" + " --- |" * 4 + " ---: |" * len(METHODS)]
    cases = dict.fromkeys((line[0], line[1]) for line in lines)
    for case, model in cases:
        own = [line for line in lines if (line[0], line[1]) == (case, model)]
        accuracy = np.mean([float(line[3]) for line in own])
        values = {m: [float(line[6]) for line in own if line[5] == m] for m in METHODS}
        cells = [f"{np.mean(found):.3f} ± {np.std(found, ddof=1) / np.sqrt(len(found)):.3f}"
                 for found in values.values()]
        text.append(f"| {case} | {model} | {accuracy:.3f} | {own[0][4]} | " + " | ".join(cells) + " |")
    return "\n".join(text)


def write(folder, lines):
    with open(folder / "networks.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["data", "model", "seed", "accuracy", "metric", "method", "value",
                                     "standard error over images", "seconds per row"], *lines])
    page = folder / "networks.md"
    if page.exists():
        mark = "<!-- measured: written by bench/networks/run.py -->"
        before = page.read_text("utf-8").split(mark)[0]
        page.write_text(f"{before}{mark}\n\n{table(lines)}\n", "utf-8")


def main(folder, *wanted):
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    cases = {**{case: partial(classify, case, load) for case, load in IMAGES.items()},
             "defects": partial(defects, "defects")}
    lines = []
    for case in wanted or cases:
        for seed in SEEDS:
            try:
                for line in cases[case](seed):
                    lines.append(line)
                    print(*line, sep="\t", flush=True)
            except (OSError, KeyError) as error:
                print(f"{case} is left out: {error}", flush=True)
                break
    write(Path(folder), lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
