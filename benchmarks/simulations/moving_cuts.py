r"""Coverage and type I error rate at cuts that move, on scores of fitted learners.

Populations are out-of-fold scores of learners on data sets of scikit-learn. Some learners
have few distinct scores. Samples are drawn from a population at a prevalence: one by one,
in clusters of very unequal size, or with random weights. Prints, for each rate, design and
expected number of positives, the mean and the lowest coverage of 95 % intervals over the
populations, in how many of them it is below 0.93, and the mean width. The second table is
about the differences of two learners on the same samples: the coverage of the true
difference, and the share of tests that reject at 0.05 if both scores are exchanged at
random in each sample, so that the rates are equal. `error` is the Monte Carlo error of one
population::

    python benchmarks/simulations/moving_cuts.py [--quick] [--repetitions 300] [--out DIR]
"""

import warnings

import numpy as np
import scipy
import sklearn
from _bench import Report, command_line, monte_carlo_error, out_of_fold_score
from joblib import Parallel, delayed
from sklearn.datasets import (
    load_diabetes,
    load_digits,
    load_iris,
    make_hastie_10_2,
    make_moons,
)
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import sklearn_achievable_pr as apr

# Expected positives and prevalence.
SIZES = [(10, 0.1), (30, 0.03), (30, 0.3), (100, 0.1)]
DESIGNS = ("independent", "clusters", "weights")
# Name of the rate, and the arguments of its interval.
POINTS = {
    "precision at recall 0.5": {"recall": 0.5},
    "precision at recall 0.9": {"recall": 0.9},
    "recall at a precision": {"precision": None},
    "recall at FPR 0.05": {"fpr": 0.05},
    "recall at FPR 0.3": {"fpr": 0.3},
    **{f"{rate} at k": {"k": rate} for rate in ("precision", "recall", "npv", "f1")},
}
METRICS = {
    "precision_at_recall": 0.8,
    "recall_at_fpr": 0.1,
    "precision_at_k": None,
    "recall_at_k": None,
}


def pools():
    """Labels, and the scores of two learners, of each population."""
    rng = np.random.default_rng(0)
    digits, iris, diabetes = load_digits(), load_iris(), load_diabetes()
    moons, hastie = (
        make_moons(4000, noise=0.6, random_state=0),
        make_hastie_10_2(3000, random_state=0),
    )
    noisy = digits.data + rng.normal(scale=9, size=digits.data.shape)
    petals = np.repeat(iris.data[:, :2], 8, axis=0)
    data = {
        "digit 8": (noisy, digits.target == 8),
        "digit below 2": (noisy[:, :24], digits.target < 2),
        "versicolor": (
            petals + 0.2 * rng.normal(size=petals.shape),
            np.repeat(iris.target == 1, 8),
        ),
        "diabetes": (
            np.tile(diabetes.data, (3, 1)) + 0.01 * rng.normal(size=(1326, 10)),
            np.tile(diabetes.target > 200, 3),
        ),
        "moons": (moons[0], moons[1] == 1),
        "spheres": (hastie[0], hastie[1] > 0),
    }
    learners = {
        "boosting": GradientBoostingClassifier(n_estimators=40, random_state=0),
        "forest of 8": RandomForestClassifier(8, random_state=0),  # few distinct scores
        "tree": DecisionTreeClassifier(max_leaf_nodes=7, random_state=0),
        "7 neighbors": KNeighborsClassifier(7),
        "naive Bayes": GaussianNB(),
        "logistic": LogisticRegression(max_iter=1000),
    }
    names = [*learners]
    for i, (name, (X, y)) in enumerate(data.items()):
        pair = names[i % 6], names[(i + 1 + i % 2) % 6]
        scores = [out_of_fold_score(learners[learner], X, y) for learner in pair]
        yield f"{name}, {' and '.join(pair)}", np.array(y), np.array(scores)


def drawn(rng, y, scores, n, prevalence, design):
    """Labels, scores and options of a data set of about n samples."""
    groups, options = np.arange(n), {}
    if design == "clusters":  # of 1 to about 30 samples
        sizes = np.minimum(rng.pareto(1.2, n).astype(int) + 1, 30)
        groups = np.repeat(np.arange(n), sizes)[:n]
        options["groups"] = groups
    if design == "weights":
        options["sample_weight"] = np.exp(0.7 * rng.normal(size=n))
    label = rng.random(n) < prevalence
    index = np.where(
        label, rng.choice(np.flatnonzero(y), n), rng.choice(np.flatnonzero(~y), n)
    )
    # Half of the samples of a cluster are copies of its first one.
    first = np.searchsorted(groups, groups)
    index = np.where(rng.random(n) < 0.5, index[first], index)
    return y[index], scores[:, index], options


def weights_of(y, prevalence):
    """Weights that give a population the prevalence."""
    return np.where(y, prevalence / y.mean(), (1 - prevalence) / (1 - y.mean()))


def value_of(y, score, point, prevalence):
    """The rate of the population, and the arguments of its interval."""
    given = {"sample_weight": weights_of(y, prevalence)}
    if "recall" in point:
        return apr.precision_at_recall(y, score, **point, **given), point
    if "fpr" in point:
        return apr.recall_at_fpr(y, score, **point, **given), point
    if "precision" in point:
        precision = apr.precision_at_recall(y, score, recall=0.4, **given)
        value = apr.recall_at_precision(y, score, precision=precision, **given)
        return value, {"precision": precision}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the weights of the classes differ
        table = apr.threshold_table(y, score, k=prevalence, **given)
    return getattr(table, point["k"])[0], {"k": prevalence, "rate": point["k"]}


def limits_of(y, score, points, options):
    """Dict from the name of each rate to its limits, and whether there was a warning."""
    found = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = None
        for name, point in points.items():
            caught.clear()
            if "k" in point:
                table = table or apr.threshold_table(y, score, k=point["k"], **options)
                ends = (f"{point['rate']}_{end}" for end in ("low", "high"))
                low, high = (getattr(table, end)[0] for end in ends)
            elif point.get("fpr", 1) * np.sum(~y) < 1:
                continue
            else:
                interval = apr.operating_point_interval(y, score, **point, **options)
                low, high = interval.confidence_interval
            is_doubt = [issubclass(w.category, apr.CoverageWarning) for w in caught]
            found[name] = low, high, any(is_doubt)
    return found


def one_score(seed, y, scores, n_pos, prevalence, design, repetitions):
    """Coverage, width and share of warnings of each rate."""
    rng, n = np.random.default_rng(seed), round(n_pos / prevalence)
    values = {
        name: value_of(y, scores[0], point, prevalence) for name, point in POINTS.items()
    }
    found = {name: [] for name in POINTS}
    for _ in range(repetitions):
        label, (score, _), options = drawn(rng, y, scores, n, prevalence, design)
        if not 2 <= label.sum() <= n - 2:
            continue
        points = {name: point for name, (_, point) in values.items()}
        limits = limits_of(label, score, points, options)
        for name, (low, high, warned) in limits.items():
            is_in = low - 1e-12 <= values[name][0] <= high + 1e-12
            found[name].append((is_in, high - low, warned))
    return {name: np.mean(rows, axis=0) for name, rows in found.items() if rows}


def pairs(seed, y, scores, n_pos, prevalence, design, repetitions):
    """Coverage, width and type I error rate of each metric."""
    rng, n = np.random.default_rng(seed), round(n_pos / prevalence)
    found = {name: [] for name in METRICS}
    given = {"sample_weight": weights_of(y, prevalence)}
    for _ in range(repetitions):
        label, drawn_scores, options = drawn(rng, y, scores, n, prevalence, design)
        if not 2 <= label.sum() <= n - 2:
            continue
        # In an exchanged cluster all samples are.
        is_exchanged = rng.random(n) < 0.5
        is_exchanged = is_exchanged[options.get("groups", np.arange(n))]
        ranks = np.argsort(np.argsort(drawn_scores, axis=1), axis=1)
        exchanged = np.where(is_exchanged, ranks[::-1], ranks)
        for metric, at in METRICS.items():
            at = prevalence if at is None else at
            function = getattr(apr, metric)
            kind = metric.rsplit("_", 1)[1]
            a, b = (function(y, score, **{kind: at}, **given) for score in scores)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                low, high, _ = compared(label, drawn_scores, metric, at, options)
                *_, pvalue = compared(label, exchanged, metric, at, options)
            found[metric].append((low <= a - b <= high, high - low, pvalue <= 0.05))
    return {name: np.mean(rows, axis=0) for name, rows in found.items() if rows}


def compared(y, scores, metric, at, options):
    """Limits and p-value of the difference of two scores."""
    models = dict(zip("ab", scores, strict=True))
    result = apr.compare_models(y, models, metric=metric, at=at, **options)
    pair = result.pairs["a", "b"]
    return *pair.confidence_interval, pair.pvalue


def main():
    """Run all cells and write the tables."""
    options = command_line(__doc__, repetitions={"type": int, "default": 300})
    n = 30 if options.quick else options.repetitions
    report = Report(options, np, scipy, sklearn)
    populations = [*pools()]
    error = monte_carlo_error(n)
    tables = {
        "moving_cuts": ("Intervals of one score", one_score, DESIGNS),
        "moving_cut_pairs": ("Differences of two scores", pairs, DESIGNS[:2]),
    }
    for table, (title, simulate, designs) in tables.items():
        rows = []
        for design in designs:
            for size in SIZES:
                found = Parallel(n_jobs=-1)(
                    delayed(simulate)(seed, y, scores, *size, design, n)
                    for seed, (_, y, scores) in enumerate(populations)
                )
                for name in found[0]:
                    coverage, width, last = np.array(
                        [one[name] for one in found if name in one]
                    ).T
                    row = {"rate": name, "design": design, "positives": size[0]}
                    row |= {"prevalence": size[1], "populations": len(coverage)}
                    row |= {"coverage mean": coverage.mean(), "least": coverage.min()}
                    row |= {"below 0.93": int(np.sum(coverage < 0.93))}
                    row |= {"width": width.mean()}
                    if simulate is one_score:
                        row["warned"] = last.mean()
                    else:
                        row |= {"type I mean": last.mean(), "type I most": last.max()}
                    rows.append(row | {"error": error})
        report.table(table, title, rows)
    report.close()


if __name__ == "__main__":
    main()
