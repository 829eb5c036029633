"""Where long names may break, and what may not break, on a narrow screen and in side bars.

Calls and paths break at their punctuation, names at a capital letter or an underscore.
AUC-PR and PR-AUC do not break at their hyphen, and a number stays with its percent sign.
"""

import re

LONG = re.compile(r'(<span class="pre">|<strong>)([^<\s]{18,})(?=</)')
TITLE = re.compile(r"<(h[1-3]|th)\b.*?</\1>", re.DOTALL)  # of a section or a column
TEXT = re.compile(r">[^<]+<")
NAME = re.compile(r"\w{13,}")
PARAGRAPH = re.compile(r"<p\b.*?</p>", re.DOTALL)
# Functions of the theme that write titles of pages and sections into the side bars.
BARS = ("generate_toctree_html", "generate_toc_html")


def with_breaks(found):
    """The text found, with optional line breaks at marks and capitals before a letter."""
    # The suffix of a file and "CV" do not stand alone on a line.
    places = r"[_/(=](?=\w)|\.(?!\w{1,3}\b)(?=\w)|[a-z](?=[A-Z])(?!CV\b)"
    return found[1] + re.sub(places, r"\g<0><wbr>", found[2])


def broken_name(found):
    """A long name, with optional line breaks between its words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])(?!CV\b)|(?<=_)(?=[^_])", "<wbr>", found[0])


def laid_out(found):
    """Text between two tags of a title."""
    text = NAME.sub(broken_name, found[0])
    text = re.sub(r"(?<=\w)[\[(](?=\w)", r"\g<0><wbr>", text)  # a call in code
    return re.sub(r"AUC-(?:PR|ROC)\b|PR-AUC", r'<span class="nobreak">\g<0></span>', text)


def with_percent(found):
    """A paragraph without line breaks before a percent sign."""
    return re.sub(r"(?<=\d) %", "&#160;%", found[0])


def title_html(html):
    """HTML with titles, laid out."""
    return TEXT.sub(laid_out, str(html))


def allow_breaks(app, pagename, templatename, context, doctree):
    """Add optional line breaks to the names of a page and of its side bars."""
    if "body" in context:
        context["body"] = LONG.sub(with_breaks, context["body"])
        context["body"] = TITLE.sub(lambda found: title_html(found[0]), context["body"])
        context["body"] = PARAGRAPH.sub(with_percent, context["body"])
    for name in BARS:
        if generate := context.get(name):
            context[name] = lambda *a, _made_by=generate, **k: title_html(_made_by(*a, **k))


def setup(app):
    """Connect, after the theme."""
    app.connect("html-page-context", allow_breaks, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
