"""What the program `achievable-pr` is made of: files in, results, text and files out."""


class FileError(Exception):
    """A file that cannot be used; the message names the file, the row and the reason."""
