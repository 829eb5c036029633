"""Hypothesis strategies: ROC curves in counts, and labels, scores and weights."""

import numpy as np
import slow_twins as slow
from hypothesis import example, given
from hypothesis import strategies as st
from situations import SITUATIONS, Situation


def steps(highest=4):
    """Increments of a ROC curve from one point to the next, not both 0."""
    count = st.integers(0, highest)
    return st.tuples(count, count).map(lambda step: step if any(step) else (1, 0))


@st.composite
def counts(draw, max_points=16, highest=4):
    """Distinct points from (0, 0) as arrays of false and of true positives."""
    gained = draw(st.lists(steps(highest), min_size=1, max_size=max_points - 1))
    return np.cumsum([(0, 0), *gained], axis=0).T


@st.composite
def points(draw, max_points=14, highest=4):
    """Points in the form of the slow twins; the last segment has positives."""
    fps, tps = draw(counts(max_points, highest))
    fps, tps = np.append(fps, fps[-1]), np.append(tps, tps[-1] + 1)
    return slow.roc_through(*zip(fps.tolist(), tps.tolist(), strict=True))


# One kind of weights per problem. Sums of eighths are exact, other sums are rounded.
WEIGHTS = {
    "whole": lambda rows: (rows % 5).astype(float),
    "eighths": lambda rows: (1 + rows % 24) / 8,
    "fractional": lambda rows: (1 + rows * 3911) / 999_983,
}


def rows_of_bytes(max_rows):
    return st.binary(min_size=2, max_size=max_rows).map(
        lambda drawn: np.frombuffer(drawn, dtype=np.uint8).astype(int)
    )


@st.composite
def data_sets(draw, max_rows=24, weights=(None, *WEIGHTS)):
    """Samples with ties; both classes have samples with a positive weight."""
    rows = draw(rows_of_bytes(max_rows))
    labels = rows % 2
    labels[:2] = 0, 1
    # Halves do not look like predicted labels.
    scores = 0.5 + rows // 2 % draw(st.integers(1, 24))
    kind = draw(st.sampled_from(weights))
    if kind is None:
        return Situation(labels, scores)
    drawn = draw(st.binary(min_size=len(rows), max_size=len(rows)))
    weight = WEIGHTS[kind](np.frombuffer(drawn, dtype=np.uint8).astype(int))
    weight[:2] += weight[:2] == 0
    return Situation(labels, scores, weight)


def every_problem(test=None, *, situations=SITUATIONS, **drawn):
    """Run a test on every named situation, and on data sets drawn by hypothesis."""

    def decorate(test):
        for name in reversed(situations):
            test = example(data=SITUATIONS[name]).via(name)(test)
        return given(data=data_sets(**drawn))(test)

    return decorate if test is None else decorate(test)
