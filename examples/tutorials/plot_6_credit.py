"""
A credit decision from CSV to report
====================================

The same steps on the command line: train on a file, explain, ask what would have to change, and
write a report page.
"""

# %%
# A CSV file. In practice it is yours.
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

random = np.random.default_rng(0)
table = pd.DataFrame({
    "duration": random.integers(6, 48, 300), "amount": random.integers(500, 9000, 300),
    "savings": random.choice(["none", "some", "much"], 300), "age": random.integers(19, 70, 300)})
risk = table["duration"] / 24 + table["amount"] / 5000 - 1.5 * (table["savings"] == "much")
table["credit"] = np.where(risk > 1.3, "bad", "good")
folder = Path(tempfile.mkdtemp())
table.to_csv(folder / "credit.csv", index=False)


def bisector(*arguments):
    """Run the command in the folder, as in a terminal."""
    done = subprocess.run([sys.executable, "-m", "bisector", *arguments], cwd=folder, text=True,
                          capture_output=True, check=True)
    print("$ bisector", *arguments)
    print(done.stdout)


# %%
# Train. The kind of model follows from the target.
bisector("train", "credit.csv", "--target", "credit")

# %%
# Why was row 3 decided like this?
bisector("explain", "credit.model.npz", "credit.csv", "--row", "3")

# %%
# What would have to change? Age cannot.
bisector("flip", "credit.model.npz", "credit.csv", "--row", "3", "--fix", "age")

# %%
# A report page for the credit officer: one file that opens in any browser. The picture shows such a
# page, of a larger table.
#
# .. image:: /guide/report/credit-light.webp
#    :alt: Loans: the model compared with always saying good, the effects, and one applicant
bisector("report", "credit.model.npz", "credit.csv", "-o", "report.html")
print((folder / "report.html").stat().st_size // 1000, "kB")
