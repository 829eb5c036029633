"""Coverage of the intervals and type I error rates of the tests.

Draws many data sets from populations with a known area. Prints the share of intervals that
contain the area, and the share of tests that reject equal scores, with Monte Carlo errors::

    python benchmarks/simulations/coverage.py [--quick] [--repetitions 1000] [--out DIR]

Data sets with fewer than two samples of a class have no interval and are drawn again.
The two intervals of Boyd, Eng and Page (2013), which the package does not offer, are
computed here: their coverage does not converge to the nominal one.
"""

import warnings
from typing import NamedTuple

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtr, ndtri

import sklearn_achievable_pr
from sklearn_achievable_pr import (
    auc_pr_from_counts,
    auc_pr_interpolated,
    auc_pr_interval,
    compare_models,
)

# Populations. Scores are normal; scores of positives have mean `shift` and standard
# deviation `spread`. With `step` > 0 they are rounded to multiples of `step`.


class Population(NamedTuple):
    prevalence: float
    shift: float
    spread: float = 1.0
    step: float = 0.0

    def counts(self, prevalence=None):
        """True and false positives per sample, at decreasing thresholds."""
        share = self.prevalence if prevalence is None else prevalence
        if self.step:
            threshold = self.step * (np.arange(200, -200, -1) - 0.5)
        else:
            threshold = np.linspace(9 + self.shift + 9 * self.spread, -9, 20001)
        tps = share * ndtr((self.shift - threshold) / self.spread)
        return tps, (1 - share) * ndtr(-threshold)

    def value(self, metric="auc_pr_interpolated", prevalence=None, **options):
        """The metric of the population."""
        share = self.prevalence if prevalence is None else prevalence
        if metric == "average_precision" and self.step:
            tps, fps = self.counts(prevalence)
            gained = np.diff(tps, prepend=0)
            return float(np.sum(gained * tps / np.maximum(tps + fps, 1e-300)) / share)
        if metric == "average_precision":  # equal without ties
            metric = "auc_pr_interpolated"
        totals = {"n_pos": share, "n_neg": 1 - share}
        return auc_pr_from_counts(
            *self.counts(prevalence), metric=metric, **totals, **options
        )

    def score(self, y_true, noise):
        """Scores of samples from standard normal noise."""
        found = np.where(y_true, self.shift + self.spread * noise, noise)
        return self.step * np.round(found / self.step) if self.step else found


def population(prevalence, area, spread=1.0, step=0.0):
    """The population with this area."""

    def excess(shift):
        return Population(prevalence, shift, spread, step).value() - area

    return Population(prevalence, brentq(excess, -3, 12, xtol=1e-10), spread, step)


def labels(rng, n_rows, prevalence):
    """Labels with at least two samples of each class."""
    while True:
        y_true = rng.random(n_rows) < prevalence
        if 2 <= np.count_nonzero(y_true) <= n_rows - 2:
            return y_true


# Designs: each draws (y_true, y_score, options)


def independent(rng, there, n_rows):
    """Independent samples."""
    y_true = labels(rng, n_rows, there.prevalence)
    return y_true, there.score(y_true, rng.normal(size=n_rows)), {}


def grouped(rng, there, n_groups, mean_rows, share, by_group=False):
    """Clusters of random size that share a part of the noise and, optionally, the label."""
    while True:
        size = 1 + rng.poisson(mean_rows - 1, n_groups)
        group = np.repeat(np.arange(n_groups), size)
        y_true = rng.random(n_groups if by_group else len(group)) < there.prevalence
        y_true = y_true[group] if by_group else y_true
        if min(len(np.unique(group[y_true])), len(np.unique(group[~y_true]))) > 1:
            break
    own = np.sqrt(1 - share) * rng.normal(size=len(group))
    noise = own + np.sqrt(share) * rng.normal(size=n_groups)[group]
    return y_true, there.score(y_true, noise), {"groups": group}


def weighted(rng, there, n_rows, spread):
    """Samples with random weights that are independent of label and score."""
    y_true, y_score, _ = independent(rng, there, n_rows)
    return y_true, y_score, {"sample_weight": np.exp(spread * rng.normal(size=n_rows))}


def down_sampled(rng, there, n_rows, kept):
    """Down-sampled negatives, with weights that restore their number."""
    while True:
        y_true = labels(rng, n_rows, there.prevalence)
        present = y_true | (rng.random(n_rows) < kept)
        if np.count_nonzero(present & ~y_true) > 1:
            break
    y_score = there.score(y_true, rng.normal(size=n_rows))
    weight = np.where(y_true, 1.0, 1 / kept)[present]
    return y_true[present], y_score[present], {"sample_weight": weight}


def case_control(rng, there, n_pos, n_neg, prevalence):
    """Fixed numbers of samples per class, at a reference prevalence."""
    y_true = np.arange(n_pos + n_neg) < n_pos
    y_score = there.score(y_true, rng.normal(size=n_pos + n_neg))
    return y_true, y_score, {"prevalence": prevalence}


# Coverage


def boyd_logit(y_true, y_score):
    """logit(A) +- z / sqrt(P A (1 - A)) at 0.95 (Boyd, Eng and Page 2013, section 4)."""
    area = auc_pr_interpolated(y_true, y_score)
    if not 0 < area < 1:
        return area, area, area
    reach = ndtri(0.975) / np.sqrt(np.count_nonzero(y_true) * area * (1 - area))
    return area, expit(logit(area) - reach), expit(logit(area) + reach)


def boyd_binomial(y_true, y_score):
    """A +- z sqrt(A (1 - A) / P) at 0.95, within [0, 1] (ibid.)."""
    area = auc_pr_interpolated(y_true, y_score)
    reach = ndtri(0.975) * np.sqrt(area * (1 - area) / np.count_nonzero(y_true))
    return area, max(0.0, area - reach), min(1.0, area + reach)


BOYD = {"boyd_logit": boyd_logit, "boyd_binomial": boyd_binomial}
METHODS = ("beta", *BOYD)


def coverage(draw, there, truth, repetitions, methods=("beta",), seed=0, **options):
    """Coverage, mean width and mean estimate of the intervals of each method."""
    rng = np.random.default_rng(seed)
    found = {method: [] for method in methods}
    for _ in range(repetitions):
        y_true, y_score, design = draw(rng, there)
        for method in methods:
            if method in BOYD:
                estimate, low, high = BOYD[method](y_true, y_score)
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    result = auc_pr_interval(y_true, y_score, **design, **options)
                estimate, (low, high) = result.estimate, result.confidence_interval
            found[method].append((low <= truth <= high, high - low, estimate))
    return {method: np.mean(intervals, axis=0) for method, intervals in found.items()}


# samples, prevalence, area, grid of the score
ROWS = [
    (200, 0.02, 0.5, 0),
    (200, 0.02, 0.9, 0),
    (2000, 0.005, 0.3, 0),
    (500, 0.02, 0.5, 0),
    (100, 0.1, 0.6, 0),
    (200, 0.1, 0.6, 0),
    (200, 0.1, 0.9, 0),
    (1000, 0.02, 0.15, 0),
    (1000, 0.02, 0.5, 0),
    (1000, 0.02, 0.9, 0),
    (200, 0.5, 0.6, 0),
    (200, 0.5, 0.9, 0),
    (1000, 0.1, 0.3, 0),
    (1000, 0.1, 0.6, 0),
    (1000, 0.1, 0.9, 0),
    (1000, 0.1, 0.54, 0.5),
    (1000, 0.1, 0.54, 2),
    (200, 0.1, 0.6, 1),
    (1000, 0.5, 0.6, 0),
    (1000, 0.5, 0.9, 0),
    (5000, 0.02, 0.15, 0),
    (5000, 0.02, 0.5, 0),
    (5000, 0.02, 0.9, 0),
    (5000, 0.1, 0.6, 0),
    (5000, 0.5, 0.9, 0),
    (200, 0.9, 0.95, 0),
    (1000, 0.9, 0.95, 0),
    (1000, 0.9, 0.97, 0),
]


def table_of_methods(repetitions, rows):
    """Coverage / mean width of all methods for independent samples."""
    found = []
    for n_rows, prevalence, area, step in rows:
        there = population(prevalence, area, step=step)
        covered = coverage(
            lambda rng, there, n_rows=n_rows: independent(rng, there, n_rows),
            there,
            area,
            repetitions,
            METHODS,
        )
        row = {
            "n": n_rows,
            "positives": round(n_rows * prevalence),
            "area": area,
            "grid": step or "",
        }
        found.append(
            row | {m: f"{held:.3f}/{width:.3f}" for m, (held, width, _) in covered.items()}
        )
    return found


def _designs():
    """For each further design: name, population, draw, options of the interval."""
    common = population(0.1, 0.6)
    for n_groups, mean_rows, share, by_group in (
        (40, 10, 0.3, False),
        (40, 10, 0.3, True),
        (100, 10, 0.5, False),
        (100, 3, 0.5, True),
        (200, 5, 0.3, True),
    ):
        there = population(0.3 if by_group else 0.1, 0.6)
        what = "clusters" if by_group else "samples"
        yield (
            f"{n_groups} clusters of {mean_rows}, {share:g} shared, {what} labeled",
            there,
            lambda rng, there, a=(n_groups, mean_rows, share, by_group): grouped(
                rng, there, *a
            ),
            {},
        )
    for n_rows, spread in ((500, 0.5), (500, 1.0), (2000, 1.0)):
        yield (
            f"{n_rows} samples, weights exp({spread:g} z)",
            common,
            lambda rng, there, a=(n_rows, spread): weighted(rng, there, *a),
            {},
        )
    yield (
        "5000 samples, a tenth of the negatives, weight 10",
        population(0.02, 0.5),
        lambda rng, there: down_sampled(rng, there, 5000, 0.1),
        {},
    )
    for n_pos, n_neg, prevalence, area in (
        (50, 200, 0.02, 0.3),  # a negative weighs 12 positives
        (150, 750, 0.01, 0.3),  # 20
        (150, 750, 0.005, 0.2),  # 40
        (150, 750, 0.005, 0.07),  # 40
        (150, 3732, 0.005, 0.2),  # 8
        (150, 3732, 0.005, 0.07),  # 8
    ):
        yield (
            f"{n_pos} positives and {n_neg} negatives, prevalence={prevalence:g}",
            population(prevalence, area),
            lambda rng, there, a=(n_pos, n_neg, prevalence): case_control(rng, there, *a),
            {},
        )
    for low, high in ((0.0, 0.5), (0.5, 1.0), (0.8, 1.0)):
        yield (
            f"500 samples, recalls {low:g} to {high:g}",
            common,
            lambda rng, there: independent(rng, there, 500),
            {"recall_range": (low, high)},
        )
    for n_rows, prevalence, area in (
        (200, 0.02, 0.5),
        (200, 0.1, 0.6),
        (200, 0.1, 0.9),
        (1000, 0.02, 0.15),
        (1000, 0.5, 0.6),
        (1000, 0.9, 0.95),
        (1000, 0.9, 0.97),
        (5000, 0.02, 0.5),
    ):
        yield (
            f"AUCNPR: {n_rows} samples, {n_rows * prevalence:g} positives, area {area}",
            population(prevalence, area),
            lambda rng, there, n_rows=n_rows: independent(rng, there, n_rows),
            {"metric": "aucnpr"},
        )


def _designs_of_average_precision():
    """The settings of the area, for average precision."""
    of_metric = {"metric": "average_precision"}
    for n_rows, prevalence, area, step in ROWS:
        yield (
            f"{n_rows} samples, {n_rows * prevalence:g} positives, area {area}"
            + (f", grid {step}" if step else ""),
            population(prevalence, area, step=step),
            lambda rng, there, n_rows=n_rows: independent(rng, there, n_rows),
            of_metric,
        )
    for name, there, draw, options in _designs():
        if not options:
            yield name, there, draw, of_metric


def table_of_designs(designs, repetitions, every=1):
    """Mean estimate, coverage and mean width of the beta interval in these designs."""
    found = []
    for name, there, draw, options in list(designs)[::every]:
        truth = there.value(**options)
        held, width, mean = coverage(draw, there, truth, repetitions, **options)["beta"]
        row = {"setting": name, "truth": truth, "mean estimate": mean}
        found.append(row | {"coverage": held, "width": width})
    return found


# Comparison


class Pair(NamedTuple):
    """Two scores with the same labels; `shared` is the correlation of their noise."""

    first: Population
    second: Population
    shared: float

    def draw(self, rng, n_rows, n_groups=None):
        n_pos = round(n_rows * self.first.prevalence)
        # With few positives their number is fixed: with two, tests hardly ever reject.
        y_true = (
            np.arange(n_rows) < n_pos
            if n_pos < 10
            else labels(rng, n_rows, self.first.prevalence)
        )
        own = np.sqrt(1 - self.shared) * rng.normal(size=(2, n_rows))
        first, second = own + np.sqrt(self.shared) * rng.normal(size=n_rows)
        design = {}
        if n_groups:
            group = rng.integers(n_groups, size=n_rows)
            effect = rng.normal(size=(2, n_groups))[:, group] * np.sqrt(0.5)
            first, second = np.sqrt(0.5) * np.array([first, second]) + effect
            design = {"groups": group}
        scores = self.first.score(y_true, first), self.second.score(y_true, second)
        return y_true, *scores, design


def rejections(pair, n_rows, repetitions, seed=0, n_groups=None):
    """The share of data sets with a p-value of at most 0.05."""
    rng, rejected = np.random.default_rng(seed), []
    for _ in range(repetitions):
        y_true, a, b, design = pair.draw(rng, n_rows, n_groups)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            found = compare_models(y_true, {"a": a, "b": b}, **design).pairs["a", "b"]
        rejected.append(found.pvalue <= 0.05)
    return float(np.mean(rejected))


def _pairs():
    """For each setting: name, pair, number of samples, number of clusters."""
    for n_rows, prevalence, area in (
        (200, 0.02, 0.5),
        (1000, 0.01, 0.3),
        (200, 0.1, 0.6),
        (1000, 0.02, 0.3),
        (200, 0.5, 0.7),
        (1000, 0.1, 0.6),
    ):
        same = population(prevalence, area)
        yield f"{n_rows} samples", Pair(same, same, 0.5), n_rows, None
    for step in (0.5, 2):
        same = population(0.1, 0.6, step=step)
        yield f"500 samples, grid {step:g}", Pair(same, same, 0.5), 500, None
    fine, coarse = population(0.1, 0.6), population(0.1, 0.6, step=1)
    yield "500 samples, one on grid 1", Pair(fine, coarse, 0.5), 500, None
    coarse = population(0.1, 0.6, step=2)
    yield "500 samples, one on grid 2", Pair(fine, coarse, 0.5), 500, None
    for n_rows, prevalence, area in (
        (200, 0.02, 0.5),
        (200, 0.1, 0.6),
        (1000, 0.1, 0.6),
        (1000, 0.5, 0.7),
    ):
        narrow = population(prevalence, area, spread=0.7)
        wide = population(prevalence, area, spread=1.5)
        yield f"{n_rows} samples, spread 0.7 and 1.5", Pair(narrow, wide, 0.5), n_rows, None
    same = population(0.1, 0.6)
    yield "1000 samples in 60 clusters", Pair(same, same, 0.5), 1000, 60
    yield "200 samples, difference 0.15", Pair(population(0.1, 0.75), same, 0.5), 200, None


def table_of_tests(repetitions, every=1):
    """Share of rejections at 0.05: type I error rate and, in the last setting, power."""
    found = []
    for name, pair, n_rows, n_groups in list(_pairs())[::every]:
        row = {"setting": name, "positives": round(n_rows * pair.first.prevalence)}
        share = rejections(pair, n_rows, repetitions, n_groups=n_groups)
        found.append(row | {"rejected": share})
    return found


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 1000})
    n, every = (20, 6) if options.quick else (options.repetitions, 1)
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    error = monte_carlo_error(4 * n)
    report.table(
        "coverage",
        f"Coverage of 0.95 / mean width; Monte Carlo error {error:.4f}",
        table_of_methods(4 * n, ROWS[::every]),
    )
    report.table(
        "coverage_average_precision",
        f"Beta interval of average precision; Monte Carlo error {error:.4f}",
        table_of_designs(_designs_of_average_precision(), 4 * n, every),
    )
    report.table(
        "coverage_designs",
        f"Beta interval, other designs; Monte Carlo error {error:.4f}",
        table_of_designs(_designs(), 4 * n, every),
    )
    report.table(
        "coverage_tests",
        f"Rejected at 0.05; Monte Carlo error {error:.4f}",
        table_of_tests(4 * n, every),
    )
    report.close()


if __name__ == "__main__":
    main()
