r"""Coverage of the intervals at operating points and of the bands of the curve.

Draws samples from populations whose curve is known, and prints how often the intervals of
`operating_point_interval` and `threshold_table` and the bands of `AchievablePRDisplay`
contained the population's values. For comparison: Clopper-Pearson limits at the threshold
that the same sample has at a recall or a false positive rate, a common but wrong practice::

    python benchmarks/simulations/operating_points.py \
        [--quick] [--repetitions 400] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from coverage import Population, grouped, independent, population, weighted
from joblib import Parallel, delayed
from scipy.stats import logistic, norm
from scipy.stats import t as student
from sklearn.exceptions import UndefinedMetricWarning
from subgroups import populations

from sklearn_achievable_pr import operating_point_interval, recall_at_fpr, threshold_table
from sklearn_achievable_pr._input.labels import check_binary
from sklearn_achievable_pr._roc.counting import every_threshold
from sklearn_achievable_pr.rates._cuts import CutSample
from sklearn_achievable_pr.rates._intervals import (
    POINTWISE_QUANTILE,
    SIMULTANEOUS_QUANTILE,
    precision_band,
)

BAND_RECALL = np.linspace(0.05, 0.95, 37)
# Prevalence, AUC-PR, spread of the positives' scores, step of rounded scores.
POPULATIONS = [
    (0.05, 0.3, 1.0, 0.0),
    (0.05, 0.7, 2.0, 0.0),
    (0.3, 0.6, 1.0, 0.0),
    (0.3, 0.6, 1.0, 1.0),
    (0.5, 0.9, 0.5, 0.0),
    (0.1, 0.5, 1.0, 1.5),
    (0.02, 0.2, 1.0, 0.5),
]


def clusters(rng, there, n_samples):
    return grouped(rng, there, n_samples // 4, 4, 0.5)


def reweight(y_true, options):
    """Weights that give the samples the reference prevalence of the options."""
    odds = (1 - options["prevalence"]) / options["prevalence"]
    return np.where(y_true, 1.0, odds * np.sum(y_true) / np.sum(~y_true))


def weights(rng, there, n_samples):
    return weighted(rng, there, n_samples, 0.5)


def reference_prevalence(rng, there, n_samples):
    """A quarter of the negatives, reweighted to the prevalence of the population."""
    y_true, y_score, _ = independent(rng, there, n_samples)
    kept = y_true | (rng.random(n_samples) < 0.25)
    return y_true[kept], y_score[kept], {"prevalence": there.prevalence}


DESIGNS = {
    "independent": independent,
    "clusters": clusters,
    "weights": weights,
    "prevalence": reference_prevalence,
}
# Rate, positives, negatives, reference prevalence and threshold; scores are normal with
# means 0 and 2. In most cells many data sets have no sample of one class among the counted.
REWEIGHTED = [
    ("precision", 100, 100, 0.2, 2.3),
    ("precision", 200, 200, 0.2, 2.5),
    ("precision", 300, 300, 0.15, 2.6),
    ("precision", 30, 300, 0.05, 2.0),
    ("npv", 50, 450, 0.4, 0.0),
    ("npv", 100, 1000, 0.5, -0.3),
    ("npv", 100, 100, 0.2, 0.3),
    # A negative weighs 11 to 999 positives.
    ("precision", 600, 5400, 0.01, 2.0),
    ("precision", 30, 300, 0.005, 1.0),
    ("precision", 300, 300, 0.01, 2.3),
    ("precision", 1000, 1000, 0.001, 2.5),
]
# Prevalence, and mean and spread of the positives' scores. The curve rises, then falls.
RISING = [(0.1, 2.0, 0.5), (0.3, 1.2, 0.5), (0.5, 1.0, 0.4)]
# Samples, share of them above a tie and in it, share of positives above it, in it and below
# it, and the part of the tie that is among the k.
TIES = [
    (300, 0.05, 0.9, 0.03, 0.02, 0.01, 0.02),
    (500, 0.09, 0.6, 0.03, 0.1, 0.02, 0.02),
    (1000, 0.05, 0.94, 0.03, 0.05, 0.01, 0.02),
    (1000, 0.1, 0.5, 0.5, 0.1, 0.02, 0.1),
    (2000, 0.02, 0.94, 0.97, 0.5, 0.1, 0.02),
    (2000, 0.02, 0.94, 0.97, 0.02, 0.0, 0.05),
    (1000, 0.05, 0.94, 0.97, 0.1, 0.0, 0.02),
    (300, 0.1, 0.5, 0.97, 0.5, 0.1, 0.1),
    (2000, 0.1, 0.6, 0.2, 0.02, 0.01, 0.3),
    (1000, 0.06, 0.94, 0.02, 0.06, 0.0, 0.1),
    (1000, 0.06, 0.94, 0.9, 0.03, 0.0, 0.5),
    (1000, 0.03, 0.1, 0.3, 0.2, 0.05, 0.5),
    (400, 0.3, 0.3, 0.9, 0.5, 0.05, 0.99),
    (300, 0.02, 0.5, 0.97, 0.02, 0.01, 0.3),
]
# Recall at a false positive rate: noise, design, step of rounded scores, and prevalence.
# The scores of positives are higher by 2 (with t3 noise by 3).
OF_FPR = [
    ("logistic", "independent", 0.0, 0.1),
    ("logistic", "independent", 0.0, 0.3),
    ("t3", "independent", 0.0, 0.1),
    ("logistic", "independent", 1.0, 0.1),
    ("logistic", "independent", 3.0, 0.1),
    ("logistic", "clusters", 0.0, 0.1),
    ("t3", "clusters", 0.0, 0.3),
    ("logistic", "weights", 0.0, 0.1),
    ("t3", "weights", 0.0, 0.3),
]
# Expected positives and false positive rate.
SIZES_OF_FPR = [(20, 0.03), (20, 0.2), (60, 0.01), (60, 0.1), (200, 0.01), (200, 0.1)]
# Indices of populations of out-of-fold scores, of `subgroups`.
REAL = (1, 4, 6, 8, 10)
RATES = ("precision", "recall", "specificity", "npv", "f1")
COMMON = "Clopper-Pearson"
BANDS = ("pointwise band", "simultaneous band")


def points_of(there):
    """Arguments of the interval, and the value of the population, by name."""
    tps, fps = (np.append(0, counts) for counts in there.counts())
    prevalence = there.prevalence

    def precision(recall):
        at = recall * prevalence
        return at / (at + np.interp(at, tps, fps))

    at_k = np.interp(prevalence, tps + fps, tps) / prevalence
    points = {
        f"precision at recall {recall}": ({"recall": recall}, precision(recall))
        for recall in (0.2, 0.5, 0.8)
    }
    return points | {
        "recall at a precision": ({"precision": precision(0.5)}, 0.5),
        # k equal to the number of positives: precision and recall are equal there.
        "precision at k": ({"k": prevalence}, at_k),
        "recall at k": ({"k": prevalence, "rate": "recall"}, at_k),
    }


def interval_at(y_true, y_score, point, **options):
    """Both limits: at a recall or a precision, or of a rate at a threshold or at k."""
    if point.keys() & {"recall", "precision"}:
        return operating_point_interval(
            y_true, y_score, **point, **options
        ).confidence_interval
    at = dict(point)
    rate = at.pop("rate", "precision")
    table = threshold_table(y_true, y_score, **at, **options)
    return tuple(getattr(table, f"{rate}_{end}")[0] for end in ("low", "high"))


def bands_contain(data, truth):
    """Share of recalls in the pointwise band, and whether the simultaneous band has all."""
    binary = check_binary(*data, None, None)
    sample, found = CutSample(binary, every_threshold(binary)), []
    for z in (POINTWISE_QUANTILE, SIMULTANEOUS_QUANTILE):
        low, high = precision_band(sample, BAND_RECALL, z)
        found.append((low <= truth) & (truth <= high))
    return np.mean(found[0]), np.all(found[1])


def one_cell(rng, design, parameters, n_pos, repetitions):
    """Share of data sets, by the name of the interval or band, that contain the value."""
    # Few positives: the samples are as they are.
    warnings.simplefilter("ignore", UndefinedMetricWarning)
    there, draw = population(*parameters), DESIGNS[design]
    points = points_of(there)
    tps, fps = (np.append(0, counts) for counts in there.counts())
    truth = BAND_RECALL * there.prevalence
    truth = truth / (truth + np.interp(truth, tps, fps))
    hits = {name: [] for name in (*points, COMMON, *BANDS)}
    for _ in range(repetitions):
        y, score, options = draw(rng, there, round(n_pos / there.prevalence))
        for name, (point, value) in points.items():
            # A table at k takes no prevalence, but the same weights.
            is_at_k = "k" in point and "prevalence" in options
            design = {"sample_weight": reweight(y, options)} if is_at_k else options
            low, high = interval_at(y, score, point, **design)
            hits[name].append(low <= value <= high)
        threshold = np.quantile(score[y], 0.5, method="lower")
        common = {"thresholds": threshold, "prevalence": options.get("prevalence")}
        low, high = interval_at(y, score, common)
        hits[COMMON].append(low <= points["precision at recall 0.5"][1] <= high)
        if not options:
            for name, hit in zip(BANDS, bands_contain((y, score), truth), strict=True):
                hits[name].append(hit)
    return {name: np.mean(found) for name, found in hits.items() if found}


def reweighted(rng, metric, n_pos, n_neg, prevalence, threshold, repetitions):
    """Coverage and mean width of the interval of a rate at a threshold and a prevalence."""
    recall, fpr = norm.sf([threshold - 2, threshold])
    parts = prevalence * recall, (1 - prevalence) * fpr
    if metric == "npv":
        parts = (1 - prevalence) * (1 - fpr), prevalence * (1 - recall)
    value, y_true = parts[0] / sum(parts), np.arange(n_pos + n_neg) < n_pos
    at = {"rate": metric, "thresholds": threshold, "prevalence": prevalence}
    found = []
    for _ in range(repetitions):
        y_score = rng.normal(size=len(y_true)) + 2 * y_true
        low, high = interval_at(y_true, y_score, at)
        found.append((low <= value <= high, high - low))
    coverage, width = np.mean(found, axis=0)
    sizes = {"positives": n_pos, "negatives": n_neg}
    shown = {
        "metric": metric,
        "prevalence": prevalence,
        "threshold": threshold,
        "value": f"{value:.3f}",
        "coverage": f"{coverage:.3f}",
        "width": f"{width:.3f}",
    }
    return sizes | shown


def highest(rng, prevalence, shift, spread, share, n_pos, repetitions):
    """Coverage and mean width of the recall at nearly the highest precision of a curve."""
    there = Population(prevalence, shift, spread)
    tps, fps = there.counts()
    of_curve = tps / np.maximum(tps + fps, 1e-300)
    precision = share * of_curve[tps > 1e-6 * prevalence].max()
    end = np.flatnonzero((of_curve >= precision) & (tps > 1e-6 * prevalence))[-1]
    recall, found = tps[end] / prevalence, []
    for _ in range(repetitions):
        y, score, _ = independent(rng, there, round(n_pos / prevalence))
        low, high = operating_point_interval(
            y, score, precision=precision
        ).confidence_interval
        found.append((low <= recall <= high, high - low))
    coverage, width = np.mean(found, axis=0)
    row = {"prevalence": prevalence, "shift": shift, "spread": spread, "share": share}
    row |= {"precision": precision, "recall": recall, "positives": n_pos}
    return row | {"coverage": f"{coverage:.3f}", "width": f"{width:.3f}"}


def in_a_tie(rng, n_samples, above, tied, *shares_and_part, repetitions):
    """Coverage and mean width of the rates at a k inside a tie."""
    *positive, part = shares_and_part
    sizes = np.array([above, tied, 1 - above - tied])
    k = round((above + part * tied) * n_samples)
    n_tied = k / n_samples - above
    tp, n_pos = above * positive[0] + n_tied * positive[1], sizes @ positive
    fp, fn = k / n_samples - tp, n_pos - tp
    tn = 1 - tp - fp - fn
    value = {"precision": tp / (tp + fp), "recall": tp / n_pos, "npv": tn / (tn + fn)}
    value |= {"specificity": tn / (tn + fp), "f1": 2 * tp / (tp + fp + n_pos)}
    found = {rate: [] for rate in RATES}
    for _ in range(repetitions):
        y = np.zeros(n_samples, dtype=bool)
        while not 2 <= np.count_nonzero(y) <= n_samples - 2:
            place = rng.choice(3, n_samples, p=sizes)
            score = np.where(place == 1, 0.0, (1 - place) * (1 + rng.random(n_samples)))
            y = rng.random(n_samples) < np.array(positive)[place]
        table = threshold_table(y, score, k=k)
        for rate, of_rate in found.items():
            low, high = (getattr(table, f"{rate}_{end}")[0] for end in ("low", "high"))
            of_rate.append((low <= value[rate] <= high, high - low))
    row = {"samples": n_samples, "above": above, "tied": tied}
    names = ("positive above", "positive in the tie", "positive below")
    row |= dict(zip(names, positive, strict=True)) | {"k": k}
    for rate, of_rate in found.items():
        coverage, width = np.mean(of_rate, axis=0)
        row |= {rate: f"{coverage:.3f}", f"{rate} width": f"{width:.3f}"}
    return row


class Shifted:
    """Scores with a given noise, those of positives higher by a shift, perhaps rounded."""

    def __init__(self, noise, design, step, prevalence):
        self.name, self.design, self.step, self.prevalence = noise, design, step, prevalence
        self.noise, self.shift = (student(3), 3) if noise == "t3" else (logistic(), 2)

    def recall(self, fpr):
        """The recall of the population, interpolated along ties."""
        if not self.step:
            return self.noise.sf(self.noise.isf(fpr) - self.shift)
        ends = self.step * (np.arange(40, -40, -1) - 0.5)
        return np.interp(fpr, self.noise.sf(ends), self.noise.sf(ends - self.shift))

    def draw(self, rng, n_pos):
        """Labels, scores, and weights or clusters of a data set."""
        n, group = round(n_pos / self.prevalence), None
        options = {}
        if self.design == "clusters":
            group = np.sort(rng.integers(0, n // 3, n))
            options["groups"] = group
        if self.design == "weights":
            options["sample_weight"] = np.exp(0.5 * rng.normal(size=n))
        y = rng.random(n) < self.prevalence
        # Half of the variance of the probits of the noise is shared within a cluster.
        z = rng.normal(size=n)
        if group is not None:
            z = (z + rng.normal(size=n)[group]) / np.sqrt(2)
        score = self.noise.isf(norm.sf(z)) + self.shift * y
        return y, self.step * np.round(score / self.step) if self.step else score, options


class Resampled:
    """A population of out-of-fold scores."""

    design, step = "independent", 0.0

    def __init__(self, name, negatives, positives, prevalence):
        self.name, self.prevalence = name, prevalence
        self.negatives, self.positives = negatives, positives

    def recall(self, fpr):
        """The recall of the population, interpolated along ties."""
        y = np.repeat([0, 1], [len(self.negatives), len(self.positives)])
        return recall_at_fpr(y, np.append(self.negatives, self.positives), fpr=fpr)

    def draw(self, rng, n_pos):
        """Labels and scores of a data set, drawn with replacement."""
        n = round(n_pos / self.prevalence)
        y = rng.random(n) < self.prevalence
        scores = rng.choice(self.positives, n), rng.choice(self.negatives, n)
        return y, np.where(y, *scores), {}


def at_fpr(rng, there, n_pos, fpr, repetitions):
    """Coverage and mean width of the recall at a false positive rate, and common practice.

    Data sets with fewer than two positives, or without a whole false positive, are drawn
    again.
    """
    recall, found, common = there.recall(fpr), [], []
    while len(found) < repetitions:
        y, score, options = there.draw(rng, n_pos)
        if np.sum(y) < 2 or fpr * np.sum(~y) < 1:
            continue
        one = operating_point_interval(y, score, fpr=fpr, **options)
        low, high = one.confidence_interval
        found.append((low <= recall <= high, high - low))
        # The highest false positive rate of a threshold that is at most `fpr`.
        beyond = np.sort(score[~y])[-1 - int(fpr * np.sum(~y))]
        cut = {"rate": "recall", "thresholds": np.nextafter(beyond, np.inf)}
        low, high = interval_at(y, score, cut)
        common.append(low <= recall <= high)
    coverage, width = np.mean(found, axis=0)
    row = {"scores": there.name, "design": there.design, "step": there.step}
    row |= {"prevalence": there.prevalence, "positives": n_pos, "fpr": fpr}
    row |= {"recall": f"{recall:.3f}", "coverage": f"{coverage:.3f}"}
    return row | {"width": f"{width:.3f}", COMMON: f"{np.mean(common):.3f}"}


def rows_at_fpr(repetitions):
    """Rows of `at_fpr`."""
    real = [*populations()]
    there = [Shifted(*one) for one in OF_FPR] + [Resampled(*real[i]) for i in REAL]
    return Parallel(n_jobs=-1)(
        delayed(at_fpr)(np.random.default_rng(seed), one, *size, repetitions)
        for seed, one in enumerate(there)
        for size in SIZES_OF_FPR
        # Nearly every data set has a whole false positive.
        if 1.4 * one.prevalence < size[0] * size[1] * (1 - one.prevalence)
    )


def main():
    """Run all cells and write the tables."""
    options = command_line(__doc__, repetitions={"type": int, "default": 400})
    n = 50 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn)
    cells = [
        (design, parameters, n_pos)
        for design in DESIGNS
        for parameters in (POPULATIONS if design == "independent" else POPULATIONS[:4])
        for n_pos in (30, 100, 300)
    ]
    cells = cells[:: 5 if options.quick else 1]
    # Every cell has random numbers of its own, so that cells can run at the same time.
    found = Parallel(n_jobs=-1)(
        delayed(one_cell)(np.random.default_rng(seed), *cell, n)
        for seed, cell in enumerate(cells)
    )
    points, bands = [], []
    for (design, parameters, n_pos), shares in zip(cells, found, strict=True):
        names = ("prevalence", "AUC-PR", "spread", "step")
        row = dict(zip(names, parameters, strict=True)) | {"positives": n_pos}
        shown = {name: f"{share:.3f}" for name, share in shares.items()}
        of_bands = {name: shown.pop(name) for name in BANDS if name in shown}
        points.append({"design": design} | row | shown)
        if of_bands:
            bands.append(row | of_bands)
    error = monte_carlo_error(n)
    report.table("points", f"Coverage of 0.95; Monte Carlo error {error:.4f}", points)
    report.table("points_bands", "Coverage of the bands of the same samples", bands)
    rows = [reweighted(np.random.default_rng(0), *cell, n) for cell in REWEIGHTED]
    report.table("points_reweighted", "A threshold and a reference prevalence", rows)
    sizes = [(share, n_pos) for share in (0.99, 0.95) for n_pos in (30, 100, 300)]
    rows = [
        highest(np.random.default_rng(0), *there, *size, n)
        for there in RISING
        for size in sizes
    ]
    report.table("points_highest", "Recall at nearly the highest precision", rows)
    rows = [in_a_tie(np.random.default_rng(0), *cell, repetitions=n) for cell in TIES]
    report.table("points_ties", "Rates at a k inside a tie", rows)
    rows = rows_at_fpr(n // 2)
    report.table("points_fpr", "Recall at a false positive rate", rows)
    report.close()


if __name__ == "__main__":
    main()
