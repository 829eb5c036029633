"""Comparisons of models and of subgroups, by areas or by rates at a cut."""
