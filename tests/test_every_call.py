"""What every public call has in common: functions, displays, counts, folds, the program."""

import gc
import json
import math
import re
import weakref
from contextlib import redirect_stdout
from functools import cache, partial
from io import StringIO
from numbers import Real

import numpy as np
import pandas as pd
import pytest
from cases import each
from public_calls import ARGUMENTS, OPTIONS, PER_SAMPLE, N
from public_names import CALLABLES, SIGNATURES

import sklearn_achievable_pr as apr
from sklearn_achievable_pr.__main__ import main
from sklearn_achievable_pr.results import FoldPredictions, Result

# The samples are few.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_achievable_pr.CoverageWarning")

# Scores with few digits: twice a score plus 1 is exact, and float32 has them, too.
DATA = {
    name: np.round(64 * values) / 64 if name.startswith("y_score") else values
    for name, values in PER_SAMPLE.items()
    if name not in ("sample_weight", "groups")
} | {"test_fold": np.arange(N) % 3}
OWN_OPTIONS = OPTIONS | {
    "AchievablePRDisplay.from_predictions": {"interval": True, "band": "simultaneous"}
}


# Calls: name -> function of a dict of arrays and of options


def of_arrays(name):
    """A call of a function that takes arrays of one value per sample."""
    needed = [argument for argument in ARGUMENTS[name] if argument in DATA]

    def call(data, **options):
        function = CALLABLES[name]
        if name.startswith("PRCounts."):
            function = partial(function, apr.PRCounts())
        arrays = {argument: data[argument] for argument in needed}
        return function(**arrays, **OWN_OPTIONS.get(name, {}) | options)

    return call


def of_models(data, **options):
    scores = {"a": data["y_score_a"], "b": data["y_score_b"]}
    return apr.compare_models(data["y_true"], scores, **options)


def of_data_sets(function):
    """A call of a function that takes one array per fold."""

    def call(data, sample_weight=None, **options):
        def by_fold(values):
            return [values[data["test_fold"] == fold] for fold in range(3)]

        if sample_weight is not None:
            options["sample_weight"] = by_fold(sample_weight)
        return function(by_fold(data["y_true"]), by_fold(data["y_score"]), **options)

    return call


def of_folds(function, *scores):
    """A call of a function that takes the result of a cross-validation."""

    def call(data, **options):
        given = {
            name: apr.cv_results_from_scores(data[name], data["test_fold"])
            for name in scores
        }
        cv_results = given if len(scores) > 1 else given[scores[0]]
        return function(cv_results, None, data["y_true"], **options)

    return call


def of_batches(data, sample_weight=None, **options):
    columns = [data["y_true"], data["y_score"]]
    if sample_weight is not None:
        columns.append(sample_weight)
    batches = [tuple(column[i : i + 25] for column in columns) for i in range(0, N, 25)]
    return apr.auc_pr_from_batches(lambda: iter(batches), **options)


def of_frame(function):
    """A call of a function of a data frame."""

    def call(data, sample_weight=None, **options):
        frame = pd.DataFrame({"label": data["y_true"], "score": data["y_score"]})
        if sample_weight is not None:
            frame["weight"] = sample_weight
            options["sample_weight"] = "weight"
        return function(frame, "label", "score", **options)

    return call


def of_program(folder, data, sample_weight=None, groups=None, pos_label=None):
    """What the program prints for a file with these columns."""
    frame = pd.DataFrame({"label": data["y_true"], "score": data["y_score"]})
    flags = ["--label", "label", "--score", "score", "--interval", "--all-metrics"]
    flags += ["--format", "json"]
    for name, column in {"weight": sample_weight, "groups": groups}.items():
        if column is not None:
            frame[name] = column
            flags += [f"--{name}", name]
    if pos_label is not None:
        flags += ["--pos-label", str(pos_label)]
    frame.to_csv(folder / "scores.csv", index=False)
    printed = StringIO()
    with redirect_stdout(printed):
        assert main([str(folder / "scores.csv"), *flags]) == 0
    return json.loads(printed.getvalue())


CALLS = {
    **{name: of_arrays(name) for name in ARGUMENTS},
    "compare_models": of_models,
    "summary_auc_pr": of_data_sets(apr.summary_auc_pr),
    "summary_pr_curve": of_data_sets(apr.summary_pr_curve),
    "auc_pr_interval_cv": of_folds(apr.auc_pr_interval_cv, "y_score"),
    "compare_models_cv": of_folds(apr.compare_models_cv, "y_score_a", "y_score_b"),
    "fold_predictions": of_folds(apr.fold_predictions, "y_score"),
    "AchievablePRDisplay.from_cv_results": of_folds(
        apr.AchievablePRDisplay.from_cv_results, "y_score"
    ),
    "auc_pr_from_batches": of_batches,
    "auc_pr_from_frame": of_frame(apr.auc_pr_from_frame),
    "PRCounts.from_frame": of_frame(apr.PRCounts.from_frame),
    "the program": None,  # needs a folder
}
AT = {
    "precision_at_recall": 0.5,
    "recall_at_fpr": 0.2,
    "precision_at_k": 0.2,
    "recall_at_k": 10,
    "recall_at_threshold": 0.5,
    "precision_at_threshold": 0.5,
    "f1_at_threshold": 0.5,
}
# Name -> the call, and other options of it.
VARIANTS = {
    **{
        f"{metric} of two models": ("compare_models", {"metric": metric, "at": at})
        for metric, at in AT.items()
    },
    "interval at a precision": (
        "operating_point_interval", {"recall": None, "precision": 0.6}
    ),
    "interval at an FPR": ("operating_point_interval", {"recall": None, "fpr": 0.2}),
    "table at k": ("threshold_table", {"thresholds": None, "k": [5, 20]}),
    "achievable interval": ("auc_pr_interval", {"metric": "achievable_auc_pr"}),
    "average precision": ("auc_pr_interval", {"metric": "average_precision"}),
}  # fmt: skip
CALLS |= {name: partial(CALLS[base], **given) for name, (base, given) in VARIANTS.items()}
# Comparisons at an operating point take no weights, except at a threshold.
UNWEIGHTED = {f"{metric} of two models" for metric in AT if "threshold" not in metric}


def test_every_call_of_labels_is_here():
    of_labels = {"y_true", "cv_results", "batches"}
    assert not [
        name
        for name, signature in SIGNATURES.items()
        if of_labels & signature.parameters.keys() and name not in CALLS
    ]


def takes(option):
    """Names of the calls that take an option."""
    bases = {name: VARIANTS.get(name, [name])[0] for name in CALLS}
    return [
        name
        for name, base in bases.items()
        if base == "the program" or option in SIGNATURES[base].parameters
        if option != "sample_weight" or name not in UNWEIGHTED
    ]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A function that calls by name, and returns all values of the result by name."""
    folder = tmp_path_factory.mktemp("program")

    def found(name, data=DATA, **options):
        call = partial(of_program, folder) if name == "the program" else CALLS[name]
        return dict(values_of(call(data, **options), data["y_score"]))

    return found


@pytest.fixture(scope="module")
def plain(found):
    """`found` of the data as they are, by name."""
    return cache(found)


def values_of(result, y_score, name=""):
    """Pairs of the name and the value of each number or text of a result.

    A threshold is the number of samples that it selects, which has no unit.
    """
    if isinstance(result, FoldPredictions):
        result = result.to_frame()
    elif isinstance(result, Result):
        result = result.to_dict()
    elif isinstance(result, apr.PRCounts):
        result = {
            "area": result.auc_pr().to_dict(),
            "precision": result.precision_at_recall(recall=0.5).to_dict(),
        }
    elif hasattr(result, "ax_"):
        result = result.to_frame()
    if isinstance(result, pd.DataFrame):
        result = result.to_dict("list")
    if isinstance(result, tuple) and len(result) == 3:
        result = {"first": result[0], "second": result[1], "thresholds": result[2]}
    if isinstance(result, dict):
        parts = result.items()
    elif isinstance(result, tuple | list | np.ndarray):
        parts = enumerate(result)
    else:
        is_threshold = re.search(r"\bthresholds?(\.\d+)?$", name)
        if is_threshold and not np.isnan(result):
            result = np.count_nonzero(y_score >= result)
        yield name, result
        return
    for key, part in parts:
        yield from values_of(part, y_score, f"{name}.{key}")


def differing(found, expected):
    """Values that differ by more than rounding, with both values."""
    assert found.keys() == expected.keys()
    pairs = {name: (value, expected[name]) for name, value in found.items()}
    return {name: pair for name, pair in pairs.items() if not are_alike(*pair)}


def are_alike(found, expected):
    """Whether two values are equal, or two numbers equal up to rounding."""
    if isinstance(found, Real) and isinstance(expected, Real):
        are_both_nan = math.isnan(found) and math.isnan(expected)
        return are_both_nan or math.isclose(found, expected, rel_tol=1e-11, abs_tol=1e-14)
    return found == expected


# Properties


@each(name=takes("sample_weight"))
def test_weights_of_1_are_no_weights(name, found, plain):
    assert not differing(found(name, sample_weight=np.ones(N)), plain(name))


# Groups of a choice are the clusters of its guarantee.
GUARANTEE = {
    name: {"confidence_level": 0.8, "min_recall": 0.5}
    for name in ("choose_threshold", "HullThresholdDisplay.from_predictions")
}


@each(name=takes("groups"))
def test_groups_of_one_sample_are_no_groups(name, found):
    options = GUARANTEE.get(name, {})
    grouped, ungrouped = (
        {
            key: value
            for key, value in found(name, **options, **groups).items()
            if not key.endswith("n_clusters")
        }
        for groups in ({"groups": np.arange(N)}, {})
    )
    assert not differing(grouped, ungrouped)


# These return one value per sample, in the order of the samples.
BY_SAMPLE = {"auc_pr_influence", "fold_predictions"}


@each(name=CALLS.keys() - BY_SAMPLE)
def test_the_order_of_samples_changes_nothing(name, found, plain):
    order = np.random.default_rng(3).permutation(N)
    data = {key: values[order] for key, values in DATA.items()}
    assert not differing(found(name, data), plain(name))


def changed(change):
    """The data with another unit or dtype of the scores."""
    return {
        key: change(values) if key.startswith("y_score") else values
        for key, values in DATA.items()
    }


def in_other_unit(score):
    return 2 * score + 1


# Scores among the options have the same unit.
SCORES = {
    "threshold_table": ("thresholds", 0.5),
    "select_positives": ("new_score", np.array([0.5, 2.0])),
    **{f"{m} of two models": ("at", AT[m]) for m in AT if m.endswith("_threshold")},
}


# `fold_predictions` returns the scores, in their unit.
@each(name=CALLS.keys() - {"fold_predictions"})
def test_the_unit_of_the_scores_changes_nothing(name, found, plain):
    options, expected = {}, plain(name)
    if name in SCORES:
        option, score = SCORES[name]
        options[option] = in_other_unit(score)
        expected = {
            key: options[option] if key.endswith(f".{option}") else value
            for key, value in expected.items()
        }
    assert not differing(found(name, changed(in_other_unit), **options), expected)


@each(name=CALLS)
def test_the_dtype_of_the_scores_changes_nothing(name, found, plain):
    assert not differing(found(name, changed(np.float32)), plain(name))


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [([False, True], None), ([-1, 1], None), (["well", "sick"], "sick"), ([1, 2], 2)],
)
@each(name=CALLS)
def test_labels_of_every_kind(name, labels, pos_label, found, plain):
    options = {} if pos_label is None else {"pos_label": pos_label}
    data = DATA | {key: np.array(labels)[DATA[key]] for key in ("y_true", "y_pred")}
    expected = plain(name)
    if name == "choose_threshold":
        expected = expected | {".pos_label": pos_label}
    assert not differing(found(name, data, **options), expected)


# Figures of Matplotlib have reference cycles.
DISPLAYS = {name for name in CALLS if "Display" in name}


@each(name=CALLS.keys() - DISPLAYS - {"the program"})
def test_no_array_waits_for_a_garbage_collection(name):
    data = {key: values.copy() for key, values in DATA.items()}
    left = [weakref.ref(values) for values in data.values()]
    gc.disable()
    try:
        CALLS[name](data)
        del data
        assert not [ref for ref in left if ref() is not None]
    finally:
        gc.enable()
