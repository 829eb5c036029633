"""Decision thresholds: choice, guarantee, and the classifier that keeps them."""
