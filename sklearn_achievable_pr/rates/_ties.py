"""Limits of rates at a k inside a wide tie.

The influence of the samples is no basis of limits there: if all samples above the tie are
of one class, it takes their precision as known. The confusion matrix at k is instead a
function of five proportions: the precision (fraction of positives) of the samples above the
tie, in it and below it, and the fractions of all samples that are above and below it. MOVER
combines the limits of the five.
"""

from typing import NamedTuple

import numpy as np

from ..uncertainty import _limits


def is_wide(n_tied, n, selection_rate):
    """Whether the cut of another sample of size n would lie in a tie, too.

    The number of samples above a fixed score has a binomial standard deviation; a wide tie
    has more samples.
    """
    return n_tied**2 > n * selection_rate * (1 - selection_rate)


class _Proportions(NamedTuple):
    """The five proportions that determine the confusion matrix at a k.

    The fractions of all samples are numbers of samples, as in the confusion matrix.
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
        """Confidence limits of a rate whose value is `estimate`."""
        part, whole = rate.parts(*self._cells(self._at_limits(tail)))
        unmoved = np.full(part.shape, estimate)
        moved = np.divide(part, whole, out=unmoved, where=whole > 0)
        odds = self.n[[0, 2]] / (self.n.sum() - self.n[[0, 2]])
        # The correlation is that of the numbers of samples above and below the tie.
        return np.clip(_limits.mover_sum(estimate, moved, -np.sqrt(odds.prod())), 0.0, 1.0)

    def _at_limits(self, tail):
        """The `_Proportions`, each in turn at its limits: arrays of shape (5, 2).

        Row i has proportion i at its lower and at its upper Clopper-Pearson limit, and the
        others as estimated.
        """
        n_above, n_tied, n_below = self.n
        total = self.n.sum()
        # Without samples above (below) the tie, their number must not matter: those of its
        # upper limit have the precision of the tie, from which they are taken.
        precision_of_tie = np.full(3, self.n_positive[1] / n_tied)
        precision = np.divide(
            self.n_positive, self.n, out=precision_of_tie, where=self.n > 0
        )
        estimates = np.array([*precision, n_above, n_below])
        values = np.tile(estimates[:, np.newaxis, np.newaxis], (5, 2))
        for i, (n, positives) in enumerate(zip(self.n, self.n_positive, strict=True)):
            values[i, i] = _limits.clopper_pearson(positives, n - positives, tail)
        for i, n in ((3, n_above), (4, n_below)):
            share = np.array(_limits.clopper_pearson(n, total - n, tail))
            # The number grows by samples of the tie, at most by all of them.
            values[i, i] = np.minimum(share * total, n_tied + n)
        return _Proportions(*values)

    def _cells(self, at):
        """True and false positives, false and true negatives, from the `_Proportions`."""
        total = self.n.sum()
        n_tied = total - at.n_above - at.n_below
        positives_above = at.precision_above * at.n_above
        positives_tied = at.precision_of_tie * n_tied
        positives_below = at.precision_below * at.n_below
        tps = positives_above + at.precision_of_tie * (self.k - at.n_above)
        fns = positives_above + positives_tied + positives_below - tps
        return tps, self.k - tps, fns, total - self.k - fns
