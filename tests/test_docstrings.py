"""The description of a parameter is the same in all docstrings; typical calls run."""

import re
from textwrap import dedent

import numpy as np
import pandas
import pytest
from cases import each
from numpydoc.docscrape import NumpyDocString
from public_names import CLASSES, DOCS, FUNCTIONS, SIGNATURES
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import sklearn_achievable_pr

# Parameters of several types, or that some functions describe in words of their own: of
# one curve or of several, one number or an array, one model or several, which are taken.
DIFFERENT = {
    "X", "alternative", "at", "auc_pr", "average", "band", "confidence_level", "curve",
    "cv_results", "estimator", "groups", "interpolate", "interval",
    "k", "max_memory", "metric", "n_bins", "n_jobs", "n_pos, n_neg",
    "name", "pos_label", "precision, recall", "prevalence", "random_state",
    "recall_range", "reference", "replace_undefined_by", "response_method",
    "sample_weight", "summary", "thresholds", "y", "y_score",
    "y_true",
}  # fmt: skip


AS_IN = re.compile(r"As in `(\w+)`")


def entries(section):
    """Name -> owner -> type without its default, and words."""
    found = {}
    for owner, text in DOCS.items():
        for entry in NumpyDocString(text)[section]:
            kind = re.sub(r",\s*default=.*", "", entry.type)
            words = " ".join(" ".join(entry.desc).split())
            found.setdefault(entry.name, {})[owner] = kind, words
    return found


def with_own_words(found):
    """The entries of `entries` that do not refer to another docstring."""
    kept = {
        name: {owner: one for owner, one in owners.items() if not AS_IN.match(one[1])}
        for name, owners in found.items()
    }
    return {name: owners for name, owners in kept.items() if owners}


ALL_PARAMETERS = entries("Parameters")
PARAMETERS = with_own_words(ALL_PARAMETERS)


def test_a_parameter_that_refers_to_another_docstring_is_described_there():
    referring = [
        (owner, part, reference[1])
        for name, owners in ALL_PARAMETERS.items()
        for owner, (_, words) in owners.items()
        if (reference := AS_IN.match(words))
        for part in name.split(", ")
    ]
    assert referring
    assert not [
        (owner, part, target)
        for owner, part, target in referring
        if not {target, f"{owner.partition('.')[0]}.{target}"} & PARAMETERS[part].keys()
    ]


def test_a_parameter_has_one_type_and_the_same_words_everywhere():
    several = {name for name, owners in PARAMETERS.items() if len({*owners.values()}) > 1}
    assert several == DIFFERENT


def test_names_of_a_joint_entry_have_no_single_entry():
    """`tps, fps` is either one entry in all docstrings, or two entries."""
    together = {part for name in PARAMETERS if ", " in name for part in name.split(", ")}
    alone = together & PARAMETERS.keys()
    # One is asked for another one.
    assert alone == {"fpr", "precision", "recall"}


def test_a_curve_has_the_same_words_everywhere():
    for name in ("precision", "recall"):
        owners = entries("Returns")[name]
        curves = owners["pr_curve_interpolated"], owners["pr_curve_from_counts"]
        assert curves[0] == curves[1]


# Family names, year, where it is; proceedings may have no DOI.
REFERENCE = re.compile(
    r"\.\. \[\d\] [A-Z][\w, ]+?( and [A-Z]\w+| et al\.)? \((19|20)\d\d\), [^:]+?\."
    r"( :(doi|arxiv):`[^`]+`| https://\S+)?"
)


REFERENCES = {owner: NumpyDocString(text)["References"] for owner, text in DOCS.items()}


def test_references_are_one_line_each():
    assert not [
        (owner, line)
        for owner, lines in REFERENCES.items()
        for number, line in enumerate(lines, 1)
        if not (REFERENCE.fullmatch(line) and line.startswith(f".. [{number}] "))
    ]


def test_signatures_are_short_enough_to_read():
    """`help` shows annotations as they are written in the source."""
    signatures = {name: SIGNATURES[name] for name in [*FUNCTIONS, *CLASSES]}
    assert not [
        (name, str(signature))
        for name, signature in signatures.items()
        if len(str(signature)) >= 60 * (1 + len(signature.parameters))
        or "_NestedSequence" in str(signature)
    ]


# Names in the typical calls: labels and scores, features, and runs of `cross_validate`.


@pytest.fixture(scope="module")
def names():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    X = rng.normal(size=(400, 2)) + y[:, None]
    model = LogisticRegression().fit(X, y)
    of_cv = {"return_estimator": True, "return_indices": True}
    run_a, run_b = (cross_validate(m, X, y, **of_cv) for m in (model, GaussianNB()))
    y_scores = rng.normal(size=(400, 3))
    found = {"y_true": y, "y_score": X[:, 0], "y_score_a": X[:, 0], "y_score_b": X[:, 1]}
    found |= {"X": X, "y": y, "X_new": X, "new_score": X[:, 0], "model": model}
    found |= {"cross_validate": cross_validate, "cv_results": run_a}
    found |= {"test_fold": np.arange(400) % 5, "pandas": pandas}
    found |= {"run_a": run_a, "run_b": run_b, "hospital": np.arange(400) % 2}
    return vars(sklearn_achievable_pr) | found | {
        "y_multiclass": y_scores.argmax(axis=1), "y_scores": y_scores
    }  # fmt: skip


TYPICAL = {
    name: dedent(DOCS[name].split("Typical call::\n\n")[1].split("\n\n")[0])
    for name in [*FUNCTIONS, *CLASSES]
    if "Typical call::" in DOCS[name]
}


def test_docstrings_of_more_than_100_lines_start_with_a_typical_call():
    long = {name for name in [*FUNCTIONS, *CLASSES] if DOCS[name].count("\n") >= 100}
    assert not long - TYPICAL.keys()
    assert all(DOCS[name].split("\n\n")[1] == "Typical call::" for name in TYPICAL)


@each(name=TYPICAL)
def test_the_two_lines_of_a_typical_call_run(name, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for a picture
    code = TYPICAL[name]
    assert name in code
    assert code.count("\n") == 1
    exec(code, dict(names))
