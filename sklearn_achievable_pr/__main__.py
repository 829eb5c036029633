"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks for results, and has them printed, written and drawn. Nothing is
printed, and no file replaced, before everything asked for is there.
"""

from __future__ import annotations

import contextlib
import sys

from ._cli.arguments import parse
from ._cli.output import FORMATS, draw, replacing, show, write_curves, write_out
from ._cli.reading import FileError, reraise_as_file_error
from ._cli.results import results_of

PROGRAM = "achievable-pr"


def _run(options):
    """Write, draw and print everything asked for; errors are raised before that."""
    writers = {options.curve: write_curves, options.plot: draw}
    with contextlib.ExitStack() as stack:
        made = {path: stack.enter_context(replacing(path)) for path in writers if path}
        results = results_of(options)
        text = FORMATS[options.format](results)
        for path, temporary in made.items():
            with reraise_as_file_error(path, "written"):
                writers[path](temporary, path, results)
    for warning in dict.fromkeys(results.warnings):
        show(sys.stderr, f"{PROGRAM}: warning: {warning}.\n")
    write_out(text)


def main(argv=None):
    """Run the program.

    Parameters
    ----------
    argv : list of str, default=None
        Arguments; None takes those of the process.

    Returns
    -------
    int
        Exit status: 0 done, 2 an argument or a file cannot be used, 130 interrupted, 141
        nobody reads what is printed.
    """
    try:
        _run(parse(PROGRAM, argv))
        return 0
    except FileError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            return 141
        status, why = 2, f"{error}"
    except MemoryError:
        status, why = 2, "the files do not fit into memory."
    except KeyboardInterrupt:
        status, why = 130, "interrupted."
    show(sys.stderr, f"{PROGRAM}: error: {why}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
