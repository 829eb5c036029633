"""Coverage of intervals where all alerts and a share of the other samples are labeled.

Alerts are the samples at or above a threshold. The weight of a labeled sample below it is
the inverse of the share that is labeled. Prints, by the expected number of positives among
the labeled samples below the threshold, the mean and the least coverage of 95 % intervals
over the designs: recall and precision at the threshold, with weights; recall from the two
strata, by the formula of the page on reviewed alerts; AUC-PR with weights. Also the mean
recall that the labeled samples show without weights.

200 repetitions of each design, Monte Carlo error 0.015 at 0.95.

Run: python benchmarks/simulations/reviewed_alerts.py [--quick] [--out DIR]
"""

import warnings
from typing import NamedTuple

import numpy as np
from _bench import Report, command_line
from scipy.stats import binomtest, norm

import sklearn_achievable_pr
from sklearn_achievable_pr import auc_pr_from_counts, auc_pr_interval, threshold_table


class Design(NamedTuple):
    """A population with normal scores, a threshold of alerts, and the labeled share."""

    n: int
    prevalence: float
    distance: float
    threshold: float
    share: float

    @property
    def recall(self):
        return norm.sf(self.threshold - self.distance)

    @property
    def precision(self):
        true = self.prevalence * self.recall
        return true / (true + (1 - self.prevalence) * norm.sf(self.threshold))

    @property
    def auc_pr(self):
        at = np.linspace(12, -8, 20_001)
        tps = self.prevalence * norm.sf(at - self.distance)
        fps = (1 - self.prevalence) * norm.sf(at)
        return auc_pr_from_counts(
            tps, fps, n_pos=self.prevalence, n_neg=1 - self.prevalence
        )

    @property
    def expected(self):
        """Expected number of positives among the labeled samples below the threshold."""
        return self.n * self.prevalence * (1 - self.recall) * self.share

    def sample(self, rng):
        """Labels and scores of the labeled samples, their weights, number of others."""
        y = rng.random(self.n) < self.prevalence
        score = rng.normal(size=self.n) + self.distance * y
        is_alert = score >= self.threshold
        is_labeled = is_alert | (rng.random(self.n) < self.share)
        weight = np.where(is_alert, 1.0, 1 / self.share)
        n_below = np.count_nonzero(~is_alert)
        return y[is_labeled], score[is_labeled], weight[is_labeled], n_below


DESIGNS = [
    Design(n, prevalence, distance, threshold, share)
    for n in (2000, 10_000, 50_000)
    for prevalence in (0.01, 0.05)
    for distance, threshold in ((2.5, 2.0), (2.0, 1.0))
    for share in (0.01, 0.05, 0.2)
]
# Expected number of positives: groups of designs.
GROUPS = {"below 1": (0, 1), "1 to 3": (1, 3), "3 to 10": (3, 10), "above 10": (10, np.inf)}


def recall_of(n_true, n_missed):
    return n_true / (n_true + n_missed) if n_true + n_missed else np.nan


def by_strata(y, score, threshold, n_below):
    """Limits of the recall: exact limits in both strata, combined by MOVER."""
    alerts, others = y[score >= threshold], y[score < threshold]
    rates = [np.mean(part) for part in (alerts, others)]
    limits = [binomtest(int(p.sum()), len(p)).proportion_ci() for p in (alerts, others)]
    sizes = len(alerts), n_below

    def recall(of_alerts=rates[0], of_others=rates[1]):
        return recall_of(of_alerts * sizes[0], of_others * sizes[1])

    r = recall()
    low = r - np.hypot(r - recall(limits[0].low), r - recall(of_others=limits[1].high))
    high = r + np.hypot(recall(limits[0].high) - r, recall(of_others=limits[1].low) - r)
    return low, high


def measured(design, rng):
    """Whether each interval holds the value of the population; recall without weights."""
    y, score, weight, n_below = design.sample(rng)
    is_alert = score >= design.threshold
    table = threshold_table(y, score, thresholds=design.threshold, sample_weight=weight)
    area = auc_pr_interval(y, score, sample_weight=weight).confidence_interval
    limits = {
        "recall by weights": (table.recall_low[0], table.recall_high[0], design.recall),
        "recall by strata": (
            *by_strata(y, score, design.threshold, n_below),
            design.recall,
        ),
        "precision": (table.precision_low[0], table.precision_high[0], design.precision),
        "AUC-PR": (*area, design.auc_pr),
    }
    held = {name: low <= true <= high for name, (low, high, true) in limits.items()}
    return held | {"without weights": recall_of(y[is_alert].sum(), y[~is_alert].sum())}


def group_row(name, designs, n_times):
    """Mean and least coverage over the designs of a group, as text."""
    rows = []
    for seed, design in enumerate(designs):
        rng = np.random.default_rng(seed)
        found = [measured(design, rng) for _ in range(n_times)]
        rows.append({key: np.mean([one[key] for one in found]) for key in found[0]})
    row = {"expected positives": name, "designs": len(designs)}
    for key in rows[0]:
        values = [each[key] for each in rows]
        if key == "without weights":
            row["true recall"] = float(np.mean([design.recall for design in designs]))
            row["recall without weights"] = float(np.mean(values))
        else:
            row[key] = f"{np.mean(values):.3f} ({min(values):.3f})"
    return row


def main():
    options = command_line(__doc__)
    n_times = 20 if options.quick else 200
    report = Report(options, np, sklearn_achievable_pr)
    warnings.simplefilter("ignore")  # of designs with too few positives
    rows = [
        group_row(name, [each for each in DESIGNS if low <= each.expected < high], n_times)
        for name, (low, high) in GROUPS.items()
    ]
    title = f"Coverage, mean and least over the designs, {n_times} repetitions each"
    report.table("reviewed_alerts", title, rows)
    report.close()


if __name__ == "__main__":
    main()
