"""The samples that are predicted positive at a threshold, or at a cut that moves with them.

The cut of a score moves with the weights of the samples, so that the recall, the FPR or the
share k stays as it is. The true positives T and the false positives F at the cut have the
derivatives dT and dF by the weight of a sample:

    recall r      dT = r y                              dF = (1 - y) a + y (r - a)(1 - s)/s
    FPR f         dT = y a + (1 - y)(f - a) s/(1 - s)   dF = f (1 - y)
    k, share q    dT = (y - s) a + s q                  dF = q - dT
    threshold     dT = y a                              dF = (1 - y) a

y is the class of the sample (1 if positive), a the share of it above the cut (0 or 1, or a
fraction in a tie that is divided), and s the *local precision*: the share of positives
among the samples next to the cut, dT / d(T + F) along the curve. The influence of a sample
on a rate follows by the quotient rule.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from .._roc.curve import EQUAL_WITHIN
from ..metrics._operating_points import n_predicted_at
from ._union import CurveCounts
from ._zones import N_ZONES, POSITIVE, ClusterWeights, SampleWeights, weights_of, zones_at

# The slope of the curve is that of a secant, which reaches this number times n^(-1/5) to
# both sides, in probits.
_REACH = 1.5


class Cut(NamedTuple):
    """The samples that are predicted positive at a cut.

    Attributes
    ----------
    score : float
        The threshold, or the lowest score that is predicted positive.
    zones : ndarray of int8, shape (n_samples,)
        The zone of each sample.
    weights : SampleWeights or ClusterWeights
        Weights of the samples in each zone.
    shares : tuple of ndarray, each of shape (6,)
        For true and false positives, false and true negatives: how much of a sample of each
        zone is in this cell, from 0 to 1.
    influence : tuple of ndarray, each of shape (6,)
        The derivative of each cell by the weight of a sample of each zone.
    cells : tuple of float
        The weight in each cell.
    """

    score: float
    zones: np.ndarray
    weights: SampleWeights | ClusterWeights
    shares: tuple
    influence: tuple
    cells: tuple

    @property
    def moves(self):
        """Whether the cut moves with the weights of the samples."""
        return self.influence is not self.shares

    def derivative_of(self, rate):
        """Derivative of a defined rate by the weight of a sample of each zone."""
        return rate.influence(self.cells, self.influence)


def cut_at(sample, kind, at):
    """The `Cut` at a recall, a false positive rate, a k or a threshold.

    If a point of the ROC curve has the recall, or k samples above it, the cut is there. At
    a false positive rate it has the most true positives.
    """
    if kind == "threshold":
        # These are the shares of a sample above the cut, at the cut and below it that are
        # predicted positive. They are the same for both classes.
        predicted = np.tile([1.0, 1.0, 0.0], N_ZONES // 3)
        shares = _cells_of(POSITIVE * predicted, predicted)
        return _cut_of(sample, at, shares, shares, divides_tie=False)
    curve = CurveCounts.of(sample.roc)
    held = curve.held(kind)
    if kind == "k":
        target = n_predicted_at(np.asarray(at), held[-1]).item()
    else:
        target = at * held[-1]
    if kind == "fpr":
        start = int(held.searchsorted(target * (1 + EQUAL_WITHIN), "right")) - 1
    else:
        start = max(int(held.searchsorted(target * (1 - EQUAL_WITHIN))), 1) - 1
    # At all samples the cut is at the last point, also if the weight of the last samples is
    # too small to change the total.
    if start == len(held) - 1 or (kind == "k" and target == held[-1]):
        start = len(held) - 2
    along = _fraction_above(held, start, target)
    shares, influence = _shares_and_influence(sample, curve, kind, start, along)
    points = sample.roc.concatenated()
    score = sample.roc.thresholds(points.take([0, start + 1]))[0]
    return _cut_of(sample, score, shares, influence, divides_tie=True)


def _cut_of(sample, score, shares, influence, *, divides_tie):
    """The `Cut` at a score from its shares and its influence by zone."""
    zones = zones_at(sample.data.positive, sample.data.score, score, divides_tie)
    weights = weights_of(sample, zones)
    cells = tuple(weights.total @ share for share in shares)
    return Cut(score, zones, weights, shares, influence, cells)


def _cells_of(tps, predicted):
    """True and false positives, false and true negatives, of a sample of each zone.

    `tps` are its true positives and `predicted` its true and false positives together, or
    the derivatives of the two by its weight.
    """
    fps = predicted - tps
    return tps, fps, POSITIVE - tps, 1 - POSITIVE - fps


def _fraction_above(counts, start, target):
    """The fraction of a segment at which a count that rises along it is `target`."""
    width = counts[start + 1] - counts[start]
    return min((target - counts[start]) / width, 1.0) if width else 1.0


def _shares_and_influence(sample, curve, kind, start, along):
    """The `shares` and the `influence` of a `Cut` at a fraction `along` of a segment.

    The letters are those of the module's docstring.
    """
    fp, tp = (c[start] + along * (c[start + 1] - c[start]) for c in curve)
    s = _local_precision(sample, curve, kind, start, fp, tp)
    a, y = np.tile([1.0, along, 0.0], N_ZONES // 3), POSITIVE
    if kind == "recall":
        r = tp / curve.tps[-1]
        dT = r * y
        dF = (1 - y) * a + y * (r - a) * (1 - s) / s
    elif kind == "fpr":
        f = fp / curve.fps[-1]
        dT = y * a + (1 - y) * (f - a) * s / (1 - s)
        dF = f * (1 - y)
    else:
        q = (tp + fp) / (curve.tps[-1] + curve.fps[-1])
        dT = (y - s) * a + s * q
        dF = q - dT
    return _cells_of(y * a, a), _cells_of(dT, dT + dF)


def _local_precision(sample, curve, kind, start, fp, tp):
    """The local precision s at a cut on a segment with `fp` and `tp` positives above it.

    In a wide tie, in which the cut of a data set drawn anew would lie, too, the curve is
    straight around the cut, with the share of positives of the tie. s is inside (0, 1),
    because dF and dT divide by s and by 1 - s.
    """
    fps, tps = curve
    n = fps[-1] + tps[-1]
    positives_tied = tps[start + 1] - tps[start]
    tied = positives_tied + fps[start + 1] - fps[start]
    n_above = sample.roc.concatenated().n_above
    # A single sample is not a tie, because its class alone is not the share of positives
    # around it.
    is_tie = n_above[start + 1] - n_above[start] > 1
    # The number of samples above a fixed score has a binomial standard deviation; a wide
    # tie has more samples.
    n_samples, share = len(sample.data.positive), (tp + fp) / n
    if is_tie and (tied / n * n_samples) ** 2 > n_samples * share * (1 - share):
        s = positives_tied / tied
    elif not sample.has_both_classes:
        s = tps[-1] / n
    else:
        s = _precision_by_probits(sample, curve, kind, fp, tp)
    return np.clip(s, 1e-6, 1 - 1e-6)


def _precision_by_probits(sample, curve, kind, fp, tp):
    """The local precision from the slope of a secant of the ROC curve in probits."""
    n_samples = len(sample.data.positive)
    n_pos = np.count_nonzero(sample.data.positive)
    held, other = curve.held(kind), curve.fps if kind == "recall" else curve.tps
    count = {"recall": tp, "fpr": fp, "k": tp + fp}[kind]
    n = {"recall": n_pos, "fpr": n_samples - n_pos, "k": n_samples}[kind]
    n_other = n_samples - n_pos if kind == "recall" else n_pos
    slope = _slope_by_probits(count, held, other, n, n_other)
    if kind == "k":  # dT / d(T + F)
        return slope
    return 1 / (1 + slope) if kind == "recall" else slope / (1 + slope)


def _slope_by_probits(at, held, other, n, n_other):
    """The slope d other / d held, of two counts along a curve, where `held` is `at`.

    It is that of a secant in probit coordinates, in which the ROC curve of two normal
    distributions is straight. So the secant can reach far, 1.5 n^(-1/5) to both sides, with
    little bias. In simulations the slope of the hull made the local precision too high at
    high recalls, and tests of the precision at a recall rejected equal scores in up to 0.24
    instead of 0.05. Finite differences in a window made it too low.

    Parameters
    ----------
    at : float
    held, other : ndarray of shape (n_points,)
        Both counts at the points of the curve, of which the last ones are the totals.
    n, n_other : int
        Numbers of samples in the totals, which may be weights.
    """

    def probit(share, n):
        return ndtri((share * n + 0.5) / (n + 1))  # half a sample away from 0 and 1

    def other_at(share):
        """The other share where the held one is this; the middle one of several."""
        x = share * held[-1]
        first = np.searchsorted(held, x, "left")
        last = np.searchsorted(held, x, "right") - 1
        middle = (other[np.minimum(first, len(other) - 1)] + other[last]) / 2
        return np.where(last >= first, middle, np.interp(x, held, other)) / other[-1]

    share = at / held[-1]
    z, reach = probit(share, n), _REACH * n**-0.2
    ends = ndtr(np.array([z - reach, z + reach])) * (n + 1) - 0.5
    low, high = np.clip(ends / n, 0, 1)
    v_low, v, v_high = probit(other_at(np.array([low, share, high])), n_other)
    secant = (v_high - v_low) / (probit(high, n) - probit(low, n))
    # d other / d held = (dv / dz) density(v) other / (density(z) held)
    return secant * np.exp((z**2 - v**2) / 2) * other[-1] / held[-1]


def check_fpr(fpr, n_neg, argument="fpr"):
    """Raise `ValueError` at a false positive rate of less than one negative."""
    if fpr * n_neg < 1 - 1e-12:
        raise ValueError(
            f"`{argument}`={fpr:g} of {n_neg} negatives is less than one negative, so the "
            "data do not say which recall belongs to it. Collect at least "
            f"{np.ceil((1 - 1e-12) / fpr):.0f} negatives, or pass a larger `{argument}`."
        )
