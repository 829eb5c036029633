"""Warnings of rates at a cut: what is undefined, and what is not nominal."""

from .._input.undefined import warn_undefined
from ..metrics._rates import NPV, PRECISION
from ..uncertainty._validity import warn_of_data
from ._intervals import LIKELIHOOD


def warn_of_rate(samples, where, what, method, further=()):
    """`warn_of_data` for rates at a cut, which may need one class only.

    At a threshold or at k a missing class leaves the other rates defined, and warnings name
    the undefined ones. Exact limits need no spread between samples.
    """
    if where not in LIKELIHOOD:
        samples = {
            subject: sample
            for subject, sample in samples.items()
            if sample.has_both_classes and not (where == "threshold" and sample.is_simple)
        }
    warn_of_data(samples, what, method, further)


def warn_of_undefined_rates(sample, n_undefined):
    """One warning of the undefined rates of a table.

    `n_undefined` is a dict from a `Rate` to the number of rows in which it is undefined.
    """
    labels = {}
    for rate, n_rows in n_undefined.items():
        if n_rows:
            why = why_undefined(sample, rate)
            # A missing class makes a rate undefined in all rows.
            rows = f" in {n_rows} rows" if n_rows > 1 and "`y_true`" not in why else ""
            labels.setdefault(why + rows, []).append(f"the {rate.label}")
    if labels:
        warn_undefined(" ".join(f"{why}: {_are(which)}" for why, which in labels.items()))


def warn_of_undefined(samples):
    """One warning of a rate that is undefined in some `RateSample`, by its subject.

    At a recall or an FPR `warn_of_rate` names the missing class.
    """
    undefined = {
        subject: sample
        for subject, sample in samples.items()
        if not (sample.is_defined or sample.kind in LIKELIHOOD)
    }
    if undefined:
        (subject, sample), *others = undefined.items()
        why = why_undefined(sample, sample.rate)
        more = f" {len(others)} more like this." if others else ""
        warn_undefined(f"{subject}{why}: {_are([f'the {sample.rate.label}'])}{more}")


def why_undefined(sample, rate):
    """Why a rate is undefined, as text."""
    if not sample.has_both_classes:
        missing = "negative" if sample.data.positive.any() else "positive"
        if rate.is_within_class or sample.metric.prevalence is not None:
            return f"No {missing} samples in `y_true`"
    if rate is PRECISION:
        return "No sample is predicted positive"
    if rate is NPV:
        return "No sample is predicted negative"
    return "No sample is positive or predicted positive"  # F1


def _are(labels):
    """That these are undefined, as a sentence without its first capital."""
    *first, last = labels
    if not first:
        return f"{last} is undefined."
    return f"{', '.join(first)} and {last} are undefined."
