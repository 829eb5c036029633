"""A picture of how_to/grouped_tuning.rst."""

import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(5.6, 2.4))
parts = {"trains": "#0072b2", "tunes": "#009e73", "tests": "#d55e00"}
for row, tuned in enumerate([(0, 1, 2), (3, 4, 5), (6, 7)]):
    for patient in range(12):
        part = "tests" if patient > 7 else "tunes" if patient in tuned else "trains"
        ax.barh(2 - row, 1, left=patient + 0.5, color=parts[part], height=0.8)
for part, x in {"tunes": 2, "trains": 6, "tests": 10.5}.items():
    ax.text(x, 2, part, color="w", ha="center", va="center", weight="bold", fontsize=10)
ax.set(yticks=[2, 1, 0], yticklabels=["inner fold 1", "inner fold 2", "inner fold 3"])
ax.set(xticks=range(1, 13), xlabel="Patient", title="One outer fold")
ax.spines[:].set_visible(False)
ax.tick_params(length=0)
