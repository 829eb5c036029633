"""Folds and data sets: their checks, and summaries of their ROC curves."""
