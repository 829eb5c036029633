"""Plotting: the data of displays (display_data, fold_bands), styles and artists."""
