"""Pictures of ``doc/_static`` that have a version for each theme.

``.. themed:: guarantee`` shows ``guarantee_light.png`` or ``guarantee_dark.png``, with the
options of ``image``.
"""

from docutils.parsers.rst.directives.images import Image


class Themed(Image):
    """One image node per theme; the theme of the page hides the other one."""

    def run(self):
        (name,), options = self.arguments, self.options
        nodes = []
        for theme in ("light", "dark"):
            self.arguments = [f"/_static/{name}_{theme}.png"]
            self.options = {**options, "class": [f"only-{theme}"]}
            nodes += super().run()
        return nodes


def setup(app):
    """Connect."""
    app.add_directive("themed", Themed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
