"""A fitted object of scikit-learn as a model of the library."""

from __future__ import annotations

import warnings
from typing import Any

from . import _core
from ._adapt import Averaged, Subject, feature_names_of
from ._probes import require_same_features
from ._smooth import SmoothSteps, require_gradient
from ._texts import TextColumns, split_text_pipeline, words_of
from ._unwrap import Unwrapped, search_result
from .errors import UnsupportedModelError


def from_sklearn(model: Any, level: float | None) -> Subject | Averaged:
    model, path = search_result(model)
    names = getattr(model, "feature_names_in_", None)
    names = None if names is None else [str(name) for name in names]
    vectorizers: list[Any] = []
    texts = split_text_pipeline(model, path)
    if texts is not None:
        (vectorizers, model), path = texts, ""
        names = words_of(vectorizers)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*feature names")
        unwrapped = Unwrapped(model, path, level=level)
        if not unwrapped.members:
            return _subject(unwrapped, names, vectorizers)
        return Averaged([_subject(member, names, vectorizers) for member in unwrapped.members],
                        [member.threshold.sigmoid for member in unwrapped.members])


def _subject(unwrapped: Unwrapped, names: list[str] | None, vectorizers: list[Any]) -> Subject:
    smooth = SmoothSteps(unwrapped.stages, names) if unwrapped.stages else None
    columns, affine, final = unwrapped.x.finished(unwrapped.inputs, unwrapped.count,
                                                  None if smooth else names)
    if smooth is not None:
        if vectorizers:
            raise UnsupportedModelError(f"texts are the input of the {smooth.names}, expected a "
                                        "linear step behind the vectorizer")
        require_gradient(columns, smooth)
    elif vectorizers:
        columns = TextColumns(columns.count, names, columns.features, columns.encoders,
                              inputs=columns.inputs, checks=columns.checks, vectorizers=vectorizers)
    core = _core.Model(unwrapped.adapted.predictor, affine, feature_names_of(columns))
    require_same_features(unwrapped.steps, columns, final)
    if unwrapped.adapted.rows is not None:
        core = core.with_training_rows(unwrapped.adapted.rows)
    return Subject(core, columns, unwrapped.adapted.labels, unwrapped.has_level, unwrapped.link,
                   smooth, unwrapped.adapted.search)
