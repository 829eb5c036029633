"""The choice of a threshold on a tuning set: objectives, floors, the point taken.

Knows counts and thresholds; estimators and folds are none of its business.
"""

from __future__ import annotations

import inspect
import math
import numbers
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._input.labels import BinaryData
from .._input.options import check_fractions, check_number
from .._roc.counting import every_threshold
from .._roc.hull import strict_upper_hull

# What a recall, precision or objective may differ by from rounding alone.
_ROUNDING = 16 * np.finfo(np.float64).eps


class TuningCounts(NamedTuple):
    """Counts of the tuning set at the thresholds that were kept.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_thresholds,)
        False and true positives among the tuning samples whose score reaches the
        threshold. Rising, from 0 to all negatives and all positives. int64 without
        weights, else float64.
    """

    fps: np.ndarray
    tps: np.ndarray


class Guarantee(NamedTuple):
    """Floors that hold for new data, all of them together, and how surely.

    Attributes
    ----------
    confidence : float
        The probability, over tuning sets, that they do.
    recall, precision : float or None
        The floors; None where none was asked for.
    """

    confidence: float
    recall: float | None
    precision: float | None


class _OnTuningSet(NamedTuple):
    precision: float
    recall: float
    objective: float


class OperatingPoint(_OnTuningSet):
    """What the chosen threshold does on the tuning set, and what it promises beyond.

    Attributes
    ----------
    precision, recall : float
        Of the tuning set; expected values of a coin. Precision is 0 where nothing is
        predicted positive.
    objective : float
        The value that was maximised.
    guarantee : Guarantee or None
        With `confidence`, what holds for new data. It is no item of the tuple.
    """

    guarantee: Guarantee | None = None

    def __repr__(self) -> str:
        if self.guarantee is None:
            return super().__repr__()
        return f"{super().__repr__()[:-1]}, guarantee={self.guarantee!r})"


class RandomizedThreshold(NamedTuple):
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


class TuningPath(NamedTuple):
    """What every threshold does on the tuning set, from the highest down.

    Attributes
    ----------
    fps, tps : ndarray of shape (n_points,)
        The first point predicts nothing positive, the last one everything.
    scores : ndarray of shape (n_points - 1,)
        All distinct ones, falling; point `i` accepts the highest `i` of them.
    vertices : ndarray of int64
        Which of the points are vertices of the hull.
    """

    fps: np.ndarray
    tps: np.ndarray
    scores: np.ndarray
    vertices: np.ndarray


class GuaranteedThresholds(NamedTuple):
    """Thresholds at which the floors are proven for new data.

    Attributes
    ----------
    points : ndarray of int64
        The points of the tuning ROC curve that they have.
    thresholds : ndarray of float64
    guarantee : Guarantee
    """

    points: np.ndarray
    thresholds: np.ndarray
    guarantee: Guarantee


class _Candidates(NamedTuple):
    """Points that may be chosen; of equal values the first is."""

    points: np.ndarray  # this point's predictions ...
    share: np.ndarray  # ... and each of the next segment's with this probability
    fps: np.ndarray
    tps: np.ndarray
    precision: np.ndarray
    recall: np.ndarray


class Choice(NamedTuple):
    """The point that was chosen."""

    at: int  # the point of the tuning ROC curve
    threshold: float
    coin: RandomizedThreshold | None
    point: OperatingPoint


class KeptThresholds(NamedTuple):
    """The thresholds that are kept: the hull's, and the chosen one."""

    thresholds: np.ndarray
    counts: TuningCounts
    is_vertex: np.ndarray


# Objectives: arrays of counts in, the values to maximise out.


def _ratio(part, whole):
    """Part of the whole, 0 where there is no whole."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def _f_beta(beta, tps, fps, fns, tns):
    of_recall = (beta / math.hypot(1, beta)) ** 2  # beta^2 / (1 + beta^2)
    return _ratio(tps, tps + (1 - of_recall) * fps + of_recall * fns)


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


def _mean_gain(gains, tps, fps, fns, tns):
    counts = {"tp": tps, "fp": fps, "fn": fns, "tn": tns}
    total = tps[0] + fps[0] + fns[0] + tns[0]
    return sum(gain * (counts[outcome] / total) for outcome, gain in gains.items())


_OBJECTIVES = {
    "balanced_accuracy": _balanced_accuracy,
    "youden": _youden,
    "precision": _precision,
    "recall": _recall,
    "mcc": _mcc,
}
_F_BETA = re.compile(r"f(\d+\.?\d*|\.\d+)")
_OUTCOMES = ("tp", "fp", "fn", "tn")


def check_objective(objective: Any) -> None:
    """Refuse what is no name, dict of gains, or callable of four arrays."""
    if callable(objective):
        _check_arity(objective)
    elif isinstance(objective, Mapping):
        _check_gains(objective)
    elif not (
        isinstance(objective, str)
        and (objective in _OBJECTIVES or _F_BETA.fullmatch(objective))
    ):
        raise ValueError(
            "`objective` must be one of 'f1', or another 'f<beta>' such as 'f0.5', "
            f"{', '.join(map(repr, _OBJECTIVES))}, a dict of gains for tp, fp, fn and tn, "
            "or a callable (tps, fps, fns, tns) -> array to maximise. Got "
            f"{objective!r}."
        )


def _check_arity(objective):
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


def _check_gains(gains):
    if not gains or not set(gains) <= set(_OUTCOMES):
        raise ValueError(
            "`objective` as a dict must have gains for some of 'tp', 'fp', 'fn' and "
            f"'tn'; what is left out gains 0. Got {gains!r}."
        )
    for outcome, gain in gains.items():
        if not isinstance(gain, numbers.Real):
            raise TypeError(
                f"`objective`[{outcome!r}] must be a real number. Got {gain!r}."
            )
        if not math.isfinite(gain):
            raise ValueError(f"`objective`[{outcome!r}] must be finite. Got {gain!r}.")
    tp, fp, fn, tn = (gains.get(outcome, 0) for outcome in _OUTCOMES)
    if tp < fn or tn < fp:
        raise ValueError(
            "`objective` as a dict must not gain more by a wrong prediction than by the "
            f"right one: tp >= fn and tn >= fp. Got {dict(gains)!r}. They are gains: a "
            "cost is negative."
        )


def check_floor(floor: Any, name: str) -> None:
    """Refuse what is no number within [0, 1]."""
    check_number(floor, name)
    check_fractions(floor, name)


def objective_values(objective: Any, fps: np.ndarray, tps: np.ndarray, totals) -> Any:
    """The objective at points given by their counts; `totals` are (n_neg, n_pos)."""
    n_neg, n_pos = totals
    given = tps, fps, n_pos - tps, n_neg - fps
    if not callable(objective):
        return _named(objective)(*given)
    with np.errstate(divide="ignore", invalid="ignore"):  # NaN is refused below
        values = objective(*(counts.copy() for counts in given))
    return _check_objective_values(values, fps, tps)


def performance(objective: Any, fps: np.ndarray, tps: np.ndarray):
    """Precision, recall and objective at points of which the last accepts everything."""
    fps, tps = fps.astype(np.float64), tps.astype(np.float64)
    values = objective_values(objective, fps, tps, (fps[-1], tps[-1]))
    return _ratio(tps, tps + fps), tps / tps[-1], values


def _named(objective):
    if isinstance(objective, Mapping):
        return partial(_mean_gain, objective)
    f_beta = _F_BETA.fullmatch(objective)
    return partial(_f_beta, float(f_beta[1])) if f_beta else _OBJECTIVES[objective]


def _check_objective_values(values, fps, tps):
    try:
        values = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"`objective` must return real numbers, one a point. Got {values!r}."
        ) from error
    if values.shape != tps.shape:
        raise ValueError(
            "`objective` must return one number a point, an array of the shape of its "
            f"arguments, {tps.shape}. Got shape {values.shape}."
        )
    bad = np.flatnonzero(np.isnan(values))
    if len(bad):
        first = bad[0]
        raise ValueError(
            f"`objective` must not return NaN. Got it at {len(bad)} of {len(values)} "
            f"points, first at tps={tps[first]:g}, fps={fps[first]:g}. Return a number "
            "there: 0/0 at tps=fps=0 is the usual cause."
        )
    return values


# The tuning set and the thresholds that are kept of it


def tuning_path(samples: BinaryData) -> TuningPath:
    """Every threshold of the tuning set, and which of them the hull has."""
    roc = every_threshold(samples)
    fps, tps, _ = points = roc.concatenated()
    vertices = np.asarray(strict_upper_hull(fps, tps))
    return TuningPath(fps, tps, roc.thresholds(points), vertices)


def thresholds_at(roc: TuningPath, points: np.ndarray) -> np.ndarray:
    """Thresholds that accept the lowest score of a point and refuse the next lower one.

    Halfway, so that noise in the last bits of a score flips nothing.

    Parameters
    ----------
    roc : TuningPath
    points : ndarray of int64
        Which of its points.

    Returns
    -------
    ndarray of float64
        Numbers of the scores' own precision, so that comparing in it is exact; inf where
        nothing is accepted, -inf where everything is.
    """
    thresholds = np.where(points == 0, np.inf, -np.inf)
    inner = (points > 0) & (points < len(roc.scores))
    above, below = roc.scores[points[inner] - 1], roc.scores[points[inner]]
    middle = above / 2 + below / 2  # their sum could overflow
    # Between adjacent floats there is no middle, and halves of denormals are rounded.
    separates = (below < middle) & (middle <= above)
    thresholds[inner] = np.where(separates, middle, above)
    return thresholds


def points_reached(roc: TuningPath, thresholds: np.ndarray) -> np.ndarray:
    """The points of the ROC curve that other thresholds have on it."""
    rising = roc.scores[::-1]
    return len(rising) - np.searchsorted(rising, thresholds, side="left")


def kept(roc: TuningPath, choice: Choice | None) -> KeptThresholds:
    """The hull's thresholds with the chosen one among them."""
    points, thresholds = roc.vertices, thresholds_at(roc, roc.vertices)
    is_vertex = np.ones(len(points), dtype=bool)
    if choice is not None:
        at = int(np.searchsorted(points, choice.at))
        if points[at] != choice.at:
            points = np.insert(points, at, choice.at)
            thresholds = np.insert(thresholds, at, choice.threshold)
            is_vertex = np.insert(is_vertex, at, False)
        # A proven threshold is kept as it is, though no tuning score tells it from this.
        thresholds[at] = choice.threshold
    return KeptThresholds(
        thresholds, TuningCounts(roc.fps[points], roc.tps[points]), is_vertex
    )


# The choice


def choose(
    roc: TuningPath,
    objective: str | Mapping[str, float] | Callable,
    floors: Mapping[str, float],
    *,
    interpolate: bool = False,
    proven: GuaranteedThresholds | None = None,
) -> Choice | None:
    """The best point that meets the floors; None if none does.

    Without floors it is a vertex of the hull. With floors any threshold may be better. If
    coins are allowed, the best point that meets a floor is a vertex, or where the floor
    cuts an edge of the hull, which a coin between the thresholds of its ends reaches.
    """
    candidates = _candidates(roc, floors, interpolate, proven)
    meets = np.flatnonzero(_meets_floors(candidates, floors))
    if not len(meets):
        return None
    values = objective_values(
        objective, candidates.fps, candidates.tps, (roc.fps[-1], roc.tps[-1])
    )[meets]
    best = np.isclose(values, values.max(), rtol=_ROUNDING, atol=0).argmax()
    chosen = meets[best]
    point = OperatingPoint(
        float(candidates.precision[chosen]),
        float(candidates.recall[chosen]),
        float(values[best]),
    )
    index, share = int(candidates.points[chosen]), float(candidates.share[chosen])
    if proven is not None:
        point.guarantee = proven.guarantee
        threshold = float(proven.thresholds[chosen])
    else:
        threshold = threshold_of(roc, index)
    coin = (
        RandomizedThreshold(threshold_of(roc, _next_vertex(roc, index)), share)
        if share
        else None
    )
    return Choice(index, threshold, coin, point)


def threshold_of(roc: TuningPath, index: int) -> float:
    """The threshold of one point, as `thresholds_at` has it."""
    return float(thresholds_at(roc, np.array([index]))[0])


def vertices_first(roc: TuningPath, points: np.ndarray) -> np.ndarray:
    """Points in an order in which of equal ones the first is to be taken."""
    is_vertex = np.zeros(len(roc.tps), dtype=bool)
    is_vertex[roc.vertices] = True
    return np.concatenate((points[is_vertex[points]], points[~is_vertex[points]]))


def _next_vertex(roc, index):
    return int(roc.vertices[np.searchsorted(roc.vertices, index, side="right")])


def _candidates(roc, floors, interpolate, proven):
    """The points among which to choose; vertices come first, each by falling threshold."""
    cuts = []
    if proven is not None:
        points = proven.points
    elif interpolate or not floors:
        points = roc.vertices
        found = (_CUTS[name](roc, floor) for name, floor in floors.items())
        cuts = [cut for cut in found if cut is not None]
    else:
        points = vertices_first(roc, np.arange(len(roc.tps)))
    share = np.concatenate((np.zeros(len(points)), [cut[1] for cut in cuts]))
    points = np.concatenate((points, [cut[0] for cut in cuts])).astype(np.int64)
    fps, tps = (counts[points].astype(np.float64) for counts in roc[:2])
    for i in np.flatnonzero(share):
        end = _next_vertex(roc, points[i])
        fps[i] += share[i] * (roc.fps[end] - fps[i])
        tps[i] += share[i] * (roc.tps[end] - tps[i])
    return _Candidates(
        points, share, fps, tps, _ratio(tps, tps + fps), tps / float(roc.tps[-1])
    )


def _cut_at_recall(roc, recall):
    """The edge and the place on it where the recall is reached, if between vertices."""
    tps = roc.tps[roc.vertices]
    at = recall * tps[-1]
    edge = int(np.searchsorted(tps, at)) - 1
    if edge < 0:
        return None
    share = (at - tps[edge]) / (tps[edge + 1] - tps[edge])
    return (roc.vertices[edge], share) if share < 1 else None


def _cut_at_precision(roc, precision):
    """The edge and the place on it where the precision falls to this one."""
    # What is above 0 has the precision; along the hull it rises once, then falls.
    fps, tps = roc.fps[roc.vertices], roc.tps[roc.vertices]
    excess = (1 - precision) * tps - precision * fps
    edge = int(np.flatnonzero(excess >= 0)[-1])
    if edge == len(excess) - 1:
        return None
    share = excess[edge] / (excess[edge] - excess[edge + 1])
    return (roc.vertices[edge], share) if share > 0 else None


_CUTS = {"min_recall": _cut_at_recall, "min_precision": _cut_at_precision}


def _meets_floors(candidates, floors):
    meets = np.ones(len(candidates.tps), dtype=bool)
    for name, floor in floors.items():
        meets &= _floored(candidates, name) >= floor * (1 - _ROUNDING)
    return meets


def _floored(candidates, name):
    return candidates.recall if name == "min_recall" else candidates.precision


# The message where no point meets the floors


def floors_not_met(roc: TuningPath, floors: Mapping[str, float], interpolate: bool) -> str:
    """Which floor, the best that was reached, and where."""
    candidates = _candidates(roc, floors, interpolate, None)
    wanted = " and ".join(f"`{name}`={floor}" for name, floor in floors.items())
    reached = "; ".join(
        _best_reached(roc, candidates, name, floors)
        for name in floors
        if name == "min_precision" or len(floors) > 1
    )
    way_out = "Lower it" if len(floors) == 1 else "Lower one"
    if not interpolate and choose(roc, "recall", floors, interpolate=True):
        way_out += ", or pass `interpolate=True`: a coin between two thresholds does"
    together = " together" if len(floors) > 1 else ""
    return (
        f"{wanted} cannot be met{together} at any threshold of the tuning set: "
        f"{reached}. {way_out}."
    )


def _best_reached(roc, candidates, name, floors):
    others = {other: floor for other, floor in floors.items() if other != name}
    what, value = name.removeprefix("min_"), _floored(candidates, name)
    among = np.flatnonzero(_meets_floors(candidates, others))
    if not len(among):
        other = next(iter(others))
        return f"no {what} has `{other}`={others[other]}"
    best = among[value[among].argmax()]
    condition = "".join(f" with `{other}`={floor}" for other, floor in others.items())
    index = int(candidates.points[best])
    where = f"threshold {threshold_of(roc, index):.6g}"
    if candidates.share[best]:
        end = threshold_of(roc, _next_vertex(roc, index))
        where = f"a coin between {where} and {end:.6g}"
    return f"the best {what}{condition} is {value[best]:.4g}, at {where}"


# What is kept of every split


def columns_of(rocs: list, choices: list) -> dict[str, Any]:
    """Thresholds and choice of each split by itself, in columns; None where undefined."""
    nothing = KeptThresholds(
        np.empty(0), TuningCounts(np.empty(0), np.empty(0)), np.empty(0, bool)
    )
    undefined = Choice(-1, np.nan, None, OperatingPoint(np.nan, np.nan, np.nan))
    frozen = [
        nothing if roc is None else kept(roc, choice)
        for roc, choice in zip(rocs, choices, strict=True)
    ]
    choices = [choice or undefined for choice in choices]
    return {
        "thresholds": [split.thresholds for split in frozen],
        "fps": [split.counts.fps for split in frozen],
        "tps": [split.counts.tps for split in frozen],
        "is_vertex": [split.is_vertex for split in frozen],
        "threshold": np.array([choice.threshold for choice in choices]),
        "coin": [choice.coin for choice in choices],
        **{
            name: np.array([getattr(choice.point, name) for choice in choices])
            for name in OperatingPoint._fields
        },
    }
