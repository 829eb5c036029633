"""Files with points of a published curve to counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .files import FileError, Layout, RefusedError, blocks, in_pieces, numbers_of

_RATES = {
    "pr": ("recall", "precision"),
    "roc": ("false positive rate", "true positive rate"),
}
_LIMITS = (0.0, 1.0, "number within [0, 1]")


def read_points(stream, name: str, kind: str, n_pos, n_neg, on_bytes: Callable):
    """Points of a curve, in any order, as counts.

    Parameters
    ----------
    stream : io.BufferedReader
    name : str
    kind : {"pr", "roc"}
        Lines of recall and precision, or of false and true positive rate.
    n_pos, n_neg : int or float
        Totals of the classes.
    on_bytes : callable

    Returns
    -------
    fps, tps : ndarray of float64, shape (n_points,)
        Neither falls.
    """
    what = " and ".join(_RATES[kind])
    numbers = dict(zip(_RATES[kind], (0, 1), strict=True))
    layout = Layout(None, f"two fields, {what}", 2, numbers)
    data = b"".join(data for _, data in blocks(stream, name, on_bytes))

    def use(columns, lines):
        rates = [numbers_of(columns[at], what, _LIMITS) for what, at in numbers.items()]
        return _path(*(_of_pr if kind == "pr" else _of_roc)(*rates, n_pos, n_neg), lines)

    fps, tps = in_pieces(1, data, layout, name, use)
    if not len(tps):
        raise FileError(f"{name}: holds no points. Needs {what}, one at a recall above 0.")
    return fps, tps


def _of_roc(fpr, tpr, n_pos, n_neg):
    """Counts, and of which row they are."""
    return _whole(fpr * n_neg), _whole(tpr * n_pos), np.arange(len(fpr))


def _of_pr(recall, precision, n_pos, n_neg):
    # In this form a point on the floor is on it but for a few roundings.
    wrong = recall * n_pos * (1 - precision) > precision * n_neg * (1 + 1e-9)
    if wrong.any():
        at = np.argmax(wrong)
        floor = recall[at] * n_pos / (recall[at] * n_pos + n_neg)
        raise RefusedError(
            f"the lowest precision at recall {recall[at]:g} is {floor:.6g}; check --n-pos "
            "and --n-neg, and that recall comes first",
            at,
        )
    row = np.flatnonzero(recall)  # recall 0 says nothing of false positives
    tps = recall[row] * n_pos
    fps = tps * (1 - precision[row]) / precision[row]
    return np.minimum(_whole(fps), n_neg), _whole(tps), row


def _whole(counts):
    """Counts that are whole but for rounding made whole."""
    nearest = np.round(counts)
    is_whole = np.abs(counts - nearest) <= 1e-9 * np.maximum(nearest, 1)
    return np.where(is_whole, nearest, counts)


def _path(fps, tps, row, lines):
    """The counts by rising true positives."""
    order = np.lexsort((fps, tps))
    fps, tps, row = fps[order], tps[order], row[order]
    highest = np.maximum.accumulate(fps)
    falls = highest - fps > 1e-9 * np.maximum(highest, 1)
    if falls.any():
        later = np.argmax(falls)
        earlier = np.argmax(fps[: later + 1])
        raise RefusedError(
            f"no ranking has this point and that of line {lines[row[earlier]]}: from "
            f"{tps[earlier]:.6g} to {tps[later]:.6g} true positives the false positives "
            f"fall from {fps[earlier]:.6g} to {fps[later]:.6g}. Leave one out; give "
            "rounded points with more digits",
            row[later],
        )
    return highest, tps
