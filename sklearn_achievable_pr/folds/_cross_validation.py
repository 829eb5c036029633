"""Intervals and tests of the mean of a metric over the folds of a cross-validation.

The mean A of the values A_k of K folds has the influence values

    d_u = (1/K) sum over the folds of the influence values of unit u on A_k,

where a *unit* is a sample or a cluster. A sample that several folds test is one unit, not
several. As an estimate for models of other training samples, A has the standard error

    SE^2 = (1 + n_tested / n_train) sum d_u^2 / (1 - h_u).

Here h_u is the leverage of unit u: its share of its class in a fold that tests it, averaged
over these folds. The factor is that of Nadeau and Bengio (2003): the test samples of one
fold are training samples of the other folds, so the values of the folds are correlated.

For a difference of two learners, the variance of unseen samples (`unseen`), times the same
factor, is added to SE^2. Its n is the inverse of the largest weight of a sample in A: the
number of folds times the smallest class of a fold, divided by the number of repeats.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean

import numpy as np

from .._inference.design import check_clusters
from .._inference.differences import by_influence
from .._inference.doubts import Doubt, doubts_of_folds, warn_once
from .._inference.estimates import Estimate
from .._inference.standard_error import (
    InfluenceValues,
    influence_values,
    influence_values_of,
)
from .._input.arrays import kish_sample_size, n_samples_of
from .._input.estimators import keeps_thresholds, last_step, warn_of_thresholds
from .._input.frames import check_order
from .._input.labels import BinaryData
from ..results import AucPRIntervalCVResult
from ..uncertainty._samples import AreaSample
from ._cross_validated import are_scores, folds_of, frames_of, taken

# Fewer samples of a class in a fold were not simulated, and fewer positives bias the mean
# AUC-PR by up to 0.11.
_FEW_IN_FOLD = 5
# The doubt of clusters that are divided between the parts of a fold.
OVERLAP = Doubt(
    "Clusters in training and test part",
    "A cluster of `groups` is in the training and in the test part of a fold: the estimate "
    "is optimistic. Pass a group splitter, such as StratifiedGroupKFold, and `groups` to "
    "cross_validate.",
)
# Training sets are unequal if one differs from their median size by a larger fraction.
_UNEQUAL = 0.01


@dataclass(frozen=True)
class Learner:
    """The test samples of each fold of one cross-validation, scored by one kind of model.

    A *unit* is a sample or, with clusters, a cluster.

    Attributes
    ----------
    samples : list of AreaSample
        The test samples of each fold. If several folds test a sample (repeated
        cross-validation), or with clusters, the `clusters` of a `Sample` are the units;
        otherwise they are None.
    tests : list of ndarray of int64
        Indices of these samples in the data set, in increasing order.
    trains : list of ndarray, or None
        Indices, or masks, of the training samples of each fold; None if only their numbers
        are known.
    n_train : tuple of int
        Number of distinct training samples of each fold.
    is_assumed : bool
        Whether the training samples of scores from elsewhere are not known, and taken to be
        all other folds.
    n_tests : ndarray of int64, shape (n_samples,)
        Number of folds that test each sample of the data set.
    positive : ndarray of bool, shape (n_samples,)
        Whether each sample of the data set is a positive test sample; False if no fold
        tests it.
    clusters : ndarray of int64, shape (n_samples,), or None
        Index of the cluster of each sample of the data set; None if samples are
        independent.
    overlaps : bool
        Whether a cluster is in the training and in the test part of a fold.
    """

    samples: list[AreaSample]
    tests: list[np.ndarray]
    trains: list[np.ndarray] | None
    n_train: tuple[int, ...]
    is_assumed: bool
    n_tests: np.ndarray
    positive: np.ndarray
    clusters: np.ndarray | None
    overlaps: bool

    @property
    def variance_factor(self):
        """Ratio of the variance to that of independent folds (Nadeau and Bengio 2003)."""
        return 1 + np.count_nonzero(self.n_tests) / fmean(self.n_train)

    @property
    def mean_repeats(self):
        """Mean number of folds that test a sample."""
        return self.n_tests.sum() / np.count_nonzero(self.n_tests)

    @property
    def fewest(self):
        """Number of units of a class in the fold with the fewest."""
        return int(min(sample.n_units_by_class.min() for sample in self.samples))

    @property
    def is_unequal(self):
        """Whether a training set is over 1 %, and over one unit, from the median size."""
        largest = 1 if self.clusters is None else np.bincount(self.clusters).max()
        usual = np.median(self.n_train)
        most = np.abs(np.asarray(self.n_train) - usual).max()
        return bool(most > max(_UNEQUAL * usual, largest))

    @property
    def is_in_time_order(self):
        """Whether the models are tested on later samples than those they were fitted to."""
        index = np.arange(len(self.n_tests))
        return self.trains is not None and all(
            index[train].max() < test[0]
            for train, test in zip(self.trains, self.tests, strict=True)
        )

    @property
    def is_repeated(self):
        """Whether all samples that are tested are tested equally often."""
        n_tests = self.n_tests.max()
        return n_tests * np.count_nonzero(self.n_tests) == self.n_tests.sum()

    @property
    def is_conservative(self):
        """Whether simulations show a conservative interval: no `CoverageWarning`."""
        return self.fewest >= _FEW_IN_FOLD and not (self.overlaps or self.is_unequal)

    def in_order_of(self, other):
        """The `Learner` with its folds in the order of another one; None if they differ."""
        parts = [_parts_of_folds(one, self, other) for one in (self, other)]
        if parts[0] == parts[1]:
            return self
        if sorted(parts[0]) != sorted(parts[1]):
            return None
        # Both sorted by their parts, the folds are paired. Equal folds keep their order.
        own, places = (sorted(range(len(part)), key=part.__getitem__) for part in parts)
        order = [i for _, i in sorted(zip(places, own, strict=True))]
        return replace(
            self,
            samples=[self.samples[i] for i in order],
            tests=[self.tests[i] for i in order],
            trains=None if self.trains is None else [self.trains[i] for i in order],
            n_train=tuple(self.n_train[i] for i in order),
        )

    def common_fields(self, options):
        """The test samples, the metric and the options, as keywords of a result."""
        is_tested, clusters = self.n_tests > 0, self.clusters
        return {
            "n_samples": int(np.count_nonzero(is_tested)),
            "n_positive": int(np.count_nonzero(self.positive)),
            "n_clusters": None if clusters is None else len(np.unique(clusters[is_tested])),
            "method": "cross-validation",
            **self.samples[0].metric.fields(),
            **options.fields(),
        }

    @cached_property
    def fold_values(self):
        """The metric of each fold."""
        return tuple(float(sample.value) for sample in self.samples)

    @cached_property
    def estimate(self):
        """The `Estimate` of the mean over the folds."""
        parts = self.influence_parts(map(influence_values, self.samples))
        estimate = Estimate(
            fmean(self.fold_values), self.n_smaller, variance_factor=self.variance_factor
        )
        return estimate.with_influence(parts)

    @cached_property
    def n_smaller(self):
        """Effective number of units of the smaller class, of all folds together."""
        if self.samples[0].clusters is None:
            sizes = sum(sample.effective_class_sizes for sample in self.samples)
            return float(sizes.min())
        return min(map(kish_sample_size, _added_up(s.unit_weights for s in self.samples)))

    def influence_parts(self, by_fold):
        """Influence values of the units on the mean over the folds.

        `by_fold` are the `InfluenceValues` of each fold. Each unit is in one of the parts.
        """
        n_folds = len(self.samples)
        of_mean = [part._replace(values=part.values / n_folds) for part in by_fold]
        # Without clusters each unit is a sample that one fold tests.
        return of_mean if self.samples[0].clusters is None else _by_unit(of_mean)

    def interval(self, options):
        """The `AucPRIntervalCVResult` of the mean over the folds."""
        estimate, values = self.estimate, self.fold_values
        chance = [s.metric.chance_level(s.data, s.roc) for s in self.samples]
        positives = [np.count_nonzero(sample.data.positive) for sample in self.samples]
        return AucPRIntervalCVResult(
            **self.common_fields(options),
            estimate=estimate.value,
            standard_error=estimate.standard_error,
            confidence_interval=estimate.interval(options),
            chance_level=fmean(chance),
            df=estimate.df,
            fold_values=values,
            n_folds=len(values),
            n_repeats=int(self.n_tests.max()),
            fewest_positives=int(min(positives)),
            n_train=self.n_train,
            _n_all=len(self.n_tests),
            _is_repeated=self.is_repeated,
            _is_assumed=self.is_assumed,
            _is_conservative=self.is_conservative,
        )

    def difference(self, other, options, names):
        """The `AucPRComparisonResult` of two learners with the same folds."""
        parts = self.influence_parts(
            influence_values_of(a, a.derivative - b.derivative)
            for a, b in zip(self.samples, other.samples, strict=True)
        )
        fewest = min(sample.min_effective_class_size for sample in self.samples)
        n_unseen = len(self.samples) * fewest / self.mean_repeats
        estimates = self.estimate, other.estimate
        difference = by_influence(*estimates, parts, options, n_unseen)
        metric = self.samples[0].metric
        fields = self.common_fields(options) | {"names": names}
        return difference.result(metric, **fields)


def learner_of(metric, cv_results, X, y, design, response_method, by_sample):
    """The `Learner` of the result of cross_validate for `X` and `y`.

    `design` has the arguments `pos_label` and `groups`. Comparisons need the influence of
    each sample (`by_sample`); an interval needs only one value for the samples of a class
    on a segment.
    """
    check_order(y=y, X=X, groups=design.groups, **frames_of(cv_results))
    tests, data_sets = _tested(cv_results, X, y, response_method, design.pos_label)
    n_samples, clusters = n_samples_of(y), check_clusters(y, design)
    overlaps = clusters_overlap(cv_results, tests, clusters, n_samples)
    n_tests = np.bincount(np.concatenate(tests), minlength=n_samples)
    positive = np.zeros(n_samples, dtype=bool)
    for test, data in zip(tests, data_sets, strict=True):
        positive[test] = data.positive
    units = _units_of(clusters, n_tests)
    return Learner(
        samples=_samples_of(metric, data_sets, tests, units, by_sample),
        tests=tests,
        **_training_sets(cv_results, n_samples),
        n_tests=n_tests,
        positive=positive,
        clusters=clusters,
        overlaps=overlaps,
    )


def _tested(cv_results, X, y, response_method, pos_label):
    """Indices and `BinaryData` of the test samples of each fold, as two lists.

    Raises `ValueError` for a fold that tests a sample more than once.
    """
    tests: list[np.ndarray] = []
    data_sets: list[BinaryData] = []
    for fold in folds_of(cv_results, X, y, None, response_method, pos_label):
        repeated = fold.indices[np.bincount(fold.indices)[fold.indices] > 1]
        if len(repeated):
            raise ValueError(
                "`cv_results` must have different test samples within a fold. Got sample "
                f"{repeated[0]} more than once in fold {len(tests)}: pass a splitter that "
                "draws test samples without replacement to cross_validate."
            )
        data = BinaryData(fold.y == fold.pos_label, fold.score)
        if np.any(fold.indices[1:] < fold.indices[:-1]):  # a splitter that shuffles
            order = np.argsort(fold.indices)
            fold, data = fold._replace(indices=fold.indices[order]), data.take(order)
        tests.append(fold.indices)
        data_sets.append(data)
    if keeps_thresholds(fold.estimator):
        way_out = "cross-validate the models inside, and pass their results"
        if last_step(fold.estimator) is fold.estimator:
            way_out = (
                "replace such a result by `{**result, 'estimator': [model.estimator_ for "
                "model in result['estimator']]}`"
            )
        way_out += f", and pass `pos_label={fold.pos_label!r}`"
        warn_of_thresholds(fold.estimator, "Models of `cv_results` are", way_out)
    return tests, data_sets


def _training_sets(cv_results, n_samples):
    """The fields of a `Learner` on its training samples."""
    trains = [*cv_results["indices"]["train"]]
    n_train = tuple(_n_distinct(train, n_samples) for train in trains)
    is_assumed = False
    if are_scores(cv_results):
        given = tuple(entry.n_train for entry in cv_results["estimator"])
        is_assumed = None in given
        if given != n_train and not is_assumed:
            trains, n_train = None, given
    return {"trains": trains, "n_train": n_train, "is_assumed": is_assumed}


def clusters_overlap(cv_results, tests, clusters, n_samples):
    """Whether a cluster is in the training and in the test part of a fold.

    Raises `ValueError` if a sample is, without clusters.
    """
    in_train = taken(cv_results, "train", _shared(tests, clusters, n_samples))
    overlaps = any(is_tested.any() for is_tested in in_train)
    if overlaps and clusters is None:
        raise ValueError(
            "`cv_results` must have folds whose test samples are not among their "
            "training samples. Got a sample in both; pass the 'indices' that "
            "cross_validate returns, with a splitter that separates them."
        )
    return overlaps


def _units_of(clusters, n_tests):
    """Index of the unit of each sample; None if each unit is tested in one fold at most.

    Units are clusters. Without clusters a sample that several folds test is a unit, whose
    influence values in these folds are added up.
    """
    if clusters is None and n_tests.max() > 1:
        return np.arange(len(n_tests))
    return clusters


def _samples_of(metric, data_sets, tests, units, by_sample):
    """The `AreaSample` of each fold, with the units of its test samples as clusters."""
    clusters = [None if units is None else units[test] for test in tests]
    return [
        AreaSample.of(metric, data, own, by_sample=by_sample)
        for data, own in zip(data_sets, clusters, strict=True)
    ]


def _n_distinct(indices, n_samples):
    """Number of distinct samples among indices, which a bootstrap sample may repeat."""
    indices = np.asarray(indices)
    # Most splitters give increasing indices.
    if indices.dtype != bool and np.all(indices[1:] > indices[:-1]):
        return len(indices)
    is_drawn = np.zeros(n_samples, dtype=bool)
    is_drawn[indices] = True
    return int(np.count_nonzero(is_drawn))


def _shared(tests, clusters, n_samples):
    """For each fold, whether each sample is, or shares a cluster with, a test sample."""
    for test in tests:
        is_shared = np.zeros(n_samples, dtype=bool)
        is_shared[test if clusters is None else clusters[test]] = True
        yield is_shared if clusters is None else is_shared[clusters]


def check_orders(cv_results, X, y, groups):
    """Raise `ValueError` if what describes the same samples has them in another order.

    `cv_results` and `X` are those of `compare_models_cv`.
    """
    arguments = {"y": y, "groups": groups, "X": None if isinstance(X, Mapping) else X}
    for name, results in cv_results.items():
        frames = frames_of(results)
        if isinstance(X, Mapping) and not frames:
            frames = {"X": X[name]}
        arguments |= {f"{key}[{name!r}]": values for key, values in frames.items()}
    check_order(**arguments)


def check_learners(learners):
    """Learners, by name, with the folds of the first, checked to have both classes in each.

    Warns if coverage is not known: few samples of a class in a fold, clusters in both parts
    of a fold, training sets of unequal sizes.
    """
    (first_name, first), *others = learners.items()
    learners = {first_name: first}
    for name, other in others:
        ordered = other.in_order_of(first)
        if ordered is None or not np.array_equal(first.positive, other.positive):
            what = "folds"
            way = (
                "`cv`, with an int as its random_state, to cross_validate, or `test_fold` "
                "to cv_results_from_scores (with the same `n_train`)"
            )
            if ordered is not None:
                what, way = "positive label", "`pos_label`"
            raise ValueError(
                f"`cv_results` must have the same {what} for all models. Got different "
                f"ones for {first_name!r} and {name!r}: pass the same {way}."
            )
        learners[name] = ordered
    unit, splitter = "samples", "StratifiedKFold"
    if first.clusters is not None:
        unit, splitter = "clusters with samples", "StratifiedGroupKFold"
    if first.fewest < 2:
        sizes = [sample.n_units_by_class for sample in first.samples]
        raise ValueError(
            f"`cv_results` must have two {unit} of each class in every fold. Got "
            f"{first.fewest} in fold {np.argmin(np.min(sizes, axis=1))}: use fewer folds, "
            f"or a stratified splitter such as {splitter}."
        )
    doubts = [*_doubts_of_design(first, unit)]
    for name, learner in learners.items():
        subject = f"Model {name!r}" if others else ""
        own = doubts_of_folds(dict(enumerate(learner.samples)), learner.mean_repeats)
        doubts += [doubt.about(subject) for doubt in own]
    warn_once(doubts)
    return learners


def _doubts_of_design(learner, unit):
    """The doubts that all models with the folds of this learner share."""
    if learner.overlaps:
        yield OVERLAP
    if learner.fewest < _FEW_IN_FOLD:
        yield Doubt(
            "Few samples of a class in a fold",
            f"A fold has only {learner.fewest} {unit} of a class. With fewer than "
            f"{_FEW_IN_FOLD}, coverage is not known, and few positives bias the mean over "
            "the folds upward (AUC-PR by up to 0.11). Use fewer folds.",
        )
    if learner.is_unequal:
        n_train = learner.n_train
        splitter = "StratifiedKFold" if learner.clusters is None else "GroupKFold"
        way_out = f"Use a splitter with training sets of equal size, such as {splitter}."
        if learner.is_in_time_order:
            way_out = (
                "Limit the training sets to the size of the smallest, e.g. by "
                f"TimeSeriesSplit(max_train_size={min(n_train)})."
            )
        elif learner.trains is None:  # the order of the samples is not known
            way_out = (
                "Fit all models to equally many samples or, if the folds are given, "
                "report these numbers."
            )
        yield Doubt(
            "Training sets of different sizes",
            f"The training sets have {min(n_train)} to {max(n_train)} samples: the mean "
            "over the folds is that of models fitted to different numbers of samples, and "
            f"the coverage of its interval is not known. {way_out}",
        )


def _parts_of_folds(learner, *both):
    """The test and the training samples of each fold, as values that can be sorted.

    Only the numbers of training samples count if one of `both` learners knows no more.
    """
    tests = [test.tobytes() for test in learner.tests]
    if any(one.trains is None for one in both):
        return [*zip(tests, learner.n_train, strict=True)]
    trains = []
    for train in learner.trains:
        is_train = np.zeros(len(learner.n_tests), dtype=bool)
        is_train[train] = True
        trains.append(np.packbits(is_train).tobytes())
    return [*zip(tests, trains, strict=True)]


def _added_up(arrays):
    """Sum of arrays whose columns are units; an array may end before the last unit."""
    arrays = [*arrays]
    n_units = max(array.shape[-1] for array in arrays)
    total = np.zeros((*arrays[0].shape[:-1], n_units))
    for array in arrays:
        total[..., : array.shape[-1]] += array
    return total


def _by_unit(parts):
    """The `InfluenceValues` of units that several folds may test, as one part.

    The influence values of a unit are added up; its leverage is h_u of the module's
    docstring.
    """
    # A fold that does not test a unit gives it the leverage 0.
    columns = ((p.values, p.leverage, p.leverage > 0) for p in parts)
    values, leverage, n_tests = _added_up(map(np.array, columns))
    is_tested = n_tests > 0
    values, leverage = values[is_tested], leverage[is_tested] / n_tests[is_tested]
    return [InfluenceValues(values, leverage)]
