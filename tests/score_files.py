"""What the tests of the program share: an example, its process."""

import os
import subprocess
import sys

import pandas

EXAMPLE = "0.9 1, 0.8 1, 0.7 0, 0.6 1, 0.55 1, 0.54 1, 0.53 0, 0.52 0, 0.51 1, 0.505 0"
EXAMPLE = EXAMPLE.replace(", ", "\n") + "\n"
Y_TRUE = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0]
Y_SCORE = [0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505]


def csv_of(**columns):
    """Text of the columns that are not None."""
    given = {name: column for name, column in columns.items() if column is not None}
    return pandas.DataFrame(given).to_csv(index=False)


def close(found, expected):
    """Whether values are alike but for sums in another order."""
    return abs(found - expected) <= 1e-12 * max(1, abs(expected))


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def started(*arguments, **options):
    """The program as a process that runs."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "sklearn_achievable_pr", *arguments]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.Popen(command, env=environment, **options)


def in_a_process(*arguments, input=None, **options):
    """The result of the program as a process."""
    with started(*arguments, stdin=subprocess.PIPE, **options) as process:
        output, errors = process.communicate(input, timeout=120)
    return subprocess.CompletedProcess(arguments, process.returncode, output, errors)
