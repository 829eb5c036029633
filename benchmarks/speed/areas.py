"""Speed and memory of the exact area, compared with other packages.

Prints tables of median times on the same arrays in one run, and plots time against the
number of samples n::

    python benchmarks/speed/areas.py [--quick] [--out DIR]

XGBoost, torchmetrics and matplotlib are used if they are installed.
"""

import importlib

import numpy as np
import scipy
import sklearn
from _bench import (
    PREVALENCES,
    Report,
    command_line,
    labels_and_scores,
    medians,
    peak_memory,
    weights,
)
from sklearn.metrics import average_precision_score

import sklearn_achievable_pr
from sklearn_achievable_pr import (
    achievable_pr_curve,
    auc_pr_interpolated,
    aucnpr,
    normalized_average_precision_score,
)

KINDS = (
    "decision float64",
    "probability float64",
    "decision float32",
    "probability float32",
)


def speed(n_rows, prevalence, kind):
    """Ratios to average precision, and of the other functions to the area."""
    y_true, y_score = labels_and_scores(n_rows, prevalence, kind)
    steps, area, hull, normalized, normalized_steps, curve, sort = medians(
        lambda: average_precision_score(y_true, y_score),
        lambda: auc_pr_interpolated(y_true, y_score),
        lambda: auc_pr_interpolated(y_true, y_score, curve="achievable"),
        lambda: aucnpr(y_true, y_score),
        lambda: normalized_average_precision_score(y_true, y_score),
        lambda: achievable_pr_curve(y_true, y_score, interpolate=False),
        lambda: np.sort(y_score),
    )
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "scores": kind,
        "area ms": 1e3 * area,
        "np.sort ms": 1e3 * sort,
        "AP / area": steps / area,
        "achievable / area": hull / area,
        "aucnpr / area": normalized / area,
        "normalized AP / area": normalized_steps / area,
        "curve / area": curve / area,
    }


def weighted(n_rows, prevalence):
    """Ratios to average precision with random weights."""
    y_true, y_score = labels_and_scores(n_rows, prevalence)
    weight = weights(n_rows)
    steps, area = medians(
        lambda: average_precision_score(y_true, y_score, sample_weight=weight),
        lambda: auc_pr_interpolated(y_true, y_score, sample_weight=weight),
    )
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "area ms": 1e3 * area,
        "AP / area": steps / area,
    }


def tables_of_labels(n_rows, n_labels):
    """Ratios for multilabel and multiclass targets."""
    rng = np.random.default_rng(0)
    y_score = rng.normal(size=(n_rows, n_labels))
    classes = rng.integers(n_labels, size=n_rows)
    rows = []
    for target, y_true in (
        ("multilabel", (rng.random((n_rows, n_labels)) < 0.1).astype(np.int64)),
        ("multiclass", classes),
    ):
        steps, area = medians(
            lambda y_true=y_true: average_precision_score(y_true, y_score),
            lambda y_true=y_true: auc_pr_interpolated(y_true, y_score),
        )
        rows.append(
            {
                "target": target,
                "shape": f"{n_rows} x {n_labels}",
                "area ms": 1e3 * area,
                "AP / area": steps / area,
            }
        )
    return rows


def memory(n_rows, prevalence, kind, weighted=False):
    """Peak memory beyond the inputs, relative to the bytes of `y_score`."""
    y_true, y_score = labels_and_scores(n_rows, prevalence, kind)
    weight = weights(n_rows) if weighted else None
    steps = peak_memory(
        lambda: average_precision_score(y_true, y_score, sample_weight=weight)
    )
    area = peak_memory(lambda: auc_pr_interpolated(y_true, y_score, sample_weight=weight))
    return {
        "n": n_rows,
        "prevalence": prevalence,
        "scores": kind,
        "weights": "yes" if weighted else "no",
        "area / y_score": area / y_score.nbytes,
        "AP / y_score": steps / y_score.nbytes,
        "area / AP": area / steps,
    }


def xgboost_aucpr(xgboost, y_true, y_score):
    """XGBoost's metric of given scores, passed as base margins of a model without trees."""
    data = xgboost.DMatrix(
        np.zeros((len(y_true), 1), np.float32), label=y_true, base_margin=y_score
    )
    booster = xgboost.train(
        {"objective": "binary:logitraw", "eval_metric": "aucpr"}, data, num_boost_round=0
    )
    return lambda: booster.eval(data)


def torchmetrics_average_precision(torchmetrics, y_true, y_score):
    """Average precision of torchmetrics on existing tensors."""
    torch = importlib.import_module("torch")
    metric = torchmetrics.functional.classification.binary_average_precision
    scores, labels = torch.from_numpy(y_score), torch.from_numpy(y_true)
    return lambda: metric(scores, labels)


PEERS = {"xgboost": xgboost_aucpr, "torchmetrics": torchmetrics_average_precision}


def peers(n_rows, prevalence, installed):
    """Milliseconds of each package on probabilities in float64."""
    y_true, y_score = labels_and_scores(n_rows, prevalence, "probability float64")
    functions = {
        "this package": lambda: auc_pr_interpolated(y_true, y_score),
        "scikit-learn AP": lambda: average_precision_score(y_true, y_score),
        "np.sort": lambda: np.sort(y_score),
    } | {name: PEERS[name](module, y_true, y_score) for name, module in installed.items()}
    taken = medians(*functions.values())
    return {"n": n_rows, "prevalence": prevalence} | {
        f"{name} ms": 1e3 * seconds for name, seconds in zip(functions, taken, strict=True)
    }


def summary(rows):
    """The lowest ratio to average precision over the kinds of scores."""
    lowest = {}
    for row in rows:
        place = row["n"], row["prevalence"]
        lowest[place] = min(row["AP / area"], lowest.get(place, np.inf))
    prevalences = sorted({prevalence for _, prevalence in lowest})
    return [
        {"n": n} | {f"prevalence {p}": lowest.get((n, p), "") for p in prevalences}
        for n in sorted({n for n, _ in lowest})
    ]


def beside_area(rows):
    """The highest ratios of the other functions to the area, by n."""
    names = [
        f"{name} / area" for name in ("achievable", "aucnpr", "normalized AP", "curve")
    ]
    return [
        {"n": n} | {name: max(row[name] for row in rows if row["n"] == n) for name in names}
        for n in sorted({row["n"] for row in rows})
    ]


def draw(rows, path):
    """Plot of time against n that is readable on light and dark pages."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(figsize=(6.5, 4.5), layout="constrained")
    styles = zip(
        ["#0072B2", "#D55E00", "#777777", "#009E73", "#CC79A7"],
        "os^Dv",
        ["-", "--", ":", "-.", (0, (5, 1))],
        strict=True,
    )
    names = [key for key in rows[0] if key.endswith(" ms")]
    for name, (color, marker, line) in zip(names, styles, strict=False):
        ax.plot(
            [row["n"] for row in rows],
            [row[name] for row in rows],
            color=color,
            marker=marker,
            linestyle=line,
            label=name.removesuffix(" ms"),
        )
    ax.set(xscale="log", yscale="log", xlabel="Samples", ylabel="Milliseconds (median)")
    ax.set_title(f"Time to compute AUC-PR, prevalence {rows[0]['prevalence']}")
    ax.grid(alpha=0.3)
    ax.legend()
    fig.savefig(path, dpi=120)


def installed_modules(*names):
    found = {}
    for name in names:
        try:
            found[name] = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed: left out")
    return found


def measure(report, options, installed):
    """Measure all tables."""
    quick = options.quick
    sizes = (100, 1000, 3000, 10**5) if quick else (100, 1000, 3000, 10**5, 10**6, 10**7)
    prevalences = (0.1,) if quick else PREVALENCES
    kinds = KINDS[:1] if quick else KINDS
    speeds = []
    for n in sizes:
        # With 10**7 samples average precision takes seconds: measure some combinations
        # only.
        some = (kinds[::3], prevalences[::2]) if n >= 10**7 else (kinds, prevalences)
        speeds += [speed(n, p, kind) for kind in some[0] for p in some[1]]
    report.table("summary", "Lowest ratio, average precision / exact area", summary(speeds))
    title = "Highest ratio, other function / exact area"
    report.table("beside_area", title, beside_area(speeds))
    some = prevalences[:1] if quick else (0.1, 0.5)
    report.table("weighted", "With weights", [weighted(n, p) for n in sizes for p in some])
    rows = tables_of_labels(10**4 if quick else 10**5, 10)
    report.table("labels", "Multilabel and multiclass targets", rows)
    rows = [
        memory(min(sizes[-1], 10**6), p, kind, weighted)
        for weighted in (False, True)
        for kind in kinds
        for p in prevalences
    ]
    report.table("memory", "Peak memory beyond the inputs", rows)
    title = "Milliseconds, compared with other packages"
    report.table("peers", title, [peers(n, 0.1, installed) for n in sizes])


def main():
    options = command_line(__doc__)
    installed = installed_modules(*PEERS)
    modules = (np, scipy, sklearn, sklearn_achievable_pr, *installed.values())
    report = Report(options, *modules)
    measure(report, options, installed)
    report.close()
    if options.out and installed_modules("matplotlib"):
        draw(report.tables["peers"], options.out / "time_against_n.png")


if __name__ == "__main__":
    main()
