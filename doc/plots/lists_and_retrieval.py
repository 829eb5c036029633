"""A picture of how_to/lists_and_retrieval.rst."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import ttest_1samp

rng = np.random.default_rng(0)
day = np.repeat(np.arange(30), 4000)
y_true = rng.random(len(day)) < rng.beta(2, 98, 30)[day]
y_score = rng.normal(size=len(day)) + 1.5 * y_true
frame = pd.DataFrame({"day": day, "y": y_true, "score": y_score})
top = frame.groupby("day")["score"].rank(ascending=False, method="first") <= 200
per_day = frame[top].groupby("day")["y"].mean()
low, high = ttest_1samp(per_day, 0).confidence_interval(0.95)
figure, ax = plt.subplots()
ax.axhspan(low, high, color="C0", alpha=0.2, linewidth=0)
ax.axhline(per_day.mean(), color="C0")
ax.plot(1 + per_day.index, per_day, "o", color="0.3", markersize=4)
ax.set(xlabel="Day", ylabel="Precision of 200 reviews", ylim=(0, None), xlim=(0, 31))
ax.set_title("Thirty days, their mean and its 95 % interval", fontsize="medium")
