"""Metrics of a ROC curve in counts; `table` lists all of them."""
