"""What is promised of changes of an open batch: annotation/actions/open_batches.py."""

from decimal import Decimal

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, judgements, open_batches, reviews, settlement
from annotation.actions.batches import BatchError
from annotation.models import Batch, BatchState
from audit.models import Event
from tests.annotation.desk import NOW, assert_counts_match, claim_one, judge, places
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.factories import BatchFactory


def rename(batch, by, name="second round"):
    return open_batches.rename(batch=batch, name=name, by=by)


def share(batch, by, largest_share):
    return open_batches.set_largest_share(batch=batch, largest_share=largest_share, by=by)


def raise_to(batch, by, n):
    return open_batches.raise_judgements(batch=batch, judgements_per_item=n, by=by)


def events(verb):
    return [each.details for each in Event.objects.filter(verb=verb)]


def test_a_renamed_batch_keeps_the_order_of_its_screens(batch, item, alice, bob):
    held = claim_one(batch, bob)
    order = judgements.screen_order(held, batch)
    before = batch.name

    renamed = rename(batch, alice)

    assert (renamed.name, renamed.lot_name) == ("second round", before)
    assert judgements.screen_order(held, renamed) == order
    assert events("renamed") == [{"before": before, "after": "second round"}]
    assert rename(renamed, alice, "third").lot_name == before


def test_a_name_is_unique_in_the_study_also_the_one_before(batch, study, alice):
    other = BatchFactory(pool=batch.pool, name="other", state=BatchState.OPEN)
    with pytest.raises(BatchError, match="there is a batch other already"):
        rename(batch, alice, "other")

    first = batch.name
    rename(batch, alice)

    with pytest.raises(BatchError, match="is what the batch second round was called before"):
        rename(other, alice, first)
    assert rename(batch, alice, first).name == first


@pytest.mark.parametrize("name", ["a\0b", "", "x" * 101])
def test_a_name_that_is_none_is_refused(batch, alice, name):
    with pytest.raises(BatchError):
        rename(batch, alice, name)


def test_a_settled_batch_is_not_renamed_because_others_refer_to_it_by_its_name(judged_batch, alice):
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)
    batch = batches.reopen(batch=judged_batch.batch, by=alice)

    with pytest.raises(BatchError, match="has been settled"):
        rename(batch, alice)


def test_a_larger_share_hands_items_out_again(batch, items, alice, bob):
    batch = share(batch, alice, 0.3)
    assert batch.most_per_person == 1
    judge(batch, bob)
    assert claims.claim(batch=batch, by=bob, now=NOW) == []

    share(batch, alice, None)

    assert len(claims.claim(batch=batch, by=bob, now=NOW)) == 1
    assert events("set the largest share of") == [
        {"before": None, "after": 1},
        {"before": 1, "after": None},
    ]


@pytest.mark.parametrize("largest_share", [0, 1.1, float("nan")])
def test_a_share_that_is_none_is_refused(batch, items, alice, largest_share):
    with pytest.raises(BatchError, match="a share is more than 0"):
        share(batch, alice, largest_share)


def test_more_judgements_open_places_and_nothing_counted_changes(batch, items, alice, bob, dora):
    assert len(items) == 3
    for who in (bob, dora):
        judge(batch, who)
    claim_one(batch, bob)

    raise_to(batch, alice, 3)

    assert [places(item)[0] for item in items] == [3, 3, 3]
    assert sum(places(item)[1] for item in items) == 9 - 2 - 1
    assert_counts_match(batch)
    assert events("raised the judgements of") == [
        {"before": 2, "after": 3, "n_items": 3, "n_judgements": 3}
    ]
    batch.refresh_from_db()
    assert batch.judgements_per_item == 3


def test_the_number_is_never_lowered(batch, items, alice):
    with pytest.raises(BatchError, match="can be raised, not lowered"):
        raise_to(batch, alice, 1)
    with pytest.raises(BatchError, match="1 to 100 times"):
        raise_to(batch, alice, 101)


def test_an_item_that_was_asked_for_once_more_already_gets_no_second_one(batch, items, alice):
    reviews.ask_again(item=items[0], by=alice)
    assert places(items[0])[0] == 3

    assert open_batches.increase(batch, 3).n_judgements == 2
    raise_to(batch, alice, 3)

    assert [places(item)[:2] for item in items] == [(3, 3), (3, 3), (3, 3)]


def test_an_adjudicated_item_gets_no_further_judgement(judged_batch, alice, carol):
    settlement.settle(batch=judged_batch.batch, rule="majority", by=alice)
    reviews.adjudicate(item=judged_batch.item(8), label="plausible", reason="so it is", by=carol)
    batch = batches.reopen(batch=judged_batch.batch, by=alice)

    raise_to(batch, alice, 4)

    assert places(judged_batch.item(8))[0] == 3
    assert places(judged_batch.item(1))[0] == 4


def test_an_item_without_evidence_is_asked_of_nobody_after_as_before(study, alice):
    pool = evidence_pool_of(pool_of(study), without=1)
    batch = launched(pool, scheme="faithfulness")
    without = [item for item in batch.items.all() if item.payload["evidence"] == []]

    raise_to(batch, alice, 3)

    assert without
    assert {places(item)[:2] for item in without} == {(2, 0)}
    assert open_batches.increase(batch, 4).n_items == batch.items.count() - len(without)


def test_an_excluded_item_is_not_asked_about_until_it_is_readmitted(batch, items, alice):
    reviews.exclude(item=items[0], reason="broken", by=alice)

    assert open_batches.increase(batch, 3).n_judgements == 2
    raise_to(batch, alice, 3)
    items[0].refresh_from_db()
    assert items[0].n_claimable == 0

    reviews.readmit(item=items[0], reason="it is whole", by=alice)
    items[0].refresh_from_db()
    assert items[0].n_claimable == 3


def test_what_more_judgements_cost_is_known_before(batch, items):
    Batch.objects.filter(pk=batch.pk).update(reward=Decimal("0.06"), currency="GBP")
    batch.refresh_from_db()

    more = open_batches.increase(batch, 4)

    assert (more.n_items, more.n_judgements, str(more.price)) == (3, 6, "£0.36")


@pytest.mark.parametrize("act", [rename, raise_to, share])
def test_a_closed_batch_is_not_changed_and_only_a_requester_changes_one(batch, alice, carol, act):
    value = {rename: "another", raise_to: 3, share: 0.5}[act]
    with pytest.raises(NotAllowedError):
        act(batch, carol, value)
    closed = batches.close(batch=batch, by=alice)

    with pytest.raises(BatchError, match="is closed, not open or paused"):
        act(closed, alice, value)


def test_of_several_changes_all_are_made_or_none(batch, items, alice):
    with pytest.raises(BatchError):
        open_batches.change(batch=batch, by=alice, name="renamed", judgements_per_item=1)
    batch.refresh_from_db()
    assert batch.name != "renamed"

    changed = open_batches.change(
        batch=batch, by=alice, name="renamed", judgements_per_item=3, guideline="New."
    )

    assert (changed.name, changed.judgements_per_item) == ("renamed", 3)
    assert changed.guideline.text == "New."
