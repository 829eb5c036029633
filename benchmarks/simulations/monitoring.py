"""Alarms of a promised rate that is watched after every outcome.

An outcome is true or false, such as that of an alert; the promised rate of true outcomes is
0.8. Prints

- for each way to watch the rate, the share of streams with a false alarm within 2,000
  outcomes, the largest of six kinds of streams that keep the promise, with its Monte Carlo
  error in parentheses (1,000 repetitions), and the median delay of an alarm after the rate
  has fallen to 0.7 at once, within 1,000 or after 1,500 outcomes, with its bootstrap
  standard error (300 repetitions);
- the share of streams with a false alarm within 1,000 outcomes, whose rate is exactly the
  promised one, where outcomes are counted in another order, in part, or by incident (600
  repetitions, Monte Carlo error 0.009 at 0.05).

MAPIE is compared, in a tenth of the repetitions, if it is installed.

Run: python benchmarks/simulations/monitoring.py [--quick] [--out DIR]
"""

from importlib.util import find_spec

import numpy as np
from _bench import Report, command_line, monte_carlo_error
from scipy.special import betaln, xlog1py, xlogy

PROMISED, ALPHA = 0.8, 0.05
N_NULL, N_BEFORE, N_AFTER, N_COUNTED = 2000, 1500, 2000, 1000


# Ways to watch. Each takes an array of outcomes, one row per stream, and returns where it
# gives an alarm; after an alarm it starts anew.


def e_detector(horizon):
    """The function `alarms` of the page on monitoring, for many streams at once."""
    odds = PROMISED / (1 - PROMISED) * np.exp(-np.geomspace(0.125, 2, 9))
    rates = odds / (1 + odds)
    if_true, if_false = rates / PROMISED, (1 - rates) / (1 - PROMISED)

    def alarms(outcomes):
        evidence, found = np.zeros((len(outcomes), 9)), np.zeros(outcomes.shape, dtype=bool)
        for n, is_true in enumerate(outcomes.T):
            evidence = (evidence + 1) * np.where(is_true[:, np.newaxis], if_true, if_false)
            found[:, n] = evidence.mean(axis=1) >= horizon / ALPHA
            evidence[found[:, n]] = 0
        return found

    return alarms


def counted_since_alarm(is_below):
    """A way to watch that compares counts since the last alarm.

    ``is_below(n_true, n)`` says whether the rate is below the promised one.
    """

    def alarms(outcomes):
        n_true, n = np.zeros((2, len(outcomes)))
        found = np.zeros(outcomes.shape, dtype=bool)
        for i, is_true in enumerate(outcomes.T):
            n_true, n = n_true + is_true, n + 1
            found[:, i] = is_below(n_true, n)
            n_true[found[:, i]], n[found[:, i]] = 0, 0
        return found

    return alarms


def outside_confidence_sequence(n_true, n):
    """Whether the upper limit of the confidence sequence is below the promised rate."""
    of_mixture = betaln(n_true + 0.5, n - n_true + 0.5) - betaln(0.5, 0.5)
    ratio = of_mixture - xlogy(n_true, PROMISED) - xlog1py(n - n_true, -PROMISED)
    return (ratio >= np.log(1 / ALPHA)) & (n_true / n < PROMISED)


def likelihood_ratio(n_true, n, alternative=0.7):
    """Whether the sequential probability ratio test decides for the alternative."""
    ratio = n_true * np.log(alternative / PROMISED)
    ratio = ratio + (n - n_true) * np.log((1 - alternative) / (1 - PROMISED))
    return ratio >= np.log(1 / ALPHA)


def mapie_monitoring(outcomes):
    """MAPIE's lower bound of the mean error over all outcomes; it does not start anew."""
    from mapie.exchangeability_testing import RiskMonitoring

    found = np.zeros(outcomes.shape, dtype=bool)
    for i, is_true in enumerate(outcomes.astype(int)):
        monitor = RiskMonitoring(
            "precision", test_level=ALPHA, threshold=1 - PROMISED, warn=False
        )
        monitor.update(is_true, np.ones_like(is_true))
        found[i] = monitor.online_risk_lower_bound_sequence_history > monitor.threshold
    return found


WAYS = {
    "alarms, horizon 2,000": e_detector(2000),
    "alarms, horizon 10,000": e_detector(10_000),
    "confidence sequence": counted_since_alarm(outside_confidence_sequence),
    "sequential test (SPRT) for 0.7": counted_since_alarm(likelihood_ratio),
}
if find_spec("mapie"):
    WAYS["MAPIE 1.6 RiskMonitoring"] = mapie_monitoring


# Streams that keep the promise: each outcome is true at a rate of at least 0.8, given all
# earlier outcomes.


def independent(rate):
    """Streams with a rate for each outcome, from a function of its number."""
    return lambda rng, shape: rng.random(shape) < rate(np.arange(shape[1]))


def depending(rate_after_true, rate_after_false):
    """Streams whose rate depends on the outcome before."""

    def draw(rng, shape):
        u, outcomes = rng.random(shape), np.ones(shape, dtype=bool)
        last = np.ones(shape[0], dtype=bool)
        for n in range(shape[1]):
            last = u[:, n] < np.where(last, rate_after_true, rate_after_false)
            outcomes[:, n] = last
        return outcomes

    return draw


KEPT = {
    "constant 0.8": independent(lambda n: np.full(n.shape, 0.8)),
    "0.8 and 0.95 in turn": independent(lambda n: np.where(n % 2, 0.8, 0.95)),
    "0.95 falling to 0.8": independent(lambda n: np.maximum(0.95 - 0.0002 * n, 0.8)),
    "a cycle of 200 between 0.8 and 0.9": independent(
        lambda n: 0.85 + 0.05 * np.sin(n * np.pi / 100)
    ),
    "0.8, and 0.95 after a false outcome": depending(0.8, 0.95),
    "0.95, and 0.8 after a false outcome": depending(0.95, 0.8),
}


def fallen(before, n_before):
    """Streams whose rate falls from `before` to 0.7 after some outcomes."""
    return independent(lambda n: np.where(n < n_before, before, 0.7))


def gradually(n):
    """A rate that falls from 0.8 to 0.7 over 1,000 outcomes."""
    return np.maximum(0.8 - 0.0001 * n, 0.7)


# Title, streams, number of outcomes before the change.
CHANGES = {
    "0.8 to 0.7 at once": (fallen(0.8, 0), 0),
    "0.8 to 0.7 after 1500": (fallen(0.8, N_BEFORE), N_BEFORE),
    "0.9 to 0.7 after 1500": (fallen(0.9, N_BEFORE), N_BEFORE),
    "0.8 to 0.7 within 1000": (independent(gradually), 0),
}


def delays(found, n_before):
    """Number of outcomes from the change to the first alarm after it; inf without one."""
    after = found[:, n_before:]
    return np.where(after.any(axis=1), after.argmax(axis=1) + 1.0, np.inf)


def median_and_error(values, rng):
    """Median and its bootstrap standard error, as text."""
    median = np.median(values)
    if np.isinf(median):
        return f"> {N_AFTER}"
    drawn = np.median(rng.choice(values, (1000, len(values))), axis=1)
    return f"{median:.0f} ({np.std(drawn[np.isfinite(drawn)]):.0f})"


def way_row(name, alarms, n_times):
    """False alarms and delays of one way to watch."""
    rng = np.random.default_rng(0)
    false = {
        stream: alarms(draw(rng, (n_times, N_NULL))).any(axis=1).mean()
        for stream, draw in KEPT.items()
    }
    worst = max(false, key=false.get)
    share = float(false[worst])
    error = monte_carlo_error(n_times, share)
    row = {"way": name, "false alarms": f"{share:.3f} ({error:.3f})"}
    row["in the stream"] = worst
    for title, (draw, n_before) in CHANGES.items():
        outcomes = draw(rng, (max(n_times * 3 // 10, 1), n_before + N_AFTER))
        found = delays(alarms(outcomes), n_before)
        row[title] = median_and_error(found, rng)
        row[f"{title}: not found"] = float(np.mean(np.isinf(found)))
    return row


# What is counted, of independent outcomes that are true at exactly the promised rate.


def in_order(rng, shape):
    return rng.random(shape) < PROMISED


def as_labels_arrive(delay_if_true, delay_if_false):
    """Outcomes in the order in which their labels arrive, after exponential delays."""

    def draw(rng, shape):
        outcomes = in_order(rng, (shape[0], 2 * shape[1]))
        mean = np.where(outcomes, delay_if_true, delay_if_false)
        arrival = np.arange(outcomes.shape[1]) + mean * rng.exponential(size=mean.shape)
        order = np.argsort(arrival, axis=1)[:, : shape[1]]
        return np.take_along_axis(outcomes, order, axis=1)

    return draw


def labeled_in_part(share_of_true, share_of_false):
    """The labeled outcomes in their order; a random part of all outcomes is labeled."""

    def draw(rng, shape):
        outcomes = in_order(rng, (shape[0], 5 * shape[1]))
        share = np.where(outcomes, share_of_true, share_of_false)
        is_labeled = rng.random(outcomes.shape) < share
        rows = zip(outcomes, is_labeled, strict=True)
        return np.array([row[labeled][: shape[1]] for row, labeled in rows])

    return draw


def alerts_of_incidents(rng, shape):
    """Alerts of incidents with 1 to 20 alerts each, which have one outcome."""
    outcomes = in_order(rng, shape)
    sizes = rng.integers(1, 21, shape)
    return np.array(
        [np.repeat(*pair)[: shape[1]] for pair in zip(outcomes, sizes, strict=True)]
    )


COUNTED = {
    "all alerts in their order": in_order,
    "by arrival of labels, after 300 alerts if true, 5 if false": as_labels_arrive(300, 5),
    "by arrival of labels, after 300 alerts for both": as_labels_arrive(300, 300),
    "half of the false alerts, 0.3 of the true ones": labeled_in_part(0.3, 0.5),
    "a random 0.3 of all alerts": labeled_in_part(0.3, 0.3),
    "every alert of incidents of 1 to 20 alerts": alerts_of_incidents,
    "one outcome per incident": in_order,
}


def counted_row(name, draw, n_times, seed):
    """Share of streams with a false alarm, for one way to count."""
    outcomes = draw(np.random.default_rng(seed), (n_times, N_COUNTED))
    found = e_detector(N_COUNTED)(outcomes).any(axis=1)
    return {"counted": name, "false alarms": float(found.mean())}


def main():
    options = command_line(__doc__)
    n_times = 100 if options.quick else 1000
    report = Report(options, np)
    # MAPIE takes 0.4 s per stream.
    times = {mapie_monitoring: n_times // 10}
    rows = [
        way_row(name, alarms, times.get(alarms, n_times)) for name, alarms in WAYS.items()
    ]
    title = f"False alarms within {N_NULL} outcomes, and median delays"
    report.table("monitoring", title, rows)
    rows = [
        counted_row(*way, n_times * 6 // 10, seed)
        for seed, way in enumerate(COUNTED.items(), 1)
    ]
    report.table("monitoring_counted", f"False alarms within {N_COUNTED} outcomes", rows)
    report.close()


if __name__ == "__main__":
    main()
