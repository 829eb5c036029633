"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks for results, and has them printed, written and drawn. Nothing is
printed, and no file replaced, before everything asked for is there.
"""

from __future__ import annotations

import contextlib
import sys

from ._cli.arguments import misuse_of, parser
from ._cli.files import FileError, needed, told
from ._cli.how_sure import Scored, heard, pairs_of
from ._cli.opened import printable, shown_name
from ._cli.printing import FORMATS, show, write_out
from ._cli.results import results_of, undefined
from ._cli.writing import draw, replacing, write_curves

PROGRAM = "achievable-pr"
USER_ERROR, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


def _run(options):
    """Exit status 0; errors are raised."""
    if options.plot is not None:
        needed("matplotlib", "--plot needs matplotlib", "plot")
    writers = {options.curve: write_curves, options.plot: draw}
    with contextlib.ExitStack() as stack:
        made = {path: stack.enter_context(replacing(path)) for path in writers if path}
        kept: list[Scored] = []
        notes: list[str] = []
        results = [r for file in options.files for r in results_of(file, options, kept)]
        with heard(notes):
            pairs = pairs_of(kept, options) if options.compare else []
        notes = [f"--compare: {note}" for note in notes]
        text = FORMATS[options.format](results, pairs, options)
        for path, temporary in made.items():
            with told(shown_name(path), "written"):
                writers[path](temporary, path, results)
    for warning in dict.fromkeys((*_warnings(results), *notes)):
        show(sys.stderr, f"{PROGRAM}: warning: {warning}.\n")
    write_out(text)
    return 0


def _warnings(results):
    """What there is to say of the results."""
    for result in results:
        if why := undefined(result.values):
            of_fold = f"fold {printable(result.fold)} " if result.fold else ""
            yield f"{shown_name(result.file)}: {of_fold}{why}"
    for result in results:
        of_fold = f"fold {printable(result.fold)}: " if result.fold else ""
        for note in result.notes:
            yield f"{shown_name(result.file)}: {of_fold}{note}"


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
        return _run(options)
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
