"""Adjustment of p-values for several tests."""

import numpy as np


def holm(pvalues):
    """P-values adjusted by the step-down method of Holm (1979); NaN stays NaN."""
    pvalues = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(pvalues)  # NaN last
    n_tests = np.count_nonzero(~np.isnan(pvalues))
    steps = (n_tests - np.arange(len(pvalues))) * pvalues[order]
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
