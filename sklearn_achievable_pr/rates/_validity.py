"""Warnings of rates at a cut: what is undefined, and what is not nominal."""

from sklearn.exceptions import UndefinedMetricWarning

from .._inference.doubts import Doubt, missing_class
from .._input.undefined import warn_undefined

# With fewer true positives, false positives or missed positives at a cut that moves with
# the sample, limits from influence values are not valid.
FEW = 5
# With fewer positives on one side of a recall, limits of the precision are very wide: their
# coverage was 0.99 to 1.00 in simulations.
_FEW_AT_RECALL = 3


def why_undefined(sample, rate):
    """Why a rate is undefined, as text."""
    missing = missing_class(sample)
    if missing and (rate.is_within_class or sample.reference_prevalence is not None):
        return missing
    return rate.if_undefined


def undefined_rate(sample):
    """The `Doubt` that the rate of a `RateSample` is undefined."""
    text = f"{why_undefined(sample, sample.rate)}: {_are([sample.rate])}"
    return Doubt("undefined rate", text, UndefinedMetricWarning)


def warn_of_undefined_rates(sample, n_undefined):
    """One warning of the undefined rates of a table.

    `n_undefined` is a dict from a `Rate` to the number of rows in which it is undefined.
    """
    rates: dict[str, list] = {}
    for rate, n_rows in n_undefined.items():
        if n_rows:
            why = why_undefined(sample, rate)
            # A missing class makes a rate undefined in all rows.
            rows = f" in {n_rows} rows" if n_rows > 1 and "`y_true`" not in why else ""
            rates.setdefault(why + rows, []).append(rate)
    if rates:
        warn_undefined(" ".join(f"{why}: {_are(which)}" for why, which in rates.items()))


def _are(rates):
    """That these rates are undefined, as a sentence without its first capital."""
    *first, last = (f"the {rate.label}" for rate in rates)
    if not first:
        return f"{last} is undefined."
    return f"{', '.join(first)} and {last} are undefined."


def doubts_of_recall(recall, n_positive):
    """The doubt of a recall with few positives on one side."""
    n_fewer = min(recall, 1 - recall) * n_positive
    if n_fewer < _FEW_AT_RECALL:
        yield Doubt(
            "A recall with few positives on one side",
            f"At recall {recall:g}, only {n_fewer:.2g} of {n_positive} positives are on "
            f"one side of the cut. With fewer than {_FEW_AT_RECALL}, intervals are wide, "
            "and tests find only large differences. Collect more positives.",
        )


def few_at_the_cut():
    """The `Doubt` of a test with few samples of a cell at the cut."""
    return Doubt(
        "Few samples at the cut",
        f"A score has fewer than {FEW} true positives, false positives or missed "
        "positives at the cut. Intervals are wide, and tests find only large differences. "
        "Collect more samples, or move the cut.",
    )
