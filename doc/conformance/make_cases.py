"""Write cases.json: inputs, and expected values from exact arithmetic.

    python doc/conformance/make_cases.py            # write cases.json
    python doc/conformance/make_cases.py --confirm  # compute every value a second way

It needs Python and mpmath and shares no code with the package. Counts are fractions;
only the logarithms are rounded, to 150 digits, because up to 50 digits cancel where
weights differ by a factor of 2 ** 80. README.rst defines the values.

Cases that are not made here keep their inputs: they are data sets for which the values
of other programs are on record (tests/data), and cases.json is their only copy.

`--confirm` shares only the inputs and the choice of k with the first computation: precision
is integrated by Gauss-Legendre quadrature, the hull is found by pooling adjacent
violators, and average precision and the values at k are sums over samples.
"""

import json
import sys
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import mpmath
from mpmath import mp

CASES = Path(__file__).with_name("cases.json")
DIGITS = 25
CONFIRMED_TO = mpmath.mpf(10) ** -20
AREAS = ("auc_pr", "auc_pr_achievable", "aucnpr")

# Inputs


def new_cases():
    """The cases that are made here: name, sentence, labels, scores and options."""
    tiny, last_bit = 5e-324, 2.0**-52
    huge = 1.7976931348623157e308
    mixed = [1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0]
    falling = list(range(12, 0, -1))
    coarse = [5, 5, 4, 4, 4, 3, 3, 2, 2, 2, 1, 1]

    def case(name, catches, y_true, y_score, unit=16, **options):
        # Most scores lie from 0 to 1, which some programs require.
        y_score = [score / unit for score in y_score]
        return {"name": name, "catches": catches, "y_true": y_true, "y_score": y_score,
                **options}  # fmt: skip

    # fmt: off
    yield case("ten_samples", "Straight lines and steps: one positive above a large tie "
               "(scikit-learn's issue 25929).", [1] * 3 + [0] * 7, [8] + [0] * 9)
    yield case("five_points", "Straight lines and steps where no score is tied.",
               [1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    yield case("auccalculator_example", "Trapezoids between integer true positives: the "
               "example that AUCCalculator comes with.",
               [1, 1, 0, 1, 1, 1, 0, 0, 1, 0], [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    yield case("ties_at_the_top", "A curve that does not start at the precision of the "
               "first segment.", mixed, [9] * 5 + falling[5:])
    yield case("ties_in_the_middle", "Ties that are not interpolated.",
               mixed, [12, 11, 10, 7, 7, 7, 7, 7, 4, 3, 2, 1])
    yield case("ties_at_the_bottom", "A last segment that is omitted or cut short.",
               mixed, falling[:6] + [1] * 6)
    yield case("ties_everywhere", "Ordinal scores: every segment is a tie of both classes.",
               mixed, coarse)
    yield case("tie_positives_first", "Ties broken by the order of samples, positives "
               "first.", [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [2, 1, 1, 1, 2, 1, 1, 1, 1, 1])
    yield case("tie_negatives_first", "Ties broken by the order of samples, negatives "
               "first: the same samples.",
               [0, 0, 0, 0, 0, 0, 1, 1, 1, 1], [2, 1, 1, 1, 1, 1, 2, 1, 1, 1])
    yield case("constant_positives_first", "A constant score must give the prevalence, "
               "whatever the order of samples.", [1] * 4 + [0] * 12, [0] * 16)
    yield case("constant_negatives_first", "The same constant score, negatives first.",
               [0] * 12 + [1] * 4, [0] * 16)
    yield case("unsorted_input", "Scores that are taken to be sorted.",
               [0, 1, 0, 0, 1, 0, 1, 0], [3, 7, 1, 8, 4, 5, 6, 2])
    yield case("negative_scores", "Scores that are taken to be probabilities.",
               mixed, [-k for k in range(1, 13)])
    yield case("perfect_ranking", "A perfect ranking must give 1, not less.",
               [1] * 5 + [0] * 11, list(range(16, 0, -1)))
    yield case("reversed_ranking", "The worst ranking must give the minimum area and an "
               "AUCNPR of 0.", [0] * 11 + [1] * 5, list(range(16, 0, -1)))
    yield case("reversed_rare", "The worst ranking of one positive in 4096: the minimum "
               "area cancels.", [0] * 63 + [1], [64 - k for k in range(64)], unit=64,
               sample_weight=[65] * 63 + [1])
    yield case("one_positive_in_the_middle", "One positive among untied negatives.",
               [0, 0, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    yield case("one_negative_on_top", "One negative above all positives: precision rises "
               "from 0.", [0, 1, 1, 1, 1], [5, 4, 3, 2, 1])
    yield case("no_positives", "No positives: recall and the areas are undefined, not 0.",
               [0, 0, 0, 0], [4, 3, 3, 1])
    yield case("no_negatives", "No negatives: the area is 1, AUCNPR is undefined.",
               [1, 1, 1, 1], [4, 3, 3, 1])
    yield case("no_positive_weight", "All positives weigh 0: undefined, as without "
               "positives.", [1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[0, 1, 0, 1])
    yield case("single_positive", "One sample, positive.", [1], [8])
    yield case("single_negative", "One sample, negative.", [0], [8])
    yield case("last_bit", "Scores that differ in the last bit are not tied.",
               [0, 1, 0, 1, 0, 0], [1, 1 + last_bit, 1 - last_bit / 2, 1 - last_bit,
                                    1 + 2 * last_bit, 0], unit=1)
    yield case("last_bit_of_a_tenth", "Sums that look equal when printed: 0.1 + 0.2 and "
               "0.3 are not tied.", [1, 0, 0, 1, 0], [0.1 + 0.2, 0.3, 0.25, 0.125, 0],
               unit=1)
    yield case("signed_zeros", "-0.0 and 0.0 are the same score, a tie.",
               [1, 0, 0, 1, 0, 0], [0.0, -0.0, -0.0, -0.0, 1.0, -1.0],
               unit=1)
    yield case("denormal_scores", "Scores below the normal numbers must not become 0.",
               [1, 0, 1, 0, 0], [3 * tiny, 2 * tiny, tiny, 0.0, -tiny], unit=1)
    yield case("huge_scores", "Differences of scores that overflow.",
               [1, 0, 1, 0, 0], [huge, -huge, 1.0, 0.0, -1.0], unit=1)
    yield case("collinear_segments", "Segments of one slope: the area is that of one "
               "segment.", [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0],
               [4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1])
    yield case("collinear_hull", "Points on an edge of the ROC hull are not vertices.",
               [1, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0], [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2, 1])
    yield case("hull_skips_the_top", "Negatives on top: the hull leaves the origin on "
               "another slope.", [0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0], falling)
    yield case("alternating", "Precision that rises and falls at every sample.",
               [0, 1] * 10, list(range(20, 0, -1)), unit=32)
    yield case("mostly_positive", "A prevalence close to 1: the minimum area is high.",
               [1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1], coarse)

    yield case("weights_zero_on_top", "A highest score whose samples weigh 0 is no "
               "threshold.", mixed, falling, sample_weight=[0, 0] + [1] * 10)
    yield case("weights_zero_in_a_tie", "Weights of 0 inside a tie.",
               mixed, coarse, sample_weight=[1, 0, 2, 0, 1, 1, 0, 0, 3, 1, 1, 1])
    yield case("weights_whole", "Integer weights are repeated samples.",
               mixed, coarse, sample_weight=[1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3])
    yield case("weights_fractional", "Fractional weights, scores not tied.",
               mixed, falling, sample_weight=[k / 8 for k in range(3, 15)])
    yield case("weights_all_2_40", "A common factor of 2^40 changes nothing.",
               mixed, coarse, sample_weight=[2.0**40] * 12)
    yield case("weights_all_2_minus_40", "A common factor of 2^-40 changes nothing: "
               "weights are not compared with a tolerance.",
               mixed, coarse, sample_weight=[2.0**-40] * 12)
    yield case("weights_2_40_above", "A heavy negative on top: the terms of the closed "
               "form cancel.", [0, 1, 1, 0, 1, 0], [6, 5, 4, 4, 2, 1],
               sample_weight=[2.0**40, 1, 1, 1, 1, 1])
    yield case("weights_2_minus_40_above", "A light negative on top: a segment that "
               "starts close to the origin.", [0, 1, 1, 0, 1, 0], [6, 5, 4, 4, 2, 1],
               sample_weight=[2.0**-40, 1, 1, 1, 1, 1])
    yield case("weights_2_80_apart", "Weights of 2^-40 and 2^40 in one data set.",
               [1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1],
               sample_weight=[2.0**-40, 1, 1, 2.0**40, 2.0**-40, 1])

    yield case("prevalence_an_eighth", "Reweighting to a reference prevalence: a half "
               "becomes 1/8.", [1, 0, 1, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1],
               prevalence=1 / 8)
    yield case("prevalence_own", "The prevalence of the data changes nothing.",
               [1, 0, 0, 1, 0, 0, 0, 0], [4, 4, 3, 3, 2, 2, 1, 1], prevalence=1 / 4)
    yield case("prevalence_ties", "A reference prevalence with ties.",
               mixed, coarse, prevalence=1 / 64)
    yield case("prevalence_2_minus_20", "A prevalence of 2^-20: the minimum area cancels.",
               mixed, coarse, prevalence=2.0**-20)
    yield case("prevalence_2_minus_20_negatives_first", "A prevalence of 2^-20 with "
               "negatives on top: the closed form cancels, too.",
               [0, 0, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], prevalence=2.0**-20)
    yield case("prevalence_high", "A prevalence close to 1.",
               mixed, falling, prevalence=1 - 2.0**-10)
    yield case("prevalence_weights", "A reference prevalence with sample weights.",
               mixed, coarse, sample_weight=[k / 4 for k in range(12)], prevalence=1 / 8)
    yield case("prevalence_no_negatives", "Without negatives no weight gives a reference "
               "prevalence.", [1, 1, 1], [3, 2, 1], prevalence=1 / 4)

    yield case("range_middle", "A recall range whose ends lie inside segments.",
               mixed, coarse, recall_range=[1 / 4, 3 / 4])
    yield case("range_at_vertices", "A recall range whose ends are thresholds.",
               [1, 0, 1, 0, 1, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1],
               recall_range=[1 / 4, 3 / 4])
    yield case("range_low", "Recalls below that of the first threshold.",
               mixed, coarse, recall_range=[0, 1 / 64])
    yield case("range_low_negatives_first", "Low recalls with negatives on top: precision "
               "starts at 0.", [0, 0, 1, 1, 0, 1, 0, 1], [8, 7, 6, 5, 4, 3, 2, 1],
               recall_range=[0, 1 / 8])
    yield case("range_high", "High recalls: the end of the curve.",
               mixed, falling, recall_range=[7 / 8, 1])
    yield case("range_narrow", "A narrow range inside one segment.",
               [1] * 3 + [0] * 7, [8] + [0] * 9, recall_range=[1 / 2, 1 / 2 + 1 / 64])
    yield case("range_reversed_ranking", "The worst ranking has an AUCNPR of 0 over every "
               "range.", [0] * 6 + [1] * 4, list(range(10, 0, -1)), recall_range=[1 / 8, 1])
    yield case("range_constant", "A constant score over a range: prevalence times width.",
               [1] * 2 + [0] * 6, [0] * 8, recall_range=[1 / 8, 5 / 8])
    yield case("range_weights", "A recall range with weights: recall is a share of weight.",
               mixed, coarse, sample_weight=[k / 4 for k in range(12)],
               recall_range=[1 / 8, 1 / 2])
    yield case("range_prevalence", "A recall range and a reference prevalence.",
               mixed, coarse, recall_range=[1 / 2, 1], prevalence=1 / 8)
    yield case("range_prevalence_weights", "All options at once.",
               mixed, falling, sample_weight=[k / 8 for k in range(3, 15)],
               recall_range=[1 / 8, 7 / 8], prevalence=1 / 64)

    yield generated("generated_100000", "Rounding and speed: 100000 samples, 2 % positive, "
                    "many scores distinct.", 20, 100_000, 42_949_672, 32_768, 20_000)
    yield generated("generated_tied", "Many samples in few ties: 20000 samples, about 40 "
                    "scores.", 21, 20_000, 214_748_364, 67_108_864, 8)
    # fmt: on


def generated(name, catches, seed, n_samples, positive_below, divisor, shift):
    rule = {"multiplier": 16807, "modulus": 2**31 - 1, "seed": seed, "n_samples": n_samples,
            "positive_below": positive_below, "score_divisor": divisor,
            "positive_shift": shift}  # fmt: skip
    return {"name": name, "catches": catches, "generator": rule}


def samples(case):
    """(label, score, weight) of every sample, weights as fractions."""
    if "generator" not in case:
        weights = case.get("sample_weight", [1] * len(case["y_true"]))
        return [
            (y, float(score), Fraction(weight))
            for y, score, weight in zip(
                case["y_true"], case["y_score"], weights, strict=True
            )
        ]
    rule, found = case["generator"], []
    state = rule["seed"]
    for _ in range(rule["n_samples"]):
        state = state * rule["multiplier"] % rule["modulus"]
        label = int(state < rule["positive_below"])
        state = state * rule["multiplier"] % rule["modulus"]
        score = state // rule["score_divisor"] + label * rule["positive_shift"]
        found.append((label, float(score), 1))
    return found


# Expected values


def real(x):
    """A fraction as a real number, rounded to the working precision."""
    return mpmath.mpf(x.numerator) / x.denominator


def roc_curve_in_counts(case):
    """(f, t) from (0, 0) on, one point per distinct score with a positive weight."""
    weighing = [s for s in samples(case) if s[2] > 0]
    points = [(Fraction(0), Fraction(0))]
    for _, tied in groupby(sorted(weighing, key=lambda s: -s[1]), key=lambda s: s[1]):
        f, t = points[-1]
        for label, _, weight in tied:
            f, t = f + (1 - label) * weight, t + label * weight
        points.append((f, t))
    return points


def reweighted(points, case):
    """The curve with the negatives reweighted to the reference prevalence."""
    if "prevalence" not in case:
        return points
    (n_neg, n_pos), p0 = points[-1], Fraction(case["prevalence"])
    factor = n_pos * (1 - p0) / (p0 * n_neg)
    return [(f * factor, t) for f, t in points]


def upper_hull(points):
    """The strict upper hull, by cross products."""
    hull = []
    for f, t in points:
        while len(hull) > 1:
            (f0, t0), (f1, t1) = hull[-2:]
            if (f1 - f0) * (t - t1) < (f - f1) * (t1 - t0):
                break
            hull.pop()
        hull.append((f, t))
    return hull


def area(points, low, high):
    """The area over a recall range: closed form per segment, cut at the ends."""
    n_pos = points[-1][1]
    total = mpmath.mpf(0)
    for (f0, t0), (f1, t1) in pairwise(points):
        start, end = max(t0, low * n_pos), min(t1, high * n_pos)
        if start >= end:
            continue
        slope = (f1 - f0) / (t1 - t0)
        f, rise = f0 + slope * (start - t0), end - start
        share, before = 1 / (1 + slope), start + f
        if before == 0:
            total += real(share * rise)
            continue
        log = mpmath.log(real((before + rise / share) / before))
        total += real(share) * (real(rise) + real(start - share * before) * log)
    return total / real(n_pos)


def expected(case):
    """All expected values of a case, as fractions or real numbers, None if undefined."""
    points = roc_curve_in_counts(case)
    n_neg, n_pos = points[-1]
    low, high = map(Fraction, case.get("recall_range", (0, 1)))
    values = dict.fromkeys(AREAS)
    if n_pos and (n_neg or "prevalence" not in case):
        curve = reweighted(points, case)
        values["auc_pr"] = area(curve, low, high)
        values["auc_pr_achievable"] = area(upper_hull(curve), low, high)
    if n_pos and n_neg:
        minimum = area([(0, 0), (curve[-1][0], 0), curve[-1]], low, high)
        values["aucnpr"] = (values["auc_pr"] - minimum) / (real(high - low) - minimum)
    if "recall_range" in case or "prevalence" in case:
        return values
    values["average_precision"] = None
    if n_pos:
        values["average_precision"] = sum(
            real((t1 - t0) * t1 / (t1 + f1)) for (_, t0), (f1, t1) in pairwise(points)
        ) / real(n_pos)
    at_k = {str(k): true_positives_at(points, k) for k in some_k(points)}
    values["precision_at_k"] = {k: t / int(k) for k, t in at_k.items()}
    values["recall_at_k"] = {k: t / n_pos if n_pos else None for k, t in at_k.items()}
    return values


def some_k(points):
    """Integers k: one, the number of positives, and half of all samples."""
    n_neg, n_pos = points[-1]
    wanted = {1, round(n_pos), (n_pos + n_neg) // 2}
    return sorted(k for k in wanted if 1 <= k <= n_pos + n_neg)


def true_positives_at(points, k):
    """The ROC curve in counts where t + f = k."""
    for (f0, t0), (f1, t1) in pairwise(points):
        if t1 + f1 >= k:
            return t0 + (t1 - t0) * (k - t0 - f0) / (t1 + f1 - t0 - f0)
    raise ValueError(f"There are fewer than {k} samples.")


# A second computation of the same values


def confirmed(case):
    """The expected values by quadrature, pooled segments and sums over samples."""
    low, high = map(Fraction, case.get("recall_range", (0, 1)))
    ranked = sorted(
        (s for s in samples(case) if s[2] > 0), key=lambda s: s[1], reverse=True
    )
    n_pos = sum(w for y, _, w in ranked if y == 1)
    n_neg = sum(w for y, _, w in ranked if y == 0)
    values = dict.fromkeys(AREAS)
    target = Fraction(case["prevalence"]) if "prevalence" in case else None
    if n_pos and (n_neg or target is None):
        factor = 1 if target is None else (1 / target - 1) / (n_neg / Fraction(n_pos))
        segments = []
        for _, tied in groupby(ranked, key=lambda s: s[1]):
            tied = list(tied)
            segments.append([sum(w for y, _, w in tied if y),
                             factor * sum(w for y, _, w in tied if not y)])  # fmt: skip
        values["auc_pr"] = quadrature(segments, low, high)
        values["auc_pr_achievable"] = quadrature(pooled(segments), low, high)
        if n_neg:
            worst = quadrature([[0, factor * n_neg], [n_pos, 0]], low, high)
            gap = real(high - low) - worst
            values["aucnpr"] = (values["auc_pr"] - worst) / gap
    if target is not None or "recall_range" in case:
        return values
    groups = [list(tied) for _, tied in groupby(ranked, key=lambda s: s[1])]
    values["average_precision"] = None
    if n_pos:
        seen, hits, total = 0, 0, mpmath.mpf(0)
        for tied in groups:
            seen += sum(w for _, _, w in tied)
            hits += sum(w for y, _, w in tied if y)
            total += sum(real(w) for y, _, w in tied if y) * real(hits) / real(seen)
        values["average_precision"] = total / real(n_pos)
    found = {}
    for k in some_k([(n_neg, n_pos)]):
        left, hits = Fraction(k), 0
        for tied in groups:
            weight = sum(w for _, _, w in tied)
            # The expected share of each sample of a tie in the random order of the tie.
            share = min(1, left / weight)
            hits += sum(share * w for y, _, w in tied if y)
            left -= share * weight
        found[str(k)] = hits
    values["precision_at_k"] = {k: Fraction(t) / int(k) for k, t in found.items()}
    values["recall_at_k"] = {k: t / n_pos if n_pos else None for k, t in found.items()}
    return values


def pooled(segments):
    """Adjacent segments pooled while the share of positives does not fall."""
    pools = []
    for t, f in segments:
        while pools and t * (pools[-1][0] + pools[-1][1]) >= pools[-1][0] * (t + f):
            t0, f0 = pools.pop()
            t, f = t + t0, f + f0
        pools.append((t, f))
    return pools


def quadrature(segments, low, high):
    """The integral of t / (t + f) over recall, by Gauss-Legendre rules."""
    n_pos = sum(t for t, _ in segments)
    total, t0, f0 = mpmath.mpf(0), 0, 0
    for rise, run in segments:
        start, end = max(t0, low * n_pos), min(t0 + rise, high * n_pos)
        if start < end:
            slope = Fraction(run) / rise
            n_start = start + f0 + slope * (start - t0)
            total += integral_of_precision(
                real(start), real(n_start), real(end - start), real(slope)
            )
        t0, f0 = t0 + rise, f0 + run
    return total / real(n_pos)


def integral_of_precision(t, n, rise, slope):
    """The integral from t to t + rise, on parts that at most double t + f."""
    if n == 0:
        return rise / (1 + slope)
    total, end = mpmath.mpf(0), t + rise
    while t < end:
        step = min(end - t, n / (1 + slope))
        half, ratio = step / 2, step * (1 + slope) / n
        n_nodes = 40 if ratio > 0.05 else 12 if ratio > 1e-5 else 6
        for node, weight in legendre(n_nodes):
            x = half * (1 + node)
            total += half * weight * (t + x) / (n + (1 + slope) * x)
        t, n = t + step, n + (1 + slope) * step
    return total


@cache
def legendre(n):
    """Nodes and weights of the Gauss-Legendre rule on [-1, 1], by Newton's method."""

    def value_and_slope(x):
        before, at = mpmath.mpf(1), x
        for k in range(2, n + 1):
            before, at = at, ((2 * k - 1) * x * at - (k - 1) * before) / k
        return at, n * (x * at - before) / (x * x - 1)

    rule = []
    for i in range(n):
        x = mpmath.cos(mpmath.pi * (i + mpmath.mpf(3) / 4) / (n + mpmath.mpf(1) / 2))
        for _ in range(12):
            value, slope = value_and_slope(x)
            x -= value / slope
        _, slope = value_and_slope(x)
        rule.append((x, 2 / ((1 - x * x) * slope**2)))
    return rule


# The file


def digits(value):
    """A decimal string of 25 significant digits, None if undefined."""
    if isinstance(value, dict):
        return {key: digits(v) for key, v in value.items()}
    if value is None:
        return None
    value = real(value) if isinstance(value, int | Fraction) else value
    # The AUCNPR of the worst ranking is 0; of two equal areas 1e-140 remains.
    if abs(value) < mpmath.mpf(10) ** -100:
        return "0"
    return mpmath.nstr(value, DIGITS, strip_zeros=False)


def score_text(x):
    """The shortest decimal that reads back to the same number."""
    return str(int(x)) if x == int(x) and abs(x) < 2**53 and str(x) != "-0.0" else repr(x)


def exact_text(x):
    """The decimal expansion, which is the number itself."""
    return str(int(x)) if x == int(x) else str(Decimal(x))


def case_text(case):
    """One key per line, arrays in one line."""
    lines = []
    for key, value in case.items():
        if key in ("y_score", "sample_weight", "recall_range"):
            text = score_text if key == "y_score" else exact_text
            value = "[" + ",".join(text(x) for x in value) + "]"
        elif key == "prevalence":
            value = exact_text(value)
        elif key == "y_true":
            value = json.dumps(value, separators=(",", ":"))
        elif key == "expected":
            parts = [f'   "{name}": {json.dumps(v)}' for name, v in value.items()]
            value = "{\n" + ",\n".join(parts) + "\n  }"
        else:
            value = json.dumps(value)
        lines.append(f'  "{key}": {value}')
    return " {\n" + ",\n".join(lines) + "\n }"


def difference(first, second):
    """The largest relative difference of two tables of values."""
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        return max(
            (difference(value, second[key]) for key, value in first.items()),
            default=mpmath.mpf(0),
        )
    if first is None or second is None:
        assert first is second
        return mpmath.mpf(0)
    first = mpmath.mpf(first)
    second = real(second) if isinstance(second, int | Fraction) else second
    error = abs(first - second)
    return error if first == 0 else error / abs(first)


def confirm(cases):
    """Raise if a value in the file differs from the second computation."""
    mp.dps = 90
    for case in cases:
        error = difference(case["expected"], confirmed(case))
        print(f"{case['name']:40} {mpmath.nstr(error, 2)}")
        if error > CONFIRMED_TO:
            raise SystemExit(f"{case['name']} differs by {error}.")


def main():
    on_file = json.loads(CASES.read_text("utf-8"))["cases"]
    if "--confirm" in sys.argv:
        return confirm(on_file)
    mp.dps = 150
    made = list(new_cases())
    names = {case["name"] for case in made}
    cases = [case for case in on_file if case["name"] not in names] + made
    for case in cases:
        case.pop("expected", None)
        case["expected"] = digits(expected(case))
    text = ",\n".join(case_text(case) for case in cases)
    CASES.write_text('{"version": 1,\n"cases": [\n' + text + "\n]}\n", "utf-8")


if __name__ == "__main__":
    main()
