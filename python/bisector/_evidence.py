"""The points of a model that influence one prediction."""

from __future__ import annotations

from dataclasses import dataclass

from ._tables import Floats


@dataclass(frozen=True)
class Evidence:
    """A pair of points and its part in the explanation of a row.

    Attributes
    ----------
    positive, negative : int or None
        Rows of the training data, counted from 0; None is the intercept. Models that do not know
        the rows, such as files of LIBSVM, give the number of the point.
    weight : float
        The responsibility of the pair; the weights of all pairs sum to 1.
    activation : float
        The activation of the pair's unit in the neuralized model.
    relevance : ndarray of shape (features,)
        The part of every feature's relevance that comes from this pair, in the unit of g.
    """

    positive: int | None
    negative: int | None
    weight: float
    activation: float
    relevance: Floats


@dataclass(frozen=True)
class Network:
    """The neuralized model at one row: detection units z_ij, their pooling h_j, and g.

    Attributes
    ----------
    positive, negative : list of int or None
        The points i of the pool of the positive class and j of the other one, as in `Evidence`.
    detection : ndarray of shape (positive, negative)
        The detection units z_ij.
    hidden : ndarray of shape (negative,)
        The pooled units h_j.
    g : float
        The output.
    positive_weights, negative_weights : ndarray
        The responsibilities of the points.
    """

    positive: list[int | None]
    negative: list[int | None]
    detection: Floats
    hidden: Floats
    g: float
    positive_weights: Floats
    negative_weights: Floats
