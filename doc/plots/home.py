"""A picture of index.rst."""

import matplotlib.pyplot as plt
import numpy as np

tps, fps, n_pos = np.linspace(5, 20, 100), np.linspace(5, 1980, 100), 20
recall, precision = tps / n_pos, tps / (tps + fps)
line = np.interp(recall, recall[[0, -1]], precision[[0, -1]])
figure, ax = plt.subplots(figsize=(5, 2.8))
ax.fill_between(recall, precision, line, color="#d55e00", alpha=0.25)
ax.plot(recall, line, "--", color="#d55e00")
ax.plot(recall, precision, color="#0072b2")
ax.plot(recall[[0, -1]], precision[[0, -1]], "ko")
ax.text(0.55, 0.33, "straight line:\nnobody reaches it", color="#d55e00")
ax.text(0.35, 0.06, "the curve", color="#0072b2")
ax.set(xlim=(0.2, 1.02), ylim=(0, 0.6), xlabel="Recall", ylabel="Precision")
ax.spines[["top", "right"]].set_visible(False)
