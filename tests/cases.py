"""Many small cases as one test, each named in what fails."""

import inspect
from contextlib import contextmanager
from functools import wraps
from itertools import product


@contextmanager
def case(*name):
    """What is raised within says where."""
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
