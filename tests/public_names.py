"""Public functions, classes and methods by name, their signatures and docstrings."""

import inspect
from operator import attrgetter

import sklearn_achievable_pr as apr

FUNCTIONS = [name for name in apr.__all__ if inspect.isfunction(getattr(apr, name))]
CLASSES = [
    name
    for name in apr.__all__
    if inspect.isclass(getattr(apr, name)) and not issubclass(getattr(apr, name), Warning)
]


def public_methods(name):
    return [
        f"{name}.{method}"
        for method, thing in vars(getattr(apr, name)).items()
        if not method.startswith("_")
        and inspect.isfunction(inspect.unwrap(getattr(thing, "__func__", thing)))
    ]


METHODS = [method for name in CLASSES for method in public_methods(name)]
CALLABLES = {name: attrgetter(name)(apr) for name in [*FUNCTIONS, *CLASSES, *METHODS]}
SIGNATURES = {name: inspect.signature(thing) for name, thing in CALLABLES.items()}
DOCS = {name: inspect.getdoc(thing) for name, thing in CALLABLES.items()}
