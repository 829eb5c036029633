"""The choice on the hull of a tuning set: objectives, floors, the point taken.

Knows counts and thresholds; estimators and folds are none of its business.
"""

from __future__ import annotations

import inspect
from typing import NamedTuple

import numpy as np

from ._input.options import check_fractions, check_number
from ._path.counting import every_threshold
from ._path.hull import strict_upper_hull

# What a recall, precision or objective may differ by from rounding alone.
_ROUNDING = 16 * np.finfo(np.float64).eps


class TuningCounts(NamedTuple):
    """Counts of the tuning set at the vertices of its ROC hull.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_vertices,)
        False and true positives among the tuning samples whose score reaches the
        vertex's threshold. Rising, from 0 to all negatives and all positives. int64
        without weights, else float64.
    """

    fps: np.ndarray
    tps: np.ndarray


class OperatingPoint(NamedTuple):
    """What the chosen threshold does on the tuning set; expected values of a coin.

    Attributes
    ----------
    precision, recall : float
        Precision is 0 where nothing is predicted positive.
    objective : float
        The value that was maximised.
    """

    precision: float
    recall: float
    objective: float


class Coin(NamedTuple):
    """The weighted coin between two neighbouring thresholds.

    Attributes
    ----------
    threshold : float
        Samples that reach this one but not `threshold_` are decided by the coin.
    probability : float
        How likely such a sample is predicted positive, inside (0, 1).
    """

    threshold: float
    probability: float


class Hull(NamedTuple):
    """Vertices by falling threshold; the first predicts nothing positive."""

    fps: np.ndarray
    tps: np.ndarray
    thresholds: np.ndarray


class _Points(NamedTuple):
    """Points of the hull: all vertices, then where floors cut its edges."""

    vertex: np.ndarray  # this vertex's predictions ...
    share: np.ndarray  # ... and each of the next segment's with this probability
    fps: np.ndarray
    tps: np.ndarray
    precision: np.ndarray
    recall: np.ndarray


class Choice(NamedTuple):
    """The chosen point of a hull."""

    vertex: int
    threshold: float
    coin: Coin | None
    point: OperatingPoint


# Objectives: arrays of counts in, the values to maximise out.


def _ratio(part, whole):
    """Part of the whole, 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _f1(tps, fps, fns, tns):
    return _ratio(2 * tps, 2 * tps + fps + fns)


def _youden(tps, fps, fns, tns):
    return tps / (tps + fns) - fps / (fps + tns)


def _balanced_accuracy(tps, fps, fns, tns):
    return (tps / (tps + fns) + tns / (fps + tns)) / 2


def _precision(tps, fps, fns, tns):
    return _ratio(tps, tps + fps)


def _recall(tps, fps, fns, tns):
    return tps / (tps + fns)


def _mcc(tps, fps, fns, tns):
    # Of the two ratios only one can be large: no product of counts overflows.
    scale = _ratio(tps + fns, tps + fps) * _ratio(fps + tns, fns + tns)
    return _youden(tps, fps, fns, tns) * np.sqrt(scale)


_OBJECTIVES = {
    "f1": _f1,
    "balanced_accuracy": _balanced_accuracy,
    "youden": _youden,
    "precision": _precision,
    "recall": _recall,
    "mcc": _mcc,
}


def check_objective(objective):
    """Refuse what is neither a name nor a callable of four arrays."""
    if not callable(objective):
        if isinstance(objective, str) and objective in _OBJECTIVES:
            return
        raise ValueError(
            f"`objective` must be one of {', '.join(map(repr, _OBJECTIVES))}, or a "
            "callable (tps, fps, fns, tns) -> array to maximise. Got "
            f"{objective!r}."
        )
    try:
        signature = inspect.signature(objective)
    except ValueError:  # some that are not written in Python have none
        return
    try:
        signature.bind(*"tfnn")
    except TypeError as error:
        name = getattr(objective, "__name__", repr(objective))
        raise TypeError(
            "`objective` must take four arrays by position, (tps, fps, fns, tns). Got "
            f"{name}{signature}."
        ) from error


def check_floor(floor, name):
    """Refuse what is no number within [0, 1]."""
    check_number(floor, name)
    check_fractions(floor, name)


# The hull of a tuning set and the choice on it


def tuning_hull(positive, score, weight):
    path = every_threshold((positive, score, weight))
    fps, tps, _ = points = path.whole()
    vertices = strict_upper_hull(fps, tps)
    return Hull(
        fps[vertices], tps[vertices], _separators(path.thresholds(points), vertices)
    )


def _separators(scores, vertices):
    """Thresholds that accept the vertex's score and refuse the next lower one.

    Halfway, so that noise in the last bits of a score flips nothing.

    Parameters
    ----------
    scores : ndarray of float32 or float64, shape (n_points - 1,)
        All distinct tuning scores, falling; point i of the path accepts i of them.
    vertices : ndarray of int64, shape (n_vertices,)
        Points of the path, the first 0 and the last `n_points - 1`.

    Returns
    -------
    ndarray of float64, shape (n_vertices,)
        Numbers of the scores' own precision, so that comparing in it is exact.
    """
    above, below = scores[vertices[1:-1] - 1], scores[vertices[1:-1]]
    middle = above / 2 + below / 2  # their sum could overflow
    # Between adjacent floats there is no middle, and halves of denormals are rounded.
    separates = (below < middle) & (middle <= above)
    thresholds = np.where(separates, middle, above).astype(np.float64)
    return np.concatenate(([np.inf], thresholds, [-np.inf]))


def choose(hull, objective, floors, interpolate):
    """The best point of the hull that meets the floors; None if none does.

    Where a floor cuts an edge, the best point that meets it can be the cut: the edges'
    inner points are reached by a coin between the thresholds of their ends.
    """
    points = _points_on(hull, floors if interpolate else {})
    meets = np.flatnonzero(_meets_floors(points, floors))
    if not len(meets):
        return None
    values = _objective_values(objective, points)[meets]
    # Vertices come first, by falling threshold: of equal values the first is taken.
    best = np.isclose(values, values.max(), rtol=_ROUNDING, atol=0).argmax()
    chosen = meets[best]
    vertex, share = int(points.vertex[chosen]), float(points.share[chosen])
    return Choice(
        vertex,
        float(hull.thresholds[vertex]),
        Coin(float(hull.thresholds[vertex + 1]), share) if share else None,
        OperatingPoint(
            float(points.precision[chosen]),
            float(points.recall[chosen]),
            float(values[best]),
        ),
    )


def _points_on(hull, cut_by):
    """All vertices of the hull, then the points where floors cut its edges."""
    cuts = [
        cut
        for name, floor in cut_by.items()
        if (cut := _CUTS[name](hull, floor)) is not None
    ]
    n_vertices = len(hull.tps)
    vertex = np.concatenate((np.arange(n_vertices), [cut[0] for cut in cuts]))
    share = np.concatenate((np.zeros(n_vertices), [cut[1] for cut in cuts]))
    vertex = vertex.astype(np.int64)
    following = np.minimum(vertex + 1, n_vertices - 1)
    fps = hull.fps[vertex] + share * (hull.fps[following] - hull.fps[vertex])
    tps = hull.tps[vertex] + share * (hull.tps[following] - hull.tps[vertex])
    return _Points(vertex, share, fps, tps, _ratio(tps, tps + fps), tps / hull.tps[-1])


def _cut_at_recall(hull, recall):
    """The edge and the place on it where the recall is reached, if between vertices."""
    at = recall * hull.tps[-1]
    edge = int(np.searchsorted(hull.tps, at)) - 1
    if edge < 0:
        return None
    share = (at - hull.tps[edge]) / (hull.tps[edge + 1] - hull.tps[edge])
    return (edge, share) if share < 1 else None


def _cut_at_precision(hull, precision):
    """The edge and the place on it where the precision falls to this one."""
    # What is above 0 has the precision; along the hull it rises once, then falls.
    excess = (1 - precision) * hull.tps - precision * hull.fps
    edge = int(np.flatnonzero(excess >= 0)[-1])
    if edge in (0, len(excess) - 1):
        return None
    share = excess[edge] / (excess[edge] - excess[edge + 1])
    return (edge, share) if share > 0 else None


_CUTS = {"min_recall": _cut_at_recall, "min_precision": _cut_at_precision}


def _meets_floors(points, floors):
    meets = np.ones(len(points.tps), dtype=bool)
    for name, floor in floors.items():
        meets &= _floored(points, name) >= floor * (1 - _ROUNDING)
    return meets


def _floored(points, name):
    return points.recall if name == "min_recall" else points.precision


def _objective_values(objective, points):
    tps, fps = points.tps, points.fps
    everything = points.vertex.argmax()  # the last vertex; no edge starts there
    n_pos, n_neg = tps[everything], fps[everything]
    given = tps, fps, n_pos - tps, n_neg - fps
    if not callable(objective):
        return _OBJECTIVES[objective](*given)
    with np.errstate(divide="ignore", invalid="ignore"):  # NaN is refused below
        values = objective(*(counts.copy() for counts in given))
    return _check_objective_values(values, points)


def _check_objective_values(values, points):
    try:
        values = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"`objective` must return real numbers, one a point. Got {values!r}."
        ) from error
    if values.shape != points.tps.shape:
        raise ValueError(
            "`objective` must return one number a point, an array of the shape of its "
            f"arguments, {points.tps.shape}. Got shape {values.shape}."
        )
    bad = np.flatnonzero(np.isnan(values))
    if len(bad):
        first = bad[0]
        raise ValueError(
            f"`objective` must not return NaN. Got it at {len(bad)} of {len(values)} "
            f"points, first at tps={points.tps[first]:g}, fps={points.fps[first]:g}. "
            "Return a number there: 0/0 at tps=fps=0 is the usual cause."
        )
    return values


def floors_not_met(hull, floors, interpolate):
    """The message: which floor, the best that was reached, and where."""
    points = _points_on(hull, floors if interpolate else {})
    wanted = " and ".join(f"`{name}`={floor}" for name, floor in floors.items())
    reached = "; ".join(
        _best_reached(hull, points, name, floors)
        for name in floors
        if name == "min_precision" or len(floors) > 1
    )
    way_out = "Lower it" if len(floors) == 1 else "Lower one"
    if not interpolate and choose(hull, "recall", floors, interpolate=True):
        way_out += ", or pass `interpolate=True`: a coin between two thresholds does"
    together = " together" if len(floors) > 1 else ""
    return (
        f"{wanted} cannot be met{together} at any vertex of the tuning set's hull: "
        f"{reached}. {way_out}."
    )


def _best_reached(hull, points, name, floors):
    others = {other: floor for other, floor in floors.items() if other != name}
    what, value = name.removeprefix("min_"), _floored(points, name)
    among = np.flatnonzero(_meets_floors(points, others))
    if not len(among):
        other = next(iter(others))
        return f"no {what} has `{other}`={others[other]}"
    best = among[value[among].argmax()]
    condition = "".join(f" with `{other}`={floor}" for other, floor in others.items())
    vertex = points.vertex[best]
    where = f"threshold {hull.thresholds[vertex]:.6g}"
    if points.share[best]:
        where = f"a coin between {where} and {hull.thresholds[vertex + 1]:.6g}"
    return f"the best {what}{condition} is {value[best]:.4g}, at {where}"


def columns_of(hulls, choices):
    """Hull and choice of each split by itself, in columns."""
    empty = Hull(np.empty(0), np.empty(0), np.empty(0))
    hulls = [hull or empty for hull in hulls]
    undefined = Choice(-1, np.nan, None, OperatingPoint(np.nan, np.nan, np.nan))
    choices = [choice or undefined for choice in choices]
    return {
        "thresholds": [hull.thresholds for hull in hulls],
        "fps": [hull.fps for hull in hulls],
        "tps": [hull.tps for hull in hulls],
        "threshold": np.array([choice.threshold for choice in choices]),
        "coin": [choice.coin for choice in choices],
        **{
            name: np.array([getattr(choice.point, name) for choice in choices])
            for name in OperatingPoint._fields
        },
    }
