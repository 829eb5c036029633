"""
==================================================
Which model is better? Six models for a rare event
==================================================

Six models look for a rare event: eights among other digits, one image in twenty. The
random forest is the best of them. Its AUC-PR on the test images is 0.956 (95 % interval
0.870 to 0.991). That of the second model, logistic regression, is lower by 0.154 (0.007
to 0.300; p = 0.043, adjusted for five tests). Average precision differs from the exact
AUC-PR by at most 0.028, but linear interpolation gives naive Bayes 0.543 instead of
0.127.

Run as a script, this example prints the tables. With the name of a file, it also writes
the picture to this file:

.. code-block:: console

    $ python examples/plot_model_selection.py curves.png
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/model_selection.png"

import sys
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import auc, average_precision_score, precision_recall_curve
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import AchievablePRDisplay, compare_models

# %%
# Data
# ----
# The images are the digits of scikit-learn, with the eights down-sampled to 5 %. The
# models are trained on half of the images and tested on the other half.

rng = np.random.default_rng(0)
X, digit = load_digits(return_X_y=True)
others, eights = np.flatnonzero(digit != 8), rng.permutation(np.flatnonzero(digit == 8))
kept = np.sort(np.concatenate((others, eights[: round(0.05 / 0.95 * len(others))])))
X_train, X_test, y_train, y_test = train_test_split(
    X[kept], digit[kept] == 8, test_size=0.5, stratify=digit[kept] == 8, random_state=0
)
n_eights = np.count_nonzero(y_test)
print(f"{len(y_test)} test images, {n_eights} of them eights: {y_test.mean():.3f}\n")

# %%
# Test scores of six models
# -------------------------

models = {
    "random forest": RandomForestClassifier(n_estimators=100, random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "linear SVM": make_pipeline(StandardScaler(), LinearSVC()),
    "tree": DecisionTreeClassifier(random_state=0),
    "tree of depth 4": DecisionTreeClassifier(max_depth=4, random_state=0),
    "naive Bayes": GaussianNB(),
}


def test_scores(model):
    """The scores of the test images, after fitting the model to the others."""
    model.fit(X_train, y_train)
    if hasattr(model, "decision_function"):
        return model.decision_function(X_test)
    return model.predict_proba(X_test)[:, 1]


def linear_auc(y_true, y_score):
    """``auc(recall, precision)``: linear interpolation between the points."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return auc(recall, precision)


scores = {name: test_scores(model) for name, model in models.items()}

# The probabilities of the fully grown tree are 0 and 1, like predicted labels.
warnings.filterwarnings("ignore", message=r"`y_score.* has only 0 and 1")

# %%
# AUC-PR, average precision and linear interpolation
# --------------------------------------------------

comparison = compare_models(y_test, scores, reference="random forest")
exact = comparison.models
linear = {name: linear_auc(y_test, score) for name, score in scores.items()}
ap = {name: average_precision_score(y_test, score) for name, score in scores.items()}

print(f"{'model':<20} {'AUC-PR':>7} {'95 % interval':>15} {'AP':>7} {'diff.':>7}"
      f" {'linear':>7} {'diff.':>7}")  # fmt: skip
for name, result in exact.items():
    area, (low, high) = result.estimate, result.confidence_interval
    print(
        f"{name:<20} {area:7.3f} {f'{low:.3f} to {high:.3f}':>15} "
        f"{ap[name]:7.3f} {ap[name] - area:+7.3f} "
        f"{linear[name]:7.3f} {linear[name] - area:+7.3f}"
    )
print("""
AUC-PR  compare_models: exact area under the precision-recall curve
AP      sklearn.metrics.average_precision_score: step-wise sum
linear  auc(recall, precision): linear interpolation
diff.   difference from the exact AUC-PR
""")
largest = max(abs(ap[name] - exact[name].estimate) for name in models)
print(f"Average precision differs by at most {largest:.3f} here.")

# %%
# Linear interpolation overestimates most where many scores are tied, as those of a tree
# and of naive Bayes are. No random choice between the thresholds above and below a tie
# reaches the points of the straight line across it.

print(
    f"Linear interpolation gives naive Bayes {linear['naive Bayes']:.3f}, and the tree of "
    f"depth 4 {linear['tree of depth 4']:.3f}.\n"
    f"The exact values are {exact['naive Bayes'].estimate:.3f} and "
    f"{exact['tree of depth 4'].estimate:.3f}.\n"
)

# %%
# Are the other models worse than the random forest?
# --------------------------------------------------
# All models scored the same images, so the tests are paired. There are five tests, and
# by chance alone one of them could have a small p-value. The p-values are therefore
# adjusted by Holm's method.

print("Difference in AUC-PR from the random forest")
for pair, result in comparison.pairs.items():
    low, high = result.confidence_interval
    p = comparison.adjusted_pvalues[pair]
    print(
        f"  {pair[0]:<20} {result.difference:.3f}, 95 % interval {low:.3f} to {high:.3f}, "
        + (f"adjusted p = {p:.4f}" if p >= 1e-4 else "adjusted p < 0.0001")
    )

# %%
# Curves
# ------
# The exact curves of three models with 95 % bands, and the unachievable region.

CURVES = {
    "random forest": ("#009e73", "-"),
    "logistic regression": ("#0072b2", "-."),
    "tree": ("#d55e00", "--"),
}


def draw():
    """Exact curves of three models with bands, AUC-PR and its interval."""
    with plt.rc_context({"font.size": 11, "axes.titlesize": 12}):
        figure, ax = plt.subplots(figsize=(5.6, 4.6), layout="constrained")
        for name, (color, style) in CURVES.items():
            AchievablePRDisplay.from_predictions(
                y_test, scores[name], name=name.capitalize(), ax=ax,
                plot_chance_level=False, band="pointwise", interval=True,
                curve_kwargs={"color": color, "linestyle": style},
                legend={"loc": "upper center", "bbox_to_anchor": (0.4, -0.15), "ncols": 2},
            )  # fmt: skip
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.03), aspect="auto")
        ax.set(xlabel="Recall", ylabel="Precision", title="Curves with 95 % bands")
    return figure


if __name__ != "__main__" or len(sys.argv) > 1 or "sphinx_gallery" in sys.modules:
    figure = draw()
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], bbox_inches="tight", dpi=150)
        print(f"The picture is in {sys.argv[1]}")

# %%
# Forest plot
# -----------
# ``comparison.plot()`` draws all models with their intervals, and the paired
# differences from the random forest.

if "sphinx_gallery" in sys.modules:
    comparison.plot()
