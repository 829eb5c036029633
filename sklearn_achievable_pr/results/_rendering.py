"""Results as text and as tables of a notebook, and numbers as text."""

import math
from html import escape
from itertools import zip_longest
from textwrap import TextWrapper

import numpy as np

# A line has at most `WIDTH` characters, and a line of a cell at most `CELL_WIDTH`, so that
# two cells fit into a line.
WIDTH, CELL_WIDTH, _GAP = 88, 43, "  "
_WRAP = TextWrapper(WIDTH, break_on_hyphens=False)
_NARROW = TextWrapper(CELL_WIDTH, break_on_hyphens=False)


def shown(value):
    """A number or an array as text with at most eight digits after the point."""
    return np.array2string(np.asarray(value), precision=8, threshold=20)


def as_text(blocks):
    """The blocks of `_blocks` as text; an empty line stands before and after a table."""
    text = ""
    for i, block in enumerate(blocks):
        is_beside_table = i and (isinstance(block, list) or isinstance(blocks[i - 1], list))
        text += ("\n\n" if is_beside_table else "\n" * (i > 0)) + _block_text(block)
    return text


def _block_text(block):
    """One block as text, at most 88 characters wide."""
    if isinstance(block, list):
        return "\n\n".join(map(_lines_of, _parts(block)))
    if isinstance(block, dict):
        block = "\n".join(f"{label}: {value}" for label, value in block.items())
    return "\n".join(_WRAP.fill(line) for line in block.split("\n"))


def _parts(rows):
    """A table as tables that fit: lists of lines, all with the same first column.

    A line is a list of cells, and the first line has the titles.
    """
    lines = [[*rows[0]], *([*row.values()] for row in rows)]
    columns = zip(*lines, strict=True)
    first, *others = ([_NARROW.fill(cell) for cell in column] for column in columns)
    parts, width_left = [], 0
    for column in others:
        width = _width(column) + len(_GAP)
        if width > width_left:
            parts.append([first])
            width_left = WIDTH - _width(first)
        parts[-1].append(column)
        width_left -= width
    return [[*zip(*part, strict=True)] for part in parts]


def _width(column):
    """Number of characters of the widest line of the cells of a column."""
    return max(len(line) for cell in column for line in cell.split("\n"))


def _lines_of(part):
    """A table that fits as text; a cell may have several lines."""
    widths = [_width(column) for column in zip(*part, strict=True)]
    lines = []
    for cells in part:
        for texts in zip_longest(*(cell.split("\n") for cell in cells), fillvalue=""):
            padded = (text.ljust(n) for text, n in zip(texts, widths, strict=True))
            lines.append(_GAP.join(padded).rstrip())
    return "\n".join(lines)


def as_html(block):
    """One block of `_blocks` as HTML, with the class that pandas gives its tables."""
    if isinstance(block, str):
        return f"<div>{escape(block)}</div>"
    if isinstance(block, list):
        return "\n".join(_html_table(*part) for part in _parts(block))
    return _html_table((), *block.items())


def _html_table(titles, *lines):
    """A table as HTML; the first cell of each line is its label."""
    rows = ["".join(f"<th>{escape(title)}</th>" for title in titles)]
    for label, *cells in lines:
        values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f"<th>{escape(label)}</th>{values}")
    table = "".join(f"<tr>{row}</tr>" for row in rows if row)
    return f'<table border="1" class="dataframe">{table}</table>'


def sentence(text):
    """A text with an upper-case first letter."""
    return text[0].upper() + text[1:]


def number_text(value, digits=None):
    """A number with these digits, or with six without trailing zeros.

    A number that is not an integer does not look like one: a probability just below 1 has
    all its digits.
    """
    if math.isnan(value):
        return UNDEFINED
    forms = [".6g"] if digits is None else [f"#.{digits}g", ".6g"]
    texts = (format(value, form) for form in forms)
    # Sums of weights have rounding errors, which ten digits do not show.
    full = f"{value:.10g}" if value > 1 else str(value).removesuffix(".0")
    return next((text for text in texts if not float(text).is_integer()), full)


def rate_text(value):
    """A rate with two digits or, just below 1, with two digits of what is missing to 1."""
    is_almost_one = value < 1 and round(value, 2) == 1
    return number_text(value, 1 - math.floor(math.log10(1 - value)) if is_almost_one else 2)


# The limits of an interval that is not wider than this differ only by rounding.
_NO_WIDTH = 1e-14


def decimals_for(width, least=2):
    """Number of decimals that show two digits of a number, the width of an interval."""
    if not _NO_WIDTH < width < math.inf:
        return 4
    return max(least, 1 - math.floor(math.log10(width)))


def decimals_of_column(intervals):
    """Number of decimals of a column of intervals: as many as the narrowest one needs."""
    widths = [high - low for low, high in intervals]
    known = [width for width in widths if _NO_WIDTH < width < math.inf]
    return decimals_for(min(known, default=0.0))


def decimals_beside_zero(limits, decimals):
    """Number of decimals with which no limit of a difference looks like 0, unless it is 0.

    A reader looks at the signs of the limits: do both lie on one side of 0?
    """
    for limit in limits:
        if _NO_WIDTH < abs(limit) < math.inf:
            while not float(rounded(limit, decimals)):
                decimals += 1
    return decimals


# A number that is NaN, such as the precision where no sample is predicted positive.
UNDEFINED = "undefined"


def rounded(value, decimals):
    """A number with these decimals; a number that rounds to 0 has no sign."""
    return UNDEFINED if math.isnan(value) else f"{value:z.{decimals}f}"


def with_limits(value, limits, decimals):
    """A value and its limits as text such as 0.70 (0.61, 0.78) or 0.70 (at least 0.61)."""
    if math.isnan(value):
        return UNDEFINED
    sides = ", ".join(rounded(limit, decimals) for limit in limits)
    return f"{rounded(value, decimals)} ({one_sided_text(limits, decimals) or sides})"


def one_sided_text(limits, decimals):
    """The finite one of two limits as text; empty if both are finite."""
    low, high = limits
    if math.isinf(high):
        return f"at least {rounded(low, decimals)}"
    return f"at most {rounded(high, decimals)}" if math.isinf(low) else ""


def pvalue_text(pvalue):
    """A p-value with three decimals."""
    if math.isnan(pvalue):
        return UNDEFINED
    return "< 0.001" if pvalue < 0.001 else f"{pvalue:.3f}"


def percent(level):
    """A confidence level as text such as 95 %."""
    return f"{100 * level:.10g} %"


def prevalence_text(prevalence):
    """A reference prevalence as text; empty for None."""
    return "" if prevalence is None else f", at prevalence {number_text(prevalence)}"


def compared_with(response_method):
    """What a threshold is compared with, as text: the scores that a method computes."""
    if response_method is None:
        return "y_score"
    # The method is that of the classifier inside; the wrapper has methods of its own.
    method = response_method.removeprefix("-")
    return f"{'-' * response_method.startswith('-')}estimator_.{method}"


def samples_text(n_samples, n_clusters=None, is_weighted=False):
    """Numbers of samples and, if there are any, of clusters as text."""
    samples = f"{n_samples} sample{'s' * (n_samples != 1)}{' (weighted)' * is_weighted}"
    if n_clusters is None:
        return samples
    return f"{samples} in {n_clusters} cluster{'s' * (n_clusters != 1)}"


def folds_text(n_folds, n_repeats, fewest_positives):
    """The folds of a cross-validation, and the positives of the fold with the fewest."""
    positives = f"{fewest_positives} positive{'s' * (fewest_positives != 1)}"
    if n_folds == 1:
        return f"1 fold, {positives}"
    repeats = f" in {n_repeats} repeats" if n_repeats > 1 else ""
    return f"{n_folds} folds{repeats}, at least {positives} in each"
