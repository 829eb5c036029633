"""The picture of a precision-recall curve, with its floor.

What is drawn comes from `metrics` and `unachievable`; here it only gets points between
its vertices, as many as the eye needs. matplotlib is imported when a picture is drawn.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import indexable

from ._input.labels import check_binary, check_predictions
from ._input.options import Label, check_fractions, check_option, check_prevalence
from ._path.counting import corners, every_threshold
from ._path.path import precision_of
from .areas import auc_pr_from_counts
from .spaces import roc_to_pr
from .unachievable import auc_pr_min, min_precision

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KINDS = {
    "empirical": ("empirical",),
    "achievable": ("achievable",),
    "both": ("empirical", "achievable"),
}
_AREA_WORDS = {"empirical": "interpolated", "achievable": "achievable"}
_RESPONSES = {
    "auto": ("predict_proba", "decision_function"),
    "predict_proba": ("predict_proba",),
    "decision_function": ("decision_function",),
}
# No two drawn points of one piece are further apart, in either coordinate.
_STEP = 1 / 500
# Columns of recall in which a long curve keeps its first, last, lowest and highest point.
_N_COLUMNS = 2000
# Okabe and Ito's colours that stand out from white and from black; with seven line
# styles no pair of the two repeats within 42 curves.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_LINE_STYLES: tuple[Any, ...] = (
    "-",
    "--",
    "-.",
    (0, (6, 1, 1, 1, 1, 1)),
    (0, (2, 1)),
    (0, (9, 3)),
    (0, (4, 1, 4, 1, 1, 1)),
)
# The names' second words, in the order of the legend; "" is what others drew.
_LEGEND_ORDER = ("curve", "mark", "f1", "", "unachievable", "minimum", "chance")
_F1_LEVELS = (0.2, 0.4, 0.6, 0.8)
# Starts the names that tell this module's artists on an axes from others.
_GID = "achievable-pr"
_ALIASES = {
    "ls": "linestyle",
    "c": "color",
    "lw": "linewidth",
    "ms": "markersize",
    "mec": "markeredgecolor",
    "mew": "markeredgewidth",
    "mfc": "markerfacecolor",
    "aa": "antialiased",
    "ds": "drawstyle",
}


class _Curve(NamedTuple):
    """One curve of a display, its options resolved."""

    precision: np.ndarray  # by falling recall
    recall: np.ndarray
    thresholds: np.ndarray | None  # one fewer than points, NaN between vertices
    auc_pr: float | None
    aucnpr: float | None
    name: str | None
    prevalence: float | None
    kind: str
    operating_point: tuple[float, float] | None  # precision, recall


class AchievablePRDisplay:
    """Precision-recall curve, correctly interpolated, above its floor.

    It is recommended to use
    :meth:`~sklearn_achievable_pr.AchievablePRDisplay.from_estimator`,
    :meth:`~sklearn_achievable_pr.AchievablePRDisplay.from_predictions` or
    :meth:`~sklearn_achievable_pr.AchievablePRDisplay.from_cv_results` to create a display.
    All parameters are stored as attributes.

    Between two points the curve is drawn as the curve it is [1]_, never as a straight
    line. The minimum precision-recall curve [2]_, which no classifier can be below, and
    the chance level are drawn where the prevalence is known.

    Parameters
    ----------
    precision, recall : ndarray or list of ndarray
        Points of the curve by falling recall, as `pr_curve_interpolated`,
        `achievable_pr_curve` and `pr_curve_from_counts` return them, with or without
        points between the vertices; a list for several curves. A last point with recall 0
        and precision 1 that `sklearn.metrics.precision_recall_curve` makes up is not
        drawn: the curve starts at the limit of its first piece. A last point (0, 0) says
        that negatives come first; without points between the vertices all the false
        positives of the next point are taken to come before its true positives.
    thresholds : ndarray or list of ndarray, default=None
        One fewer than points: `precision[i]` is had at ``y_score >= thresholds[i]``. NaN
        at points between vertices. None if there are none, e.g. from counts.
    auc_pr : float or list of float, default=None
        Area under each curve, for the legend.
    aucnpr : float or list of float, default=None
        Normalised area of each curve, for the legend.
    name : str or list of str, default=None
        Names for the legend: one for all curves, or one for each.
    prevalence : float or list of float, default=None
        Fraction of positives, inside (0, 1), for the minimum curve and the chance level.
        None leaves both out.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axes' labels. None leaves it out.
    curve : {"empirical", "achievable"} or list of these, default="empirical"
        Which curve it is: through all thresholds, or of the ROC convex hull.
    operating_point : (float, float) or list of these, default=None
        Precision and recall of what the classifier predicts. It is marked, and the
        thresholds count as frozen on other data.

    Attributes
    ----------
    line_ : matplotlib Artist or list of Artists
        The curve, or one a curve.
    minimum_ : matplotlib Artist, list of Artists or None
        The minimum curves, one a prevalence. None if not drawn.
    unachievable_ : matplotlib Artist or None
        The region below the (lowest) minimum curve.
    chance_level_ : matplotlib Artist, list of Artists or None
        The chance levels, one a prevalence.
    iso_f1_ : list of Artists or None
        Lines of equal F1 score.
    threshold_marks_ : matplotlib Artist, list of Artists or None
        Marks of the thresholds, one artist a curve.
    operating_point_ : matplotlib Artist, list of Artists or None
        Marks of the operating points.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure with the curve.

    See Also
    --------
    pr_curve_interpolated : The points of the empirical curve.
    achievable_pr_curve : The points of the achievable curve.
    min_precision : The minimum curve.
    sklearn.metrics.PrecisionRecallDisplay : Steps instead of curves, without floor.

    References
    ----------
    .. [1] J. Davis and M. Goadrich (2006). The relationship between precision-recall and
       ROC curves. Proceedings of the 23rd International Conference on Machine Learning,
       233-240, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] K. Boyd, V. Santos Costa, J. Davis and C. D. Page (2012). Unachievable region
       in precision-recall space and its effect on empirical evaluation. Proceedings of
       the 29th International Conference on Machine Learning, Theorem 1 and section 4.
       :arxiv:`1206.4667`

    Examples
    --------
    A published confusion matrix, drawn with the curve that it implies.

    >>> from sklearn_achievable_pr import AchievablePRDisplay, pr_curve_from_counts
    >>> precision, recall, _ = pr_curve_from_counts(
    ...     [9], [0], n_pos=433, n_neg=56164, interpolate=False
    ... )
    >>> display = AchievablePRDisplay(precision, recall, prevalence=433 / 56597).plot()
    >>> len(recall), len(display.line_.get_xdata()) > 500
    (3, True)
    """

    def __init__(
        self,
        precision: ArrayLike | Sequence[ArrayLike],
        recall: ArrayLike | Sequence[ArrayLike],
        *,
        thresholds: ArrayLike | Sequence[ArrayLike] | None = None,
        auc_pr: float | Sequence[float] | None = None,
        aucnpr: float | Sequence[float] | None = None,
        name: str | Sequence[str] | None = None,
        prevalence: float | Sequence[float] | None = None,
        pos_label: Label | None = None,
        curve: str | Sequence[str] = "empirical",
        operating_point: Any = None,
    ):
        self.precision = precision
        self.recall = recall
        self.thresholds = thresholds
        self.auc_pr = auc_pr
        self.aucnpr = aucnpr
        self.name = name
        self.prevalence = prevalence
        self.pos_label = pos_label
        self.curve = curve
        self.operating_point = operating_point

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping | Sequence[Mapping] | None = None,
        plot_minimum: bool = True,
        minimum_kw: Mapping | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping | None = None,
        fill_unachievable: bool = True,
        plot_iso_f1: bool = False,
        mark_thresholds: bool = False,
        despine: bool = False,
    ) -> AchievablePRDisplay:
        """Draw the curves.

        Each curve on the axes has a colour and a line style of its own, also if other
        displays were drawn there before. A minimum curve, chance level or line of equal
        F1 that is there already is not drawn again.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a new figure.
        name : str or list of str, default=None
            Names for the legend. None takes those of the display.
        curve_kwargs : dict or list of dict, default=None
            Keywords for matplotlib's `plot`. With a list, or a list of names, each curve
            has an entry in the legend. Else curves of the same kind share one, with the
            mean and the standard deviation of their AUCNPR.
        plot_minimum : bool, default=True
            Whether to draw the minimum curve.
        minimum_kw : dict, default=None
            Keywords for matplotlib's `plot` for the minimum curve.
        plot_chance_level : bool, default=True
            Whether to draw the chance level, the prevalence.
        chance_level_kw : dict, default=None
            Keywords for matplotlib's `plot` for the chance level.
        fill_unachievable : bool, default=True
            Whether to hatch the region below the minimum curve. Of several prevalences
            on the axes the lowest counts: what is hatched none of the curves can enter.
        plot_iso_f1 : bool, default=False
            Whether to draw the lines where F1 is .2, .4, .6 and .8.
        mark_thresholds : bool, default=False
            Whether to mark the points that belong to one threshold.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        AchievablePRDisplay
            The display, with the artists as attributes.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the display's lists differ in length, `recall` rises, a value leaves its
            range, or `mark_thresholds` is asked for without thresholds, or with those of
            counts, which are NaN.

        See Also
        --------
        AchievablePRDisplay.from_predictions : From labels and scores to the picture.

        Examples
        --------
        >>> from sklearn_achievable_pr import AchievablePRDisplay, pr_curve_interpolated
        >>> precision, recall, thresholds = pr_curve_interpolated(
        ...     [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]
        ... )
        >>> display = AchievablePRDisplay(
        ...     precision, recall, thresholds=thresholds, prevalence=0.5
        ... ).plot(mark_thresholds=True, name="four rows")
        >>> for text in display.ax_.get_legend().get_texts():
        ...     print(text.get_text())
        four rows
        Thresholds
        Minimum (AUC-PR = 0.31)
        Chance level (AUC-PR = 0.50)
        """
        plt = _pyplot()
        curves = self._checked_curves(name)
        if mark_thresholds and any(
            curve.thresholds is None or np.isnan(curve.thresholds).all() for curve in curves
        ):
            raise ValueError(
                "`mark_thresholds` needs `thresholds`, which this display has not. Pass "
                "those that `pr_curve_interpolated` returns, or use from_predictions."
            )
        groups = _legend_groups(curves, name or self.name, curve_kwargs)
        ax = _new_axes(plt) if ax is None else ax
        self.ax_, self.figure_ = ax, ax.figure
        lines, marks, points = [], [], []
        for curve, style in zip(
            curves, _styles(ax, curves, groups, curve_kwargs), strict=True
        ):
            lines.append(_draw_curve(ax, curve, style))
            if mark_thresholds:
                marks.append(_draw_marks(ax, curve, lines[-1]))
            if curve.operating_point is not None:
                points.append(_draw_operating_point(ax, curve, lines[-1]))
        self.line_ = _one_or_list(lines)
        self.threshold_marks_ = _one_or_list(marks)
        self.operating_point_ = _one_or_list(points)

        known = sorted({c.prevalence for c in curves if c.prevalence is not None})
        self.minimum_ = _draw_minimum(ax, known, minimum_kw) if plot_minimum else None
        self.unachievable_ = (
            _draw_unachievable(ax, known, not plot_minimum) if fill_unachievable else None
        )
        self.chance_level_ = (
            _draw_chance_level(ax, known, chance_level_kw) if plot_chance_level else None
        )
        self.iso_f1_ = _draw_iso_f1(ax) if plot_iso_f1 else None
        _finish(ax, self.pos_label, despine)
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        curve: str = "empirical",
        prevalence: float | None = None,
        response_method: str = "auto",
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Mapping | Sequence[Mapping] | None = None,
        plot_minimum: bool = True,
        minimum_kw: Mapping | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping | None = None,
        fill_unachievable: bool = True,
        plot_iso_f1: bool = False,
        mark_thresholds: bool | None = None,
        despine: bool = False,
    ) -> AchievablePRDisplay:
        """Draw the curve of a fitted classifier on some data.

        Parameters
        ----------
        estimator : estimator instance
            Fitted binary classifier, or a Pipeline or search that ends in one. Of a
            `HullThresholdClassifierCV` the frozen thresholds and the operating point are
            marked.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values.
        y : array-like of shape (n_samples,)
            Binary labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds, that of the ROC convex hull, or both.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for. None
            takes the weighted fraction of the data.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            What gives the scores; "auto" takes the first of the other two that the
            estimator has.
        pos_label : int, float, bool or str, default=None
            The positive label. None takes `estimator.classes_[1]`, or the `pos_label` of
            a `HullThresholdClassifierCV`.
        name : str, default=None
            Name for the legend. None takes the name of the estimator's class.
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a new figure.
        curve_kwargs : dict or list of dict, default=None
            Keywords for matplotlib's `plot`; with ``curve="both"`` a list is for the
            empirical and the achievable curve.
        plot_minimum : bool, default=True
            Whether to draw the minimum curve.
        minimum_kw : dict, default=None
            Keywords for matplotlib's `plot` for the minimum curve.
        plot_chance_level : bool, default=True
            Whether to draw the chance level, the prevalence.
        chance_level_kw : dict, default=None
            Keywords for matplotlib's `plot` for the chance level.
        fill_unachievable : bool, default=True
            Whether to hatch the region below the minimum curve.
        plot_iso_f1 : bool, default=False
            Whether to draw the lines where F1 is .2, .4, .6 and .8.
        mark_thresholds : bool, default=None
            Whether to mark the points that belong to one threshold. None marks those of a
            `HullThresholdClassifierCV` only.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        AchievablePRDisplay
            The drawn display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the estimator is no fitted binary classifier or lacks the response, a class
            is missing in `y`, or as `from_predictions`.

        See Also
        --------
        AchievablePRDisplay.from_predictions : The same from labels and scores.
        AchievablePRDisplay.from_cv_results : One curve a fold.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_achievable_pr import AchievablePRDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
        >>> tree.fit(X[::2], y[::2])
        DecisionTreeClassifier(max_depth=2, random_state=0)
        >>> display = AchievablePRDisplay.from_estimator(tree, X[1::2], y[1::2])
        >>> print(display.ax_.get_legend().get_texts()[0].get_text())
        DecisionTreeClassifier
        interpolated AUC-PR = 0.92, AUCNPR = 0.87
        """
        _pyplot()
        check_option(curve, "curve", _KINDS)
        prevalence = check_prevalence(prevalence)
        frozen = _is_frozen(estimator)
        mark_thresholds = frozen if mark_thresholds is None else mark_thresholds
        score, pos_label = _response(estimator, X, response_method, pos_label)
        curves = _curves_of(
            check_binary(y, score, pos_label, sample_weight),
            curve,
            prevalence,
            type(estimator).__name__ if name is None else name,
            mark_thresholds,
        )
        if frozen:
            curves = _with_operating_point(
                curves, estimator.predict(X), y, pos_label, sample_weight
            )
        return cls(**_columns(curves), pos_label=pos_label).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_minimum=plot_minimum,
            minimum_kw=minimum_kw,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            fill_unachievable=fill_unachievable,
            plot_iso_f1=plot_iso_f1,
            mark_thresholds=mark_thresholds,
            despine=despine,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        curve: str = "empirical",
        prevalence: float | None = None,
        pos_label: Label | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        curve_kwargs: Mapping | Sequence[Mapping] | None = None,
        plot_minimum: bool = True,
        minimum_kw: Mapping | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping | None = None,
        fill_unachievable: bool = True,
        plot_iso_f1: bool = False,
        mark_thresholds: bool = False,
        despine: bool = False,
    ) -> AchievablePRDisplay:
        """Draw the curve of labels and scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Binary labels. {0, 1}, {-1, 1} and booleans are understood; other labels need
            `pos_label`.
        y_score : array-like of shape (n_samples,)
            Scores that are higher for the positive class, real and finite.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds, that of the ROC convex hull, or both.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for. None
            takes the weighted fraction of the data.
        pos_label : int, float, bool or str, default=None
            The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
            booleans; other labels need it.
        name : str, default=None
            Name for the legend. None stands for "Classifier".
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a new figure.
        curve_kwargs : dict or list of dict, default=None
            Keywords for matplotlib's `plot`; with ``curve="both"`` a list is for the
            empirical and the achievable curve.
        plot_minimum : bool, default=True
            Whether to draw the minimum curve.
        minimum_kw : dict, default=None
            Keywords for matplotlib's `plot` for the minimum curve.
        plot_chance_level : bool, default=True
            Whether to draw the chance level, the prevalence.
        chance_level_kw : dict, default=None
            Keywords for matplotlib's `plot` for the chance level.
        fill_unachievable : bool, default=True
            Whether to hatch the region below the minimum curve.
        plot_iso_f1 : bool, default=False
            Whether to draw the lines where F1 is .2, .4, .6 and .8.
        mark_thresholds : bool, default=False
            Whether to mark the points that belong to one threshold.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        AchievablePRDisplay
            The drawn display. Its `precision`, `recall` and `thresholds` hold the
            vertices and, with NaN as threshold, points between them.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If a class is missing (no curve without positives, no floor without
            negatives), an option is unknown, or the arrays are not as
            `pr_curve_interpolated` needs them.
        TypeError
            If `y_score` or `sample_weight` are not real numbers, or `y_true` is not
            labels.

        See Also
        --------
        AchievablePRDisplay.from_estimator : The same from a classifier and data.
        auc_pr_interpolated : The area in the legend.
        aucnpr : The normalised area in the legend.

        Examples
        --------
        >>> from sklearn_achievable_pr import AchievablePRDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
        >>> y_score = [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        >>> display = AchievablePRDisplay.from_predictions(y_true, y_score, name="tied")
        >>> round(display.auc_pr, 4), round(display.aucnpr, 4)
        (0.6141, 0.5364)
        """
        _pyplot()
        check_option(curve, "curve", _KINDS)
        prevalence = check_prevalence(prevalence)
        curves = _curves_of(
            check_binary(y_true, y_score, pos_label, sample_weight),
            curve,
            prevalence,
            "Classifier" if name is None else name,
            mark_thresholds,
        )
        pos_label = 1 if pos_label is None else pos_label
        return cls(**_columns(curves), pos_label=pos_label).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_minimum=plot_minimum,
            minimum_kw=minimum_kw,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            fill_unachievable=fill_unachievable,
            plot_iso_f1=plot_iso_f1,
            mark_thresholds=mark_thresholds,
            despine=despine,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        curve: str = "empirical",
        prevalence: float | None = None,
        response_method: str = "auto",
        pos_label: Label | None = None,
        name: str | Sequence[str] | None = None,
        ax: Axes | None = None,
        curve_kwargs: Mapping | Sequence[Mapping] | None = None,
        plot_minimum: bool = True,
        minimum_kw: Mapping | None = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping | None = None,
        fill_unachievable: bool = True,
        plot_iso_f1: bool = False,
        mark_thresholds: bool | None = None,
        despine: bool = False,
    ) -> AchievablePRDisplay:
        """Draw one curve for each fold of a cross-validation.

        The legend has the mean and the standard deviation of the folds' AUCNPR, which is
        the area to average where folds differ in prevalence.

        Parameters
        ----------
        cv_results : dict
            What :func:`sklearn.model_selection.cross_validate` returns with
            ``return_estimator=True`` and ``return_indices=True``.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            The input values that were cross-validated.
        y : array-like of shape (n_samples,)
            Their binary labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds, that of the ROC convex hull, or both: first
            the empirical curves of all folds, then the achievable ones.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that every fold is to stand for. None
            takes the weighted fraction of each.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            What gives the scores; "auto" takes the first of the other two that the
            estimators have.
        pos_label : int, float, bool or str, default=None
            The positive label. None takes `classes_[1]` of the estimators.
        name : str or list of str, default=None
            Name for the legend, or one for each curve. None shows no name.
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a new figure.
        curve_kwargs : dict or list of dict, default=None
            Keywords for matplotlib's `plot`. With a list each curve has an entry in the
            legend.
        plot_minimum : bool, default=True
            Whether to draw the minimum curve, one a prevalence.
        minimum_kw : dict, default=None
            Keywords for matplotlib's `plot` for the minimum curves.
        plot_chance_level : bool, default=True
            Whether to draw the chance level, one a prevalence.
        chance_level_kw : dict, default=None
            Keywords for matplotlib's `plot` for the chance levels.
        fill_unachievable : bool, default=True
            Whether to hatch the region below the lowest minimum curve.
        plot_iso_f1 : bool, default=False
            Whether to draw the lines where F1 is .2, .4, .6 and .8.
        mark_thresholds : bool, default=None
            Whether to mark the points that belong to one threshold. None marks those of a
            `HullThresholdClassifierCV` only.
        despine : bool, default=False
            Whether to remove the top and right spines.

        Returns
        -------
        AchievablePRDisplay
            The drawn display; its attributes are lists with one entry a curve. A fold in
            which a class is missing is left out, with an
            :class:`~sklearn.exceptions.UndefinedMetricWarning`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `cv_results` lacks estimators or indices or does not belong to `X`, or a
            class is missing in every fold.

        See Also
        --------
        AchievablePRDisplay.from_estimator : One classifier.
        sklearn.metrics.RocCurveDisplay.from_cv_results : The same for ROC curves.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.model_selection import cross_validate
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_achievable_pr import AchievablePRDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0)
        >>> cv_results = cross_validate(
        ...     tree, X, y, cv=3, return_estimator=True, return_indices=True
        ... )
        >>> display = AchievablePRDisplay.from_cv_results(cv_results, X, y, name="tree")
        >>> print(display.ax_.get_legend().get_texts()[0].get_text())
        tree
        interpolated AUCNPR = 0.88 +/- 0.04
        """
        _pyplot()
        check_option(curve, "curve", _KINDS)
        prevalence = check_prevalence(prevalence)
        folds = _folds(cv_results, X, y, sample_weight)
        if mark_thresholds is None:
            mark_thresholds = any(_is_frozen(fold.estimator) for fold in folds)
        curves, pos_label = _fold_curves(
            folds, curve, prevalence, response_method, pos_label, mark_thresholds
        )
        return cls(**_columns(curves), pos_label=pos_label).plot(
            name=name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_minimum=plot_minimum,
            minimum_kw=minimum_kw,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            fill_unachievable=fill_unachievable,
            plot_iso_f1=plot_iso_f1,
            mark_thresholds=mark_thresholds,
            despine=despine,
        )

    def _checked_curves(self, name):
        """The parameters, one `_Curve` a curve."""
        several = _is_list_of_arrays(self.precision)
        n_curves = len(self.precision) if several else 1
        given = {
            "precision": self.precision,
            "recall": self.recall,
            "thresholds": self.thresholds,
            "auc_pr": self.auc_pr,
            "aucnpr": self.aucnpr,
            "name": self.name if name is None else name,
            "prevalence": self.prevalence,
            "curve": self.curve,
            "operating_point": self.operating_point,
        }
        columns = {
            label: _one_a_curve(values, label, n_curves) if several else [values]
            for label, values in given.items()
        }
        return [
            _check_curve(**dict(zip(columns, row, strict=True)))
            for row in zip(*columns.values(), strict=True)
        ]


def _pyplot():
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "AchievablePRDisplay needs matplotlib to draw. Install it: "
            'pip install "sklearn-achievable-pr[plot]".'
        ) from error
    return plt


# Parameters to curves


def _is_list_of_arrays(values):
    return isinstance(values, list | tuple) and len(values) > 0 and np.ndim(values[0]) == 1


def _one_a_curve(values, label, n_curves):
    if not isinstance(values, list | np.ndarray):
        return [values] * n_curves
    if len(values) != n_curves:
        raise ValueError(
            f"`{label}` must have one entry a curve, {n_curves}. Got {len(values)}."
        )
    return list(values)


def _check_curve(*, precision, recall, thresholds, curve, prevalence, **others):
    check_option(curve, "curve", tuple(_AREA_WORDS))
    precision = check_fractions(precision, "precision")
    recall = check_fractions(recall, "recall")
    if precision.ndim != 1 or precision.shape != recall.shape or len(recall) < 2:
        raise ValueError(
            "`precision` and `recall` must be of one length, two points at least. Got "
            f"shapes {precision.shape} and {recall.shape}."
        )
    if np.any(np.diff(recall) > 0):
        raise ValueError(
            "`recall` must fall from point to point, as the curve functions return it. "
            "Turn points in another order round, e.g. `recall[::-1]`."
        )
    if np.any((precision == 0) & (recall > 0)):
        raise ValueError(
            "`precision` must be above 0 where `recall` is: there are true positives. Got "
            f"0 at recall {recall[(precision == 0) & (recall > 0)][0]}."
        )
    if thresholds is not None:
        thresholds = np.asarray(thresholds)
        if thresholds.shape != (len(recall) - 1,):
            raise ValueError(
                "`thresholds` must be one fewer than points: the last, at recall 0, has "
                f"none. Got shape {thresholds.shape} for {len(recall)} points."
            )
    return _Curve(
        precision,
        recall,
        thresholds,
        prevalence=check_prevalence(prevalence),
        kind=curve,
        **others,
    )


def _columns(curves):
    """Curves as the arguments of the display: lists only where there are several."""
    columns = {
        field: [getattr(curve, field) for curve in curves] for field in _Curve._fields
    }
    columns["curve"] = columns.pop("kind")
    if len(set(columns["name"])) == 1:
        columns["name"] = columns["name"][0]
    if all(point is None for point in columns["operating_point"]):
        columns["operating_point"] = None
    if len(curves) > 1:
        return columns
    return {
        label: values[0] if isinstance(values, list) else values
        for label, values in columns.items()
    }


# Labels and scores to curves


def _curves_of(problem, curve, prevalence, name, mark_thresholds):
    """The curves of one binary problem; ValueError if a class is missing."""
    # Corners give the same curve with fewer points, but not every threshold is one.
    path = (every_threshold if mark_thresholds else corners)(problem)
    for total, missing, lost in (
        (path.n_pos, "positive", "no precision-recall curve"),
        (path.n_neg, "negative", "no floor and no AUCNPR"),
    ):
        if total == 0:
            raise ValueError(
                f"`y_true` has no {missing} samples: there is {lost}. Draw data with both "
                "classes."
            )
    return [_curve_of(path, kind, prevalence, name) for kind in _KINDS[curve]]


def _curve_of(path, kind, prevalence, name):
    path = path.hull() if kind == "achievable" else path
    fps, tps, _ = points = path.whole()
    thresholds = path.thresholds(points)
    n_pos, n_neg = float(tps[-1]), float(fps[-1])
    area = auc_pr_from_counts(tps, fps, prevalence=prevalence)
    if prevalence is None:
        prevalence = n_pos / (n_pos + n_neg)
    else:
        fps = fps * ((1 - prevalence) / prevalence * (n_pos / n_neg))
    floor = auc_pr_min(prevalence)
    precision, recall, thresholds = _falling(fps, tps, thresholds)
    return _Curve(
        precision,
        recall,
        thresholds,
        auc_pr=area,
        aucnpr=min(max((area - floor) / (1 - floor), 0.0), 1.0),
        name=name,
        prevalence=prevalence,
        kind=kind,
        operating_point=None,
    )


def _falling(fps, tps, thresholds):
    """The path by falling recall, with points between."""
    fps, tps, index = with_points_between(fps, tps)
    index = index[1:]
    thresholds = np.where(index < 0, np.nan, thresholds[np.maximum(index, 1) - 1])
    precision, recall = precision_of(fps, tps), tps / tps[-1]
    return precision[::-1].copy(), recall[::-1].copy(), thresholds[::-1].copy()


def _with_operating_point(curves, y_pred, y, pos_label, sample_weight):
    """Curves with the point of what was predicted, if anything was."""
    truth, predicted, weight = check_predictions(y, y_pred, pos_label, sample_weight)
    weight = np.ones(len(truth)) if weight is None else weight
    tpr, fpr = (
        weight[rows & predicted].sum() / weight[rows].sum() for rows in (truth, ~truth)
    )
    point = roc_to_pr(min(fpr, 1.0), min(tpr, 1.0), curves[0].prevalence)
    return [
        curve._replace(operating_point=None if math.isnan(point[0]) else point)
        for curve in curves
    ]


class _Fold(NamedTuple):
    estimator: Any
    X: Any
    y: Any
    sample_weight: Any


def _folds(cv_results, X, y, sample_weight):
    if not {"estimator", "indices"} <= set(cv_results):
        raise ValueError(
            "`cv_results` must have the keys 'estimator' and 'indices'. Pass "
            "return_estimator=True and return_indices=True to cross_validate."
        )
    X, y, sample_weight = indexable(X, y, sample_weight)
    tests = cv_results["indices"]["test"]
    highest = max(int(np.max(test)) for test in tests)
    if highest >= len(y):
        raise ValueError(
            "`cv_results` must come from this `X` and `y`: it has a test row "
            f"{highest}, `y` has {len(y)} rows."
        )
    return [
        _Fold(estimator, _rows(X, test), _rows(y, test), _rows(sample_weight, test))
        for estimator, test in zip(cv_results["estimator"], tests, strict=True)
    ]


def _rows(values, index):
    if values is None:
        return None
    if hasattr(values, "iloc"):
        return values.iloc[index]
    if isinstance(values, list | tuple):
        return [values[i] for i in index]
    return values[index]


def _fold_curves(folds, curve, prevalence, response_method, pos_label, mark_thresholds):
    """Curves of all folds, kind by kind, and the positive label."""
    found = []
    for i, fold in enumerate(folds):
        score, label = _response(fold.estimator, fold.X, response_method, pos_label)
        problem = check_binary(fold.y, score, label, fold.sample_weight)
        if problem.positive.all() or not problem.positive.any():
            missing = "negative" if problem.positive.all() else "positive"
            warnings.warn(
                f"No {missing} samples in fold {i} of `cv_results`: it is left out.",
                UndefinedMetricWarning,
                stacklevel=3,
            )
            continue
        curves = _curves_of(problem, curve, prevalence, None, mark_thresholds)
        if _is_frozen(fold.estimator):
            curves = _with_operating_point(
                curves, fold.estimator.predict(fold.X), fold.y, label, fold.sample_weight
            )
        found.append(curves)
    if not found:
        raise ValueError(
            "`cv_results` has no fold with both classes. Split it stratified, e.g. by "
            "StratifiedKFold."
        )
    return [c for kind in zip(*found, strict=True) for c in kind], label


# Estimators


def _response(estimator, X, response_method, pos_label):
    """Scores that are higher for the positive label, and that label."""
    check_option(response_method, "response_method", _RESPONSES)
    methods = _RESPONSES[response_method]
    method = next((m for m in methods if hasattr(estimator, m)), None)
    if not is_classifier(estimator) or method is None:
        raise ValueError(
            f"`estimator` must be a classifier with {' or '.join(methods)}. Got "
            f"{type(estimator).__name__}."
        )
    score = getattr(estimator, method)(X)  # raises if the estimator is not fitted
    classes = np.asarray(estimator.classes_)
    if len(classes) != 2:
        raise ValueError(
            f"`estimator` must be a binary classifier. Got {len(classes)} classes. Use "
            "from_predictions for one class against the rest."
        )
    labels = classes.tolist()
    if pos_label is None:
        own = getattr(_last_step(estimator), "pos_label", None)
        pos_label = own if _is_frozen(estimator) and own is not None else labels[1]
    if pos_label not in labels:
        raise ValueError(
            f"`pos_label`={pos_label!r} is not a class of `estimator`: {labels}."
        )
    if method == "predict_proba":
        return score[:, labels.index(pos_label)], pos_label
    return score if labels.index(pos_label) == 1 else -score, pos_label


def _is_frozen(estimator):
    """Whether the estimator, or the last step of it, keeps a hull's thresholds."""
    return all(
        hasattr(_last_step(estimator), fitted)
        for fitted in ("thresholds_", "threshold_", "tuning_counts_", "operating_point_")
    )


def _last_step(estimator):
    estimator = getattr(estimator, "best_estimator_", estimator)
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else estimator


# Points


def with_points_between(fps, tps):
    """The path with so many points between its own that straight lines do not show.

    On each piece they divide the recall and the precision into steps of at most
    `_STEP`. Vertical drops, where no true positives are added, need none.

    Parameters
    ----------
    fps, tps : ndarray of shape (n_points,)
        A path in counts, both non-decreasing.

    Returns
    -------
    fps, tps : ndarray of float64
    index : ndarray of int64
        Which point of the path this is, -1 for those between.
    """
    precision = precision_of(fps, tps)
    gain, rise = np.diff(tps), np.diff(precision)
    by_recall = _n_between(np.abs(gain) / tps[-1])
    by_precision = np.where(gain > 0, _n_between(np.abs(rise)), 0)

    piece, part = _divisions(by_recall)
    at_recall = tps[piece] + gain[piece] * part
    steep, part = _divisions(by_precision)
    at_precision = _tps_at(fps, tps, steep, precision[steep] + rise[steep] * part)

    piece = np.concatenate((piece, steep))
    t = np.clip(np.concatenate((at_recall, at_precision)), tps[piece], tps[piece + 1])
    f = fps[piece] + np.diff(fps)[piece] * ((t - tps[piece]) / gain[piece])
    order = np.lexsort((t, piece))
    before = piece[order] + 1
    return (
        np.insert(fps.astype(np.float64), before, f[order]),
        np.insert(tps.astype(np.float64), before, t[order]),
        np.insert(np.arange(len(tps)), before, -1),
    )


def _n_between(length):
    # A length that is a whole number of steps but for rounding gets no extra point.
    return np.maximum(np.ceil(length / _STEP - 1e-6).astype(np.int64) - 1, 0)


def _divisions(n_between):
    """Piece and part of the way along it, for points that divide it evenly."""
    piece = np.repeat(np.arange(len(n_between)), n_between)
    nth = np.arange(len(piece)) - (np.cumsum(n_between) - n_between)[piece] + 1
    return piece, nth / (n_between[piece] + 1)


def _tps_at(fps, tps, piece, precision):
    """Where a piece has a precision: t (1 - p) = p f(t), f linear in t."""
    skew = np.diff(fps)[piece] / np.diff(tps)[piece]
    return (
        precision * (fps[piece] - skew * tps[piece]) / ((1 - precision) - precision * skew)
    )


def _drawn_points(precision, recall):
    """Recall and precision of the polyline, by rising recall."""
    recall, precision = recall[::-1], precision[::-1]
    inner = recall > 0
    t, f = recall[inner], recall[inner] * (1 - precision[inner]) / precision[inner]
    if not inner.all() and len(t):
        negatives_first = np.any(precision[~inner] == 0)
        t = np.concatenate(([0.0], t))
        f = np.concatenate(([f[0] if negatives_first else 0.0], f))
    f, t, _ = with_points_between(f, t)
    # The last of `t` is the highest recall given, which need not be 1.
    return _thinned(t, precision_of(f, t))


def _thinned(recall, precision):
    """Of very many points those that show: per column the ends and the extremes."""
    if len(recall) <= 4 * _N_COLUMNS:
        return recall, precision
    column = (recall * _N_COLUMNS).astype(np.int64)
    first = np.flatnonzero(np.diff(column, prepend=-1))
    last = np.append(first[1:], len(column)) - 1
    by_precision = np.lexsort((precision, column))
    kept = np.unique(np.concatenate((first, last, by_precision[first], by_precision[last])))
    return recall[kept], precision[kept]


# Legend and style


def _legend_groups(curves, name, curve_kwargs):
    """Number of the legend entry of each curve."""
    n_curves = len(curves)
    if isinstance(curve_kwargs, list | tuple) and len(curve_kwargs) != n_curves:
        raise ValueError(
            f"`curve_kwargs` must be a dict or a list of one dict a curve, {n_curves}. Got "
            f"{len(curve_kwargs)}."
        )
    if isinstance(curve_kwargs, list | tuple) or isinstance(name, list | tuple):
        return list(range(n_curves))
    kinds = list(dict.fromkeys(curve.kind for curve in curves))
    return [kinds.index(curve.kind) for curve in curves]


def _label(curves):
    """Legend text of curves that share one entry."""
    first, word = curves[0], _AREA_WORDS[curves[0].kind]
    areas = [curve.auc_pr for curve in curves if curve.auc_pr is not None]
    normalized = [curve.aucnpr for curve in curves if curve.aucnpr is not None]
    if len(curves) > 1:
        area_name, values = ("AUCNPR", normalized) if normalized else ("AUC-PR", areas)
        found = [f"{area_name} = {_spread(values)}"] if values else []
    else:
        found = [f"AUC-PR = {area:.2f}" for area in areas]
        found += [f"AUCNPR = {area:.2f}" for area in normalized]
    text = f"{word} {', '.join(found)}" if found else ""
    return "\n".join(part for part in (first.name, text) if part) or None


def _spread(values):
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{np.mean(values):.2f} +/- {np.std(values):.2f}"


def _styles(ax, curves, groups, curve_kwargs):
    """Keywords of `plot` for each curve: no two entries of the axes alike."""
    display, entry = _first_free_numbers(ax)
    separate = isinstance(curve_kwargs, list | tuple)
    given = curve_kwargs if separate else [curve_kwargs] * len(curves)
    # One model's curves are of one colour.
    coloured = separate or len({curve.name for curve in curves}) > 1
    styles = []
    for i, group in enumerate(groups):
        members = [c for c, g in zip(curves, groups, strict=True) if g == group]
        alone = len(members) == 1
        colour = display + (group if coloured else 0)
        styles.append(
            {
                "label": _label(members) if groups.index(group) == i else None,
                "color": _COLOURS[colour % len(_COLOURS)],
                "linestyle": _LINE_STYLES[(entry + group) % len(_LINE_STYLES)],
                "linewidth": 1.8 if alone else 1.2,
                "alpha": 1.0 if alone else 0.85,
                **_full_names(given[i]),
                "gid": f"{_GID}-curve-{colour}-{entry + group}-{i}",
            }
        )
    return styles


def _first_free_numbers(ax):
    """Colour and line style that no curve of an earlier display on the axes has."""
    used = [
        (int(colour), int(entry))
        for gid in (line.get_gid() or "" for line in ax.lines)
        if gid.startswith(f"{_GID}-curve-")
        for colour, entry in [gid.split("-")[-3:-1]]
    ]
    return tuple(max(numbers) + 1 for numbers in zip((-1, -1), *used, strict=True))


def _full_names(style):
    """Keywords of matplotlib by their full names, that defaults may be replaced."""
    style = dict(style or {})
    for short, full in _ALIASES.items():
        if short in style:
            if full in style:
                raise TypeError(f"Got both {short!r} and {full!r}, which are the same.")
            style[full] = style.pop(short)
    return style


def _neutral(ax):
    """A colour that stands out from the background of the axes."""
    return ax.xaxis.label.get_color()


def _one_or_list(artists):
    if not artists:
        return None
    return artists[0] if len(artists) == 1 else artists


# Artists


def _new_axes(plt):
    """Axes in a figure with room for the legend beside them."""
    width, height = plt.rcParams["figure.figsize"]
    _, ax = plt.subplots(figsize=(1.4 * width, height), layout="compressed")
    ax.set_gid(f"{_GID}-axes")
    return ax


def _draw_curve(ax, curve, style):
    recall, precision = _drawn_points(curve.precision, curve.recall)
    (line,) = ax.plot(recall, precision, **style)
    return line


def _draw_marks(ax, curve, line):
    at = ~np.isnan(curve.thresholds)
    recall, precision = _thinned(
        curve.recall[:-1][at][::-1], curve.precision[:-1][at][::-1]
    )
    (marks,) = ax.plot(
        recall,
        precision,
        linestyle="none",
        marker="o",
        markersize=5,
        markerfacecolor=ax.get_facecolor(),
        markeredgecolor=line.get_color(),
        label="Thresholds" if curve.operating_point is None else "Frozen thresholds",
        gid=f"{_GID}-mark-{len(ax.lines)}",
        zorder=line.get_zorder() + 0.1,
    )
    return marks


def _draw_operating_point(ax, curve, line):
    precision, recall = curve.operating_point
    (point,) = ax.plot(
        [recall],
        [precision],
        linestyle="none",
        marker="*",
        markersize=14,
        markerfacecolor=line.get_color(),
        markeredgecolor=_neutral(ax),
        label="Operating point",
        gid=f"{_GID}-mark-{len(ax.lines)}",
        zorder=line.get_zorder() + 0.2,
    )
    return point


def _draw_minimum(ax, prevalences, style):
    # Drawn along the worst ranking's path, all negatives first.
    recalls = [
        with_points_between(np.full(2, (1 - pi) / pi), np.array([0.0, 1.0]))[1]
        for pi in prevalences
    ]
    return _draw_levels(
        ax,
        "minimum",
        prevalences,
        [(r, min_precision(r, pi)) for r, pi in zip(recalls, prevalences, strict=True)],
        f"Minimum (AUC-PR = {_spread([auc_pr_min(pi) for pi in prevalences])})"
        if prevalences
        else None,
        ("-", (0, (8, 2)), (0, (8, 2, 2, 2))),
        style,
    )


def _draw_chance_level(ax, prevalences, style):
    return _draw_levels(
        ax,
        "chance",
        prevalences,
        [((0.0, 1.0), (pi, pi)) for pi in prevalences],
        f"Chance level (AUC-PR = {_spread(prevalences)})" if prevalences else None,
        (":", (0, (1, 4)), (0, (3, 3, 1, 3))),
        style,
    )


def _draw_levels(ax, what, prevalences, points, label, line_styles, style):
    """Neutral lines, one a prevalence, with one entry; those there already are kept."""
    entries = {
        line.get_label()
        for line in ax.lines
        if (line.get_gid() or "").startswith(f"{_GID}-{what}-")
        and not line.get_label().startswith("_")
    }
    style = {
        "color": _neutral(ax),
        "linewidth": 1.2,
        "alpha": 0.8 if len(prevalences) == 1 else 0.4,
        "linestyle": line_styles[len(entries) % len(line_styles)],
        "label": label,
        "zorder": 1.5,
        **_full_names(style),
    }
    artists = []
    for pi, (recall, precision) in zip(prevalences, points, strict=True):
        gid = f"{_GID}-{what}-{pi:.12g}"
        found = _already_there(ax.lines, gid)
        if found is None:
            (found,) = ax.plot(recall, precision, **style, gid=gid)
            style["label"] = None
        artists.append(found)
    return _one_or_list(artists)


def _already_there(artists: Iterable, gid: str):
    return next((artist for artist in artists if artist.get_gid() == gid), None)


def _draw_unachievable(ax, prevalences, labelled):
    if not prevalences:
        return None
    pi, start = prevalences[0], f"{_GID}-unachievable-"
    for found in ax.collections:
        gid = found.get_gid() or ""
        if gid.startswith(start):
            if float(gid.removeprefix(start)) <= float(f"{pi:.12g}"):
                return found
            found.remove()  # curves of the new prevalence may enter it
            break
    _, recall, _ = with_points_between(np.full(2, (1 - pi) / pi), np.array([0.0, 1.0]))
    neutral = _neutral(ax)
    fill = ax.fill_between(
        recall,
        min_precision(recall, pi),
        facecolor=(neutral, 0.08),
        edgecolor=(neutral, 0.35),
        hatch="///",
        linewidth=0,
        label=f"Unachievable (area = {auc_pr_min(pi):.2f})" if labelled else None,
        zorder=0.5,
    )
    fill.set_gid(f"{start}{pi:.12g}")
    return fill


def _draw_iso_f1(ax):
    lines = []
    for level in _F1_LEVELS:
        gid = f"{_GID}-f1-{level}"
        found = _already_there(ax.lines, gid)
        if found is None:
            # Symmetric in its two arguments: the same points in both directions.
            end = level / (2 - level)
            half = np.linspace(level, 1.0, 200)
            other = level * half / (2 * half - level)
            (found,) = ax.plot(
                np.concatenate((other[::-1], half)),
                np.concatenate((half[::-1], other)),
                color=_neutral(ax),
                linewidth=0.8,
                linestyle=(0, (1, 3)),
                alpha=0.8,
                gid=gid,
                zorder=1.0,
            )
            # Beyond the right edge, where neither curves nor legend are.
            ax.annotate(
                f"F1 = {level}",
                (1.01, end),
                xytext=(4, 0),
                textcoords="offset points",
                verticalalignment="center",
                fontsize="small",
                annotation_clip=False,
            )
        lines.append(found)
    return lines


def _finish(ax, pos_label, despine):
    positive = "" if pos_label is None else f" (Positive label: {pos_label})"
    ax.set(
        xlabel="Recall" + positive,
        ylabel="Precision" + positive,
        xlim=(-0.01, 1.01),
        ylim=(-0.01, 1.01),
        aspect="equal",
    )
    if despine:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        for side in ("bottom", "left"):
            ax.spines[side].set_bounds(0, 1)
    handles = _legend_handles(ax)
    if handles:
        ax.legend(handles=handles, fontsize="small", **_legend_place(ax))


def _legend_handles(ax):
    """What has a label: curves, marks, what others drew, and the floor last."""
    handles = {}
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        gid = handle.get_gid() or ""
        parts = gid.removeprefix(_GID).split("-") if gid.startswith(_GID) else ["", ""]
        rank = _LEGEND_ORDER.index(parts[1])
        # Marks mean the same for every curve.
        handles.setdefault((rank, label if parts[1] == "mark" else handle), handle)
    return [handles[key] for key in sorted(handles, key=lambda key: key[0])]


def _legend_place(ax):
    """Beside the axes of a figure of our own, else where it hides least."""
    if ax.get_gid() != f"{_GID}-axes":
        return {"loc": "best"}
    from matplotlib.transforms import offset_copy

    has_levels = any((line.get_gid() or "").startswith(f"{_GID}-f1") for line in ax.lines)
    room = 58 if has_levels else 8  # points, for the labels of the F1 lines
    return {
        "loc": "upper left",
        "bbox_to_anchor": (1.0, 1.0),
        "bbox_transform": offset_copy(ax.transAxes, ax.figure, x=room, units="points"),
        "borderaxespad": 0.0,
    }
