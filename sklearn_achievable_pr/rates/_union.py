"""Limits of a rate at a cut that moves with the samples: a union over points.

Where a recall, a precision, a false positive rate or k is fixed, a data set does not tell
the threshold at which the population has it. Every point (f, t) of the ROC curve near the
cut, with f of N negatives and t of P positives at or above a threshold, may be the one. One
share of the samples at a point is *held*, because its value in the population is known.
Other shares, of other samples, determine the rate:

    fixed          held share         other shares x                     rate
    recall r       t of P             P of P + f                         r x / (r x + 1 - x)
    precision p    t of t + f         t + f of P + f                     p x / (p x + 1 - x)
    FPR            f of N             t of P                             x
    share q (k)    t + f of P + N     t of t + f, P - t of the others    its four cells

A held share h of n samples, with the value v in the population, has the deviance

    D = 2 n KL(h, v),   KL(h, v) = h log(h / v) + (1 - h) log((1 - h) / (1 - v)).

Of the squared normal quantile z^2 of the confidence level, z^2 - D is left for the other
shares, which have their Clopper-Pearson limits at this quantile. The limits of the rate are
the extremes over all points with D <= z^2. With the likelihood in place of Clopper-Pearson
limits this would be the empirical likelihood of a point of the curve (Qin and Lawless
1994), whose limits are too narrow where few samples decide.

With weights or clusters, all numbers of samples are divided by the design effect, the ratio
of the variance of the rate to that of independent samples of weight 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy.special import betainccinv, betaincinv, ndtr, rel_entr, stdtrit

# Points are searched around the cut within the distance that Bernstein's inequality gives
# for this normal quantile (`_reach`). So they are the same at every confidence level.
_WIDEST = 8.0
# The design effect of this normal quantile is used for the search.
_USUAL = 2.0
# Besides the cut, this many vertices of the curve and as many spaced points are used to
# each side of it. With many more of them, widths were 0.2 % larger on average.
_N_SPACED = 64
# Points are ranked by limits in closed form. The exact ones are computed of the best few.
_N_EXACT = 4


class DesignEffect(NamedTuple):
    """Divisor of numbers of samples.

    Attributes
    ----------
    ratio : float or ndarray of shape (n_rows, 1)
        Variance of the rate relative to that of independent samples of weight 1.
    df : float or ndarray of shape (n_rows, 1)
        Degrees of freedom of the variance.
    """

    ratio: float | np.ndarray
    df: float | np.ndarray

    def at(self, z):
        """The divisor at normal quantiles, which includes the wider quantiles of t.

        The factor is limited, because its square overflows with very few degrees of
        freedom.
        """
        z = np.maximum(z, 1e-3)  # at 0 both quantiles are 0
        wider = -stdtrit(self.df, ndtr(-z)) / z
        return self.ratio * np.minimum(wider, 1e20) ** 2


@dataclass(frozen=True)
class Share:
    """A share of the samples at each of several points.

    Attributes
    ----------
    yes, no : ndarray
        The numbers of samples that are in it, and that are not.
    """

    yes: np.ndarray
    no: np.ndarray

    @cached_property
    def complement(self):
        """The share of the samples that are not in this one."""
        return Share(self.no, self.yes)

    def divided(self, divisor):
        """The share with both numbers divided by `divisor`."""
        return Share(self.yes / divisor, self.no / divisor)

    def of_points(self, index):
        """The share at some of the points in each row."""
        return Share(_taken(self.yes, index), _taken(self.no, index))

    @cached_property
    def _corrected(self):
        """Number in the share (with a continuity correction), of all, and the variance.

        The variance is the binomial one of the first number.
        """
        # The correction is about half a sample. A smooth cap at n keeps points near the end
        # distinct.
        yes = self.yes + 0.5 * self.no / (self.no + 0.5)
        n = np.maximum(self.yes + self.no, 1e-300)
        return yes, n, yes * (1 - yes / n)

    def wilson_limit(self, z, side):
        """About the exact limit, in closed form: Wilson's with a continuity correction."""
        if side < 0:
            return 1 - self.complement.wilson_limit(z, 1)
        (yes, n, variance), square = self._corrected, z**2
        return (yes + square / 2 + z * np.sqrt(variance + square / 4)) / (n + square)

    def exact_limit(self, z, side):
        """The limit of Clopper and Pearson."""
        tail, yes, no = ndtr(-z), self.yes, self.no
        if side > 0:
            limit = betainccinv(yes + 1, np.maximum(no, 1e-300), tail)
            at_end = no <= 0
        else:
            limit = betaincinv(np.maximum(yes, 1e-300), no + 1, tail)
            at_end = yes <= 0
        if at_end.any():
            limit[at_end & ~np.isnan(tail)] = float(side > 0)
        return limit


class Union(NamedTuple):
    """Points of a ROC curve near a cut.

    The first point is the cut itself. After `take` it may be any point, which is harmless
    with one share, because only the parts of two shares depend on the first point.

    All arrays are of shape (n_rows, n_points). Rows are several cuts, or there is one row.

    Attributes
    ----------
    deviance : ndarray
        Deviance of the held share.
    shares : list of Share
        The other shares. The rate rises with the first one and falls with the second one,
        if there is one.
    rate : callable
        The rate from the values of the shares.
    effect : DesignEffect or None
        None if samples are independent with equal weights, and all numbers count them.
    """

    deviance: np.ndarray
    shares: list
    rate: Callable
    effect: DesignEffect | None = None

    def limits(self, z, sides=(-1, 1)):
        """Lower and upper limits of the rate at normal quantiles, or one of them.

        `z` has one element per row or, if there is one row, any number of them. `sides` are
        -1 for the lower limit, and 1 for the upper one.
        """
        z = np.asarray(z, dtype=np.float64)[:, np.newaxis]
        shares, left = self._shares_and_left(z)
        ends = []
        for side in sides:
            parts = self._parts_of_shares(shares, z, side)
            if len(shares) == 1:  # the rate rises with it, so it ranks the points
                value = shares[0].wilson_limit(left, side)
            else:
                value = self._rate_at_share_limits(
                    shares, left, parts, side, Share.wilson_limit
                )
            # A point that is not admitted is ranked last.
            best = _smallest(np.where(np.isnan(left), np.inf, -side * value))
            few = [share.of_points(best) for share in shares]
            value = self._rate_at_share_limits(
                few, _taken(left, best), parts, side, Share.exact_limit
            )
            farthest = np.fmax if side > 0 else np.fmin
            ends.append(farthest.reduce(value, axis=1))
        return tuple(ends)

    def take(self, index):
        """The union over these points of the only row."""
        shares = [share.of_points(index[np.newaxis]) for share in self.shares]
        return self._replace(deviance=self.deviance[:, index], shares=shares)

    def ends_of_points(self, z):
        """Approximate limits of the rate at each point; NaN if it is not admitted."""
        column = np.full((1, 1), z)
        shares, left = self._shares_and_left(column)
        ends = []
        for side in (-1, 1):
            parts = self._parts_of_shares(shares, column, side)
            value = self._rate_at_share_limits(
                shares, left, parts, side, Share.wilson_limit
            )
            ends.append(value[0])
        return ends

    def _shares_and_left(self, z):
        """The shares in effective samples, and the quantile left at each point, or NaN."""
        shares, deviance = self.shares, self.deviance
        if self.effect is not None:
            divisor = self.effect.at(z)
            deviance = deviance / divisor
            shares = [share.divided(divisor) for share in shares]
        rest = z**2 - deviance
        return shares, np.sqrt(np.where(rest >= 0, rest, np.nan))

    def _rate_at_share_limits(self, shares, left, parts, side, limit):
        """The rate at points where each share is at its limit.

        `left` is the quantile that is left at each point. Each of two shares gets a part.
        """
        if len(shares) == 1:
            return self.rate(limit(shares[0], left, side))
        first, second = shares
        return self.rate(
            limit(first, left * parts[0], side), limit(second, left * parts[1], -side)
        )

    def _parts_of_shares(self, shares, z, side):
        """The part of a quantile that each of two shares gets.

        If the whole quantile moved either share alone, the rate would move by d1 or by d2.
        Both together move it farthest if the parts, whose squares add up to 1, are as d1 to
        d2. They are those at the cut, which is the first point.
        """
        if len(shares) == 1:
            return None
        first, second = (Share(s.yes[:, :1], s.no[:, :1]) for s in shares)
        # Half a sample away from 0 and 1 every rate is defined.
        here = [(s.yes + 0.5) / (s.yes + s.no + 1) for s in (first, second)]
        z = np.maximum(z, 1e-3)
        rate = self.rate(*here)
        both = np.broadcast_arrays(
            self.rate(first.wilson_limit(z, side), here[1]) - rate,
            self.rate(here[0], second.wilson_limit(z, -side)) - rate,
        )
        total = np.hypot(*both)
        return np.abs(both) / np.where(total > 0, total, np.inf)


def _smallest(rank):
    """Indices of the smallest few elements of each row; `rank` is overwritten."""
    found, rows = np.empty((len(rank), _N_EXACT), dtype=np.int64), np.arange(len(rank))
    for i in range(_N_EXACT):
        found[:, i] = rank.argmin(axis=1)
        rank[rows, found[:, i]] = np.inf
    return found


def _taken(values, index):
    """Elements of each row, of values that may have one row for all."""
    if len(values) == 1:
        return values[0].take(index)
    return np.take_along_axis(values, index, axis=1)


@dataclass(frozen=True)
class CurveCounts:
    """The points of a ROC curve, as float64.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_points,)
    """

    fps: np.ndarray
    tps: np.ndarray

    @classmethod
    def of(cls, roc):
        """The points of a `ROCCurve`."""
        points = roc.concatenated()
        return cls(points.fps.astype(np.float64), points.tps.astype(np.float64))

    def divided(self, weight):
        """The points with both counts divided by a weight."""
        return CurveCounts(self.fps / weight, self.tps / weight)

    @cached_property
    def predicted(self):
        """False and true positives together."""
        return self.fps + self.tps

    def position_count(self, kind):
        """The count whose value tells where the cut of a kind is, at each point.

        At a precision this count is not that of the held share.
        """
        if kind in ("recall", "precision"):
            return self.tps
        return self.fps if kind == "fpr" else self.predicted


def union_at(kind, curve, at, effect=None, rates=()):
    """The `Union` of the rate at recalls, at a false positive rate, or at a share k / n.

    Parameters
    ----------
    kind : {"recall", "fpr", "k"}
    curve : CurveCounts
    at : ndarray of shape (n_rows,)
        Inside (0, 1), for a k up to 1.
    effect : DesignEffect or None
    rates : list of Rate
        That of each row at k, the same ones next to each other. At a recall or an FPR it is
        not used.
    """
    held, at = curve.position_count(kind), at[:, np.newaxis]
    n = held[-1]
    divisor = 1.0 if effect is None else effect.at(_USUAL)
    index, spaced = _near(curve, held, at * n, divisor)
    f, t = (
        np.concatenate((np.interp(spaced, held, c), c[index]), axis=1)
        for c in (curve.fps, curve.tps)
    )
    counts = np.concatenate((spaced, held[index]), axis=1)
    deviance = _deviance(counts, np.maximum(n - counts, 0.0), at)
    deviance[:, 0] = 0.0  # up to rounding, the cut has the held value
    n_pos, n_neg = curve.tps[-1], curve.fps[-1]
    if kind == "recall":
        shares = [Share(np.full_like(f, n_pos), f)]
        return Union(deviance, shares, _scaled_odds(at), effect)
    if kind == "fpr":
        shares = [Share(t, np.maximum(n_pos - t, 0.0))]
        return Union(deviance, shares, _scaled_odds(1.0), effect)
    shares = [Share(t, f)]
    if not any(rate.counts_below for rate in rates):
        # The samples below the cut, and how many are above it, do not matter.
        of_shares = partial(_rates_at_k, rates, 1.0, below=0.0)
        return Union(deviance, shares, of_shares, effect)
    shares.append(Share(np.maximum(n_pos - t, 0.0), np.maximum(n_neg - f, 0.0)))
    return Union(deviance, shares, partial(_rates_at_k, rates, at), effect)


def recall_limits(curve, precision, recall, effect, z):
    """Limits of the last recall at which the curve has a precision.

    Parameters
    ----------
    curve : CurveCounts
    precision : float
        Inside (0, 1).
    recall : float
        The estimate; 0 if no recall has the precision.
    effect : DesignEffect or None
    z : float
        The normal quantile.

    Returns
    -------
    low, high : float
        `high` is the largest recall that a point admits. `low` is the end of the last gap
        between the recalls that points admit if the curve lies above the precision there; 0
        without such a gap. Below a gap the points admit recalls that are not the last ones,
        because the precision rises and then falls.
    """
    divisor = 1.0 if effect is None else effect.at(z)
    f, t = _near_precision(curve, precision, z**2 * divisor)
    n_pos = curve.tps[-1]
    at = recall * n_pos, np.interp(recall * n_pos, curve.tps, curve.fps)
    t, f = (np.append(first, c)[np.newaxis] for first, c in zip(at, (t, f), strict=True))
    shares = [Share(t + f, np.maximum(n_pos - t, 0.0))]
    union = Union(_deviance(t, f, precision), shares, _scaled_odds(precision), effect)
    point_lows, point_highs = union.ends_of_points(z)
    point_highs *= 1 + 1e-9  # these limits are rounded, and no gap is so small
    kept = union.take(np.flatnonzero(~np.isnan(point_lows)))
    if not kept.deviance.size:  # every point has a higher, or a lower, precision
        return recall, recall
    _, highest = (end.item() for end in kept.limits([z]))

    def is_above(recall):
        t = recall * n_pos
        return (1 - precision) * t > precision * np.interp(t, curve.tps, curve.fps)

    lowest = _lowest_before_gap(recall, point_lows, point_highs, is_above)
    if lowest not in (0.0, recall):
        kept = union.take(np.flatnonzero(point_highs >= lowest))
        lowest, _ = (end.item() for end in kept.limits([z]))
    return min(lowest, recall), max(highest, recall)


def _lowest_before_gap(recall, low, high, is_above):
    """The lowest recall that points admit, from the estimate down to the last gap.

    Parameters
    ----------
    recall : float
        The estimate.
    low, high : ndarray
        Limits of the recall at each point; NaN if it is not admitted.
    is_above : callable
        ``is_above(recall)``: whether the curve is above the precision. Where it is not,
        recalls between the limits of two points are no gap.
    """
    lowest = recall
    while lowest > 0:
        reached = low[high >= lowest].min(initial=lowest)
        if reached < lowest:
            lowest = reached
            continue
        below = high[high < lowest].max(initial=0.0)
        if is_above((lowest + below) / 2):
            return lowest
        lowest = below
    return lowest


def _near(curve, held, at, divisor):
    """Corners of the curve, and evenly spaced counts, near the counts `at` of a held share.

    `divisor` is that of numbers of samples, by the `DesignEffect`.

    Returns
    -------
    index : ndarray of int64, shape (n_rows, n_spaced)
        Of the corners, a selection if there are many.
    spaced : ndarray of float64, shape (n_rows, n_spaced)
        The first is the cut. Counts near it are denser than others.
    """
    n = held[-1]
    reach = _reach(_WIDEST**2 * divisor, at * (1 - at / n))
    low, high = np.maximum(at - reach, 0.0), np.minimum(at + reach, n)
    nth = np.arange(1, _N_SPACED + 1)
    steps = (nth / _N_SPACED) ** 1.5
    spaced = at + reach * np.concatenate(([0.0], -steps, steps))
    corners = _corners(curve, held.searchsorted(low.min()), held.searchsorted(high.max()))
    held = held[corners]
    middle, last = held.searchsorted(at), held.searchsorted(high, "right") - 1
    first = held.searchsorted(low)
    # The next corners to both sides are consecutive, and those farther away are not.
    before = np.maximum(nth, np.rint((middle - first) * steps))
    after = np.maximum(nth, np.rint((last - middle) * steps))
    index = middle + np.concatenate((-before, np.zeros((len(before), 1)), after), axis=1)
    index = np.clip(index, 0, len(corners) - 1).astype(np.int64)
    return corners[index], np.clip(spaced, low, high)


def _corners(curve, start, stop):
    """Indices of the points from `start` to `stop` at which the curve is not straight.

    Between corners of a part that is parallel to an axis, no point has more extreme limits
    than both ends.
    """
    near = slice(max(start - 1, 0), stop + 2)
    rises = [np.diff(counts[near]) > 0 for counts in (curve.fps, curve.tps)]
    is_corner = np.ones(len(rises[0]) + 1, dtype=bool)
    f, t = rises
    is_corner[1:-1] = (f[1:] & t[1:]) | (f[1:] != f[:-1]) | (t[1:] != t[:-1])
    return np.flatnonzero(is_corner) + near.start


def _near_precision(curve, precision, square):
    """False and true positives of points whose precision is near `precision`.

    At these points the deviance may be at most `square`. If there are many, some of them
    are left out.
    """
    f, t = curve.fps, curve.tps
    # How many more true positives a point has than the precision needs.
    excess = (1 - precision) * t
    excess -= precision * f
    # The excess that is far for the largest n leaves few points, which are looked at again.
    variance = precision * (1 - precision)
    some = np.flatnonzero(np.abs(excess) <= _reach(square, variance * (t[-1] + f[-1])))
    is_near = np.zeros(len(t), dtype=bool)
    reach = _reach(square, variance * (t[some] + f[some]))
    is_near[some] = np.abs(excess[some]) <= reach
    # A segment has such points if one of its ends is near, or its ends are on both sides.
    is_above = excess > 0
    segment = np.flatnonzero(is_near[1:] | is_near[:-1] | (is_above[1:] != is_above[:-1]))
    if not len(segment):
        return f[:0], t[:0]
    along = np.linspace(0, len(segment), 1 + max(1024, min(len(segment), 4096)))[:-1]
    start = segment[along.astype(np.int64)]
    along -= np.floor(along)
    vertices = segment[:: max(len(segment) // 4096, 1)] + 1
    return tuple(
        np.concatenate((c[start] + along * (c[start + 1] - c[start]), c[vertices]))
        for c in (f, t)
    )


def _reach(square, variance):
    """The distance of a count from its mean beyond which the deviance exceeds `square`.

    By Bernstein's inequality, for a count with this binomial variance.
    """
    return square / 6 + np.sqrt((square / 6) ** 2 + square * variance)


def _deviance(yes, no, value):
    """Deviance of the value of a share of `yes` in `yes` + `no` samples."""
    n = yes + no
    return 2 * (rel_entr(yes, n * value) + rel_entr(no, n * (1 - value)))


def _scaled_odds(factor):
    """The function of a share whose odds are those of the share times `factor`."""

    def rate(share):
        scaled = factor * share
        return scaled / (scaled + (1 - share))  # exactly 1 where the share is

    return rate


def _rates_at_k(rates, selected, above, below):
    """The rate of each row, from the shares of positives above and below its cut.

    `selected` is the share of the samples above the cut.
    """
    cells = (
        selected * above,
        selected * (1 - above),
        (1 - selected) * below,
        (1 - selected) * (1 - below),
    )
    runs = [(rate, len([*same])) for rate, same in groupby(rates)]
    if len(runs) == 1:
        return _rate_of(rates[0], cells)
    values, start = [], 0
    for rate, n_rows in runs:
        values.append(_rate_of(rate, [cell[start : start + n_rows] for cell in cells]))
        start += n_rows
    return np.concatenate(values)


def _rate_of(rate, cells):
    """A rate of the four cells of the confusion matrix, which are arrays."""
    part, whole = rate.parts(*cells)
    return rate.of_share(part / whole)
