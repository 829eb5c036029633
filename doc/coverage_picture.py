"""Draw the picture of the page on coverage: measured coverage by the number of positives.

``python doc/coverage_picture.py`` writes ``coverage.png`` into ``doc/_static``. Run it when
an interval has changed. Scores of negatives are standard normal, those of positives are
shifted so that AUC-PR is 0.8.
"""

import sys
import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from sklearn_achievable_pr import (  # noqa: E402
    CoverageWarning,
    auc_pr_from_counts,
    auc_pr_interpolated,
    auc_pr_interval,
)

PREVALENCE, AREA = 0.1, 0.8
METHODS = {"beta": "auc_pr_interval", "percentile": "Percentiles of a bootstrap"}
STYLES = {
    "beta": {"color": "#0072B2", "marker": "o", "linewidth": 2.5, "zorder": 3},
    "percentile": {"color": "#D55E00", "marker": "D", "linestyle": "--"},
}
EXPECTED_POSITIVES = [4, 7, 12, 25, 50, 100]
# The bootstrap is slow, so it is measured on fewer data sets.
N_SAMPLES, N_RESAMPLES = {"beta": 600, "percentile": 200}, 199


def area_of_population(shift):
    """AUC-PR of the population, from its rates on a fine grid of thresholds."""
    threshold = np.linspace(14, -9, 5001)
    tps = PREVALENCE * norm.sf(threshold - shift)
    fps = (1 - PREVALENCE) * norm.sf(threshold)
    return auc_pr_from_counts(tps, fps, n_pos=PREVALENCE, n_neg=1 - PREVALENCE)


def sample(rng, n, shift):
    """Labels and scores with at least two positives, which an interval needs."""
    y_true = rng.random(n) < PREVALENCE
    if np.count_nonzero(y_true) < 2:
        return sample(rng, n, shift)
    return y_true, rng.normal(size=n) + shift * y_true


def percentile_interval(rng, y_true, y_score):
    """Percentiles of AUC-PR in resamples that have positives."""
    areas, n = [], len(y_true)
    while len(areas) < N_RESAMPLES:
        i = rng.integers(n, size=n)
        if y_true[i].any():
            areas.append(auc_pr_interpolated(y_true[i], y_score[i]))
    return np.quantile(areas, [0.025, 0.975], method="weibull")


def coverage(method, n, shift):
    """Share of the intervals that contain the AUC-PR of the population."""
    rng = np.random.default_rng(1)
    intervals = []
    for _ in range(N_SAMPLES[method]):
        data = sample(rng, n, shift)
        if method == "beta":
            intervals.append(auc_pr_interval(*data).confidence_interval)
        else:
            intervals.append(percentile_interval(rng, *data))
    return np.mean([low <= AREA <= high for low, high in intervals])


def draw():
    """Coverage of both methods against the number of positives."""
    shift = brentq(lambda shift: area_of_population(shift) - AREA, 0, 6)
    figure, ax = plt.subplots(figsize=(6, 4.2), layout="constrained")
    error = 1.96 * np.sqrt(0.95 * 0.05 / N_SAMPLES["beta"])
    ax.axhspan(
        0.95 - error, 0.95 + error, color="0.9", zorder=0, label="Monte Carlo error (95 %)"
    )
    ax.axhline(0.95, color="0.4", linewidth=0.8)
    for method, name in METHODS.items():
        found = [coverage(method, round(p / PREVALENCE), shift) for p in EXPECTED_POSITIVES]
        print(f"{name:<24}" + "".join(f"{x:7.3f}" for x in found))
        ax.plot(EXPECTED_POSITIVES, found, markersize=5, label=name, **STYLES[method])
    ax.set_xscale("log", base=2)
    ax.set_xticks(EXPECTED_POSITIVES, EXPECTED_POSITIVES)
    ax.minorticks_off()
    ax.set_ylim(None, 1.005)
    ax.set(
        title="Coverage of 95 % intervals of AUC-PR",
        xlabel="Expected number of positives (prevalence 0.1)",
        ylabel="Coverage",
    )
    ax.legend(loc="lower right")
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def main(folder=HERE / "_static"):
    """Draw and save the picture."""
    # That few positives make a poor interval is what the picture shows.
    warnings.simplefilter("ignore", CoverageWarning)
    with plt.rc_context({"font.size": 12}):
        figure = draw()
    figure.savefig(folder / "coverage.png", dpi=120, metadata={"Software": None})


if __name__ == "__main__":
    main()
