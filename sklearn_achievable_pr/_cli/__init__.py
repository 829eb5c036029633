"""Parts of the program `achievable-pr`: arguments, reading of files, results, output."""


class FileError(Exception):
    """Error about a file; the message names the file, the reason and perhaps the row."""
