"""Plot of precision-recall curves above the minimum curve.

`_plot.display_data` computes what is drawn, `_plot.styles` and `_plot.drawing` draw it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ._input.arrays import as_column
from ._input.estimators import keeps_thresholds
from ._input.options import Label, check_flag, check_option
from ._plot import display_data as data
from ._plot import drawing
from ._plot.styles import BAND_LABELS, check_keywords, curve_styles
from .folds import Fold, folds_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, repr=False)
class AchievablePRDisplay:
    """Precision-recall curve, correctly interpolated, above its minimum curve.

    It is recommended to use
    :meth:`~sklearn_achievable_pr.AchievablePRDisplay.from_estimator`,
    :meth:`~sklearn_achievable_pr.AchievablePRDisplay.from_predictions` or
    :meth:`~sklearn_achievable_pr.AchievablePRDisplay.from_cv_results` to create a display.
    All parameters are stored as attributes.

    Between two points the curve is interpolated linearly in the counts of true and false
    positives [1]_, which is not a straight line. The minimum curve [2]_, below which no
    classifier can be, and the chance level are drawn where the prevalence is known.

    Several curves are a list per parameter: those of folds, or those of the classes of a
    multiclass or multilabel problem, each against the rest. Classes of different prevalence
    have different minimum curves and chance levels, so that neither is drawn for them
    unless `from_predictions` is given one `prevalence`.

    Read more in the :ref:`User Guide <plotting>`.

    Parameters
    ----------
    precision, recall : ndarray or list of ndarray
        Points of the curve by falling recall, as `pr_curve_interpolated`,
        `achievable_pr_curve` and `pr_curve_from_counts` return them, with or without
        points between the vertices; a list for several curves. The last point (recall 0,
        precision 1) that `sklearn.metrics.precision_recall_curve` adds is not drawn: the
        curve starts at the limit of its first segment. A last point (0, 0) means that
        negatives come first; without points between the vertices all false positives of
        the next point are taken to come before its true positives.
    thresholds : ndarray or list of ndarray, default=None
        One fewer than points: `precision[i]` belongs to ``y_score >= thresholds[i]``. NaN
        at points between vertices. None if there are none, e.g. from counts.
    auc_pr : float or list of float, default=None
        AUC-PR of each curve, for the legend.
    aucnpr : float or list of float, default=None
        Normalized AUC-PR of each curve, for the legend.
    name : str or list of str, default=None
        Names for the legend: one for all curves, or one for each. Curves of one name and
        kind share a legend entry, with the mean and the standard deviation of their AUCNPR.
    prevalence : float or list of float, default=None
        Fraction of positives, inside (0, 1), for the minimum curve and the chance level.
        None leaves both out.
    pos_label : int, float, bool or str, default=None
        The positive label, for the axes' labels. None leaves it out.
    curve : {"empirical", "achievable"} or list of these, default="empirical"
        Which curve it is: through all thresholds, or of the ROC convex hull.
    operating_point : (float, float) or list of these, default=None
        Precision and recall of the classifier's predictions. It is marked, and the
        thresholds count as those of a tuning set.
    interval : (float, float) or list of these, default=None
        A 95 % confidence interval of `auc_pr`, for the legend.
    band : ndarray of shape (3, n_points) or list of these, default=None
        Recalls, and the lowest and highest precision of a band there.
    band_kind : {"pointwise", "simultaneous", "folds", "resampled"}, default=None
        What the bands are, for the legend.
    summary : bool or list of bool, default=False
        Whether a curve summarizes the others of its name and kind, which are those of
        folds. They are thin then, and the summary is drawn in front of them through the
        points given, which `summary_pr_curve` makes dense enough.

    Attributes
    ----------
    line_ : matplotlib Artist or list of Artists
        The curve, or one per curve.
    band_ : matplotlib Artist, list of Artists or None
        The bands.
    minimum_ : matplotlib Artist, list of Artists or None
        The minimum curves, one per prevalence. None if not drawn.
    unachievable_ : matplotlib Artist or None
        The region below the (lowest) minimum curve.
    chance_level_ : matplotlib Artist, list of Artists or None
        The chance levels, one per prevalence.
    iso_f1_ : list of Artists or None
        Lines of equal F1 score.
    threshold_marks_ : matplotlib Artist, list of Artists or None
        Marks of the thresholds, one artist per curve.
    operating_point_ : matplotlib Artist, list of Artists or None
        Marks of the operating points.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure with the curve.

    Raises
    ------
    ValueError
        If lists differ in length, `recall` rises, or a value leaves its range.
    TypeError
        If numbers are no numbers, or a name is no string.

    See Also
    --------
    pr_curve_interpolated : The points of the empirical curve.
    achievable_pr_curve : The points of the achievable curve.
    min_precision : The minimum curve.
    sklearn.metrics.PrecisionRecallDisplay : Step-wise curves, without minimum curve.

    References
    ----------
    .. [1] Davis and Goadrich (2006), ICML 23, section 4. :doi:`10.1145/1143844.1143874`
    .. [2] Boyd et al. (2012), ICML 29, Theorem 1 and section 4. :arxiv:`1206.4667`

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

    precision: ArrayLike | Sequence[ArrayLike]
    recall: ArrayLike | Sequence[ArrayLike]
    _: KW_ONLY
    thresholds: ArrayLike | Sequence[ArrayLike] | None = None
    auc_pr: float | Sequence[float] | None = None
    aucnpr: float | Sequence[float] | None = None
    name: str | Sequence[str] | None = None
    prevalence: float | Sequence[float] | None = None
    pos_label: Label | None = None
    curve: str | Sequence[str] = "empirical"
    operating_point: Any = None
    interval: Any = None
    band: Any = None
    band_kind: str | None = None
    summary: bool | Sequence[bool] = False

    def __post_init__(self):
        check_option(self.band_kind, "band_kind", tuple(BAND_LABELS))
        data.check_curves(self, self.name)

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
        fill_unachievable: bool | None = None,
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
            Axes to draw on, with the legend inside. None makes a new figure, with the
            legend below the axes.
        name : str or list of str, default=None
            Names for the legend. None takes those of the display.
        curve_kwargs : dict or list of dict, default=None
            Keywords for matplotlib's `plot`, of the summary where there is one; its folds
            take its colour. With a list of one dict per curve, or per summary, each has an
            entry in the legend.
        plot_minimum : bool, default=True
            Whether to draw the minimum curve, and to hatch the unachievable region below.
        minimum_kw : dict, default=None
            Keywords for matplotlib's `plot` for the minimum curve.
        plot_chance_level : bool, default=True
            Whether to draw the chance level, the prevalence.
        chance_level_kw : dict, default=None
            Keywords for matplotlib's `plot` for the chance level.
        fill_unachievable : bool, default=None
            Whether to hatch the unachievable region. Of several prevalences on the axes
            the lowest counts: no curve can enter the hatched region. None does as
            `plot_minimum` says.
        plot_iso_f1 : bool, default=False
            Whether to draw the lines where F1 is 0.2, 0.4, 0.6 and 0.8.
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
            If `mark_thresholds` is True without thresholds, or with those of counts, which
            are NaN.
        TypeError
            If an option has the wrong type.

        See Also
        --------
        AchievablePRDisplay.from_predictions : From labels and scores to the plot.

        Examples
        --------
        >>> from sklearn_achievable_pr import AchievablePRDisplay, pr_curve_interpolated
        >>> precision, recall, thresholds = pr_curve_interpolated(
        ...     [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]
        ... )
        >>> display = AchievablePRDisplay(
        ...     precision, recall, thresholds=thresholds, prevalence=0.5
        ... ).plot(mark_thresholds=True, name="four samples")
        >>> for text in display.ax_.get_legend().get_texts():
        ...     print(text.get_text())
        four samples
        Thresholds
        Minimum curve (AUC-PR = 0.31)
        Chance level (AUC-PR = 0.50)
        """
        drawing.check_axes(ax)
        check_flag(plot_minimum, "plot_minimum")
        check_flag(plot_chance_level, "plot_chance_level")
        check_flag(plot_iso_f1, "plot_iso_f1")
        check_flag(mark_thresholds, "mark_thresholds")
        check_flag(despine, "despine")
        if fill_unachievable is None:
            fill_unachievable = plot_minimum
        check_flag(fill_unachievable, "fill_unachievable")
        minimum_kw = check_keywords(minimum_kw, "minimum_kw")
        chance_level_kw = check_keywords(chance_level_kw, "chance_level_kw")
        curves = data.check_curves(self, self.name if name is None else name)
        if mark_thresholds and any(
            curve.thresholds is None or np.isnan(curve.thresholds).all()
            for curve in curves
            if not curve.summary
        ):
            raise ValueError(
                "`mark_thresholds` needs `thresholds`, which this display lacks. Pass "
                "those that `pr_curve_interpolated` returns, or use from_predictions."
            )
        n_before = 0 if ax is None else len(drawing.drawn(ax, "curve"))
        styles = curve_styles(curves, curve_kwargs, n_before)

        ax = drawing.new_axes() if ax is None else ax
        self.ax_, self.figure_ = ax, ax.figure
        artists = drawing.draw_curves(ax, curves, styles, self.band_kind, mark_thresholds)
        self.line_, self.band_, self.threshold_marks_, self.operating_point_ = artists
        known = sorted({c.prevalence for c in curves if c.prevalence is not None})
        self.minimum_ = self.chance_level_ = self.unachievable_ = self.iso_f1_ = None
        if known and plot_minimum:
            self.minimum_ = drawing.draw_levels(ax, "minimum", known, minimum_kw)
        if known and plot_chance_level:
            self.chance_level_ = drawing.draw_levels(ax, "chance", known, chance_level_kw)
        if known and fill_unachievable:
            label = None if plot_minimum else "Unachievable region"
            self.unachievable_ = drawing.draw_unachievable(ax, known[0], label)
        if plot_iso_f1:
            self.iso_f1_ = drawing.draw_iso_f1(ax)
        drawing.finish(ax, self.pos_label, despine=despine)
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
        name: str | Sequence[str] | None = None,
        band: str | None = None,
        interval: bool = False,
        ax: Axes | None = None,
        **plot_kwargs: Any,
    ) -> AchievablePRDisplay:
        """Draw the curve of a fitted classifier on some data, or one per class.

        Of several classes ``response_method="auto"`` takes probabilities where there are
        some: the decision values of one class of a multinomial model do not rank samples.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a Pipeline or search that ends in one. Of a
            `HullThresholdClassifierCV` the thresholds and the operating point are marked.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.
        y : array-like of shape (n_samples,)
            Labels: of two classes, of all `classes_` of a multiclass classifier, or a
            multilabel indicator matrix of shape (n_samples, n_labels).
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. A weight of k is the same as k copies of the sample, a
            weight of 0 the same as no sample.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds, that of the ROC convex hull, or both.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for: true and
            false positive rates are kept and the negatives are reweighted. It undoes
            down-sampling. None keeps the fraction of the data.
        response_method : {"auto", "decision_function", "predict_proba"}, default="auto"
            Where scores come from; ``"auto"`` takes the first of the other two that the
            estimator has.
        pos_label : int, float, bool or str, default=None
            The positive label. None takes `classes_[1]` of the estimator; of a
            `HullThresholdClassifierCV` its `pos_label`. Not with several classes.
        name : str or list of str, default=None
            Name for the legend; with several classes a list of one per class, in the order
            of `classes_`. None takes the name of the estimator's class; with several
            classes their labels.
        band : {"pointwise", "simultaneous"}, default=None
            A 95 % confidence band of the empirical curve at recalls 0.05 to 0.95, by
            empirical likelihood: it contains the precision at any one recall
            ("pointwise"), or the curve at all these recalls ("simultaneous"), with
            probability 0.95 over samples. Weights widen it by their design effect. With
            `prevalence`, and for the achievable curve, there is none. None draws none.
        interval : bool, default=False
            Whether the legend has the 95 % confidence interval of the AUC-PR, as
            `auc_pr_interval` has it; of the achievable AUC-PR by resampling, unless all
            resamples agree.
        ax : matplotlib Axes, default=None
            Axes to draw on, with the legend inside. None makes a new figure, with the
            legend below the axes.
        **plot_kwargs : dict
            Options of `plot`: `curve_kwargs`, `plot_minimum`, `minimum_kw`,
            `plot_chance_level`, `chance_level_kw`, `fill_unachievable`, `plot_iso_f1`,
            `mark_thresholds` and `despine`.

        Returns
        -------
        AchievablePRDisplay
            The drawn display. With several classes its attributes are lists with one entry
            per class, as `from_predictions` describes them.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the estimator is no fitted classifier or lacks the response, a class is
            missing in `y` or unknown to the estimator, or as `from_predictions`.

        See Also
        --------
        AchievablePRDisplay.from_predictions : The same from labels and scores.
        AchievablePRDisplay.from_cv_results : One curve per fold.

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
        drawing.check_axes(ax)
        fold = Fold(estimator, X, y, sample_weight)
        options = data.Options(curve, prevalence, name, band, interval)
        curves, pos_label = data.curves_of_estimator(
            fold, response_method, pos_label, options
        )
        plot_kwargs = {"mark_thresholds": keeps_thresholds(estimator)} | plot_kwargs
        display = cls(**data.parameters_of(curves), band_kind=band, pos_label=pos_label)
        return display.plot(ax, **plot_kwargs)

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
        name: str | Sequence[str] | None = None,
        band: str | None = None,
        interval: bool = False,
        ax: Axes | None = None,
        **plot_kwargs: Any,
    ) -> AchievablePRDisplay:
        """Draw the curve of labels and scores, or one per class against the rest.

        Of several classes there is no micro- or macro-averaged curve: there is no agreed
        definition of one. The average of the areas is `auc_pr_interpolated` with
        `average=`.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or (n_samples, n_labels)
            Binary labels ({0, 1}, {-1, 1} and booleans are understood, others need
            `pos_label`), a multilabel indicator matrix, or multiclass labels.
        y_score : array-like of shape (n_samples,) or (n_samples, n_labels)
            Scores that are higher for the positive class: decision values, probabilities,
            anything real and finite. Positive means `y_score >= threshold`. One column per
            label for a multilabel indicator matrix, or per class, in sorted order, for
            multiclass labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. A weight of k is the same as k copies of the sample, a
            weight of 0 the same as no sample.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds, that of the ROC convex hull, or both.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that the data are to stand for: true and
            false positive rates are kept and the negatives are reweighted. It undoes
            down-sampling. None keeps the fraction of the data. With several classes the
            minimum curve and the chance level are drawn only where all classes share a
            prevalence, e.g. this one: curves of classes with different prevalences have
            different minimum curves.
        pos_label : int, float, bool or str, default=None
            The positive label. None stands for 1 with {0, 1} and {-1, 1} and for True with
            booleans; other labels need it. Not with several classes.
        name : str or list of str, default=None
            Name for the legend; with several classes a list of one per class. None stands
            for "Classifier"; with several classes for their labels, or the columns of a
            data frame.
        band : {"pointwise", "simultaneous"}, default=None
            A 95 % confidence band of the empirical curve at recalls 0.05 to 0.95, by
            empirical likelihood: it contains the precision at any one recall
            ("pointwise"), or the curve at all these recalls ("simultaneous"), with
            probability 0.95 over samples. Weights widen it by their design effect. With
            `prevalence`, and for the achievable curve, there is none. None draws none.
        interval : bool, default=False
            Whether the legend has the 95 % confidence interval of the AUC-PR, as
            `auc_pr_interval` has it; of the achievable AUC-PR by resampling, unless all
            resamples agree.
        ax : matplotlib Axes, default=None
            Axes to draw on, with the legend inside. None makes a new figure, with the
            legend below the axes.
        **plot_kwargs : dict
            Options of `plot`: `curve_kwargs`, `plot_minimum`, `minimum_kw`,
            `plot_chance_level`, `chance_level_kw`, `fill_unachievable`, `plot_iso_f1`,
            `mark_thresholds` and `despine`.

        Returns
        -------
        AchievablePRDisplay
            The drawn display. Its `precision`, `recall` and `thresholds` hold one point
            per distinct score and, with NaN as threshold, points between them. With
            several classes the attributes of the display and its artists, such as
            `auc_pr` and `line_`, are lists with one entry per class, or with
            ``curve="both"`` one per class and curve, class after class; `prevalence` holds
            None where the classes have different ones, and `pos_label` is None.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If a class is missing, an option is unknown, a band is requested with
            `prevalence` or of the achievable curve, the columns of `y_score` do not match
            the classes, `name` has not one entry per class, `pos_label` is passed with
            several classes, or the arrays are not as `auc_pr_interpolated` needs them.
        TypeError
            If `y_score` or `sample_weight` are not real numbers, or `y_true` is not
            labels.

        See Also
        --------
        AchievablePRDisplay.from_estimator : The same from a classifier and data.
        auc_pr_interval : The interval in the legend.
        auc_pr_interpolated : The AUC-PR in the legend.
        aucnpr : The normalized AUC-PR in the legend.

        Examples
        --------
        >>> from sklearn_achievable_pr import AchievablePRDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
        >>> y_score = [0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        >>> display = AchievablePRDisplay.from_predictions(y_true, y_score, name="tied")
        >>> round(display.auc_pr, 4), round(display.aucnpr, 4)
        (0.6141, 0.5364)

        One curve per class:

        >>> y_true = ["a", "a", "b", "b", "c", "c"]
        >>> y_score = [
        ...     [5, 2, 3], [4, 5, 1], [1, 6, 4], [3, 4, 2], [2, 1, 6], [2, 3, 5]
        ... ]
        >>> display = AchievablePRDisplay.from_predictions(y_true, y_score)
        >>> display.name, [round(area, 4) for area in display.auc_pr]
        (['a', 'b', 'c'], [1.0, 0.7973, 1.0])
        """
        drawing.check_axes(ax)
        options = data.Options(curve, prevalence, name, band, interval)
        curves, pos_label = data.curves_of_predictions(
            y_true, y_score, sample_weight, pos_label, options
        )
        display = cls(**data.parameters_of(curves), band_kind=band, pos_label=pos_label)
        return display.plot(ax, **plot_kwargs)

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
        summary: bool = True,
        band: str | None = None,
        ax: Axes | None = None,
        **plot_kwargs: Any,
    ) -> AchievablePRDisplay:
        """Draw the curves of the folds of a cross-validation, and their summary.

        All folds are reweighted to one prevalence. In front of their thin curves is the
        summary, `summary_pr_curve`: the mean precision at each recall, whose AUC-PR and
        AUCNPR, in the legend, are the means of theirs.

        Parameters
        ----------
        cv_results : dict
            What :func:`sklearn.model_selection.cross_validate` returns with
            ``return_estimator=True`` and ``return_indices=True``.
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Input values, whatever the estimator takes.
        y : array-like of shape (n_samples,)
            Binary labels; there are no summaries of several classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative. A weight of k is the same as k copies of the sample, a
            weight of 0 the same as no sample.
        curve : {"empirical", "achievable", "both"}, default="empirical"
            The curve through all thresholds, that of the ROC convex hull, or both. The
            empirical curves of all folds come first.
        prevalence : float, default=None
            Fraction of positives, inside (0, 1), that every fold is to stand for. None
            takes that of all folds' samples together; without a summary each keeps its own.
        response_method : {"auto", "decision_function", "predict_proba"}, default="auto"
            Where scores come from; ``"auto"`` takes the first of the other two that the
            estimator has.
        pos_label : int, float, bool or str, default=None
            The positive label. None takes `classes_[1]` of the estimator; of a
            `HullThresholdClassifierCV` its `pos_label`.
        name : str or list of str, default=None
            Name for the legend; without a summary a list has one for each curve. None
            shows no name.
        summary : bool, default=True
            Whether to reweight the folds to one prevalence and draw their summary. False
            draws each fold as it is, with the mean and the standard deviation of their
            AUCNPR in the legend, and of a `HullThresholdClassifierCV` marks the thresholds.
        band : {"folds", "resampled"}, default=None
            A 95 % band around the summary. "folds" is the t interval over the folds, at
            each recall separately; "resampled" contains 95 % of the summaries of resampled
            folds and samples, each at all recalls. Folds share training data: neither is
            exact.
        ax : matplotlib Axes, default=None
            Axes to draw on, with the legend inside. None makes a new figure, with the
            legend below the axes.
        **plot_kwargs : dict
            Options of `plot`: `curve_kwargs`, `plot_minimum`, `minimum_kw`,
            `plot_chance_level`, `chance_level_kw`, `fill_unachievable`, `plot_iso_f1`,
            `mark_thresholds` and `despine`.

        Returns
        -------
        AchievablePRDisplay
            The drawn display; its attributes are lists with one entry per curve, the
            summaries last. A fold in which a class is missing is left out, with an
            :class:`~sklearn.exceptions.UndefinedMetricWarning`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `cv_results` lacks estimators or indices or does not belong to `X`, an
            estimator is not a binary classifier, or a class is missing in every fold.

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
        tree, mean of 3 folds
        interpolated AUC-PR = 0.93, AUCNPR = 0.88
        """
        drawing.check_axes(ax)
        check_flag(summary, "summary")
        check_option(band, "band", (None, "folds", "resampled"))
        if band is not None and not summary:
            raise ValueError(
                f"`band`={band!r} lies around the summary curve. Pass summary=True too."
            )
        as_column(y, "y")
        folds = folds_of(cv_results, X, y, sample_weight)
        curves, pos_label = data.fold_curves(
            folds, response_method, pos_label, curve, prevalence, summary, band
        )
        tuned = any(keeps_thresholds(fold.estimator) for fold in folds)
        plot_kwargs = {"mark_thresholds": tuned and not summary} | plot_kwargs
        parameters = data.parameters_of(curves) | {"name": name}
        display = cls(**parameters, band_kind=band, pos_label=pos_label)
        return display.plot(ax, **plot_kwargs)
