"""The contents of an API page list the parts of its docstring, and the methods of a class.

Without this, Sphinx lists sections only, which docstrings do not have.
"""

import re

from bs4 import BeautifulSoup

# The title of a part, which is a rubric or a field, or the beginning of an object.
PLACE = re.compile(
    r'(?P<tag><p class="rubric"|<dt class="field-(?:odd|even)")>(?P<part>\w+)'
    r'|<dt class="sig sig-object py" id="(?P<object>[\w.]+)"'
)


def with_targets(body):
    """The HTML of a page with targets of the parts, and its contents as (target, text)."""
    places = []

    def with_target(found):
        if found["object"]:
            places.append((found["object"], found["object"].rpartition(".")[2]))
            return found[0]
        # The parts of a method are not listed.
        if sum("." in target for target, _ in places) > 1:
            return found[0]
        target = found["part"].lower()
        places.append((target, found["part"]))
        return f'{found["tag"]} id="{target}">{found["part"]}'

    body = PLACE.sub(with_target, body)
    return body, places[1:]  # the first object is that of the page


def add_contents(app, pagename, templatename, context, doctree):
    """Add the parts and methods of an API page to its contents, before its sections."""
    if not pagename.startswith("api/generated/") or "body" not in context:
        return
    context["body"], places = with_targets(context["body"])
    links = "".join(f'<li><a href="#{target}">{text}</a></li>' for target, text in places)
    page = BeautifulSoup(context["toc"], "html.parser")
    if page.li.ul is None:
        page.li.append(page.new_tag("ul"))
    page.li.ul.insert(0, BeautifulSoup(links, "html.parser"))
    context["toc"] = str(page)


def setup(app):
    """Connect."""
    app.connect("html-page-context", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
