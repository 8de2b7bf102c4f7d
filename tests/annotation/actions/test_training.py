"""What is promised of training: annotation/actions/training.py, annotation/queries/training.py."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.models import Role
from annotation.actions import (
    batches,
    claims,
    controls,
    drafts,
    judgements,
    rehearsals,
    settlement,
    training,
)
from annotation.actions.batches import BatchError
from annotation.actions.claims import NothingToClaimError
from annotation.actions.judgements import NotClaimedError, NotEditableError
from annotation.models import Assignment, Batch, Item, Key, Standing
from annotation.queries import annotator_progress, batch_workers, earnings, standings
from annotation.queries import training as queries
from annotation.queries.training import Ending
from audit.models import Event
from tests.annotation.batches_with_controls import draft, full_pool, settled_batch
from tests.annotation.desk import NOW, claim_one, judge, submit
from tests.annotation.trainings import train, training_batch, training_pool
from tests.annotation.trust import group, qualification
from tests.conftest import member


@pytest.fixture
def acting(study):
    """A rule that four right answers of four reach, and that one wrong one of four misses."""
    return qualification(study, min_answers=4, accuracy=0.6, attempts=2, acts=True)


def test_everybody_judges_all_items_in_the_same_order(study, bob, dora):
    batch = training_batch(study, "pimp")

    orders = [[each.item.position for each in train(batch, by, "rrrr")] for by in (bob, dora)]

    assert orders[0] == orders[1] == sorted(orders[0])
    assert claims.claim(batch=batch, by=bob) == []
    assert not Item.objects.real().filter(batch=batch).exists()


def test_items_fetched_ahead_come_in_the_order_of_the_batch(study, bob):
    batch = training_batch(study, "pimp")

    ahead = claims.claim(batch=batch, by=bob, n=3, now=NOW)

    assert [each.item.payload["answers"][0]["text"] for each in ahead] == [
        "Keeper 1.",
        "Keeper 2.",
        "Keeper 3.",
    ]


def test_a_training_without_items_does_not_open(study, alice):
    made = batches.create(
        study=study,
        name="training",
        scheme="plausibility",
        pool=training_pool(study),
        by=alice,
        purpose="training",
    )

    with pytest.raises(BatchError, match="has no items"):
        batches.launch(batch=made, by=alice)


def test_items_are_taken_from_a_settled_batch_too(study, alice, bob, dora):
    source = settled_batch(study, [bob, dora], alice)
    made = batches.create(
        study=study,
        name="training",
        scheme="plausibility",
        pool=source.pool,
        by=alice,
        purpose="training",
    )
    controls.add_from_batch(batch=made, source=source, n=6, seed=1, by=alice)

    opened = batches.launch(batch=made, by=alice)

    fay = member(study, "fay", Role.ANNOTATOR, by=alice)
    assert len(train(opened, fay, "rrrrrr")) == 6
    assert Event.objects.get(verb="opened", target=f"batch {opened}").details["n_items"] == 6


def test_what_cannot_be_a_training_is_refused_in_a_sentence(study, alice, acting):
    pool = training_pool(study)

    def create(**settings):
        batches.create(study=study, name="t", pool=pool, by=alice, **settings)

    with pytest.raises(ValidationError, match="Only training decides on a qualification"):
        create(scheme="plausibility", trains_for=acting)
    with pytest.raises(ValidationError, match="it hides no control items"):
        create(scheme="plausibility", purpose="training", control_every=5)
    assert "rating has no control items" in queries.objection(
        Batch(scheme="rating", purpose="training")
    )
    odd = qualification(study, "odd", recall={"faithful": 0.5})
    with pytest.raises(BatchError, match="has no label faithful"):
        create(scheme="plausibility", purpose="training", trains_for=odd)


def test_a_draft_with_control_items_keeps_its_purpose(study, alice, bob, dora):
    source = settled_batch(study, [bob, dora], alice)
    made = draft(full_pool(study), alice)
    controls.add_from_batch(batch=made, source=source, n=3, seed=1, by=alice)

    with pytest.raises(BatchError, match="its purpose: take them out"):
        drafts.edit(
            batch=made,
            name="full",
            scheme="plausibility",
            pool=made.pool,
            guideline="",
            purpose="training",
            control_every=None,
            by=alice,
        )


def test_a_judgement_is_not_taken_back_and_nothing_is_skipped(study, bob):
    batch = training_batch(study, "pi")
    stored = judge(batch, bob)
    held = claim_one(batch, bob)

    with pytest.raises(NotEditableError, match="told what was expected"):
        judgements.take_back(judgement=stored, by=bob)
    with pytest.raises(NotClaimedError, match="every item is judged"):
        judgements.skip(assignment=held, reason="hard", by=bob)


def test_what_was_expected_is_said_of_training_only(study, alice, bob, dora):
    batch = training_batch(study, "pi")
    stored = [submit(claim_one(batch, bob), "plausible") for _ in "pi"]

    said = queries.expectations(batch, stored)

    assert [(said[each.pk].label, said[each.pk].is_met) for each in stored] == [
        ("plausible", True),
        ("implausible", False),
    ]
    assert said[stored[1].pk].explanation == "Because of 2."
    # Hidden control items and pilots say nothing, whatever is asked.
    for purpose in ("work", "pilot"):
        other = Batch(pk=batch.pk, scheme=batch.scheme, purpose=purpose)
        assert queries.expectations(other, stored) == {}


def test_progress_counts_what_is_ahead(study, bob):
    batch = training_batch(study, "pimp")
    train(batch, bob, "r")
    claim_one(batch, bob)
    now = timezone.now()

    at_desk = annotator_progress.desk_progress(batch, bob, NOW)

    assert (at_desk.n_done, at_desk.n_left) == (1, 3)
    assert annotator_progress.progress_by_batch([batch], bob, now)[batch.pk].n_done == 1


def test_it_is_paid_as_the_batch_says(study, bob):
    batch = training_batch(study, "pi", reward="0.06", currency="USD")

    train(batch, bob, "rw")

    (line,) = earnings.earnings_of(bob)
    assert (line.batch, line.n_judged) == (batch, 2)


def test_it_is_neither_settled_nor_rehearsed(study, alice):
    batch = training_batch(study, "p")

    with pytest.raises(rehearsals.RehearsalError, match="is a training"):
        rehearsals.rehearse(batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=alice)
    closed = batches.close(batch=batch, by=alice)
    with pytest.raises(settlement.SettleError, match="known labels"):
        settlement.settle(batch=closed, rule="majority", by=alice)


def test_who_passes_is_granted_at_the_end_by_a_rule_that_acts(study, bob, acting):
    batch = training_batch(study, "pimp", asked=acting)
    train(batch, bob, "rrr")
    assert training.conclude(batch=batch, by=bob) is None
    train(batch, bob, "r")

    decided = training.conclude(batch=batch, by=bob)

    assert (decided.state, decided.by, decided.evidence["batch_name"]) == (
        "granted",
        None,
        "training",
    )
    assert queries.result(batch, bob).ending == Ending.HELD
    assert training.conclude(batch=batch, by=bob) is None
    assert Standing.objects.count() == 1


def test_who_fails_has_the_next_training_and_is_judged_by_it_alone(study, bob, acting):
    first = training_batch(study, "pimp", asked=acting)
    second = training_batch(study, "mpip", asked=acting, name="second")
    with pytest.raises(NothingToClaimError, match="another training for trusted comes before"):
        claims.claim(batch=second, by=bob)
    train(first, bob, "wwww")

    assert training.conclude(batch=first, by=bob).state == "failed"
    result = queries.result(first, bob)

    assert (result.n, result.n_right) == (4, 0)
    assert (result.ending, result.following) == (Ending.AGAIN, second)
    train(second, bob, "rrrr")
    assert training.conclude(batch=second, by=bob).state == "granted"


def test_attempts_end_where_the_rule_ends_them(study, bob, acting):
    trainings = [
        training_batch(study, "pimp", asked=acting, name=name) for name in ("one", "two", "three")
    ]
    for each in trainings[:2]:
        train(each, bob, "wwww")
        training.conclude(batch=each, by=bob)

    result = queries.result(trainings[1], bob)

    assert (result.ending, result.following) == (Ending.FAILED, None)
    with pytest.raises(NothingToClaimError, match="used up the attempts"):
        claims.claim(batch=trainings[2], by=bob)
    assert annotator_progress.desk_progress(trainings[2], bob, NOW).n_left == 0


def test_an_attempt_that_says_too_little_is_used_all_the_same(study, bob):
    """Three of four: neither bound decides. With two attempts used, that is failing."""
    asked = qualification(study, min_answers=4, accuracy=0.6, attempts=2, acts=True)
    first, second = (training_batch(study, "pimp", asked=asked, name=name) for name in "ab")
    train(first, bob, "rrrw")
    assert training.conclude(batch=first, by=bob) is None
    assert queries.result(first, bob).ending == Ending.AGAIN

    train(second, bob, "rrrw")

    assert training.conclude(batch=second, by=bob).reason.startswith(
        "answers and attempts are used up"
    )


def test_more_is_needed_where_an_attempt_is_left_and_no_training(study, bob, acting):
    batch = training_batch(study, "pimp", asked=acting)
    train(batch, bob, "rrrw")

    assert queries.result(batch, bob).ending == Ending.MORE


def test_a_training_is_finished_before_the_next_attempt_begins(study, bob, acting):
    first, second = (training_batch(study, "pimp", asked=acting, name=name) for name in "ab")
    train(first, bob, "w")

    with pytest.raises(NothingToClaimError, match="has not finished the training a"):
        claims.claim(batch=second, by=bob)


@pytest.mark.parametrize("kind", ["rule that suggests", "group"])
def test_otherwise_an_organiser_decides(study, bob, kind):
    asked = group(study) if kind == "group" else qualification(study, min_answers=4, accuracy=0.6)
    batch = training_batch(study, "pimp", asked=asked)
    train(batch, bob, "rrrr")

    assert training.conclude(batch=batch, by=bob) is None
    assert queries.result(batch, bob).ending == Ending.UNDECIDED
    assert not Standing.objects.exists()


def test_the_organiser_sees_what_the_rule_says_and_can_apply_it(study, bob, acting):
    batch = training_batch(study, "pimp", asked=acting)
    train(batch, bob, "rrrr")

    line = standings.line_of(acting, batch, bob)

    assert line.outcome.decision.value == "granted"
    assert line.is_new


def test_an_item_taken_out_is_not_waited_for(study, alice, bob, acting):
    batch = training_batch(study, "pimpp", asked=acting)
    train(batch, bob, "rrrr")
    key = Key.objects.get(item__position=max(batch.items.values_list("position", flat=True)))

    controls.take_out(key=key, reason="wrong key", by=alice)

    assert training.conclude(batch=batch, by=bob).state == "granted"
    assert not Assignment.objects.filter(item=key.item_id).exists()


def test_a_training_of_which_all_items_were_taken_out_stands_in_nobodys_way(
    study, alice, bob, acting
):
    first = training_batch(study, "pi", asked=acting)
    second = training_batch(study, "mp", asked=acting, name="second")
    train(first, bob, "w")
    for key in Key.objects.filter(item__batch=first):
        controls.take_out(key=key, reason="wrong key", by=alice)

    assert training.conclude(batch=first, by=bob) is None
    assert claims.claim(batch=second, by=bob)
    batches.close(batch=first, by=alice)
    assert queries.why_not_begin(second, bob) == ""


def test_a_withdrawn_training_decides_nothing_and_is_no_attempt(study, alice, bob, acting):
    trainings = [
        training_batch(study, "pimp", asked=acting, name=name) for name in ("one", "two", "three")
    ]
    train(trainings[0], bob, "wwww")
    withdraw(trainings[0], alice)

    assert training.conclude(batch=trainings[0], by=bob) is None

    train(trainings[1], bob, "wwww")
    training.conclude(batch=trainings[1], by=bob)
    withdraw(trainings[1], alice)
    train(trainings[2], bob, "rrrr")
    assert training.conclude(batch=trainings[2], by=bob).state == "granted"


def withdraw(batch, by):
    batches.close(batch=batch, by=by)
    Batch.objects.filter(pk=batch.pk).update(is_withdrawn=True)


def test_what_the_rule_decided_of_a_training_is_decided_once(study, bob, acting):
    trainings = [training_batch(study, "pimp", asked=acting, name=name) for name in ("one", "two")]
    for each in trainings:
        train(each, bob, "wwww")
        assert training.conclude(batch=each, by=bob).state == "failed"

    for each in trainings:
        assert training.conclude(batch=each, by=bob) is None
    assert Standing.objects.count() == 2


def test_how_far_somebody_is_counts_each_item_of_a_training_once(study, bob):
    batch = training_batch(study, "pim")
    train(batch, bob, "rr")

    (line,) = batch_workers.workers(
        batch, batch_workers.members_at_work(batch), 3, batch_workers.activity_by_person(batch)
    )

    assert (line.n_judged, line.n_most) == (2, 3)
