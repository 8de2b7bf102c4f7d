"""What is promised of repeats: annotation/actions/repeats.py, and their handing out in hidden_claims.py."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import Role, RoleGrant, User
from annotation.actions import (
    batches,
    claims,
    controls,
    desk_sync,
    hidden_claims,
    judgements,
    pauses,
    qualifications,
    repeats,
    reviews,
)
from annotation.actions.batches import BatchError
from annotation.actions.claims import NothingToClaimError
from annotation.design.control_draws import GAP, Place
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    Item,
    Judgement,
    Qualification,
    Verdict,
)
from annotation.models.items import FIRST_REPEAT
from annotation.queries import annotator_progress, feedback, own_repeats
from annotation.queries.question_places import question_places
from annotation.review_decisions import ReviewError
from tests.annotation.actions.test_control_claims import n_queries, statements
from tests.annotation.batches_with_controls import draft, full_pool, settled_batch, work
from tests.annotation.batches_with_repeats import label_of, repeating_batch, worked
from tests.annotation.desk import after, submit
from tests.conftest import member
from tests.parts import part

# After everything that worked() did.
LATER = 1000


@part
def batch(study, alice) -> Batch:
    return repeating_batch(study, alice)


@part
def fay(study, alice) -> User:
    return member(study, "fay", Role.ANNOTATOR, by=alice)


@part
def gus(study, alice) -> User:
    return member(study, "gus", Role.ANNOTATOR, by=alice)


def claimed(batch, by, seconds: float = LATER) -> Assignment:
    (assignment,) = claims.claim(batch=batch, by=by, n=1, now=after(seconds))
    return assignment


def a_repeat(batch, by, seconds: float = LATER) -> Assignment:
    """The first repeat that the person is handed; what comes before is judged."""
    while True:
        assignment = claimed(batch, by, seconds)
        if assignment.item.repeats_id:
            return assignment
        submit(assignment, now=after(seconds))


# Which items come again


def test_items_come_again_after_fifty_others_and_each_once(study, alice, fay):
    batch = repeating_batch(study, alice, n=75, prefetch_depth=1)

    judged = work(batch, fay)

    at = {each.item_id: number for number, each in enumerate(judged)}
    gaps = [
        number - at[each.item.repeats_id]
        for number, each in enumerate(judged)
        if each.item.repeats_id
    ]
    assert len(gaps) > 2  # every second of at least 24 claims, on average
    assert min(gaps) > GAP
    assert len(at) == len(judged) == 75 + len(gaps)


def test_they_come_at_the_same_places_however_many_items_are_fetched_ahead(study, alice, fay, gus):
    batch = repeating_batch(study, alice, prefetch_depth=12)
    worked(batch, fay, 70)
    ahead = claims.claim(batch=batch, by=fay, n=12, now=after(LATER))
    kinds = [bool(each.item.repeats_id) for each in ahead]
    held = claims.claim(batch=batch, by=fay, n=12, now=after(LATER + 5))
    assert [each.pk for each in held] == [each.pk for each in ahead]
    Assignment.objects.claimed().filter(annotator=fay).delete()
    Item.objects.filter(batch=batch, n_claimed=1).update(n_open=2, n_claimed=0)
    Cursor.objects.filter(annotator=fay).update(
        n_taken=70, n_controls=0, position=70, furthest=70, run_from=70
    )

    one_by_one = work(batch, fay, most=12)

    assert any(kinds)
    assert [bool(each.item.repeats_id) for each in one_by_one] == kinds


def usable(batch, person) -> set[int]:
    return {each.pk for each in own_repeats.own_items(batch, person.pk)}


def test_only_what_was_judged_before_the_last_fifty_is_old_enough(batch, fay):
    items = worked(batch, fay, 60)

    assert usable(batch, fay) == {each.pk for each in items[:10]}


def test_with_fewer_than_fifty_others_nothing_is(batch, fay):
    worked(batch, fay, 50)

    assert usable(batch, fay) == set()


def refuse(item, by):
    reviews.review(
        judgement=Judgement.objects.get(assignment__item=item),
        is_paid=True,
        is_counted=False,
        paid_reason="done",
        counted_reason="careless",
        by=by,
    )


def repeat_now(item, by):
    person = Assignment.objects.get(item=item).annotator
    again = repeats.repeats_of([item.pk], item)[item.pk]
    Assignment.objects.create(
        item=again, annotator=person, claimed_at=after(LATER), expires_at=after(LATER + 60)
    )


SPOILED = {
    "excluded": lambda item, by: reviews.exclude(item=item, reason="two answers", by=by),
    "not counted": refuse,
    "surplus": lambda item, by: Judgement.objects.filter(assignment__item=item).update(
        is_surplus=True
    ),
    "a control item or a repeat": lambda item, by: Item.objects.filter(pk=item.pk).update(
        n_wanted=None, n_open=0, n_counted=0
    ),
    "repeated already": repeat_now,
}


@pytest.mark.parametrize("name", SPOILED)
def test_an_item_is_not_repeated_that_is(batch, fay, alice, name):
    items = worked(batch, fay, 60)

    SPOILED[name](items[3], alice)

    assert usable(batch, fay) == {each.pk for each in items[:10]} - {items[3].pk}


def test_what_is_no_longer_judged_is_not_repeated_and_no_item_that_stands_between(batch, fay):
    items = worked(batch, fay, 60)
    taken_back = Assignment.objects.filter(item=items[3])
    taken_back.update(state=AssignmentState.WITHDRAWN, submitted_at=None)

    assert usable(batch, fay) == {each.pk for each in items[:10]} - {items[3].pk}


def test_nothing_is_repeated_that_another_person_or_another_batch_has(batch, fay, gus):
    worked(batch, gus, 60)

    assert usable(batch, fay) == set()


# One cannot be told


def test_a_repeat_shows_what_its_original_shows(study, alice, fay):
    batch = batches.launch(
        batch=draft(
            full_pool(study, n=30, each=3),
            alice,
            control_every=None,
            repeat_every=2,
            prefetch_depth=5,
        ),
        by=alice,
    )
    worked(batch, fay, 60)
    before = question_places(batch, list(Item.objects.filter(batch=batch)))

    again = a_repeat(batch, fay).item
    original = again.repeats

    assert original is not None
    assert (again.payload, again.payload_sha256) == (original.payload, original.payload_sha256)
    assert again.turn_id == original.turn_id
    assert len(str(again.public_id)) == len(str(original.public_id))
    places = question_places(batch, list(Item.objects.filter(batch=batch)))
    assert places.pop(again.pk) == before[original.pk] != ""
    assert places == before


def test_a_repeat_comes_from_the_item_that_its_original_came_from(batch):
    source, original = Item.objects.filter(batch=batch)[:2]
    Item.objects.filter(pk=original.pk).update(came_from=source)

    (made,) = repeats.repeats_of([original.pk], source).values()

    assert made.came_from == source


def test_a_repeat_does_not_come_beside_another_item_of_its_question(batch, fay, alice):
    *others, only = worked(batch, fay, 56)[:6]
    for each in others:
        reviews.exclude(item=each, reason="odd", by=alice)
    cursor = Cursor.objects.get(annotator=fay)
    draws = own_repeats.draws_of(batch, fay.pk)
    drawn = next(k for k in range(1, 200) if draws.is_drawn(k))

    def taken(before: int | None, after: int) -> object:
        place = Place(drawn - 1, before, 0, is_grouped=False)
        return hidden_claims._Repeats(cursor, only).taken(place, after)

    assert taken(None, only.turn_id) is None
    assert taken(only.turn_id, -1) is None
    assert taken(None, -1).pk == only.pk


def with_values(asked: list[str]) -> tuple[str, ...]:
    """The statements, in which NULL is a value too: the row that is not taken repeats nothing."""
    return tuple(each.replace("NULL", "?") for each in asked)


def test_a_repeat_is_handed_out_and_judged_by_the_same_statements_as_another(batch, fay):
    """Else the time that an answer takes would tell."""
    worked(batch, fay)
    seen: dict[bool, set[tuple[str, ...]]] = {False: set(), True: set()}
    now = after(LATER)
    claimed(batch, fay)

    for _ in range(14):
        held = claimed(batch, fay)
        judged = statements(lambda a=held: submit(a, now=now))
        handed = statements(lambda: claims.claim(batch=batch, by=fay, n=1, now=now))
        seen[bool(held.item.repeats_id)].add(with_values(judged))
        seen[bool(claimed(batch, fay).item.repeats_id)].add(with_values(handed))

    assert seen[True] == seen[False]
    assert len(seen[True]) == 2


def test_the_desk_asks_four_queries_more_in_such_a_batch_and_none_elsewhere(study, alice, fay):
    plain = repeating_batch(study, alice, name="plain", repeat_every=None)
    repeating = repeating_batch(study, alice)
    counts: dict[int, dict[str, set[int]]] = {}
    now = timezone.now()
    for batch in (plain, repeating):
        worked(batch, fay)
        found = counts[batch.pk] = {"claim": set(), "judge": set(), "progress": set()}
        for _ in range(8):
            synced = []
            found["claim"].add(
                n_queries(
                    lambda b=batch, s=synced: s.append(
                        desk_sync.sync(batch=b, by=fay, sent=[], n_more=1, now=now)
                    )
                )
            )
            (assignment,) = (*synced[0].handed_before, *synced[0].new)
            found["judge"].add(n_queries(lambda a=assignment: submit(a, now=now)))
            found["progress"].add(
                n_queries(lambda b=batch: annotator_progress.desk_progress(b, fay, now))
            )
    most, more = (
        {kind: max(found) for kind, found in counts[each.pk].items()} for each in (plain, repeating)
    )
    assert more["claim"] == most["claim"] + 4
    assert more["judge"] == most["judge"]
    assert more["progress"] == most["progress"]


def test_the_number_of_items_falls_by_one_with_each_whatever_it_is(study, alice, fay):
    source = settled_batch(study, [alice, member(study, "ben", Role.ANNOTATOR, by=alice)], alice)
    batch = repeating_batch(study, alice, control_every=4)
    controls.add_from_batch(batch=batch, source=source, n=20, seed=1, by=alice)
    worked(batch, fay, 65)
    now = after(LATER)
    seen, kinds = [], set()
    while True:
        ahead = annotator_progress.desk_progress(batch, fay, now)
        listed = annotator_progress.progress_by_batch([batch], fay, now)[batch.pk]
        assert (listed.n_done, listed.n_left) == (ahead.n_done, ahead.n_left)
        seen.append((ahead.n_done, ahead.n_left))
        handed = claims.claim(batch=batch, by=fay, n=1, now=now)
        if not handed:
            break
        item = handed[0].item
        kinds.add("repeat" if item.repeats_id else "control" if item.n_wanted is None else "item")
        submit(handed[0], "malformed", now=now)

    done, left = zip(*seen, strict=True)
    assert kinds == {"repeat", "control", "item"}
    assert list(done) == list(range(65, 65 + len(done)))
    assert list(left) == list(range(left[0], -1, -1))


# They are work as any other


def test_the_places_of_items_are_as_without_repeats(batch, fay):
    worked(batch, fay)
    work(batch, fay, most=20)

    for item in Item.objects.filter(batch=batch, repeats__isnull=False):
        assert (item.n_wanted, item.n_open, item.n_claimed, item.n_counted) == (None, 0, 0, 0)
    cursor = Cursor.objects.get(annotator=fay)
    again = Assignment.objects.filter(annotator=fay, item__repeats__isnull=False).count()
    assert cursor.n_controls == again > 0
    assert cursor.n_taken == 80


def test_a_share_of_the_items_is_one_without_repeats(study, alice, fay):
    batch = repeating_batch(study, alice, largest_share=0.8)
    worked(batch, fay)

    judged = work(batch, fay)

    assert sum(each.item.repeats_id is None for each in judged) == 0.8 * 90 - 60
    assert any(each.item.repeats_id for each in judged)


def test_one_whose_time_ran_out_comes_back_and_is_taken_late(batch, fay):
    worked(batch, fay)
    again = a_repeat(batch, fay)
    late = LATER + batch.claim_seconds + 60

    claims.expire_lapsed(batch=batch, now=after(late))
    assert claimed(batch, fay, late) == again
    claims.expire_lapsed(batch=batch, now=after(2 * late))
    judgement = submit(Assignment.objects.get(pk=again.pk), now=after(2 * late))
    assert not judgement.is_surplus


def test_one_is_taken_back_and_skipped_as_any_item_and_never_comes_again(batch, fay):
    worked(batch, fay)
    again = a_repeat(batch, fay)
    judgement = submit(again, now=after(LATER))

    back = judgements.take_back(judgement=judgement, by=fay, now=after(LATER + 1))
    judgements.skip(assignment=back, reason="unclear", by=fay)

    assert Assignment.objects.get(pk=back.pk).state == AssignmentState.SKIPPED
    assert again.item_id not in {each.item_id for each in work(batch, fay)}
    assert again.item.repeats_id not in usable(batch, fay)


def test_people_share_the_repeat_of_an_item(batch, fay, gus):
    for person in (fay, gus):
        worked(batch, person)
        work(batch, person)

    again = Item.objects.filter(batch=batch, repeats__isnull=False)
    taken = Assignment.objects.filter(item__in=again)
    assert again.count() < taken.count()
    assert {each.position - FIRST_REPEAT for each in again} == {
        each.repeats.position for each in again
    }


def test_one_that_another_person_made_in_this_moment_is_taken(batch, fay):
    """The insert of a second one is left out, and the first is found."""
    items = worked(batch, fay)

    first = repeats.repeats_of([items[0].pk], items[5])
    second = repeats.repeats_of([items[1].pk, items[0].pk], items[5])

    assert second[items[0].pk] == first[items[0].pk]
    assert second.keys() == {items[0].pk, items[1].pk}
    assert repeats.repeats_of([], items[5]) == {}
    assert Item.objects.filter(batch=batch, n_wanted=None).count() == 2


def test_a_repeat_has_no_places_in_the_database(batch, fay):
    items = worked(batch, fay)
    again = repeats.repeats_of([items[0].pk], items[5])[items[0].pk]

    with pytest.raises(IntegrityError, match="repeat_has_no_places"):
        Item.objects.filter(pk=again.pk).update(n_wanted=1)


# What happens to people, items and batches in the midst


def test_a_person_who_is_paused_or_whose_batch_is_closed_gets_none_and_none_is_made(
    study, alice, batch, fay, gus
):
    worked(batch, fay)
    worked(batch, gus)
    pauses.pause(batch=batch, annotator=fay, reason="wait", by=alice)
    with pytest.raises(NothingToClaimError):
        claimed(batch, fay)
    batches.close(batch=batch, by=alice)
    with pytest.raises(NothingToClaimError):
        claimed(batch, gus)

    assert not Item.objects.filter(batch=batch, repeats__isnull=False).exists()


def test_a_person_whose_qualification_is_revoked_gives_back_what_they_hold(
    study, alice, batch, fay
):
    trusted = qualifications.create(study=study, name="trusted", rule={}, by=alice)
    Batch.objects.filter(pk=batch.pk).update(qualification=trusted)
    asked = Qualification.objects.get(pk=trusted.pk)
    qualifications.grant(qualification=asked, people=[fay], reason="good", by=alice)
    worked(batch, fay)
    held = a_repeat(batch, fay)
    n_made = Item.objects.filter(batch=batch, n_wanted=None).count()

    qualifications.revoke(qualification=asked, people=[fay], reason="careless", by=alice)

    held.refresh_from_db()
    assert held.state == AssignmentState.EXPIRED
    with pytest.raises(NothingToClaimError):
        claimed(batch, fay, LATER + 10)
    assert Item.objects.filter(batch=batch, n_wanted=None).count() == n_made
    late = submit(held, now=after(LATER + 20))
    assert late.is_surplus


def test_a_repeat_is_excluded_and_readmitted_with_its_original_and_not_alone(batch, fay, alice):
    worked(batch, fay)
    held = a_repeat(batch, fay)
    again, original = held.item, held.item.repeats

    with pytest.raises(ReviewError, match="is a repeat of"):
        reviews.exclude(item=again, reason="odd", by=alice)
    reviews.exclude(item=original, reason="odd", by=alice)
    again.refresh_from_db()
    assert again.is_excluded
    claims.expire_all(batch=batch)
    assert again not in {each.item for each in claims.claim(batch=batch, by=fay, n=5)}
    reviews.readmit(item=original, reason="it was right", by=alice)
    again.refresh_from_db()
    assert not again.is_excluded


def test_a_repeat_that_is_made_while_its_original_is_excluded_is_excluded(batch, fay, alice):
    items = worked(batch, fay)

    reviews.exclude(item=items[0], reason="odd", by=alice)

    assert repeats.repeats_of([items[0].pk], items[5])[items[0].pk].is_excluded


def test_who_judged_the_original_reviews_nobody_s_judgement_of_its_repeat(
    study, alice, batch, fay, gus
):
    worked(batch, fay)
    worked(batch, gus)
    judgement = submit(a_repeat(batch, gus), now=after(LATER))
    membership = study.memberships.get(user=fay)
    RoleGrant.objects.create(membership=membership, role=Role.ADJUDICATOR, granted_by=alice)

    with pytest.raises(ReviewError, match="nobody reviews their own"):
        reviews.review(
            judgement=judgement,
            is_paid=True,
            is_counted=True,
            paid_reason="",
            counted_reason="",
            by=fay,
        )


def test_a_held_repeat_of_an_excluded_item_can_be_judged(batch, fay, alice):
    worked(batch, fay)
    held = a_repeat(batch, fay)

    reviews.exclude(item=held.item.repeats, reason="odd", by=alice)

    assert submit(held, now=after(LATER)).pk


def test_nobody_decides_a_repeat_or_asks_for_more_judgements_of_it(batch, fay, alice, carol):
    worked(batch, fay)
    again = a_repeat(batch, fay).item

    with pytest.raises(ReviewError, match="is a repeat: it has no places"):
        reviews.ask_again(item=again, by=alice)
    Batch.objects.filter(pk=batch.pk).update(
        state=BatchState.CLOSED, closed_at=timezone.now(), closed_by=alice
    )
    with pytest.raises(ReviewError, match="is a repeat: it has no verdict"):
        reviews.adjudicate(item=again, label="plausible", reason="sure", by=carol)


def test_feedback_holds_a_repeat_against_what_became_of_its_original(batch, fay, alice):
    worked(batch, fay)
    held = a_repeat(batch, fay)
    original = held.item.repeats
    submit(held, "malformed", now=after(LATER))
    Verdict.objects.create(
        item=original,
        state="decided",
        label="plausible",
        source="consensus",
        rule="majority",
        decided_at=after(LATER),
        decided_by=alice,
    )

    found = feedback.feedback_for(batch, fay)

    assert found.n == 2


# Where there are none


def test_a_batch_without_them_hands_out_none(study, alice, fay):
    batch = repeating_batch(study, alice, repeat_every=None)
    worked(batch, fay)

    assert not any(each.item.repeats_id for each in work(batch, fay))


def test_a_rehearsal_has_none():
    assert not Batch(repeat_every=2, is_rehearsal=True).has_repeats
    assert Batch(repeat_every=2).has_repeats


@pytest.mark.parametrize("every", [1, 0, 1001])
def test_one_in_a_number_that_makes_no_sense_is_refused(study, alice, every):
    with pytest.raises(ValidationError, match="one item in 2 to 1000 is a repeat"):
        draft(full_pool(study, n=1), alice, repeat_every=every)


def test_training_and_schemes_without_one_label_have_none(study, alice):
    with pytest.raises(ValidationError, match="control items or repeats"):
        draft(full_pool(study, n=1), alice, purpose="training", control_every=None, repeat_every=5)
    sheet = Batch(name="rated", scheme="rating", repeat_every=5)
    assert "the scheme rating has no repeats" in own_repeats.objection(sheet)
    with pytest.raises(BatchError, match="has no repeats"):
        batches.require_askable(sheet)


def test_first_labels_are_those_of_worked(batch, fay):
    items = worked(batch, fay, 3)

    given = Judgement.objects.filter(assignment__item__in=items).order_by("submitted_at")
    assert [each.response["plausibility"] for each in given] == [label_of(k) for k in range(3)]
