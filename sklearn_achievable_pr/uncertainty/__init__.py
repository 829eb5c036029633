"""Confidence intervals, tests and sample sizes."""
