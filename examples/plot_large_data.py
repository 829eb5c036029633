"""
=================================
AUC-PR of data larger than memory
=================================

A stream of scores is counted in a histogram. Histograms of several streams can be merged.
They give guaranteed bounds of the area under the precision-recall curve: no order of the
samples within their bins has an area outside. A second pass narrows the bounds, or returns
the exact area.
"""

import matplotlib.pyplot as plt
import numpy as np

from sklearn_achievable_pr import PRCounts, auc_pr_from_batches, auc_pr_interpolated

# %%
# Three sources of scores with one positive in a hundred samples. Batches can be read again.


def source(seed, n_batches=10, n_rows=20_000):
    """Batches of labels and scores."""
    rng = np.random.default_rng(seed)
    for _ in range(n_batches):
        y_true = rng.random(n_rows) < 0.01
        yield y_true, (rng.normal(size=n_rows) + 2 * y_true).astype(np.float32)


def all_batches():
    """The batches of all sources."""
    for seed in range(3):
        yield from source(seed)


# %%
# One counter per source. Its size is fixed, it pickles to some tens of kilobytes, and
# counters can be merged in any order.

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
# The bounds contain the exact area of any data. These data fit into memory, which shows it.
# The achievable area, AUCNPR and a range of recalls have bounds as well.

y_true, y_score = (np.concatenate(columns) for columns in zip(*all_batches(), strict=True))
exact = auc_pr_interpolated(y_true, y_score)
print(f"in memory: {exact:.5f}")
print("achievable: {:.5f} to {:.5f}".format(*together.auc_pr(curve="achievable")[:2]))
print("AUCNPR over recalls of 0.8 and more: {:.5f} to {:.5f}".format(
    *together.aucnpr(recall_range=(0.8, 1.0))[:2]
))  # fmt: skip

# %%
# A second pass narrows the bounds: its bins lie where they reduce the width most. All
# sources count in copies of one refined counter.

refined = together.refined()
for batch in all_batches():
    refined.update(*batch)
low, high, _ = refined.auc_pr()
print(f"after a second pass: {low:.7f} to {high:.7f}")

# %%
# Or it returns the exact area, by an external sort. The result is the one in memory.

print(f"exact from batches: {auc_pr_from_batches(all_batches):.15f}")
print(f"exact in memory:    {exact:.15f}")

# %%
# Twice as many bins halve the width of the bounds. The second pass narrows them by more
# than 16 times as many bins would.

bits = np.arange(10, 21)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
bounds = [PRCounts(2**k).update(y_true, y_score).auc_pr() for k in bits]
lows, highs, estimates = np.transpose(bounds)
left.fill_between(2.0**bits, lows, highs, alpha=0.3, label="guaranteed bounds")
left.plot(2.0**bits, estimates, "--", lw=1, label="estimate (bins as ties)")
left.axhline(exact, color="k", lw=1, label="exact")
left.set(xscale="log", xlabel="number of bins", ylabel="AUC-PR", title="Bounds of AUC-PR")
left.legend()
right.plot(2.0**bits, highs - lows, "o-", label="one pass")
right.plot(2**16, high - low, "C3v", ms=8, label="a second pass, refined")
right.set(
    xscale="log",
    yscale="log",
    xlabel="number of bins",
    ylabel="width",
    title="Width of the bounds",
)
right.legend()
plt.show()
