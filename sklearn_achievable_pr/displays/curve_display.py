"""Plot of precision-recall curves and the minimum curve.

`_curves` computes the curves of labels and scores, `_drawn` their points and texts, and
`_drawing` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .._inference.design import Design, check_clusters
from .._input import estimators
from .._input.arrays import as_response
from .._input.frames import check_order
from .._input.options import Label, check_flag, check_option
from ..folds._cross_validated import folds_of, frames_of, warn_of_given_labels
from ..results._result import import_pandas
from . import _drawing
from ._curves import (
    check_problems,
    curves_of,
    fold_curves,
    predicted_point,
    unsaturated,
)
from ._drawing import check_keywords, curve_styles
from ._drawn import Curve, check_curves, names_of, table_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


def _names_curve_kwargs(
    plot: Callable[_Parameters, _Result],
) -> Callable[_Parameters, _Result]:
    """`plot` with an error for other options that says where keywords of lines belong."""
    known = signature(plot).parameters

    @wraps(plot)
    def checked(*args, **options):
        if unknown := [option for option in options if option not in known]:
            way_out = (
                "Pass color, label and other keywords of lines in `curve_kwargs`, e.g. "
                "curve_kwargs={'color': 'red'}."
            )
            if f"{unknown[0]}args" in known:  # scikit-learn's displays have such names
                way_out = f"Pass `{unknown[0]}args`."
            raise TypeError(f"`{unknown[0]}` is not an option of `plot`. {way_out}")
        return plot(*args, **options)

    return checked


class AchievablePRDisplay(Curve):
    """Plot of interpolated precision-recall curves, with the unachievable region.

    Typical call::

        display = AchievablePRDisplay.from_predictions(y_true, y_score, name="A")
        display.figure_.savefig("curve.png")

    Create a display with `from_predictions`, `from_estimator` or `from_cv_results`. Between
    two points the counts of true and false positives are interpolated linearly [1]_, so the
    precision-recall curve is not a straight line (Notes of `pr_curve_interpolated`). The
    minimum curve [2]_, below which no classifier can be, and the chance level are drawn if
    the prevalence is known. All parameters are stored as attributes; attributes with a
    trailing underscore exist only after `plot`.

    For several curves (of models, of folds, or of the classes of a multiclass or multilabel
    problem, each against the rest) pass a list per parameter, with one element per curve.

    Read more in the :ref:`User Guide <plotting>`.

    Parameters
    ----------
    precision, recall : ndarray or list of ndarray
        Points of the curve by decreasing recall, as from `pr_curve_interpolated`,
        `achievable_pr_curve` and `pr_curve_from_counts`, with or without interpolated
        points. The last point (recall 0, precision 1) that
        `sklearn.metrics.precision_recall_curve` adds is not drawn: the curve starts at the
        limit of its first segment. A last point (0, 0) means that negatives come first, as
        many as the false positives of the next point.
    thresholds : ndarray or list of ndarray, default=None
        One element less than `precision`: `precision[i]` belongs to
        ``y_score >= thresholds[i]``. NaN at interpolated points. None if thresholds are
        unknown, e.g. for counts.
    auc_pr : float or list of float, default=None
        AUC-PR of each curve, for the legend.
    aucnpr : float or list of float, default=None
        AUCNPR (AUC-PR normalized for the unachievable region) of each curve, for the
        legend with ``show_aucnpr=True``.
    name : str or list of str, default=None
        Names for the legend: one for all curves, or a list with one per curve. Dollars are
        text and enclose no formula. Curves with the same name and `curve` share a legend
        entry, which shows the mean and the standard deviation of their AUC-PR.
    prevalence : float or list of float, default=None
        Fraction of positives, inside (0, 1), for the minimum curve and the chance level.
        None draws neither of the two.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axis labels. None shows no label.
    curve : {"empirical", "achievable"} or list of these, default="empirical"
        Kind of the curve: through all thresholds (empirical), or of the ROC convex hull
        (achievable).
    predicted_point : (float, float) or list of these, default=None
        Precision and recall of the predictions of a `HullThresholdClassifierCV`, which are
        marked. The legend then calls the thresholds those of a tuning set.
    interval : (float, float) or list of these, default=None
        A 95 % confidence interval of `auc_pr`, for the legend.
    band : ndarray of shape (3, n_points) or list of these, default=None
        Rows: recall, lower precision, and upper precision of a confidence band.
    band_kind : {"pointwise", "simultaneous", "folds"}, default=None
        Kind of the confidence bands, for the legend.
    summary : bool or list of bool, default=False
        Whether a curve is the summary of the other curves with the same name and `curve`,
        the curves of folds, which are then thin lines behind the summary. The summary is
        drawn as a polyline: use the dense points of `summary_pr_curve`.

    Attributes
    ----------
    line_ : matplotlib Artist or list of Artists
        The curve, or one per curve.
    band_, threshold_marks_, predicted_point_ : matplotlib Artist, list of Artists or None
        Confidence bands, marks of thresholds and of predicted points, one per curve that
        has them. Each of these and of the next four attributes is None if not drawn.
    minimum_, chance_level_ : matplotlib Artist, list of Artists or None
        Minimum curves and chance levels, one per prevalence.
    unachievable_ : matplotlib Artist or None
        The hatched region below the lowest minimum curve.
    iso_f1_ : list of Artists or None
        Lines of equal F1 score.
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Axes and figure with the curve.

    See Also
    --------
    pr_curve_interpolated : The points of the empirical curve.
    achievable_pr_curve : The points of the achievable curve.
    precision_min : The minimum curve.
    sklearn.metrics.PrecisionRecallDisplay : Step-wise curves, without minimum curve.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, Theorem 1 and section 4. :arxiv:`1206.4667`

    Examples
    --------
    Published counts at several thresholds, drawn with the curve between them:

    >>> from sklearn_achievable_pr import AchievablePRDisplay, pr_curve_from_counts
    >>> precision, recall, _ = pr_curve_from_counts(
    ...     [9, 13, 20], [0, 84, 2000], interpolate=False
    ... )
    >>> display = AchievablePRDisplay(precision, recall, prevalence=20 / 2020).plot()
    >>> len(recall), len(display.line_.get_xdata()) > 500
    (4, True)
    """

    # The legend shows the `prevalence` that was passed to a class method. The attribute
    # `prevalence` may also be that of the data.
    _reference_prevalence = None

    @classmethod
    def _of_curves(cls, curves, reference, *, band_kind=None, pos_label=None):
        """The display of these curves, computed at this reference prevalence or None."""
        columns = vars(curves[0])
        if len(curves) > 1:
            columns = {key: [getattr(each, key) for each in curves] for key in columns}
        display = cls(**columns | {"band_kind": band_kind, "pos_label": pos_label})
        display._reference_prevalence = reference
        return display

    @_names_curve_kwargs
    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping | Sequence[Mapping] | None = None,
        plot_minimum: bool = True,
        minimum_kwargs: Mapping | None = None,
        plot_chance_level: bool = True,
        chance_level_kwargs: Mapping | None = None,
        plot_iso_f1: bool = False,
        mark_thresholds: bool = False,
        despine: bool = False,
        show_aucnpr: bool = False,
        legend: bool | Mapping = True,
    ) -> Self:
        """Draw the curves, the minimum curve, the chance level and the legend.

        Each legend entry has its own pair of color and line style, also if other displays
        were drawn on the same axes before. A minimum curve, chance level or line of equal
        F1 score that the axes already have is not drawn again. A legend that you draw
        afterwards, by ``ax.legend()`` or ``ax.legend(["A", "B"])``, names only the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None draws on a new figure.
        name : str or list of str, default=None
            Names for the legend, like `name` of the display. None takes those of the
            display.
        curve_kwargs : dict or list of dict, default=None
            Keywords for matplotlib's `plot`. A list has one dict per curve; each curve then
            has its own legend entry. If there are summaries, the keywords are those of the
            summary (a list has one dict per summary), and its folds get the same color.
        plot_minimum : bool, default=True
            Whether to draw the minimum curve and hatch the unachievable region below it.
            With several prevalences on the axes, the region of the lowest prevalence is
            hatched, because no curve can enter this region.
        minimum_kwargs : dict, default=None
            Keywords for matplotlib's `plot` for the minimum curve. A `label` is its text in
            the legend.
        plot_chance_level : bool, default=True
            Whether to draw the chance level of the population, a horizontal line at the
            prevalence.
        chance_level_kwargs : dict, default=None
            As `minimum_kwargs`, for the chance level.
        plot_iso_f1 : bool, default=False
            Whether to draw the lines where F1 is 0.2, 0.4, 0.6 and 0.8.
        mark_thresholds : bool, default=False
            Whether to mark the points of the curve that belong to a threshold.
        despine : bool, default=False
            Whether to remove the top and right spines.
        show_aucnpr : bool, default=False
            Whether the legend shows AUCNPR beside AUC-PR.
        legend : bool or dict, default=True
            Whether to draw the legend: inside the axes passed as `ax`, below the axes of a
            new figure. A dict of keywords for matplotlib's `legend` places it, e.g.
            ``{"loc": "lower left"}``, or outside the axes with ``{"loc": "center left",
            "bbox_to_anchor": (1, 0.5)}``.

        Returns
        -------
        AchievablePRDisplay
            The display itself, drawn.

        Raises
        ------
        ValueError
            If lists of the display differ in length, `recall` increases, or
            `mark_thresholds` is True and all thresholds are unknown, as for counts.
        """
        _drawing.check_place(ax, legend)
        check_flag(plot_minimum, "plot_minimum")
        check_flag(plot_chance_level, "plot_chance_level")
        check_flag(plot_iso_f1, "plot_iso_f1")
        check_flag(mark_thresholds, "mark_thresholds")
        check_flag(despine, "despine")
        check_flag(show_aucnpr, "show_aucnpr")
        minimum_kwargs = check_keywords(minimum_kwargs, "minimum_kwargs")
        chance_level_kwargs = check_keywords(chance_level_kwargs, "chance_level_kwargs")
        curves = check_curves(self if name is None else replace(self, name=name))
        marked = [curve.thresholds for curve in curves if not curve.summary]
        if mark_thresholds and any(np.isnan(np.array(own, float)).all() for own in marked):
            raise ValueError(
                "`mark_thresholds` needs `thresholds`, which this display lacks. Pass "
                "those that `pr_curve_interpolated` returns, or use from_predictions."
            )
        reference = self._reference_prevalence
        styles = curve_styles(ax, curves, curve_kwargs, show_aucnpr, reference)

        is_new = ax is None
        ax = _drawing.new_axes() if ax is None else ax
        self.ax_, self.figure_ = ax, ax.figure.figure
        drawn = _drawing.draw_curves(ax, curves, styles, mark_thresholds)
        shown = _drawing.one_or_list
        self.line_, self.band_ = shown(drawn.lines), shown(drawn.bands)
        self.threshold_marks_ = shown(drawn.threshold_marks)
        self.predicted_point_ = shown(drawn.predicted_points)
        known = sorted({c.prevalence for c in curves if c.prevalence is not None})
        self.minimum_ = self.chance_level_ = self.unachievable_ = None
        if known and plot_minimum:
            lines = _drawing.draw_levels(ax, "minimum", known, minimum_kwargs)
            self.minimum_ = shown(lines)
            self.unachievable_ = _drawing.draw_unachievable(ax, known[0], lines[0])
        if known and plot_chance_level:
            lines = _drawing.draw_levels(ax, "chance", known, chance_level_kwargs)
            self.chance_level_ = shown(lines)
        self.iso_f1_ = _drawing.draw_iso_f1(ax) if plot_iso_f1 else None
        _drawing.finish(ax, self.pos_label, despine, legend, is_new=is_new)
        return self

    def to_frame(self) -> pd.DataFrame:
        """The drawn curves and bands as one table.

        Straight lines between its points look like the curve, so that any program can draw
        it. Minimum curves and chance levels are not in the table.

        Returns
        -------
        pandas.DataFrame
            One row per point, by decreasing recall, with the columns

            - ``name``: name of the curve, with its kind ("tree, achievable") if there are
              two kinds, its number ("tree, 1 of 5") if several have the same name, and
              "mean" for a summary;
            - ``threshold``: samples with `y_score >= threshold` have this precision and
              recall; NaN at interpolated points, at the one point of recall 0, and of
              summaries;
            - ``precision``, ``recall``;
            - ``low``, ``high``: limits of the band, NaN where no band is drawn.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas()
        curves = check_curves(self)
        tables = {
            name: pd.DataFrame(table_of(curve))
            for name, curve in zip(names_of(curves), curves, strict=True)
        }
        return pd.concat(tables, names=["name"]).reset_index("name").reset_index(drop=True)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        curve: str = "empirical",
        prevalence: float | None = None,
        response_method: str | tuple[str, ...] = "auto",
        pos_label: Label | None = None,
        name: str | Sequence[str] | None = None,
        band: str | None = None,
        interval: bool = False,
        ax: Axes | None = None,
        **plot_options: Any,
    ) -> Self:
        """Draw the curve of a fitted estimator, or one curve per class.

        What precision does the estimator have at each recall on these samples? They must
        not have been used to fit it. Each class of several is drawn against the rest.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier or outlier detector, or a Pipeline or search that ends in one.
            For a `HullThresholdClassifierCV`, thresholds and operating point are marked.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input of the estimator.
        y : array-like of shape (n_samples,)
            Binary labels, labels with all `classes_` of a multiclass classifier, or a
            multilabel indicator matrix of shape (n_samples, n_labels). Labels of an outlier
            detector are those that it predicts, -1 (outliers) and 1, or 0 and 1 (outliers).
        sample_weight : array-like of shape (n_samples,), default=None
            As in `from_predictions`.
        groups : array-like of shape (n_samples,), default=None
            As in `from_predictions`.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            As in `from_predictions`.
        prevalence : float, default=None
            As in `from_predictions`.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            Method that computes the scores. ``"auto"`` takes `predict_proba`, and
            `decision_function` of an estimator without it, of an outlier detector, of a
            `HullThresholdClassifierCV`, which has one value per threshold, and of a binary
            classifier with saturated probabilities: if positive and negative samples share
            the probability 1, or 0, and have more than one decision value, with a warning.
            A tuple of both methods takes the first one that the estimator has.
        pos_label : int, float, bool or str, default=None
            The positive label. None means the `pos_label` of a `HullThresholdClassifierCV`
            and, without it, 1 for labels {0, 1} and {-1, 1}, and True for booleans; other
            labels need `pos_label`. Not with several classes.
        name : str or list of str, default=None
            Name for the legend or, with several classes, a list with one name per class in
            the order of `classes_`. None takes the name of the estimator's class or, with
            several classes, the labels of the classes.
        band : {"pointwise", "simultaneous"}, default=None
            As in `from_predictions`.
        interval : bool, default=False
            As in `from_predictions`.
        ax : matplotlib Axes, default=None
            As in `from_predictions`.
        **plot_options : dict
            As in `from_predictions`.

        Returns
        -------
        AchievablePRDisplay
            The drawn display, see `from_predictions`.

        Raises
        ------
        ValueError
            If `y` has labels that are not in `classes_` of the estimator, or lacks a class,
            or `from_predictions` raises `ValueError` for these labels and scores.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from sklearn_achievable_pr import AchievablePRDisplay
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X[::2], y[::2])
        >>> display = AchievablePRDisplay.from_estimator(tree, X[1::2], y[1::2])
        >>> print(display.ax_.get_legend().get_texts()[0].get_text())
        DecisionTreeClassifier (AUC-PR = 0.92)
        """
        estimators.check_scoring_estimator(
            estimator, f"{cls.__name__}.from_predictions(y, estimator.predict(X))"
        )
        is_tuned = estimators.keeps_thresholds(estimator)
        # Only the decision function of a classifier with tuned thresholds has one value per
        # threshold. Probabilities of a detector of PyOD are tied at 0 and 1.
        is_ordinal = is_tuned or estimators.is_detector(estimator)
        first = "decision_function" if is_ordinal else "predict_proba"
        method = estimators.available_method(estimator, response_method, first)
        check_order(y=y, X=X, sample_weight=sample_weight, groups=groups)
        pos_label = estimators.own_pos_label(estimator, pos_label)
        label, score = estimators.scores_of(estimator, X, y, method, pos_label)
        if np.ndim(score) == 1:
            if response_method == "auto" and method == "predict_proba":
                score = unsaturated(estimator, X, y, sample_weight, label, score)
            name = type(estimator).__name__ if name is None else name
        design = Design(label, sample_weight, groups)
        problems = check_problems(y, as_response(score), design, name)
        curves = curves_of(problems, curve, prevalence, band, interval)
        point = predicted_point(estimator, X, y, sample_weight, label, prevalence)
        curves = [replace(each, predicted_point=point) for each in curves]
        display = cls._of_curves(curves, prevalence, band_kind=band, pos_label=pos_label)
        return display.plot(ax, **{"mark_thresholds": is_tuned} | plot_options)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike | Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        curve: str = "empirical",
        prevalence: float | None = None,
        pos_label: Label | None = None,
        name: str | Sequence[str] | None = None,
        band: str | None = None,
        interval: bool = False,
        ax: Axes | None = None,
        **plot_options: Any,
    ) -> Self:
        """Draw the curve of labels and scores, one curve per model, or one per class.

        Each class is drawn against the rest. A micro- or macro-averaged curve has no agreed
        definition and is not drawn; `auc_pr_interpolated` with `average=` averages areas.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
            Binary labels (labels other than {0, 1}, {-1, 1} and booleans need `pos_label`),
            a multilabel indicator matrix, or multiclass labels.
        y_score : array-like of shape (n_samples,) or (n_samples, n_labels), or mapping
            Real, finite scores, higher for the positive class, such as decision values or
            probabilities. A sample is predicted positive if `y_score >= threshold`. One
            column per label for a multilabel indicator matrix, or per class, in sorted
            order, for multiclass labels. For several models of binary labels, a mapping
            from their names to their scores, or a DataFrame with one column per model.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights. A weight of k is the same as k copies of the sample, a
            weight of 0 the same as leaving the sample out.
        groups : array-like of shape (n_samples,), default=None
            Cluster labels, e.g. the patient of each sample. Samples of one cluster count as
            one observation in intervals and tests. If None, samples are treated as
            independent.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds (empirical), the curve of the ROC convex hull
            (achievable), or both.
        prevalence : float, default=None
            Reference prevalence (fraction of positives), inside (0, 1). Negatives are
            reweighted so that the data have this prevalence; true and false positive rates
            do not change. Use a reference prevalence to undo down-sampling. None keeps the
            prevalence of the data. If classes have different prevalences, no minimum curve
            and no chance level are drawn.
        pos_label : int, float, bool or str, default=None
            The positive label. None means 1 for labels {0, 1} and {-1, 1}, and True for
            booleans; other labels need `pos_label`. Not with several classes.
        name : str or list of str, default=None
            Name for the legend or, with several classes, a list with one name per class.
            None means "Classifier" or, with several classes, their labels (such as "Class
            0") or the column names of a data frame. Not with several models.
        band : {"pointwise", "simultaneous"}, default=None
            A 95 % confidence band of the empirical curve at recalls 0.05 to 0.95, by
            a union over points, as in `operating_point_interval`. With probability 0.95
            over samples, the band contains the precision at any one recall ("pointwise"),
            or the curve at all these recalls ("simultaneous"). With weights or
            `groups`, the band is wider by their design effect. Not for the achievable curve
            or with `prevalence`. None draws no band.
        interval : bool, default=False
            Whether the legend shows the 95 % confidence interval of the AUC-PR by
            `auc_pr_interval`.
        ax : matplotlib Axes, default=None
            Axes to draw on. None draws on a new figure.
        **plot_options : dict
            Passed to `plot`, such as ``legend=False``.

        Returns
        -------
        AchievablePRDisplay
            The drawn display. Its `thresholds` are the distinct scores or, of the
            achievable curve, those at the vertices of the hull. If negatives have the
            highest scores, a point with threshold NaN, next to recall 0, shows by its
            precision how many. Interpolated points are only drawn. With several models or
            classes the attributes, such as `auc_pr` and `line_`, are lists with one entry
            per model or class, or with ``curve="both"`` two entries each, ordered by model
            or class. The axis labels show `pos_label` if it was passed.

        Raises
        ------
        ValueError
            If a class is missing, or an option excludes another one.

        Examples
        --------
        >>> from sklearn_achievable_pr import AchievablePRDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
        >>> y_score = [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        >>> display = AchievablePRDisplay.from_predictions(y_true, y_score, name="tied")
        >>> round(display.auc_pr, 4), round(display.aucnpr, 4)
        (0.6141, 0.5364)

        Samples of patients, each of whom has several, have wider bands and intervals:

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> patient = np.repeat(np.arange(60), 5)
        >>> y = (rng.random(300) < rng.choice([0.05, 0.8], 60)[patient]).astype(int)
        >>> score = rng.normal(size=60)[patient] + 1.5 * y
        >>> draw = AchievablePRDisplay.from_predictions
        >>> draw(y, score, interval=True).interval
        0.808 to 0.905
        >>> draw(y, score, groups=patient, interval=True, band="pointwise").interval
        0.76 to 0.93

        One curve per model:

        >>> display = AchievablePRDisplay.from_predictions(
        ...     y_true, {"tied": y_score, "best first": range(10, 0, -1)}
        ... )
        >>> display.name, [round(area, 4) for area in display.auc_pr]
        (['tied', 'best first'], [0.6141, 1.0])
        """
        design = Design(pos_label, sample_weight, groups)
        problems = check_problems(y_true, y_score, design, name)
        curves = curves_of(problems, curve, prevalence, band, interval)
        display = cls._of_curves(curves, prevalence, band_kind=band, pos_label=pos_label)
        return display.plot(ax, **plot_options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        curve: str = "empirical",
        prevalence: float | None = None,
        response_method: str | tuple[str, ...] = ("decision_function", "predict_proba"),
        pos_label: Label | None = None,
        name: str | Sequence[str] | None = None,
        summary: bool = True,
        band: str | None = None,
        ax: Axes | None = None,
        **plot_options: Any,
    ) -> Self:
        """Draw the curves of the folds of a cross-validation, and their summary.

        What precision do the models of the folds have at each recall? The summary of
        `summary_pr_curve`, the mean precision at each recall, is drawn in front of the thin
        curves of the folds. The legend shows the AUC-PR of the summary. This is the mean
        AUC-PR of the folds after they are reweighted to one prevalence, so it can differ
        from `auc_pr_interval_cv`, where each fold keeps its own prevalence.

        Parameters
        ----------
        cv_results : dict
            The result of :func:`sklearn.model_selection.cross_validate` with
            ``return_estimator=True`` and ``return_indices=True``, or the result of
            `cv_results_from_scores`.
        X : {array-like, sparse matrix} of shape (n_samples, n_features), or None
            Input of the estimator. It is not used, and may be None, with
            `cv_results_from_scores`.
        y : array-like of shape (n_samples,)
            Labels; each must be one of the `classes_` of every estimator. For outlier
            detectors they are the labels that the detectors predict, -1 (outliers) and 1,
            or 0 and 1 (outliers). With more than two classes, `pos_label` is compared with
            all others.
        sample_weight : array-like of shape (n_samples,), default=None
            As in `from_predictions`.
        groups : array-like of shape (n_samples,), default=None
            As in `from_predictions`. If a splitter took `groups`, pass them here, too.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            As in `from_predictions`. With both, attributes start with the empirical
            curves.
        prevalence : float, default=None
            Reference prevalence, inside (0, 1), to which every fold is reweighted. None
            takes the prevalence of all samples of all folds; without a summary, None keeps
            the prevalence of each fold.
        response_method : str or tuple of str, default=("decision_function", \
                "predict_proba")
            Method that computes the scores, ``"decision_function"`` or
            ``"predict_proba"``, or a tuple of both; the first one that the estimator has is
            called. The default is the order of the scorers. It is not used with
            `cv_results_from_scores`.
        pos_label : int, float, bool or str, default=None
            The positive label. None means the `pos_label` of a `HullThresholdClassifierCV`
            and, without it, 1 for labels {0, 1} and {-1, 1}, and True for booleans; other
            labels need `pos_label`.
        name : str or list of str, default=None
            Name for the legend; without a summary, a list with one name per curve is
            possible. None shows no name.
        summary : bool, default=True
            Whether to reweight the folds to one prevalence and draw their summary. With
            False folds are reweighted only to a given `prevalence`, the legend shows the
            mean and the standard deviation of their AUC-PR, and the thresholds of a
            `HullThresholdClassifierCV` are marked.
        band : {"folds"}, default=None
            A 95 % band around the summary: the t interval over the folds, separately at
            each recall. It is somewhat too narrow, because folds share training data
            (:ref:`rules-for-folds`). Repeats of a cross-validation test the same samples
            again, so only the folds of one repeat count. None draws no band.
        ax : matplotlib Axes, default=None
            As in `from_predictions`.
        **plot_options : dict
            As in `from_predictions`.

        Returns
        -------
        AchievablePRDisplay
            The drawn display. Its attributes are lists with one entry per curve; summaries
            come last.

        Raises
        ------
        ValueError
            If `cv_results` lacks estimators or indices or is not of this `X` and `y`, every
            fold lacks a class, or a band is requested without a summary or with fewer than
            two folds that test different samples.

        Warns
        -----
        UndefinedMetricWarning, UserWarning
            As `summary_pr_curve`: if a fold lacks a class and is omitted, or the
            prevalences of the folds differ. As `auc_pr_interval_cv`: if the score is
            constant in a fold, or reversed in the mean over the folds.

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
        tree, mean of 3 folds (AUC-PR = 0.93)
        """
        check_flag(summary, "summary")
        check_option(band, "band", (None, "folds"))
        if band is not None and not summary:
            raise ValueError(
                f"`band`={band!r} lies around the summary curve. Pass summary=True too."
            )
        if groups is not None:
            check_order(y=y, X=X, groups=groups, **frames_of(cv_results))
        warn_of_given_labels({"y_score": cv_results}, y)
        folds = [*folds_of(cv_results, X, y, sample_weight, response_method, pos_label)]
        clusters = check_clusters(y, Design(groups=groups))
        data = cv_results, folds, clusters
        curves = fold_curves(*data, curve, prevalence, summary, band)
        tuned = any(estimators.keeps_thresholds(fold.estimator) for fold in folds)
        pos_label = estimators.own_pos_label(folds[0].estimator, pos_label)
        display = cls._of_curves(curves, prevalence, band_kind=band, pos_label=pos_label)
        display.name = name
        return display.plot(ax, **{"mark_thresholds": tuned and not summary} | plot_options)
