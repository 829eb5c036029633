"""Public names, their signatures and docstrings."""

import inspect
import re
from importlib import resources
from operator import attrgetter

import numpy as np
import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import sklearn_achievable_pr as apr

NAN = "nan"
Y = "y_true, y_score"
CURVE = f"({Y}, *, pos_label=None, sample_weight=None, prevalence=None, interpolate=True)"
# The documented signatures, with defaults as text.
SIGNATURES = {
    "achievable_pr_curve": CURVE,
    "pr_curve_interpolated": CURVE,
    "pr_curve_from_counts": "(tps, fps, *, n_pos=None, n_neg=None, curve='empirical', "
    "prevalence=None, interpolate=True)",
    "auc_pr_interpolated": f"({Y}, *, average='macro', pos_label=None, "
    "sample_weight=None, curve='empirical', recall_range=(0.0, 1.0), prevalence=None, "
    f"method='exact', replace_undefined_by={NAN})",
    "aucnpr": f"({Y}, *, average='macro', pos_label=None, sample_weight=None, "
    "curve='empirical', recall_range=(0.0, 1.0), prevalence=None, "
    f"replace_undefined_by={NAN})",
    "normalized_average_precision_score": f"({Y}, *, average='macro', pos_label=None, "
    f"sample_weight=None, replace_undefined_by={NAN})",
    "auc_pr_from_counts": "(tps, fps, *, n_pos=None, n_neg=None, curve='empirical', "
    f"recall_range=(0.0, 1.0), prevalence=None, replace_undefined_by={NAN})",
    "aucnpr_from_counts": "(tps, fps, *, n_pos=None, n_neg=None, curve='empirical', "
    f"recall_range=(0.0, 1.0), prevalence=None, replace_undefined_by={NAN})",
    "precision_at_recall": f"({Y}, *, recall, at_least=False, curve='empirical', "
    f"pos_label=None, sample_weight=None, prevalence=None, replace_undefined_by={NAN})",
    "recall_at_precision": f"({Y}, *, precision, curve='empirical', pos_label=None, "
    f"sample_weight=None, prevalence=None, replace_undefined_by={NAN})",
    "precision_at_k": f"({Y}, *, k, pos_label=None, sample_weight=None, "
    f"prevalence=None, replace_undefined_by={NAN})",
    "recall_at_k": f"({Y}, *, k, pos_label=None, sample_weight=None, "
    f"prevalence=None, replace_undefined_by={NAN})",
    "f1_above_chance_score": "(y_true, y_pred, *, pos_label=None, sample_weight=None, "
    f"replace_undefined_by={NAN})",
    "required_sample_size": "(*, width=None, difference=None, power=0.8, "
    "confidence_level=0.95, auc_pr=None, prevalence=None, spread=1.0, correlation=0.5, "
    "assurance=None, pilot=None)",
    "min_precision": "(recall, prevalence)",
    "auc_pr_min": "(prevalence, recall_range=(0.0, 1.0))",
    "average_precision_min": "(n_pos, n_neg)",
    "is_achievable": "(precision, recall, prevalence)",
    "roc_convex_hull": f"({Y}, *, pos_label=None, sample_weight=None)",
    "roc_to_pr": "(fpr, tpr, prevalence)",
    "pr_to_roc": "(precision, recall, prevalence)",
    "dominates": "(y_true, y_score_a, y_score_b, *, pos_label=None, sample_weight=None)",
    "auprg_score": f"({Y}, *, average='macro', pos_label=None, sample_weight=None, "
    f"curve='empirical', prevalence=None, replace_undefined_by={NAN})",
    "pr_gain_curve": f"({Y}, *, pos_label=None, sample_weight=None, curve='empirical', "
    "prevalence=None)",
    "summary_pr_curve": f"({Y}, *, sample_weight=None, fold_weight=None, "
    "prevalence='pooled', averaged='precision', curve='empirical', pos_label=None, "
    "interpolate=True)",
    "summary_auc_pr": f"({Y}, *, metric='auc_pr_interpolated', sample_weight=None, "
    "fold_weight=None, prevalence='pooled', averaged='precision', curve='empirical', "
    "recall_range=(0.0, 1.0), pos_label=None)",
    "fold_scores": "(cv_results, X, y, *, sample_weight=None, response_method='auto', "
    "pos_label=None)",
    "auc_pr_influence": f"({Y}, *, metric='auc_pr_interpolated', pos_label=None, "
    "sample_weight=None, recall_range=(0.0, 1.0), prevalence=None)",
    "auc_pr_interval": f"({Y}, *, metric='auc_pr_interpolated', confidence_level=0.95, "
    "alternative='two-sided', method='beta', fixed_class_counts=False, groups=None, "
    "pos_label=None, sample_weight=None, recall_range=(0.0, 1.0), prevalence=None, "
    "n_resamples=1999, random_state=None)",
    "compare_auc_pr": "(y_true, y_score_a, y_score_b, *, metric='auc_pr_interpolated', "
    "confidence_level=0.95, alternative='two-sided', method='influence', "
    "fixed_class_counts=False, groups=None, pos_label=None, sample_weight=None, "
    "recall_range=(0.0, 1.0), prevalence=None, n_resamples=9999, random_state=None)",
    "compare_models": "(y_true, y_scores, *, metric='auc_pr_interpolated', reference=None, "
    "confidence_level=0.95, adjust='holm', method='influence', fixed_class_counts=False, "
    "groups=None, pos_label=None, sample_weight=None, recall_range=(0.0, 1.0), "
    "prevalence=None, n_resamples=9999, random_state=None)",
    "operating_point_interval": f"({Y}, *, metric=None, threshold=None, recall=None, "
    "precision=None, k=None, confidence_level=0.95, alternative='two-sided', "
    "fixed_class_counts=False, groups=None, pos_label=None, sample_weight=None, "
    "prevalence=None)",
    "auc_pr_chance_test": f"({Y}, *, metric='auc_pr_interpolated', n_resamples=9999, "
    "groups=None, random_state=None, pos_label=None, sample_weight=None, "
    "recall_range=(0.0, 1.0), prevalence=None)",
    "get_scorer": "(name, **options)",
    "get_scorer_names": "()",
}
BY_NAME = "(frame, y_true, y_score, *, sample_weight=None, "
EXACT = "recall_range=(0.0, 1.0), prevalence=None, max_memory=1073741824, temp_folder=None"
LARGE = {
    "auc_pr_from_batches": "(batches, *, metric='auc_pr_interpolated', pos_label=None, "
    f"{EXACT}, n_jobs=None, verbose=0)",
    "auc_pr_from_frame": f"{BY_NAME}metric='auc_pr_interpolated', pos_label=None, {EXACT})",
}
SIGNATURES |= LARGE
SCORERS = {
    "achievable_auc_pr_scorer",
    "auc_pr_interpolated_scorer",
    "aucnpr_scorer",
    "auprg_scorer",
    "normalized_average_precision_scorer",
}
CLASSES = {
    "HullThresholdClassifierCV": "(estimator, *, objective='f1', min_recall=None, "
    "min_precision=None, max_selection_rate=None, max_fpr=None, randomize=False, "
    "response_method='auto', pos_label=None, cv=None, n_jobs=None, random_state=None, "
    "store_cv_results=False, refit=True, confidence=None)",
    "AchievablePRDisplay": None,
    "PRCounts": "(n_bins=65536)",
    "HullThresholdDisplay": None,
}


# Names


def test_all_is_the_documented_list():
    assert set(apr.__all__) - CLASSES.keys() == SIGNATURES.keys() | SCORERS
    assert len(apr.__all__) == len(set(apr.__all__))


def test_every_public_name_is_in_all():
    public = {
        name
        for name, thing in vars(apr).items()
        if not name.startswith("_") and not inspect.ismodule(thing)
    }
    assert public == set(apr.__all__)


def test_star_import():
    names = {}
    exec("from sklearn_achievable_pr import *", names)
    assert set(apr.__all__) <= names.keys()


def test_version():
    parts = apr.__version__.split(".")
    assert len(parts) >= 2
    assert all(part.isdigit() for part in parts[:2])


# Signatures and types


def without_types(function):
    signature = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def test_signatures():
    expected = SIGNATURES | {name: text for name, text in CLASSES.items() if text}
    assert {name: without_types(getattr(apr, name)) for name in expected} == expected


def public_methods(name):
    return [
        f"{name}.{method}"
        for method, thing in vars(getattr(apr, name)).items()
        if not method.startswith("_")
        and inspect.isfunction(inspect.unwrap(getattr(thing, "__func__", thing)))
    ]


METHODS = [method for name in CLASSES for method in public_methods(name)]


def untyped(name):
    """Parameters without a type, and "return" for a result without one."""
    thing = attrgetter(name)(apr)
    signature = inspect.signature(thing)
    parameters = signature.parameters.values()
    found = [p.name for p in parameters if p.annotation is p.empty and p.name != "self"]
    if signature.return_annotation is signature.empty and not inspect.isclass(thing):
        found.append("return")
    return found


def test_type_hints():
    offenders = {name: untyped(name) for name in [*SIGNATURES, *CLASSES, *METHODS]}
    assert not {name: found for name, found in offenders.items() if found}


def test_type_hints_are_shipped():
    assert resources.files("sklearn_achievable_pr").joinpath("py.typed").is_file()


# Docstrings


# GL01: text may start beside the quotes. ES01, SA04: a line and a name may be enough.
# SS05: "scores" is no verb.
NOT_ASKED = {"GL01", "ES01", "SA04", "SS05"}
# A method is explained by its class.
NOT_ASKED_OF_METHODS = {*NOT_ASKED, "SA01", "EX01"}
# Not from a paper.
WITHOUT_PAPER = {"fold_scores", "get_scorer", "get_scorer_names"}


def test_numpydoc_finds_no_fault():
    asked = dict.fromkeys([*SIGNATURES, *CLASSES], NOT_ASKED)
    asked |= dict.fromkeys(METHODS, NOT_ASKED_OF_METHODS)
    assert not [
        (name, *error)
        for name, not_asked in asked.items()
        for error in validate(f"sklearn_achievable_pr.{name}")["errors"]
        if error[0] not in not_asked
    ]


# Properties of the minimum curve: no score has them as its value.
OF_THE_MINIMUM = {"auc_pr_min", "average_precision_min", "is_achievable"}
# Defined without a formula.
IN_WORDS = {"dominates", "summary_auc_pr"}
DOCS = {name: inspect.getdoc(getattr(apr, name)) for name in SIGNATURES}


def parts_of_docstring(name):
    """Pairs of what a docstring needs and whether it is there."""
    text, doc = DOCS[name], NumpyDocString(DOCS[name])
    description = text.partition("\nParameters\n")[0]
    yield "returns", doc["Returns"]
    yield "examples", ">>>" in "\n".join(doc["Examples"])
    yield "see also", doc["See Also"]
    yield "errors", {p.type for p in doc["Raises"]} <= {"ValueError", "TypeError"}
    yield "references", bool(doc["References"]) == (name not in WITHOUT_PAPER)
    # `help` shows a formula as it stands in the text.
    yield "no LaTeX", "math::" not in description
    if name not in WITHOUT_PAPER:
        yield "formula", re.search(r" [-+/=<>]=?\s", description) or name in IN_WORDS
        yield "paper", ":doi:" in text or ":arxiv:" in text
        yield "no-skill value", "no-skill" in text or name in OF_THE_MINIMUM
    if "y_score" in SIGNATURES[name]:
        yield "ties", "tie" in text.lower()
        yield "missing class", "undefinedmetricwarning" in text.lower()


def test_docstrings_are_complete():
    assert not [
        (name, part)
        for name in SIGNATURES
        for part, is_there in parts_of_docstring(name)
        if not is_there
    ]


# Scalars in, scalars out


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: apr.min_precision(0.5, 0.5), float),
        (lambda: apr.auc_pr_min(0.5), float),
        (lambda: apr.average_precision_min(2, 3), float),
        (lambda: apr.is_achievable(0.5, 0.5, 0.5), bool),
        (lambda: apr.roc_to_pr(0.5, 0.5, 0.5)[0], float),
        (lambda: apr.pr_to_roc(0.5, 0.5, 0.5)[1], float),
        (lambda: apr.dominates([0, 1], [0, 1], [0, 1]), bool),
        (lambda: apr.aucnpr([0, 1], [0, 1]), float),
        (lambda: apr.auc_pr_interpolated([0, 1], [0, 1]), float),
        (lambda: apr.auc_pr_interpolated([0, 1], [0, 1], method="davis_goadrich"), float),
        (lambda: apr.normalized_average_precision_score([0, 1], [0, 1]), float),
        (lambda: apr.f1_above_chance_score([0, 1], [0, 1]), float),
        (lambda: apr.auc_pr_from_counts([1], [1]), float),
        (lambda: apr.auprg_score([0, 1], [0, 1]), float),
        (lambda: apr.summary_auc_pr([[0, 1]], [[0, 1]]), float),
        (lambda: apr.precision_at_recall([0, 1], [0, 1], recall=0.5), float),
        (lambda: apr.recall_at_precision([0, 1], [0, 1], precision=0.5), float),
    ],
)
def test_scalars_are_python_numbers(call, kind):
    assert type(call()) is kind


def test_arrays_are_broadcast():
    column, row = np.array([[0.2], [0.7]]), np.array([0.1, 0.4, 0.9])
    assert apr.min_precision(column, row).shape == (2, 3)
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
