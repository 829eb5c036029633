"""Comparison of two ROC curves in counts: whether one lies nowhere below the other."""

import math

import numpy as np

from .._input.options import require_classes
from .hull import COUNT_ROUNDING, integers_if_possible

# Products of counts below this fit into int64.
_EXACT_PRODUCT = 2**62


def is_nowhere_below(a, b):
    """Whether ROC curve a has at most the false positives of b at every true positive.

    Parameters
    ----------
    a, b : Points
        All points of the ROC curves of two scores of the same samples. Without positives
        `MissingClassError` is raised.
    """
    require_classes(a.tps[-1], a.fps[-1], negatives=False)
    fps_a, tps_a, exact = integers_if_possible(a.fps, a.tps)
    fps_b, tps_b, _ = integers_if_possible(b.fps, b.tps)
    slack_f = slack_t = 0
    largest_steps = np.diff(tps_a).max(), np.diff(tps_b).max()
    if not exact:
        # The two ROC curves sum the weights in different orders: allow for rounding.
        slack_f, slack_t = COUNT_ROUNDING * fps_a[-1], COUNT_ROUNDING * tps_a[-1]
    elif math.prod(int(n) for n in (fps_a[-1], *largest_steps)) >= _EXACT_PRODUCT:
        fps_a, tps_a, fps_b, tps_b = (
            c.astype(object) for c in (fps_a, tps_a, fps_b, tps_b)
        )
    # Check f_a(t - slack_t) <= f_b(t) + slack_f at the breakpoints of either side.
    at_a = np.concatenate((tps_a, np.maximum(tps_b - slack_t, 0)))
    at_b = np.concatenate((tps_a + slack_t, tps_b))
    for side in ("left", "right"):
        f_a, den_a = _fps_fraction(fps_a, tps_a, at_a, side)
        f_b, den_b = _fps_fraction(fps_b, tps_b, at_b, side)
        if not np.all(f_a * den_b <= f_b * den_a + slack_f * den_a * den_b):
            return False
    return True


def _fps_fraction(fps, tps, at, side):
    """False positives at `at` true positives, as numerators and denominators.

    Unlike `fps_at`, which divides, these products of integer counts are exact. Where only
    false positives increase, `side` selects the first or the last of these points.
    """
    end = np.searchsorted(tps, at, side)
    segment = np.clip(end - 1, 0, len(tps) - 2)
    # Both ends and the points of the ROC curve need no interpolation.
    ahead = np.where(end == 0, 0, np.where(end == len(tps), len(tps) - 1, segment))
    inside = (tps[ahead] < at) & (ahead < len(tps) - 1)
    delta_t = np.where(inside, tps[segment + 1] - tps[segment], 1)
    along = np.where(inside, at - tps[segment], 0)
    return fps[ahead] * delta_t + (fps[segment + 1] - fps[segment]) * along, delta_t
