"""From scores to a ROC curve of counts, and the formulas on it."""
