"""How the tuning set is held out: what `cv` may be, and what its splits must be."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit, check_cv

from .._input.estimators import listed


def splitter(cv: Any, y: np.ndarray, random_state: Any, independent: bool) -> Any:
    """A splitter, or an iterable of splits as it is.

    Parameters
    ----------
    cv : int, float, cross-validation generator, iterable or None
        As the user gave it.
    y : ndarray of shape (n_samples,)
    random_state : int, RandomState instance or None
        Draws the hold-out of a float `cv`.
    independent : bool
        Whether a row must be held out whatever the classes of the others.

    Returns
    -------
    cross-validation generator or iterable
    """
    if independent and isinstance(cv, StratifiedShuffleSplit):
        raise ValueError(
            "`cv` must draw rows without regard to their classes where `min_precision` has "
            f"a `confidence`: what is proven is so for independent rows. Got {cv}; pass "
            "a fraction, or a ShuffleSplit."
        )
    if isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        if int(cv) < 2:
            raise ValueError(
                f"`cv` as an int is the number of folds, 2 at least. Got {cv}; for one "
                "hold-out pass the fraction that is held out, e.g. 0.3."
            )
    elif isinstance(cv, numbers.Real) and not isinstance(cv, bool):
        if not 0 < float(cv) < 1:
            raise ValueError(
                "`cv` as a float is the fraction that is held out, inside (0, 1). "
                f"Got {cv}; for a number of folds pass an int."
            )
        one_split = ShuffleSplit if independent else StratifiedShuffleSplit
        return one_split(n_splits=1, test_size=float(cv), random_state=random_state)
    elif isinstance(cv, str) or not (
        cv is None or hasattr(cv, "split") or isinstance(cv, Iterable)
    ):
        raise ValueError(
            "`cv` must be a number of folds, a fraction that is held out, a splitter of "
            f"sklearn.model_selection, or an iterable of (train, test) rows. Got {cv!r}."
        )
    elif cv is not None:
        return cv
    return check_cv(cv, y, classifier=True)


def splits_of(cv: Any, X: Any, y: np.ndarray, split_params: dict) -> list:
    """Pairs (train, test) of row numbers; each training part has both classes."""
    given = cv.split(X, y, **split_params) if hasattr(cv, "split") else cv
    splits = [_parts(number, split, len(y)) for number, split in enumerate(given)]
    if not splits:
        raise ValueError(f"`cv` must give one split at least. Got none from {cv}.")
    for number, (train, _) in enumerate(splits):
        held = y[train]
        if (held == held[0]).all():
            raise ValueError(
                "`cv` must leave two classes in every training part. That of split "
                f"{number} holds only {listed(held[:1])}: use fewer or stratified folds, "
                "or add samples of the other class."
            )
    return splits


def check_one_split(splits: list, confidence: float | None) -> None:
    """Refuse more splits than one, and rows of which nothing is proven."""
    if len(splits) > 1:
        raise ValueError(
            "`refit=False` keeps the classifier of the only split there is. `cv` gives "
            f"{len(splits)}: pass a fraction, e.g. `cv=0.3`, or `refit=True`."
        )
    train, test = splits[0]
    if confidence is not None and (
        np.isin(test, train).any() or len(np.unique(test)) < len(test)
    ):
        raise ValueError(
            f"`confidence`={confidence} needs a split that holds out each row once, and no "
            "row of the training part."
        )


def _parts(number, split, n_rows):
    """Row numbers of the training and the held-out part of one split."""
    try:
        train, test = (np.arange(n_rows)[part] for part in split)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(
            "`cv` must give pairs (train, test) of row numbers or masks for the "
            f"{n_rows} rows of `y`. Split {number} is none: {error}."
        ) from error
    if not (len(train) and len(test)):
        empty = "held-out" if len(train) else "training"
        raise ValueError(
            f"`cv` must give two parts with rows. The {empty} part of split {number} is "
            "empty."
        )
    return train, test
