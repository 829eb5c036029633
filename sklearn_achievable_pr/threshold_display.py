"""The picture of what each threshold does on the tuning set.

What is drawn was counted when the classifier was fitted. matplotlib is imported when a
picture is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ._input.options import check_flag
from ._plot.drawing import check_axes, new_axes, pyplot
from ._threshold.choice import Guarantee, performance

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, and line styles, for precision, recall and the objective.
_STYLES = (("#0072B2", "-"), ("#D55E00", "--"), ("#009E73", "-."))


class ThresholdCurves(NamedTuple):
    """What thresholds do.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Falling.
    precision, recall, objective_value : ndarray of shape (n_thresholds,)
        Of what reaches them.
    """

    thresholds: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    objective_value: np.ndarray


class HullThresholdDisplay:
    """Precision, recall and objective of a tuning set against the threshold.

    It is recommended to use
    :meth:`~sklearn_achievable_pr.HullThresholdDisplay.from_estimator` to create a display.
    All parameters are stored as attributes.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,)
        Falling, with infinite ends or without.
    precision, recall : array-like of shape (n_thresholds,)
        What each threshold does on the tuning set.
    objective_value : array-like of shape (n_thresholds,)
        What was maximised, at each threshold.
    chosen : float
        The threshold that was chosen.
    coin : float, default=None
        The lower one of the two thresholds that a coin mixes.
    frozen : array-like of bool, shape (n_thresholds,), default=None
        Which of `thresholds` were kept; they are marked. None: all.
    objective_name : str, default="objective"
        For the legend.
    min_recall : float, default=None
        Floor of the recall on the tuning set, within [0, 1].
    min_precision : float, default=None
        Floor of the precision on the tuning set, within [0, 1]. A threshold that
        predicts nothing positive has precision 0.
    guarantee : Guarantee, default=None
        What the floors promise for new data.
    folds : sequence of tuple, default=()
        For every fold its `(thresholds, precision, recall, objective_value)` and what it
        would have chosen.

    Attributes
    ----------
    lines_ : list of matplotlib Artists
        Precision, recall, and the objective if it is another one.
    marks_ : list of matplotlib Artists
        The thresholds that were kept, one artist a line.
    choice_ : list of matplotlib Artists
        The chosen threshold, or both that a coin mixes.
    floors_ : list of matplotlib Artists
        The floors.
    folds_ : list of matplotlib Artists
        What is drawn of the folds.
    ax_ : matplotlib Axes
        Axes with the lines.
    objective_ax_ : matplotlib Axes
        Axes of the objective: another one than `ax_` if its values leave [0, 1].
    figure_ : matplotlib Figure
        Figure with the lines.

    See Also
    --------
    HullThresholdClassifierCV : Chooses the threshold.
    AchievablePRDisplay : The precision-recall curve.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_achievable_pr import HullThresholdDisplay
    >>> display = HullThresholdDisplay(
    ...     [0.8, 0.5, 0.3], [1.0, 0.8, 0.6], [0.2, 0.7, 1.0], [0.33, 0.75, 0.75],
    ...     chosen=0.5, objective_name="f1", min_recall=0.6,
    ... ).plot()
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['precision', 'recall', 'f1', 'recall ≥ 0.6', 'chosen, 0.5']
    """

    def __init__(
        self,
        thresholds: ArrayLike,
        precision: ArrayLike,
        recall: ArrayLike,
        objective_value: ArrayLike,
        *,
        chosen: float,
        coin: float | None = None,
        frozen: ArrayLike | None = None,
        objective_name: str = "objective",
        min_recall: float | None = None,
        min_precision: float | None = None,
        guarantee: Guarantee | None = None,
        folds: Sequence[tuple] = (),
    ):
        self.thresholds = thresholds
        self.precision = precision
        self.recall = recall
        self.objective_value = objective_value
        self.chosen = chosen
        self.coin = coin
        self.frozen = frozen
        self.objective_name = objective_name
        self.min_recall = min_recall
        self.min_precision = min_precision
        self.guarantee = guarantee
        self.folds = folds

    def plot(
        self,
        ax: Axes | None = None,
        *,
        plot_folds: bool = True,
        despine: bool = False,
    ) -> HullThresholdDisplay:
        """Draw the lines.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a new figure.
        plot_folds : bool, default=True
            Whether to draw the folds, where they are known: their lines thin, and what
            each would have chosen at the bottom.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        HullThresholdDisplay
            The display itself, drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` is no Axes, or a switch is neither True nor False.
        """
        pyplot()
        check_axes(ax)
        check_flag(plot_folds, "plot_folds")
        check_flag(despine, "despine")
        if ax is None:
            ax = new_axes()
        self.ax_, self.figure_ = ax, ax.figure
        curves = ThresholdCurves(
            np.asarray(self.thresholds),
            np.asarray(self.precision),
            np.asarray(self.recall),
            np.asarray(self.objective_value),
        )
        self.objective_ax_ = _axes_of_objective(ax, curves, self.objective_name)
        folds = self.folds if plot_folds else ()
        drawn = (ax, self.objective_ax_, self.objective_name)
        self.folds_ = _draw_folds(*drawn, folds)
        self.lines_, self.marks_ = _draw_lines(*drawn, curves, self.frozen)
        floors = {"recall": self.min_recall, "precision": self.min_precision}
        self.floors_ = _draw_floors(ax, floors, self.guarantee)
        self.choice_ = _draw_choice(ax, self.chosen, self.coin)
        legend = [*self.lines_, *self.floors_, *self.choice_, *self.folds_[-1:]]
        _finish(ax, self.objective_ax_, legend, curves.thresholds, despine)
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        ax: Axes | None = None,
        plot_folds: bool = True,
        despine: bool = False,
    ) -> HullThresholdDisplay:
        """Draw what the thresholds of a fitted classifier did on its tuning set.

        With `store_cv_results=True` all thresholds of the tuning set are drawn, as steps,
        and the folds; else those that were kept, joined by straight lines.

        Parameters
        ----------
        estimator : estimator instance
            Fitted `HullThresholdClassifierCV`, or a Pipeline or search that ends in one.
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a new figure.
        plot_folds : bool, default=True
            Whether to draw the folds, where they are known: their lines thin, and what
            each would have chosen at the bottom.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        HullThresholdDisplay
            The drawn display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `estimator` is none, `ax` is no Axes, or a switch is neither True nor False.

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
        >>> len(display.lines_), len(display.folds_) > 5
        (2, True)
        """
        model = _fitted(estimator)
        pyplot()
        chosen = {
            "chosen": model.threshold_,
            "coin": None
            if model.randomized_threshold_ is None
            else model.randomized_threshold_.threshold,
            "objective_name": _name_of(model.objective),
            "min_recall": model.min_recall,
            "min_precision": model.min_precision,
            "guarantee": model.operating_point_.guarantee,
            "folds": _folds_of(model),
        }
        roc = getattr(model, "tuning_curve_", None)
        if roc is None:
            counts = model.tuning_counts_
            curves, frozen = _curves(model, model.thresholds_, *counts), None
        else:
            # A score is the highest threshold that accepts it.
            thresholds = np.concatenate(([np.inf], roc.scores))
            curves = _curves(model, thresholds, roc.fps, roc.tps)
            reached = roc.tps + roc.fps
            frozen = np.isin(reached, np.sum(model.tuning_counts_, axis=0))
        display = cls(*curves, frozen=frozen, **chosen)
        return display.plot(ax=ax, plot_folds=plot_folds, despine=despine)


# What was counted


def _fitted(estimator):
    """The hull classifier that it is, or ends in."""
    model = getattr(estimator, "best_estimator_", estimator)
    steps = getattr(model, "steps", None)
    model = steps[-1][1] if steps else model
    if not hasattr(model, "operating_point_") or not hasattr(model, "tuning_counts_"):
        raise TypeError(
            "`estimator` must be a fitted HullThresholdClassifierCV, or a Pipeline or "
            f"search that ends in one. Got {type(estimator).__name__}."
        )
    return model


def _name_of(objective):
    if isinstance(objective, str):
        return objective
    if isinstance(objective, Mapping):
        return "mean gain"
    return getattr(objective, "__name__", type(objective).__name__)


def _curves(model, thresholds, fps, tps):
    return ThresholdCurves(thresholds, *performance(model.objective, fps, tps))


def _folds_of(model):
    results = getattr(model, "cv_results_", None)
    if results is None or len(results["threshold"]) < 2:
        return ()
    columns = (results[name] for name in ("thresholds", "fps", "tps", "threshold"))
    return [
        (_curves(model, thresholds, fps, tps), chosen)
        for thresholds, fps, tps, chosen in zip(*columns, strict=True)
        if len(thresholds)
    ]


# Drawing


def _axes_of_objective(ax, curves, name):
    values = curves.objective_value[np.isfinite(curves.thresholds)]
    values = values[np.isfinite(values)]
    if name in ("precision", "recall") or not len(values):
        return ax
    return ax if values.min() >= 0 and values.max() <= 1 else ax.twinx()


def _parts(ax, objective_ax, name, curves):
    """Axes, name, values and style of each line that is drawn."""
    parts = [
        (ax, "precision", curves.precision, _STYLES[0]),
        (ax, "recall", curves.recall, _STYLES[1]),
    ]
    if name not in ("precision", "recall"):
        parts.append((objective_ax, name, curves.objective_value, _STYLES[2]))
    return parts


def _draw_lines(ax, objective_ax, name, curves, frozen):
    lines, marks = [], []
    finite = np.isfinite(curves.thresholds)
    at = curves.thresholds[finite]
    for axes, label, values, (colour, style) in _parts(ax, objective_ax, name, curves):
        # All scores: what one of them accepts, any lower one does down to the next.
        steps = {} if frozen is None else {"drawstyle": "steps-pre"}
        lines += axes.plot(
            at[::-1], values[finite][::-1], style, color=colour, label=label, **steps
        )
        kept = np.ones(len(at), dtype=bool) if frozen is None else frozen[finite]
        marks += axes.plot(
            at[kept], values[finite][kept], ".", color=colour, markersize=5, zorder=3
        )
    return lines, marks


def _draw_folds(ax, objective_ax, name, folds):
    drawn = []
    for curves, _ in folds:
        curves = ThresholdCurves(*curves)
        finite = np.isfinite(curves.thresholds)
        for axes, _, values, (colour, _) in _parts(ax, objective_ax, name, curves):
            drawn += axes.plot(
                curves.thresholds[finite], values[finite], color=colour, lw=0.7, alpha=0.4
            )
    chosen = np.array([threshold for _, threshold in folds])
    chosen = chosen[np.isfinite(chosen)]
    if len(chosen):
        drawn += ax.plot(
            chosen,
            np.full(len(chosen), 0.02),
            "|",
            color="black",
            markersize=10,
            transform=ax.get_xaxis_transform(),
            label="chosen by a fold alone",
        )
    return drawn


def _draw_floors(ax, floors, guarantee):
    drawn = []
    for (name, floor), (colour, _) in zip(
        floors.items(), (_STYLES[1], _STYLES[0]), strict=True
    ):
        if floor is None:
            continue
        label = f"{name} ≥ {floor:g}"
        if guarantee is not None and getattr(guarantee, f"min_{name}") is not None:
            label += f", confidence {guarantee.confidence:g}"
        drawn.append(ax.axhline(floor, color=colour, ls=":", lw=1.5, label=label))
    return drawn


def _draw_choice(ax, chosen, coin):
    drawn = []
    for threshold, what, style in ((chosen, "chosen", "-"), (coin, "coin down to", "--")):
        if threshold is not None and np.isfinite(threshold):
            label = f"{what}, {threshold:.4g}"
            drawn.append(ax.axvline(threshold, color="black", ls=style, lw=1, label=label))
    return drawn


def _finish(ax, objective_ax, legend, thresholds, despine):
    at = thresholds[np.isfinite(thresholds)]
    if len(at):
        margin = 0.02 * (at.max() - at.min()) or 0.5
        ax.set_xlim(at.min() - margin, at.max() + margin)
    ax.set(xlabel="Threshold of the score", ylabel="On the tuning set", ylim=(-0.02, 1.02))
    beside = objective_ax is not ax
    if beside:
        objective_ax.set_ylabel(legend[2].get_label())
    # What has no name is the folds' lines, where none of them would have chosen.
    ax.legend(
        handles=[artist for artist in legend if not artist.get_label().startswith("_")],
        loc="upper left",
        bbox_to_anchor=(1.14 if beside else 1.01, 1),
        frameon=False,
        fontsize="small",
    )
    if despine:
        for axes in {ax, objective_ax}:
            axes.spines["top"].set_visible(False)
            axes.spines["right"].set_visible(beside)
