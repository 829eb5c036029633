"""Parts of the program `achievable-pr`: arguments, reading of files, results, output."""


class FileError(Exception):
    """Error about a file; the message names the file, the reason and perhaps the row."""


# These arguments of the package are flags of the program.
_FLAGS = (
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


def in_flags(message: str) -> str:
    """A message of the package with the flags of the program in place of arguments."""
    for name in _FLAGS:
        message = message.replace(f"`{name}`", f"--{name}".replace("_", "-"))
    return message.replace("`sample_weight`", "--weight").replace("`", "")
