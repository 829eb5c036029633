"""The program `achievable-pr`: files of scores in, areas and curves out.

It parses arguments, asks for results, and has them printed, written and drawn. Nothing is
printed, and no file replaced, before everything asked for is there.
"""

from __future__ import annotations

import sys

from ._cli import FileError

PROGRAM = "achievable-pr"


def _run(argv):
    """Write, draw and print everything asked for; errors are raised before that."""
    # Polars and matplotlib may not be installed, which is an error of one line.
    from ._cli import arguments, output, results

    options = arguments.parse(PROGRAM, argv)
    with output.replacing(options.curve) as curve, output.replacing(options.plot) as plot:
        found = results.results_of(options)
        text = output.FORMATS[options.format](found)
        if curve:
            output.write_curves(curve, found)
        if plot:
            output.draw(plot, found)
    for warning in dict.fromkeys(found.warnings):
        print(f"{PROGRAM}: warning: {warning.partition('. ')[0]}.", file=sys.stderr)
    try:
        print(text, end="", flush=True)
    except (OSError, ValueError) as error:
        sys.stdout = None  # else Python tries again at the end, and complains
        raise FileError(f"standard output: {error}.") from error


def main(argv=None):
    """Run the program.

    Parameters
    ----------
    argv : list of str, default=None
        Arguments; None takes those of the process.

    Returns
    -------
    int
        Exit status: 0 done, 2 an argument or a file cannot be used, 130 interrupted.
    """
    try:
        _run(argv)
        return 0
    except ImportError as error:
        status, why = 2, f"{error}. Run pip install 'sklearn-achievable-pr[cli,plot]'."
    except (FileError, MemoryError) as error:
        status, why = 2, f"{error}" or "the files do not fit into memory."
    except KeyboardInterrupt:
        status, why = 130, "interrupted."
    print(f"{PROGRAM}: error: {why}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
