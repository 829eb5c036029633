"""Limits of rates at a k inside a wide tie.

The influence of the samples gives no valid limits there: if all samples above the tie are
of one class, the influence treats their precision as known. Instead, the confusion matrix
at k is written as a function of five proportions: the precision (share of positives) of the
samples above the tie, in it and below it, and the shares of all samples that are above and
below it. MOVER, the method of variance estimates recovery (Zou and Donner 2008), combines
the limits of the five proportions to limits of the rate.
"""

from typing import NamedTuple

import numpy as np

from ..uncertainty import _limits


def is_wide(n_tied, n, selection_rate):
    """Whether the cut of a data set of n samples drawn anew would lie in a tie, too.

    `n_tied` is the number of samples of the tie, and `selection_rate` the share of the
    samples above the cut. The number of samples above a fixed score has a binomial standard
    deviation; a wide tie has more samples.
    """
    return n_tied**2 > n * selection_rate * (1 - selection_rate)


class _Proportions(NamedTuple):
    """The five proportions that determine the confusion matrix at a k.

    The shares of all samples are multiplied by the number of samples: `n_above`, `n_below`.
    """

    precision_above: np.ndarray
    precision_of_tie: np.ndarray
    precision_below: np.ndarray
    n_above: np.ndarray
    n_below: np.ndarray


class Tie(NamedTuple):
    """The samples above, in and below a wide tie that is cut at k.

    Attributes
    ----------
    k : float
        Number of samples above the cut.
    n, n_positive : ndarray of float64, shape (3,)
        Numbers of samples, and of positives, above, in and below the tie.
    """

    k: float
    n: np.ndarray
    n_positive: np.ndarray

    def limits(self, rate, estimate, tail):
        """Confidence limits of a rate whose value is `estimate`, with `tail` beyond each.

        Returns
        -------
        ndarray of float64, shape (2,)
        """
        part, whole = rate.parts(*self._cells(self._at_limits(tail)))
        rates = np.full(part.shape, estimate)  # an undefined rate is not moved
        np.divide(part, whole, out=rates, where=whole > 0)
        # `mover_sum` needs the correlation of the last two proportions: the multinomial
        # numbers of samples above and below the tie.
        odds = self.n[[0, 2]] / (self.n.sum() - self.n[[0, 2]])
        correlation = -np.sqrt(odds.prod())
        return np.clip(_limits.mover_sum(estimate, rates, correlation), 0.0, 1.0)

    def _at_limits(self, tail):
        """The `_Proportions`, each in turn at its limits: arrays of shape (5, 2).

        Row i of each array is for proportion i at its limits, in the two columns the lower
        and the upper one by Clopper and Pearson; the other proportions are as estimated.
        """
        n_above, n_tied, n_below = self.n
        total = self.n.sum()
        # If no sample is above (below) the tie, the number of such samples has an upper
        # limit above 0. They are taken from the tie, so they get its precision.
        precision = np.full(3, self.n_positive[1] / n_tied)
        np.divide(self.n_positive, self.n, out=precision, where=self.n > 0)
        estimates = np.array([*precision, n_above, n_below])
        # The axes are the proportion, the row and the limit; the shape is (5, 5, 2).
        values = np.tile(estimates[:, np.newaxis, np.newaxis], (5, 2))
        for i, (n, positives) in enumerate(zip(self.n, self.n_positive, strict=True)):
            values[i, i] = _limits.clopper_pearson(positives, n - positives, tail)
        for i, n in ((3, n_above), (4, n_below)):
            share = np.array(_limits.clopper_pearson(n, total - n, tail))
            # The number can grow only by the samples of the tie.
            values[i, i] = np.minimum(share * total, n_tied + n)
        return _Proportions(*values)

    def _cells(self, at):
        """True and false positives, false and true negatives, from the `_Proportions`.

        `n_above` at its upper limit may exceed k. Then the term of the tie is negative,
        because the true positives are linear in `n_above`, as in the variance of a rate.
        Using the precision above the tie in this term would be nearer to the population,
        but in simulations it lowered the coverage of recall and NPV near the edge of a tie
        (down to 0.90 instead of 0.97).
        """
        total = self.n.sum()
        n_tied = total - at.n_above - at.n_below
        positives_above = at.precision_above * at.n_above
        positives_tied = at.precision_of_tie * n_tied
        positives_below = at.precision_below * at.n_below
        tps = positives_above + at.precision_of_tie * (self.k - at.n_above)
        fns = positives_above + positives_tied + positives_below - tps
        return tps, self.k - tps, fns, total - self.k - fns
