"""
=====================
Do intervals cover?
=====================

An interval of .95 promises to hold the area of the population in 95 of 100 samples. Whether
it does can be seen where the population is known: here the scores of negatives are standard
normal and those of positives are higher by a shift that makes the area .8.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from sklearn_achievable_pr import auc_pr_from_counts, auc_pr_interval

PREVALENCE, AREA = 0.1, 0.8
METHODS = {
    "beta": "beta, the default",
    "logit": "logit",
    "boyd_logit": "Boyd et al., logit",
    "boyd_binomial": "Boyd et al., binomial",
    "percentile": "bootstrap percentiles",
}
threshold = np.linspace(14, -9, 5001)


def area_of_population(shift):
    """Of true and false positive rates at all thresholds."""
    tps = PREVALENCE * norm.sf(threshold - shift)
    fps = (1 - PREVALENCE) * norm.sf(threshold)
    return auc_pr_from_counts(tps, fps, n_pos=PREVALENCE, n_neg=1 - PREVALENCE)


shift = brentq(lambda shift: area_of_population(shift) - AREA, 0, 6)
print(f"A shift of {shift:.3f} makes the area {area_of_population(shift):.3f}")

# %%
# Many samples of each size. Those with fewer than two positives have no interval and are
# drawn again. The percentiles are the slowest by far, so they get fewer samples.

expected_positives = [4, 7, 12, 25, 50, 100]
n_samples = dict.fromkeys(METHODS, 600) | {"percentile": 200}


def sample(rng, n_rows):
    """Labels and scores with two positives or more."""
    y_true = rng.random(n_rows) < PREVALENCE
    if np.count_nonzero(y_true) < 2:
        return sample(rng, n_rows)
    return y_true, rng.normal(size=n_rows) + shift * y_true


def covered(method, n_rows):
    """Part of the intervals that hold the area, and their mean width."""
    rng = np.random.default_rng(1)
    limits = np.array(
        [
            auc_pr_interval(
                *sample(rng, n_rows), method=method, n_resamples=199, rng=rng
            ).confidence_interval
            for _ in range(n_samples[method])
        ]
    )
    inside = (limits[:, 0] <= AREA) & (limits[:, 1] >= AREA)
    return inside.mean(), np.mean(limits[:, 1] - limits[:, 0])


found = {
    method: np.array([covered(method, round(p / PREVALENCE)) for p in expected_positives])
    for method in METHODS
}
print("coverage / mean width, by expected positives")
print(" " * 22 + "".join(f"{p:>10}" for p in expected_positives))
for method, name in METHODS.items():
    cells = "".join(f" {held:>4.2f}/{width:.2f}" for held, width in found[method])
    print(f"{name:<22}{cells}")

# %%
# The percentiles of resamples are too narrow unless there are many positives: a sample of
# four knows little of the errors of other samples. Boyd's intervals think of the area as a
# proportion of the positives; near 1 that makes them too wide, and elsewhere, as the tables
# in :doc:`/user_guide/uncertainty` show, too narrow. The beta interval is wide where
# little is known, and as narrow as the others where they are right. The shaded strip is
# what 600 samples would show of an interval that covers .95, in 95 of 100 such pictures.

fig, ax = plt.subplots(figsize=(6.8, 4.4), layout="constrained")
error = 1.96 * np.sqrt(0.95 * 0.05 / 600)
ax.axhspan(0.95 - error, 0.95 + error, color="0.9", zorder=0)
ax.axhline(0.95, color="0.4", linewidth=0.8)
styles = {
    "beta": {"color": "C0", "marker": "o", "linewidth": 2.5, "zorder": 3},
    "logit": {"color": "C2", "marker": "s"},
    "boyd_logit": {"color": "C1", "marker": "^"},
    "boyd_binomial": {"color": "C1", "marker": "v", "linestyle": "--"},
    "percentile": {"color": "C3", "marker": "D"},
}
for method, name in METHODS.items():
    ax.plot(
        expected_positives, found[method][:, 0], markersize=5, label=name, **styles[method]
    )
ax.set_xscale("log", base=2)
ax.set_xticks(expected_positives, expected_positives)
ax.minorticks_off()
ax.set_ylim(None, 1.005)
ax.set_xlabel("Positives in the sample, one row in ten")
ax.set_ylabel("Coverage of the nominal .95")
ax.legend(loc="lower right")
ax.spines[["top", "right"]].set_visible(False)
plt.show()
