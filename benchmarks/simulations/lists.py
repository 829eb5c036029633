"""False positives in lists of `select_positives`, in populations of known labels.

Prints, each with its Monte Carlo error:

- the mean share of false positives and the mean recall of lists at other prevalences than
  that of the tuning set, with normal scores and with scores of few levels, beside a
  threshold chosen on the tuning set;
- the recall by number of tuning samples, beside a threshold with a guaranteed precision;
- the same shares for out-of-fold scores of classifiers on real data.

An empty list has no false positives and recall 0.

Run: python benchmarks/simulations/lists.py [--quick] [--out DIR]
"""

import numpy as np
import sklearn
from _bench import Report, command_line, out_of_fold_score
from guarantees import Population
from scipy.optimize import brentq
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_achievable_pr
from sklearn_achievable_pr import choose_threshold, select_positives

N_TUNING, N_NEW = 2000, 2000
# Prevalence of the tuning set and of new data, `max_fdr`, distance of the classes.
SETTINGS = [
    (0.5, 0.1, 0.2, 2.5),
    (0.5, 0.02, 0.2, 3.0),
    (0.1, 0.02, 0.3, 2.5),
    (0.02, 0.1, 0.3, 2.5),
    (0.1, 0.1, 0.3, 2.5),
    (0.5, 0.5, 0.2, 2.0),
]
SIZES = (80, 200, 1000, 5000)
MODELS = {
    "logistic regression": make_pipeline(
        StandardScaler(), LogisticRegression(C=0.01, max_iter=1000)
    ),
    "7 nearest neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier(7)),
}


def by_threshold(score, y, new_score, max_fdr, confidence_level=None):
    """Mask of the new samples at or above a threshold of the tuning set; none without."""
    try:
        threshold = choose_threshold(
            y,
            score,
            objective="recall",
            min_precision=1 - max_fdr,
            confidence_level=confidence_level,
            random_state=0,
        ).threshold
    except ValueError as error:
        if "cannot be" not in str(error):
            raise
        return np.zeros(len(new_score), dtype=bool)
    return new_score >= threshold


def by_list(score, y, new_score, max_fdr):
    return select_positives(y, score, new_score, max_fdr=max_fdr)


def rates(selected, y_new):
    """Share of false positives and recall of a list."""
    n_true = np.count_nonzero(selected & (y_new == 1))
    n_selected, n_pos = np.count_nonzero(selected), np.count_nonzero(y_new)
    return (n_selected - n_true) / max(n_selected, 1), n_true / max(n_pos, 1)


def mean_and_error(values):
    """Mean and Monte Carlo error, as text."""
    return f"{np.mean(values):.3f} ({np.std(values) / np.sqrt(len(values)):.3f})"


def compared(draw, max_fdr, n_times):
    """Rates of the threshold and of the list over many pairs of tuning set and batch.

    `draw` returns scores and labels of a tuning set, then those of a batch.
    """
    found = {by_threshold: [], by_list: []}
    for _ in range(n_times):
        *tuning, new_score, y_new = draw()
        for select, of_batches in found.items():
            of_batches.append(rates(select(*tuning, new_score, max_fdr), y_new))
    columns = {}
    for select, name in ((by_threshold, "threshold"), (by_list, "list")):
        false, recall = np.transpose(found[select])
        columns[f"{name} false"] = mean_and_error(false)
        columns[f"{name} recall"] = mean_and_error(recall)
    error = np.std(false) / np.sqrt(n_times)
    within = np.mean(false) <= max_fdr + 2 * error
    return columns | {
        "lists above": float(np.mean(false > max_fdr)),
        "empty lists": float(np.mean((false == 0) & (recall == 0))),
        "within": "yes" if within else "NO",
    }


def population_row(setting, rounded, n_times):
    """Rates with tuning set and batch of different prevalences."""
    of_tuning, of_new, max_fdr, distance = setting
    tuning, new = (Population(p, distance, rounded) for p in (of_tuning, of_new))
    rng = np.random.default_rng(0)

    def draw():
        return *tuning.sample(rng, N_TUNING), *new.sample(rng, N_NEW)

    return {
        "tuned at": of_tuning,
        "new": of_new,
        "max_fdr": max_fdr,
        "scores": "rounded" if rounded else "continuous",
    } | compared(draw, max_fdr, n_times)


def size_row(n_tuning, n_times):
    """Recall at one prevalence, 0.1, of three ways to bound the share by 0.2."""
    population, max_fdr = Population(0.1, 2.5, rounded=False), 0.2
    rng = np.random.default_rng(1)
    found = []
    for _ in range(n_times):
        tuning, (new_score, y_new) = (population.sample(rng, n) for n in (n_tuning, N_NEW))
        if tuning[1].min() == tuning[1].max():
            continue
        masks = (
            by_threshold(*tuning, new_score, max_fdr, confidence_level=0.9),
            by_threshold(*tuning, new_score, max_fdr),
            by_list(*tuning, new_score, max_fdr),
        )
        found.append([rates(mask, y_new)[1] for mask in masks])
    guaranteed, threshold, of_list = map(mean_and_error, np.transpose(found))
    ideal = brentq(lambda t: population.precision(t) - (1 - max_fdr), 0, 5)
    return {
        "tuning samples": n_tuning,
        "list": of_list,
        "threshold": threshold,
        "guaranteed threshold": guaranteed,
        "ideal threshold": float(population.recall(ideal)),
    }


def data_sets():
    """Name, features, labels: malignant tumors; the digit 8 among all digits."""
    cancer, digits = load_breast_cancer(), load_digits()
    yield "breast cancer", cancer.data, (cancer.target == 0).astype(int)
    yield "digit 8", digits.data, (digits.target == 8).astype(int)


def real_rows(name, X, y, max_fdr, n_times):
    """Rates for out-of-fold scores; a random half of the scores is the tuning set.

    Of the positives of the other half, a fifth or all belong to the batch.
    """
    for model, estimator in MODELS.items():
        score = out_of_fold_score(estimator, X, y, cv=10)
        for share in (1.0, 0.2):
            rng = np.random.default_rng(2)

            def draw(score=score, share=share, rng=rng):
                order = rng.permutation(len(y))
                tuning, new = np.split(order, [len(y) // 2])
                new = new[(y[new] == 0) | (rng.random(len(new)) < share)]
                return score[tuning], y[tuning], score[new], y[new]

            n_pos, n_neg = share * np.mean(y), np.mean(y == 0)
            yield {
                "data": name,
                "model": model,
                "tuned at": float(np.mean(y)),
                "new": float(n_pos / (n_pos + n_neg)),
                "max_fdr": max_fdr,
            } | compared(draw, max_fdr, n_times)


def main():
    options = command_line(__doc__)
    n_times = 50 if options.quick else 1000
    report = Report(options, np, sklearn, sklearn_achievable_pr)
    rows = [
        population_row(setting, rounded, n_times)
        for rounded in (False, True)
        for setting in SETTINGS
    ]
    title = f"{N_TUNING} tuning samples, {N_NEW} new samples, {n_times} batches per row"
    report.table("lists", title, rows)
    sizes = [size_row(n, n_times // 2) for n in SIZES]
    report.table("lists_sizes", "Recall, prevalence 0.1, false positives 0.2", sizes)
    real = [
        row
        for data_set in data_sets()
        for max_fdr in (0.1, 0.2)
        for row in real_rows(*data_set, max_fdr, n_times)
    ]
    report.table("lists_real", "Out-of-fold scores", real)
    report.close()
    is_within = all(row["within"] == "yes" for row in [*rows, *real])
    return 0 if options.quick or is_within else 1


if __name__ == "__main__":
    raise SystemExit(main())
