"""Many small cases as one test, each named in what fails; the conformance cases."""

import importlib.util
import inspect
import json
from contextlib import contextmanager
from functools import cache, wraps
from itertools import product
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFORMANCE = ROOT / "doc" / "conformance"


@contextmanager
def case(*name):
    """Context manager that adds the name of the case to any exception raised inside."""
    try:
        yield
    except BaseException as error:  # pytest has what it raises beside Exception
        error.add_note("In the case of " + ", ".join(map(str, name)))
        raise


def each(**tables):
    """All combinations, as stacked `pytest.mark.parametrize`, but one test for all."""

    def decorate(test):
        signature = inspect.signature(test)
        others = [p for p in signature.parameters.values() if p.name not in tables]
        table = list(product(*tables.values()))

        @wraps(test)
        def run(**fixtures):
            assert table
            for values in table:
                chosen = dict(zip(tables, values, strict=True))
                with case(*(f"{name}={value!r}" for name, value in chosen.items())):
                    test(**fixtures, **chosen)

        run.__signature__ = signature.replace(parameters=others)
        return run

    return decorate


@cache
def script(path):
    """A script of the repository as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def conformance_cases():
    """The cases of doc/conformance/cases.json by name."""
    text = (CONFORMANCE / "cases.json").read_text("utf-8")
    return {case["name"]: case for case in json.loads(text)["cases"]}
