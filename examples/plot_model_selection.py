"""
===============================================
Which model finds the rare digit, and how sure?
===============================================

Six models look for a rare event: eights among other digits, one image in forty. Three
numbers that all go by the name "area under the precision-recall curve" rank them, with
different winners and losers. The exact one comes with an interval, a test of the best
model against the next, and ends in a threshold for a recall that the user asks for.

Run as a script it prints the tables; with the name of a file it writes the picture there::

    python examples/plot_model_selection.py curves.png
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import auc, average_precision_score, precision_recall_curve
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_achievable_pr import (
    AchievablePRDisplay,
    HullThresholdClassifierCV,
    auc_pr_interval,
    aucnpr,
    compare_auc_pr,
)

# %%
# The data: scikit-learn's digits, the eights thinned to 2.5 %.

rng = np.random.default_rng(0)
X, digit = load_digits(return_X_y=True)
others, eights = np.flatnonzero(digit != 8), rng.permutation(np.flatnonzero(digit == 8))
kept = np.sort(np.concatenate((others, eights[: round(0.025 / 0.975 * len(others))])))
X, y = X[kept], digit[kept] == 8
print(f"{len(y)} images, {y.sum()} eights among them: prevalence {y.mean():.3f}\n")

# %%
# Each model scores every image while it is held out.

models = {
    "random forest": RandomForestClassifier(n_estimators=100, random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "linear SVM": make_pipeline(StandardScaler(), LinearSVC()),
    "tree": DecisionTreeClassifier(random_state=0),
    "tree of depth 4": DecisionTreeClassifier(max_depth=4, random_state=0),
    "naive Bayes": GaussianNB(),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)


def held_out_scores(model):
    """One score an image, by a model that has not seen it."""
    if hasattr(model, "decision_function"):
        return cross_val_predict(model, X, y, cv=folds, method="decision_function")
    return cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]


def area_of_lines(y_true, y_score):
    """What ``auc(recall, precision)`` gives: straight lines from point to point."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return auc(recall, precision)


scores = {name: held_out_scores(model) for name, model in models.items()}
exact = {name: auc_pr_interval(y, score) for name, score in scores.items()}
lines = {name: area_of_lines(y, score) for name, score in scores.items()}

print("model                 lines    AP  exact  95 % interval  AUCNPR")
for name, found in exact.items():
    low, high = found.confidence_interval
    print(
        f"{name:<20} {lines[name]:>6.3f} {average_precision_score(y, scores[name]):>5.3f} "
        f"{found.estimate:>6.3f}   {low:.3f} - {high:.3f} {aucnpr(y, scores[name]):>7.3f}"
    )
print("""
lines   auc(recall, precision): straight lines where there are none
AP      average_precision_score: a sum of steps
exact   auc_pr_interpolated: the area under the curve that the model has
AUCNPR  the exact area above the floor that every ranking gets: worst 0, best 1
""")

# %%
# Where scores are tied in large blocks, as those of a tree and of naive Bayes are, a
# straight line promises what no threshold and no coin can deliver. By lines naive Bayes
# is as good as the tree; its area is a quarter of the tree's, and chance, the prevalence,
# is not far below.

by_lines, by_area = (
    sorted(models, key=value, reverse=True)
    for value in (lines.get, lambda name: exact[name].estimate)
)
place_by_lines, place = (ranks.index("naive Bayes") + 1 for ranks in (by_lines, by_area))
print(
    f"Naive Bayes: {lines['naive Bayes']:.3f} by lines, place {place_by_lines}; "
    f"{exact['naive Bayes'].estimate:.3f} exactly, place {place}; chance is {y.mean():.3f}"
)

# %%
# Is the best model better than the next, or lucky? Both scored the same images, so the
# comparison is a paired one.

best, second = by_area[:2]
compared = compare_auc_pr(y, scores[best], scores[second])
low, high = compared.confidence_interval
print(
    f"{best} less {second}: {compared.difference:.3f}, "
    f"95 % interval {low:.3f} to {high:.3f}, p = {compared.pvalue:.4f}\n"
)

# %%
# The threshold comes last. Half of the images are set aside; on the other half's tuning
# folds the threshold of the highest precision with a recall of .8 or more is chosen, and
# fixed.

X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
classifier = HullThresholdClassifierCV(
    models[best], objective="precision", min_recall=0.8, cv=5
).fit(X_train, y_train)
predicted = classifier.predict(X_test)
n_found, n_eights = np.count_nonzero(predicted & y_test), np.count_nonzero(y_test)
point = classifier.operating_point_
print(f"Threshold of the {best} for a recall of .8: {classifier.threshold_:.3f}")
print(f"  tuning folds: recall {point.recall:.3f}, precision {point.precision:.3f}")
print(
    f"  test half:    recall {n_found / n_eights:.3f}, precision "
    f"{n_found / np.count_nonzero(predicted):.3f}"
)
print(f"""
The recall of the test half may be above or below .8: the floor was met by the eights of
the tuning folds, the test half has other ones, and each of its {n_eights} is
{1 / n_eights:.3f} of the recall. A floor that holds for new data with a given probability
takes more positives: see `confidence` of HullThresholdClassifierCV.""")

# %%
# The picture: on the left what the straight lines add up, most of it below lines to points
# that no threshold reaches; on the right the curves that the same scores have, with the
# exact areas and their intervals, above the floor that every ranking gets for free.

COLOURS = {best: "#009e73", "tree": "#0072b2", "naive Bayes": "#d55e00"}
STYLES = {best: "-", "tree": "--", "naive Bayes": "-."}


def label(ax, name, at, text):
    """Write `text` beside a curve, in its colour and with its line style."""
    ax.plot((at[0] - 0.09, at[0] - 0.02), (at[1],) * 2, STYLES[name], color=COLOURS[name])
    ax.text(*at, f"{name}\n{text}", color=COLOURS[name], va="center", weight="bold")


def draw_lines(ax):
    """The straight lines of two models, and the area that they claim."""
    for name in ("tree", "naive Bayes"):
        precision, recall, _ = precision_recall_curve(y, scores[name])
        ax.fill_between(recall, precision, color=COLOURS[name], alpha=0.12, linewidth=0)
        ax.plot(recall, precision, STYLES[name], marker="o", ms=5, color=COLOURS[name])
    label(ax, "tree", (0.68, 0.72), f"claims {lines['tree']:.3f}")
    label(ax, "naive Bayes", (0.68, 0.57), f"claims {lines['naive Bayes']:.3f}")
    ax.annotate(
        "(0, 1) is made up",
        (0, 1),
        (0.16, 0.985),
        va="center",
        arrowprops={"arrowstyle": "->"},
    )
    ax.text(0.06, 0.1, "no threshold and no coin\nreaches the lines between", va="center")
    ax.set_title("What auc(recall, precision) adds up")


def draw_curves(ax):
    """The curves of the same two models and of the best, above their floor."""
    places = {best: (0.13, 0.87), "tree": (0.13, 0.46), "naive Bayes": (0.13, 0.20)}
    for name, at in places.items():
        AchievablePRDisplay.from_predictions(
            y, scores[name], ax=ax, plot_chance_level=False,
            curve_kwargs={"color": COLOURS[name], "linestyle": STYLES[name]},
        )  # fmt: skip
        low, high = exact[name].confidence_interval
        label(ax, name, at, f"has {exact[name].estimate:.3f}\n{low:.3f} to {high:.3f}")
    ax.get_legend().remove()  # the labels stand beside the curves
    ax.text(0.99, 0.125, "hatched: out of reach", ha="right", va="center")
    ax.set_title("The curves there are, with 95 % intervals")


def draw(*panels):
    """The panels side by side, in matplotlib's present style."""
    size = {"font.size": 11, "axes.titlesize": 12}
    with plt.rc_context(size):
        figure, axes = plt.subplots(
            1, len(panels), figsize=(5.5 * len(panels), 4.6), layout="constrained",
            sharey=True, squeeze=False,
        )  # fmt: skip
        for ax, draw_panel in zip(axes[0], panels, strict=True):
            draw_panel(ax)
            ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.03), aspect="auto")
            ax.set(xlabel="Recall", ylabel="")
        axes[0, 0].set_ylabel("Precision")
    return figure


if __name__ != "__main__" or len(sys.argv) > 1 or "sphinx_gallery" in sys.modules:
    figure = draw(draw_lines, draw_curves)
    if len(sys.argv) > 1:
        figure.savefig(sys.argv[1], bbox_inches="tight", dpi=150)
        print(f"The picture is in {sys.argv[1]}")
