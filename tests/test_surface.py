"""The public surface is that of `surface.txt`."""

from surface import FILE, surface


def test_the_surface_is_that_of_the_file():
    """After a change that is meant: ``python tests/surface.py``."""
    assert FILE.read_text("utf-8") == "\n".join(surface()) + "\n"
