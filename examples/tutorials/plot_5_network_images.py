"""
Images through a network
========================

A neural network turns images into embeddings, and nearest neighbors of the embeddings decide. The
explanation reaches through the network to the pixels. This tutorial needs ``torch``.

.. image:: /guide/figures/network-digits.svg
   :alt: A digit, the contribution of its pixels, and the most influential training images
"""

# %%
# A network
# ---------
# A small network learns digits. Without its last layer it gives 32 numbers per image: the
# embedding.
import torch
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

import bisector.torch

X, y = load_digits(return_X_y=True)
images = torch.tensor(X / 16.0, dtype=torch.float32).reshape(-1, 1, 8, 8)
digits = torch.tensor(y)
torch.manual_seed(0)
network = torch.nn.Sequential(
    torch.nn.Conv2d(1, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
    torch.nn.Flatten(), torch.nn.Linear(256, 32), torch.nn.ReLU())
whole = torch.nn.Sequential(network, torch.nn.Linear(32, 10))
optimizer = torch.optim.Adam(whole.parameters(), lr=0.01)
for _ in range(100):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(whole(images[:1500]), digits[:1500]).backward()
    optimizer.step()

# %%
# Nearest neighbors of the embeddings
# -----------------------------------
embeddings = network(images).detach().numpy()
model = KNeighborsClassifier(9).fit(embeddings[:1500], y[:1500])
print(f"{model.score(embeddings[1500:], y[1500:]):.0%} of the held-out digits are correct")

# %%
# Which pixels decided?
# ---------------------
# The arguments are the network, the model and reference images. The values are votes, and they add
# up.
explainer = bisector.torch.Explainer(network, model, images[:300])
explanation = explainer(images[1500:1501])
total = explanation.base_values[0] + explanation.values[0].sum()
print(f"digit {explanation.prediction[0]}: {total:.2f} = {explanation.output[0]:.2f} votes")

# %%
# Which training images?
# ----------------------
# Red pixels push toward the predicted digit, blue pixels toward its rival. The other images are
# training images that influenced the prediction most: two of each digit.
pairs = explainer.evidence(images[1500:1501], count=9)
found = [*dict.fromkeys(pair.positive for pair in pairs)][:2]
found += [*dict.fromkeys(pair.negative for pair in pairs)][:2]
bisector.plots.image(explanation[0], nearest=[(y[row], images[row]) for row in found])
