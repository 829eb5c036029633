"""Results as text: a table, JSON or CSV."""

from __future__ import annotations

import contextlib
import csv
import decimal
import io
import json
import math
import os
import sys

from .beyond_memory import BOUND_TITLES
from .files import told
from .how_sure import PAIR_TITLES
from .opened import printable, shown_name
from .results import ALL_RECALLS, titles

_PAIR_KEYS = [*PAIR_TITLES][2:]
# Values that are shown as they were given.
_AS_GIVEN = {"assumed_prevalence", "recall_low", "recall_high", "confidence_level"}
_AREA_HIGHS = ("auc_pr_high", "auc_pr_achievable_high")
_ROUNDED = {"low": decimal.ROUND_FLOOR, "high": decimal.ROUND_CEILING}


def names_of(results):
    """Keys of what tells the results apart."""
    names = {
        "file": True,
        "score": any(result.score for result in results),
        "fold": any(result.fold != "" for result in results),
    }
    return [name for name, tells in names.items() if tells]


def _as_table(results, pairs, options):
    """One result as a list of its values, several as a line each; then the pairs."""
    text = _table_of_results(results, options)
    if not pairs:
        return text
    lines = [*zip(*(t.rpartition(" ")[::2] for t in PAIR_TITLES.values()), strict=True)]
    for first, second, *values in (pair.values() for pair in pairs):
        shown = [_cell(key, v) for key, v in zip(_PAIR_KEYS, values, strict=True)]
        lines.append((printable(first), printable(second), *shown))
    return text + "\n" + _aligned(lines, 2)


def _table_of_results(results, options):
    is_part = tuple(options.recall_range) != ALL_RECALLS
    asked = {"recall_low": is_part, "recall_high": is_part}
    assumed = options.prevalence is not None or options.fold is not None
    asked["assumed_prevalence"] = assumed
    called = {k: title for k, title in titles(options).items() if asked.get(k, True)}
    shown_values = [_capped(result.values) for result in results]
    cells = [[_cell(key, values[key]) for key in called] for values in shown_values]
    if len(results) == 1:
        lines = [(f"  {t}", c) for t, c in zip(called.values(), cells[0], strict=True)]
        return shown_name(results[0].file) + "\n" + _aligned(lines, 2)
    names = names_of(results)
    heads = [("", name) for name in names]
    heads += [title.rpartition(" ")[::2] for title in called.values()]
    lines = [*zip(*heads, strict=True)]
    for result, row in zip(results, cells, strict=True):
        shown = {"file": shown_name(result.file), "score": printable(result.score)}
        shown["fold"] = printable("summary" if result.fold is None else result.fold)
        lines.append((*(shown[name] for name in names), *row))
    return _aligned(lines, len(names))


def _capped(values):
    """Bounds without the room for rounding above the largest area there is."""
    width = values["recall_high"] - values["recall_low"]
    highs = {key for key in _AREA_HIGHS if values.get(key, 0.0) > width}
    return values | dict.fromkeys(highs, width)


def _aligned(lines, n_left):
    """Cells in columns, the first ones to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    marks = "<" * n_left + ">" * (len(widths) - n_left)
    form = "  ".join(f"{{:{m}{w}}}" for m, w in zip(marks, widths, strict=True))
    return "".join(form.format(*line).rstrip() + "\n" for line in lines)


def _cell(key, value):
    if value is None or isinstance(value, int):
        return "-" if value is None else str(value)
    if math.isnan(value):
        return "undefined"
    form = "g" if key in _AS_GIVEN or 0 < abs(value) < 1e-3 else ".6f"
    if key not in BOUND_TITLES:
        return f"{value:{form}}"
    # Bounds are rounded outward.
    exact = decimal.Decimal(value)
    with decimal.localcontext(rounding=_ROUNDED.get(key.rpartition("_")[2])) as context:
        context.prec = 6
        return f"{exact.normalize():f}" if form == "g" else f"{exact:.6f}"


def _records(results):
    """The results as dicts, None for what is undefined."""
    for result in results:
        record = {name: getattr(result, name) for name in names_of(results)}
        yield record | _defined(result.values)


def _defined(values):
    return {key: None if value != value else value for key, value in values.items()}


def _as_json(results, pairs, options):
    found = [*_records(results)]
    if pairs:
        found = {"results": found, "pairs": [*map(_defined, pairs)]}
    return json.dumps(found, indent=2, allow_nan=False) + "\n"


def _as_csv(results, pairs, options):
    text = _csv_of([*names_of(results), *titles(options)], _records(results))
    return text + ("\n" + _csv_of(PAIR_TITLES, map(_defined, pairs)) if pairs else "")


def _csv_of(columns, records):
    text = io.StringIO()
    writer = csv.DictWriter(text, [*columns], lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


FORMATS = {"table": _as_table, "json": _as_json, "csv": _as_csv}


def write_out(text):
    with told("standard output", "written"):
        if sys.stdout is None:
            raise OSError("it is closed")
        try:
            show(sys.stdout, text)
        except OSError:
            # Python would try to write the rest when it ends, and complain.
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise


def show(stream, text):
    """Write a text, whatever characters the stream can show; nothing if it is closed."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
