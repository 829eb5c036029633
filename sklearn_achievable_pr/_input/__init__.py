"""What came in, checked: arrays, labels, options, estimators."""
