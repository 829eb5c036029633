"""Batches of samples of any engine as checked NumPy arrays."""

from collections.abc import Iterable

from .._input.arrays import on_host
from .._input.labels import check_batch

# Maximum number of samples in a checked batch, so that temporary arrays stay in the cache.
_BLOCK = 1 << 17


def checked(batches, pos_label):
    """Pairs of `BinaryData` and its labels, as from `check_batch`.

    A batch is a tuple of labels, scores and perhaps weights. Empty batches are skipped.
    Large batches are divided.
    """
    if not isinstance(batches, Iterable):
        raise TypeError(
            f"`batches` must return an iterable of batches. Got {type(batches).__name__}."
        )
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                "`batches` must hold tuples (y_true, y_score) or (y_true, y_score, "
                f"sample_weight). Got {type(batch).__name__}."
            )
        y_true, y_score, weight = batch if len(batch) == 3 else (*batch, None)
        y_true, y_score = on_host(y_true, "y_true"), on_host(y_score, "y_score")
        if y_true.shape[:1] == y_score.shape[:1] == (0,):
            continue
        data, labels = check_batch(y_true, y_score, pos_label, weight)
        # A batch without weight has no samples, but labels.
        for start in range(0, max(len(data.score), 1), _BLOCK):
            stop = start + _BLOCK
            yield data.take(slice(start, stop)), labels
