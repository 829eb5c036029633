"""
=================================================
What is the AUC-PR of 600,000 scores in a stream?
=================================================

The scores of a stream may not fit in memory. Counts of the scores in bins, in one
pass, show that AUC-PR is between 0.26941 and 0.27081. With a second pass it is exactly
0.27011. The counts of several streams add up.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/large_data.png"

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import PRCounts, auc_pr_from_batches, auc_pr_interpolated

# %%
# There are three sources of scores with prevalence 0.01. Each call of ``source``
# generates the same batches again, as a second reading of a file would.


def source(seed, n_batches=10, n=20_000):
    """Batches of labels and scores."""
    rng = np.random.default_rng(seed)
    for _ in range(n_batches):
        y_true = rng.random(n) < 0.01
        yield y_true, (rng.normal(size=n) + 2 * y_true).astype(np.float32)


def all_batches():
    """The batches of all sources."""
    for seed in range(3):
        yield from source(seed)


# %%
# Each source is counted separately. A `PRCounts` has a fixed size. Pickled, it takes some
# tens of kilobytes, and counts add up in any order.

counters = []
for seed in range(3):
    counts = PRCounts()
    for y_true, y_score in source(seed):
        counts.update(y_true, y_score)
    counters.append(counts)
    low, high, _ = counts.auc_pr()
    print(f"source {seed}: {low:.5f} to {high:.5f}")

together = sum(counters)
low, high, estimate = together.auc_pr()
print(f"together: {low:.5f} to {high:.5f}, about {estimate:.5f}")

# %%
# The bounds contain the exact value, which can also be computed in memory here. The
# achievable AUC-PR, AUCNPR and partial areas have bounds, too.

y_true, y_score = (np.concatenate(columns) for columns in zip(*all_batches(), strict=True))
exact = auc_pr_interpolated(y_true, y_score)
print(f"in memory: {exact:.5f}")
low, high, _ = together.auc_pr(metric="achievable_auc_pr")
print(f"achievable: {low:.5f} to {high:.5f}")
low, high, _ = together.auc_pr(metric="aucnpr", recall_range=(0.8, 1.0))
print(f"AUCNPR over recalls 0.8 to 1: {low:.5f} to {high:.5f}")

# %%
# `auc_pr_from_batches` reads the batches twice, and returns the exact value:

print(f"exact from batches: {auc_pr_from_batches(all_batches):.15f}")
print(f"exact in memory:    {exact:.15f}")

# %%
# How many bins are needed? Twice as many bins halve the width of the bounds.

bits = np.arange(10, 21)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
bounds = [PRCounts(2**k).update(y_true, y_score).auc_pr() for k in bits]
lows, highs, estimates = np.transpose(bounds)
left.fill_between(
    2.0**bits, lows, highs, color="#0072B2", alpha=0.25, label="Lower to upper bound"
)
left.plot(2.0**bits, estimates, "--", color="#0072B2", label="Estimate: bins as ties")
left.axhline(exact, color="black", lw=1, label="Exact AUC-PR")
left.set(xscale="log", xlabel="Number of bins", ylabel="AUC-PR", title="Guaranteed bounds")
left.legend()
right.plot(2.0**bits, highs - lows, "o-", color="#0072B2")
right.set(
    xscale="log",
    yscale="log",
    xlabel="Number of bins",
    ylabel="Upper minus lower bound",
    title="Width of the bounds",
)
plt.show()
