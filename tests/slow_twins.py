"""Independent slow implementations of every quantity, from its definition.

Nothing here comes from the package. Counts are exact fractions, recounted at every
threshold; mpmath computes logarithms to 50 digits.
"""

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import mpmath
import numpy as np
from scipy import stats

DIGITS = 50


class Point(NamedTuple):
    f: Fraction
    t: Fraction
    threshold: object  # None at the origin


def roc_through(*counts):
    """A ROC curve through these pairs of false and true positives."""
    return [Point(Fraction(f), Fraction(t), None) for f, t in counts]


def roc(y_true, y_score, weight=None):
    """Counts at every distinct score, highest first, after (0, 0)."""
    weight = [1] * len(y_true) if weight is None else weight
    rows = [
        (bool(y), s, Fraction(float(w)))
        for y, s, w in zip(y_true, y_score, weight, strict=True)
        if w > 0
    ]
    points = [Point(Fraction(0), Fraction(0), None)]
    for threshold in sorted({s for _, s, _ in rows}, reverse=True):
        caught = [(y, w) for y, s, w in rows if s >= threshold]
        f = sum((w for y, w in caught if not y), Fraction(0))
        t = sum((w for y, w in caught if y), Fraction(0))
        points.append(Point(f, t, threshold))
    return points


def samples_of(points):
    """Labels, scores and weights of a ROC curve: on each segment a tie of two samples."""
    rows = [
        (label, -i, float(gain))
        for i, (a, b) in enumerate(pairwise(points))
        for label, gain in ((0, b.f - a.f), (1, b.t - a.t))
        if gain
    ]
    labels, scores, weight = map(list, zip(*rows, strict=True))
    return labels, scores, None if set(weight) == {1} else weight


def rounded(points):
    """Distinct points of a ROC curve whose counts are rounded to floats."""
    counts = dict.fromkeys((float(p.f), float(p.t)) for p in points)
    return roc_through(*counts)


def slope(a, b):
    """Increment of true positives per increment of false positives, from a to b."""
    return (b.t - a.t) / (b.f - a.f) if b.f > a.f else float("inf")


def hull(points):
    """Points strictly above every line between two others, and the two ends.

    The slope to such a point from every point before is larger than the slope from it to
    any point after.
    """
    inner = [
        b
        for i, b in enumerate(points[1:-1], start=1)
        if min(slope(a, b) for a in points[:i]) > max(slope(b, c) for c in points[i + 1 :])
    ]
    return [points[0], *inner, points[-1]]


def at_prevalence(points, prevalence):
    """Points with negatives reweighted to a reference prevalence."""
    p0 = Fraction(prevalence)
    scale = points[-1].t * (1 - p0) / (p0 * points[-1].f)
    return [p._replace(f=p.f * scale) for p in points]


def precision_at(points, recall):
    """Precision at a recall > 0, on the first segment with this recall."""
    t = Fraction(recall) * points[-1].t
    return t / (t + fewest(points, t))


def precision_at_zero(points):
    """Limit of the precision on the first segment, at recall 0."""
    first = points[1]
    return first.t / (first.t + first.f)


def recall_reaching(points, precision):
    """Largest recall with t >= precision * (t + f), solved for each segment."""
    p, best = Fraction(precision), Fraction(0)
    for a, b in pairwise(points):
        if b.t == a.t:
            continue
        # The margin t - p (t + f) is linear along the segment.
        left, right = a.t - p * (a.t + a.f), b.t - p * (b.t + b.f)
        if right >= 0:
            best = b.t
        elif left > 0:
            best = a.t + (b.t - a.t) * left / (left - right)
    return best / points[-1].t


def cut(points, low, high):
    """Segments of the ROC curve between two recalls, as pairs of points (f, t)."""
    n_pos = points[-1].t
    low, high = Fraction(low) * n_pos, Fraction(high) * n_pos
    for a, b in pairwise(points):
        start, stop = max(a.t, low), min(b.t, high)
        if start < stop:
            slope = (b.f - a.f) / (b.t - a.t)
            yield ((a.f + slope * (start - a.t), start), (a.f + slope * (stop - a.t), stop))


def area(points, low=0, high=1):
    """Exact area between two recalls; the closed form with the plain logarithm."""
    with mpmath.workdps(DIGITS):
        total = mpmath.mpf(0)
        for (f0, t0), (f1, t1) in cut(points, low, high):
            gain, n0, n1 = t1 - t0, t0 + f0, t1 + f1
            share = gain / (n1 - n0)
            log = mpmath.log(_mp(n1 / n0)) if n0 else mpmath.mpf(0)
            total += _mp(share) * (_mp(gain) + _mp(t0 - share * n0) * log)
        return total / _mp(points[-1].t)


def minimum_area(n_pos, n_neg, low=0, high=1):
    """Area of the worst ranking: all negatives, then all positives."""
    return area(roc_through((0, 0), (n_neg, 0), (n_neg, n_pos)), low, high)


def normalized_area(points, low=0, high=1):
    """(A - Amin) / (Amax - Amin)."""
    with mpmath.workdps(DIGITS):
        lowest = minimum_area(points[-1].t, points[-1].f, low, high)
        highest = _mp(Fraction(high) - Fraction(low))
        return (area(points, low, high) - lowest) / (highest - lowest)


def davis_goadrich(points, low=0, high=1):
    """Trapezoids between one point per true positive, horizontal before the first point."""
    kept = [(p.f, p.t) for p in points if p.t > 0]
    dense = [kept[0]]
    for (f0, t0), (f1, t1) in pairwise(kept):
        dense += [(f0 + (f1 - f0) * x / (t1 - t0), t0 + x) for x in range(1, int(t1 - t0))]
        dense.append((f1, t1))
    curve = [(t / points[-1].t, t / (t + f)) for f, t in dense]
    curve.insert(0, (Fraction(0), curve[0][1]))
    total, low, high = Fraction(0), Fraction(low), Fraction(high)
    for (r0, p0), (r1, p1) in pairwise(curve):
        a, b = max(r0, low), min(r1, high)
        if a < b:
            at = [p0 + (p1 - p0) * (r - r0) / (r1 - r0) for r in (a, b)]
            total += (b - a) * sum(at) / 2
    return total


def average_precision(points):
    """Average precision as a step-wise sum."""
    return (
        sum((b.t - a.t) * b.t / (b.t + b.f) for a, b in pairwise(points) if b.t > a.t)
        / points[-1].t
    )


def average_precision_min(weights, n_neg):
    """Average precision with all negatives first, then the positives in this order."""
    total, n_neg, lowest = Fraction(0), Fraction(n_neg), Fraction(0)
    for weight in map(Fraction, weights):
        total += weight
        lowest += weight * total / (total + n_neg)
    return lowest / total


def error_and_df(moves, share, n_smaller):
    """Standard error of a sum of independent moves, and its degrees of freedom.

    `share` is that of each unit in its class, `n_smaller` the size of the smaller class.
    """
    squares = np.asarray(moves, dtype=float) ** 2
    concentration = np.sum(squares**2) / np.sum(squares) ** 2 - 1 / len(squares)
    error = np.sqrt(np.sum(squares / (1 - np.asarray(share))))
    return error, min(n_smaller - 1, 2 / concentration)


def kish(weights):
    """Effective number of samples of these weights."""
    weights = np.asarray(weights, dtype=float)
    return np.sum(weights) ** 2 / np.sum(weights**2)


def beta_limits(value, error, df, n, tail=0.025):
    """Limits of a proportion with this standard error; of n samples if it has none.

    As many samples as have this standard error, and fewer by the quantile of t.
    """
    if error > 0:
        n = value * (1 - value) / error**2
    n *= (stats.norm.ppf(tail) / stats.t.ppf(tail, df)) ** 2
    hits, misses = n * value, n * (1 - value)
    low = stats.beta.ppf(tail, hits, misses + 1) if hits else 0.0
    return low, stats.beta.isf(tail, hits + 1, misses) if misses else 1.0


def with_unseen(moves, error, df, n, lost, factor=1.0):
    """Standard error and degrees of freedom with one unseen discordant sample per score.

    Parameters
    ----------
    moves : array-like
        Influence of each unit on the difference.
    error, df : float
        Of these moves.
    n, lost : float
        The size of the smaller class, and the number of positives that both scores lose.
    factor : float
        Of the variance of unseen samples.
    """
    unseen = factor * 2 * fade(moves, lost) / (n + 2) ** 2
    both = error**2 + unseen
    most = n - 1
    return np.sqrt(both), min(both**2 / (error**4 / df + unseen**2 / most), most)


def fade(moves, lost):
    """The share of unseen samples that counts where these units and positives were seen."""
    squares = np.asarray(moves, dtype=float) ** 2
    m = np.sum(squares) ** 2 / np.sum(squares**2) if np.any(squares) else 0.0
    return np.exp(-(min(m, lost) ** 3) / 3)


def as_units(weights):
    """Weights k + r, k an integer, as k positives of weight 1 and one of weight r."""
    units = []
    for weight in weights:
        whole, rest = divmod(Fraction(float(weight)), 1)
        units += [Fraction(1)] * whole + ([rest] if rest else [])
    return sorted(units)


def nowhere_below(a, b):
    """Whether ROC curve a has at most the false positives of b at all true positives.

    Both curves are straight between the union of their breakpoints, so it is enough to
    compare just before and just after each breakpoint.
    """
    breakpoints = sorted({p.t for p in a} | {p.t for p in b})
    return all(
        fewest(a, t) <= fewest(b, t) and most(a, t) <= most(b, t) for t in breakpoints
    )


def fewest(points, t):
    """False positives at the first point of the ROC curve with t true positives."""
    for p, q in pairwise(points):
        if p.t == t:
            return p.f
        if p.t < t < q.t:
            return p.f + (q.f - p.f) * (t - p.t) / (q.t - p.t)
    return points[-1].f


def most(points, t):
    """False positives at the last point of the ROC curve with t true positives."""
    at = [p.f for p in points if p.t == t]
    return at[-1] if at else fewest(points, t)


def _mp(fraction):
    fraction = Fraction(fraction)
    return mpmath.mpf(fraction.numerator) / fraction.denominator
