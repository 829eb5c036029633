"""Results as text and as tables of a notebook, and numbers as text."""

import math
from html import escape
from itertools import zip_longest
from textwrap import TextWrapper

# A line has at most `WIDTH` characters, and a line of a cell at most `CELL_WIDTH`, so that
# two cells fit into a line.
WIDTH, CELL_WIDTH, _GAP = 88, 43, "  "
_WRAP = TextWrapper(WIDTH, break_on_hyphens=False)
_NARROW = TextWrapper(CELL_WIDTH, break_on_hyphens=False)


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


# Numbers: a value, a value with limits, a p-value, a percentage and a count.

# A number that is NaN, such as the precision where no sample is predicted positive.
UNDEFINED = "undefined"
# The limits of an interval that is not wider than this differ only by rounding.
_NO_WIDTH = 1e-14


def value_text(value, *, digits=None, decimals=None):
    """A number with these decimals or these digits, or with six without trailing zeros.

    With decimals, a number that rounds to 0 has no sign. Otherwise a number that is not an
    integer does not look like one: a probability just below 1 has all its digits.
    """
    if math.isnan(value):
        return UNDEFINED
    if decimals is not None:
        return f"{value:z.{decimals}f}"
    forms = [".6g"] if digits is None else [f"#.{digits}g", ".6g"]
    texts = (format(value, form) for form in forms)
    # Sums of weights have rounding errors, which ten digits do not show.
    full = f"{value:.10g}" if value > 1 else str(value).removesuffix(".0")
    return next((text for text in texts if not float(text).is_integer()), full)


def with_limits(value_and_limits, decimals):
    """A value and its limits as text such as 0.70 (0.61, 0.78) or 0.70 (at least 0.61)."""
    value, low, high = value_and_limits
    if math.isnan(value):
        return UNDEFINED
    limits = limits_text(low, high, decimals, between=", ")
    return f"{value_text(value, decimals=decimals)} ({limits})"


def limits_text(low, high, decimals, between=" to "):
    """Limits as text; an infinite one is that which a one-sided interval does not have."""
    if math.isinf(high):
        return f"at least {value_text(low, decimals=decimals)}"
    if math.isinf(low):
        return f"at most {value_text(high, decimals=decimals)}"
    if math.isnan(low) and math.isnan(high):
        return UNDEFINED
    return between.join(value_text(limit, decimals=decimals) for limit in (low, high))


def pvalue_text(pvalue):
    """A p-value with three decimals."""
    return "< 0.001" if pvalue < 0.001 else value_text(pvalue, decimals=3)


def percent_text(share, digits=None):
    """A share as text such as 95 %; with `digits` it is 0 or 100 % only if it is exact."""
    if digits is None:
        return f"{100 * share:.10g} %"
    percent = f"{100 * share:#.{digits}g}".rstrip(".")
    if float(percent) in (0.0, 100.0):
        percent = value_text(round(100 * share, 6))
    return f"{percent} %"


def count_text(n, noun):
    """A number of things as text."""
    return f"{n} {noun}{'s' * (n != 1)}"


def decimals_for(width, least=2):
    """Number of decimals that show two digits of a number, the width of an interval."""
    if not _NO_WIDTH < width < math.inf:
        return 4
    return max(least, 1 - math.floor(math.log10(width)))


def decimals_of_column(rows, *, are_differences=False):
    """Number of decimals of a column: as many as its narrowest interval needs.

    `rows` are values with their limits. No limit of a difference looks like 0, unless it
    is 0, because a reader looks at the signs of the limits: do both lie on one side of 0?
    """
    rows = [*rows]
    widths = [_interval_width(*row) for row in rows]
    known = [width for width in widths if _NO_WIDTH < width < math.inf]
    decimals = decimals_for(min(known, default=0.0))
    limits = [limit for _, *both in rows for limit in both] if are_differences else []
    for limit in limits:
        if _NO_WIDTH < abs(limit) < math.inf:
            while not float(value_text(limit, decimals=decimals)):
                decimals += 1
    return decimals


def _interval_width(value, low, high):
    """Width of an interval; a one-sided one is mirrored at its value."""
    if math.isinf(low):
        return 2 * (high - value)
    return 2 * (value - low) if math.isinf(high) else high - low


# Phrases


def sizes_text(n_samples, n_positive, n_clusters=None, is_weighted=False):
    """Numbers of samples, of clusters, if there are any, and of positives as text."""
    return f"{samples_text(n_samples, n_clusters, is_weighted)}, {n_positive} positive"


def samples_text(n_samples, n_clusters=None, is_weighted=False):
    """Numbers of samples and, if there are any, of clusters as text."""
    samples = count_text(n_samples, "sample") + " (weighted)" * is_weighted
    clusters = "" if n_clusters is None else f" in {count_text(n_clusters, 'cluster')}"
    return samples + clusters


def prevalence_text(prevalence):
    """A reference prevalence as text; empty for None."""
    return "" if prevalence is None else f", at prevalence {value_text(prevalence)}"


def compared_with(response_method):
    """What a threshold is compared with, as text: the scores that a method computes."""
    if response_method is None:
        return "y_score"
    # The method is that of the classifier inside; the wrapper has methods of its own.
    method = response_method.removeprefix("-")
    return f"{'-' * response_method.startswith('-')}estimator_.{method}"
