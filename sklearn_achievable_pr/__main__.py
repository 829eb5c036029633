"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks for results, and has them printed, written and drawn. Nothing is
printed, and no file replaced, before everything asked for is there.
"""

from __future__ import annotations

import contextlib
import sys

from ._cli.arguments import misuse_of, parser
from ._cli.output import FORMATS, draw, replacing, show, write_curves, write_out
from ._cli.reading import FileError, needed, reraise_as_file_error, shown_name
from ._cli.results import captured_warnings, pairs_of, results_of, warnings_of

PROGRAM = "achievable-pr"
USER_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


def _run(options):
    """Write, draw and print everything asked for; errors are raised before that."""
    if options.plot is not None:
        needed("matplotlib", "--plot needs matplotlib", "plot")
    writers = {options.curve: write_curves, options.plot: draw}
    with contextlib.ExitStack() as stack:
        made = {path: stack.enter_context(replacing(path)) for path in writers if path}
        results = [result for file in options.files for result in results_of(file, options)]
        notes: list[str] = []
        with captured_warnings(notes):
            pairs = pairs_of(results, options) if options.compare else []
        text = FORMATS[options.format](results, pairs, options)
        for path, temporary in made.items():
            with reraise_as_file_error(shown_name(path), "written"):
                writers[path](temporary, path, results)
    notes = [*warnings_of(results), *(f"--compare: {note}" for note in notes)]
    for warning in dict.fromkeys(notes):
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
    parse = parser(PROGRAM)
    options = parse.parse_args(argv)
    if misuse := misuse_of(options):
        parse.error(misuse)
    try:
        _run(options)
        return 0
    except FileError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            return BROKEN_PIPE
        status, why = USER_ERROR, f"{error}"
    except MemoryError:
        status, why = USER_ERROR, "the files do not fit into memory."
    except KeyboardInterrupt:
        status, why = INTERRUPTED, "interrupted."
    show(sys.stderr, f"{PROGRAM}: error: {why}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
