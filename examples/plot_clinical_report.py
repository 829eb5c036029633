"""
==========================================================================
What goes into a clinical report? PPV, NPV, subgroups and a decision curve
==========================================================================

A paper about a diagnostic model has to report sensitivity, specificity, positive and
negative predictive value (PPV, NPV) and net benefit at the thresholds in use, with
confidence intervals. If several rows belong to each patient, the intervals have to count
patients, not rows. At the threshold 0.2 sensitivity is 0.91 (95 % interval 0.85 to 0.95)
and PPV is 0.58 (0.51 to 0.65). An interval that counts rows would be only 0.7 times as
wide. A model of three features has a higher net benefit than a model of one feature at
every threshold probability from 0.1 to 0.7.
"""

# sphinx_gallery_thumbnail_path = "_static/thumbnails/clinical_report.png"

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_achievable_pr import threshold_table

# %%
# Data: two measurements of each patient
# --------------------------------------
# The breast cancer data of scikit-learn have one row per patient. A second row is
# simulated: the same tumor, measured again with an error of 10 %. The positive class is
# malignant.

data = load_breast_cancer(as_frame=True)
features = ["mean texture", "mean smoothness", "mean compactness"]
X, X_test, y, y_test = train_test_split(
    data.data, data.target == 0, test_size=0.6, stratify=data.target, random_state=0
)
patient = np.tile(np.arange(len(y_test)), 2)
y_test = np.tile(y_test, 2)
rng = np.random.default_rng(0)
again = X_test * rng.normal(1, 0.1, X_test.shape)
X_test = pd.concat([X_test, again], ignore_index=True)
print(f"{len(y_test)} rows, {patient.max() + 1} patients, {y_test.mean():.0%} malignant")


def probability(columns):
    """Probability of malignant in the test rows, by a model of these columns."""
    model = make_pipeline(StandardScaler(), LogisticRegression())
    return model.fit(X[columns], y).predict_proba(X_test[columns])[:, 1]


one, three = probability(features[:1]), probability(features)

# %%
# Decision curve
# --------------
# Doctors who treat every patient with a risk of at least 0.2 accept four unnecessary
# biopsies for each cancer that is found. Net benefit is the number of cancers found per
# patient, minus the number of unnecessary biopsies at this exchange rate (divided by
# four). A decision curve shows it for every threshold probability.

thresholds = np.linspace(0.1, 0.7, 61)
options = {"net_benefit": True, "groups": patient}
curve = threshold_table(y_test, three, thresholds=thresholds, **options)
ax = curve.plot(name="Three features")
curve = threshold_table(y_test, one, thresholds=thresholds, **options)
curve.plot(ax, name="Texture only")
ax.set_title("Decision curve of biopsies, 95 % intervals")

# %%
# The table at the thresholds in use
# ----------------------------------
# The thresholds come from the preferences of patients and doctors, not from these data.

table = threshold_table(y_test, three, thresholds=[0.1, 0.2, 0.5], **options)
print(table)

# %%
# If the rows were taken for independent samples, the intervals would be too narrow:

rows = threshold_table(y_test, three, thresholds=0.2, net_benefit=True)
for name, result, row in (("patients", table, 1), ("rows", rows, 0)):
    width = result.recall_high[row] - result.recall_low[row]
    print(f"Width of the interval of sensitivity, {name}: {width:.3f}")

# %%
# Subgroups
# ---------
# This is the same table for patients with round and with asymmetric tumors, according
# to the first measurement. Sensitivity and specificity of the two subgroups can be
# compared. PPV and NPV cannot, because they depend on the prevalence in each subgroup.

symmetry = X_test["mean symmetry"].to_numpy()[patient]
shape = np.where(symmetry > X["mean symmetry"].median(), "asymmetric", "round")
parts = {
    name: threshold_table(
        y_test[shape == name],
        three[shape == name],
        thresholds=0.2,
        groups=patient[shape == name],
    ).to_frame()
    for name in ("round", "asymmetric")
}
titles = {
    "recall (interval)": "Sensitivity",
    "specificity (interval)": "Specificity",
    "precision (interval)": "PPV",
    "npv (interval)": "NPV",
}
subgroups = pd.concat(parts).droplevel(1).rename_axis("Tumor")
print(subgroups[[*titles]].rename(columns=titles).to_string())

# %%
# The table of a paper
# --------------------
# The counts of the cross tabulation and the rates are ready for a paper (STARD items 23
# and 24). ``report.to_latex(index=False, float_format="%g")`` writes the table in LaTeX;
# pandas needs Jinja2 for it.

counts = {"threshold": "Threshold", "tps": "TP", "fps": "FP", "fns": "FN", "tns": "TN"}
titles = counts | titles | {"net_benefit (interval)": "Net benefit"}
report = table.to_frame()[[*titles]].rename(columns=titles)
print(report.to_string(index=False))
