"""Long names break after a dot or an underscore where a narrow screen needs it."""

import re

NAME = re.compile(r'(?<=<span class="pre">)[\w.]{25,}(?=</span>)')


def with_breaks(name):
    """The name found, with an optional line break after each dot and underscore."""
    return re.sub(r"(?<=\w)[._](?=\w)", r"\g<0><wbr>", name[0])


def allow_breaks(app, pagename, templatename, context, doctree):
    """Add optional line breaks to the names of a page."""
    if "body" in context:
        context["body"] = NAME.sub(with_breaks, context["body"])


def setup(app):
    """Connect."""
    app.connect("html-page-context", allow_breaks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
