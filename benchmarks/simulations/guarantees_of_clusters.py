"""Share of tuning sets whose guarantee is missed, for clusters and for weights.

Clusters (`groups` of `choose_threshold`) of 1 to 50 samples are drawn from eight
populations, in which size, prevalence and score depend on each other in different ways, and
samples with weights from three. The truth is the rate of a very large sample, in which each
cluster counts once. Other clusters of the same number order the tests of precision and NPV,
for which few clusters are mostly too few.

Prints, per population, number of clusters and constraint, the share of tuning sets whose
threshold misses its constraint on new data at the confidence 0.9 (no threshold is no miss),
the share without a threshold, and, for recall, the share of misses where `groups` or
weights are left out::

    python benchmarks/simulations/guarantees_of_clusters.py [--quick] [--out DIR]
"""

import sys
import warnings

import numpy as np
from _bench import Report, command_line, monte_carlo_error
from joblib import Parallel, delayed

import sklearn_achievable_pr
from sklearn_achievable_pr import choose_threshold

CONFIDENCE = 0.9
SIZES = (22, 150, 500)  # clusters
FEWEST_IN_ORDER = 150  # clusters, for constraints that are tested in order
N_SAMPLES = 1000  # with weights
N_JOBS = 2
# By constraint the objective that leads to its bound.
OBJECTIVES = {
    "min_recall": "specificity",
    "min_precision": "recall",
    "min_npv": "specificity",
    "max_selection_rate": "recall",
}
IN_ORDER = ("min_precision", "min_npv")


def rows_of(rng, size, shift, prevalence, within=1.0, digits=None):
    """Labels, scores and clusters, from the size, shift and prevalence of each cluster.

    `within` is the standard deviation of the scores in a cluster.
    """
    cluster = np.repeat(np.arange(len(size)), size)
    y = rng.random(len(cluster)) < prevalence[cluster]
    score = within * rng.normal(size=len(cluster)) + shift[cluster] + 1.5 * y
    return y, score if digits is None else np.round(score, digits), cluster


def zipf_sizes(rng, n):
    return np.minimum(rng.zipf(1.7, n), 50)


def mixed_difficulty(rng, n):
    """A fifth of the clusters has lower scores."""
    shift = np.where(rng.random(n) < 0.2, -1.5, 0.0)
    return rows_of(rng, 1 + rng.poisson(4, n), shift, np.full(n, 0.3))


def few_large(rng, n):
    """Sizes by a power law, unrelated to the score."""
    return rows_of(rng, zipf_sizes(rng, n), 0.7 * rng.normal(size=n), np.full(n, 0.3))


def large_are_harder(rng, n):
    size = np.minimum(rng.geometric(0.12, n), 50)
    return rows_of(rng, size, -0.5 * np.log(size), np.full(n, 0.3))


def one_class_each(rng, n):
    """All samples of a cluster have its label."""
    sick = (rng.random(n) < 0.4).astype(float)
    return rows_of(rng, rng.integers(1, 31, n), 0.8 * rng.normal(size=n), sick)


def many_prevalences(rng, n):
    """Few clusters have most positives; heavy tails, rounded scores."""
    shift = rng.standard_t(3, n) / 2
    size = rng.integers(1, 16, n)
    return rows_of(rng, size, shift, rng.beta(0.4, 1.0, n), 1.0, 1)


def two_sizes(rng, n):
    """One sample, or fifty with lower scores."""
    is_large = rng.random(n) < 0.1
    size = np.where(is_large, 50, 1)
    return rows_of(rng, size, -1.5 * is_large, np.full(n, 0.35))


def large_are_sicker(rng, n):
    size = np.minimum(rng.geometric(0.1, n), 50)
    return rows_of(rng, size, 0.3 * rng.normal(size=n), size / (size + 12.0))


def one_score_each(rng, n):
    """One score per cluster, higher for those with more positives; many ties."""
    prevalence = rng.beta(0.6, 1.0, n)
    size = rng.integers(1, 13, n)
    y, _, cluster = rows_of(rng, size, np.zeros(n), prevalence)
    score = np.round(3 * prevalence + rng.normal(size=n), 1)
    return y, score[cluster], cluster


CLUSTERED = {
    "a fifth is harder": mixed_difficulty,
    "sizes by a power law": few_large,
    "large are harder": large_are_harder,
    "one class per cluster": one_class_each,
    "many prevalences": many_prevalences,
    "sizes 1 and 50": two_sizes,
    "large are sicker": large_are_sicker,
    "one score per cluster": one_score_each,
}


def samples_with_scores(rng, n):
    y = rng.random(n) < 0.3
    return y, rng.normal(size=n) + 1.5 * y


def reviewed_alerts(rng, n):
    """All alerts are labeled, and a tenth of the other samples."""
    y, score = samples_with_scores(rng, 4 * n)
    is_alert = score > 1.0
    kept = np.flatnonzero(is_alert | (rng.random(len(y)) < 0.1))[:n]
    return y[kept], score[kept], np.where(is_alert[kept], 1.0, 10.0)


def random_weights(rng, n):
    y, score = samples_with_scores(rng, n)
    return y, score, rng.choice([1.0, 2.0, 5.0], n, p=[0.6, 0.3, 0.1])


def weights_by_score(rng, n):
    """Low scores have high weights."""
    y, score = samples_with_scores(rng, n)
    return y, score, np.select([score < 0, score < 1], [8.0, 3.0], 1.0)


WEIGHTED = {
    "reviewed alerts": reviewed_alerts,
    "random weights": random_weights,
    "weights by score": weights_by_score,
}


def clusters_with_weights(rng, n):
    """Clusters of weight 1 or 4, the heavy ones with lower scores."""
    is_heavy = rng.random(n) < 0.25
    drawn = rows_of(rng, rng.integers(1, 11, n), -1.0 * is_heavy, np.full(n, 0.3))
    return *drawn, np.where(is_heavy, 4.0, 1.0)[drawn[2]]


class Truth:
    """Rates of a very large sample at any threshold; each cluster counts once."""

    def __init__(self, y, score, cluster, weight):
        self.y, self.score = y, score
        order = np.argsort(score)
        self.rising = score[order]
        of_class = np.unique(2 * cluster + y, return_inverse=True)[1]
        self.of_all = self._above(weight / np.bincount(cluster)[cluster], order)
        self.of_positives = self._above(y * weight / np.bincount(of_class)[of_class], order)
        self.of_both = self._above(y * weight / np.bincount(cluster)[cluster], order)

    @staticmethod
    def _above(weight, order):
        """Weight of the samples from each rank on."""
        return np.append(np.cumsum(weight[order][::-1])[::-1], 0.0)

    def rate(self, name, threshold):
        at = np.searchsorted(self.rising, threshold)
        above, all_positive = self.of_all[at], self.of_both[at]
        if name == "min_recall":
            return self.of_positives[at] / self.of_positives[0]
        if name == "max_selection_rate":
            return above / self.of_all[0]
        if name == "min_precision":
            return all_positive / above if above else 0.0
        below = self.of_all[0] - above
        return (below - (self.of_both[0] - all_positive)) / below if below else 0.0

    def bounds(self):
        """Recall 0.9, or what a recall of 0.6 leaves of the other rates."""
        at = np.quantile(self.score[self.y], 0.4)
        found = {name: self.rate(name, at) for name in OBJECTIVES}
        npv = round(1 - 1.2 * (1 - found["min_npv"]), 3)
        return {
            "min_recall": 0.9,
            "min_precision": round(0.9 * found["min_precision"], 3),
            "min_npv": npv,
            "max_selection_rate": round(found["max_selection_rate"], 3),
        }


def chosen(y, score, name, bound, **options):
    """The threshold, or NaN if none is guaranteed."""
    try:
        return choose_threshold(
            y,
            score,
            objective=OBJECTIVES[name],
            confidence_level=CONFIDENCE,
            **{name: bound},
            **options,
        ).threshold
    except ValueError as error:
        if "cannot be" not in str(error) and "both classes" not in str(error):
            raise
        return np.nan


def row_of(draw, truth, names, name, bound, n, n_times):
    """One row: the shares of misses, with and without the design, and of no threshold."""
    rng, is_in_order = np.random.default_rng(11), name in IN_ORDER
    warnings.simplefilter("ignore", UserWarning)
    found = {"missed": [], "missed by rows": []}
    for _ in range(n_times):
        y, score, design = draw(rng, n)
        more = {"order_from": draw(rng, n)[:2]} if is_in_order else {}
        found["missed"].append(chosen(y, score, name, bound, **design, **more))
        if name == "min_recall":
            found["missed by rows"].append(chosen(y, score, name, bound))
    shares, error = {}, monte_carlo_error(n_times, 1 - CONFIDENCE)
    for key, thresholds in found.items():
        rates = np.array([truth.rate(name, t) for t in thresholds if not np.isnan(t)])
        excess = rates - bound if name.startswith("max") else bound - rates
        shares[key] = float(np.sum(excess > 1e-9) / n_times) if thresholds else "-"
    return names | {
        "constraint": f"{name}={bound:g}",
        "missed": shares["missed"],
        "within": "yes" if shares["missed"] <= 1 - CONFIDENCE + 2 * error else "NO",
        "no threshold": float(np.mean(np.isnan(found["missed"]))),
        "missed by rows": shares["missed by rows"],
    }


def cluster_draw(population):
    def draw(rng, n):
        y, score, cluster = population(rng, n)
        return y, score, {"groups": cluster}

    return draw


def weighted_cluster_draw(rng, n):
    y, score, cluster, weight = clusters_with_weights(rng, n)
    return y, score, {"groups": cluster, "sample_weight": weight}


def weighted_draw(population):
    def draw(rng, n):
        y, score, weight = population(rng, n)
        return y, score, {"sample_weight": weight}

    return draw


def settings(n_large):
    """For each population its name, the function that draws, the truth and the sizes."""
    for name, population in CLUSTERED.items():
        y, score, cluster = population(np.random.default_rng(5), n_large)
        truth = Truth(y, score, cluster, np.ones(len(y)))
        yield name, cluster_draw(population), truth, SIZES
    y, score, cluster, weight = clusters_with_weights(np.random.default_rng(5), n_large)
    truth = Truth(y, score, cluster, weight)
    yield "clusters of weight 1 and 4", weighted_cluster_draw, truth, SIZES[-1:]
    for name, population in WEIGHTED.items():
        y, score, weight = population(np.random.default_rng(5), 5 * n_large)
        truth = Truth(y, score, np.arange(len(y)), weight)
        yield name, weighted_draw(population), truth, (N_SAMPLES,)


def by_constraint(rows, key):
    """A share of all constraints side by side, one row per population and size."""
    found = {}
    for row in rows:
        empty = {"population": row["population"], "n": row["n"]} | dict.fromkeys(
            OBJECTIVES, "-"
        )
        name = row["constraint"].partition("=")[0]
        found.setdefault((row["population"], row["n"]), empty)[name] = row[key]
    return list(found.values())


def tasks(n_large):
    """The arguments of `row_of` for each row."""
    for population, draw, truth, sizes in settings(n_large):
        for n in sizes:
            for name, bound in truth.bounds().items():
                if name not in IN_ORDER or n >= FEWEST_IN_ORDER:
                    yield draw, truth, {"population": population, "n": n}, name, bound, n


def main():
    options = command_line(__doc__)
    n_times, n_large = (20, 20_000) if options.quick else (800, 100_000)
    report = Report(options, np, sklearn_achievable_pr)
    found = Parallel(N_JOBS, return_as="generator")(
        delayed(row_of)(*task, n_times) for task in tasks(n_large)
    )
    rows = []
    for row in found:
        rows.append(row)
        print(*row.values(), sep="; ", file=sys.stderr, flush=True)
    title = f"Confidence {CONFIDENCE}, {n_times} tuning sets per row"
    report.table("guarantee_clusters", title, rows)
    report.table(
        "guarantee_clusters_missed", f"missed, {title}", by_constraint(rows, "missed")
    )
    report.close()
    return 0 if options.quick or all(row["within"] == "yes" for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
