"""Draw the pictures of README and of the pages that no page draws itself, light and dark.

``python doc/pictures.py [NAME ...]`` writes ``NAME_light.png`` and ``NAME_dark.png`` into
``doc/_static``, and prints the numbers that pages quote. Run it when a picture's numbers
or the look of a display have changed.
"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from scipy.stats import norm

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sklearn_achievable_pr import (  # noqa: E402
    auc_pr_from_counts,
    auc_pr_interval,
    choose_threshold,
    threshold_table,
)

DPI = 200  # twice the width at which pages show the pictures
# Blue and orange can be told apart by color-blind readers; lighter on a dark background.
COLORS = {
    "light": {"good": "#0072b2", "bad": "#d55e00", "third": "#009e73", "quiet": "0.4"},
    "dark": {"good": "#6cb8f0", "bad": "#ff9a4d", "third": "#4cc9a2", "quiet": "0.65"},
}
BACKGROUND = "#14181e"  # of the dark theme
SEED_OF_TEST_SETS = 0
BIN_WIDTH = 0.01  # of the recalls that are one stack of dots


def samples(rng, n, prevalence, shift):
    """Labels, and scores that are normal and higher by `shift` for positives."""
    y_true = rng.random(n) < prevalence
    return y_true, rng.normal(size=n) + shift * y_true


def twenty_test_sets(colors):
    """AUC-PR of one model on twenty test sets, with intervals, around the true value."""
    n, prevalence, shift = 500, 0.1, 1.9
    thresholds = np.linspace(14, -9, 5001)
    truth = auc_pr_from_counts(
        prevalence * norm.sf(thresholds - shift),
        (1 - prevalence) * norm.sf(thresholds),
        n_pos=prevalence,
        n_neg=1 - prevalence,
    )
    # With this seed one of the twenty intervals misses, as is expected.
    rng = np.random.default_rng(SEED_OF_TEST_SETS)
    results = [auc_pr_interval(*samples(rng, n, prevalence, shift)) for _ in range(20)]
    results.sort(key=lambda result: result.estimate)
    figure, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    ax.plot(
        [truth, truth], [-1, len(results)], color=colors["quiet"], linewidth=1, zorder=0
    )
    for place, result in enumerate(results):
        low, high = result.confidence_interval
        color = colors["good" if low <= truth <= high else "bad"]
        ax.plot([low, high], [place, place], color=color, linewidth=2)
        ax.plot(result.estimate, place, "o", color=color, markersize=5.5)
    lowest, highest = results[0].estimate, results[-1].estimate
    ax.set_title(f"One model, twenty test sets: {lowest:.2f} to {highest:.2f}", loc="left")
    ax.text(truth, len(results), f"true AUC-PR {truth:.2f}", ha="center", va="bottom")
    ax.set(ylim=(-1, len(results) + 1.2), yticks=[])
    ax.set_xlabel(f"AUC-PR of {n} samples, with 95 % interval")
    ax.spines["left"].set_visible(False)
    n_missed = sum(
        not low <= truth <= high for low, high in (r.confidence_interval for r in results)
    )
    print(f"  {lowest:.3f} to {highest:.3f}, truth {truth:.3f}, {n_missed} of 20 miss")
    return figure


def guarantee(colors):
    """True recall of thresholds that were chosen on a hundred tuning sets, as dots."""
    n, prevalence, shift, required = 2000, 0.05, 2.2, 0.8
    figure, axes = plt.subplots(
        2, figsize=(5.2, 3.6), layout="constrained", sharex=True, sharey=True
    )
    for ax, level in zip(axes, (None, 0.9), strict=True):
        rng = np.random.default_rng(0)
        recalls = []
        for _ in range(100):
            point = choose_threshold(
                *samples(rng, n, prevalence, shift),
                objective="precision", min_recall=required, confidence_level=level,
            )  # fmt: skip
            recalls.append(norm.sf(point.threshold - shift))
        missed = np.mean(np.array(recalls) < required)
        stacks = {}
        for recall in recalls:
            # The lower end of the bin, so that no dot is on the other side of the line.
            bin_of = np.floor((recall - required) / BIN_WIDTH)
            stacks.setdefault(bin_of, []).append(recall)
        for bin_of, stack in stacks.items():
            x = required + (bin_of + 0.5) * BIN_WIDTH
            color = colors["good" if bin_of >= 0 else "bad"]
            ax.plot(
                [x] * len(stack), np.arange(len(stack)), "o", color=color, markersize=4.2
            )
        ax.axvline(required, color=colors["quiet"], linewidth=1)
        call = f"min_recall={required}" + (f", confidence_level={level}" if level else "")
        ax.set_title(f"{call}: {missed:.0%} miss", loc="left", fontsize="medium")
        ax.set(yticks=[])
        ax.spines["left"].set_visible(False)
        print(
            f"  {call}: {missed:.2f} miss, recalls {min(recalls):.3f} to {max(recalls):.3f}"
        )
    axes[0].text(required, axes[0].get_ylim()[1], "required ", ha="right", va="top")
    axes[1].set_xlabel("True recall of 100 thresholds, each from another tuning set")
    return figure


def bootstrap(colors):
    """Coverage of the interval and of the percentile bootstrap, from ``bootstrap.csv``."""
    with (HERE / "benchmark" / "bootstrap.csv").open(newline="") as file:
        rows = [{name: float(x) for name, x in row.items()} for row in csv.DictReader(file)]
    truths = sorted({row["average precision"] for row in rows})
    figure, axes = plt.subplots(
        1, len(truths), figsize=(7.2, 2.6), layout="constrained", sharey=True
    )
    looks = {
        "interval coverage": {"color": colors["good"], "marker": "o"},
        "bootstrap coverage": {"color": colors["bad"], "marker": "D", "linestyle": "--"},
    }
    for ax, truth in zip(axes, truths, strict=True):
        of_truth = [row for row in rows if row["average precision"] == truth]
        positives = [row["positives"] for row in of_truth]
        ax.axhline(0.95, color=colors["quiet"], linewidth=0.8)
        for name, look in looks.items():
            ax.plot(positives, [row[name] for row in of_truth], markersize=4.5, **look)
        ax.set(title=f"{'true AP ' if ax is axes[0] else ''}{truth:g}", xscale="log")
        ax.set_xticks([5, 20, 100, 300], ["5", "20", "100", "300"])
        ax.minorticks_off()
    axes[0].set_ylabel("Coverage of 95 % intervals")
    figure.supxlabel("Positives in the test set", fontsize="medium")
    axes[0].text(5, 0.86, "auc_pr_interval", color=colors["good"], va="top")
    axes[-1].text(300, 0.45, "percentile\nbootstrap", color=colors["bad"], ha="right")
    return figure


def three_sets(colors):
    """Training, tuning and test set, and the calls that belong to each."""
    sets = (
        ("Training set", "fits the model", 0.0, 0.46, "good",
         "fit, cross_validate,\nGridSearchCV(scoring=\n  auc_pr_interpolated_scorer)"),
        ("Tuning set", "fixes the threshold", 0.48, 0.25, "third",
         "choose_threshold(\n  min_recall=0.9,\n  confidence_level=0.9)"),
        ("Test set", "reports, once", 0.75, 0.25, "bad",
         "auc_pr_interval\ncompare_models\nthreshold_table"),
    )  # fmt: skip
    figure, ax = plt.subplots(figsize=(7.2, 1.55))
    figure.subplots_adjust(0.01, 0.01, 0.99, 0.99)
    for title, job, left, width, color, calls in sets:
        ax.add_patch(Rectangle((left, 0.55), width, 0.25, color=colors[color]))
        middle = left + width / 2
        ax.text(middle, 0.675, title, ha="center", va="center", weight="bold",
                color=plt.rcParams["axes.facecolor"])  # fmt: skip
        ax.text(left, 0.85, job, va="bottom")
        ax.text(left, 0.48, calls, va="top", family="monospace", fontsize=8.5)
    ax.set(xlim=(0, 1), ylim=(0.17, 1))
    ax.axis("off")
    return figure


def zones(colors):
    """Scores of the two classes, and the patients that are ruled out and ruled in."""
    y_true, y_score = patients()
    rule_out = choose_threshold(y_true, y_score, objective="specificity", min_npv=0.99)
    rule_in = choose_threshold(y_true, y_score, objective="recall", min_precision=0.5)
    cuts = rule_out.threshold, rule_in.threshold
    edges = np.linspace(0, 0.8, 65)
    figure, axes = plt.subplots(2, figsize=(5.4, 3.6), layout="constrained", sharex=True)
    for ax, is_sick, color, name in zip(
        axes, (True, False), ("bad", "good"), ("sick", "healthy"), strict=True
    ):
        of_class = y_score[y_true == is_sick]
        ax.hist(of_class, edges, color=colors[color])
        ax.set_ylabel("Patients")
        ax.text(0.98, 0.9, f"{len(of_class):,} {name}", transform=ax.transAxes, ha="right",
                va="top", color=colors[color])  # fmt: skip
        for cut in cuts:
            ax.axvline(cut, color=colors["quiet"], linewidth=1)
    axes[1].set_xlabel("Score")
    table = threshold_table(y_true, y_score, thresholds=sorted(cuts))
    above, sick_above = table.n_predicted, table.tps
    n_in_zone = len(y_true) - above[0], above[0] - above[1], above[1]
    sick = y_true.sum() - sick_above[0], sick_above[0] - sick_above[1], sick_above[1]
    titles = "ruled out: NPV ≥ 0.99", "gray zone", "ruled in: PPV ≥ 0.5"
    places = (cuts[0] - 0.01, "right"), (np.mean(cuts), "center"), (cuts[1] + 0.01, "left")
    for title, n, n_sick, (x, side) in zip(titles, n_in_zone, sick, places, strict=True):
        text = f"{title}\n{n_sick:.0f} of {n:,.0f} sick"
        axes[0].text(x, 1.03, text, ha=side, va="bottom", fontsize="small",
                     transform=axes[0].get_xaxis_transform())  # fmt: skip
        print(f"  {title}: {n_sick:.0f} of {n:.0f} sick")
    return figure


def patients():
    """Labels and scores of 3,000 simulated patients; some healthy ones look sick."""
    rng = np.random.default_rng(0)
    y_true = rng.random(3000) < 0.05
    looks_sick = y_true | (rng.random(3000) < 0.05)
    return y_true, rng.beta(np.where(looks_sick, 2.5, 1.1), np.where(looks_sick, 5.5, 15))


def monitor(colors):
    """Evidence against a promised precision, alert by alert, up to the alarm."""
    promised, horizon, alpha = 0.8, 4000, 0.05
    rng = np.random.default_rng(3)
    precision = np.where(np.arange(4000) < 1500, 0.8, 0.7)
    is_true = rng.random(4000) < precision
    odds = promised / (1 - promised) * np.exp(-np.geomspace(0.125, 2, 9))
    rates, evidence, means = odds / (1 + odds), np.zeros(9), []
    for outcome in is_true:
        ratio = rates / promised if outcome else (1 - rates) / (1 - promised)
        evidence = (evidence + 1) * ratio
        means.append(evidence.mean())
        if means[-1] >= horizon / alpha:
            break
    n = len(means)
    figure, ax = plt.subplots(figsize=(5.4, 3.0), layout="constrained")
    ax.plot(np.arange(1, n + 1), means, color=colors["good"], linewidth=1)
    bound = horizon / alpha
    ax.axhline(bound, color=colors["bad"], linewidth=1)
    ax.axvline(1500, color=colors["quiet"], linewidth=1, linestyle=":")
    ax.plot(n, means[-1], "o", color=colors["bad"], markersize=6)
    ax.text(
        30, horizon / alpha * 1.4, f"alarm at {horizon / alpha:,.0f}", color=colors["bad"]
    )
    ax.text(1490, 3, "precision falls\nfrom 0.8 to 0.7", ha="right", color=colors["quiet"])
    ax.text(n, means[-1] * 2, f"alert {n:,}", ha="center", color=colors["bad"])
    ax.set(yscale="log", ylim=(1, 1e6), xlim=(0, 2000), xlabel="Alerts", ylabel="Evidence")
    print(f"  alarm at alert {n}")
    return figure


PICTURES = {
    draw.__name__: draw
    for draw in (twenty_test_sets, guarantee, bootstrap, three_sets, zones, monitor)
}


def main(names):
    """Draw and save the pictures, light and dark."""
    common = {"font.size": 10.5, "axes.spines.top": False, "axes.spines.right": False}
    for name in names or PICTURES:
        print(name)
        for look, style in {"light": "default", "dark": "dark_background"}.items():
            background = {"figure.facecolor": BACKGROUND, "axes.facecolor": BACKGROUND}
            settings = common | (background if look == "dark" else {})
            with plt.style.context([style, settings]):
                figure = PICTURES[name](COLORS[look])
                path = HERE / "_static" / f"{name}_{look}.png"
                figure.savefig(path, dpi=DPI, metadata={"Software": None})
                plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1:])
