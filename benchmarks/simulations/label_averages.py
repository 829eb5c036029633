r"""Coverage and type I error of intervals and tests of averages over labels.

Populations are pools of labels and scores: out-of-fold scores of learners on data sets of
scikit-learn, whose classes are drawn with unequal shares, and simulated ratings and scores
of correlated labels. Data sets are drawn from a pool with replacement, so the true average
is that of the pool. Prints, for each population and average, the coverage of 95 %
intervals, the share of data sets in which the test at 0.05 rejects the true difference of
two scores, the share of data sets with a `CoverageWarning`, and the coverage of the
percentile bootstrap of the average over the samples, which is common practice; then the
same of each average, over all populations::

    python benchmarks/simulations/label_averages.py \
        [--quick] [--repetitions 250] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error
from sklearn.datasets import load_diabetes, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr
from sklearn_achievable_pr import CoverageWarning, auc_pr_interpolated, compare_models

POOL, N_RESAMPLES = 40_000, 99
VARIANTS = {
    "macro": {},
    "macro average precision": {"metric": "average_precision"},
    "macro AUCNPR": {"metric": "aucnpr"},
    "weighted": {"average": "weighted"},
    "micro": {"average": "micro"},
    # Each sample is a cluster of 1 to 8 equal samples.
    "macro, clusters": {},
    "weighted, clusters": {"average": "weighted"},
}


def fitted():
    """Name, labels, two scores, sampling weights and sizes, of real data sets."""
    rng = np.random.default_rng(0)
    logistic = make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=500))
    neighbors = make_pipeline(StandardScaler(), KNeighborsClassifier(15))
    tree = DecisionTreeClassifier(max_leaf_nodes=8, random_state=0)
    forest = RandomForestClassifier(60, min_samples_leaf=3, random_state=0)
    diabetes = load_diabetes()
    progression = np.digitize(diabetes.target, np.quantile(diabetes.target, [0.5, 0.8]))
    designs = [
        ("digits, 10 classes", load_digits(), None, 1.5, (neighbors, logistic), (150, 400)),
        ("iris, 3 classes", load_iris(), None, 1.0, (GaussianNB(), tree), (60, 200)),
        ("wine, 3 classes", load_wine(), None, 1.5, (tree, forest), (100, 300)),
        ("diabetes, 3 groups", diabetes, progression, 0.1, (forest, logistic), (100, 400)),
    ]
    for name, data, y, noise, learners, sizes in designs:
        y = data.target if y is None else y
        copies = max(1, 2000 // len(y))
        X, y = np.repeat(data.data, copies, axis=0), np.repeat(y, copies)
        X = X + noise * data.data.std(axis=0) * rng.normal(size=X.shape)
        scores = [out_of_fold(learner, X, y) for learner in learners]
        n_classes = len(np.unique(y))
        # The last class is drawn 0.08 times as often as the first one.
        share = np.geomspace(1, 0.08, n_classes)[y]
        yield name, y[:, np.newaxis] == range(n_classes), scores, share, sizes


def out_of_fold(learner, X, y):
    """Out-of-fold probabilities, one column per class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cross_val_predict(learner, X, y, cv=3, method="predict_proba")


def simulated():
    """Name, labels, two scores, sampling weights and sizes, of correlated labels."""
    rng = np.random.default_rng(1)
    designs = [
        ("6 labels, ratings 0 to 10", 6, 0.01, 0.4, rng.normal, 1.0),
        ("12 labels, exponential noise", 12, 0.006, 0.3, rng.exponential, None),
        (
            "25 labels, gamma noise",
            25,
            0.01,
            0.15,
            lambda size: rng.gamma(3, size=size),
            None,
        ),
    ]
    for name, n_labels, rarest, most, noise, step in designs:
        share = np.geomspace(rarest, most, n_labels)
        common = rng.normal(size=(POOL, 1))
        latent = (common + rng.normal(size=(POOL, n_labels))) / np.sqrt(2)
        positive = latent < np.quantile(latent, share)
        shared = noise(size=(POOL, 1)) + noise(size=(POOL, n_labels))
        shared = (shared - shared.mean()) / shared.std()
        scores = []
        for effect in (1.6, 1.3):
            own = noise(size=(POOL, n_labels))
            found = shared + 0.5 * own / own.std() + effect * positive
            if step is not None:
                found = np.clip(np.round(2 * found + 4), 0, 10)
            scores.append(found)
        yield name, positive, scores, np.ones(POOL), (300, 800)


def one_data_set(rng, positive, share, n_samples):
    """Rows of a data set in which every label has both classes."""
    while True:
        rows = rng.choice(len(positive), n_samples, p=share / share.sum())
        found = positive[rows].sum(axis=0)
        if found.min() > 0 and found.max() < n_samples:
            return rows


def rates(population, n_samples, repetitions, seed):
    """Row of each variant: coverage, rejections, warnings, and that of the bootstrap."""
    name, positive, scores, share, _ = population
    rng = np.random.default_rng(seed)
    truth = {
        variant: [value(positive, score, share, **options) for score in scores]
        for variant, options in VARIANTS.items()
    }
    covered, rejected, warned = ({variant: [] for variant in VARIANTS} for _ in range(3))
    by_bootstrap, rarest = [], []
    for _ in range(repetitions):
        rows = one_data_set(rng, positive, share, n_samples)
        copies = np.minimum(rng.geometric(0.4, n_samples), 8)
        rarest.append(positive[rows].sum(axis=0).min())
        for variant, options in VARIANTS.items():
            a, b = truth[variant]
            used = rows
            if variant.endswith("clusters"):
                used = np.repeat(rows, copies)
                options = options | {"groups": np.repeat(np.arange(n_samples), copies)}
            models = {"a": scores[0][used], "b": scores[1][used]}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = compare_models(positive[used], models, **options)
            low, high = result.models["a"].confidence_interval
            covered[variant].append(low <= a <= high)
            low, high = result.pairs["a", "b"].confidence_interval
            rejected[variant].append(not low <= a - b <= high)
            warned[variant].append(
                any(issubclass(each.category, CoverageWarning) for each in caught)
            )
        low, high = bootstrap_limits(rng, positive[rows], scores[0][rows])
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
            "warned": round(float(np.mean(warned[variant])), 3),
            "bootstrap": round(float(np.mean(by_bootstrap)), 3) if is_ap else "",
        }


def over_populations(rows):
    """Row of each average: the worst and the mean of all populations."""
    for variant in VARIANTS:
        of_variant = [row for row in rows if row["average"] == variant]
        coverage, errors, warned, bootstrap = (
            [row[key] for row in of_variant if row[key] != ""]
            for key in ("coverage", "type I error", "warned", "bootstrap")
        )
        yield {
            "average": variant,
            "least coverage": min(coverage),
            "mean coverage": np.mean(coverage),
            "most type I errors": max(errors),
            "mean type I error": np.mean(errors),
            "mean warned": np.mean(warned),
            "least of bootstrap": min(bootstrap, default=""),
            "mean of bootstrap": np.mean(bootstrap) if bootstrap else "",
        }


def value(positive, score, share, *, metric="auc_pr_interpolated", average="macro"):
    """The average of a metric over labels, where samples weigh their sampling `share`."""
    functions = {
        "auc_pr_interpolated": auc_pr_interpolated,
        "aucnpr": sklearn_achievable_pr.aucnpr,
        "average_precision": sklearn.metrics.average_precision_score,
    }
    return functions[metric](positive, score, average=average, sample_weight=share)


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
    arguments = command_line(__doc__, repetitions={"type": int, "default": 250})
    repetitions = 8 if arguments.quick else arguments.repetitions
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
