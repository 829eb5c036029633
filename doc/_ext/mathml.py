"""Formulas as MathML, which browsers render without scripts or a network."""

import re
from html import escape

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)
THIN_SPACE = '<mspace width="0.1667em"></mspace>'
FUNCTION = r"<mi[^>]*>(?:ln|log|logit|artanh)</mi>"


def _mathml(node, formula, *, as_block):
    try:
        # docutils knows \ldots, but not \dots.
        formula = formula.replace(r"\dots", r"\ldots")
        mathml = latex2mathml.tex2mathml(formula, as_block=as_block)
    except MathError as error:
        logger.warning("formula not understood: %s", error, location=node)
        return f"<code>{escape(formula)}</code>"
    # MathML puts no space between a factor and a function, nor after the function.
    mathml = re.sub(rf"(?={FUNCTION})", THIN_SPACE, mathml)
    apply = r"(?:\s*<mo>&ApplyFunction;</mo>)?"
    return re.sub(rf"({FUNCTION}{apply})(?=\s*<mi)", rf"\1{THIN_SPACE}", mathml)


def keep_punctuation(app, doctree, docname):
    """Keep punctuation after a formula on the line of the formula."""
    for formula in doctree.findall(nodes.math):
        behind = formula.next_node(nodes.Text, descend=False, siblings=True)
        place = formula.parent.index(formula) + 1
        if behind is None or formula.parent[place] is not behind:
            continue
        formula["tail"] = re.match(r"[,.;:)]*", behind)[0]
        behind.parent.replace(behind, nodes.Text(behind[len(formula["tail"]) :]))


def _visit_inline(self, node):
    tail = node.get("tail")
    self.body.append('<span class="formula">' if tail else "")
    self.body.append(_mathml(node, node.astext(), as_block=False))
    self.body.append(f"{tail}</span>" if tail else "")
    raise nodes.SkipNode


def _visit_block(self, node):
    self.body.append(self.starttag(node, "div", CLASS="math-block"))
    # On a narrow screen, formulas side by side wrap below each other.
    self.body.append('<div class="formulas">')
    for formula in node.astext().split(r"\qquad"):
        self.body.append(_mathml(node, formula, as_block=True))
    self.body.append("</div>")
    if node["number"]:
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})</span>')
    self.body.append("</div>")
    raise nodes.SkipNode


def _no_departure(self, node):
    pass


def setup(app):
    app.add_html_math_renderer(
        "mathml", (_visit_inline, _no_departure), (_visit_block, _no_departure)
    )
    app.connect("doctree-resolved", keep_punctuation)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
