"""The public surface as text; run as a script it writes `surface.txt`.

Names, parameters with order and defaults, fields of results and flags of the program. What
stands in `surface.txt` changes only with a line in `doc/whats_new.rst` and, from version
1.0 on, after a deprecation.
"""

import inspect
import re
from contextlib import redirect_stdout, suppress
from dataclasses import fields
from io import StringIO
from pathlib import Path

from public_names import CLASSES, FUNCTIONS, METHODS, SIGNATURES

import sklearn_achievable_pr as apr
from sklearn_achievable_pr import results
from sklearn_achievable_pr.__main__ import main

FILE = Path(__file__).with_name("surface.txt")


def signature_of(name):
    """A name with its parameters, without types."""
    shown, is_keyword = [], False
    for p in SIGNATURES[name].parameters.values():
        if p.kind is p.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            shown.append("*")
        star = {p.VAR_KEYWORD: "**", p.VAR_POSITIONAL: "*"}.get(p.kind, "")
        default = "" if p.default is inspect.Parameter.empty else f"={p.default!r}"
        if p.name != "self":
            shown.append(f"{star}{p.name}{default}")
    return f"{name}({', '.join(shown)})"


def flags():
    """The flags of the program with their arguments, as its help shows them."""
    with redirect_stdout(StringIO()) as printed, suppress(SystemExit):
        main(["--help"])
    return re.findall(r"^  (--\S+(?: \S+)*)", printed.getvalue(), flags=re.MULTILINE)


def surface():
    """The lines of the surface."""
    others = [name for name in apr.__all__ if name not in FUNCTIONS + CLASSES]
    yield "NAMES"
    yield from map(signature_of, sorted(FUNCTIONS))
    for name in sorted(CLASSES):
        yield signature_of(name)
        of_class = (method for method in METHODS if method.startswith(f"{name}."))
        yield from (f"    {signature_of(method)}" for method in sorted(of_class))
    yield from sorted(others)
    yield "\nRESULTS"
    for name, item in sorted(vars(results).items()):
        is_result = isinstance(item, type) and issubclass(item, results.Result)
        if is_result and not name.startswith("_"):
            shown = (f.name for f in fields(item) if not f.name.startswith("_"))
            yield f"{name}: {', '.join(shown)}"
    yield "\nPROGRAM"
    yield from flags()


if __name__ == "__main__":
    FILE.write_text("\n".join(surface()) + "\n", "utf-8")
