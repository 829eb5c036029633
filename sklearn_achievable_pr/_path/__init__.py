"""From scores to a path of counts, and the formulas on it."""
