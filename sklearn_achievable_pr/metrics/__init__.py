"""Curves, areas, operating points and scorers."""
