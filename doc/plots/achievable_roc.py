"""A picture of theory/achievable.rst."""

import matplotlib.pyplot as plt

tps, fps = [0, 1, 2, 3, 3, 4, 6, 6, 8], [0, 0, 0, 2, 4, 5, 5, 8, 12]
fig, ax = plt.subplots(figsize=(4.8, 4.2))
ax.plot(
    [f / 12 for f in fps],
    [t / 8 for t in tps],
    "o-",
    color="#0072B2",
    ms=4,
    label="ROC curve",
)
ax.plot(
    [0, 0, 5 / 12, 1],
    [0, 0.25, 0.75, 1],
    "--s",
    color="#D55E00",
    ms=7,
    mfc="none",
    label="Convex hull",
)
ax.set(xlabel="False positive rate", ylabel="True positive rate", title="ROC space")
ax.legend(loc="lower right", fontsize="small")
