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

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtr, ndtri

from .._inference.samples import Sample
from .._roc.counting import every_threshold
from .._roc.curve import EQUAL_WITHIN
from ..metrics._operating_points import n_predicted_at, recall_reaching
from ._union import CurveCounts
from ._zones import N_ZONES, POSITIVE, weights_of, zones_at

# The slope of the curve is that of a secant, which reaches this number times n^(-1/5) to
# both sides, in probits.
_REACH = 1.5
# If the effective sample size of each class is at least this share of its samples, weights
# are nearly constant within the classes, and a data set shows all weights that there are.
_NEARLY_EQUAL = 0.95


@dataclass(frozen=True)
class CutSample(Sample):
    """A `Sample` for cuts of a score: its ROC curve has a point at every threshold.

    Attributes
    ----------
    reference_prevalence : float or None
    """

    reference_prevalence: float | None = None

    @cached_property
    def curve(self):
        """The `CurveCounts` of the ROC curve."""
        return CurveCounts.of(self.roc)

    @property
    def curve_in_samples(self):
        """The `curve`, divided by the weight if independent samples have equal weights.

        In other designs the `DesignEffect` divides it.
        """
        weight = self.data.weight
        if weight is None or not self.is_simple:
            return self.curve
        return self.curve.divided(float(weight[0]))

    @cached_property
    def mean_weight(self):
        """Mean weight of the samples."""
        weight = self.data.weight
        return 1.0 if weight is None else weight.mean()

    @cached_property
    def has_unequal_weights(self):
        """Whether independent samples have weights that vary within a class."""
        if self.clusters is not None or self.is_simple:
            return False
        few = self.effective_class_sizes < _NEARLY_EQUAL * self.n_units_by_class
        return bool(few.any())

    @property
    def is_weighted(self):
        """Whether the totals are weights, not numbers of samples."""
        weight = self.data.weight
        return weight is not None and bool(np.any(weight != 1))

    def at_prevalence(self):
        """The sample with weights that give it the reference prevalence.

        The limits are those of the same weights passed as `sample_weight`. They include the
        variance due to random class counts and are conservative if the prevalence is known.
        """
        if self.reference_prevalence is None or not self.has_both_classes:
            return self
        roc = self.roc.at_prevalence(self.reference_prevalence)
        weight = np.where(self.data.positive, 1.0, roc.negative_weight) * self.weight
        points = roc.concatenated()
        roc = roc._replace(parts=[points], n_neg=points.fps[-1], negative_weight=1.0)
        return replace(self, data=self.data._replace(weight=weight), roc=roc)

    def of_mean_weights(self):
        """The sample with weights of mean 1 in each class, which leave recall and FPR."""
        data = self.data
        if data.weight is None:
            return self
        weight = data.weight.astype(np.float64)
        for in_class in (data.positive, ~data.positive):
            if np.ptp(weight[in_class]):
                weight[in_class] /= weight[in_class].mean()
            else:
                weight[in_class] = 1.0
        points, n_pos = self.roc.concatenated(), np.count_nonzero(data.positive)
        n_neg = len(data.positive) - n_pos
        points = points._replace(
            fps=points.fps * (n_neg / points.fps[-1]),
            tps=points.tps * (n_pos / points.tps[-1]),
        )
        roc = self.roc._replace(
            parts=[points], n_pos=float(n_pos), n_neg=float(n_neg), negative_weight=1.0
        )
        return replace(self, data=data._replace(weight=weight), roc=roc)


def roc_at_thresholds(data):
    """The `ROCCurve` of `BinaryData` at every threshold, in one part."""
    roc = every_threshold(data)
    return roc._replace(parts=[roc.concatenated()])


@dataclass(frozen=True)
class Cut:
    """The samples that are predicted positive at a cut.

    Attributes
    ----------
    sample : CutSample
    kind : {"recall", "precision", "fpr", "k", "threshold"}
        What is fixed at the cut.
    at : float or int
        The value that is fixed.
    score : float
        The threshold, or the lowest score that is predicted positive.
    fraction_of_tie : float
        The fraction of the samples with this score that is predicted positive.
    segment : int
        The segment of the ROC curve at the cut, by its first point; at a false positive
        rate it may begin where the tie of the score ends. At a threshold the segment and
        the point do not matter.
    point : tuple of (float, float)
        False and true positives by the ROC curve.
    """

    sample: CutSample
    kind: str
    at: float
    score: float
    fraction_of_tie: float = 1.0
    segment: int = 0
    point: tuple[float, float] = (0.0, 0.0)

    @property
    def moves(self):
        """Whether the cut moves with the weights of the samples."""
        return self.kind != "threshold"

    @cached_property
    def zones(self):
        """The zone of each sample, shape (n_samples,)."""
        data = self.sample.data
        return zones_at(data.positive, data.score, self.score, self.moves)

    @cached_property
    def weights(self):
        """The `SampleWeights` or the `ClusterWeights` of each zone."""
        return weights_of(self.sample, self.zones)

    @cached_property
    def shares(self):
        """How much of a sample of each zone is in each cell, from 0 to 1.

        The cells are true and false positives, false and true negatives.
        """
        predicted = np.tile([1.0, self.fraction_of_tie, 0.0], N_ZONES // 3)
        return _cells_of(POSITIVE * predicted, predicted)

    @cached_property
    def cells(self):
        """The weight in each cell."""
        total = self.weights.total
        return tuple(total @ share for share in self.shares)

    @property
    def n_predicted(self):
        """Weight of the samples predicted positive."""
        return self.cells[0] + self.cells[1]

    @property
    def held(self):
        """The share that is held: the recall, the FPR or, at k, that of all samples."""
        return self.n_predicted / sum(self.cells) if self.kind == "k" else self.at

    @property
    def tied_weight(self):
        """Weight of the samples at the cut if it divides them; else None."""
        above, tied, _ = self.weights.total.reshape(2, 3).sum(axis=0)
        if self.n_predicted >= (above + tied) * (1 - 1e-12):
            return None
        is_tied = self.zones % (N_ZONES // 2) == 1
        return float(tied) if np.count_nonzero(is_tied) > 1 else None

    @cached_property
    def influence(self):
        """The derivative of each cell by the weight of a sample of each zone."""
        return _influence_of(self) if self.moves else self.shares

    def derivative_of(self, rate):
        """Derivative of a defined rate by the weight of a sample of each zone."""
        return rate.influence(self.cells, self.influence)


def cut_at(sample, kind, at):
    """The `Cut` at a recall, a precision, a false positive rate, a k or a threshold.

    If a point of the ROC curve has the recall, or k samples above it, the cut is there. At
    a false positive rate it has the most true positives. At a precision it is at the last
    recall with this precision, or above all scores if there is none.
    """
    if kind == "threshold":
        return Cut(sample, kind, at, score=at)
    counts = sample.curve.position_count(kind)
    if kind == "k":
        target = n_predicted_at(np.asarray(at), counts[-1]).item()
    elif kind == "precision":
        recall = float(recall_reaching(sample.roc, np.float64(at)))
        if recall == 0:
            return Cut(sample, kind, at, score=np.inf, fraction_of_tie=0.0)
        target = recall * counts[-1]
    else:
        target = at * counts[-1]
    if kind == "fpr":
        start = int(counts.searchsorted(target * (1 + EQUAL_WITHIN), "right")) - 1
    else:
        start = max(int(counts.searchsorted(target * (1 - EQUAL_WITHIN))), 1) - 1
    # At all samples the cut is at the last point, also if the weight of the last samples is
    # too small to change the total.
    if start == len(counts) - 1 or (kind == "k" and target == counts[-1]):
        start = len(counts) - 2
    fraction = _fraction_above(counts, start, target)
    both = sample.curve.fps, sample.curve.tps
    fp, tp = (c[start] + fraction * (c[start + 1] - c[start]) for c in both)
    end = start + 1
    if kind == "fpr" and fraction * (counts[end] - counts[start]) <= EQUAL_WITHIN * target:
        # No sample beyond point `start` is predicted positive, so the cut has the score of
        # this point. The segment then lies beyond the tie of this score.
        fraction, end = 1.0, start
    # `thresholds` gives none for the first of the points, so point 0 stands before the
    # point of the cut.
    score = sample.roc.thresholds(sample.roc.concatenated().take([0, end]))[0]
    return Cut(sample, kind, at, score, fraction, start, (fp, tp))


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


def _influence_of(cut):
    """The `influence` of a `Cut` that moves.

    The letters are those of the module's docstring.
    """
    fp, tp = cut.point
    n_neg, n_pos = cut.sample.curve.fps[-1], cut.sample.curve.tps[-1]
    s = _local_precision(cut)
    a, y = np.tile([1.0, cut.fraction_of_tie, 0.0], N_ZONES // 3), POSITIVE
    if cut.kind in ("recall", "precision"):
        r = tp / n_pos
        dT = r * y
        dF = (1 - y) * a + y * (r - a) * (1 - s) / s
    elif cut.kind == "fpr":
        f = fp / n_neg
        dT = y * a + (1 - y) * (f - a) * s / (1 - s)
        dF = f * (1 - y)
    else:
        q = (tp + fp) / (n_pos + n_neg)
        dT = (y - s) * a + s * q
        dF = q - dT
    return _cells_of(dT, dT + dF)


def _local_precision(cut):
    """The local precision s.

    In a wide tie, in which the cut of a data set drawn anew would lie, too, the curve is
    straight around the cut, with the share of positives of the tie. s is inside (0, 1),
    because dF and dT divide by s and by 1 - s.
    """
    sample, start = cut.sample, cut.segment
    fps, tps = sample.curve.fps, sample.curve.tps
    n = fps[-1] + tps[-1]
    positives_tied = tps[start + 1] - tps[start]
    tied = positives_tied + fps[start + 1] - fps[start]
    n_above = sample.roc.concatenated().n_above
    # A single sample is not a tie, because its class alone is not the share of positives
    # around it.
    is_tie = n_above[start + 1] - n_above[start] > 1
    # The number of samples above a fixed score has a binomial standard deviation; a wide
    # tie has more samples.
    n_samples, share = len(sample.data.positive), sum(cut.point) / n
    if is_tie and (tied / n * n_samples) ** 2 > n_samples * share * (1 - share):
        s = positives_tied / tied
    elif not sample.has_both_classes:
        s = tps[-1] / n
    else:
        s = _precision_by_probits(cut)
    return np.clip(s, 1e-6, 1 - 1e-6)


def _precision_by_probits(cut):
    """The local precision from the slope of a secant of the ROC curve in probits."""
    curve, positive = cut.sample.curve, cut.sample.data.positive
    n_samples, n_pos = len(positive), np.count_nonzero(positive)
    fp, tp = cut.point
    if cut.kind == "fpr":
        slope = _slope_by_probits(fp, curve.fps, curve.tps, n_samples - n_pos, n_pos)
        return slope / (1 + slope)
    if cut.kind == "k":  # the slope is dT / d(T + F)
        return _slope_by_probits(
            tp + fp, curve.position_count("k"), curve.tps, n_samples, n_pos
        )
    slope = _slope_by_probits(tp, curve.tps, curve.fps, n_pos, n_samples - n_pos)
    return 1 / (1 + slope)


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
