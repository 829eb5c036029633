"""Exact areas from batches do not depend on the batches."""

import multiprocessing
import os
import sys
import threading

import numpy as np
import polars
import pytest
from cases import each
from closeness import METRICS, SUMS
from frames import CHANGES, assert_as_in_memory, note_sizes, ranges_of
from joblib import parallel_backend
from situations import SITUATIONS, random_problem
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_achievable_pr import PRCounts, auc_pr_from_batches, auc_pr_interpolated

OPTIONS = [{}, {"recall_range": (0.2, 0.55)}, {"prevalence": 0.01}]


def in_batches(situation, n_batches, order=None):
    columns = [column for column in situation if column is not None]
    order = np.arange(len(columns[0])) if order is None else order
    rows = np.array_split(order, n_batches)
    return lambda: (tuple(column[some] for column in columns) for some in rows)


def assert_same(found, situation, metric, **options):
    y_true, y_score, weight = situation
    assert_as_in_memory(found, metric, y_true, y_score, weight, **options)


def changed(change, n_samples=2000):
    """A problem with other scores."""
    data = random_problem(5, n_samples)
    return data._replace(y_score=change(data.y_score))


PROBLEMS = {
    "float64": random_problem(0, 2000),
    "float32": changed(np.float32),
    "float16": changed(np.float16),
    "few positives": random_problem(2, 2000, prevalence=0.004),
    "few negatives": random_problem(2, 2000, prevalence=0.99),
    "ties across every border": random_problem(3, 2000, n_levels=12),
    "one huge tie": changed(lambda s: np.maximum(s, 0)),
    "constant": changed(np.zeros_like, n_samples=500),
    **{name: changed(change) for name, change in CHANGES.items()},
    "tiny": changed(lambda s: s * 1e-310),
    "separated": random_problem(6, 2000)._replace(
        y_true=(random_problem(6, 2000).y_score > 0.3).astype(int)
    ),
    "integers": changed(lambda s: (s * 1e4).astype(np.int64)),
    "longdouble": changed(lambda s: 1 + s.astype(np.longdouble) * 1e-17),
    "weights": random_problem(8, 2000, weights="fractional"),
    "weights and ties": random_problem(8, 2000, n_levels=40, weights="whole"),
}


@pytest.mark.slow
@each(name=PROBLEMS, metric=SUMS)
def test_batches_give_the_value_of_the_data_in_memory(name, metric):
    data = PROBLEMS[name]
    with ranges_of(200):
        found = auc_pr_from_batches(in_batches(data, 4), metric=metric)
    assert_same(found, data, metric)


@each(name=("float64", "few positives", "weights"), metric=METRICS, options=OPTIONS)
def test_options_give_the_value_of_all_samples_at_once(name, metric, options):
    data = PROBLEMS[name]
    with ranges_of(500):
        found = auc_pr_from_batches(in_batches(data, 3), metric=metric, **options)
    assert_same(found, data, metric, **options)


@each(name=("few positives", "weights and ties"), prevalence=(None, 0.01))
def test_average_precision_at_a_prevalence(name, prevalence):
    data, options = PROBLEMS[name], {"prevalence": prevalence}
    with ranges_of(500):
        found = auc_pr_from_batches(
            in_batches(data, 3), metric="average_precision", **options
        )
    assert_same(found, data, "average_precision", **options)


@each(name=SITUATIONS, metric=SUMS)
def test_batches_give_the_value_of_every_situation(name, metric):
    if name in ("huge_weights", "tiny_weights"):
        metric = "auc_pr_interpolated"
    with ranges_of(2):
        found = auc_pr_from_batches(in_batches(SITUATIONS[name], 2), metric=metric)
    assert_same(found, SITUATIONS[name], metric)


@pytest.mark.parametrize("name", ["float64", "near one"])
def test_ranges_fit_into_memory(name, monkeypatch):
    """A range of several scores has at most about twice the allowed number of samples."""
    sizes = note_sizes(monkeypatch)
    with ranges_of(300):
        found = auc_pr_from_batches(in_batches(PROBLEMS[name], 4))
    assert_same(found, PROBLEMS[name], "auc_pr_interpolated")
    assert max(sizes, default=0) <= 600


def test_scores_that_no_bin_divides_are_sorted_without_their_neighbors(monkeypatch):
    """Different integers that are equal as float64 may be more than fit into memory."""
    alike, below = 2**60 + np.arange(300) % 100, 2**60 - 10**6 * np.arange(1, 21)
    y_score = np.append(alike, below)
    y_true = np.random.default_rng(0).integers(0, 2, len(y_score))
    sizes = note_sizes(monkeypatch)
    with ranges_of(100):
        found = auc_pr_from_batches(lambda: [(y_true, y_score)])
    assert found == pytest.approx(auc_pr_interpolated(y_true, y_score), rel=1e-14)
    assert sorted(sizes) == [len(below), len(alike)]


@each(name=("float64", "weights"), n_jobs=(1, 2))
def test_order_of_samples_and_number_of_jobs(name, n_jobs):
    data = PROBLEMS[name]
    order = np.random.default_rng(0).permutation(len(data.y_true))
    with ranges_of(300):
        found = auc_pr_from_batches(in_batches(data, 7, order), n_jobs=n_jobs)
    assert_same(found, data, "auc_pr_interpolated")


@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_ranges_are_sorted_in_threads_whatever_the_backend_of_joblib(backend):
    data = PROBLEMS["float64"]
    with ranges_of(300), parallel_backend(backend, n_jobs=2):
        for n_jobs in (None, 2):
            found = auc_pr_from_batches(in_batches(data, 4), n_jobs=n_jobs)
            assert_same(found, data, "auc_pr_interpolated")


@pytest.mark.parametrize("is_daemon", [False, True])
def test_threads_share_the_memory(is_daemon, monkeypatch):
    """Threads also run in a daemonic process, where joblib starts no processes."""
    both = threading.Barrier(2, timeout=60)

    def wait_for_a_second_thread(sizes):
        if not sizes:
            both.wait()

    sizes = note_sizes(monkeypatch, wait_for_a_second_thread)
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", is_daemon)
    with ranges_of(400):
        auc_pr_from_batches(in_batches(PROBLEMS["float64"], 4), n_jobs=2)
    assert max(sizes) <= 400


def test_batches_of_several_dtypes_with_and_without_weights():
    y_true, y_score, _ = random_problem(9, 900)
    y_score = y_score.astype(np.float32)

    def batches():
        yield y_true[:300], y_score[:300]
        yield y_true[:0], y_score[:0]
        yield y_true[300:600].tolist(), y_score[300:600].astype(np.float64), np.ones(300)
        yield [y_true[600:] == 1, y_score[600:].astype(np.float64)]

    with ranges_of(100):
        found = auc_pr_from_batches(batches)
    assert found == pytest.approx(auc_pr_interpolated(y_true, y_score), rel=1e-13)


# Files


@pytest.fixture
def folder(tmp_path):
    """A folder in which nothing is left."""
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


def test_temporary_files_are_in_the_folder_and_deleted(folder):
    n_files = []

    def batches():
        yield PROBLEMS["weights"]
        n_files.append(sum(len(files) for _, _, files in os.walk(folder)))

    with ranges_of(500):
        auc_pr_from_batches(batches, temp_folder=folder)
    assert n_files[0] == 0
    # Two to four ranges, each with files of labels, scores and weights.
    assert n_files[1] in (6, 9, 12)


def test_bins_of_one_score_or_one_class_are_not_stored(folder):
    """This holds for bins below the limit too, if many of them are neighbors."""
    y_true = np.repeat([0, 1, 0, 1], [20, 10, 10, 20])
    y_score = np.repeat([0, 0.5, 2, 4], [20, 10, 10, 20]) + np.linspace(0, 1e-9, 60)
    stored = []

    def batches():
        yield y_true, y_score
        stored.append(sum(path.stat().st_size for path in folder.glob("*/*")))

    with ranges_of(200):
        assert auc_pr_from_batches(batches, temp_folder=folder) > 0.8
    assert stored == [0, 0]


def test_temporary_files_are_deleted_after_an_exception(folder):
    passes = []

    def batches():
        passes.append(len(passes))
        yield PROBLEMS["float64"][:2]
        if len(passes) == 2:
            assert any(files for _, _, files in os.walk(folder))
            raise RuntimeError("disk is gone")

    with pytest.raises(RuntimeError, match="disk is gone"):
        auc_pr_from_batches(batches, temp_folder=folder)


# The undefined cases, and errors


def test_a_missing_class_is_undefined_with_a_warning():
    none, all_ = lambda: [([0, 0], [1, 2])], lambda: [([1, 1], [1, 2])]
    for batches, options, message in (
        (none, {}, "No positive samples in `y_true`: AUC-PR"),
        (none, {"metric": "aucnpr"}, "No positive samples in `y_true`: AUCNPR"),
        (all_, {"metric": "aucnpr"}, "No negative samples in `y_true`: AUCNPR"),
        (all_, {"prevalence": 0.5}, "No negative samples in `y_true`: AUC-PR"),
        (none, {"metric": "achievable_auc_pr"}, "No positive samples"),
    ):
        with pytest.warns(UndefinedMetricWarning, match=message):
            assert np.isnan(auc_pr_from_batches(batches, **options))
    assert auc_pr_from_batches(all_, recall_range=(0.5, 1)) == 0.5


# name -> labels of two batches, pos_label, error of both together
LABELS = {
    "three": (["a", "b"], ["a", "c"], "a", "two classes.*'a', 'b', 'c'"),
    "case of letters": (["a", "b"], ["A", "A"], "a", "two classes.*'A', 'a', 'b'"),
    "0 and -1 as negatives": ([0, 1], [-1, 1], None, r"two classes.*\[-1, 0, 1\]"),
    "no positive label": (["b", "b"], ["c", "c"], "a", r"\[\] of the labels"),
    "text and numbers": (["0", "1"], [0, 0], "1", "labels, all of one kind"),
    "without weight": (["a", "b"], ["c", "c"], "a", "two classes", [0, 0]),
}


@each(name=LABELS)
def test_labels_of_all_batches_are_checked_together(name):
    first, second, pos_label, words, *weight = LABELS[name]
    batches = [(first, [1, 2]), (second, [3, 4], *weight)]
    with pytest.raises((ValueError, TypeError), match=words):
        auc_pr_from_batches(lambda: batches, pos_label=pos_label)


@pytest.mark.parametrize(
    ("first", "second", "pos_label"),
    [
        ([1, 0], [True, False], None),
        ([1, 0], [1.0, 0.0], None),
        ([1, 1], [-1, -1], None),
        (["a", "a"], ["b", "b"], "a"),
        (["b", "b"], ["a", "b"], "a"),
    ],
)
def test_equal_labels_may_differ_in_type_and_be_missing_in_a_batch(
    first, second, pos_label
):
    positive = [label == (pos_label or 1) for label in (*first, *second)]
    batches = [(first, [1, 2]), (second, [3, 1])]
    found = auc_pr_from_batches(lambda: batches, pos_label=pos_label)
    assert found == auc_pr_interpolated(positive, [1, 2, 3, 1])


@pytest.mark.parametrize("weights", [(1, 2), (None, 3), (3, None)])
def test_weights_that_change_between_passes_raise(weights):
    y_true, y_score = SMALL[0]
    each = iter([None if w is None else np.full(len(y_true), w) for w in weights])
    with pytest.raises(ValueError, match="must meet the same samples"):
        auc_pr_from_batches(lambda: [(y_true, y_score, next(each))])


def test_weights_that_change_between_passes_raise_where_no_sample_is_sorted():
    """Each of two scores has so many samples that they are only counted."""
    y_true, y_score = np.repeat([1, 0], 80_000), np.repeat([2.0, 1.0], 80_000)
    batches = (
        [(y_true, y_score, np.repeat(weights, 80_000))] for weights in ((1, 2), (2, 1))
    )
    with pytest.raises(ValueError, match="must meet the same samples"):
        auc_pr_from_batches(lambda: next(batches), max_memory=2**26, n_jobs=1)


def test_labels_that_change_between_passes_raise():
    y_true, y_score = np.tile([0, 1], 500), np.linspace(1, 2, 1000)
    swapped = np.r_[y_true[:500], 1 - y_true[500:600], y_true[600:]]
    batches = changing((y_true, y_score), (swapped, y_score))  # one range for all
    with pytest.raises(ValueError, match="must meet the same samples"):
        auc_pr_from_batches(batches)


def changing(first, second):
    """Batches with different samples in the second pass."""
    batches = iter([first, second])
    return lambda: [next(batches)]


# Reversed scores


WORST = np.repeat([1, 0], [8, 12]), np.arange(20)
# One positive has nearly all the weight of the positives.
HEAVY = np.where(np.arange(20) == 3, 1e6, 1.0)


@pytest.mark.parametrize("weight", [None, 0.1, 7.0])
def test_the_worst_ranking_warns_once(weight):
    batch = WORST if weight is None else (*WORST, np.full(20, weight))
    for value in (
        lambda: auc_pr_from_batches(lambda: [batch], metric="aucnpr"),
        PRCounts().update(*WORST, sample_weight=[*batch, None][2]).auc_pr,
    ):
        with pytest.warns(UserWarning, match="scores rank negatives above") as caught:
            value()
        assert len(caught) == 1


@pytest.mark.parametrize(
    "batch",
    [(WORST[0][6:], WORST[1][6:]), (*WORST, HEAVY), (WORST[0], -WORST[1])],
    ids=["few samples", "one heavy sample", "the best ranking"],
)
def test_other_rankings_do_not_warn(batch):
    weight = [*batch, None][2]
    auc_pr_from_batches(lambda: [batch])
    PRCounts().update(*batch[:2], sample_weight=weight).auc_pr()


def test_a_ranking_that_is_reversed_below_the_best_positives_does_not_warn():
    """AUC-PR is above the prevalence, 1/3, but the area under the ROC curve is 1/5."""
    y_true, y_score = np.repeat([1, 0, 1], [20, 200, 80]), -np.arange(300.0)
    assert auc_pr_from_batches(lambda: [(y_true, y_score)]) > 1 / 3


SMALL = [([1, 0], [1, 2])]
SAMPLES = random_problem(0, 50)[:2]


def test_the_memory_may_be_any_number_of_bytes():
    found = auc_pr_from_batches(lambda: SMALL, max_memory=sys.maxsize)
    assert found == auc_pr_interpolated(*SMALL[0])


@pytest.mark.parametrize(
    ("batches", "options", "error", "words"),
    [
        ([([1], [1])], {}, TypeError, "`batches` must be a callable .* Got list. Pass"),
        (lambda: [([1, 0],)], {}, TypeError, "must hold tuples .* Got tuple"),
        (lambda: [np.ones((2, 2))], {}, TypeError, "must hold tuples .* Got ndarray"),
        (lambda: [], {}, ValueError, "samples of positive weight"),
        (
            lambda: SMALL,
            {"metric": "auprg"},
            ValueError,
            "`metric` must be one of 'auc_pr_interpolated', .*Got 'auprg'",
        ),
        (
            lambda: SMALL,
            {"n_jobs": 0},
            ValueError,
            "`n_jobs` must be a number of threads, or -1",
        ),
        (lambda: SMALL, {"n_jobs": "a"}, TypeError, "`n_jobs` must be an integer. Got 'a'"),
        (lambda: SMALL, {"temp_folder": 5}, TypeError, "`temp_folder` must be a path.* 5"),
        (
            lambda: SMALL,
            {"temp_folder": "no"},
            ValueError,
            "`temp_folder` must be an exist",
        ),
        (lambda: None, {}, TypeError, "`batches` must return an iterable .* Got NoneType"),
        (
            lambda: SMALL,
            {"max_memory": 1000},
            ValueError,
            "`max_memory` must be at least 67108864. Got 1000",
        ),
        (
            lambda: SMALL,
            {"max_memory": "300MB"},
            TypeError,
            "`max_memory` must be an integer, a number of bytes, .* Got '300MB'",
        ),
        (
            changing(([1, 0, 1, 0], [1, 2, 3, 4]), ([1, 0, 1], [1, 2, 3])),
            {},
            ValueError,
            "must meet the same samples. Got others",
        ),
        (
            changing(([1, 0, 1], [1, 2, 3]), ([1, 0, 1, 0], [1, 2, 3, 4])),
            {},
            ValueError,
            "must meet the same samples. Got others",
        ),
        (changing(SAMPLES, (1 - SAMPLES[0], SAMPLES[1])), {}, ValueError, "same samples"),
        (changing(SAMPLES, (SAMPLES[0], 9 * SAMPLES[1])), {}, ValueError, "same samples"),
    ],
)
def test_wrong_batches_raise(batches, options, error, words, folder):
    with pytest.raises(error, match=words):
        auc_pr_from_batches(batches, **{"temp_folder": folder} | options)


FRAME = polars.DataFrame({"label": [1, 0], "score": [2.0, 1.0]})


@pytest.mark.parametrize(
    ("batches", "way_out"),
    [
        (None, r"`lambda: \[\(y_true, y_score\)\]`"),
        (iter(SMALL), "the function that makes it, without calling it"),
        (FRAME.lazy(), r"`auc_pr_from_frame\(frame, \"y_true\", \"y_score\"\)`"),
        (lambda: FRAME, "`auc_pr_from_frame"),
    ],
    ids=["None", "iterator", "lazy frame", "function of a frame"],
)
def test_the_error_of_what_are_no_batches_says_what_to_pass(batches, way_out):
    with pytest.raises(TypeError, match=f"`batches` must .* {way_out}"):
        auc_pr_from_batches(batches)


@pytest.mark.parametrize(
    ("batch", "words"),
    [
        ((None, [2, 1]), "`y_true` must be an array or a list. Got None"),
        (([1, 0], "score"), r"`y_score` .* Got 'score': .* `frame\['score'\]`"),
        (([1, 0], FRAME.lazy()), r"`y_score` .* Got LazyFrame. Pass `y_score.collect\(\)`"),
        (
            ([1, 0], FRAME.to_pandas()),
            r"`y_score` must be one-dimensional .* pass one column",
        ),
    ],
    ids=["None", "name", "lazy frame", "frame"],
)
def test_a_batch_without_arrays_raises_with_the_name_of_the_argument(batch, words):
    with pytest.raises((TypeError, ValueError), match=words):
        auc_pr_from_batches(lambda: [batch])
