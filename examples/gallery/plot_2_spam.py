"""
Which words made it spam?
=========================

A text pipeline is explained word by word. Words of the message that raise the score of "spam" are
positive; absent words count too, if the model would have expected them.
"""

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import bisector

messages = [
    "win a free prize now", "free money click now", "claim your free prize today",
    "cheap loans approved now", "you win money click here", "urgent prize waiting claim now",
    "meeting moved to monday", "lunch tomorrow at noon", "please review the report",
    "see you at the meeting", "the report is due monday", "call me after lunch",
]
labels = ["spam"] * 6 + ["mail"] * 6
model = make_pipeline(TfidfVectorizer(), SVC(kernel="rbf", gamma=0.5)).fit(messages, labels)

explainer = bisector.Explainer(model, messages, positive_class="spam")
explanation = explainer(["claim your prize at the meeting"])
bisector.plots.text(explanation[0])
bisector.plots.waterfall(explanation[0], max_display=6)

# sphinx_gallery_thumbnail_number = 2
