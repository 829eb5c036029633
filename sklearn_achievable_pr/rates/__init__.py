"""Rates at a cut: intervals at operating points, at thresholds and at k."""
