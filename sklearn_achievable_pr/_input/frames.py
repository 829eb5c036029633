"""What data frames know of their values: the labels of their rows, the names of columns."""


def check_order(**arguments):
    """Raise `ValueError` if pandas objects hold the same samples in another order.

    Parameters
    ----------
    **arguments : object
        All arguments that describe the same samples, by the names that a message shows. The
        first is the target. Only objects with an index are compared.

    Notes
    -----
    Values are matched by position. Indexes that hold the same labels in another order
    contradict it. Other indexes say nothing about the order, and neither does pandas'
    default index, unless it is the index of the target: a Series that was made from an
    array of predictions has it, too.
    """
    indexes = {}
    for i, (name, values) in enumerate(arguments.items()):
        index = getattr(values, "index", None)  # lists have a method of this name
        if not hasattr(index, "get_indexer") or (i and _is_default(index)):
            continue
        for other_name, other in indexes.items():
            if index is other:
                break
            if _is_permutation(index, other):
                raise ValueError(
                    f"`{name}` and `{other_name}` must have their samples in one order: "
                    "they are matched by position. Got indexes with the same labels in "
                    f"another order. Pass `{name}.reindex({other_name}.index)` or, if the "
                    f"rows do correspond, `{name}.to_numpy()`."
                )
        else:
            indexes[name] = index


def _is_default(index):
    """Whether an index is pandas' default, 0, 1, 2, ..., which objects have without one."""
    return (
        type(index).__name__ == "RangeIndex"
        and (index.start, index.step) == (0, 1)
        and index.name is None
    )


def _is_permutation(index, other):
    """Whether two indexes hold the same unique labels in different orders."""
    if len(index) != len(other) or index.equals(other):
        return False
    is_unique = index.is_unique and other.is_unique
    return is_unique and bool((index.get_indexer(other) >= 0).all())
