"""The description of a parameter is the same in all docstrings."""

import re

from numpydoc.docscrape import NumpyDocString
from public_names import CLASSES, DOCS, FUNCTIONS, SIGNATURES

# Parameters of several types, or that some functions describe in words of their own: of
# one curve or of several, one number or an array, one model or several, which are taken.
DIFFERENT = {
    "X", "alternative", "auc_pr", "average", "band", "confidence_level", "curve",
    "cv_results", "estimator", "groups", "interpolate", "interval",
    "k", "max_memory", "method", "metric", "n_bins", "n_jobs", "n_pos, n_neg",
    "n_resamples", "name", "pos_label", "precision, recall", "prevalence", "random_state",
    "recall_range", "reference", "replace_undefined_by", "response_method",
    "sample_weight", "summary", "thresholds", "y", "y_score",
    "y_score_a, y_score_b", "y_true",
}  # fmt: skip


def entries(section):
    """Name -> owner -> type without its default, and words."""
    found = {}
    for owner, text in DOCS.items():
        for entry in NumpyDocString(text)[section]:
            kind = re.sub(r",\s*default=.*", "", entry.type)
            words = " ".join(" ".join(entry.desc).split())
            found.setdefault(entry.name, {})[owner] = kind, words
    return found


PARAMETERS = entries("Parameters")


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
