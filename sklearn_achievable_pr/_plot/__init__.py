"""What displays draw (display_data, fold_bands), in which style, and their artists."""
