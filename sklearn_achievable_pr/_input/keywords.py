"""Types of keyword arguments, for functions that return a number or an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from .options import Label

Numbers = Sequence[float] | np.ndarray
Recalls = tuple[float, float]


class OfLabel(TypedDict, total=False):
    """Keywords of every metric."""

    pos_label: Label | None
    sample_weight: ArrayLike | None
    replace_undefined_by: float


class OfTopK(OfLabel, total=False):
    """Keywords of metrics at k."""

    prevalence: float | None


class OfCurve(OfTopK, total=False):
    """Keywords of metrics of the empirical or achievable curve."""

    curve: str


class OfPoint(OfCurve, total=False):
    """Keywords of precision at a recall."""

    at_least: bool


class OfArea(OfCurve, total=False):
    """Keywords of areas over a range of recalls."""

    recall_range: Recalls


class OfExact(OfArea, total=False):
    """Keywords of the area, which has several methods."""

    method: str
