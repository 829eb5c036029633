"""Standard errors, intervals, resampling and permutation."""
