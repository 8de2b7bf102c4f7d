"""Estimating labels and confusions together: stats/aggregation/dawid_skene.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.aggregation import dawid_skene as ds
from stats.aggregation.dawid_skene import MAXIMUM_LIKELIHOOD, Judgements
from tests.stats.aggregation import anaesthetists, crowdkit_oracle

MODELS = (ds.dawid_skene, ds.one_coin)
NEVER = -np.inf


def judgements_of(*rows, n_items=None, n_workers=None, n_labels=3):
    """Judgements of (task, worker, label)."""
    task, worker, label = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Judgements(
        task,
        worker,
        label,
        n_items=n_items or int(task.max(initial=-1)) + 1,
        n_workers=n_workers or int(worker.max(initial=-1)) + 1,
        n_labels=n_labels,
    )


def crowd(seed, *, n_items=60, n_workers=7, n_labels=3, each=3, accuracy=0.8):
    """Judgements of people who are right so often, with their items' labels."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(n_labels, n_items)
    rows = [
        (
            task,
            worker,
            truth[task] if rng.random() < accuracy else rng.integers(n_labels),
        )
        for task in range(n_items)
        for worker in rng.choice(n_workers, each, replace=False)
    ]
    return truth, judgements_of(*rows, n_workers=n_workers, n_labels=n_labels)


@st.composite
def judgements(draw):
    rows = st.tuples(st.integers(0, 7), st.integers(0, 4), st.integers(0, 2))
    said = draw(st.lists(rows, max_size=30))
    return judgements_of(*said, n_items=8, n_workers=5)


def test_the_anaesthetists_are_as_dawid_and_skene_found_them():
    found = ds.dawid_skene(anaesthetists.judgements(), prior=MAXIMUM_LIKELIHOOD)

    assert np.round(found.shares, 2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert np.round(found.confusion[0], 2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]
    assert np.round(found.confusion[1, 2:], 2).tolist() == [[0, 0, 1, 0], [0, 0, 0, 1]]
    assert found.converged
    assert found.not_identified == ()


def test_of_the_anaesthetists_patients_three_remain_in_doubt():
    found = ds.dawid_skene(anaesthetists.judgements(), prior=MAXIMUM_LIKELIHOOD)

    in_doubt = np.flatnonzero(found.posterior.max(axis=1) < 0.995) + 1

    assert in_doubt.tolist() == [7, 35, 38]
    assert np.round(found.posterior[34, 1:3], 2).tolist() == [0.95, 0.05]


@pytest.mark.parametrize("n_iterations", [1, 9])
@pytest.mark.parametrize("model", MODELS)
def test_without_a_prior_it_is_crowd_kits(model, n_iterations):
    """From the same start (shares of the votes), after as many iterations."""
    for said in (anaesthetists.judgements(), crowd(1)[1], crowd(2, n_labels=2, each=2)[1]):
        mine = model(said, prior=MAXIMUM_LIKELIHOOD, tolerance=NEVER, most_iterations=n_iterations)

        theirs = crowdkit_oracle.fitted(
            said, one_coin=model is ds.one_coin, most_iterations=n_iterations
        )

        posterior, confusion, shares = theirs
        np.testing.assert_allclose(mine.posterior, posterior, atol=1e-9)
        np.testing.assert_allclose(mine.confusion * (confusion > 0), confusion, atol=1e-9)
        np.testing.assert_allclose(mine.shares, shares, atol=1e-9)
        assert mine.n_iterations == n_iterations


@pytest.mark.parametrize("prior", [ds.DEFAULT_PRIOR, MAXIMUM_LIKELIHOOD])
@pytest.mark.parametrize("model", MODELS)
@given(said=judgements())
def test_every_number_is_a_probability_and_the_likelihood_never_falls(model, prior, said):
    found = model(said, prior=prior, most_iterations=25)

    for rows in (found.posterior, found.confusion, found.shares):
        assert np.isfinite(rows).all()
        assert (rows >= 0).all()
        np.testing.assert_allclose(rows.sum(axis=-1), 1, atol=1e-6)
    gains = np.diff(found.log_likelihoods)
    assert (gains > -1e-6).all()


@pytest.mark.parametrize("model", MODELS)
@given(said=judgements(), order=st.permutations(range(3)))
def test_which_number_a_label_has_changes_nothing(model, said, order):
    order = np.array(order)
    turned = Judgements(
        said.task, said.worker, order[said.label], said.n_items, said.n_workers, said.n_labels
    )

    before, after = model(said, most_iterations=20), model(turned, most_iterations=20)

    np.testing.assert_allclose(after.posterior[:, order], before.posterior, atol=1e-9)
    np.testing.assert_allclose(after.confusion[:, order][:, :, order], before.confusion, atol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_the_order_of_items_and_workers_and_rows_changes_nothing(model):
    _, said = crowd(3)
    rng = np.random.default_rng(0)
    items, workers = rng.permutation(said.n_items), rng.permutation(said.n_workers)
    rows = rng.permutation(len(said.task))
    turned = Judgements(
        items[said.task][rows],
        workers[said.worker][rows],
        said.label[rows],
        said.n_items,
        said.n_workers,
        said.n_labels,
    )

    before, after = model(said), model(turned)

    np.testing.assert_allclose(after.posterior[items], before.posterior, atol=1e-9)
    np.testing.assert_allclose(after.confusion[workers], before.confusion, atol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_the_order_of_items_and_rows_does_not_even_change_the_last_digit(model):
    _, said = crowd(4)
    rng = np.random.default_rng(0)
    items, rows = rng.permutation(said.n_items), rng.permutation(len(said.task))
    turned = Judgements(
        items[said.task][rows], said.worker[rows], said.label[rows], said.n_items, 7, 3
    )

    assert np.array_equal(model(turned).posterior[items], model(said).posterior)


@pytest.mark.parametrize("model", MODELS)
def test_perfect_workers_are_found_perfect(model):
    truth, said = crowd(5, accuracy=1)

    found = model(said, prior=MAXIMUM_LIKELIHOOD)

    assert found.posterior.argmax(axis=1).tolist() == truth.tolist()
    judged = np.bincount(said.worker * 3 + truth[said.task], minlength=21).reshape(7, 3) > 0
    for worker, true in np.argwhere(judged):
        assert found.confusion[worker, true, true] == pytest.approx(1, abs=1e-8)


def test_a_worker_who_always_says_one_label_is_found_out():
    _, said = crowd(6, n_items=400, n_workers=6)
    label = np.where(said.worker == 0, 0, said.label)

    found = ds.dawid_skene(
        Judgements(said.task, said.worker, label, said.n_items, said.n_workers, 3)
    )

    assert found.confusion[0, :, 0].min() > 0.9
    assert np.diagonal(found.confusion[1:], axis1=1, axis2=2).min() > 0.7


def test_a_prior_keeps_what_was_seen_once_from_being_certain():
    _, said = crowd(7, n_items=4)

    with_prior, without = ds.dawid_skene(said), ds.dawid_skene(said, prior=MAXIMUM_LIKELIHOOD)

    assert with_prior.confusion.max() < 1
    assert without.confusion.max() == 1


@pytest.mark.parametrize("prior", [ds.DEFAULT_PRIOR, MAXIMUM_LIKELIHOOD])
@pytest.mark.parametrize("model", MODELS)
def test_of_nothing_there_is_nothing_to_find(model, prior):
    found = model(judgements_of(n_items=2, n_workers=1), prior=prior)

    assert found.not_identified == (ds.NOTHING,)
    assert found.posterior.tolist() == [[pytest.approx(1 / 3)] * 3] * 2
    assert np.isfinite(found.confusion).all()
    assert model(judgements_of(n_items=0, n_workers=0), prior=prior).posterior.shape == (0, 3)


@pytest.mark.parametrize("model", MODELS)
def test_one_label_only_tells_nobodys_errors(model):
    said = judgements_of(*((task, worker, 1) for task in range(4) for worker in range(3)))

    found = model(said)

    assert found.not_identified == (ds.ONE_LABEL,)
    assert (found.posterior.argmax(axis=1) == 1).all()


@pytest.mark.parametrize("model", MODELS)
def test_of_a_scheme_with_one_label_all_is_certain(model):
    found = model(judgements_of((0, 0, 0), (0, 1, 0), n_labels=1))

    assert found.posterior.tolist() == [[1.0]]
    assert np.unique(found.confusion).tolist() == [pytest.approx(1)]


@pytest.mark.parametrize("model", MODELS)
def test_one_worker_has_nobody_to_be_compared_with(model):
    assert model(judgements_of((0, 0, 0), (1, 0, 1))).not_identified == (ds.ONE_WORKER,)


@pytest.mark.parametrize("model", MODELS)
def test_workers_without_a_common_item_are_not_identified(model):
    assert ds.NO_OVERLAP in model(judgements_of((0, 0, 0), (1, 1, 1), (2, 2, 0))).not_identified


def test_with_two_judgements_an_item_a_whole_matrix_is_not_identified_and_one_coin_is():
    _, said = crowd(8, each=2)

    assert ds.dawid_skene(said).not_identified == (ds.NO_THREE,)
    assert ds.one_coin(said).not_identified == ()


def test_of_two_workers_one_coin_cannot_tell_who_is_right():
    _, said = crowd(9, each=2, n_workers=2)

    assert ds.one_coin(said).not_identified == (ds.TWO_WORKERS,)


def test_an_item_without_judgements_has_the_shares_and_no_part_in_them():
    _, said = crowd(10)
    more = Judgements(said.task, said.worker, said.label, said.n_items + 3, said.n_workers, 3)

    found, without = ds.dawid_skene(more), ds.dawid_skene(said)

    assert np.array_equal(found.shares, without.shares)
    np.testing.assert_allclose(found.posterior[-1], found.shares)


def test_it_stops_at_the_tolerance_or_says_that_it_did_not():
    _, said = crowd(11)

    assert not ds.dawid_skene(said, most_iterations=1).converged
    assert ds.dawid_skene(said, tolerance=1e-3).n_iterations < ds.dawid_skene(said).n_iterations
    assert ds.dawid_skene(said).converged


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (([0], [0, 1], [0]), "differ in length"),
        (([0], [0], [-1]), "not from 0 to 2"),
        (([1], [0], [0]), "not from 0 to 0"),
    ],
)
def test_columns_that_are_no_judgements_are_refused(rows, says):
    task, worker, label = (np.array(column) for column in rows)

    with pytest.raises(ValueError, match=says):
        Judgements(task, worker, label, n_items=1, n_workers=2, n_labels=3)


def test_two_judgements_and_the_shares_alone_would_settle_a_conflict():
    """Why the rule asks for three: at 90/5/5 two good annotators who disagree make a certain label."""
    rng = np.random.default_rng(12)
    truth = rng.choice(3, 900, p=[0.9, 0.05, 0.05])
    right = rng.random((900, 2)) < 0.9
    wrong = rng.integers(1, 3, (900, 2))
    said = np.where(right, truth[:, None], (truth[:, None] + wrong) % 3)
    rows = [(i, (i + j) % 5, said[i, j]) for i in range(900) for j in range(2)]

    found = ds.dawid_skene(judgements_of(*rows), prior=MAXIMUM_LIKELIHOOD)

    in_conflict = said[:, 0] != said[:, 1]
    assert found.posterior[in_conflict].max(axis=1).max() > 0.95
