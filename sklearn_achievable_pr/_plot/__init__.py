"""Plotting: the data of displays (`display_data`), their styles and artists."""
