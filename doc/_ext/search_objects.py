"""The search finds an object that has a page of its own as this page, not twice."""

from sphinx.domains.python import PythonDomain


class SearchedDomain(PythonDomain):
    """Python objects, of which the search lists those without a page of their own."""

    def get_objects(self):
        """Name, text, type, page, anchor and priority; -1 is not searched."""
        for name, text, kind, page, anchor, priority in super().get_objects():
            own = page == f"api/generated/{name}"
            yield name, text, kind, page, anchor, -1 if own else priority


def setup(app):
    """Replace the domain of Python."""
    app.add_domain(SearchedDomain, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
