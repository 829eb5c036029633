"""The description of a parameter is the same in all docstrings."""

import re

from numpydoc.docscrape import NumpyDocString
from public_names import CLASSES, DOCS, FUNCTIONS, SIGNATURES

# Parameters with several types, and one description per type.
SEVERAL_TYPES = {
    "X",  # one input, or one per model
    "auc_pr",  # of a plan, or of the curves of a display
    "average",  # over labels, or over folds
    "band",  # of a display: which, or the points of one
    "cv_results",  # of one model, or of several
    "curve",  # of a display: both, or one per curve
    "interval",  # of a display: whether, or the limits of one
    "k",  # one of an interval, or several
    "method",  # of an area, an interval, a comparison
    "metric",  # where few are taken they are listed
    "n_pos, n_neg",  # totals of one ROC curve, or any numbers
    "name",  # of one curve, of several, of a scorer
    "precision, recall",  # points, or the curves of a display
    "reference",  # a name, or a label
    "response_method",  # which is tried first, or whose thresholds a display has
    "prevalence",  # one that the data stand for, or any numbers
    "sample_weight",  # of one problem, of folds
    "thresholds",  # of a curve, of a classifier
    "summary",  # of a display: whether, or one per curve
    "y_score",  # binary, several labels, folds
    "y_true",
}
# Parameters that some functions describe differently.
OWN_WORDS = {
    "alternative", "confidence", "confidence_level", "cv_results", "curve",
    "curve_kwargs", "estimator",
    "fill_unachievable", "fixed_class_counts", "groups", "interpolate", "mark_thresholds",
    "max_memory", "method", "metric", "n_bins", "n_jobs", "n_resamples", "name",
    "pos_label", "prevalence", "random_state", "recall_range", "replace_undefined_by",
    "response_method", "sample_weight", "y", "y_score",
}  # fmt: skip


def entries(section):
    """Name -> type without its default -> owner -> words."""
    found = {}
    for owner, text in DOCS.items():
        for entry in NumpyDocString(text)[section]:
            kind = re.sub(r",\s*default=.*", "", entry.type)
            words = " ".join(" ".join(entry.desc).split())
            found.setdefault(entry.name, {}).setdefault(kind, {})[owner] = words
    return found


PARAMETERS = entries("Parameters")


def test_a_parameter_has_the_same_words_everywhere():
    assert not [
        (name, words)
        for name in PARAMETERS.keys() - OWN_WORDS
        for words in PARAMETERS[name].values()
        if len(set(words.values())) > 1
    ]


def test_a_parameter_is_of_one_type():
    assert not [
        (name, [*kinds])
        for name, kinds in PARAMETERS.items()
        if len(kinds) > 1 and name not in SEVERAL_TYPES
    ]


def test_names_of_a_joint_entry_have_no_single_entry():
    """`tps, fps` is either one entry in all docstrings, or two entries."""
    together = {part for name in PARAMETERS if ", " in name for part in name.split(", ")}
    alone = together & PARAMETERS.keys()
    # One is asked for the other; a plan has a second score or not.
    assert alone == {"precision", "recall", "y_score_b"}


def test_a_curve_has_the_same_words_everywhere():
    for name in ("precision", "recall"):
        words = entries("Returns")[name]["ndarray of float64, shape (n_points,)"]
        words.pop("summary_pr_curve", None)  # of several folds, at one prevalence
        words.pop("achievable_pr_curve", None)  # a hull never starts with negatives
        assert len({*words.values()}) == 1


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
