"""How much of a variance rests on samples that a data set does not show.

Influence values show only the samples that were seen. Where a ranking is perfect, a rate is
0 or 1, or a few samples decide, the variance of unseen samples is added to theirs, as that
of pseudo-observations is in the adjusted interval of paired proportions (Bonett and Price
2012). It fades out where the influence values rest on several samples.
"""

import numpy as np


def fade(n_seen):
    """The share of the variance of unseen samples that counts if `n_seen` were seen.

    It is 1 where nothing was seen, and 0.72, 0.07 and 0.0001 where 1, 2 and 3 samples were.
    """
    return float(np.exp(-(max(n_seen, 0.0) ** 3) / 3))


def n_contributing(parts):
    """Effective number of units that contribute the variance; 0 if there is none.

    It is (sum s)^2 / sum s^2 of the squared influence values s in `parts`, an iterable of
    `InfluenceValues`: m if m units contribute equally.
    """
    largest = max(part.largest() for part in parts)
    total = of_squares = 0.0
    for values, n, _ in parts:
        square = (values / (largest or 1.0)) ** 2
        total += n @ square
        of_squares += n @ square**2
    return float(total**2 / of_squares) if of_squares else 0.0
