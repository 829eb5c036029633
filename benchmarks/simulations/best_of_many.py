r"""Coverage of lower limits of the best of many models.

In most settings all models have the same value in the population, so that the best one in a
data set owes its rank to chance. Prints the share of data sets in which two lower limits of
the best model are below its value in the population: the one-sided 95 % limit that does not
allow for the choice (*plain*), and `best_low` of `compare_models`. The title has the Monte
Carlo error::

    python benchmarks/simulations/best_of_many.py \
        [--quick] [--repetitions 400] [--out DIR]
"""

import warnings
from typing import NamedTuple

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from coverage import labels, population
from scipy.special import ndtr

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_from_counts, auc_pr_interval, compare_models

# Rows of a cluster share this part of the variance of their noise.
SHARE_OF_CLUSTER = 0.5
# The labels of a multilabel problem: their prevalence and AUC-PR.
PREVALENCES, AREAS = (0.3, 0.1, 0.05, 0.03), (0.8, 0.6, 0.5, 0.4)


class Setting(NamedTuple):
    """Models of one data set.

    Attributes
    ----------
    design : str
        Key of `DRAWS`.
    n : int
        Number of samples, or of clusters.
    prevalence, area : float
        Of the population.
    n_models : int
    shared : float
        Correlation of the noise of two models.
    worse : float
        By how much the AUC-PR of every second model is lower.
    options : dict or None
        Options of `compare_models`.
    """

    design: str
    n: int
    prevalence: float
    area: float
    n_models: int
    shared: float
    worse: float = 0.0
    options: dict | None = None

    def populations(self):
        """The population of each model or, for several labels, of each label."""
        if self.design == "labels":
            return [population(*pair) for pair in zip(PREVALENCES, AREAS, strict=True)]
        areas = [self.area, self.area - self.worse]
        both = [population(self.prevalence, area) for area in areas]
        return [both[i % 2] for i in range(self.n_models)]

    def noise(self, rng, *shape):
        """Standard normal noise of each model."""
        own, common = rng.normal(size=(self.n_models, *shape)), rng.normal(size=shape)
        return np.sqrt(1 - self.shared) * own + np.sqrt(self.shared) * common


def of_samples(rng, setting, populations):
    """Independent samples."""
    y_true = labels(rng, setting.n, setting.prevalence)
    noises = setting.noise(rng, setting.n)
    pairs = zip(populations, noises, strict=True)
    return y_true, [there.score(y_true, noise) for there, noise in pairs], {}


def of_weights(rng, setting, populations):
    """Independent samples with random weights."""
    y_true, scores, _ = of_samples(rng, setting, populations)
    return y_true, scores, {"sample_weight": np.exp(0.5 * rng.normal(size=setting.n))}


def of_clusters(rng, setting, populations):
    """Clusters of 1 to 9 samples with one label and a common part of the noise."""
    groups = np.repeat(np.arange(setting.n), rng.integers(1, 10, setting.n))
    y_true = labels(rng, setting.n, setting.prevalence)[groups]
    common, own = setting.noise(rng, setting.n), setting.noise(rng, len(groups))
    noises = np.sqrt(SHARE_OF_CLUSTER) * common[:, groups]
    noises += np.sqrt(1 - SHARE_OF_CLUSTER) * own
    pairs = zip(populations, noises, strict=True)
    scores = [there.score(y_true, noise) for there, noise in pairs]
    return y_true, scores, {"groups": groups}


def of_labels(rng, setting, populations):
    """A multilabel problem; the populations are those of the labels."""
    columns = [labels(rng, setting.n, prevalence) for prevalence in PREVALENCES]
    y_true = np.column_stack(columns)
    noises = setting.noise(rng, *y_true.shape)
    shifts = np.array([there.shift for there in populations])
    return y_true, [noise + y_true * shifts for noise in noises], {}


DRAWS = {
    "samples": of_samples,
    "weights": of_weights,
    "clusters": of_clusters,
    "labels": of_labels,
}
AP, AUCNPR = {"metric": "average_precision"}, {"metric": "aucnpr"}
NORMALIZED = {"metric": "normalized_average_precision"}
MACRO, WEIGHTED, MICRO = ({"average": name} for name in ("macro", "weighted", "micro"))
SETTINGS = [
    Setting("samples", 600, 0.1, 0.5, 3, 0.5),
    Setting("samples", 600, 0.1, 0.5, 10, 0.8),
    Setting("samples", 600, 0.1, 0.5, 20, 0.0),
    Setting("samples", 600, 0.1, 0.5, 20, 0.7),
    Setting("samples", 600, 0.1, 0.5, 20, 0.95),
    Setting("samples", 300, 0.05, 0.5, 20, 0.5),
    Setting("samples", 2000, 0.03, 0.3, 50, 0.5),
    Setting("samples", 300, 0.1, 0.95, 20, 0.5),
    Setting("samples", 300, 0.5, 0.8, 20, 0.5),
    Setting("samples", 600, 0.1, 0.5, 20, 0.5, worse=0.1),
    Setting("samples", 600, 0.1, 0.5, 20, 0.5, options=AP),
    Setting("samples", 600, 0.1, 0.5, 20, 0.5, options=AUCNPR),
    Setting("samples", 600, 0.1, 0.5, 20, 0.5, options=NORMALIZED),
    Setting("samples", 600, 0.1, 0.5, 20, 0.5, options={"recall_range": (0.5, 1.0)}),
    Setting("samples", 600, 0.2, 0.7, 20, 0.5, options={"prevalence": 0.3}),
    Setting("weights", 600, 0.1, 0.5, 20, 0.0),
    Setting("weights", 600, 0.1, 0.5, 20, 0.7),
    Setting("weights", 600, 0.1, 0.5, 20, 0.5, options=AP),
    Setting("clusters", 150, 0.2, 0.5, 20, 0.0),
    Setting("clusters", 150, 0.2, 0.5, 20, 0.7),
    Setting("clusters", 150, 0.2, 0.5, 20, 0.5, options=AP),
    Setting("clusters", 60, 0.3, 0.7, 10, 0.5),
    Setting("labels", 400, 0.0, 0.0, 10, 0.0, options=MACRO),
    Setting("labels", 400, 0.0, 0.0, 10, 0.7, options=MACRO),
    Setting("labels", 400, 0.0, 0.0, 10, 0.5, options=MACRO | AP),
    Setting("labels", 400, 0.0, 0.0, 10, 0.5, options=WEIGHTED),
    Setting("labels", 400, 0.0, 0.0, 10, 0.5, options=MICRO),
]


def of_population(setting, populations, average=None, **options):
    """The value of each model."""
    if average is None:
        if options.get("metric") == "normalized_average_precision":
            options = AUCNPR  # equal in a population
        return [there.value(**options) for there in populations]
    if average == "micro":
        value = of_pooled_labels(populations)
    else:
        of_each = [there.value(**options) for there in populations]
        value = np.average(of_each, weights=PREVALENCES if average == "weighted" else None)
    return [value] * setting.n_models


def of_pooled_labels(populations):
    """AUC-PR of the entries of all labels as one binary problem."""
    thresholds = np.linspace(15, -10, 20001)
    tps = sum(there.prevalence * ndtr(there.shift - thresholds) for there in populations)
    n_pos, n_neg = sum(PREVALENCES), len(PREVALENCES) - sum(PREVALENCES)
    return auc_pr_from_counts(tps, n_neg * ndtr(-thresholds), n_pos=n_pos, n_neg=n_neg)


def row_of(setting, repetitions):
    """A row of the table."""
    rng, options = np.random.default_rng(0), setting.options or {}
    populations = setting.populations()
    values = of_population(setting, populations, **options)
    names = [f"{i}" for i in range(setting.n_models)]
    covered, distances = [], []
    for _ in range(repetitions):
        y_true, scores, design = DRAWS[setting.design](rng, setting, populations)
        design = design | options
        models = dict(zip(names, scores, strict=True))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            # With a reference fewer differences are computed; `best_low` is the same.
            found = compare_models(y_true, models, reference="0", **design)
            if found.best_low is None:  # negatives weigh too much by chance
                continue
            best = max(names, key=lambda name: found.models[name].estimate)
            plain = auc_pr_interval(
                y_true, models[best], alternative="greater", **design
            ).confidence_interval.low
        value, estimate = values[int(best)], found.models[best].estimate
        covered.append([plain <= value, found.best_low <= value])
        distances.append([estimate - plain, estimate - found.best_low])
    (plain, best_low), (near, far) = np.mean(covered, axis=0), np.mean(distances, axis=0)
    return {
        "design": setting.design,
        "options": ", ".join(f"{value}" for value in options.values()) or "-",
        "n": setting.n,
        "prevalence": setting.prevalence or f"{min(PREVALENCES)} to {max(PREVALENCES)}",
        "value": values[0],
        "models": setting.n_models,
        "correlation": setting.shared,
        "worse": setting.worse,
        "plain": plain,
        "best_low": best_low,
        "distance / plain": far / near,
    }


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 400})
    n, every = (10, 5) if options.quick else (options.repetitions, 1)
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    report.table(
        "best_of_many",
        f"Coverage of two lower limits; Monte Carlo error {monte_carlo_error(n):.4f}",
        [row_of(setting, n) for setting in SETTINGS[::every]],
    )
    report.close()


if __name__ == "__main__":
    main()
