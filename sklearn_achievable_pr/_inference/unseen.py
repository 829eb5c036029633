"""How much of a variance rests on samples that a data set does not show.

Influence values show only the samples that were seen. Where a ranking is perfect, a rate is
0 or 1, or a few samples decide, the variance of unseen samples is added to theirs, as that
of pseudo-observations is in the adjusted interval of paired proportions (Bonett and Price
2012). It fades out where the influence values rest on several samples.

To the variance of the difference of two areas A and B it adds

    V0 = 2 fade(min(m, n (2 - A - B))) / (n + 2)^2,

one unseen discordant sample for each score: n is the size of the smaller class, m the
number of units that contribute the variance, and n (2 - A - B) that of the lost positives.
Scores that rank all samples alike have this variance, too: that no difference was seen does
not say that there is none. The lower limit L of one area A
moves to A - sqrt((A - L)^2 + fade(min(m, n (1 - A))) R^2), R the distance of 1 from the
lower limit of a perfect ranking. Both are scaled by what a perfect ranking loses with its
last positives (`Estimate.loss`).
"""

import numpy as np

# Unseen samples do not count if more were seen than this: `fade` is then below 1e-18.
_MANY = 5.0
# If none of n positives is lost, a share of up to about 3 / n may be lost in the population
# (the upper limit at level 0.05).
_LIKELY = 3.0


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
    sums_by_part = [part.square_sums(largest or 1.0) for part in parts]
    squares = sum(sums.squares for sums in sums_by_part)
    fourth_powers = sum(sums.fourth_powers for sums in sums_by_part)
    return float(squares**2 / fourth_powers) if fourth_powers else 0.0


def weight_of_unseen(parts, standard_error, df, lost):
    """The share that `fade` gives to the unseen samples of an area.

    The units that contribute the variance count as seen or, if these are fewer, the
    positives that are lost.

    Parameters
    ----------
    parts : iterable of InfluenceValues
        Influence values with this standard error and these degrees of freedom.
    standard_error, df : float
    lost : float
        Number of positives that are lost, as from `Estimate.n_lost`.
    """
    n_seen = lost if standard_error else 0.0
    # By Satterthwaite's formula 1/m is at most 2/df + 1/n for n units, and n is above df.
    if n_seen and df / 3 < min(lost, _MANY):
        n_seen = min(n_contributing(parts), lost)
    return fade(n_seen) if n_seen < _MANY else 0.0


def lower_limit(value, low, reach):
    """The lower limit of a value, moved by the `reach` of unseen samples.

    Both distances from the value are combined as standard errors are. With the reach of a
    perfect ranking the limit does not jump where a ranking becomes perfect.
    """
    return float(low + abs(value - low) - np.hypot(value - low, reach))


def unseen_error_of_difference(weight, n, loss_of):
    """Standard error of a difference by one unseen discordant sample of each score.

    Parameters
    ----------
    weight : float
        From `weight_of_unseen`.
    n : float
        Effective size of the smaller class.
    loss_of : callable
        ``loss_of(share)`` is what a perfect ranking loses if this share of its positives is
        last.
    """
    if not weight:
        return 0.0
    lost = min(_LIKELY / (n + 2), 1.0)
    return float(loss_of(lost) / lost * np.sqrt(2 * weight) / (n + 2))


def combined(standard_error, df, unseen_error, n):
    """Both standard errors as one, and Satterthwaite's degrees of freedom of both."""
    if not unseen_error:
        return standard_error, df
    total = np.hypot(standard_error, unseen_error)
    shares = (standard_error / total) ** 2, (unseen_error / total) ** 2
    inverse_df = shares[0] ** 2 / df + shares[1] ** 2 / (n - 1)
    return float(total), float(min(1 / inverse_df, n - 1))
