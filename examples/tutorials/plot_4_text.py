"""
Text
====

Explain a text classifier word by word, find a mistake of the model, and repair it.
"""

# %%
# A model
# -------
# Short reviews of restaurants. In practice they are yours. The pipeline counts words and compares
# reviews with a Gaussian kernel.
from itertools import product

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import bisector

subjects = ["the food", "the service", "our waiter", "the wine", "dinner"]
good = ["was good", "was excellent", "was not bad", "made us happy", "was great"]
bad = ["was bad", "was terrible", "was not good", "made us sad", "was slow"]
ends = ["on friday", "and we stayed for hours", "as always", "last week"]
texts = [" ".join(words) for words in product(subjects, good + bad, ends)]
labels = ["recommend" if any(f" {phrase} " in text for phrase in good) else "avoid"
          for text in texts]
train, test, y_train, y_test = train_test_split(texts, labels, test_size=0.4, random_state=0)
model = make_pipeline(TfidfVectorizer(), SVC()).fit(train, y_train)
print(f"{model.score(test, y_test):.0%} of the held-out reviews are predicted correctly")

# %%
# A review that is predicted incorrectly
# --------------------------------------
# Orange words push toward "recommend", blue words push toward "avoid". "good" has hardly any effect,
# because the model has seen it as often in "not good". "our waiter" and "on friday" say nothing about
# the opinion, and push toward "avoid".
review = ["our waiter was good on friday"]
print("prediction:", model.predict(review)[0])
explanation = bisector.Explainer(model, train, positive_class="recommend")(review)
bisector.plots.text(explanation[0])

# %%
# Repair the model
# ----------------
# With pairs of words, "was good" and "not good" are features of their own.
pairs = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), SVC()).fit(train, y_train)
print(f"{pairs.score(test, y_test):.0%} of the held-out reviews are predicted correctly")
print("prediction:", pairs.predict(review)[0])
explanation = bisector.Explainer(pairs, train, positive_class="recommend")(review)
bisector.plots.waterfall(explanation[0], max_display=8)
