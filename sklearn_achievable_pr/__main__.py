"""The program `achievable-pr`, which computes areas and curves of score files.

Nothing is printed, and no file is replaced, before all results are computed, written and
drawn without an error.
"""

import os
import signal
import sys

from ._cli import FileError

PROGRAM = "achievable-pr"


def _run(argv):
    """Compute, write, draw and print the results for these arguments."""
    # Imported here, so that `main` can report missing Polars or matplotlib in one line.
    from ._cli import arguments, output, results

    options = arguments.parse(PROGRAM, argv)
    if sys.stdout is None:
        raise FileError("standard output: is closed.")
    with (
        output.replacing(options.write_curve) as curve,
        output.replacing(options.plot) as plot,
    ):
        found = results.results_of(options)
        text = output.FORMATS[options.format](found)
        if curve:
            output.write_curves(curve, found)
        if plot:
            with found.noting("--plot"):
                output.draw(plot, found, options.prevalence)
    for message in found.messages():
        print(f"{PROGRAM}: {message}", file=sys.stderr)
    try:
        print(text, end="", flush=True)
    except (OSError, ValueError) as error:
        sys.stdout = None  # otherwise Python would flush again at exit and print an error
        raise FileError(f"standard output: {error}.") from error


def _leave(number, _):
    """Exit after a signal, so that temporary files are removed."""
    signal.signal(number, signal.SIG_IGN)  # a second signal would stop the removal
    sys.exit(128 + number)


def main(argv=None):
    """Run the program and return its exit status.

    Parameters
    ----------
    argv : list of str, default=None
        Command-line arguments. None means the arguments of the process.

    Returns
    -------
    int
        Exit status: 0 for success, 2 if an argument or a file cannot be used or a package
        is missing, 130 if interrupted. In a process of its own, SIGTERM and SIGHUP exit
        with 128 plus their number.
    """
    # A closed standard error is None, and `print` would write to the standard output.
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if argv is None:  # this process is the program, so it may handle signals
        for name in {"SIGTERM", "SIGHUP"} & {*dir(signal)}:
            if signal.getsignal(number := getattr(signal, name)) is signal.SIG_DFL:
                signal.signal(number, _leave)
    try:
        _run(argv)
        return 0
    except ImportError as error:
        status, why = 2, f"{error}. In a clone run python -m pip install '.[cli,plot]'."
    except (FileError, MemoryError) as error:
        status, why = 2, f"{error}" or "the files do not fit into memory."
    except KeyboardInterrupt:
        status, why = 130, "interrupted."
    print(f"{PROGRAM}: error: {why}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
