"""Formulas as MathML, which browsers draw themselves: no script, no network."""

from html import escape

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)
THIN_SPACE = '<mspace width="0.1667em"></mspace>'


def _mathml(node, *, as_block):
    try:
        mathml = latex2mathml.tex2mathml(node.astext(), as_block=as_block)
        # MathML puts no space between a factor and a function.
        return mathml.replace("<mi>ln</mi>", f"{THIN_SPACE}<mi>ln</mi>")
    except MathError as error:
        logger.warning("formula not understood: %s", error, location=node)
        return f"<code>{escape(node.astext())}</code>"


def _visit_inline(self, node):
    self.body.append(_mathml(node, as_block=False))
    raise nodes.SkipNode


def _visit_block(self, node):
    self.body.append(self.starttag(node, "div", CLASS="math-block"))
    self.body.append(_mathml(node, as_block=True))
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
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
