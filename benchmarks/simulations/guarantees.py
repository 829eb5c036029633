"""Share of tuning sets whose guaranteed constraints are violated on new data.

Prints tables of simulations whose truth is known, with binormal scores or samples drawn
from scored data:

- the share of tuning sets after which recall, precision, selection rate or false positive
  rate of new data violate their bounds, with and without a confidence, for many sizes and
  prevalences, with continuous and rounded scores, and the shares of violated constraints
  and of tuning sets without a threshold side by side;
- the recall reached with a precision constraint, alone and with a second constraint, by the
  samples that order the tests (`order_from`): a random fifth of the tuning set, as many
  other samples, an order that is known, and a useless order;
- the same for out-of-fold scores of three classifiers on two data sets;
- on some of these tuning sets, the results of MAPIE's BinaryClassificationController (if
  installed). Its thresholds are 100 probabilities, so the true probabilities are passed.

Run: python benchmarks/simulations/guarantees.py [--quick] [--out DIR] [--only order]
"""

import sys

import numpy as np
from _bench import Report, command_line
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_achievable_pr
from sklearn_achievable_pr import HullThresholdClassifierCV, choose_threshold

CONFIDENCE = 0.9
# Number of samples, prevalence, distance of the classes in standard deviations.
SETTINGS = [
    (100, 0.5, 1.5),
    (200, 0.2, 1.5),
    (500, 0.1, 2.0),
    (500, 0.5, 1.0),
    (1000, 0.05, 2.0),
    (1000, 0.3, 1.5),
    (5000, 0.02, 2.5),
    (5000, 0.1, 1.5),
    (5000, 0.5, 1.0),
]
CONSTRAINTS = ("min_recall", "min_precision", "max_selection_rate", "max_fpr")
COMPARED = [(500, 0.5, 1.0), (1000, 0.3, 1.5), (5000, 0.02, 2.5), (5000, 0.1, 1.5)]
# Scores rounded to multiples of this value have many ties.
STEP = 0.25
# Populations and sizes for the order of the tests: prevalence, distance.
ORDERED = [(0.1, 2.0), (0.3, 1.5), (0.5, 1.0)]
ORDERED_SIZES = (200, 500, 2000)
N_KNOWN = 5000  # other samples from which the order is nearly known
JOINT = {
    "precision": ("min_precision",),
    "precision and recall": ("min_precision", "min_recall"),
    "precision and false positive rate": ("min_precision", "max_fpr"),
    "all four": CONSTRAINTS,
}
ORDERED_KINDS = [*((kind, False) for kind in JOINT), ("precision and recall", True)]


class Known(ClassifierMixin, BaseEstimator):
    """Classifier whose score is the first feature."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def decision_function(self, X):
        return X[:, 0]


class Population:
    """Normal scores of two classes, with the true rates at every threshold."""

    def __init__(self, prevalence, distance, rounded):
        self.prevalence, self.distance, self.rounded = prevalence, distance, rounded

    def sample(self, rng, n_samples):
        y = (rng.random(n_samples) < self.prevalence).astype(int)
        score = rng.normal(size=n_samples) + self.distance * y
        return (np.floor(score / STEP) * STEP if self.rounded else score), y

    def recall(self, threshold):
        return norm.sf(self._reached(threshold) - self.distance)

    def precision(self, threshold):
        tpr, fpr = self.recall(threshold), norm.sf(self._reached(threshold))
        return self.prevalence * tpr / (self.prevalence * tpr + (1 - self.prevalence) * fpr)

    def fpr(self, threshold):
        return norm.sf(self._reached(threshold))

    def selection_rate(self, threshold):
        tpr, fpr = self.recall(threshold), self.fpr(threshold)
        return self.prevalence * tpr + (1 - self.prevalence) * fpr

    def _reached(self, threshold):
        """The lowest score that reaches the threshold, before scores are rounded down."""
        return np.ceil(threshold / STEP - 1e-9) * STEP if self.rounded else threshold

    def probability(self, score):
        """The probability that a sample is positive."""
        log_ratio = self.distance * score - self.distance**2 / 2
        return expit(logit(self.prevalence) + log_ratio)

    def score_at(self, probability):
        log_ratio = logit(probability) - logit(self.prevalence)
        return (log_ratio + self.distance**2 / 2) / self.distance

    def constraints(self):
        """Active constraints: recall 0.8, and the other rates at recall 0.5."""
        smooth = Population(self.prevalence, self.distance, rounded=False)
        precision = round(float(smooth.precision(self.distance)), 2)
        rate = round(float(smooth.selection_rate(self.distance)), 3)
        # A false positive rate that a few dozen negatives can guarantee.
        fpr = max(0.05, round(float(smooth.fpr(self.distance)), 3))
        return {
            "min_recall": 0.8,
            "min_precision": precision,
            "max_selection_rate": rate,
            "max_fpr": fpr,
        }


class Scored:
    """A finite population of scored samples, drawn with replacement."""

    def __init__(self, score, y):
        self.score, self.y, self.prevalence = score, y, y.mean()

    def sample(self, rng, n_samples):
        drawn = rng.integers(len(self.y), size=n_samples)
        return self.score[drawn], self.y[drawn]

    def recall(self, thresholds):
        return self._above(self.score[self.y == 1], thresholds)

    def fpr(self, thresholds):
        return self._above(self.score[self.y == 0], thresholds)

    def selection_rate(self, thresholds):
        return self._above(self.score, thresholds)

    def precision(self, thresholds):
        return self.prevalence * self.recall(thresholds) / self.selection_rate(thresholds)

    def constraints(self):
        """Active constraints: the rates of the population at recall 0.5."""
        at = np.quantile(self.score[self.y == 1], 0.5, method="lower")
        return {
            "min_recall": 0.5,
            "min_precision": np.floor(100 * self.precision(at)) / 100,
            "max_selection_rate": np.ceil(100 * self.selection_rate(at)) / 100,
            "max_fpr": max(0.05, np.ceil(100 * self.fpr(at)) / 100),
        }

    @staticmethod
    def _above(score, thresholds):
        """Share of the scores at or above each threshold."""
        below = np.searchsorted(np.sort(score), thresholds)
        return 1 - below / len(score)


def ours(score, y, seed, confidence, **constraints):
    """The threshold; None if the constraints cannot be met or guaranteed."""
    objective = "precision" if "min_recall" in constraints else "recall"
    model = HullThresholdClassifierCV(
        FrozenEstimator(Known()),
        objective=objective,
        confidence_level=confidence,
        random_state=seed,
        **constraints,
    )
    try:
        return model.fit(score[:, np.newaxis], y).threshold_
    except ValueError as error:
        if "cannot be" not in str(error):
            raise
        return None


def missed(population, thresholds, constraints):
    """Mask of the thresholds that violate a constraint on new data."""
    found = np.zeros(len(thresholds), dtype=bool)
    for name, bound in constraints.items():
        end, _, rate = name.partition("_")
        excess = getattr(population, rate)(thresholds) - bound
        found |= (excess if end == "max" else -excess) > 1e-12
    return found


def guarantee_row(setting, rounded, kind, n_times):
    """Share of violated constraints, with and without a confidence."""
    n_samples, prevalence, distance = setting
    population = Population(prevalence, distance, rounded)
    constraints = population.constraints()
    if kind == "both":  # lower, because otherwise no threshold meets both
        low = round(0.8 * constraints["min_precision"], 2)
        constraints = {"min_recall": 0.4, "min_precision": low}
    elif kind == "caps":  # the two upper bounds do not share the error rate
        names = "max_selection_rate", "max_fpr"
        constraints = {name: constraints[name] for name in names}
    else:
        constraints = {kind: constraints[kind]}
    rng = np.random.default_rng(7)
    found = {CONFIDENCE: [], None: []}
    for seed in range(n_times):
        sample = population.sample(rng, n_samples)
        if sample[1].min() == sample[1].max():
            continue
        for confidence, thresholds in found.items():
            thresholds.append(ours(*sample, seed, confidence, **constraints))
    given = np.array([t for t in found[CONFIDENCE] if t is not None])
    plain = np.array([t for t in found[None] if t is not None])
    # A tuning set without a guaranteed threshold counts as not violated.
    rate = missed(population, given, constraints).sum() / n_times
    error = np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / n_times)
    row = {
        "n": n_samples,
        "prevalence": prevalence,
        "scores": "rounded" if rounded else "continuous",
        "constraint": " ".join(f"{name}={bound:g}" for name, bound in constraints.items()),
        "no threshold": 1 - len(given) / n_times,
        "missed": rate,
        "within": "yes" if rate <= 1 - CONFIDENCE + 2 * error else "NO",
        "missed without": (
            missed(population, plain, constraints).mean() if len(plain) else "-"
        ),
    }
    for name in ("recall", "precision"):
        row[name] = float(getattr(population, name)(given).mean()) if len(given) else "-"
    return row


def joint_constraints(population, kind):
    """Constraints that can be met together; with another one, precision is lower."""
    bounds = {name: population.constraints()[name] for name in JOINT[kind]}
    if len(bounds) > 1:
        bounds["min_precision"] = round(0.8 * bounds["min_precision"], 2)
    if "min_recall" in bounds:
        bounds["min_recall"] = 0.4
    return bounds


def guaranteed(score, y, order_from, seed, constraints):
    """The threshold with the highest recall; NaN if none is guaranteed."""
    try:
        return choose_threshold(
            y,
            score,
            objective="recall",
            confidence_level=CONFIDENCE,
            order_from=order_from,
            random_state=seed,
            **constraints,
        ).threshold
    except ValueError as error:
        if "cannot be" not in str(error):
            raise
        return np.nan


def by_order(population, samples, orders, constraints):
    """Recall reached (0 without a threshold) and misses, per tuning set and order.

    `orders` has by name a function of a random generator that draws the other samples.
    """
    found = {}
    for name, other in orders.items():
        rng = np.random.default_rng(9)
        thresholds = np.array(
            [
                guaranteed(score, y, other(rng), seed, constraints)
                for seed, (score, y) in enumerate(samples)
            ]
        )
        given = ~np.isnan(thresholds)
        recall, is_missed = np.zeros(len(given)), np.zeros(len(given))
        recall[given] = population.recall(thresholds[given])
        is_missed[given] = missed(population, thresholds[given], constraints)
        found[name] = recall, is_missed
    return found


def order_rows(n_samples, kind, rounded, n_times):
    """One row per order: recall reached and share of misses over all populations."""
    parts = []
    for prevalence, distance in ORDERED:
        population = Population(prevalence, distance, rounded)
        rng = np.random.default_rng(7)
        samples = [population.sample(rng, n_samples) for _ in range(n_times)]
        known = population.sample(np.random.default_rng(8), N_KNOWN)[::-1]

        def useless(rng, population=population):
            score, y = population.sample(rng, n_samples)
            return rng.permutation(y), score

        orders = {
            "a fifth": lambda rng: None,
            "other samples": lambda rng, p=population: p.sample(rng, n_samples)[::-1],
            "known": lambda rng, known=known: known,
            "useless": useless,
        }
        constraints = joint_constraints(population, kind)
        parts.append(by_order(population, samples, orders, constraints))
    names = {"n": n_samples, "constraints": kind}
    names["scores"] = "rounded" if rounded else "continuous"
    return [names | order_row(order, [part[order] for part in parts]) for order in parts[0]]


def learner_rows(data, n_train, n_tuning, n_models, n_times):
    """Rows as in `order_rows` for out-of-fold scores of three classifiers."""
    X, y = DATA[data]()
    learners = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "random forest": RandomForestClassifier(30, random_state=0),
        "naive Bayes": GaussianNB(var_smoothing=0.01),
    }
    rows = []
    for learner, model in learners.items():
        parts = {kind: [] for kind in list(JOINT)[:2]}
        for seed in range(n_models):
            mixed = np.random.default_rng(seed).permutation(len(y))
            train, rest = mixed[:n_train], mixed[n_train:]
            out_of_fold = cross_val_predict(
                model, X[train], y[train], method="predict_proba"
            )[:, 1]
            score = model.fit(X[train], y[train]).predict_proba(X[rest])[:, 1]
            population = Scored(score, y[rest])
            rng = np.random.default_rng(seed)
            samples = [population.sample(rng, n_tuning) for _ in range(n_times)]
            other = y[train], out_of_fold
            orders = {"a fifth": lambda rng: None, "out-of-fold": lambda rng, o=other: o}
            for kind, found in parts.items():
                constraints = joint_constraints(population, kind)
                found.append(by_order(population, samples, orders, constraints))
        names = {"data": data, "training": n_train, "tuning": n_tuning, "learner": learner}
        for kind, found in parts.items():
            rows += [
                names | {"constraints": kind} | order_row(order, [f[order] for f in found])
                for order in found[0]
            ]
    return rows


def order_row(order, found):
    """Means over all tuning sets of pairs (recall reached, misses)."""
    recall, is_missed = np.hstack(found)
    error = np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / len(recall))
    return {
        "order": order,
        "no threshold": float(np.mean(recall == 0)),
        "missed": float(is_missed.mean()),
        "within": "yes" if is_missed.mean() <= 1 - CONFIDENCE + 2 * error else "NO",
        "recall": float(recall.mean()),
    }


def digits():
    """Eights among the digits, from the lower half of each image."""
    X, digit = load_digits(return_X_y=True)
    return X[:, 40:], (digit == 8).astype(int)


def cancer():
    """Malignant tumors, from mean texture and mean smoothness."""
    X, benign = load_breast_cancer(return_X_y=True)
    return X[:, [1, 4]], 1 - benign


DATA = {"digits": digits, "breast cancer": cancer}
LEARNED = [("digits", 500, 250), ("digits", 1000, 500), ("breast cancer", 200, 200)]


def side_by_side(rows):
    """The rates of one setting in one row, with one column per rate and order."""
    rates, found = ("recall", "missed", "no threshold"), {}
    for row in rows:
        names = {key: row[key] for key in row if key not in (*rates, "order", "within")}
        of_setting = found.setdefault(tuple(names.values()), (names, []))
        of_setting[1].append(row)
    return [
        names
        | {f"{rate} ({row['order']})": row[rate] for rate in rates for row in of_names}
        for names, of_names in found.values()
    ]


def mapie_controllers():
    """MAPIE's methods to control the error rate of many tests, by name."""
    try:
        from mapie.risk_control import BinaryClassificationController
    except ImportError:
        return {}

    def threshold(population, score, y, kind, bound, method):
        def probabilities(X):
            p = population.probability(X[:, 0])
            return np.column_stack((1 - p, p))

        controller = BinaryClassificationController(
            probabilities,
            kind,
            target_level=bound,
            confidence_level=CONFIDENCE,
            best_predict_param_choice="precision" if kind == "recall" else "recall",
            fwer_method=method,
        )
        X = score[:, np.newaxis]
        if method == "split_fixed_sequence":
            n_learning = len(y) // 5  # the number that this package sets aside
            controller.learn_fixed_sequence_order(X[:n_learning], y[:n_learning])
            X, y = X[n_learning:], y[n_learning:]
        controller.calibrate(X, y)
        best = controller.best_predict_param
        # MAPIE predicts positive if the probability is at least this threshold.
        return None if best is None else population.score_at(best)

    return {
        "MAPIE (Holm)": lambda *args: threshold(*args, "bonferroni_holm"),
        "MAPIE, split fixed sequence": lambda *args: threshold(
            *args, "split_fixed_sequence"
        ),
    }


def comparison_rows(setting, kind, n_times):
    """Results of each method on the same tuning sets."""
    n_samples, prevalence, distance = setting
    population = Population(prevalence, distance, rounded=False)
    bound = population.constraints()[f"min_{kind}"]
    methods = {
        "HullThresholdClassifierCV": lambda _, score, y, kind, bound: ours(
            score, y, n_samples, CONFIDENCE, **{f"min_{kind}": bound}
        ),
        **mapie_controllers(),
    }
    rng = np.random.default_rng(8)
    samples = [population.sample(rng, n_samples) for _ in range(n_times)]
    other = "precision" if kind == "recall" else "recall"
    at = brentq(lambda t: getattr(population, kind)(t) - bound, -5, 9)
    rows = [
        {
            "tuning samples": n_samples,
            "prevalence": prevalence,
            "constraint": f"{kind} {bound:g}",
            "method": "the ideal threshold",
            "no threshold": "-",
            "missed": "-",
            "distance above the constraint": "-",
            "mean of the other": float(getattr(population, other)(at)),
        }
    ]
    for method, find in methods.items():
        found = [find(population, *sample, kind, bound) for sample in samples]
        given = np.array([t for t in found if t is not None and np.isfinite(t)])
        value = getattr(population, kind)(given)
        rows.append(
            {
                **rows[0],
                "method": method,
                "no threshold": 1 - len(given) / n_times,
                "missed": float(np.sum(value < bound) / n_times),
                # Undefined without a threshold.
                "distance above the constraint": (
                    float(np.mean(value - bound)) if len(given) else "-"
                ),
                "mean of the other": (
                    float(np.sum(getattr(population, other)(given)) / n_times)
                ),
            }
        )
    return rows


def by_constraint(rows, rate):
    """A rate of all constraints side by side, one row per size, prevalence and scores."""
    found = {}
    for row in rows:
        setting = {name: row[name] for name in ("n", "prevalence", "scores")}
        names = [bound.partition("=")[0] for bound in row["constraint"].split()]
        found.setdefault(tuple(setting.values()), setting)[" and ".join(names)] = row[rate]
    return list(found.values())


def main():
    only = {"choices": ("order",), "help": "the tables of `order_from` only"}
    options = command_line(__doc__, only=only)
    n_times, n_compared = (100, 5) if options.quick else (2000, 100)
    report = Report(options, np, sklearn_achievable_pr)
    rows = order_tables(report, *((10, 2, 5) if options.quick else (50, 3, 25)))
    if not options.only:
        rows += other_tables(report, n_times, n_compared)
    report.close()
    return 0 if options.quick or all(row["within"] == "yes" for row in rows) else 1


def order_tables(report, n_times, n_models, n_drawn):
    """Add the tables of `order_from`; the rows of all of them."""
    rows = [
        row
        for kind, rounded in ORDERED_KINDS
        for n_samples in ORDERED_SIZES
        for row in order_rows(n_samples, kind, rounded, n_times)
    ]
    title = f"Order of the tests, {n_times * len(ORDERED)} tuning sets per row"
    report.table("guarantee_order", title, side_by_side(rows))
    learned = [row for data in LEARNED for row in learner_rows(*data, n_models, n_drawn)]
    title = f"Out-of-fold scores, {n_models} models with {n_drawn} tuning sets each"
    report.table("guarantee_learners", title, side_by_side(learned))
    return rows + learned


def other_tables(report, n_times, n_compared):
    """Add the tables of misses and the comparison; the rows of the first."""
    rows = [
        guarantee_row(setting, rounded, kind, n_times)
        for setting in SETTINGS
        for rounded in (False, True)
        for kind in (*CONSTRAINTS, "both", "caps")
    ]
    title = f"Confidence {CONFIDENCE}, {n_times} tuning sets per row"
    report.table("guarantee", title, rows)
    for rate in ("missed", "no threshold"):
        name = f"guarantee_{rate.replace(' ', '_')}"
        report.table(name, f"{rate}, {title}", by_constraint(rows, rate))
    compared = [
        row
        for setting in COMPARED
        for kind in ("recall", "precision")
        for row in comparison_rows(setting, kind, n_compared)
    ]
    title = f"Comparison with MAPIE, {n_compared} tuning sets"
    report.table("guarantee_mapie", title, compared)
    return rows


if __name__ == "__main__":
    sys.exit(main())
