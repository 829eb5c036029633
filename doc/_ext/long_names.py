"""Long names, calls and paths break at their punctuation on a narrow screen."""

import re

LONG = re.compile(r'(<span class="pre">|<strong>)([^<\s]{25,})(?=</)')


def with_breaks(found):
    """The text found, with an optional line break after each mark before a letter."""
    return found[1] + re.sub(r"[._/(=](?=\w)", r"\g<0><wbr>", found[2])


def allow_breaks(app, pagename, templatename, context, doctree):
    """Add optional line breaks to the names of a page."""
    if "body" in context:
        context["body"] = LONG.sub(with_breaks, context["body"])


def setup(app):
    """Connect."""
    app.connect("html-page-context", allow_breaks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
