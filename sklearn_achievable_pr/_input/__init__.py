"""Input validation: arrays, labels, options, estimators."""
