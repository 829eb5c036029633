"""Coverage of rates at thresholds and of their differences, with few counted samples.

A population of *cells* has a probability for each class and each pair of decisions of two
models A and B; labels and decisions of a sample are drawn from it. Its rates are known, so
that the coverage of the intervals of both models and of their difference can be measured,
and the type I error rate where a rate of both models is equal. Samples are independent,
have weights that vary at random, or come in clusters of 1 to 10 samples. Real scores are
out-of-fold scores of learners, with one threshold at the most suspicious samples and the
other far below. Prints one row for each design and rate, with the Monte Carlo error of one
population::

    python benchmarks/simulations/rates.py [--quick] [--repetitions 400] [--out DIR]
"""

import itertools
import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from operating_point_comparisons import RATES, populations, value_at

import sklearn_achievable_pr
from sklearn_achievable_pr import compare_models

N = 1000
# Learners: shares of the samples above the threshold of A and of B.
SELECTED = ((0.2, 0.004), (0.3, 0.01), (0.1, 0.02), (0.5, 0.1))


def cells_of(prevalence, recalls, fprs, overlap):
    """Probabilities of the class and of both decisions, shape (2, 2, 2).

    `recalls` and `fprs` are those of A and of B. With `overlap` 0 the decisions are
    independent in each class, with 1 the model that selects less selects a subset.
    """
    cells = np.empty((2, 2, 2))
    for label, share, (a, b) in ((1, prevalence, recalls), (0, 1 - prevalence, fprs)):
        both = a * b + overlap * (min(a, b) - a * b)
        cells[label] = share * np.array([[1 - a - b + both, b - both], [a - both, both]])
    return cells


def equal_precision(n_b, precision, overlap, n=N, n_a=100, prevalence=0.15):
    """Cells of models that select `n_a` and `n_b` of n samples with one precision."""
    shares = np.array([n_a, n_b]) / n
    recalls, fprs = shares * precision / prevalence, shares * (1 - precision)
    return cells_of(prevalence, recalls, fprs / (1 - prevalence), overlap)


def random_cells(rng):
    """A sample size and cells: 2 to 100 positives are expected, and 1 to 100 selected."""
    n = int(rng.choice([200, 1000, 2000]))
    prevalence = np.exp(rng.uniform(np.log(2), np.log(min(100, n / 4)))) / n
    selected = np.exp(rng.uniform(0, np.log(min(100, n / 4)), 2)) / n
    recalls = np.minimum(rng.uniform(0.05, 0.95, 2) * selected / prevalence, 0.97)
    fprs = (selected - recalls * prevalence) / (1 - prevalence)
    return n, cells_of(prevalence, recalls, fprs, rng.uniform(0, 0.98))


def rates_of(cells):
    """The rates of A and of B, by name."""
    found = []
    for of_model in (cells.sum(axis=2), cells.sum(axis=1)):
        (tn, fp), (fn, tp) = of_model
        parts = {
            "recall": (tp, tp + fn),
            "specificity": (tn, tn + fp),
            "precision": (tp, tp + fp),
            "npv": (tn, tn + fn),
            "f1": (2 * tp, 2 * tp + fp + fn),
            "selection_rate": (tp + fp, tp + fp + fn + tn),
        }
        found.append({name: part / whole for name, (part, whole) in parts.items()})
    return found


def drawn(rng, cells, n):
    """Labels and decisions of n samples."""
    index = np.repeat(np.arange(8), rng.multinomial(n, cells.ravel()))
    return rng.permutation(index)


def independent(rng, cells, n):
    """A sample of the cells, without further arguments."""
    return drawn(rng, cells, n), {}


def lognormal_weights(rng, cells, n):
    """A sample with lognormal weights."""
    return drawn(rng, cells, n), {"sample_weight": np.exp(rng.normal(size=n))}


def two_weights(rng, cells, n):
    """A sample with weights of 1 and 20, drawn at random."""
    return drawn(rng, cells, n), {"sample_weight": rng.choice([1.0, 20.0], n)}


def clusters(rng, cells, n):
    """Clusters of 1 to 10 samples, of which half are copies of the first."""
    groups = np.repeat(np.arange(n), rng.integers(1, 11, n))[:n]
    first = np.searchsorted(groups, groups)
    index = drawn(rng, cells, n)
    return np.where(rng.random(n) < 0.5, index, index[first]), {"groups": groups}


DESIGNS = {
    "weights, lognormal": lognormal_weights,
    "weights, 1 or 20": two_weights,
    "clusters of 1 to 10": clusters,
}


class Cell:
    """Counts of one population and metric."""

    def __init__(self, truth):
        self.truth, self.rejected, self.covered, self.alone = truth, [], [], []

    def add(self, found):
        """Add one comparison of A and B; undefined rates do not count."""
        pair = found.pairs["A", "B"]
        low, high = pair.confidence_interval
        if not np.isnan(low):
            a, b = self.truth
            self.rejected.append(low > 0 or high < 0)
            self.covered.append(low - 1e-12 <= a - b <= high + 1e-12)
        for name, value in zip("AB", self.truth, strict=True):
            one = found.models[name]
            low, high = one.confidence_interval
            if not np.isnan(one.estimate):
                self.alone.append(low - 1e-12 <= value <= high + 1e-12)

    @property
    def is_null(self):
        """Whether the rates are equal."""
        return abs(self.truth[0] - self.truth[1]) < 1e-9


def of_cells(seed, draw, n, cells, rates, repetitions):
    """The `Cell` of each rate of one population."""
    rng, truth = np.random.default_rng(seed), rates_of(cells)
    found = {rate: Cell(tuple(of_model[rate] for of_model in truth)) for rate in rates}
    for _ in range(repetitions):
        index, options = draw(rng, cells, n)
        y, a, b = (index >> shift & 1 for shift in (2, 1, 0))
        models = {"A": a * 1.0, "B": b * 1.0}
        for rate, cell in found.items():
            how = {"metric": f"{rate}_at_threshold", "at": 0.5}
            cell.add(compare_models(y, models, **how, **options))
    return found


def of_pool(seed, pool, n, metric, at, repetitions):
    """The `Cell` for samples of a pool of labels and two scores."""
    rng = np.random.default_rng(seed)
    truth = tuple(value_at(pool, i, metric, _by_letter(at)) for i in (1, 2))
    cell = Cell(truth)
    for _ in range(repetitions):
        y, a, b = (
            column[i] for i in [rng.integers(len(pool[0]), size=n)] for column in pool
        )
        if 1 < np.count_nonzero(y) < n - 1:
            cell.add(compare_models(y, {"A": a, "B": b}, metric=metric, at=at))
    return cell


def _by_letter(at):
    """Thresholds by the names that `value_at` uses."""
    return (
        {name.lower(): value for name, value in at.items()} if isinstance(at, dict) else at
    )


def summary(population, rate, cells, repetitions):
    """One row from the cells of several populations."""
    errors = [np.mean(cell.rejected) for cell in cells if cell.is_null]
    # Populations in which a rate is mostly undefined say little.
    enough = [cell for cell in cells if len(cell.covered) > repetitions / 4]
    covered = [np.mean(cell.covered) for cell in enough]
    alone = [np.mean(cell.alone) for cell in enough]
    return {
        "population": population,
        "rate": rate,
        "populations": len(enough),
        "interval least": min(alone),
        "difference mean": np.mean(covered),
        "difference least": min(covered),
        "type I mean": np.mean(errors) if errors else "",
        "type I most": max(errors) if errors else "",
        "error": monte_carlo_error(repetitions),
    }


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 400})
    warnings.simplefilter("ignore")
    repetitions = 10 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    found = {}

    def collect(population, rate, cell):
        found.setdefault((population, rate), []).append(cell)

    grid = itertools.product((1, 3, 5, 10, 30, 200), (0.3, 0.7), (0.0, 0.7))
    for i, (n_b, precision, overlap) in enumerate(grid):
        cells = equal_precision(n_b, precision, overlap)
        of_rates = of_cells(i, independent, N, cells, ["precision"], repetitions)
        for rate, cell in of_rates.items():
            collect("B selects 1 to 200, A 100", rate, cell)
    rng = np.random.default_rng(0)
    random = [random_cells(rng) for _ in range(24)]
    for i, (n, cells) in enumerate(random):
        for rate, cell in of_cells(i, independent, n, cells, RATES, repetitions).items():
            collect("random cells", rate, cell)
    print("random cells", flush=True)
    for (name, draw), (i, (n, cells)) in itertools.product(
        DESIGNS.items(), enumerate(random[:12])
    ):
        for cell in of_cells(i, draw, n, cells, RATES, repetitions).values():
            collect(name, "all six", cell)
    print("designs", flush=True)
    pools = [*enumerate(populations())]
    real = [entry for entry in pools if entry[0] in (9, 11, 13)]
    for (i, (_, n, _, pool)), shares in itertools.product(real, SELECTED):
        _, a, b = pool
        at = {"A": np.quantile(a, 1 - shares[0]), "B": np.quantile(b, 1 - shares[1])}
        for rate in RATES:
            cell = of_pool(i, pool, n, f"{rate}_at_threshold", at, repetitions)
            collect("learners, thresholds far apart", rate, cell)
    rows = [summary(*names, cells, repetitions) for names, cells in found.items()]
    report.table("rates", "Rates of two models of the same samples", rows)
    report.close()


if __name__ == "__main__":
    main()
