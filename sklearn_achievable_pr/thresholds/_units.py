"""Tests of a rate from units that count by weight: clusters, or samples with weights.

A rate is E[part] / E[whole], where unit j has the weights part_j and whole_j. With the
largest weight of a unit, w, and independent e_0, e_1, ... of the exponential distribution,

    p = P( sum_j e_j (part_j - b whole_j) <= b w e_0 )

is the p-value of "the rate is below b". For an upper bound b of a rate, whole_j - part_j
and 1 - b take the places of part_j and b. With units of weight 1 whose part is 0 or 1 it is
the exact binomial test. Otherwise it is the test of Gaffke (2005) for the mean of a bounded
variable. That its error rate is kept is a conjecture, which exact enumeration supports.

The probability is computed by the saddlepoint approximation of Lugannani and Rice (1980),
whose relative error is about 2 % at most, and exactly where no unit violates the bound.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from math import ceil, copysign, exp, inf, log, pi, sqrt

import numpy as np
from scipy.special import ndtr

from .._inference.doubts import Doubt
from .._input.labels import BinaryData, encoded
from ..metrics._rates import CONSTRAINTS, Rate
from ._choice import TuningROC, reachable

# With fewer units of the largest weight, heavier units of the population may be absent from
# the tuning set. In simulations a guarantee was then missed in up to 0.45 of the tuning
# sets instead of 0.10.
_FEWEST_HEAVIEST = 3
_MOST_ITERATIONS = 60
# A sum of exponential variables has a log-concave density, so that it is at most its mean
# with at least this probability (Gruenbaum 1960).
_LEAST_BELOW_MEAN = exp(-1)
# A sum is treated as 0 if it is below `_NEARLY_0` of its standard deviation, and the
# saddlepoint has this relative precision.
_NEARLY_0, _PRECISION = 1e-4, 1e-9
_ROUNDING = 1e-12  # sums of weights have this relative rounding error
# A larger number of samples or clusters is not computed, and one from `_MANY` on is shown
# in four digits. A number that exceeds an integer by less than `_NEARLY_WHOLE` is that
# integer.
MOST_NEEDED, _MANY, _NEARLY_WHOLE = 10**15, 10**6, 1e-9


@dataclass(frozen=True)
class Units:
    """Samples in units, each of which counts once, times its weight.

    Attributes
    ----------
    samples : BinaryData
    unit : ndarray of int, shape (n_samples,)
        The unit of each sample, from 0 to n_units - 1.
    weight : ndarray of float64, shape (n_units,)
    largest : float
        The largest weight of a unit of the tuning set, of which these may be a part.
    are_clusters : bool
        Whether the units are clusters, not samples.
    """

    samples: BinaryData
    unit: np.ndarray
    weight: np.ndarray
    largest: float
    are_clusters: bool

    @property
    def name(self):
        """What a unit is, in text, in the plural."""
        return "clusters" if self.are_clusters else "samples"

    @cached_property
    def is_weighted(self):
        """Whether the weights of the units differ."""
        return bool(np.ptp(self.weight) > 0)

    def split(self, random_state, share):
        """Two parts: those of a random share of the units, and of the other units."""
        mixed = random_state.permutation(len(self.weight))
        is_first = np.zeros(len(mixed), dtype=bool)
        is_first[mixed[: max(1, round(share * len(mixed)))]] = True
        return [self._take(mask) for mask in (is_first, ~is_first)]

    def _take(self, mask):
        """The units where a mask is true."""
        rows = mask[self.unit]
        unit = (np.cumsum(mask) - 1)[self.unit[rows]]
        parts = self.samples.take(rows), unit, self.weight[mask]
        return Units(*parts, self.largest, self.are_clusters)

    def doubts(self, unit_of_weight):
        """The doubt of a largest weight that few units have."""
        n_heaviest = np.count_nonzero(self.weight == self.largest)
        largest = f"{self.largest * unit_of_weight:.3g}"
        if self.is_weighted and n_heaviest < _FEWEST_HEAVIEST:
            yield Doubt(
                "A guarantee with a rare largest weight",
                f"The largest weight ({largest}) is that of only {n_heaviest} of "
                f"{len(self.weight)} {self.name}. With fewer than {_FEWEST_HEAVIEST}, new "
                "data may miss the constraints more often than the confidence says, "
                f"because heavier {self.name} may be absent here. Collect more {self.name} "
                "of such weights, or limit the weights.",
            )


def units_of(
    samples: BinaryData, clusters: np.ndarray | None, unit_of_weight: float
) -> Units | None:
    """The `Units` of a tuning set; None if they are samples of equal weight."""
    weight = samples.weight
    if clusters is None:
        if weight is None or not np.ptp(weight):
            return None
        unit = np.arange(len(weight))
        return Units(samples, unit, weight, weight.max(), False)
    cluster_weight = np.ones(clusters.max() + 1)
    if weight is not None:
        cluster_weight[clusters] = weight
        varies = np.flatnonzero(weight != cluster_weight[clusters])
        if len(varies):
            first = varies[0]
            two = weight[first], cluster_weight[clusters[first]]
            low, high = sorted(unit_of_weight * one for one in two)
            raise ValueError(
                "`sample_weight` must be constant within each cluster of `groups`, because "
                "a guarantee counts each cluster once: weights of its samples, such as 1 / "
                f"(chance to be sampled), do not make it valid. Got {low:.4g} and "
                f"{high:.4g} in one cluster. Pass one weight per cluster, or keep one "
                "sample per cluster."
            )
    if not np.ptp(cluster_weight):
        cluster_weight = np.ones(len(cluster_weight))
        if len(cluster_weight) == len(clusters):
            return None
    return Units(samples, clusters, cluster_weight, cluster_weight.max(), True)


def needed_text(n: float) -> str:
    """The number of samples, or clusters, that a guarantee needs, rounded up, as text."""
    if n > MOST_NEEDED:
        return "more than 10**15"
    n = ceil(n - _NEARLY_WHOLE)
    return f"{n}" if n < _MANY else reachable(float(n), -1)


def or_more(n: float) -> str:
    """The text of a number that more samples, or clusters, exceed."""
    return needed_text(n) + " or more" * (n <= MOST_NEEDED)


def number_of(n: int, what: str) -> str:
    """A number with its noun, which is given in the plural."""
    return f"{n} {what.removesuffix('s') if n == 1 else what}"


class _Counted:
    """The samples that a rate counts, from the highest score down.

    Attributes
    ----------
    positive, unit, weight : ndarray of shape (n_counted,)
        A unit has its weight in these samples together. Units are numbered anew.
    unit_weight : ndarray of float64, shape (n_units,)
    rising : ndarray of shape (n_counted,)
        The scores, from the lowest up.
    """

    def __init__(self, units: Units, rate: Rate):
        positive, score = units.samples[:2]
        unit = units.unit
        # The two flags say whether negatives, and positives, are in the whole of the rate.
        of_class = rate.parts(0, 1, 0, 1)[1] > 0, rate.parts(1, 0, 1, 0)[1] > 0
        if not all(of_class):
            rows = positive == of_class[1]
            positive, score, unit = positive[rows], score[rows], unit[rows]
        distinct, unit = encoded(unit)
        falling = np.argsort(score, kind="stable")[::-1]
        self.positive, self.unit = positive[falling], unit[falling]
        self.unit_weight = units.weight[distinct]
        self.weight = (self.unit_weight / np.bincount(unit))[self.unit]
        self.rising = score[falling[::-1]]


class _UnitTest:
    """The test of one constraint, at one threshold after another.

    Attributes
    ----------
    counted : _Counted
    step : ndarray of float64, shape (n_counted,)
        What a sample adds to the term of its unit when a threshold falls to its score.
    at : int
        The number of counted samples at or above the last threshold.
    terms : ndarray of float64, shape (n_units + 1,)
        The terms part_j - b whole_j at this threshold, and last the term -b w.
    saddlepoint : float
        The s at which sum terms / (1 - s terms) is 0, of the last p-value; 0 if there was
        none with a positive mean.
    logs : ndarray of float64, shape (n_units + 1,)
        log(1 - s terms) for this s and the terms at the threshold.
    """

    def __init__(self, counted: _Counted, rate: Rate, bound: float, largest: float):
        limit = bound if rate.sign > 0 else 1 - bound

        def term(*counts):
            part, whole = rate.parts(*counts)
            return (part if rate.sign > 0 else whole - part) - limit * whole

        above = np.where(counted.positive, term(1, 0, 0, 0), term(0, 1, 0, 0))
        below = np.where(counted.positive, term(0, 0, 1, 0), term(0, 0, 0, 1))
        self.counted, self.step = counted, counted.weight * (above - below)
        of_units = np.bincount(counted.unit, counted.weight * below)
        self.terms = np.append(of_units, -limit * largest)
        self.at, self.saddlepoint, self.logs = 0, 0.0, np.zeros(len(self.terms))

    def n_above(self, lowest):
        """The number of counted samples with scores from `lowest` on, for each of these."""
        return len(self.counted.rising) - self.counted.rising.searchsorted(lowest)

    def is_passed(self, n_above, error_rate):
        """Whether the test passes where so many counted samples are predicted positive."""
        self._move(n_above)
        # For s < 0 the p-value is at most the mean of exp(s sum), by Markov's inequality.
        # The saddlepoint changes little from one threshold to the next, so this bound for
        # the last one decides most tests.
        if -self.logs.sum() <= log(error_rate):
            return True
        total = self.terms.sum()
        if total <= 0 and error_rate < _LEAST_BELOW_MEAN:
            return False
        # Weights in another unit are rounded otherwise.
        return self._pvalue(total) <= error_rate * (1 + _PRECISION)

    def _move(self, n_above):
        """Change terms and logs by the samples between the last threshold and this one."""
        n_before, self.at = self.at, n_above
        between = slice(min(n_before, n_above), max(n_before, n_above))
        changed, step = self.counted.unit[between], self.step[between]
        (np.add if n_above > n_before else np.subtract).at(self.terms, changed, step)
        self.logs[changed] = np.log1p(-self.saddlepoint * self.terms[changed])

    def _pvalue(self, total):
        """P(sum of terms times exponential variables <= 0); `total` is that of the terms.

        The last term is the lowest one.
        """
        terms = self.terms
        if terms[:-1].min() >= _ROUNDING * terms[-1]:  # no unit violates the bound
            return exp(-np.log1p(terms[:-1] / -terms[-1]).sum())
        # The saddlepoint has the opposite sign of the mean.
        low, high = 1 / terms[-1], 0.0
        if total <= 0:
            highest = terms.max()
            if highest <= -_ROUNDING * terms[-1]:  # every unit violates it
                return 1.0
            low, high = 0.0, 1 / highest
        start = self.saddlepoint
        if not low < start < high:
            start = -total / (terms @ terms)
        s, slope = _saddlepoint(terms, low, high, start)
        logs = np.log1p(-s * terms)
        self.saddlepoint, self.logs = (s, logs) if s < 0 else (0.0, np.zeros(len(terms)))
        deviance = 2 * logs.sum()
        w, u = copysign(sqrt(max(deviance, 0.0)), s), s * sqrt(slope)
        if abs(w) < _NEARLY_0:
            skewness = 2 * (terms**3).sum() / (terms @ terms) ** 1.5
            return 0.5 + skewness / (6 * sqrt(2 * pi))
        tail = ndtr(w) + exp(-w * w / 2) / sqrt(2 * pi) * (1 / w - 1 / u)
        return min(max(tail.item(), 0.0), 1.0)


def _saddlepoint(terms, low, high, s):
    """The s in (low, high) at which sum terms / (1 - s terms) is 0, and the slope there.

    Newton steps start at the given s. Some terms are positive, and some negative.
    """
    for _ in range(_MOST_ITERATIONS):
        if not low < s < high:
            s = (low + high) / 2
        ratio = terms / (1 - s * terms)
        value, slope = ratio.sum(), ratio @ ratio
        if abs(value) <= _PRECISION * sqrt(slope):
            break
        low, high = (low, s) if value > 0 else (s, high)
        s -= value / slope
    return s, slope


class UnitTests:
    """Tests of constraints at the points of a tuning curve, by the units of its samples."""

    def __init__(self, units: Units, curve: TuningROC):
        self.units, self.curve, self.scores = units, curve, curve.scores
        self._of_rate: dict[str, _Counted] = {}
        self._tests: dict[tuple[str, float], _UnitTest] = {}

    @property
    def tested(self):
        """How many units test, as text."""
        return number_of(len(self.units.weight), f"tested {self.units.name}")

    def passed(self, name, bound, points, error_rate):
        """Mask of the rising points at which a constraint of a monotone rate passes."""
        test, passes = self._test(name, bound), np.zeros(len(points), dtype=bool)

        def is_passed(point):
            n_above = test.n_above(self._lowest(point)).item()
            return test.is_passed(n_above, error_rate)

        if CONSTRAINTS[name].sign > 0:
            passes[bisect_left(points, True, key=is_passed) :] = True
        else:
            passes[: bisect_left(points, True, key=lambda p: not is_passed(p))] = True
        return passes

    def all_passed(self, bounds, points, error_rate):
        """Mask of the points where all constraints pass; False after the first failure."""
        passes = np.zeros(len(points), dtype=bool)
        tests, lowest = [self._test(*item) for item in bounds.items()], self._lowest(points)
        numbers = [test.n_above(lowest).tolist() for test in tests]
        for i, of_tests in enumerate(zip(*numbers, strict=True)):
            for test, n_above in zip(tests, of_tests, strict=True):
                if not test.is_passed(n_above, error_rate):
                    return passes
            passes[i] = True
        return passes

    def shortage(self, name, bound, error_rate):
        """Text on the units that a constraint needs and has; None if it has enough."""
        counted = self._counted(name)
        n_units = len(counted.unit_weight)
        limit = bound if CONSTRAINTS[name].sign > 0 else 1 - bound
        # This is the logarithm of the p-value if no unit violates the bound.
        part = counted.unit_weight / self.units.largest
        log_p = -np.log1p((1 - limit) / limit * part).sum().item()
        needed = n_units * log(error_rate) / log_p if log_p else inf
        if n_units >= needed - _NEARLY_WHOLE:
            return None
        what = f"{needed_text(needed)} {self._what(CONSTRAINTS[name].counted)}"
        if self.units.is_weighted:
            what = f"{'about ' * (needed <= MOST_NEEDED)}{what} of such weights"
        return f"that takes {what} in the tuning set. Got {n_units}."

    def needed(self, name, bound, error_rate):
        """Text with the least number of units that a constraint needs."""
        limit = bound if CONSTRAINTS[name].sign > 0 else 1 - bound
        needed = or_more(log(error_rate) / log(limit) if limit < 1 else inf)
        of_weight = " (of the largest weight)" * self.units.is_weighted
        return f"{needed} {self._what(CONSTRAINTS[name].counted)}{of_weight}"

    def _what(self, counted):
        """What is counted, with the units, as text."""
        if not self.units.are_clusters:
            return counted
        return "clusters" if counted == "samples" else f"clusters with {counted}"

    def _counted(self, name):
        """The `_Counted` of the rate of a constraint, computed once."""
        if name not in self._of_rate:
            self._of_rate[name] = _Counted(self.units, CONSTRAINTS[name])
        return self._of_rate[name]

    def _test(self, name, bound):
        """The `_UnitTest` of a constraint, which stays at its last threshold."""
        if (name, bound) not in self._tests:
            of_rate = self._counted(name), CONSTRAINTS[name]
            self._tests[name, bound] = _UnitTest(*of_rate, bound, self.units.largest)
        return self._tests[name, bound]

    def _lowest(self, points):
        """The lowest scores that are predicted positive at points of the curve."""
        return np.where(points > 0, self.scores[points - 1], np.inf)
