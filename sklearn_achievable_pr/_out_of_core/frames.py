"""Columns of a frame counted in bins by the frame's own engine.

The frame is one that narwhals knows, which is imported when a frame is at hand.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .._input.labels import drop_zero_weight, positives
from .bins import Edges, LeadingBits, scores_at
from .histogram import BinCounts, Groups, as_float
from .score_partition import Range, divided

SCORE, LABEL, WEIGHT, _KEY = "apr_score", "apr_label", "apr_weight", "apr_key"
_ROWS, _LOWEST, _HIGHEST = "apr_rows", "apr_lowest", "apr_highest"
_LARGEST = float(np.finfo(np.float64).max)
# Keys that no score has: those have few digits in base 2.
_INVALID, _WEIGHTLESS = 0.1, 0.3
# Of a number of 53 bits so many can be left off by arithmetic.
_LEAST_LEFT_OFF, _MOST_LEFT_OFF = 2, 50
# A bin of too many rows is divided by so many more bits.
_FINER_BITS = 16
# Of magnitudes above nothing is left off.
_HUGE = 2.0**900


class Columns(NamedTuple):
    """The columns of a frame that matter, under names of their own.

    Attributes
    ----------
    frame : narwhals.LazyFrame or narwhals.DataFrame
    weighted : bool
    """

    frame: Any
    weighted: bool


class GroupedCounts(NamedTuple):
    """Rows counted by bin, and which label is positive.

    Attributes
    ----------
    table : BinCounts
    positive_label : object
        None if no row is positive.
    """

    table: BinCounts
    positive_label: Any


class ScoreRange(NamedTuple):
    """A range of scores in a frame.

    Attributes
    ----------
    part : Range
    low, high : float or None
        Its scores are from `low` to below `high`, as far as these are not None.
    """

    part: Range
    low: float | None
    high: float | None


def columns_of(frame, y_true, y_score, sample_weight):
    """The columns of these names.

    Parameters
    ----------
    frame : any frame that narwhals knows
    y_true, y_score, sample_weight : str
        The last one may be None.

    Returns
    -------
    Columns
    """
    nw = narwhals()
    try:
        frame = nw.from_native(frame)
    except TypeError as error:
        raise TypeError(
            "`frame` must be a data frame that narwhals knows: of Polars, DuckDB, PySpark, "
            f"Dask, pandas, PyArrow or others. Got {type(frame).__name__}."
        ) from error
    schema = frame.collect_schema()
    check_names(schema.names(), y_true, y_score, sample_weight)
    _check_numeric(schema[y_score], "y_score", y_score)
    chosen = {LABEL: nw.col(y_true), SCORE: nw.col(y_score)}
    if sample_weight is not None:
        _check_numeric(schema[sample_weight], "sample_weight", sample_weight)
        chosen[WEIGHT] = nw.col(sample_weight).cast(nw.Float64)
    return Columns(frame.select(**chosen), sample_weight is not None)


def arrays_of(columns):
    """Labels, scores and weights as arrays of a frame that is in memory, else None."""
    frame = columns.frame
    if not isinstance(frame, narwhals().DataFrame):
        return None
    weight = frame[WEIGHT].to_numpy() if columns.weighted else None
    return frame[LABEL].to_numpy(), frame[SCORE].to_numpy(), weight


def on_spark(columns):
    """Whether the rows are Spark's."""
    engine = columns.frame.implementation
    return engine.is_pyspark() or engine.is_pyspark_connect()


def check_names(known, y_true, y_score, sample_weight):
    """Refuse what is no column."""
    given = {"y_true": y_true, "y_score": y_score}
    if sample_weight is not None:
        given["sample_weight"] = sample_weight
    for name, column in given.items():
        if column not in known:
            raise ValueError(
                f"`{name}` must name a column of `frame`, one of {list(known)}. Got "
                f"{column!r}."
            )


def narwhals():
    try:
        import narwhals
    except ImportError as error:
        raise ImportError(
            "Frames are read through narwhals, which is not installed. Install "
            "sklearn-achievable-pr[frames]."
        ) from error
    return narwhals


def _check_numeric(dtype, name, column):
    if not (dtype.is_numeric() or str(dtype) == "Boolean"):
        raise TypeError(
            f"`{name}` must name a column of numbers. Got {column!r} of type {dtype}."
        )


def counted(columns, bins, pos_label):
    """Rows counted in bins by the engine.

    Parameters
    ----------
    columns : Columns
    bins : LeadingBits
    pos_label : label or None

    Returns
    -------
    GroupedCounts
    """
    found = _grouped(columns, bins)
    _check_valid(found[_ROWS], found[_KEY] == _INVALID)
    found = {name: c[found[_KEY] != _WEIGHTLESS] for name, c in found.items()}
    labels = found[LABEL]
    if not len(labels):
        raise ValueError("`frame` must have a row at least. Got none.")
    positive = positives(labels, pos_label)
    table = BinCounts(bins)
    table.add_groups(_groups_of(found, bins.index(found[_KEY]), positive))
    return GroupedCounts(table, labels[positive][0] if positive.any() else None)


def counted_finely(columns, shift, positive_label):
    """Rows counted in as many bins as it takes for scores that agree in their leading bits.

    Parameters
    ----------
    columns : Columns
        Of valid rows.
    shift : int
        How many bits of a key are left out.
    positive_label : object

    Returns
    -------
    BinCounts
    """
    found = _grouped(columns, LeadingBits(shift, shift))
    found = {name: c[found[_KEY] != _WEIGHTLESS] for name, c in found.items()}
    # Groups by key are intervals that do not overlap.
    keys, of_key = np.unique(found[_KEY], return_inverse=True)
    lowest = np.full(len(keys), np.inf)
    np.minimum.at(lowest, of_key, found[_LOWEST].astype(np.float64))
    table = BinCounts(Edges(lowest))
    positive = _equal(found[LABEL], positive_label)
    table.add_groups(_groups_of(found, of_key + 1, positive))
    return table


def _grouped(columns, bins):
    nw = narwhals()
    measures = {
        _ROWS: nw.len(),
        _LOWEST: nw.col(SCORE).min(),
        _HIGHEST: nw.col(SCORE).max(),
    }
    if columns.weighted:
        measures[WEIGHT] = nw.col(WEIGHT).sum()
    groups = (
        columns.frame.lazy()
        .with_columns(_key(bins, columns.weighted).alias(_KEY))
        .group_by(_KEY, LABEL)
        .agg(*(measure.alias(name) for name, measure in measures.items()))
        .collect()
    )
    return {name: groups[name].to_numpy() for name in groups.columns}


def _groups_of(found, index, positive):
    lowest, low_inexact = as_float(found[_LOWEST])
    highest, high_inexact = as_float(found[_HIGHEST])
    inexact = np.zeros(len(lowest), dtype=bool)
    for one in (low_inexact, high_inexact):
        if one is not None:
            inexact |= one
    rows = found[_ROWS].astype(np.int64)
    return Groups(index, positive, rows, found.get(WEIGHT), lowest, highest, inexact)


def _check_valid(rows, invalid):
    if invalid.any():
        raise ValueError(
            "`y_score` must be finite and `sample_weight` finite and not negative, nothing "
            f"missing. {rows[invalid].sum()} rows are not so. Filter them out first."
        )


def _key(bins, weighted):
    """The start of each score's bin, or of a part of it; invalid rows have their own key.

    By arithmetic alone, for few engines let one at the bits. With s of 53 bits to be left
    off, (x C) - (x C - x), C = 2^s + 1, is x rounded to 53 - s bits (Veltkamp); where that
    is beyond x, a little less has the leading bits of x.
    """
    nw = narwhals()
    x = nw.col(SCORE).cast(nw.Float64)
    size = x.abs()
    key = x
    if bins.shift >= _LEAST_LEFT_OFF:
        common = (size >= 2.0**-31) & (size < 2.0**17)
        inner, outer = (
            nw.lit(2.0 ** _left_off(shift)) for shift in (bins.shift, bins.outer_shift)
        )
        # Else the product would be infinite.
        outer = nw.when(size <= _HUGE).then(outer).otherwise(nw.lit(0.0))
        left_off = nw.when(common).then(inner).otherwise(outer)
        product = x * (left_off + 1.0)
        key = product - (product - x)
        less = 1.0 - left_off * 2.0**-53
        key = nw.when(key.abs() > size).then(key * less).otherwise(key)
    valid = size <= _LARGEST
    if weighted:
        weight = nw.col(WEIGHT)
        valid = valid & (weight >= 0.0) & (weight <= _LARGEST)
        key = nw.when(weight == 0.0).then(nw.lit(_WEIGHTLESS)).otherwise(key)
    return nw.when(valid).then(key).otherwise(nw.lit(_INVALID))


def _left_off(shift):
    return min(shift, _MOST_LEFT_OFF)


def range_expression(stretches):
    """Number of the stretch that each score is in."""
    nw = narwhals()
    x = nw.col(SCORE).cast(nw.Float64)

    def inside(first, last):
        if first == last:
            return nw.lit(first)
        middle = (first + last) // 2
        # By falling score: those up to the middle one are at or above its lower end.
        return (
            nw.when(x >= stretches[middle].low)
            .then(inside(first, middle))
            .otherwise(inside(middle + 1, last))
        )

    return inside(0, len(stretches) - 1)


def stretches(columns, tally, most_rows, start=(0, 0), inside=(None, None), shift=64):
    """The ranges of a frame, of at most so many rows, or of one score.

    Parameters
    ----------
    columns : Columns
    tally : GroupedCounts
    most_rows : int
    start : tuple
        False and true positives above all the scores.
    inside : tuple
        What all scores lie between.
    shift : int
        How many bits of a key are left out within a bin at most.

    Returns
    -------
    list of ScoreRange
        By falling score.
    """
    bins = tally.table.bins
    edges = scores_at(bins.lowest_keys()[1:-1])
    edges = [inside[0], *edges.tolist(), inside[1]]
    found = []
    for part in divided(tally.table, most_rows, start):
        one = ScoreRange(part, edges[part.bins.start], edges[part.bins.stop])
        if not _to_be_divided(part, most_rows, shift):
            found.append(one)
            continue
        lowest, above = bins.lowest_keys()[[part.bins.start, part.bins.stop]]
        finer = max(min(shift, (int(above) - int(lowest)).bit_length()) - _FINER_BITS, 0)
        inner = between(columns, one.low, one.high)
        table = counted_finely(inner, finer, tally.positive_label)
        found += stretches(
            inner,
            tally._replace(table=table),
            most_rows,
            part.start,
            (one.low, one.high),
            finer,
        )
    return found


def _to_be_divided(part, most_rows, shift):
    """Whether a range is one bin of too many rows, and not all have one score."""
    return (
        part.points is None
        and part.n_rows > 2 * most_rows
        and part.bins.stop - part.bins.start == 1
        and shift >= _LEAST_LEFT_OFF
    )


def between(columns, low, high):
    """The rows with scores from `low` to below `high`, as far as these are given."""
    nw = narwhals()
    frame, x = columns.frame, nw.col(SCORE).cast(nw.Float64)
    if low is not None:
        frame = frame.filter(x >= low)
    if high is not None:
        frame = frame.filter(x < high)
    return columns._replace(frame=frame)


def run_in_turn(task, columns, tally, found):
    """What a task finds of each range; its rows are fetched from the engine.

    Parameters
    ----------
    task : callable
        Range and rows to a result.
    columns : Columns
    tally : GroupedCounts
    found : list of ScoreRange

    Returns
    -------
    list
        By falling score.
    """

    def rows(one):
        if one.part.points is not None:
            return None
        frame = between(columns, one.low, one.high).frame.lazy().collect()
        arrays = {name: frame[name].to_numpy() for name in frame.columns}
        return as_rows(arrays, tally.positive_label)

    return [task(one.part, rows(one)) for one in found]


def as_rows(arrays, positive_label):
    """Columns as rows."""
    positive = _equal(arrays[LABEL], positive_label)
    return drop_zero_weight(positive, arrays[SCORE], arrays.get(WEIGHT))


def _equal(labels, label):
    if label is None:
        return np.zeros(len(labels), dtype=bool)
    return np.asarray(labels == label, dtype=bool)
