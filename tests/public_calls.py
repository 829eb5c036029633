"""Calls of every public function of labels, with arrays of one value per sample."""

from functools import partial

import numpy as np
from public_names import CALLABLES, SIGNATURES

import sklearn_achievable_pr as apr

N = 60
RNG = np.random.default_rng(0)
Y = RNG.permutation(np.repeat([0, 1], [N - 20, 20]))
PER_SAMPLE = {
    "y_true": Y,
    "y_score": Y + RNG.normal(size=N),
    "y_score_a": Y + RNG.normal(size=N),
    "y_score_b": Y + RNG.normal(size=N),
    "y_pred": RNG.integers(0, 2, N),
    "sample_weight": RNG.integers(1, 4, N),
    "by": RNG.integers(0, 2, N),
    "groups": RNG.integers(0, 30, N),
}
OPTIONS = {
    "auc_pr_chance_test": {"n_resamples": 99, "random_state": 0},
    "operating_point_interval": {"recall": 0.5},
    "precision_at_k": {"k": 3},
    "precision_at_recall": {"recall": 0.5},
    "recall_at_fpr": {"fpr": 0.1},
    "recall_at_k": {"k": 3},
    "recall_at_precision": {"precision": 0.5},
    "select_positives": {"new_score": [0.5, 2.0], "max_fdr": 0.2},
    "threshold_table": {"thresholds": 0.5},
}
OF_FOLDS = ("summary_auc_pr", "summary_pr_curve")
# The arguments of each function that describe the same samples.
ARGUMENTS = {
    name: [argument for argument in PER_SAMPLE if argument in signature.parameters]
    for name, signature in SIGNATURES.items()
    if "y_true" in signature.parameters and "frame" not in signature.parameters
    if name not in ("compare_models", *OF_FOLDS)
}


def call_public(name, **given):
    """Call a function with arrays, in place of which some may be given."""
    needed = [
        argument
        for argument in ARGUMENTS[name]
        if argument == "by" or argument.startswith("y_")
    ]
    function = CALLABLES[name]
    if name.startswith("PRCounts."):
        function = partial(function, apr.PRCounts())
    arrays = {argument: PER_SAMPLE[argument] for argument in needed}
    return function(**{**arrays, **given}, **OPTIONS.get(name, {}))
