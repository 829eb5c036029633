"""Displays of curves and of thresholds."""
