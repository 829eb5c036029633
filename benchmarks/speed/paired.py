"""Compare the speed of this checkout with another checkout and with average precision.

Both packages are loaded into one process and alternate on the same arrays. For each
function the table has the milliseconds of this checkout, the time of scikit-learn's
average precision divided by this time ("AP /"), and this time divided by the time of the
other checkout::

    git worktree add ../before COMMIT
    python benchmarks/speed/paired.py --against ../before [--quick] [--weighted] [--out DIR]
"""

import importlib
import sys
from functools import partial
from pathlib import Path

import numpy as np
import sklearn
from _bench import PREVALENCES, Report, command_line, labels_and_scores, medians, weights
from sklearn.metrics import average_precision_score

HERE = Path(__file__).parent.parent
PACKAGE = "sklearn_achievable_pr"
FUNCTIONS = {
    "area": lambda package, *data, **w: package.auc_pr_interpolated(*data, **w),
    "achievable": lambda package, *data, **w: package.auc_pr_interpolated(
        *data, curve="achievable", **w
    ),
    "aucnpr": lambda package, *data, **w: package.aucnpr(*data, **w),
    "normalized AP": lambda package, *data, **w: package.normalized_average_precision_score(
        *data, **w
    ),
    "comparison": lambda package, labels, scores, **w: package.compare_auc_pr(
        labels, scores, -scores, **w
    ),
    "curve": lambda package, *data, **w: package.achievable_pr_curve(
        *data, interpolate=False, **w
    ),
}


def loaded_from(folder):
    """The package of another checkout, loaded in addition to the imported one."""
    _forget()
    sys.path.insert(0, str(folder))
    try:
        package = importlib.import_module(PACKAGE)
    finally:
        sys.path.pop(0)
        _forget()
    found = Path(package.__file__).resolve().parent.parent
    if found != Path(folder).resolve():
        raise SystemExit(f"{folder} holds no {PACKAGE}: {found} was found instead")
    return package


def _forget():
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def row(n_rows, prevalence, weighted, packages):
    data = labels_and_scores(n_rows, prevalence)
    weight = {"sample_weight": weights(n_rows)} if weighted else {}
    found = {"n": n_rows, "prevalence": prevalence}
    for name, function in FUNCTIONS.items():
        calls = [partial(function, package, *data, **weight) for package in packages]
        steps = partial(average_precision_score, *data, **weight)
        ours, reference, theirs = medians(calls[0], steps, calls[1], at_least=7)
        found |= {
            f"{name} ms": 1e3 * ours,
            f"AP / {name}": reference / ours,
            f"{name} ratio": ours / theirs,
        }
    return found


def main():
    options = command_line(
        __doc__,
        against={
            "type": Path,
            "metavar": "DIR",
            "required": True,
            "help": "the other checkout",
        },
        weighted={"action": "store_true", "help": "with fractional weights"},
    )
    packages = loaded_from(HERE), loaded_from(options.against)
    report = Report(options, np, sklearn)
    sizes = (300, 3000, 10**5) if options.quick else (300, 1000, 3000, 10**4, 10**5, 10**6)
    some = (0.1,) if options.quick else PREVALENCES
    rows = [row(n, p, options.weighted, packages) for n in sizes for p in some]
    report.table("paired", f"Compared with {options.against}", rows)
    report.close()


if __name__ == "__main__":
    main()
