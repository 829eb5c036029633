"""Many small cases as one test, each named in what fails; the conformance cases."""

import importlib.util
import inspect
import json
from contextlib import contextmanager
from functools import cache, wraps
from itertools import product
from pathlib import Path

import numpy as np

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


@cache
def reference_values():
    """Values printed by other programs (tests/data), and the exact values of the cases."""
    values = json.loads((ROOT / "tests" / "data" / "values.json").read_text("utf-8"))
    for name, value in values.items():
        expected = conformance_cases()[name]["expected"]
        value["exact"] |= {key: v for key, v in expected.items() if isinstance(v, str)}
    return values


@cache
def reference_samples():
    """Labels, scores, and weights or None of the cases of tests/data, by name."""
    samples, found = script(CONFORMANCE / "runner.py").samples, {}
    for name, value in reference_values().items():
        y_true, y_score, weight = samples(conformance_cases()[name])
        if weight is not None and not value["weighted"]:
            # Other programs were given repeated samples.
            repeats = weight.astype(int)
            y_true, y_score = np.repeat(y_true, repeats), np.repeat(y_score, repeats)
            weight = None
        found[name] = y_true, y_score, weight
    return found
