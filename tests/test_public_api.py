"""Public names, their signatures and docstrings."""

import inspect
import re
from functools import partial
from importlib import resources

import numpy as np
import pytest
from cases import each
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate
from public_names import CLASSES, DOCS, FUNCTIONS, METHODS, SIGNATURES
from situations import AREAS, STEPWISE

import sklearn_achievable_pr as apr

# Passed by position: data, the bins of counts and, as in scikit-learn, the axes of a plot.
BY_POSITION = {
    "X", "ax", "batches", "by", "cv_results", "estimator", "fpr", "fps", "frame", "n_bins",
    "n_labels", "n_neg", "n_pos", "name", "new_score", "other", "precision", "prevalence",
    "recall", "recall_range", "self", "test_fold", "thresholds", "tpr", "tps", "values",
    "y", "y_pred", "y_score", "y_score_a", "y_score_b", "y_scores", "y_true",
}  # fmt: skip


# Names


def test_every_public_name_is_in_all():
    public = {
        name
        for name, thing in vars(apr).items()
        if not name.startswith("_") and not inspect.ismodule(thing)
    }
    assert public == set(apr.__all__)


# Signatures and types


def test_options_are_passed_by_name():
    assert not [
        (name, p.name)
        for name, signature in SIGNATURES.items()
        for p in signature.parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD and p.name not in BY_POSITION
        if name != "HullThresholdClassifierCV.fit"  # the weights, as in scikit-learn
    ]


def default_of(entry):
    """The default in a docstring, evaluated; `inspect.Parameter.empty` without one."""
    found = re.search(r"default=(.*)", entry.type)
    return eval(found[1], {"np": np}) if found else inspect.Parameter.empty


def test_documented_defaults_are_those_of_the_signature():
    assert not [
        (name, parameter, entry.type)
        for name, signature in SIGNATURES.items()
        for entry in NumpyDocString(DOCS[name])["Parameters"]
        for parameter in entry.name.lstrip("*").split(", ")
        if repr(signature.parameters[parameter].default) != repr(default_of(entry))
    ]


def untyped(signature):
    """Names of the parameters without a type."""
    parameters = signature.parameters.values()
    return [p.name for p in parameters if p.annotation is p.empty and p.name != "self"]


def test_every_parameter_and_result_has_a_type():
    assert not [name for name, signature in SIGNATURES.items() if untyped(signature)]
    assert not [
        name
        for name, signature in SIGNATURES.items()
        if name not in CLASSES and signature.return_annotation is signature.empty
    ]


def test_type_hints_are_shipped():
    assert resources.files("sklearn_achievable_pr").joinpath("py.typed").is_file()


# Docstrings


# GL01: text may start beside the quotes. ES01, SA04: a line and a name may be enough.
# SS05: "scores" is no verb.
NOT_ASKED = {"GL01", "ES01", "SA04", "SS05"}
# A method is explained by its class.
NOT_ASKED_OF_METHODS = {*NOT_ASKED, "SA01", "EX01"}
# Not from a paper.
WITHOUT_PAPER = {
    "cv_results_from_scores", "fold_predictions", "get_scorer", "get_scorer_names",
}  # fmt: skip


def test_numpydoc_finds_no_fault():
    asked = dict.fromkeys([*FUNCTIONS, *CLASSES], NOT_ASKED)
    asked |= dict.fromkeys(METHODS, NOT_ASKED_OF_METHODS)
    assert not [
        (name, *error)
        for name, not_asked in asked.items()
        for error in validate(f"sklearn_achievable_pr.{name}")["errors"]
        if error[0] not in not_asked
    ]


def has_chance_level(name):
    """Whether a function returns a metric or a curve, which a constant score has, too."""
    return "replace_undefined_by" in SIGNATURES[name].parameters or name.endswith("_curve")


def parts_of_docstring(name):
    """Pairs of what a docstring needs and whether it is there."""
    text, doc = DOCS[name], NumpyDocString(DOCS[name])
    description = text.partition("\nParameters\n")[0]
    yield "errors", {p.type for p in doc["Raises"]} <= {"ValueError", "TypeError"}
    yield "references", bool(doc["References"]) == (name not in WITHOUT_PAPER)
    # The first paragraphs say in words what Notes state as a formula.
    yield "no LaTeX", "math::" not in description
    if name not in WITHOUT_PAPER:
        yield "formula", ".. math::" in text
        yield "paper", ":doi:" in text or ":arxiv:" in text
        yield "no-skill value", "no-skill" in text or not has_chance_level(name)
    first = [*SIGNATURES[name].parameters][:2]
    if first[:1] == ["y_true"] and first[1].startswith("y_score"):
        yield "ties", "tie" in text.lower()
        yield "missing class", "undefinedmetricwarning" in text.lower()


def test_docstrings_are_complete():
    assert not [
        (name, part)
        for name in FUNCTIONS
        for part, is_there in parts_of_docstring(name)
        if not is_there
    ]


# Scalars in, scalars out


SCALARS = {
    "precision_min": (lambda: apr.precision_min(0.5, 0.5), float),
    "auc_pr_min": (lambda: apr.auc_pr_min(0.5), float),
    "average_precision_min": (lambda: apr.average_precision_min(2, 3), float),
    "is_achievable": (lambda: apr.is_achievable(0.5, 0.5, 0.5), bool),
    "roc_to_pr": (lambda: apr.roc_to_pr(0.5, 0.5, 0.5)[0], float),
    "pr_to_roc": (lambda: apr.pr_to_roc(0.5, 0.5, 0.5)[1], float),
    "dominates": (lambda: apr.dominates([0, 1], [0.2, 0.7], [0.2, 0.7]), bool),
    **{
        name: (partial(area, [0, 1], [0.2, 0.7]), float)
        for name, area in (AREAS | STEPWISE).items()
    },
    "f1_above_chance_score": (lambda: apr.f1_above_chance_score([0, 1], [0, 1]), float),
    "auc_pr_from_counts": (lambda: apr.auc_pr_from_counts([1], [1]), float),
    "summary_auc_pr": (lambda: apr.summary_auc_pr([[0, 1]], [[0.2, 0.7]]), float),
    "precision_at_recall": (
        lambda: apr.precision_at_recall([0, 1], [0.2, 0.7], recall=0.5), float
    ),
    "recall_at_precision": (
        lambda: apr.recall_at_precision([0, 1], [0.2, 0.7], precision=0.5), float
    ),
    "recall_at_fpr": (lambda: apr.recall_at_fpr([0, 1], [0.2, 0.7], fpr=0.5), float),
}  # fmt: skip


@each(name=SCALARS)
def test_scalars_are_python_numbers(name):
    call, kind = SCALARS[name]
    assert type(call()) is kind


def test_arrays_are_broadcast():
    column, row = np.array([[0.2], [0.7]]), np.array([0.1, 0.4, 0.9])
    assert apr.precision_min(column, row).shape == (2, 3)
    assert apr.is_achievable(column, row, 0.3).shape == (2, 3)
    assert apr.auc_pr_min(row).shape == (3,)
    assert apr.average_precision_min([[1], [2]], [1, 2, 3]).shape == (2, 3)
    for found in apr.roc_to_pr(column, row, 0.3):
        assert found.shape == (2, 3)
    for found in apr.pr_to_roc(0.9, row, column):
        assert found.shape == (2, 3)
        found[:] = 0  # not a view of a broadcast array
    for i, level in enumerate(row):
        assert apr.auc_pr_min(row)[i] == pytest.approx(apr.auc_pr_min(level), rel=1e-15)
