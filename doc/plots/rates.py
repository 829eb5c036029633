"""A picture of how_to/rates.rst."""

import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 3.2))
cells = {
    (0, 1): ("73", "#0072B2"),
    (1, 1): ("143", "#D55E00"),
    (0, 0): ("16", "#D55E00"),
    (1, 0): ("768", "#0072B2"),
}
for (x, y), (text, color) in cells.items():
    ax.add_patch(plt.Rectangle((x, y), 0.96, 0.94, color=color, alpha=0.25, lw=0))
    ax.text(x + 0.48, y + 0.47, text, ha="center", va="center", fontsize=16)
side = {"ha": "center", "va": "center"}
ax.text(0.48, 2.12, "sick", **side)
ax.text(1.48, 2.12, "healthy", **side)
ax.text(-0.08, 1.47, "predicted\npositive", ha="right", va="center")
ax.text(-0.08, 0.47, "predicted\nnegative", ha="right", va="center")
ax.text(0.48, -0.25, "sensitivity\n73 / 89 = 0.82", **side)
ax.text(1.48, -0.25, "specificity\n768 / 911 = 0.84", **side)
ax.text(2.04, 1.47, "PPV\n73 / 216 = 0.34", va="center")
ax.text(2.04, 0.47, "NPV\n768 / 784 = 0.98", va="center")
ax.set(xlim=(-0.75, 3.2), ylim=(-0.5, 2.25))
ax.axis("off")
