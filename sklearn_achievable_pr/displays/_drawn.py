"""What is drawn or written of a curve: its points, its band and its texts.

A display draws them and the program writes them. No module here imports matplotlib, or a
module of this folder.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._input import options
from .._input.arrays import as_numbers, on_host
from .._input.options import Label
from .._roc.curve import PLOT_TOLERANCE, inserted, interpolated_evenly, precision_of
from ..metrics._areas import area, normalized_area
from ..metrics._operating_points import curve_of
from ..metrics._unachievable import lowest_area

# The kinds of bands, with their texts in the legend.
BAND_LABELS = {
    None: "Band",
    "pointwise": "95 % pointwise band",
    "simultaneous": "95 % simultaneous band",
    "folds": "95 % band, t interval over folds",
}
# A legend entry may have these areas, which are fields of `Curve`.
_AREAS = {"AUC-PR": "auc_pr", "AUCNPR": "aucnpr"}
# A line of a legend entry has at most this many characters.
WIDTH = 40


@dataclass(eq=False, repr=False)
class Curve:
    """Parameters of a display: of one curve, or lists with one entry per curve."""

    precision: ArrayLike | Sequence[ArrayLike]
    recall: ArrayLike | Sequence[ArrayLike]
    _: KW_ONLY
    thresholds: ArrayLike | Sequence[ArrayLike | None] | None = None
    auc_pr: float | Sequence[float | None] | None = None
    aucnpr: float | Sequence[float | None] | None = None
    name: str | Sequence[str | None] | None = None
    prevalence: float | Sequence[float | None] | None = None
    pos_label: Label | None = None
    curve: str | Sequence[str] = "empirical"
    predicted_point: ArrayLike | Sequence[ArrayLike | None] | None = None
    interval: ArrayLike | Sequence[ArrayLike | None] | None = None
    band: ArrayLike | Sequence[ArrayLike | None] | None = None
    band_kind: str | None = None
    summary: bool | Sequence[bool] = False


def check_curves(display: Any) -> list[Any]:
    """The checked parameters of a display as one `Curve` per curve."""
    points = display.precision
    several = isinstance(points, list) and any(map(np.iterable, points))
    n_curves = len(points) if several else 1
    columns = {field.name: getattr(display, field.name) for field in fields(Curve)}
    for label, values in columns.items():
        if not several or not isinstance(values, list | np.ndarray):
            values = [values] * n_curves
        if len(values) != n_curves:
            raise ValueError(
                f"`{label}` must have one entry per curve, {n_curves}. Got {len(values)}."
            )
        columns[label] = values
    rows = zip(*columns.values(), strict=True)
    return [_checked_curve(Curve(**dict(zip(columns, row, strict=True)))) for row in rows]


def _checked_curve(curve):
    """The curve with arrays instead of array-likes; raises if a value is invalid."""
    of_points = {
        name: on_host(getattr(curve, name), name) for name in ("precision", "band")
    }
    n_points = max(of_points["precision"].size, 2)
    shapes = {"precision": (n_points,), "recall": (n_points,), "auc_pr": (), "aucnpr": ()}
    shapes["thresholds"] = (n_points - 1,)  # recall 0 has no threshold
    shapes |= {"predicted_point": (2,), "interval": (2,)}
    shapes["band"] = (3, max(of_points["band"].size // 3, 1))
    for label, shape in shapes.items():
        values = getattr(curve, label)
        if values is None and label not in ("precision", "recall"):
            continue
        values = as_numbers(on_host(values, label), label)
        if values.shape != shape:
            raise ValueError(f"`{label}` must have shape {shape}. Got {values.shape}.")
        if label not in ("thresholds", "auc_pr", "aucnpr"):
            values = options.check_fractions(values, label)
        curve = replace(curve, **{label: values})
    options.check_prevalence(curve.prevalence)
    options.check_flag(curve.summary, "summary")
    options.check_option(curve.band_kind, "band_kind", tuple(BAND_LABELS))
    options.check_option(curve.curve, "curve", options.CURVES)
    if curve.recall[0] == 0 or np.any(np.diff(curve.recall) > 0):
        raise ValueError(
            "`recall` must fall from point to point, as the curve functions return it. "
            "Reverse points in another order, e.g. `recall[::-1]`."
        )
    if np.any((curve.precision == 0) & (curve.recall > 0)):
        raise ValueError("`precision` must be above 0 where `recall` is. Got 0.")
    needed = "a string, or with several curves a list of one string per curve"
    options.check_type(curve.name, "name", str | None, needed)
    return curve


def table_of(curve):
    """Columns of the table of a curve: its points and the limits of its band there."""
    recall, precision, threshold = (column[::-1] for column in drawn_points(curve))
    low = high = np.full(len(recall), np.nan)
    if curve.band is not None:
        at, *limits = curve.band
        low, high = (np.interp(recall, at, y, left=np.nan, right=np.nan) for y in limits)
    columns = {"threshold": threshold, "precision": precision, "recall": recall}
    return columns | {"low": low, "high": high}


def names_of(curves):
    """A name per curve, all different: numbers tell apart curves that share a name."""
    several_kinds = len({curve.curve for curve in curves}) > 1
    keys = [(curve.name, curve.curve, curve.summary) for curve in curves]
    names = []
    for i, (name, kind, summary) in enumerate(keys):
        n_same = keys.count(keys[i])
        parts = [name] if name else []
        parts += [kind] if several_kinds else []
        parts += [f"{keys[:i].count(keys[i]) + 1} of {n_same}"] if n_same > 1 else []
        parts += ["mean"] if summary else []
        names.append(", ".join(parts))
    return names


def _after_negatives(fps, tps, step):
    """The points and, if negatives come first, one more just after the last of these.

    The precision of this point shows how many negatives come first; the precision 0 at
    recall 0 does not. Parameters and result are those of `interpolated`; `step` is a
    fraction of the segment.
    """
    last = np.searchsorted(tps, 0, "right") - 1
    segment = np.array([last] if last else [], dtype=np.int64)
    return inserted(fps, tps, segment, step * tps[segment + 1])


def drawn_curve(roc, kind, prevalence, spacing=1e-12, between=_after_negatives):
    """The `Curve` of a ROC curve; `prevalence=None` keeps the prevalence of the samples.

    `spacing` and `between` are the parameters of `curve_of`. By default the curve has only
    the points that determine it; a display interpolates when it draws.
    """
    roc = roc.of_kind(kind).at_prevalence(prevalence)
    if prevalence is None:
        prevalence = float(roc.n_pos) / (float(roc.n_pos) + float(roc.n_neg))
    precision, recall, thresholds = curve_of(roc, spacing, between)
    unmeasured = Curve(precision, recall, thresholds=thresholds, prevalence=prevalence)
    return replace(unmeasured, auc_pr=area(roc), aucnpr=normalized_area(roc), curve=kind)


def kinds_of(curve):
    """The kinds of curve that the option `curve` means: one kind, or both."""
    options.check_option(curve, "curve", (*options.CURVES, "both"))
    return options.CURVES if curve == "both" else (curve,)


def drawn_points(curve):
    """Recall, precision and threshold of the points of a line, by increasing recall.

    The threshold is NaN at recall 0, at interpolated points, and where it is unknown.
    """
    recall, precision = curve.recall[::-1], curve.precision[::-1]
    threshold = np.full(len(recall), np.nan)
    if curve.thresholds is not None:
        threshold[1:] = curve.thresholds[::-1]
    # The points of a summary of several ROC curves are dense enough without interpolation.
    if curve.summary:
        return recall, precision, threshold
    recall, precision, index = _polyline(recall, precision)
    return recall, precision, np.where(index < 0, np.nan, threshold[index])


def _polyline(recall, precision):
    """Recall and precision of a curve, with enough points to look like a curve.

    The third array has the index of each point in `recall`, and -1 for a new point.
    """
    inner = recall > 0
    # Counts are in units of all positives. They are linear between two points.
    t, f = recall[inner], recall[inner] * (1 - precision[inner]) / precision[inner]
    place = np.flatnonzero(inner)
    if not inner.all():
        place = np.append(0, place)
        # A precision of 0 at recall 0 means that negatives come first, as many as the next
        # point has. Otherwise the curve starts at the limit of its first segment.
        t = np.append(0.0, t)
        f = np.append(f[0] if 0 in precision[~inner] else 0.0, f)
    f, t, index = interpolated_evenly(f, t, PLOT_TOLERANCE)
    return t, precision_of(f, t), np.where(index < 0, -1, place[index])


def minimum_line(prevalence):
    """Recall and precision of the minimum curve, the curve of the worst ranking."""
    return _polyline(np.array([0.0, 1.0]), np.array([0.0, prevalence]))[:2]


# Texts


def text_of_band(curve):
    """Text in the legend of the band of a curve, with its recalls if these are not all."""
    text, recall = BAND_LABELS[curve.band_kind], curve.band[0]
    if recall[0] <= 0 and recall[-1] >= 1:
        return text
    return f"{text}, recall {recall[0]:g} to {recall[-1]:g}"


def text_of_level(role, prevalences):
    """Text in the legend of minimum curves or of chance levels at rising prevalences."""
    if role == "minimum":
        return f"AUC-PR = {mean_and_spread(lowest_area(np.array(prevalences)))}"
    ends = dict.fromkeys(f"{pi:.3g}" for pi in (prevalences[0], prevalences[-1]))
    return f"prevalence {' to '.join(ends)}"


def entry_label(shown, n_folds, show_aucnpr, reference):
    """Legend text of curves that share one entry, or of the summary of `n_folds` folds.

    It is None without a name and areas.
    """
    name = _name_of_entry(shown[0].name, n_folds)
    text = ", ".join(_values_of_entry(shown, show_aucnpr, reference))
    if text and shown[0].curve == "achievable":
        text = f"achievable {text}"
    one_line = f"{name} ({text})" if name and text else name or text
    if len(one_line) > WIDTH:
        one_line = "\n".join([*textwrap.wrap(name, WIDTH), text]).strip()
    return legend_text(one_line) or None


def _name_of_entry(name, n_folds):
    """The name in a legend entry, with the number of folds if there are any."""
    if not n_folds:
        return name or ""
    folds = f"mean of {n_folds} folds" if n_folds > 1 else "1 fold"
    # A capital letter begins an entry.
    return f"{name}, {folds}" if name else folds[0].upper() + folds[1:]


def _values_of_entry(shown, show_aucnpr, reference):
    """Texts of the areas that all curves of an entry have, and of an interval."""
    values = []
    for text, field in _AREAS.items():
        areas = [getattr(curve, field) for curve in shown]
        if None not in areas and (show_aucnpr or field != "aucnpr"):
            values.append(f"{text} = {mean_and_spread(areas)}")
            interval = shown[0].interval
            if len(shown) == 1 and field == "auc_pr" and interval is not None:
                values.append("95 % CI {:.2f} to {:.2f}".format(*interval))
    if values and reference is not None:
        values.append(f"at prevalence {reference:.3g}")
    return values


def legend_text(text):
    """The literal text with a space before a first underscore, which legends would hide."""
    return literal(f" {text}" if text.startswith("_") else text)


def literal(text):
    """The text with dollars escaped, so that matplotlib reads no formula in it."""
    return text.replace("$", r"\$")


def mean_and_spread(values):
    """One value, or the mean and the standard deviation of several, as text."""
    spread = f" +/- {np.std(values):.2f}" if len(values) > 1 else ""
    return f"{np.mean(values):.2f}{spread}"
