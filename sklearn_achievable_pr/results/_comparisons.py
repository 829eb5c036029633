"""Results of comparisons: one pair, several models and several subgroups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata

from .._input.options import check_integer, check_option, text_of
from ..metrics._rates_at import RATE_METRICS
from ._areas import (
    AucPRIntervalResult,
    IntervalResult,
    chance_text,
    level_text,
    limit_columns,
    texts_of,
    value_and_limits,
)
from ._folds import AucPRIntervalCVResult
from ._rates import RateIntervalResult
from ._rendering import (
    UNDEFINED,
    count_text,
    decimals_of_column,
    percent_text,
    prevalence_text,
    pvalue_text,
    sentence,
    sizes_text,
    value_text,
    with_limits,
)
from ._result import Result, import_pandas, plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# The print has a note on subgroups with fewer samples of a class than this.
_FEW = 10


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AucPRComparisonResult(IntervalResult):
    """Difference of two values, its interval and its test.

    As in the `pairs` of a comparison of models or subgroups.

    Attributes
    ----------
    names : tuple of (str, str)
        Names of models a and b, or labels of subgroups a and b.
    estimates : tuple of (float, float)
        Values of the metric for models, or subgroups, a and b.
    difference, standard_error : float
        Estimate of a minus estimate of b, and its standard error, which is NaN if the rate
        counts only one sample or cluster.
    statistic : float or None
        Difference divided by its standard error; None for the method ``"mover"``, and for
        macro and weighted averages.
    pvalue : float
        P-value of the test.
    confidence_interval : ConfidenceInterval
        Limits `low` and `high` of the difference.
    df : float or None
        Degrees of freedom of the standard error; None for ``"mover"``, and for macro and
        weighted averages.
    n_samples, n_positive : int
        Numbers of samples and of positives; for several labels, `n_positive` is a tuple
        with one number per label.
    n_clusters : int or None
        Number of clusters; None without `groups`.
    average : str or None
        How the values of several labels were averaged; None for one binary label.
    n_labels : int or None
        Number of labels; None for one binary label.
    metric, method : str
        Name of the metric, and method of the test.
    at : float, tuple of (float, float) or None
        The operating point of a rate, two numbers if the models have thresholds of their
        own; None for other metrics.
    recall_range : tuple of (float, float)
        Range of recalls of the metric.
    prevalence : float or None
        Reference prevalence; None for the prevalence of the samples.
    confidence_level : float
        Confidence level of the interval.
    alternative : {"two-sided", "less", "greater"}
        Sides of the test and of the interval.
    """

    names: tuple[str, str]
    estimates: tuple[float, float] = (np.nan, np.nan)
    difference: float = np.nan
    statistic: float | None = np.nan
    pvalue: float = np.nan
    at: float | tuple[float, float] | None = None

    _VALUE = "difference"

    @property
    def _measured(self):
        if self.at is None:
            return super()._measured
        return self._rate_at(*self.at if isinstance(self.at, tuple) else (self.at,))

    def _rate_at(self, *numbers):
        """The rate at one or two operating points as text."""
        return RATE_METRICS[self.metric].label(*numbers) + prevalence_text(self.prevalence)

    def _blocks(self):
        lines = [self._sizes, *self._notes]
        return [self._values(), *lines]

    def _values(self):
        """The two values, their difference and its test, by their labels."""
        first, second = self.names
        labels = [sentence(self._measured)] * 2
        if isinstance(self.at, tuple):
            labels = [sentence(self._rate_at(number)) for number in self.at]
        difference, limits = texts_of(self)
        decimals = len(difference.partition(".")[2])
        estimates = [value_text(value, decimals=decimals) for value in self.estimates]
        pvalue = f"{pvalue_text(self.pvalue)} ({self.alternative}"
        if self.statistic is not None and not np.isnan(self.statistic):
            pvalue += f", statistic {self.statistic:.4g}"
        return {
            f"{labels[0]} of {first}": estimates[0],
            f"{labels[1]} of {second}": estimates[1],
            f"difference {first} - {second}": difference,
            level_text(self): limits,
            "p-value": f"{pvalue})",
        }

    def _frame_columns(self, decimals):
        """Columns of the difference in the data frame of a comparison."""
        row = {"difference": self.difference, "standard_error": self.standard_error}
        return row | limit_columns(self, decimals)

    @property
    def _bar(self):
        """The ends of the plotted bar; that of a one-sided interval ends at the value."""
        low, high = self.confidence_interval
        low = self.difference if self.alternative == "less" else low
        return low, self.difference if self.alternative == "greater" else high

    def _swapped(self: Any):
        """The two-sided comparison of the second with the first."""
        low, high = self.confidence_interval
        return replace(
            self,
            names=self.names[::-1],
            estimates=self.estimates[::-1],
            difference=-self.difference,
            statistic=None if self.statistic is None else -self.statistic,
            at=self.at[::-1] if isinstance(self.at, tuple) else self.at,
            confidence_interval=(-high, -low),
        )


@dataclass(frozen=True, repr=False, eq=False)
class ComparisonResult(Result):
    """Base class of the results with intervals of several members and tests of pairs.

    A subclass has the fields `pairs`, at least one, `reference` and `adjust`. Fields of
    this class would come before those of its subclasses, so they are not declared here, and
    `self` is of the type `Any`. A subclass also defines:

    - `_KIND`: what is compared, "model" or "subgroup"; a field is named so, with an "s";
    - `_members`, `_ordered_pairs()`: members, and pairs with adjusted p-values, as shown;
    - `_own_values(name)`: values of a member in `to_dict` beside those of its interval;
    - `_frame_row(name)`: first columns of a member in a data frame;
    - `_text_row(name)`: row of a member in the printed table;
    - `_context()`: sentences below the tables.
    """

    @property
    def adjusted_pvalues(self: Any) -> dict[tuple[str, str], float]:
        """Dict from each pair of names to its p-value, adjusted by the method `adjust`."""
        pvalues = np.array([pair.pvalue for pair in self.pairs.values()])
        if self.adjust == "holm":
            pvalues = holm(pvalues)
        return dict(zip(self.pairs, pvalues.tolist(), strict=True))

    def to_dict(self: Any) -> dict[str, Any]:
        """The models or subgroups, their pairs and the options as plain Python values.

        Returns
        -------
        dict
            The keys are ``"models"`` or ``"subgroups"``, with a dict from each name to its
            values, ``"pairs"``, with a list, ``"reference"`` and ``"adjust"``. The values
            of a model, a subgroup or a pair are those of its own `to_dict`; a pair also has
            ``"names"`` and ``"adjusted_pvalue"``. Labels of subgroups become strings.
        """
        adjusted = self.adjusted_pvalues
        members = {
            text_of(name): self._own_values(name) | member.to_dict()
            for name, member in self._members.items()
        }
        pairs = [
            pair.to_dict() | {"names": [*map(text_of, ab)], "adjusted_pvalue": adjusted[ab]}
            for ab, pair in self.pairs.items()
        ]
        reference = None if self.reference is None else text_of(self.reference)
        options = {"reference": reference, "adjust": self.adjust}
        return plain({f"{self._KIND}s": members, "pairs": pairs} | options)

    def to_frame(
        self: Any, table: str | None = None, *, decimals: int | None = None
    ) -> pd.DataFrame:
        """Table of the members or of the pairs as a pandas DataFrame.

        Parameters
        ----------
        table : {"models" or "subgroups", "pairs"}, default=None
            ``"models"`` or ``"subgroups"``, whichever were compared, gives one row per
            model, the highest estimate first, or per subgroup; so does None. ``"pairs"``
            gives one row per pair, in the order of the print.
        decimals : int, default=None
            Number of decimals in the column of text such as ``0.44 (0.38, 0.50)``. None
            means those of the print, which show two digits of the width of the narrowest
            interval.

        Returns
        -------
        pandas.DataFrame
            Columns of models: ``model``, ``rank``, ``estimate``, ``standard_error``,
            ``low``, ``high`` and, as text, ``estimate (interval)``. Subgroups have
            ``subgroup``, ``n_samples``, ``n_positive`` and ``own_prevalence`` in place of
            ``model`` and ``rank``, rates at an operating point have ``at`` and no
            ``standard_error``. Columns of pairs: ``model_a`` and ``model_b``
            (``subgroup_a`` and ``subgroup_b``), ``difference``, ``standard_error``,
            ``low``, ``high``, as text ``difference (interval)``, then ``statistic``,
            ``pvalue`` and ``adjusted_pvalue``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas()
        check_option(table, "table", (None, f"{self._KIND}s", "pairs"))
        if decimals is not None:
            decimals = check_integer(decimals, "decimals", 0)
        elif table == "pairs":
            decimals = self._decimals_of_pairs
        else:
            decimals = self._decimals
        if table == "pairs":
            return pd.DataFrame(self._rows_of_pairs(decimals))
        rows = (
            self._frame_row(name) | member._frame_columns(decimals)
            for name, member in self._members.items()
        )
        return pd.DataFrame(rows)

    def plot(self: Any, ax: Sequence[Axes] | np.ndarray | None = None) -> np.ndarray:
        """Forest plot of estimates and of differences, with confidence intervals.

        Models are sorted by their estimates, subgroups by their labels. The second panel
        shows the printed pairs with the reference or, without one, with the first model or
        subgroup: their differences and adjusted p-values. A diamond marks the reference.

        Parameters
        ----------
        ax : sequence of two matplotlib Axes, default=None
            Axes of the estimates and of the differences. None draws on a new figure.

        Returns
        -------
        ndarray of two matplotlib Axes
            The axes of the estimates and of the differences.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        # Displays are a higher layer than results.
        from ..displays._result_plots import Panel, draw_forest

        members, first = self._members, self._first
        names = [*members]
        estimates = Panel(
            title=level_text(first),
            label=sentence(first._measured),
            rows=[*range(len(names))],
            intervals=[(m.estimate, *m.confidence_interval) for m in members.values()],
        )
        # A reference is the second of each pair. Without a reference, the first member is
        # the first of each pair.
        ordered = self._ordered_pairs()
        base, place_of_other = self.reference, 0
        if self.reference is None:
            base, place_of_other = ordered[0][0].names[0], 1
        pairs = [(pair, p) for pair, p in ordered if base in pair.names]
        differences = Panel(
            title=self._plotted_text(base, [pair for pair, _ in pairs]),
            note=self._note_on_pvalues(),
            label=f"Difference of {first._measured}",
            rows=[names.index(pair.names[place_of_other]) for pair, _ in pairs],
            intervals=[(pair.difference, *pair._bar) for pair, _ in pairs],
            pvalues=[pvalue_text(p) for _, p in pairs],
        )
        return draw_forest([*map(text_of, names)], estimates, differences, ax)

    def _plotted_text(self: Any, base, pairs):
        """Which differences are plotted, as text: those with `base`, or the only one."""
        if len(pairs) == 1:
            return " - ".join(map(text_of, pairs[0].names))
        if self.reference is None:
            return f"{text_of(base)} - other {self._KIND}"
        return f"Difference from {text_of(base)}"

    def _note_on_pvalues(self: Any):
        """Whether plotted p-values are adjusted, and intervals one-sided, as text."""
        sides = "" if self._alternative == "two-sided" else "one-sided "
        if len(self.pairs) == 1:
            return f"({sides}interval)" if sides else ""
        adjusted = "Holm" if self.adjust else "unadjusted"
        return f"(p: {adjusted}; {sides}intervals unadjusted)"

    def _blocks(self: Any):
        members = [self._text_row(name) for name in self._members]
        return [members, self._text_pairs(), *self._context()]

    @property
    def _first(self: Any):
        """The interval of the first member; its metric and level are those of all."""
        return next(iter(self._members.values()))

    @property
    def _alternative(self: Any):
        """The alternative of all pairs."""
        return next(iter(self.pairs.values())).alternative

    @property
    def _decimals(self: Any):
        """Number of decimals of the estimates of all members."""
        return decimals_of_column(map(value_and_limits, self._members.values()))

    @property
    def _decimals_of_pairs(self: Any):
        """Number of decimals of the differences of all pairs."""
        pairs = map(value_and_limits, self.pairs.values())
        return decimals_of_column(pairs, are_differences=True)

    def _rows_of_pairs(self: Any, decimals):
        """Rows of the data frame of the pairs."""
        column_a, column_b = f"{self._KIND}_a", f"{self._KIND}_b"
        rows = []
        for pair, adjusted in self._ordered_pairs():
            name_a, name_b = pair.names
            tested = {"statistic": pair.statistic, "pvalue": pair.pvalue}
            row = {column_a: name_a, column_b: name_b} | pair._frame_columns(decimals)
            rows.append(row | tested | {"adjusted_pvalue": adjusted})
        return rows

    def _text_pairs(self: Any):
        """Rows of the printed table of the pairs."""
        a_pair = next(iter(self.pairs.values()))
        difference = f"difference ({level_text(a_pair, 'interval')})"
        is_adjusted = self.adjust == "holm" and len(self.pairs) > 1
        pvalue = "p-value (Holm)" if is_adjusted else "p-value"
        decimals = self._decimals_of_pairs
        return [
            {
                "pair": " - ".join(map(text_of, pair.names)),
                difference: with_limits(value_and_limits(pair), decimals),
                pvalue: pvalue_text(adjusted),
            }
            for pair, adjusted in self._ordered_pairs()
        ]


def holm(pvalues):
    """P-values adjusted by the step-down method of Holm (1979); NaN stays NaN."""
    pvalues = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(pvalues)  # NaN comes last
    n_tests = np.count_nonzero(~np.isnan(pvalues))
    steps = (n_tests - np.arange(len(pvalues))) * pvalues[order]
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


@dataclass(frozen=True, repr=False, eq=False)
class ModelComparisonResult(ComparisonResult):
    """Intervals of several models and tests of pairs.

    As returned by `compare_models` and `compare_models_cv`.

    Attributes
    ----------
    models : dict of str to AucPRIntervalResult or RateIntervalResult
        Result of `auc_pr_interval` or `auc_pr_interval_cv`, or the rate at an operating
        point, for each model, in the order in which the models were passed.
    pairs : dict of (str, str) to AucPRComparisonResult
        Difference of the first and the second model, in the order in which they were
        passed, and its paired test. The print and the data frame subtract the worse model
        from the better one, unless there is a `reference` or a one-sided alternative.
    reference : str or None
        The model that all others are compared with, the second of each pair. None if all
        pairs are compared.
    adjust : {"holm", None}
        How `adjusted_pvalues` are adjusted for the number of pairs. Confidence intervals
        are never adjusted.
    best_low : float or None
        Lower confidence limit of the model with the highest estimate (the first one of
        several), which holds although the model was chosen on these samples. None for rates
        at an operating point, for cross-validations, where limits are undefined, and where
        weights or a reference prevalence give a negative more than 1.2 times the weight of
        a positive, on average.
    """

    models: Mapping[str, AucPRIntervalResult | RateIntervalResult]
    pairs: dict[tuple[str, str], AucPRComparisonResult]
    reference: str | None
    adjust: str | None
    best_low: float | None = None

    _KIND = "model"

    @property
    def ranks(self) -> dict[str, float]:
        """Dict from each name to its rank, 1 for the highest estimate.

        Equal estimates share a rank, and an undefined estimate has the rank NaN.
        """
        estimates = np.array([model.estimate for model in self.models.values()])
        ranks = rankdata(-estimates, "min", nan_policy="omit")
        return dict(zip(self.models, ranks.tolist(), strict=True))

    @property
    def _members(self):
        """The models, the highest estimate first and undefined ones last."""
        ranks = self.ranks
        names = sorted(ranks, key=lambda name: np.nan_to_num(ranks[name], nan=np.inf))
        return {name: self.models[name] for name in names}

    def _ordered_pairs(self):
        """Pairs with adjusted p-values in the order of rank or, if one-sided, of `pairs`.

        The better model is the first of a pair, unless the second is the reference. A
        one-sided p-value belongs to the order in which the models were passed.
        """
        if self._alternative != "two-sided":
            return [*zip(self.pairs.values(), self.adjusted_pvalues.values(), strict=True)]
        place = {name: i for i, name in enumerate(self._members)}
        pairs = []
        for (a, b), adjusted in self.adjusted_pvalues.items():
            pair = self.pairs[a, b]
            is_swapped = self.reference is None and place[a] > place[b]
            pairs.append((pair._swapped() if is_swapped else pair, adjusted))
        return sorted(pairs, key=lambda one: [place[name] for name in one[0].names])

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | plain({"best_low": self.best_low})

    def _own_values(self, name):
        return {"rank": self.ranks[name]}

    def _frame_row(self, name):
        return {"model": name, "rank": self.ranks[name]}

    def _text_row(self, name):
        rank = self.ranks[name]
        row = {"rank": UNDEFINED if np.isnan(rank) else f"{rank:g}", "model": name}
        row |= self.models[name]._text_columns(self._decimals)
        is_column = len(self._chance_levels) > 1
        return row | ({"chance level": self.models[name]._chance} if is_column else {})

    @property
    def _chance_levels(self):
        """The chance levels of the models as text; none for cross-validations."""
        if isinstance(self._first, AucPRIntervalCVResult):
            return set()
        return {model._chance for model in self.models.values()}

    def _context(self):
        levels = self._chance_levels
        chance = chance_text(*levels) if len(levels) == 1 else ""
        # All cross-validations have the same folds, but their training samples may be only
        # assumed for some.
        shown = max(
            self.models.values(), key=lambda one: getattr(one, "_is_assumed", False)
        )
        return [*self._best(), self._first._sizes + chance, *shown._notes]

    def _best(self):
        """What holds for the first of three or more models; a list of at most one line."""
        if self.best_low is None or len(self.models) < 3:
            return []
        best, first = next(iter(self._members.items()))
        # A guaranteed number is rounded down. The small number keeps 0.58 from being 0.57.
        unit = 10.0**-self._decimals
        rounded_down = math.floor(self.best_low / unit + 1e-6) * unit
        low = value_text(rounded_down, decimals=self._decimals)
        return [
            f"{best}, chosen as the best of {len(self.models)}, has {first._metric_text} "
            f"of at least {low} ({percent_text(first.confidence_level)} confidence)."
        ]


@dataclass(frozen=True, repr=False, eq=False)
class SubgroupComparisonResult(ComparisonResult):
    """Intervals of subgroups and tests of pairs, as returned by `compare_subgroups`.

    Attributes
    ----------
    subgroups : dict of label to AucPRIntervalResult or RateIntervalResult
        Interval of each subgroup, in sorted order of the labels, or in the order of ordered
        categories.
    own_prevalences : dict of label to float
        Fraction of positives, by weight, of each subgroup itself.
    pairs : dict of (label, label) to AucPRComparisonResult
        Difference of the first and the second subgroup, and its unpaired test. The second
        label is ``"rest"`` for all samples outside the first subgroup.
    reference : label or None
        The subgroup that all others are compared with, the second of each pair, or
        ``"rest"``. None if all pairs are compared.
    adjust : {"holm", None}
        How `adjusted_pvalues` are adjusted for the number of pairs. Confidence intervals
        are never adjusted.
    """

    subgroups: Mapping[Any, AucPRIntervalResult | RateIntervalResult]
    own_prevalences: dict[Any, float]
    pairs: dict[tuple[Any, Any], AucPRComparisonResult]
    reference: Any
    adjust: str | None
    # This is the number of clusters of all subgroups together (None without `groups`). A
    # cluster may be in several subgroups, so it is not the sum of their numbers.
    _n_clusters: int | None = field(default=None, repr=False)

    _KIND = "subgroup"

    @property
    def _members(self):
        return self.subgroups

    def _ordered_pairs(self):
        """Pairs in the order of `pairs`, with adjusted p-values."""
        return [*zip(self.pairs.values(), self.adjusted_pvalues.values(), strict=True)]

    def _own_values(self, name):
        return {"own_prevalence": self.own_prevalences[name]}

    def _frame_row(self, name):
        one = self.subgroups[name]
        sizes = {"n_samples": one.n_samples, "n_positive": one.n_positive}
        return {"subgroup": name} | sizes | self._own_values(name)

    def _text_row(self, name):
        one = self.subgroups[name]
        # At a reference prevalence the column is named "own prevalence", to tell the two
        # apart.
        own = "" if one.prevalence is None else "own "
        row = {
            "subgroup": text_of(name),
            "samples": f"{one.n_samples}",
            "positive": f"{one.n_positive}",
            f"{own}prevalence": value_text(self.own_prevalences[name], digits=3),
        }
        return row | one._text_columns(self._decimals)

    def _context(self):
        notes = {text_of(name): _note(one) for name, one in self.subgroups.items()}
        few = "; ".join(f"{name}: {note}" for name, note in notes.items() if note)
        lines = few, self._sizes_together(), *self._first._notes
        return [line for line in lines if line]

    def _sizes_together(self):
        """The sizes of all subgroups together as text, if they have clusters or weights."""
        is_weighted = any(one._is_weighted for one in self.subgroups.values())
        if self._n_clusters is None and not is_weighted:
            return ""
        n_samples = sum(one.n_samples for one in self.subgroups.values())
        n_positive = sum(one.n_positive for one in self.subgroups.values())
        return sizes_text(n_samples, n_positive, self._n_clusters, is_weighted)


def _note(interval):
    """A remark if a class of a subgroup has fewer than ten samples, else an empty text."""
    n_negative = interval.n_samples - interval.n_positive
    n, which = min((interval.n_positive, "positive"), (n_negative, "negative"))
    if n >= _FEW:
        return ""
    return f"only {count_text(n, which)}" if n else f"no {which}s"
