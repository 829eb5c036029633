"""Settings of the documentation. The build needs no network."""

import inspect
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import matplotlib

HERE = Path(__file__).parent
# The installed package is documented; without one, the checkout.
sys.path += [str(HERE / "_ext"), str(HERE.parent)]

import gallery  # noqa: E402

import sklearn_achievable_pr  # noqa: E402

matplotlib.use("Agg")

project = "sklearn_achievable_pr"
author = "The sklearn_achievable_pr developers"
copyright = author
version = release = sklearn_achievable_pr.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.extlinks",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "matplotlib.sphinxext.plot_directive",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "gallery",
    "tables",
]
root_doc = "index"
exclude_patterns = ["_build", "_ext", "_templates", "inventories", "**/GALLERY_HEADER.rst"]
templates_path = ["_templates"]
default_role = "py:obj"
add_function_parentheses = False
rst_prolog = ".. currentmodule:: sklearn_achievable_pr\n"
suppress_warnings = ["config.cache"]  # sphinx-gallery's settings hold a function

# A role must find its target; names in single backticks need not.
nitpicky = True
nitpick_ignore_regex = [("py:obj", ".*")]

# Links
extlinks = {
    "doi": ("https://doi.org/%s", "doi:%s"),
    "arxiv": ("https://arxiv.org/abs/%s", "arXiv:%s"),
}
# Small inventories kept in plain text, so that none is downloaded.
intersphinx_mapping = {
    name: (site, str(HERE / "inventories" / f"{name}.inv"))
    for name, site in {
        "sklearn": "https://scikit-learn.org/stable",
        "joblib": "https://joblib.readthedocs.io/en/stable",
        "numpy": "https://numpy.org/doc/stable",
        "scipy": "https://docs.scipy.org/doc/scipy",
    }.items()
}
intersphinx_disabled_reftypes = ["std:*"]

# Pages from docstrings
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings state the types
# Methods of every scikit-learn estimator are documented there.
autodoc_default_options = {
    "members": True,
    "exclude-members": "get_metadata_routing,"
    + ",".join(f"set_{method}_request" for method in ("fit", "predict", "score")),
}
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# Pictures
plot_html_show_source_link = False
plot_html_show_formats = False
plot_formats = [("png", 144)]
plot_include_source = False
plot_rcparams = {
    "figure.figsize": (5.0, 3.4),  # small, so that text is readable on a phone
    "figure.constrained_layout.use": True,
    "font.size": 12,
}
plot_apply_rcparams = True

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "auto_examples",
    "reset_modules": ("matplotlib", "seaborn", gallery.enlarge_text),
    "backreferences_dir": "api/generated/backreferences",
    "doc_module": ("sklearn_achievable_pr",),
    "within_subsection_order": gallery.order,
    "image_srcset": ["2x"],
    "thumbnail_size": (600, 420),
    "remove_config_comments": True,
    "abort_on_example_error": False,
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,  # its page loads scripts from other sites
    "show_memory": False,
    "min_reported_time": 1e9,  # times of the machine that built the pages do not matter
    "plot_gallery": "True",
    "capture_repr": ("_repr_html_",),
    "reference_url": {"sklearn_achievable_pr": None},
}

# The copy button copies what can be pasted: no prompts, and none of the output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_selector = "div.highlight:not(.sphx-glr-script-out .highlight) pre"

# HTML
html_theme = "pydata_sphinx_theme"
html_title = f"{project} {version}"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["extra.css"]
html_extra_path = ["llms.txt"]
html_search_scorer = str(HERE / "_ext" / "search_order.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_toc_level": 2,
    "logo": {"text": f'{project} <span class="version">{version}</span>'},
    "navbar_align": "left",
    "header_links_before_dropdown": 5,
    "footer_start": ["copyright"],
    "footer_end": ["about.html"],
    "navbar_persistent": ["search-button"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
WITHOUT_SIDEBAR = "index", "start/getting_started", "whats_new", "contributing"
html_sidebars = {page: [] for page in WITHOUT_SIDEBAR}


# Source links


def module_of_source(app, module, name):
    """The module that defines a public name, which says the module that users import."""
    thing = attrgetter(name)(import_module(module))
    if isinstance(thing, type):
        return getattr(thing, "_module_source", None)
    function = inspect.unwrap(getattr(thing, "__func__", thing))
    return getattr(function, "__globals__", {}).get("__name__")


def setup(app):
    app.connect("viewcode-follow-imported", module_of_source)
