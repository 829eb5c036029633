"""
====================================================================
Test data with 1:1 negatives: what is AUC-PR at the real prevalence?
====================================================================

Where positives are rare, negatives are often down-sampled to speed up training. If the
test data are down-sampled, too, AUC-PR is far too high for the real data: here it is
0.868 with one negative per positive, and 0.547 for the same models on all test data.
With ``prevalence=``, the down-sampled data give 0.574. A threshold for precision 0.7
that is tuned on down-sampled data has precision 0.21 in production, and 0.67 with
``prevalence=``.

Table 3 of [1]_ shows the effect in a published study: AUC-PR rises from 0.363 with 24
negatives per positive to 0.851 with one negative per positive, while the models are no
better on the original data. The example reproduces this effect on handwritten digits.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/downsampling.png"

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    CoverageWarning,
    auc_pr_interpolated,
    aucnpr,
    choose_threshold,
)

# %%
# The task is to find the eights, which are one digit in ten. The model gets only the
# lower half of each image, so that the classes overlap.

X, digit = load_digits(return_X_y=True)
X, y = X[:, 40:], (digit == 8).astype(int)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
original = y_test.mean()


def downsampled(y, ratio, rng):
    """Indices of all positives and of `ratio` times as many negatives."""
    positives, negatives = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    n_kept = min(ratio * len(positives), len(negatives))
    return np.concatenate((positives, rng.choice(negatives, n_kept, replace=False)))


# %%
# For each ratio of positives to negatives, a model is trained on down-sampled data. It
# is evaluated on down-sampled test data, on all test data, and on down-sampled test
# data that are reweighted to the original prevalence. All numbers are means over 20
# random draws.

ratios = [1, 2, 3, 4, 5, 9]
means = []
for ratio in ratios:
    draws = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        train, test = downsampled(y_train, ratio, rng), downsampled(y_test, ratio, rng)
        model = GaussianNB(var_smoothing=0.1).fit(X_train[train], y_train[train])
        score = model.predict_proba(X_test)[:, 1]
        few, kept = y_test[test], score[test]
        draws.append(
            [
                auc_pr_interpolated(few, kept),
                aucnpr(few, kept),
                auc_pr_interpolated(y_test, score),
                aucnpr(y_test, score),
                auc_pr_interpolated(few, kept, prevalence=original),
                aucnpr(few, kept, prevalence=original),
            ]
        )
    means.append(np.mean(draws, axis=0))
means = np.array(means)

print(
    "       |                 |                 | down-sampled,\n"
    "       | down-sampled    | original        | reference prevalence"
)
print(" ratio |  AUC-PR  AUCNPR |  AUC-PR  AUCNPR |  AUC-PR  AUCNPR")
for ratio, row in zip(ratios, means, strict=True):
    cells = " |".join("{:8.3f}{:8.3f}".format(*row[i : i + 2]) for i in (0, 2, 4))
    print(f"  1:{ratio:<3}|{cells}")

# %%
# On down-sampled test data, AUC-PR falls when more negatives are kept. On the original
# test data, AUC-PR changes little, because the models are nearly equally good. AUCNPR
# subtracts the minimum AUC-PR, which depends on the prevalence. It varies less than
# AUC-PR, as in the paper, but the minimum explains only a part of the difference.
# Reweighting to the original prevalence (``prevalence=``) nearly recovers the original
# AUC-PR, because true and false positive rates do not depend on the ratio. At 1:1 only
# a fifth of the samples is left, and the remaining difference is a bias from the small
# number of negatives.

figure, ax = plt.subplots(figsize=(6.6, 4.4), layout="constrained")
for column, name, marker, line, color in (
    (0, "AUC-PR, down-sampled", "o", "-", "#0072B2"),
    (1, "AUCNPR, down-sampled", "s", "--", "#D55E00"),
    (2, "AUC-PR, original data", "D", ":", "#009E73"),
    (4, "AUC-PR, down-sampled, reference prevalence", "^", "-.", "#CC79A7"),
):
    ax.plot(
        range(len(ratios)), means[:, column], line, marker=marker, color=color, label=name
    )
ax.set_xticks(range(len(ratios)), [f"1:{ratio}" for ratio in ratios])
ax.set(
    xlabel="Ratio of positives to negatives",
    ylabel="AUC-PR or AUCNPR",
    ylim=(0, 1),
    title="AUC-PR of down-sampled test data",
)
ax.legend(loc="lower left")

# %%
# The curves of one model
# -----------------------
# The picture shows the same scores on all test data, on as many negatives as positives,
# and on the down-sampled data at the original prevalence. Each prevalence has its own
# minimum curve.

rng = np.random.default_rng(0)
model = GaussianNB(var_smoothing=0.1).fit(X_train, y_train)
score = model.predict_proba(X_test)[:, 1]
test = downsampled(y_test, 1, rng)

ax = None
for rows, reference, name in (
    (slice(None), None, "All test data"),
    (test, None, "Down-sampled 1:1"),
    (test, original, "Down-sampled, reweighted"),
):
    # The third evaluation has the minimum curve and the chance level of the first.
    display = AchievablePRDisplay.from_predictions(
        y_test[rows], score[rows], prevalence=reference, name=name, ax=ax,
        plot_minimum=reference is None, plot_chance_level=reference is None,
    )  # fmt: skip
    if reference is None:
        prevalence = y_test[rows].mean()
        display.minimum_.set_label(f"Minimum curve, prevalence {prevalence:.2f}")
        display.chance_level_.set_label(f"Chance level, prevalence {prevalence:.2f}")
    ax = display.ax_
ax.set_title("One model, three evaluations")

# %%
# The threshold
# -------------
# A threshold that has precision 0.7 on down-sampled data has a far lower precision in
# production. ``prevalence=`` reweights the tuning set to the prevalence of production.
# Here the tuning set is half of the test data, down-sampled to 1:1, and the other half
# is production. The numbers are means over 100 random halves. At the original
# prevalence each negative of the tuning set counts as nine positives. The precision of
# the tuning set is therefore still a little too high, and a `CoverageWarning` says so.

warnings.simplefilter("ignore", CoverageWarning)
precisions = []
for seed in range(100):
    rng = np.random.default_rng(seed)
    tuning, production = np.array_split(rng.permutation(len(y_test)), 2)
    kept = tuning[downsampled(y_test[tuning], 1, rng)]
    for reference in (None, original):
        point = choose_threshold(
            y_test[kept],
            score[kept],
            objective="recall",
            min_precision=0.7,
            prevalence=reference,
        )
        predicted = score[production] >= point.threshold
        precisions.append((point.precision, y_test[production][predicted].mean()))
means_of_both = np.mean(np.reshape(precisions, (100, 2, 2)), axis=0)
for name, (tuned, found) in zip(
    ("without prevalence=", "with prevalence="), means_of_both, strict=True
):
    print(f"{name:20} tuning set {tuned:.2f}, production {found:.2f}")

# %%
# .. [1] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region in
#    precision-recall space and its effect on empirical evaluation. Proceedings of the 29th
#    International Conference on Machine Learning. :arxiv:`1206.4667`

plt.show()
