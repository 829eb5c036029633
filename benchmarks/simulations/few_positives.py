r"""Type I error rate and power of the tests of two scores with few samples of a class.

Draws many data sets with a fixed number of positives from populations in which two scores
have the same area, or the same average precision, but not always the same shape. Prints the
share of data sets in which `compare_models` finds a difference at 0.05, with Monte Carlo
errors::

    python benchmarks/simulations/few_positives.py \
        [--quick] [--repetitions 2000] [--out DIR]
"""

import warnings
from functools import cache
from typing import NamedTuple

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtrit
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interpolated, compare_models

METRICS = {
    "auc_pr_interpolated": auc_pr_interpolated,
    "average_precision": average_precision_score,
}
# A score that no other sample reaches.
APART = 1e4
# Standard normal noise at evenly spaced quantiles: the noise of a population.
QUANTILES = ndtri((np.arange(50_000) + 0.5) / 50_000)


# Populations. Scores are increasing functions of standard normal noise, so that two scores
# are correlated if their noise is.


def normal(noise, positive, shift):
    return noise + shift * positive


@cache
def spread(ratio):
    """Positives with `ratio` times the standard deviation of the negatives."""

    def spread(noise, positive, shift):
        return noise * np.where(positive, ratio, 1.0) + shift * positive

    spread.__name__ = f"spread {ratio:g}"
    return spread


narrow, wide = spread(0.5), spread(2)


def heavy(noise, positive, shift):
    """Student's t with two degrees of freedom."""
    return stdtrit(2, ndtr(noise)) + shift * positive


def cauchy(noise, positive, shift):
    return stdtrit(1, ndtr(noise)) + shift * positive


def ordinal(noise, positive, shift):
    """About five levels."""
    return np.round(noise + shift * positive)


@cache
def top(share):
    """A share of the positives is above all other samples."""

    def top(noise, positive, shift):
        is_certain = positive & (noise > ndtri(1 - share))
        return noise + shift * positive + APART * is_certain

    top.__name__ = f"top {share:g}"
    return top


def outliers(noise, positive, shift):
    """2 % of the negatives above, and 10 % of the positives below, all other samples."""
    above = ~positive & (noise > ndtri(0.98))
    below = positive & (noise < ndtri(0.1))
    return noise + shift * positive + APART * above - APART * below


def population_value(shape, shift, prevalence, metric):
    """The metric of the population."""
    positive = np.repeat([True, False], len(QUANTILES))
    score = shape(np.tile(QUANTILES, 2), positive, shift)
    weight = np.where(positive, prevalence, 1 - prevalence)
    return METRICS[metric](positive, score, sample_weight=weight)


@cache
def shift_for(shape, prevalence, value, metric="auc_pr_interpolated"):
    """The shift at which the population has this value of the metric."""

    def excess(shift):
        return population_value(shape, shift, prevalence, metric) - value

    return brentq(excess, -40, 30, xtol=1e-6)


def compared(y_true, a, b, metric, **options):
    """Whether two scores differ significantly at 0.05."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = compare_models(y_true, {"a": a, "b": b}, metric=metric, **options)
    return found.pairs["a", "b"].pvalue <= 0.05


# Independent samples


class Setting(NamedTuple):
    """Two scores; `shared` is the correlation of their noise."""

    n: int
    n_pos: int
    first: object
    second: object
    values: tuple[float, float]
    shared: float = 0.5

    def draw(self, rng):
        """Labels, and the noise of both scores."""
        own = np.sqrt(1 - self.shared) * rng.normal(size=(2, self.n))
        noise = own + np.sqrt(self.shared) * rng.normal(size=self.n)
        return np.arange(self.n) < self.n_pos, noise

    def rejected(self, repetitions):
        """For each metric, the share of data sets with a p-value of at most 0.05."""
        rng, prevalence = np.random.default_rng(0), self.n_pos / self.n
        shapes = self.first, self.second
        found = {metric: [] for metric in METRICS}
        shifts = {
            metric: [
                shift_for(shape, prevalence, value, metric)
                for shape, value in zip(shapes, self.values, strict=True)
            ]
            for metric in METRICS
        }
        for _ in range(repetitions):
            positive, noise = self.draw(rng)
            for metric, rejected in found.items():
                scores = [
                    shape(z, positive, shift)
                    for shape, z, shift in zip(shapes, noise, shifts[metric], strict=True)
                ]
                rejected.append(compared(positive, *scores, metric=metric))
        return {metric: float(np.mean(rejected)) for metric, rejected in found.items()}


EQUAL = (0.5, 0.5)
SETTINGS = [
    # Exchangeable scores.
    Setting(100, 2, normal, normal, EQUAL),
    Setting(100, 3, normal, normal, EQUAL),
    Setting(100, 5, normal, normal, EQUAL, 0.0),
    Setting(100, 5, normal, normal, EQUAL, 0.9),
    Setting(200, 8, normal, normal, EQUAL),
    Setting(500, 9, normal, normal, (0.3, 0.3)),
    Setting(200, 5, heavy, heavy, EQUAL),
    Setting(200, 5, ordinal, ordinal, EQUAL),
    Setting(200, 8, top(0.4), top(0.4), EQUAL),
    # Different shapes.
    Setting(100, 2, narrow, wide, EQUAL),
    Setting(100, 3, narrow, wide, EQUAL),
    Setting(100, 4, narrow, wide, EQUAL),
    Setting(100, 5, narrow, wide, EQUAL, 0.0),
    Setting(100, 5, narrow, wide, EQUAL, 0.9),
    Setting(200, 6, narrow, wide, (0.8, 0.8)),
    Setting(200, 8, narrow, wide, EQUAL, 0.0),
    Setting(200, 8, narrow, wide, EQUAL, 0.9),
    Setting(500, 9, narrow, wide, (0.3, 0.3)),
    Setting(100, 5, normal, heavy, EQUAL),
    Setting(200, 8, normal, cauchy, (0.3, 0.3)),
    Setting(100, 3, narrow, top(0.4), EQUAL),
    Setting(100, 5, narrow, top(0.4), EQUAL),
    Setting(200, 8, narrow, top(0.4), EQUAL),
    Setting(500, 9, narrow, top(0.2), (0.3, 0.3)),
    Setting(200, 8, normal, ordinal, EQUAL),
    # Few negatives.
    Setting(100, 95, narrow, wide, (0.98, 0.98)),
    Setting(100, 92, normal, outliers, (0.97, 0.97)),
    # Ten and more positives.
    Setting(100, 10, narrow, top(0.4), EQUAL),
    Setting(200, 12, narrow, wide, EQUAL),
    Setting(200, 15, narrow, top(0.4), EQUAL),
    # Different areas: the share is the power.
    Setting(100, 5, normal, normal, (0.8, 0.5)),
    Setting(200, 8, normal, normal, (0.8, 0.5)),
    Setting(200, 8, narrow, wide, (0.8, 0.5)),
    Setting(200, 15, normal, normal, (0.8, 0.5)),
]


def table_of_positives(repetitions, settings):
    """Share of rejections of each test for independent samples."""
    rows = []
    for setting in settings:
        found = setting.rejected(repetitions)
        first, second = setting.values
        rows.append(
            {
                "n": setting.n,
                "positives": setting.n_pos,
                "shapes": f"{setting.first.__name__}, {setting.second.__name__}",
                "correlation": setting.shared,
                "values": f"{first:g}" if first == second else f"{first:g}, {second:g}",
                "t test": found["auc_pr_interpolated"],
                "t test, average precision": found["average_precision"],
            }
        )
    return rows


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 2000})
    n, every = (20, 6) if options.quick else (options.repetitions, 1)
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    report.table(
        "few_positives",
        f"Rejected at 0.05; Monte Carlo error {monte_carlo_error(n):.4f}",
        table_of_positives(n, SETTINGS[::every]),
    )
    report.close()


if __name__ == "__main__":
    main()
