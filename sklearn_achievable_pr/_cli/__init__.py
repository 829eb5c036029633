"""Parts of the program `achievable-pr`: arguments, reading of files, results, output."""

import re


class FileError(Exception):
    """Error about a file; the message names the file, the reason and perhaps the row."""


# These arguments of the package are flags of the program.
_FLAGS = {
    name: f"--{name}".replace("_", "-")
    for name in (
        "confidence_level",
        "groups",
        "interval",
        "max_fpr",
        "max_selection_rate",
        "min_npv",
        "min_precision",
        "min_recall",
        "objective",
        "pos_label",
        "prevalence",
        "recall_range",
    )
} | {"sample_weight": "--weight"}
_ARGUMENT = re.compile(rf"`({'|'.join(_FLAGS)})\b")


def in_flags(message: str) -> str:
    """A message of the package with the flags of the program in place of arguments."""
    return _ARGUMENT.sub(lambda found: _FLAGS[found[1]], message).replace("`", "")
