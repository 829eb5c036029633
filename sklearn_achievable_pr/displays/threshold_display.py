"""Plot of metrics of the tuning set against the decision threshold.

The metrics are computed from the counts that a fitted classifier stores. matplotlib is
imported only when a plot is drawn.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from .._input.arrays import as_numbers, check_same_length, on_host
from .._input.estimators import keeps_thresholds, last_step
from .._input.options import (
    Label,
    RandomState,
    check_flag,
    check_number,
    check_option,
    exact,
)
from ..metrics._rates import CONSTRAINTS, PRECISION, RECALL
from ..results._rendering import compared_with, sentence
from ..results._result import import_pandas
from ..thresholds._choice import evenly_spaced
from ..thresholds._objectives import outcomes
from ..thresholds._rule import choose_from_arrays, rule_of
from ._drawing import (
    COLORS,
    LINE_STYLES,
    NO_LABEL,
    check_place,
    draw_legend,
    neutral,
    new_axes,
)
from ._drawn import WIDTH, legend_text, literal

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Marks of vertices of the hull, and of the chosen threshold, whose mark covers a dot.
_DOT, _DIAMOND = {"marker": ".", "markersize": 8}, {"marker": "D", "markersize": 6}
# Names of objectives that are no words.
_OBJECTIVES = {"mcc": "MCC", "npv": "NPV", "youden": "Youden's J"}


@dataclass(eq=False, repr=False)
class HullThresholdDisplay:
    """Plot of precision, recall and objective against the decision threshold.

    What would another threshold have given on the tuning set? Create a display with
    `from_estimator` or `from_predictions`. All parameters are stored as attributes;
    attributes with a trailing underscore exist only after `plot`.

    Read more in the :ref:`User Guide <hull_thresholds>`.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,)
        Decreasing thresholds; the first and last may be infinite.
    values : dict of str to array-like of shape (n_thresholds,)
        Metrics of the tuning set at each threshold, keyed by their names in the legend,
        e.g. ``{"Precision": ..., "Recall": ...}``. Each metric is drawn as a line. Metrics
        with values outside [0, 1] have a separate axis on the right.
    chosen : float
        The chosen threshold.
    randomized_threshold : float, default=None
        The lower threshold if predictions between this threshold and `chosen` are random.
    is_kept : array-like of bool, shape (n_thresholds,), default=None
        Whether each of `thresholds` is at a vertex of the ROC convex hull or is the chosen
        one, as the classifier's `thresholds_` are. Dots mark these thresholds, and a
        diamond the chosen one; None marks all.
    constraints : dict of str to float, default=None
        Constraints by name ("min_recall", "min_precision", "min_npv", "max_selection_rate"
        or "max_fpr"), drawn as horizontal lines.
    confidence_level : float, default=None
        The confidence with which new data meet the constraints, for the legend. None means
        that the constraints are met on the tuning set only.
    response_method : str, default=None
        The scale of the thresholds, for the axis label: the method of `estimator_` whose
        values they are compared with, such as ``"predict_proba"``. None means any score.

    Attributes
    ----------
    lines_ : list of matplotlib Artists
        One line per metric.
    marks_ : list of matplotlib Artists
        Dots at the kept thresholds, one artist per line.
    choice_ : list of matplotlib Artists
        Vertical line at the chosen threshold, or lines at both thresholds of a randomized
        threshold; none at an infinite threshold.
    constraints_ : list of matplotlib Artists
        Horizontal lines at the constraints.
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Axes and figure with the lines.
    right_ax_ : matplotlib Axes
        Axes of metrics with values outside [0, 1]; equal to `ax_` without such metrics.

    See Also
    --------
    HullThresholdClassifierCV : Chooses the threshold.
    AchievablePRDisplay : The precision-recall curve.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import HullThresholdDisplay
    >>> display = HullThresholdDisplay(
    ...     [0.8, 0.5, 0.3],
    ...     {"Precision": [1.0, 0.8, 0.6], "Recall": [0.2, 0.7, 1.0]},
    ...     chosen=0.5,
    ...     constraints={"min_recall": 0.6},
    ... ).plot()
    >>> for text in display.ax_.get_legend().get_texts():
    ...     print(text.get_text())
    Precision
    Recall
    Vertices of the ROC hull
    Constraint: recall ≥ 0.6
    Chosen threshold: 0.5
    """

    thresholds: ArrayLike
    values: Mapping[str, ArrayLike]
    _: KW_ONLY
    chosen: float
    randomized_threshold: float | None = None
    is_kept: ArrayLike | None = None
    constraints: Mapping[str, float] | None = None
    confidence_level: float | None = None
    response_method: str | None = None

    def plot(
        self,
        ax: Axes | None = None,
        *,
        despine: bool = False,
        legend: bool | Mapping = True,
    ) -> Self:
        """Draw the metrics, the constraints and the chosen threshold.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None draws on a new figure.
        despine : bool, default=False
            Whether to remove the top and right spines.
        legend : bool or dict, default=True
            Whether to draw the legend: inside the axes passed as `ax`, below the axes of a
            new figure. A dict of keywords for matplotlib's `legend` places it, e.g.
            ``{"loc": "lower left"}``, or outside the axes with ``{"loc": "center left",
            "bbox_to_anchor": (1, 0.5)}``.

        Returns
        -------
        HullThresholdDisplay
            The display itself, drawn.

        Raises
        ------
        ValueError
            If arrays of the display differ in length, `thresholds` increases or has NaN, or
            a constraint is unknown.
        """
        check_place(ax, legend)
        check_flag(despine, "despine")
        drawn = self._drawn()
        check_number(self.chosen, "chosen")
        for name, limit in (self.constraints or {}).items():
            check_option(name, "constraints", tuple(CONSTRAINTS))
            check_number(limit, name)
        is_new = ax is None
        ax = new_axes() if ax is None else ax
        self.ax_, self.figure_ = ax, ax.figure.figure
        self._draw_metrics(ax, *drawn)
        self._draw_limits(ax)
        score = literal(compared_with(self.response_method))
        ax.set(
            title="Metrics of the tuning set\nat each threshold",
            xlabel=f"Threshold\n(positive if {score} ≥ threshold)",
            ylabel="Rate",
            ylim=(-0.02, 1.02),
        )
        if despine:
            ax.spines[["top", "right"]].set_visible(False)
            self.right_ax_.spines["top"].set_visible(False)
        draw_legend(ax, self._entries(ax), legend, is_new=is_new)
        return self

    def to_frame(self) -> pd.DataFrame:
        """The drawn data as one table.

        Returns
        -------
        pandas.DataFrame
            One row per metric and finite threshold: the ``name`` of the metric, the
            ``threshold``, the ``value`` of the metric, and ``is_kept``, whether the
            threshold is marked.

        Raises
        ------
        ImportError
            If pandas is not installed.
        ValueError
            If arrays of the display differ in length, or `thresholds` increases or has NaN.
        """
        pd = import_pandas()
        x, values, kept = self._drawn()
        return pd.DataFrame(
            {
                "name": np.repeat(np.array([*values], dtype=object), len(x)),
                "threshold": np.tile(x, len(values)),
                "value": np.ravel([*values.values()]),
                "is_kept": np.tile(kept, len(values)),
            }
        )

    def _drawn(self):
        """Finite thresholds, the metrics at these by name, and whether each is marked."""
        thresholds, values = _columns(self.thresholds, self.values)
        kept = np.ones(len(thresholds), dtype=bool)
        if self.is_kept is not None:
            check_same_length("is_kept", self.is_kept, "thresholds", thresholds)
            kept = np.asarray(self.is_kept, dtype=bool)
        finite = np.isfinite(thresholds)
        values = {name: column[finite] for name, column in values.items()}
        return thresholds[finite], values, kept[finite]

    def _draw_metrics(self, ax, x, values, kept):
        """Draw the metrics of the tuning set, and marks at the kept thresholds."""
        self.right_ax_, outside = ax, []
        self.lines_, self.marks_ = [], []
        # A threshold between two successive scores predicts like the higher score.
        chosen = [np.count_nonzero(x >= self.chosen) - 1]
        is_marked = chosen != [-1] and np.isfinite(self.chosen)
        steps = "default" if self.is_kept is None else "steps-post"
        for i, (name, y) in enumerate(values.items()):
            own = ax
            if np.any(np.isfinite(y) & ((y < 0) | (y > 1))):
                outside.append(name)
                own = self.right_ax_ = ax.twinx() if len(outside) == 1 else self.right_ax_
                own.set_ylabel(literal(textwrap.fill(", ".join(outside), WIDTH)))
            style = {"color": COLORS[i % len(COLORS)]}
            line = {"drawstyle": steps, "linestyle": LINE_STYLES[i % len(LINE_STYLES)]}
            label = textwrap.fill(legend_text(name), WIDTH)
            self.lines_ += own.plot(x, y, label=label, **style, **line)
            mark = style | {"linestyle": "none", "label": NO_LABEL}
            self.marks_ += own.plot(x[kept], y[kept], **mark, **_DOT)
            if is_marked:
                own.plot(x[chosen], y[chosen], **mark, **_DIAMOND)

    def _draw_limits(self, ax):
        """Draw horizontal lines at constraints, vertical lines at chosen thresholds."""
        where = ""
        if self.confidence_level is not None:
            where = f" on new data,\nwith confidence {self.confidence_level:g}"
        self.constraints_, self.choice_ = [], []
        lines = dict(zip(self.values, self.lines_, strict=True))
        for constraint, limit in (self.constraints or {}).items():
            rate = CONSTRAINTS[constraint]
            name, sign = sentence(rate.label), "≥" if rate.sign > 0 else "≤"
            line = lines.get(name, lines.get(_as_objective(name)))
            color = neutral(ax) if line is None else line.get_color()
            style = {"color": color, "linestyle": ":"}
            label = f"Constraint: {rate.label} {sign} {limit:g}{where}"
            self.constraints_.append(ax.axhline(limit, **style, label=label))
        chosen = {"Chosen": self.chosen, "Lower randomized": self.randomized_threshold}
        for (which, threshold), dashes in zip(chosen.items(), ("-", "--"), strict=True):
            if threshold is not None and np.isfinite(threshold):
                label = f"{which} threshold: {exact(threshold)}"
                style = {"color": neutral(ax), "linestyle": dashes, "linewidth": 1}
                self.choice_.append(ax.axvline(threshold, **style, label=label))

    def _entries(self, ax):
        """Artists and texts of the legend."""
        dot = _mark(ax, **_DOT, linestyle="none")
        shown = [*self.lines_, dot, *self.constraints_, *self.choice_]
        texts = [artist.get_label() for artist in shown]
        texts[len(self.lines_)] = "Vertices of the ROC hull"
        if np.isfinite(self.chosen):  # its line is the first one in `choice_`
            shown[-len(self.choice_)] = _mark(ax, **_DIAMOND, linewidth=1)
        return [*zip(shown, texts, strict=True)]

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: Axes | None = None, **plot_options: Any
    ) -> Self:
        """Draw the metrics of the tuning set of a fitted classifier at each threshold.

        Precision, recall, the objective and rates with a constraint are drawn: if the
        classifier was fitted with `store_cv_results=True`, at all thresholds of the tuning
        set, as steps, otherwise at its `thresholds_`, joined by straight lines.

        Parameters
        ----------
        estimator : estimator instance
            Fitted `HullThresholdClassifierCV`, or a Pipeline or search whose final
            estimator is a `HullThresholdClassifierCV`.
        ax : matplotlib Axes, default=None
            Axes to draw on. None draws on a new figure.
        **plot_options : dict
            Passed to `plot`, such as ``legend=False``.

        Returns
        -------
        HullThresholdDisplay
            The drawn display.

        Raises
        ------
        TypeError
            If `estimator` is not a fitted `HullThresholdClassifierCV` and does not end in
            one.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn_achievable_pr import (
        ...     HullThresholdClassifierCV, HullThresholdDisplay
        ... )
        >>> X, y = make_classification(n_samples=500, weights=[0.8], random_state=0)
        >>> model = HullThresholdClassifierCV(
        ...     GaussianNB(), objective="precision", min_recall=0.8, store_cv_results=True
        ... ).fit(X, y)
        >>> display = HullThresholdDisplay.from_estimator(model)
        >>> sorted(display.values)
        ['Precision (objective)', 'Recall']
        """
        model = last_step(estimator)
        if not keeps_thresholds(model):
            raise TypeError(
                "`estimator` must be a fitted HullThresholdClassifierCV, or a Pipeline or "
                f"search that ends in one. Got {type(model).__name__}."
            )
        rule, point = rule_of(model), model.operating_point_
        thresholds, (fps, tps), is_kept = model.thresholds_, model.tuning_counts_, None
        if hasattr(model, "tuning_curve_"):
            curve = model.tuning_curve_
            # A score is the highest threshold that it reaches.
            thresholds, fps, tps = np.append(np.inf, curve.scores), curve.fps, curve.tps
            is_kept = np.isin(fps + tps, np.sum(model.tuning_counts_, axis=0))
        display = cls(
            thresholds,
            _values(rule, fps, tps, is_kept),
            chosen=point.threshold,
            randomized_threshold=getattr(point.randomized_threshold, "threshold", None),
            is_kept=is_kept,
            constraints=rule.constraints,
            confidence_level=getattr(point.guarantee, "confidence_level", None),
            response_method=point.response_method,
        )
        return display.plot(ax, **plot_options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        objective: str | Mapping[str, float] | Callable = "f1",
        min_recall: float | None = None,
        min_precision: float | None = None,
        min_npv: float | None = None,
        max_selection_rate: float | None = None,
        max_fpr: float | None = None,
        confidence_level: float | None = None,
        order_from: tuple[ArrayLike, ArrayLike] | None = None,
        groups: ArrayLike | None = None,
        pos_label: Label | None = None,
        sample_weight: ArrayLike | None = None,
        prevalence: float | None = None,
        random_state: RandomState | None = None,
        ax: Axes | None = None,
        **plot_options: Any,
    ) -> Self:
        """Draw precision, recall and the objective of scores at each threshold.

        A vertical line is at the threshold that `choose_threshold` chooses. Dots mark this
        threshold and those at the vertices of the ROC convex hull.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels. Labels other than {0, 1}, {-1, 1} and booleans need `pos_label`.
        y_score : array-like of shape (n_samples,)
            Real, finite scores, higher for the positive class, such as decision values or
            probabilities. A sample is predicted positive if `y_score >= threshold`.
        objective : str, dict or callable, default="f1"
            As in `choose_threshold`. A metric function or a scorer is evaluated at up to
            300 thresholds, at the vertices of the hull and at the chosen threshold, and
            interpolated between these.
        min_recall, min_precision, min_npv : float, default=None
            As in `choose_threshold`: lower bounds of the rates on the tuning set.
        max_selection_rate, max_fpr : float, default=None
            As in `choose_threshold`: upper bounds of the rates on the tuning set.
        confidence_level : float, default=None
            As in `choose_threshold`: the probability that new data meet the constraints.
        order_from : tuple of (y_true, y_score), default=None
            As in `choose_threshold`: other samples, for `confidence_level`.
        groups : array-like of shape (n_samples,), default=None
            As in `choose_threshold`: the clusters of the samples, for `confidence_level`.
        pos_label : int, float, bool or str, default=None
            The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
            booleans; other labels need `pos_label`.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights. A weight of k is the same as k copies of the sample, a
            weight of 0 the same as leaving the sample out. Objective and constraints are by
            weight.
        prevalence : float, default=None
            As in `choose_threshold`: the reference prevalence of all metrics.
        random_state : int, RandomState instance, Generator or None, default=None
            As in `choose_threshold`.
        ax : matplotlib Axes, default=None
            Axes to draw on. None draws on a new figure.
        **plot_options : dict
            Passed to `plot`, such as ``legend=False``.

        Returns
        -------
        HullThresholdDisplay
            The drawn display.

        Raises
        ------
        ValueError
            As `choose_threshold`: if a class is missing, or no threshold meets the
            constraints.

        Examples
        --------
        >>> from sklearn_achievable_pr import HullThresholdDisplay
        >>> display = HullThresholdDisplay.from_predictions(
        ...     [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], min_recall=0.9
        ... )
        >>> round(display.chosen, 2), sorted(display.values)
        (0.55, ['F1 (objective)', 'Precision', 'Recall'])
        """
        bounds = min_recall, min_precision, min_npv, max_selection_rate, max_fpr
        data = y_true, y_score, pos_label, sample_weight
        chosen = choose_from_arrays(
            data,
            objective,
            bounds,
            confidence_level,
            order_from,
            groups,
            prevalence,
            random_state,
            every=True,
        )
        rule, curve, choice = chosen.rule, chosen.curve, chosen.choice
        is_kept = np.isin(np.arange(len(curve.tps)), [*curve.vertices, choice.at])
        fps, tps = curve.of_user(curve.fps, curve.tps)
        display = cls(
            np.append(np.inf, curve.scores),
            _values(rule, fps, tps, is_kept),
            chosen=choice.threshold,
            is_kept=is_kept,
            constraints=rule.constraints,
            confidence_level=rule.confidence_level,
        )
        return display.plot(ax, **plot_options)


def _columns(thresholds, values):
    """Checked arrays: thresholds, and a dict from the name of a metric to its values."""
    thresholds = as_numbers(on_host(thresholds, "thresholds"), "thresholds")
    # The comparison is False for NaN.
    if thresholds.ndim != 1 or not np.all(thresholds[1:] <= thresholds[:-1]):
        raise ValueError(
            "`thresholds` must be a one-dimensional array in decreasing order, "
            "without NaN. Sort thresholds and values, the highest threshold first."
        )
    columns = {}
    for name, column in dict(values).items():
        label = f"values[{name!r}]"
        columns[name] = as_numbers(on_host(column, label), label)
        check_same_length(label, columns[name], "thresholds", thresholds)
    return thresholds, columns


def _mark(ax, **style):
    """What the legend shows for the marks of all lines: one without their colors."""
    from matplotlib.lines import Line2D

    return Line2D([], [], color=neutral(ax), **style)


def _as_objective(name):
    """The name of the metric that the threshold maximizes."""
    return f"{name} (objective)"


def _objective_name(objective):
    """The name of an objective in the legend; that of a function of the user is its own."""
    if objective.kind in ("metric", "counts"):
        return objective.name
    return _OBJECTIVES.get(objective.name, sentence(objective.name.replace("_", " ")))


def _values(rule, fps, tps, is_kept=None):
    """Dict from the name of a metric in the legend to its values on a tuning set.

    A metric function is evaluated where `is_kept`, and at some other thresholds.
    """
    counts, objective = outcomes(fps, tps, (fps[-1], tps[-1])), rule.objective
    maximized = _as_objective(_objective_name(objective))

    def name_of(rate):
        name = sentence(rate.label)
        # The kind is compared as well, because a function of the user may have the name of
        # a rate.
        is_objective = objective.kind == "named" and _as_objective(name) == maximized
        return maximized if is_objective else name

    values = {name_of(rate): rate.values(*counts) for rate in (PRECISION, RECALL)}
    if maximized not in values:
        values[maximized] = _values_of_objective(objective, counts, is_kept)
    for constraint in rule.constraints:
        rate = CONSTRAINTS[constraint]
        values.setdefault(name_of(rate), rate.values(*counts))
    return values


def _values_of_objective(objective, counts, is_kept):
    """Values of the objective at all points; those of a metric are partly interpolated."""
    points = np.arange(len(counts[0]))
    some = points
    if objective.kind == "metric" and is_kept is not None:
        # A metric function takes too long at every threshold of a large tuning set. Kept
        # thresholds are added, because evenly spaced points miss the maximum if positives
        # are rare.
        some = np.union1d(evenly_spaced(points, 300), points[is_kept])
    return np.interp(points, some, objective.values(*(count[some] for count in counts)))
