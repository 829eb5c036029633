"""The modules that public classes and functions say they are from."""

import inspect
from collections.abc import Iterable
from typing import Any, get_type_hints


def set_module(things: Iterable[Any], module: str) -> None:
    """Let classes and functions say that they are from the module that users import.

    Pickles and other files of saved models hold this name, so they can be read after a
    private module is renamed. The module of the source of a class is `_module_source`, as
    in NumPy.
    """
    for thing in things:
        if inspect.isclass(thing):
            _set_module_of_class(thing, module)
        elif inspect.isfunction(thing):
            thing.__module__ = module


def _set_module_of_class(of, module):
    """Set the module of a class and of its methods, whose doctests are looked for there."""
    # The names in annotations are those of the private module.
    hints = get_type_hints(of)
    of.__annotations__ = {name: hints[name] for name in inspect.get_annotations(of)}
    of._module_source, of.__module__ = of.__module__, module
    for member in vars(of).values():
        function = getattr(member, "__func__", member)  # of a class method
        if inspect.isfunction(function):
            function.__module__ = module
