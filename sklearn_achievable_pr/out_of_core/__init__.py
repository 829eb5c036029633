"""Data larger than memory: counts that merge, areas of batches and frames."""
