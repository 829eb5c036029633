r"""Coverage and type I error of intervals and tests of averages over labels.

Populations are large pools of labels and scores: out-of-fold scores of learners on data
sets of scikit-learn, and simulated scores of correlated labels. Data sets are drawn from a
pool with replacement, so the true average is that of the pool. Prints, for each population
and average, the coverage of 95 % intervals, the share of data sets in which the test at
0.05 rejects the true difference of two scores, and the coverage of the percentile bootstrap
of the average over the samples, which is common practice; then the same of each average,
over all populations::

    python benchmarks/simulations/label_averages.py \
        [--quick] [--repetitions 400] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from sklearn.datasets import load_digits, load_wine, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_interpolated, auc_pr_interval, compare_auc_pr

POOL, N_RESAMPLES = 40_000, 99
VARIANTS = {
    "macro": {},
    "macro average precision": {"metric": "average_precision"},
    "macro AUCNPR": {"metric": "aucnpr"},
    "weighted": {"average": "weighted"},
    "micro": {"average": "micro"},
    # Each sample three times, as three samples of one cluster.
    "macro, clusters": {},
}


def fitted():
    """Name, labels, two scores and sample sizes of data sets of scikit-learn."""
    rng = np.random.default_rng(0)
    learners = (
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=300)),
        RandomForestClassifier(60, min_samples_leaf=3, random_state=0),
    )
    digits, wine = load_digits(), load_wine()
    X = digits.data + rng.normal(scale=8, size=digits.data.shape)
    scores = [out_of_fold(learner, X, digits.target) for learner in learners]
    yield (
        "digits, 10 classes",
        digits.target[:, np.newaxis] == range(10),
        scores,
        (150, 500),
    )
    X = np.repeat(wine.data, 6, axis=0)
    X = X + 2 * wine.data.std(axis=0) * rng.normal(size=X.shape)
    y = np.repeat(wine.target, 6)
    scores = [out_of_fold(learner, X, y) for learner in learners]
    yield "wine, 3 classes", y[:, np.newaxis] == range(3), scores, (60, 200)
    for n_labels, mean_labels in ((6, 2), (20, 2)):
        X, y = make_multilabel_classification(
            6000,
            n_features=30,
            n_classes=n_labels,
            n_labels=mean_labels,
            allow_unlabeled=True,
            random_state=1,
        )
        scores = [
            out_of_fold(OneVsRestClassifier(learner), X, y)
            for learner in (learners[0], GaussianNB())
        ]
        kept = y.mean(axis=0) > 0.01  # some labels are never drawn
        scores = [score[:, kept] for score in scores]
        yield f"generated, {kept.sum()} labels", y[:, kept] == 1, scores, (200, 800)


def out_of_fold(learner, X, y):
    """Out-of-fold probabilities, one column per class or label."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cross_val_predict(learner, X, y, cv=3, method="predict_proba")


def simulated():
    """Name, labels, two scores and sample sizes, simulated for correlated labels."""
    rng = np.random.default_rng(1)
    designs = [
        ("4 labels, logistic noise", 4, 0.03, 0.2, rng.logistic, None),
        ("14 labels, Laplace noise", 14, 0.01, 0.3, rng.laplace, None),
        ("14 labels, scores of ten levels", 14, 0.02, 0.2, rng.normal, 0.7),
        ("30 labels, uniform noise", 30, 0.01, 0.1, rng.random, None),
    ]
    for name, n_labels, rarest, most, noise, step in designs:
        share = np.geomspace(rarest, most, n_labels)
        common = rng.normal(size=(POOL, 1))
        latent = (common + rng.normal(size=(POOL, n_labels))) / np.sqrt(2)
        positive = latent < np.quantile(latent, share)
        shared = noise(size=(POOL, 1)) + noise(size=(POOL, n_labels))
        scale = shared.std()
        scores = []
        for effect in (1.5, 1.2):
            own = noise(size=(POOL, n_labels))
            found = shared / scale + 0.5 * own / own.std() + effect * positive
            scores.append(found if step is None else np.round(found / step) * step)
        yield name, positive, scores, (400, 1500)


def one_data_set(rng, positive, scores, n_samples):
    """Rows of a data set in which every label has both classes."""
    while True:
        rows = rng.integers(0, len(positive), n_samples)
        found = positive[rows].sum(axis=0)
        if found.min() > 0 and found.max() < n_samples:
            return rows


def rates(population, n_samples, repetitions, seed):
    """Row of each variant: coverage, rejections and the coverage of the bootstrap."""
    name, positive, scores, _ = population
    rng = np.random.default_rng(seed)
    truth = {
        variant: [value(positive, score, **options) for score in scores]
        for variant, options in VARIANTS.items()
    }
    covered, rejected = ({variant: [] for variant in VARIANTS} for _ in range(2))
    by_bootstrap, rarest = [], []
    for _ in range(repetitions):
        rows = one_data_set(rng, positive, scores, n_samples)
        y_true, (first, second) = positive[rows], (score[rows] for score in scores)
        rarest.append(y_true.sum(axis=0).min())
        for variant, options in VARIANTS.items():
            a, b = truth[variant]
            data = y_true, first, second
            if variant.endswith("clusters"):
                data = [np.repeat(column, 3, axis=0) for column in data]
                options = options | {"groups": np.repeat(np.arange(n_samples), 3)}
            low, high = auc_pr_interval(*data[:2], **options).confidence_interval
            covered[variant].append(low <= a <= high)
            test = compare_auc_pr(*data, **options)
            low, high = test.confidence_interval
            rejected[variant].append(not low <= a - b <= high)
        low, high = bootstrap_limits(rng, y_true, first)
        by_bootstrap.append(low <= truth["macro average precision"][0] <= high)
    for variant in VARIANTS:
        is_ap = variant == "macro average precision"
        yield {
            "population": name,
            "n": n_samples,
            "fewest positives (median)": int(np.median(rarest)),
            "average": variant,
            "coverage": round(float(np.mean(covered[variant])), 3),
            "type I error": round(float(np.mean(rejected[variant])), 3),
            "bootstrap": round(float(np.mean(by_bootstrap)), 3) if is_ap else "",
        }


def over_populations(rows):
    """Row of each average: the worst and the mean of all populations."""
    for variant in VARIANTS:
        of_variant = [row for row in rows if row["average"] == variant]
        coverage, errors, bootstrap = (
            [row[key] for row in of_variant if row[key] != ""]
            for key in ("coverage", "type I error", "bootstrap")
        )
        yield {
            "average": variant,
            "least coverage": min(coverage),
            "mean coverage": np.mean(coverage),
            "most type I errors": max(errors),
            "mean type I error": np.mean(errors),
            "least of bootstrap": min(bootstrap, default=""),
            "mean of bootstrap": np.mean(bootstrap) if bootstrap else "",
        }


def value(positive, score, *, metric="auc_pr_interpolated", average="macro"):
    """The average of a metric over labels."""
    if average == "micro":
        positive, score = positive.ravel(), score.ravel()
    if metric == "average_precision":
        return sklearn.metrics.average_precision_score(positive, score, average=average)
    if metric == "aucnpr":
        return sklearn_achievable_pr.aucnpr(positive, score, average=average)
    return auc_pr_interpolated(positive, score, average=average)


def bootstrap_limits(rng, y_true, y_score):
    """Percentile limits of macro average precision over resampled samples."""
    n_samples, n_labels = y_true.shape
    counts = rng.multinomial(n_samples, np.full(n_samples, 1 / n_samples), N_RESAMPLES)
    total = 0.0
    for k in range(n_labels):
        order = np.argsort(-y_score[:, k], kind="stable")
        ends = np.flatnonzero(np.append(np.diff(y_score[order, k]) != 0, True))
        drawn = counts[:, order]
        n_above = np.cumsum(drawn, axis=1)[:, ends]
        tps = np.cumsum(drawn * y_true[order, k], axis=1)[:, ends]
        steps = np.diff(tps, axis=1, prepend=0)
        with np.errstate(invalid="ignore"):  # resamples without positives become NaN
            precision = np.where(steps > 0, tps / np.maximum(n_above, 1), 0.0)
            total = total + (steps * precision).sum(axis=1) / tps[:, -1]
    return np.nanquantile(total / n_labels, [0.025, 0.975], method="weibull")


def main():
    arguments = command_line(__doc__, repetitions={"type": int, "default": 400})
    repetitions = 8 if arguments.quick else arguments.repetitions
    warnings.simplefilter("ignore", sklearn_achievable_pr.CoverageWarning)
    report = Report(arguments, np, scipy, sklearn, sklearn_achievable_pr)
    rows = []
    for i, population in enumerate([*fitted(), *simulated()]):
        sizes = population[-1][:1] if arguments.quick else population[-1]
        for n_samples in sizes:
            rows += rates(population, n_samples, repetitions, seed=100 * i + n_samples)
    error = monte_carlo_error(repetitions)
    report.table("macro", f"Nominal 0.95 and 0.05, Monte Carlo error {error:.3f}", rows)
    report.table("macro_summary", "Over all populations", list(over_populations(rows)))
    report.close()


if __name__ == "__main__":
    main()
