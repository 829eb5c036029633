"""Probabilities 0 and 1 that samples of both classes share, and their decision values."""

import numpy as np

from .labels import BinaryData
from .options import warn_caller


def saturated(data: BinaryData) -> dict[int, np.ndarray]:
    """Masks of the samples with the score 1, or 0, where both classes share this score."""
    masks = {end: data.score == end for end in (1, 0)}
    return {
        end: tied
        for end, tied in masks.items()
        if (tied_labels := data.positive[tied]).any() and not tied_labels.all()
    }


def decision_values_separate(tied: dict[int, np.ndarray], values: np.ndarray) -> bool:
    """Whether decision values separate saturated probabilities; warns if they do.

    `tied` are the masks from `saturated`. A mask whose samples also share their decision
    value does not count, because decision values do not separate them either.
    """
    tied = {end: is_tied for end, is_tied in tied.items() if np.ptp(values[is_tied]) > 0}
    if not tied:
        return False
    warn_caller(
        '`response_method`="auto" takes "decision_function", because '
        f"{np.count_nonzero(sum(tied.values()))} samples of both classes have the "
        f"probability {' or '.join(map(str, tied))}, where no threshold of probabilities "
        'separates them. Pass "predict_proba" to keep probabilities.'
    )
    return True
