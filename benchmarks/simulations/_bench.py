"""Shared functions of the simulations: errors, fitted scores, tables, command line."""

import sys
from pathlib import Path

import numpy as np
from sklearn.model_selection import cross_val_predict

# A script finds the modules of its own folder only.
sys.path.append(str(Path(__file__).parents[1]))

from _report import Report, command_line

__all__ = ["Report", "command_line", "monte_carlo_error", "out_of_fold_score"]


def monte_carlo_error(repetitions, share=0.05):
    """Standard error of a share, or of its complement, in simulated data sets."""
    return np.sqrt(share * (1 - share) / repetitions)


def out_of_fold_score(learner, X, y, method="predict_proba", cv=5):
    """Score of each sample, by a learner that was fitted without the sample's fold."""
    found = cross_val_predict(learner, X, y, cv=cv, method=method)
    return found if found.ndim == 1 else found[:, 1]
