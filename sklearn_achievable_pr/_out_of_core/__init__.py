"""AUC-PR of data larger than memory: histograms, external sort, distributed frames."""
