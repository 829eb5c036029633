"""The words of the docstrings: the same parameter is told in the same words everywhere."""

import inspect
import re

import pytest
from numpydoc.docscrape import NumpyDocString

import sklearn_achievable_pr as apr

# Parameters that come as several types, each with words of its own.
SEVERAL_TYPES = {
    "curve",  # of a display: both, or one a curve
    "n_pos, n_neg",  # totals of one path, or any numbers
    "average",  # over labels, over folds
    "name",  # of one curve, of several, of a scorer
    "precision, recall",  # points, or the curves of a display
    "prevalence",  # one that the data stand for, or any numbers
    "sample_weight",  # of the rows, of the rows of each fold
    "y_score",  # binary, several labels, several folds
    "y_true",
}
# Who means something else by a parameter of that name and type.
OTHERWISE = {
    ("curve_kwargs", "AchievablePRDisplay.plot"): "a list of names counts too",
    ("estimator", "AchievablePRDisplay.from_estimator"): "a fitted one",
    ("interpolate", "HullThresholdClassifierCV"): "a coin at a threshold",
    ("interpolate", "summary_pr_curve"): "as many points as the eye needs",
    ("name", "get_scorer"): "of a scorer, not of a curve",
    ("pos_label", "AchievablePRDisplay"): "for the axes' labels",
    ("pos_label", "AchievablePRDisplay.from_cv_results"): "None asks the estimator",
    ("pos_label", "AchievablePRDisplay.from_estimator"): "None asks the estimator",
    ("pos_label", "HullThresholdClassifierCV"): "None asks the labels of `fit`",
    ("pos_label", "fold_scores"): "None asks the estimators",
    ("prevalence", "AchievablePRDisplay"): "for the floor",
    ("sample_weight", "HullThresholdClassifierCV.fit"): "passed on as well",
}
# Made by scikit-learn.
NOT_OURS = re.compile(r"set_\w+_request|get_metadata_routing")


def documented():
    """Pairs of a public name and its docstring, methods included."""
    for name in apr.__all__:
        thing = getattr(apr, name)
        if inspect.isfunction(thing):
            yield name, inspect.getdoc(thing)
        elif inspect.isclass(thing):
            yield name, inspect.getdoc(thing)
            for method in vars(thing):
                bound = getattr(thing, method)
                if not (method.startswith("_") or NOT_OURS.fullmatch(method)) and callable(
                    bound
                ):
                    yield f"{name}.{method}", inspect.getdoc(bound)


DOCS = dict(documented())


def entries(section):
    """Name -> type without its default -> words -> who says so."""
    found = {}
    for owner, text in DOCS.items():
        for entry in NumpyDocString(text)[section]:
            if entry.name and (entry.name, owner) not in OTHERWISE:
                kind = re.sub(r",\s*default=.*", "", entry.type)
                words = " ".join(" ".join(entry.desc).split())
                told = found.setdefault(entry.name, {}).setdefault(kind, {})
                told.setdefault(words, []).append(owner)
    return found


PARAMETERS = entries("Parameters")


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_a_parameter_has_the_same_words_everywhere(name):
    for kind, told in PARAMETERS[name].items():
        assert len(told) == 1, (kind, told)


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_a_parameter_is_of_one_type(name):
    assert len(PARAMETERS[name]) == 1 or name in SEVERAL_TYPES, [*PARAMETERS[name]]


def test_names_of_one_entry_have_no_entry_alone():
    """`tps, fps` is one entry everywhere, or two."""
    together = {part for name in PARAMETERS if ", " in name for part in name.split(", ")}
    alone = together & PARAMETERS.keys()
    assert alone == {"precision", "recall"}  # one is asked for the other


@pytest.mark.parametrize("name", ["precision", "recall"])
def test_a_curve_has_the_same_words_everywhere(name):
    kinds = entries("Returns")[name]
    assert len(kinds["ndarray of float64, shape (n_points,)"]) == 1


def test_exceptions_are_needed():
    told = {
        (entry.name, owner)
        for owner, text in DOCS.items()
        for entry in NumpyDocString(text)["Parameters"]
    }
    assert OTHERWISE.keys() <= told
    assert {name for name, kinds in PARAMETERS.items() if len(kinds) > 1} == SEVERAL_TYPES


REFERENCE = re.compile(
    r"\.\. \[\d\] [A-Z][\w, ]+?( and [A-Z]\w+| et al\.) \((19|20)\d\d\), [^,]+, [^:]+\. "
    r"(:(doi|arxiv):`[^`]+`|https://\S+)"
)


@pytest.mark.parametrize("owner", sorted(DOCS))
def test_references_take_a_line_each(owner):
    lines = NumpyDocString(DOCS[owner])["References"]
    for number, line in enumerate(lines, 1):
        assert REFERENCE.fullmatch(line), line
        assert line.startswith(f".. [{number}] ")


@pytest.mark.parametrize("owner", sorted(DOCS))
def test_citations_have_a_reference(owner):
    cited = {int(number) for number in re.findall(r"\[(\d)\]_", DOCS[owner])}
    assert cited <= set(range(1, 1 + len(NumpyDocString(DOCS[owner])["References"])))


@pytest.mark.parametrize("name", [n for n in DOCS if "." not in n])
def test_the_signature_reads(name):
    """What `help` shows first: annotations as they are written."""
    signature = inspect.signature(getattr(apr, name))
    assert len(str(signature)) < 60 * (1 + len(signature.parameters))
    assert "_NestedSequence" not in str(signature)
