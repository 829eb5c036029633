"""Compare the values that a program prints with those of cases.json.

    python check.py RESULTS.json [--tolerance 1e-9] [--digits 4] [--failures]

RESULTS.json holds `{"auc_pr": {"name of a case": value, ...}, ...}`; README.rst describes
it. The table says how many values pass and fail and the likely cause of the failures: the
wrong values of known methods are computed here from the cases, and the cause is the method
that prints the same numbers. The exit status is 0 if every value passes, 1 otherwise.

Needs Python 3.11 or later and nothing else.
"""

import argparse
import functools
import json
import math
import struct
import sys
from bisect import bisect_left
from itertools import accumulate, groupby, pairwise
from pathlib import Path

CASES = Path(__file__).with_name("cases.json")
AREAS = ("auc_pr", "auc_pr_achievable", "aucnpr", "average_precision")
AT_K = ("precision_at_k", "recall_at_k")
TOLERANCE = 1e-9
# AUCNPR is a difference of areas: an absolute error of some roundings passes as well.
AUCNPR_WITHIN = 1e-14
# Some programs work in single precision: their numbers still show the method.
SAME_METHOD = 2e-6
SINGLE_PRECISION = "rounding: right to single precision"
APPROXIMATION = "approximation: right to 1 %"
WITHIN = {SINGLE_PRECISION: SAME_METHOD, APPROXIMATION: 1e-2}
MANY_SAMPLES = 5000

# Curves


class Problem:
    """A case, with the curves that right and wrong methods make of it."""

    def __init__(self, case):
        self.name, self.catches = case["name"], case["catches"]
        self.expected = case["expected"]
        self.labels, self.scores = _samples(case)
        self.weights = case.get("sample_weight")
        self.recall_range = tuple(case.get("recall_range", (0, 1)))
        self.prevalence = case.get("prevalence")
        weights = self.weights or ()
        self.integer_weights = self.prevalence is None and all(w % 1 == 0 for w in weights)
        self.integer_weights &= sum(weights) < 10**6

    @functools.cache  # noqa: B019 (a problem lives as long as the program)
    def curve(
        self, ties="joined", weighted=True, reweighted=True, hull=False, single=False
    ):
        """Points (f, t) of the ROC curve in counts, from (0, 0) on."""
        n = len(self.labels)
        weights = self.weights if self.weights and weighted else [1] * n
        scores = [_single(s) for s in self.scores] if single else self.scores
        order = range(n) if ties != "last first" else range(n - 1, -1, -1)
        order = sorted((i for i in order if weights[i] > 0), key=lambda i: -scores[i])
        key = scores.__getitem__ if ties == "joined" else lambda i: i
        positive, negative = [0], [0]
        for _, tied in groupby(order, key=key):
            tied = list(tied)
            positive.append(math.fsum(weights[i] for i in tied if self.labels[i]))
            negative.append(math.fsum(weights[i] for i in tied if not self.labels[i]))
        t, f = list(accumulate(positive)), list(accumulate(negative))
        if not t[-1]:
            return None
        if self.prevalence is not None and reweighted:
            if not f[-1]:
                return None
            factor = t[-1] * (1 - self.prevalence) / (self.prevalence * f[-1])
            f = [x * factor for x in f]
        points = list(zip(f, t, strict=True))
        return _hull(points) if hull else points


def _single(score):
    """A score rounded to single precision."""
    try:
        return struct.unpack("f", struct.pack("f", score))[0]
    except OverflowError:
        return math.copysign(math.inf, score)


def _samples(case):
    if "generator" not in case:
        return case["y_true"], case["y_score"]
    rule, labels, scores = case["generator"], [], []
    state = rule["seed"]
    for _ in range(rule["n_samples"]):
        state = state * rule["multiplier"] % rule["modulus"]
        label = int(state < rule["positive_below"])
        state = state * rule["multiplier"] % rule["modulus"]
        labels.append(label)
        scores.append(state // rule["score_divisor"] + label * rule["positive_shift"])
    return labels, scores


def _hull(points):
    hull = []
    for f, t in points:
        while len(hull) > 1:
            (f0, t0), (f1, t1) = hull[-2:]
            if (f1 - f0) * (t - t1) < (f - f1) * (t1 - t0):
                break
            hull.pop()
        hull.append((f, t))
    return hull


# Methods: the area of a curve over a recall range


def exact(points, low, high):
    """Linear interpolation of the counts, in closed form."""
    n_pos, parts = points[-1][1], []
    for (f0, t0), (f1, t1) in pairwise(points):
        start, end = max(t0, low * n_pos), min(t1, high * n_pos)
        if start >= end:
            continue
        slope = (f1 - f0) / (t1 - t0)
        rise, n = end - start, start + f0 + slope * (start - t0)
        if n == 0:
            parts.append(rise / (1 + slope))
        else:
            x = rise * (1 + slope) / n
            parts.append((start * math.log1p(x) + n * _x_minus_log1p(x) / (1 + slope))
                         / (1 + slope))  # fmt: skip
    return math.fsum(parts) / n_pos


def _x_minus_log1p(x):
    """Without cancellation for small x."""
    if x > 0.1:
        return x - math.log1p(x)
    return math.fsum((-x) ** k / k for k in range(18, 1, -1))


def _overlap(r0, r1, low, high):
    return max(0.0, min(r1, high) - max(r0, low))


def _pr_points(points):
    """(recall, precision) of every threshold."""
    n_pos = points[-1][1]
    return [(t / n_pos, t / (t + f)) for f, t in points[1:]]


def steps(points, low, high):
    """Each step of recall has the precision at its end: average precision."""
    r0, parts = 0, []
    for r1, p1 in _pr_points(points):
        parts.append(p1 * _overlap(r0, r1, low, high))
        r0 = r1
    return math.fsum(parts)


def early_steps(points, low, high):
    """Each step of recall has the precision at its start, 1 at the first."""
    r0, p0, parts = 0, 1, []
    for r1, p1 in _pr_points(points):
        parts.append(p0 * _overlap(r0, r1, low, high))
        r0, p0 = r1, p1
    return math.fsum(parts)


def highest_steps(points, low, high):
    """Each step of recall has the highest precision at its end or later."""
    pr_points = _pr_points(points)
    highest = list(accumulate((p for _, p in reversed(pr_points)), max))[::-1]
    r0, parts = 0, []
    for (r1, _), p in zip(pr_points, highest, strict=True):
        parts.append(p * _overlap(r0, r1, low, high))
        r0 = r1
    return math.fsum(parts)


def _trapezoids(pr_points, low, high):
    parts = []
    for (r0, p0), (r1, p1) in pairwise(pr_points):
        start, end = max(r0, low), min(r1, high)
        if start < end:
            slope = (p1 - p0) / (r1 - r0)
            parts.append((end - start) * (p0 + slope * ((start + end) / 2 - r0)))
    return math.fsum(parts)


def lines_from_one(points, low, high):
    return _trapezoids([(0, 1), *_pr_points(points)], low, high)


def lines_from_zero(points, low, high):
    return _trapezoids([(0, 0), *_pr_points(points)], low, high)


def lines(points, low, high):
    pr_points = _pr_points(points)
    return _trapezoids([(0, pr_points[0][1]), *pr_points], low, high)


def lines_without_first(points, low, high):
    return _trapezoids(_pr_points(points), low, high)


def artificial_start(points, low, high):
    """The exact area, but for a line from (0, 1) to the first threshold."""
    first = (0, 1), _pr_points(points)[0]
    end = first[1][0]
    rest = exact(points, max(low, end), high) if end < high else 0
    return _trapezoids(first, low, high) + rest


def _integer_positives(points):
    """(recall, precision) at each integer number of true positives along the curve."""
    n_pos = points[-1][1]
    for (f0, t0), (f1, t1) in pairwise(points):
        for t in range(int(t0) + 1, int(t1)):
            f = f0 + (f1 - f0) * (t - t0) / (t1 - t0)
            yield t / n_pos, t / (t + f)
        yield t1 / n_pos, t1 / (t1 + f1)


def integer_positives_flat(points, low, high):
    """As AUCCalculator: flat up to the first threshold with a true positive."""
    first = next(i for i, (_, t) in enumerate(points) if t > 0)
    f, t = points[first]
    start = [(0, t / (t + f)), (t / points[-1][1], t / (t + f))]
    return _trapezoids(start + list(_integer_positives(points[first:])), low, high)


def integer_positives_from_origin(points, low, high):
    """As PRROC's second number: points without true positives are kept."""
    (f1, t1), pr_points = points[1], list(_integer_positives(points))
    return _trapezoids([(0, t1 / (t1 + f1)), *pr_points], low, high)


def roc_area(points, low, high):
    n_neg, n_pos = points[-1]
    if not n_neg:
        return None
    double = math.fsum((f1 - f0) * (t0 + t1) for (f0, t0), (f1, t1) in pairwise(points))
    return double / (2 * n_neg * n_pos)


ARTIFICIAL = "an artificial first point (recall 0, precision 1)"
METHODS = {
    "step-wise interpolation (average precision)": steps,
    f"linear interpolation, from {ARTIFICIAL}": lines_from_one,
    "linear interpolation": lines,
    "linear interpolation, without the first segment": lines_without_first,
    "linear interpolation, from (recall 0, precision 0)": lines_from_zero,
    ARTIFICIAL: artificial_start,
    "step-wise interpolation, with the precision at the start of each step": early_steps,
    "steps of the highest precision at this recall or above": highest_steps,
    "trapezoids between integer true positives, flat at the start": integer_positives_flat,
    "trapezoids between integer true positives": integer_positives_from_origin,
    "the area under the ROC curve": roc_area,
}
INTEGER_WEIGHTS_ONLY = (integer_positives_flat, integer_positives_from_origin)
CURVES = {
    "ties in the order of samples": {"ties": "first first"},
    "ties in the reverse order of samples": {"ties": "last first"},
    "sample weights ignored": {"weighted": False},
    "prevalence ignored": {"reweighted": False},
    "scores rounded to single precision": {"single": True},
    "the other curve (empirical, achievable)": {"hull": True},
}
RANGES = {
    "recall range ignored": lambda area, low, high: area(0, 1),
    "divided by the width of the recall range": (
        lambda area, low, high: area(low, high) / (high - low)
    ),
}


def area_of(problem, quantity, method, options=None, adjust=None):
    """The value of a quantity by one method on one curve, None where there is none."""
    options = dict(options or {})
    if method in INTEGER_WEIGHTS_ONLY and not problem.integer_weights:
        return None
    if quantity == "auc_pr_achievable":
        options["hull"] = not options.get("hull", False)
    points = problem.curve(**options)
    if points is None:
        return None
    low, high = problem.recall_range

    def area(low, high):
        value = method(points, low, high)
        if quantity != "aucnpr" or value is None:
            return value
        n_neg, n_pos = points[-1]
        minimum = exact([(0, 0), (n_neg, 0), (n_neg, n_pos)], low, high)
        return (value - minimum) / (high - low - minimum) if n_neg else None

    return area(low, high) if adjust is None else adjust(area, low, high)


def area_methods(quantity):
    """Name and function of every method that is tried for an area, simple ones first."""

    def method(*args):
        return functools.partial(area_of, quantity=quantity, **dict(*args))

    right = steps if quantity == "average_precision" else exact
    methods = {name: m for name, m in METHODS.items() if m is not right}
    if right is steps:
        methods = {"the exact area": exact} | methods
    for name, found in methods.items():
        yield name, method({"method": found})
    for curve, options in CURVES.items():
        yield curve, method({"method": right, "options": options})
        for name, found in methods.items():
            yield f"{name}, {curve}", method({"method": found, "options": options})
    for name, adjust in RANGES.items():
        yield name, method({"method": right, "adjust": adjust})
    if quantity == "aucnpr":
        yield (
            "the area, not normalized",
            functools.partial(area_of, quantity="auc_pr", method=exact),
        )


def at_k_methods(quantity):
    """Name and function of every method that is tried for precision or recall at k."""

    def by_order(problem, k, ties):
        points = problem.curve(ties=ties)
        i = bisect_left([f + t for f, t in points], k)
        return points[i][1]

    def entire_tie(problem, k):
        points = problem.curve()
        i = bisect_left([f + t for f, t in points], k)
        f, t = points[i]
        return t * k / (t + f) if quantity == "precision_at_k" else t

    def above_the_tie(problem, k):
        points = problem.curve()
        i = bisect_left([f + t for f, t in points], k)
        return points[i][1] if sum(points[i]) == k else points[i - 1][1]

    for name, hits in {
        "ties in the order of samples": functools.partial(by_order, ties="first first"),
        "ties in the reverse order of samples": functools.partial(
            by_order, ties="last first"
        ),
        "the entire tie at the cut is counted": entire_tie,
        "the tie at the cut is omitted": above_the_tie,
    }.items():
        yield name, functools.partial(_share_at_k, hits=hits, quantity=quantity)


def _share_at_k(problem, k, hits, quantity):
    points = problem.curve()
    if points is None:
        return None
    total = float(k) if quantity == "precision_at_k" else points[-1][1]
    return hits(problem, float(k)) / total


# Comparison


def close(got, wanted, tolerance, absolute=0):
    """Whether the relative error or the absolute error is small enough."""
    return abs(got - wanted) <= max(tolerance * abs(wanted), absolute)


def as_number(value):
    """A float, None for null, NaN and text that is not a number."""
    try:
        value = float(value)
    except (TypeError, ValueError):
        return None
    return None if math.isnan(value) else value


def given_values(results, quantity, problems):
    """(problem, k or None, expected, given) for every value in the results."""
    for name, value in results[quantity].items():
        if name not in problems:
            raise SystemExit(f"cases.json has no case {name!r}.")
        problem = problems[name]
        wanted = problem.expected.get(quantity, ...)
        if wanted is ...:
            continue
        at_k = isinstance(wanted, dict)
        for k in value if at_k else [None]:
            if at_k and k not in wanted:
                continue
            one = (wanted[k], value[k]) if at_k else (wanted, value)
            yield problem, k, *map(as_number, one)


def judge(results, quantity, problems, tolerance=TOLERANCE, n_digits=None):
    """Number of values that pass, and the failures by cause, most frequent causes first.

    `n_digits` is the number of digits after the point that the program prints.
    """
    rounding = 0 if n_digits is None else 0.5001 * 10**-n_digits
    absolute = max(rounding, AUCNPR_WITHIN if quantity == "aucnpr" else 0)
    passed, failures = 0, []
    for failure in given_values(results, quantity, problems):
        _, _, wanted, got = failure
        if got == wanted or (
            None not in (got, wanted) and close(got, wanted, tolerance, absolute)
        ):
            passed += 1
        else:
            failures.append(failure)
    return passed, causes(failures, quantity, rounding)


def causes(failures, quantity, rounding=0):
    """{cause: [(case and k, expected, given), ...]}, by few methods that explain all."""
    found, left = {}, []
    for failure in failures:
        _, _, wanted, got = failure
        if got is None:
            found.setdefault("prints NaN for a defined value", []).append(failure)
        elif wanted is None:
            found.setdefault("prints a number for an undefined value", []).append(failure)
        else:
            left.append(failure)
    methods = methods_of(quantity)

    @functools.cache
    def explains(cause, failure):
        problem, k, wanted, got = failure
        if cause in WITHIN:
            return close(got, wanted, WITHIN[cause])
        value = value_of(cause, quantity, problem, k)
        if value is None or close(value, wanted, TOLERANCE):
            return False  # a method that is right here explains no failure
        return close(got, value, SAME_METHOD, rounding)

    # A method that explains a few of many failures does so by coincidence.
    fewest = len(left) / 5
    while left:
        # Small problems say quickly which method it is.
        few = [f for f in left if len(f[0].labels) <= MANY_SAMPLES] or left
        best, explained = "unknown", few
        # An approximation is named only where no method explains the values.
        for candidates in (methods, [SINGLE_PRECISION], [APPROXIMATION]):
            counts = {cause: sum(explains(cause, f) for f in few) for cause in candidates}
            most = max(counts, key=counts.get)
            if counts[most] and (most in WITHIN or counts[most] >= min(fewest, len(few))):
                best, explained = most, [f for f in left if explains(most, f)]
                break
        found.setdefault(best, []).extend(explained)
        left = [f for f in left if f not in explained]
    return {
        cause: [(_title(problem, k), wanted, got) for problem, k, wanted, got in failed]
        for cause, failed in sorted(found.items(), key=lambda item: -len(item[1]))
    }


@functools.cache
def methods_of(quantity):
    """Every method that is tried for a quantity, by name."""
    return dict((at_k_methods if quantity in AT_K else area_methods)(quantity))


@functools.cache
def value_of(cause, quantity, problem, k):
    """The value of a method for a case, None where it has none."""
    method = methods_of(quantity)[cause]
    return method(problem) if k is None else method(problem, k=k)


def _title(problem, k):
    return problem.name if k is None else f"{problem.name}, k={k}"


def problems_of(path=CASES):
    cases = json.loads(Path(path).read_text("utf-8"))["cases"]
    return {case["name"]: Problem(case) for case in cases}


def read_results(path):
    """`{quantity: {case: value}}` of the file; raises `ValueError` with what is wrong."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from error
    if not text.strip():
        raise ValueError("is empty: the program has written no values")
    try:
        results = json.loads(text)
    except ValueError as error:
        raise ValueError(f"is not JSON: {error}") from error
    if not isinstance(results, dict) or not all(
        isinstance(results.get(name, {}), dict) for name in (*AREAS, *AT_K)
    ):
        raise ValueError('must hold {"auc_pr": {"name of a case": value, ...}, ...}')
    return results


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", type=Path, help="JSON file written by a program")
    parser.add_argument(
        "--tolerance",
        type=float,
        default=TOLERANCE,
        help="relative error that passes (default: %(default)s)",
    )
    parser.add_argument(
        "--digits", type=int, help="digits after the point that the program prints"
    )
    parser.add_argument("--failures", action="store_true", help="list every failure")
    options = parser.parse_args(arguments)
    try:
        results = read_results(options.results)
    except ValueError as error:
        parser.error(f"{options.results} {error}")
    quantities = [name for name in (*AREAS, *AT_K) if results.get(name)]
    if not quantities:
        parser.error(f"{options.results} has no value of {', '.join((*AREAS, *AT_K))}")
    problems, all_pass = problems_of(), True
    print(f"{'quantity':<20}{'values':>8}{'passed':>8}{'failed':>8}")
    for quantity in quantities:
        passed, by_cause = judge(
            results, quantity, problems, options.tolerance, options.digits
        )
        failed = sum(map(len, by_cause.values()))
        all_pass &= failed == 0 and passed > 0
        print(f"{quantity:<20}{passed + failed:>8}{passed:>8}{failed:>8}")
        for cause, failures in by_cause.items():
            print(f"    {len(failures)} failed, likely cause: {cause}")
            for title, wanted, got in failures if options.failures else ():
                print(f"        {title}: expected {wanted}, given {got}")
    return 0 if all_pass else 1


if __name__ == "__main__":
    sys.exit(main())
