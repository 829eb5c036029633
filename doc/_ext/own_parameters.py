"""A function's own parameter in single backticks is not a link.

`aucnpr` is a function, and a parameter of `AchievablePRDisplay`.
"""

from sphinx import addnodes


def unlink_parameters(app, doctree):
    """Replace links to an object's own parameters by plain text."""
    for described in doctree.findall(addnodes.desc):
        own = {
            name.astext()
            for parameter in described.findall(addnodes.desc_parameter)
            for name in parameter.findall(addnodes.desc_sig_name)
        }
        for link in list(described.findall(addnodes.pending_xref)):
            if link.get("reftype") == "obj" and link["reftarget"] in own:
                link.replace_self(link.children)


def setup(app):
    """Connect."""
    app.connect("doctree-read", unlink_parameters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
