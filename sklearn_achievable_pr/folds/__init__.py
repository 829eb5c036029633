"""Cross-validation: intervals, tests, one curve of several folds."""
