"""Fixtures that several files use."""

import pytest

from sklearn_achievable_pr._path import sorting

# Rows up to which a permutation is gathered, and the part of the rows up to which the
# rarer class is looked up.
WAYS = {"permutation": (10**9, 0), "keys": (0, 0), "look-up": (0, 1)}


@pytest.fixture(params=WAYS)
def every_way_to_the_counts(request, monkeypatch):
    """All ways from scores to counts, whatever the size of the data."""
    few_rows, rare = WAYS[request.param]
    monkeypatch.setattr(sorting, "FEW_ROWS", few_rows)
    monkeypatch.setattr(sorting, "_RARE", rare)
