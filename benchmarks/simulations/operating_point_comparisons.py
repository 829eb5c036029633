r"""Type I error rate and coverage of comparisons at an operating point.

Each population is a pool of labels and of two scores, and samples are drawn from it with
replacement, so that its rates are known. In some populations the two scores are
exchangeable: their rates are equal, and the share of samples in which the models differ
significantly at 0.05 is the type I error rate. In all populations the coverage of the
difference by 95 % intervals is measured. Real scores are out-of-fold scores of learners on
data sets of scikit-learn. Prints, for weights, a reference prevalence, clusters and
subgroups, mean and extreme of each metric over the populations, with the Monte Carlo error
of one. Cuts that move are also in `moving_cuts.py`::

    python benchmarks/simulations/operating_point_comparisons.py \
        [--quick] [--repetitions 400] [--out DIR]
"""

import itertools
import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error, out_of_fold_score
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import AdaBoostClassifier, ExtraTreesClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import sklearn_achievable_pr
from sklearn_achievable_pr import compare_models, compare_subgroups
from sklearn_achievable_pr._inference import differences as _differences

POOL = 100_000
# Samples are significantly different at 0.05 where the 95 % interval excludes 0. The search
# for the level at which it does, most of the time of a comparison, is left out.
_differences.tail_by_inversion = lambda *_: 0.5


def synthetic(rng, prevalence, noise, effect_a, effect_b, shared=0.7):
    """Labels and two scores with a shared part; `noise(size)` draws a part of a score."""
    y = rng.random(POOL) < prevalence
    common = np.sqrt(shared) * noise(POOL)
    a, b = (effect * y + common + np.sqrt(1 - shared) * noise(POOL)
            for effect in (effect_a, effect_b))  # fmt: skip
    return y, a, b


def out_of_fold(X, y, *learners):
    """Labels and the out-of-fold score of each learner."""
    scores = []
    for learner in learners:
        has_decisions = hasattr(learner, "decision_function")
        method = "decision_function" if has_decisions else "predict_proba"
        learner = make_pipeline(StandardScaler(), learner)
        scores.append(out_of_fold_score(learner, X, y, method))
    return y, *scores


def exchanged(rng, y, a, b):
    """Both scores as ranks in the pool, exchanged with probability 1/2 in each sample."""
    a, b = (np.searchsorted(np.sort(score), score, "right") / len(y) for score in (a, b))
    swap = rng.random(len(y)) < 0.5
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    return np.r_[y, y], np.r_[a, b], np.r_[b, a]


def populations():
    """Name, sample size, whether scores are exchangeable, and the pool."""
    rng = np.random.default_rng(0)

    def lognormal(size):
        return np.exp(rng.normal(size=size))

    def uniform(size):
        return rng.uniform(-1.7, 1.7, size)

    def heavy(size):
        return np.clip(rng.standard_cauchy(size), -50, 50)

    def with_outliers(size):
        return rng.normal(size=size) + 6 * (rng.random(size) < 0.03)

    yield "lognormal", 400, True, synthetic(rng, 0.1, lognormal, 3, 3)
    yield "uniform", 150, True, synthetic(rng, 0.4, uniform, 1.5, 1.5, 0.4)
    yield "heavy tails", 500, True, synthetic(rng, 0.15, heavy, 4, 4)
    yield "outliers", 1000, True, synthetic(rng, 0.04, with_outliers, 2.2, 2.2, 0.5)
    y, *scores = synthetic(rng, 0.2, uniform, 1.2, 1.2)
    yield "four scores", 300, True, (y, *(np.digitize(s, [0, 1, 2]) for s in scores))
    yield "different effects", 400, False, synthetic(rng, 0.1, lognormal, 4, 2)
    yield "outliers, different", 600, False, synthetic(rng, 0.08, with_outliers, 2.5, 1.7)
    y, a, b = synthetic(rng, 0.25, uniform, 2, 1, 0.3)
    yield "twenty scores and all", 250, False, (y, np.round(3 * a), b)

    digits, cancer, diabetes = load_digits(), load_breast_cancer(), load_diabetes()
    noisy = digits.data + rng.normal(scale=8, size=digits.data.shape)
    trees = ExtraTreesClassifier(60, min_samples_leaf=3, random_state=0)
    lda, qda = LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis(reg_param=0.3)
    svc, boost = SVC(), AdaBoostClassifier(n_estimators=30, random_state=0)
    eight = out_of_fold(noisy, digits.target == 8, trees, lda)
    malignant = out_of_fold(cancer.data[:, [1, 4, 9, 11]], cancer.target == 0, svc, boost)
    top = diabetes.target > np.quantile(diabetes.target, 0.75)
    worst = out_of_fold(diabetes.data, top, qda, boost)
    for name, n, pool in [
        ("digit 8, trees and LDA", 400, eight),
        ("malignant, SVC and boosting", 250, malignant),
        ("diabetes, QDA and boosting", 200, worst),
    ]:
        yield f"{name}, exchanged", n, True, exchanged(rng, *pool)
        yield name, n, False, pool


def cuts(y, a, b, i):
    """Metrics with a value of `at`, for the i-th population; thresholds of each score."""
    q = 1 - y.mean() * (1, 1.5)[i % 2]
    thresholds = {"a": float(np.quantile(a, q)), "b": float(np.quantile(b, q))}
    yield "precision_at_recall", (0.5, 0.8, 0.65)[i % 3]
    yield "recall_at_fpr", (0.05, 0.1, 0.2)[i % 3]
    for rate in ("precision", "recall"):
        yield f"{rate}_at_k", (0.1, 0.15, 0.25)[i % 3]
    for rate in RATES:
        yield f"{rate}_at_threshold", thresholds


RATES = "recall", "specificity", "precision", "npv", "f1", "selection_rate"


def independent(rng, pool, n):
    """A sample of the pool, without further arguments."""
    i = rng.integers(len(pool[0]), size=n)
    return *(column[i] for column in pool), {}


def weighted(rng, pool, n):
    """A sample in which samples with high scores are drawn five times as often."""
    y, a, b = pool
    is_high = a + b > np.quantile(a + b, 0.8)
    often = np.where(is_high, 5.0, 1.0)
    i = np.searchsorted(np.cumsum(often) / often.sum(), rng.random(n))
    return y[i], a[i], b[i], {"sample_weight": 1 / often[i]}


def down_sampled(rng, pool, n):
    """A sample with a quarter of its negatives, at the prevalence of the pool."""
    y, a, b, _ = independent(rng, pool, n)
    kept = y | (rng.random(n) < 0.25)
    return y[kept], a[kept], b[kept], {"prevalence": float(pool[0].mean())}


def clusters(rng, pool, n):
    """Clusters of four samples, one of the pool with noise of their own."""
    y, a, b, _ = independent(rng, pool, n // 4)
    groups = np.repeat(np.arange(n // 4), 4)
    return y[groups], a[groups], b[groups], {"groups": groups}


def clustered(rng, sizes, prevalence, of_labels, of_scores, noise, effects):
    """Labels, two scores, and the first sample of each cluster, with the end of the last.

    `of_labels` and `of_scores` are the correlations of samples of a cluster in the parts of
    which labels and scores consist; with 1 all samples of a cluster have one label.
    """
    start = np.r_[0, np.cumsum(sizes)]

    def part(share, noise):
        of_cluster = np.repeat(noise(len(sizes)), sizes)
        return np.sqrt(share) * of_cluster + np.sqrt(1 - share) * noise(start[-1])

    latent = part(of_labels, lambda size: rng.normal(size=size))
    y = latent > np.quantile(latent, 1 - prevalence)
    common = np.sqrt(0.6) * part(of_scores, noise)
    a, b = (effect * y + common + np.sqrt(0.4) * part(of_scores, noise)
            for effect in effects)  # fmt: skip
    return y, a, b, start


def cluster_populations():
    """Name, number of clusters in a sample, and the pool."""
    rng = np.random.default_rng(1)

    def logistic(size):
        return rng.logistic(scale=0.55, size=size)

    def gamma(size):
        return rng.gamma(2, size=size) / np.sqrt(2)

    three, ten = np.full(POOL // 3, 3), np.full(POOL // 10, 10)
    unequal = 1 + rng.geometric(0.25, size=POOL // 5)
    very_unequal = np.minimum(rng.zipf(1.9, size=POOL // 4), 40)
    strong, weak, two = (0.8, 0.7), (0.2, 0.15), (1.8, 1.2)
    yield "3, strong", 250, clustered(rng, three, 0.2, *strong, logistic, two)
    yield "3, one label", 300, clustered(rng, three, 0.15, 1, 0.5, gamma, two)
    yield "10, weak", 80, clustered(rng, ten, 0.15, *weak, gamma, two)
    yield "10, one label", 120, clustered(rng, ten, 0.25, 1, 0.6, logistic, two)
    yield "unequal", 150, clustered(rng, unequal, 0.2, *strong, gamma, two)
    yield "very unequal", 250, clustered(rng, very_unequal, 0.3, *weak, logistic, two)
    yield "rare positives", 400, clustered(rng, three, 0.04, *strong, logistic, (2.5, 1.8))
    digits = load_digits()
    noisy = digits.data + rng.normal(scale=10, size=digits.data.shape)
    trees = ExtraTreesClassifier(60, min_samples_leaf=3, random_state=1)
    lda = LinearDiscriminantAnalysis()
    columns = out_of_fold(noisy, digits.target == 3, trees, lda)
    of_sample = KMeans(300, n_init=1, random_state=0).fit_predict(digits.data)
    order = np.argsort(of_sample, kind="stable")
    start = np.r_[0, np.cumsum(np.bincount(of_sample))]
    yield "digit 3, k-means", 150, (*(column[order] for column in columns), start)
    large = 1 + rng.geometric(0.1, size=POOL // 11)
    yield "few", 30, clustered(rng, large, 0.3, 0.4, 0.4, gamma, two)


def whole_clusters(rng, pool, n):
    """A sample of n clusters of the pool."""
    *columns, start = pool
    drawn = rng.integers(len(start) - 1, size=n)
    i = np.concatenate([np.arange(start[c], start[c + 1]) for c in drawn])
    groups = np.repeat(np.arange(n), np.diff(start)[drawn])
    return *(column[i] for column in columns), {"groups": groups}


def nested(rng, groups):
    """Subgroups of 65 and 35 % of the clusters."""
    return (rng.random(groups[-1] + 1) < 0.35)[groups].astype(int)


def across(rng, groups):
    """Subgroups of 65 and 35 % of the samples, so that clusters lie in both."""
    return (rng.random(len(groups)) < 0.35).astype(int)


DESIGNS = [
    ("weights at thresholds", weighted, ()),
    ("prevalence at thresholds", down_sampled, ()),
    ("clusters", clusters, ("recall_at_fpr", "precision_at_k")),
]


def value_at(pool, score, metric, at):
    """The rate of one score of the pool, from the intervals of a comparison with itself."""
    models = {"a": pool[score], "b": pool[score]}
    at = dict.fromkeys("ab", at["_ab"[score]]) if isinstance(at, dict) else at
    return compare_models(pool[0], models, metric=metric, at=at).models["a"].estimate


def of_models(seed, draw, pool, n, metric, at, repetitions):
    """Share of samples with p <= 0.05, and coverage of the difference of the pool."""
    truth = value_at(pool, 1, metric, at) - value_at(pool, 2, metric, at)
    rng, rejected, covered = np.random.default_rng(seed), [], []
    for _ in range(repetitions):
        y, a, b, options = draw(rng, pool, n)
        if not 1 < np.count_nonzero(y) < len(y) - 1:
            continue
        found = compare_models(y, {"a": a, "b": b}, metric=metric, at=at, **options).pairs[
            "a", "b"
        ]
        low, high = found.confidence_interval
        if not np.isnan(low):  # no sample is predicted positive
            rejected.append(low > 0 or high < 0)
            covered.append(low - 1e-12 <= truth <= high + 1e-12)
    return np.mean(rejected), np.mean(covered)


def of_subgroups(seed, draw, by_of, pool, n, metric, at, repetitions, second=1):
    """As `of_models`, for two subgroups.

    ``by_of(rng, groups)`` are the subgroups. One has the first score, the other the
    `second`: with 1 both are of the same population.
    """
    rng, rejected, covered = np.random.default_rng(seed), [], []
    at = at["a"] if isinstance(at, dict) else at
    truth = value_at(pool, 1, metric, at) - value_at(pool, second, metric, at)
    for _ in range(repetitions):
        y, *scores, options = draw(rng, pool, n)
        by = by_of(rng, options.get("groups"))
        if min(np.count_nonzero(y[by == i]) for i in (0, 1)) < 2:
            continue
        score = np.where(by, scores[second - 1], scores[0])
        found = compare_subgroups(y, score, by, metric=metric, at=at, **options)
        low, high = found.pairs[0, 1].confidence_interval
        if not np.isnan(low):
            rejected.append(low > 0 or high < 0)
            covered.append(low - 1e-12 <= truth <= high + 1e-12)
    return np.mean(rejected), np.mean(covered)


def of_clusters(i, n, pool, repetitions):
    """Designs, metrics, exchangeability, type I error and coverage of clusters."""
    *columns, start = pool
    null = exchanged(np.random.default_rng(i), *columns)
    null = *null, np.r_[start, start[-1] + start[1:]]
    for is_null, data in ((True, null), (False, pool)):
        for metric, at in cuts(*data[:3], i):
            if not metric.endswith("threshold"):
                how = i, whole_clusters, data, n, metric, at, repetitions
                yield "clusters", metric, is_null, *of_models(*how)
    for by_of, second in itertools.product((nested, across), (1, 2)):
        for metric, at in cuts(*columns, i):
            how = i, whole_clusters, by_of, pool, n, metric, at, repetitions, second
            design = f"subgroups, clusters {by_of.__name__}"
            yield design, metric, second == 1, *of_subgroups(*how)


def summary(label, found, repetitions):
    """One row from (exchangeable, type I error rate, coverage) of several populations."""
    errors = [rejected for is_null, rejected, _ in found if is_null]
    coverage = [covered for _, _, covered in found]
    return label | {
        "populations": len(found),
        "type I mean": np.mean(errors),
        "type I most": max(errors),
        "coverage mean": np.mean(coverage),
        "coverage least": min(coverage),
        "error": monte_carlo_error(repetitions),
    }


def main():
    options = command_line(__doc__, repetitions={"type": int, "default": 400})
    warnings.simplefilter("ignore")
    repetitions = 10 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn, sklearn_achievable_pr)
    pools, half = [*populations()], max(repetitions // 2, 1)
    found = {}
    for (label, draw, further), i in itertools.product(DESIGNS, (5, 7)):
        _, n, _, pool = pools[i]
        is_threshold = "thresholds" in label or label == "clusters"
        wanted = further + tuple(f"{rate}_at_threshold" for rate in RATES if is_threshold)
        null = exchanged(np.random.default_rng(i), *pool)
        for is_null, data in ((True, null), (False, pool)):
            for metric, at in cuts(*data, i):
                if metric in wanted:
                    size = 2 * n if label.startswith("clusters") else n
                    one = of_models(i, draw, data, size, metric, at, half)
                    found.setdefault((label, metric), []).append((is_null, *one))
    for sizes, i in (((400, 100), 0), ((150, 150), 4), ((200, 60), 7), ((300, 60), 12)):
        pool = pools[i][3]
        for metric, at in cuts(*pool, i):
            by = np.repeat([0, 1], sizes)
            how = independent, lambda *_, by=by: by, pool, len(by), metric, at, half
            one = of_subgroups(i, *how)
            found.setdefault(("subgroups", metric), []).append((True, *one))
    rows = [
        summary({"design": design, "metric": metric}, cells, half)
        for (design, metric), cells in found.items()
    ]
    found = {}
    for i, (name, n, pool) in enumerate(cluster_populations()):
        print(f"{name}: {n} clusters, {pool[0].mean():.3f} positive", flush=True)
        for design, metric, *one in of_clusters(i, n, pool, repetitions):
            found.setdefault((design, metric), []).append(one)
    rows += [
        summary({"design": design, "metric": metric}, cells, repetitions)
        for (design, metric), cells in found.items()
    ]
    report.table("points_compare_designs", "Other designs", rows)
    report.close()


if __name__ == "__main__":
    main()
