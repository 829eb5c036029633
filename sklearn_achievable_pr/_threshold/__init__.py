"""Choice of thresholds on a tuning set."""
