r"""Type I error rate of percentile comparisons of metrics without an influence function.

Draws many data sets from populations in which two scores have the same value of a metric:
the achievable area (and with it the achievable AUCNPR), or AUPRG. Some pairs of
scores are exchangeable, others differ in shape: binormal scores of different variances,
heavy tails, ordinal scores, learners that were fitted to real data. Prints the share of
data sets in which a percentile test finds a difference at 0.05, two-sided, with its Monte
Carlo error. `compare_auc_pr` takes none of these metrics, because the test rejects too
often; the test here is that of ``compare_auc_pr(method="percentile")``, made of the private
functions of the package::

    python benchmarks/simulations/percentile_comparisons.py \
        [--quick] [--repetitions 400] [--out DIR]

The full run takes about 12 minutes of one core. Achievable AUCNPR is left out unless
``--metrics`` names it: in each resample both scores have the same prevalence, so the
difference of their AUCNPR has the sign of the difference of their achievable areas, and
percentile tests count signs.
"""

import sys
import warnings
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from few_positives import QUANTILES, cauchy, heavy, narrow, normal, ordinal, top, wide
from operating_point_comparisons import exchanged, out_of_fold
from scipy.optimize import brentq
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier
from sklearn.svm import SVC

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interpolated, aucnpr, auprg_score
from sklearn_achievable_pr.metrics._table import MetricWithOptions
from sklearn_achievable_pr.uncertainty import _differences, _limits
from sklearn_achievable_pr.uncertainty._checks import Design, Options, check_samples
from sklearn_achievable_pr.uncertainty._resampling import Bootstrap

METRICS = {
    "achievable_auc_pr": partial(auc_pr_interpolated, curve="achievable"),
    "achievable_aucnpr": partial(aucnpr, curve="achievable"),
    "auprg": auprg_score,
}
LEVEL = 0.05
# A share 0.025 of the resamples plus one is a whole number. The first resamples are those
# of a call with fewer resamples and the same seed.
N_RESAMPLES, FIRST = 279, 79


# Populations: each draws labels and two scores, whose values of a metric are equal.


@cache
def shift_for(shape, prevalence, metric, value):
    """The shift at which scores of this shape have this value of the metric."""
    return brentq(lambda s: of_shape(shape, prevalence, metric, s) - value, -40, 30)


def of_shape(shape, prevalence, metric, shift):
    """The metric of all quantiles of a shape."""
    positive = np.repeat([True, False], len(QUANTILES))
    score = shape(np.tile(QUANTILES, 2), positive, shift)
    weight = np.where(positive, prevalence, 1 - prevalence)
    return METRICS[metric](positive, score, sample_weight=weight)


class Shapes(NamedTuple):
    """Independent samples with a random class; `shared` is the correlation of the noise.

    The first score has the achievable area `area`, the second the same value of the metric.
    """

    n: int
    prevalence: float
    first: object
    second: object
    area: float
    shared: float = 0.5

    @property
    def name(self):
        return f"{self.first.__name__}, {self.second.__name__}; correlation {self.shared:g}"

    def prepared(self, metric):
        """The value of the metric, and the shifts of both scores."""
        shift = shift_for(self.first, self.prevalence, "achievable_auc_pr", self.area)
        value = of_shape(self.first, self.prevalence, metric, shift)
        if self.first is self.second:
            return value, (shift, shift)
        return value, (shift, shift_for(self.second, self.prevalence, metric, value))

    def draw(self, rng, shifts):
        positive = rng.random(self.n) < self.prevalence
        own = np.sqrt(1 - self.shared) * rng.normal(size=(2, self.n))
        noise = own + np.sqrt(self.shared) * rng.normal(size=self.n)
        shapes = self.first, self.second
        drawn = zip(shapes, noise, shifts, strict=True)
        return positive, *(shape(z, positive, shift) for shape, z, shift in drawn)


class Pool(NamedTuple):
    """Samples drawn with replacement from out-of-fold scores of two learners."""

    name: str
    n: int
    scores_of: object
    is_exchanged: bool

    @property
    def prevalence(self):
        return np.mean(self.scores_of()[0])

    def prepared(self, metric):
        """The value of the metric, which is that of both scores, and the pool."""
        y, a, b = self.scores_of()
        rng = np.random.default_rng(1)
        if self.is_exchanged:
            y, a, b = exchanged(rng, y, a, b)
        else:
            y, a, b = equalized(rng, y, a, b, METRICS[metric])
        return METRICS[metric](y, a), (y, a, b)

    def draw(self, rng, pool):
        drawn = rng.integers(len(pool[0]), size=self.n)
        return [column[drawn] for column in pool]


def equalized(rng, y, a, b, metric):
    """The pool, ten times, with as much noise in the better score as makes both equal."""
    y, a, b = (np.tile(column, 10) for column in (y, a, b))
    if metric(y, a) < metric(y, b):
        a, b = b, a
    noise = np.std(a) * rng.normal(size=len(a))
    scale = brentq(lambda x: metric(y, a + x * noise) - metric(y, b), 0, 20, xtol=1e-4)
    return y, a + scale * noise, b


@cache
def digits():
    """Trees and a linear discriminant that tell a noisy digit 8 from the others."""
    data = load_digits()
    noisy = data.data + np.random.default_rng(0).normal(scale=8, size=data.data.shape)
    trees = ExtraTreesClassifier(60, min_samples_leaf=3, random_state=0)
    return out_of_fold(noisy, data.target == 8, trees, LinearDiscriminantAnalysis())


@cache
def cancer():
    """A support vector machine and boosting that tell malignant tumors from benign ones."""
    data = load_breast_cancer()
    boosting = AdaBoostClassifier(n_estimators=30, random_state=0)
    return out_of_fold(data.data[:, [1, 4, 9, 11]], data.target == 0, SVC(), boosting)


POPULATIONS = [
    Shapes(100, 0.1, normal, normal, 0.9),
    Shapes(100, 0.1, narrow, wide, 0.5),
    Shapes(1000, 0.01, heavy, normal, 0.3, 0.0),
    Shapes(200, 0.1, narrow, top(0.4), 0.6),
    Shapes(300, 0.1, normal, normal, 0.6, 0.9),
    Shapes(1500, 0.02, narrow, wide, 0.3),
    Shapes(100, 0.5, normal, ordinal, 0.85),
    Shapes(1000, 0.1, cauchy, normal, 0.5),
    Shapes(200, 0.5, narrow, wide, 0.95, 0.0),
    Shapes(1000, 0.3, normal, wide, 0.7, 0.9),
    Pool("digits, trees and LDA, exchanged", 400, digits, True),
    Pool("tumors, SVC and boosting, equalized", 250, cancer, False),
]


# The test


def is_rejected(metric, data, seed):
    """Whether the percentile test of two scores has a p-value of at most `LEVEL`.

    The p-value is proportional to one plus the number of resamples on the rarer side of 0,
    divided by one plus the number of resamples. So the first resamples give a lower bound
    of it, and most tests end with them.
    """
    y, a, b = data
    options = Options("percentile")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        samples = check_samples(MetricWithOptions(metric), y, Design(), options, a=a, b=b)
    if pvalue(samples, FIRST, seed) * (FIRST + 1) / (N_RESAMPLES + 1) > LEVEL:
        return False
    return pvalue(samples, N_RESAMPLES, seed) <= LEVEL


def pvalue(samples, n_resamples, seed):
    """P-value of two samples by resamples that also vary by samples that are not seen.

    Without an influence function only the positives that are lost say how much the unseen
    samples count.
    """
    rng = np.random.default_rng(seed)
    distribution = Bootstrap(samples).values(n_resamples, rng)
    # Only a standard error of 0 matters.
    spread = np.ptp(distribution) > 1e-12
    unseen = _differences._unseen_error(*samples, None, float(spread), None)
    n_smaller = min(sample.min_effective_class_size for sample in samples)
    quantiles = _limits.t_quantiles(n_smaller - 1, n_resamples)
    distribution += unseen * rng.permutation(quantiles)
    scale = max(sample.metric.rounding_scale(sample.value) for sample in samples)
    return _limits.permutation_pvalue(0, -distribution, "two-sided", scale)


def share_rejected(population, metric, repetitions):
    """The true value of the metric, and the share of data sets with a rejection."""
    value, prepared = population.prepared(metric)
    rng, found = np.random.default_rng(0), []
    while len(found) < repetitions:
        data = population.draw(rng, prepared)
        if 2 <= np.count_nonzero(data[0]) <= population.n - 2:
            found.append(is_rejected(metric, data, len(found)))
    return float(value), float(np.mean(found))


def row(population, metrics, repetitions):
    """A row of the table: the population, and for each metric its value and the share."""
    prevalence = population.prevalence
    found = {
        "population": population.name,
        "n": population.n,
        "positives": round(population.n * prevalence),
    }
    for metric in metrics:
        value, rejected = share_rejected(population, metric, repetitions)
        found |= {metric: value, f"{metric}, rejected": rejected}
    print(found, file=sys.stderr, flush=True)  # progress
    return found


def summary(rows, metrics):
    """Mean and highest share of rejections over the populations."""
    shares = {m: [each[f"{m}, rejected"] for each in rows] for m in metrics}
    return [
        {"metric": m, "mean": float(np.mean(found)), "highest": max(found)}
        for m, found in shares.items()
    ]


def main():
    options = command_line(
        __doc__,
        repetitions={"type": int, "default": 400},
        metrics={
            "nargs": "+",
            "choices": [*METRICS],
            "default": ["achievable_auc_pr", "auprg"],
        },
    )
    n, every = (20, 5) if options.quick else (options.repetitions, 1)
    modules = np, scipy, sklearn, sklearn_achievable_pr
    report = Report(options, *modules)
    error = monte_carlo_error(n, LEVEL)
    rows = [row(population, options.metrics, n) for population in POPULATIONS[::every]]
    report.table(
        "percentile_comparisons",
        f"Rejected at {LEVEL} by percentile comparisons; Monte Carlo error {error:.4f}",
        rows,
    )
    of_all = summary(rows, options.metrics)
    report.table("percentile_summary", "Rejected, over all populations", of_all)
    report.close()


if __name__ == "__main__":
    main()
