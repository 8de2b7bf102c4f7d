"""What is promised of reserved items: annotation/actions/reservations.py, reassignments.py and reserved_items.py."""

import uuid

import pytest
from django.db import connection
from django.db.models import Count, Q
from django.test.utils import CaptureQueriesContext

from accounts.models import Role
from annotation.actions import (
    batches,
    claims,
    desk_sync,
    judgements,
    open_batches,
    pauses,
    reassignments,
    rehearsals,
    reservations,
    reviews,
    study_pauses,
)
from annotation.actions.batches import BatchError
from annotation.actions.rehearsals import RehearsalError
from annotation.actions.reserved_places import ReservationError
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item, Reservation
from annotation.queries import annotator_progress, completion
from annotation.queries import reservations as queries
from annotation.reserved_items_csv import of_values
from audit.models import Event
from corpus.problems import ImportProblems, Report
from tests.annotation.desk import NOW, after, submit
from tests.annotation.trust import grant, open_batch, qualification, revoke
from tests.conftest import member


@pytest.fixture
def batch(study, bob, dora) -> Batch:
    return open_batch(study, None, n_items=6, prefetch_depth=50)


def items(batch, *positions: int) -> list[Item]:
    found = {item.position: item for item in batch.items.all()}
    return [found[position] for position in positions]


def reserve(batch, person, *positions: int):
    names = [str(item.public_id) for item in items(batch, *positions)]
    report = Report("list", "row")
    rows = of_values(names, [], report)
    by = batch.study.created_by
    return reservations.reserve_named(batch=batch, person=person, rows=rows, report=report, by=by)


def reassign(batch, *people, to=None, **more):
    by, now = batch.study.created_by, more.pop("now", NOW)
    return reassignments.reassign(
        batch=batch, people=people, to=to, reason=more.pop("reason", "away"), by=by, now=now, **more
    )


def positions(assignments) -> list[int]:
    return [each.item.position for each in assignments]


def claim(batch, person, n=1, now=NOW):
    return claims.claim(batch=batch, by=person, n=n, now=now)


def assert_places_match(batch) -> None:
    """Every place that is kept belongs to one reservation that is left and not on a desk."""
    left = (
        Reservation.objects.left()
        .filter(batch=batch)
        .exclude(
            Q(work__isnull=False, work=AssignmentState.CLAIMED),
            item__assignments__in=Assignment.objects.claimed().filter(is_reserved=True),
        )
    )
    kept = dict(left.order_by().values_list("item").annotate(n=Count("pk")))
    for item in batch.items.real():
        assert item.n_reserved == kept.get(item.pk, 0), item.position
        assert item.n_asked <= item.n_wanted
    for cursor in Cursor.objects.filter(batch=batch):
        own = Reservation.objects.filter(batch=batch, annotator=cursor.annotator)
        assert cursor.n_waiting == own.waiting().count()
        assert cursor.n_part == own.standing().count()


def test_reserved_items_come_first_in_order_and_then_the_others(batch, bob):
    reserve(batch, bob, 5, 3)

    assert positions(claim(batch, bob, 4)) == [3, 5, 1, 2]
    assert_places_match(batch)


def test_of_an_item_with_another_open_place_one_is_handed_out(batch, bob, dora):
    """The other place is for others, also where the rest of what is asked for lies beside it."""
    reserve(batch, bob, 2)

    handed = claim(batch, bob, 3)

    assert positions(handed) == [2, 1, 3]
    assert items(batch, 2)[0].n_open == 1
    assert_places_match(batch)


def test_a_reserved_place_is_handed_to_nobody_else(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1, 2, 3)

    assert positions(claim(batch, dora, 6)) == [4, 5, 6]
    assert positions(claim(batch, bob, 6)) == [1, 2, 3]


def test_the_other_places_of_an_item_are_for_others(batch, bob, dora):
    reserve(batch, bob, 1)

    assert positions(claim(batch, dora, 1)) == [1]
    assert Item.objects.get(batch=batch, position=1).n_open == 0
    assert positions(claim(batch, bob, 1)) == [1]


def test_a_lapsed_claim_comes_back_to_its_owner_and_not_to_others(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1)
    claim(batch, bob)
    later = after(batch.claim_seconds + 60)

    assert positions(claim(batch, dora, 6, later)) == [2, 3, 4, 5, 6]
    assert_places_match(batch)
    assert positions(claim(batch, bob, 1, later)) == [1]


def test_what_is_sent_late_is_counted_while_the_place_is_kept(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1)
    (held,) = claim(batch, bob)
    later = after(batch.claim_seconds + 60)
    claim(batch, dora, 1, later)

    judgement = submit(held, now=after(batch.claim_seconds + 90))

    assert not judgement.is_surplus
    assert_places_match(batch)


def test_who_judges_their_part_late_and_is_paused_leaves_no_place_behind(batch, bob, dora, alice):
    reserve(batch, bob, 1)
    (held,) = claim(batch, bob)
    claims.expire_all(batch=batch)
    study_pauses.pause(study=batch.study, annotator=bob, reason="r", by=alice)

    assert submit(held, now=after(60)).is_surplus
    assert_places_match(batch)
    assert Item.objects.get(pk=held.item_id).n_open == 2


def test_a_skipped_item_is_open_to_others(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1)
    (held,) = claim(batch, bob)

    judgements.skip(assignment=held, reason="", by=bob, choice="")

    assert positions(claim(batch, dora)) == [1]
    assert_places_match(batch)
    (line,) = queries.parts(batch)
    assert (line.part.n, line.part.n_skipped, line.part.n_to_judge) == (1, 1, 0)


def test_a_judgement_that_is_taken_back_is_still_of_the_part(batch, bob):
    reserve(batch, bob, 1)
    (held,) = claim(batch, bob)
    judgements.take_back(judgement=submit(held, now=after(5)), by=bob, now=after(6))

    claims.expire_all(batch=batch)

    assert_places_match(batch)
    assert Item.objects.get(pk=held.item_id).n_reserved == 1


def test_an_expired_claim_is_reserved_and_comes_back(batch, bob, dora):
    claim(batch, bob)
    claims.expire_all(batch=batch)

    reserve(batch, bob, 1, 2)

    assert_places_match(batch)
    assert positions(claim(batch, bob, 2)) == [1, 2]
    assert_places_match(batch)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda b, bob: submit(claim(b, bob)[0], now=after(5)), "was judged by bob already"),
        (lambda b, bob: claim(b, bob), "is on the desk of bob now"),
        (lambda b, bob: b.items.filter(position=1).update(n_open=0), "has no free place"),
        (lambda b, bob: b.items.filter(position=1).update(is_excluded=True), "is excluded"),
        (lambda b, bob: reserve(b, bob, 1), "is reserved for bob already"),
    ],
)
def test_nothing_is_reserved_if_one_item_cannot_be(batch, bob, make, why):
    make(batch, bob)
    before = Reservation.objects.count()

    with pytest.raises(ImportProblems, match=f"list: row 2: item: .*{why}"):
        reserve(batch, bob, 2, 1)

    assert Reservation.objects.count() == before
    assert Item.objects.get(batch=batch, position=2).n_reserved == 0


def test_unknown_and_repeated_names_are_listed_with_their_row(batch, bob):
    report, name = Report("f.csv", "row"), str(items(batch, 1)[0].public_id)
    unknown = str(uuid.uuid4())
    rows = of_values([name, unknown], ["9_9"], report)

    with pytest.raises(ImportProblems) as raised:
        reservations.reserve_named(
            batch=batch, person=bob, rows=rows, report=report, by=batch.study.created_by
        )

    lines = str(raised.value).splitlines()
    assert lines == [
        f'f.csv: row 1: turn: "9_9" is no question of the batch {batch.name}',
        f'f.csv: row 2: item: "{unknown}" is no item of the batch {batch.name}',
    ]


def test_no_more_places_are_reserved_than_wanted(batch, bob, dora, fay_and_gus):
    fay, _ = fay_and_gus
    reserve(batch, bob, 1)
    reserve(batch, dora, 1)

    with pytest.raises(
        ImportProblems, match=r"has no free place: of 2 wanted .* 2 of them reserved"
    ):
        reserve(batch, fay, 1)


@pytest.fixture
def fay_and_gus(study, alice):
    return [member(study, name, Role.ANNOTATOR, by=alice) for name in ("fay", "gus")]


def test_all_items_of_a_question(batch, bob):
    turn = items(batch, 2)[0].turn
    report = Report("f.csv", "row")
    rows = of_values([], [turn.key], report)

    made = reservations.reserve_named(
        batch=batch, person=bob, rows=rows, report=report, by=batch.study.created_by
    )

    own = set(Reservation.objects.values_list("item__turn", flat=True))
    assert own == {turn.pk}
    assert made.n_items == batch.items.filter(turn=turn).count()


def test_a_draw_depends_on_its_seed_alone(batch, bob, dora):
    by = batch.study.created_by

    def drawn(seed):
        reservations.reserve_drawn(batch=batch, person=bob, share=0.5, seed=seed, by=by)
        own = list(Reservation.objects.standing().values_list("item__position", flat=True))
        reassign(batch, bob)
        return own

    first = drawn(1)
    assert len(first) == 3
    assert first == sorted(first)
    assert drawn(1) == first
    assert {tuple(drawn(seed)) for seed in range(6)} != {tuple(first)}


def test_a_draw_of_more_than_is_free_reserves_nothing(batch, bob):
    by = batch.study.created_by
    submit(claim(batch, bob)[0], now=after(5))

    with pytest.raises(ReservationError, match="6 items are asked for, and 5 of"):
        reservations.reserve_drawn(batch=batch, person=bob, n=6, by=by)

    assert not Reservation.objects.exists()


def test_a_share_that_is_a_whole_number_of_items_is_that_many(study, bob, dora):
    hundred = open_batch(study, None, n_items=100, name="hundred")

    drawn = reservations.reserve_drawn(batch=hundred, person=bob, by=study.created_by, share=0.07)

    assert drawn.n_items == 7


@pytest.mark.parametrize("share", [0, -0.2, 1.5, None])
def test_a_share_is_above_0_and_at_most_1(batch, bob, share):
    with pytest.raises(ReservationError):
        reservations.reserve_drawn(batch=batch, person=bob, share=share, by=batch.study.created_by)


def test_who_is_handed_nothing_gets_nothing_reserved(study, batch, bob, dora, alice):
    trusted = qualification(study)
    asks = open_batch(study, trusted, name="full")
    pauses.pause(batch=batch, annotator=bob, reason="r", by=alice)

    with pytest.raises(ReservationError, match="bob does not hold the qualification trusted"):
        reserve(asks, bob, 1)
    with pytest.raises(ReservationError, match="bob is paused in the batch"):
        reserve(batch, bob, 1)
    with pytest.raises(ReservationError, match="alice does not annotate in the study"):
        reserve(batch, alice, 1)


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_of_a_batch_that_is_not_open_nothing_is_reserved(batch, bob, state):
    ends = {"closed_at": NOW, "closed_by": batch.study.created_by} if state == "closed" else {}
    Batch.objects.filter(pk=batch.pk).update(state=state, **ends)

    with pytest.raises(BatchError, match=f"is {state}, not open or paused"):
        reserve(batch, bob, 1)


def test_a_part_is_no_larger_than_the_largest_share_of_one_person(batch, bob):
    Batch.objects.filter(pk=batch.pk).update(most_per_person=3)
    submit(claim(batch, bob)[0], now=after(5))

    with pytest.raises(ReservationError, match=r"3 items of .* at most, and bob has 1: 3 more"):
        reserve(batch, bob, 2, 3, 4)
    reserve(batch, bob, 5, 6)

    assert positions(claim(batch, bob, 6)) == [5, 6]


def test_what_goes_to_somebody_else_is_within_their_share_too(batch, bob, dora):
    Batch.objects.filter(pk=batch.pk).update(most_per_person=3)
    batch.refresh_from_db()
    reserve(batch, bob, 1, 2, 3)
    reserve(batch, dora, 4, 5)

    with pytest.raises(ReservationError, match="dora has 2: 3 more are too many"):
        reassign(batch, bob, to=dora)


def test_an_expired_claim_that_is_reserved_counts_once_in_the_share(batch, bob):
    Batch.objects.filter(pk=batch.pk).update(most_per_person=1)
    batch.refresh_from_db()
    (held,) = claim(batch, bob)
    claims.expire_all(batch=batch)

    assert reserve(batch, bob, held.item.position).n_items == 1


def test_a_batch_of_which_something_is_reserved_is_not_rehearsed(batch, bob):
    reserve(batch, bob, 1)

    with pytest.raises(RehearsalError, match="are reserved for people"):
        rehearsals.rehearse(
            batch=batch, by=batch.study.created_by, n_annotators=3, accuracy=0.9, seed=1
        )


def test_what_is_sent_late_to_a_closed_batch_leaves_no_place_behind(batch, bob, dora):
    reserve(batch, bob, 1)
    (held,) = claim(batch, bob)
    batches.close(batch=batch, by=batch.study.created_by)
    held.refresh_from_db()

    late = submit(held, now=after(batch.claim_seconds + 60))

    assert late.is_surplus
    assert (items(batch, 1)[0].n_reserved, items(batch, 1)[0].n_open) == (0, 2)
    assert_places_match(batch)


def test_what_is_left_goes_to_somebody_else(batch, bob, dora):
    reserve(batch, bob, 1, 2, 3, 4)
    submit(claim(batch, bob)[0], now=after(5))
    claim(batch, bob)

    done = reassign(batch, bob, to=dora)

    assert (done.n_items, done.n_held) == (2, 1)
    assert_places_match(batch)
    assert positions(claim(batch, dora, 2)) == [3, 4]
    by_name = {line.user.username: line.part for line in queries.parts(batch)}
    assert (by_name["bob"].n, by_name["bob"].n_judged, by_name["bob"].n_held) == (2, 1, 1)
    ended = Reservation.objects.exclude(ended_at=None)
    assert [(each.item.position, each.end_reason) for each in ended] == [(3, "away"), (4, "away")]
    event = Event.objects.get(verb="reassigned items of")
    assert event.details == {"annotator": "bob", "taker": "dora", "n_items": 2, "reason": "away"}


def test_what_is_left_is_released_to_everybody(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1, 2)
    reserve(batch, dora, 3)

    reassign(batch, bob, dora)

    assert_places_match(batch)
    assert set(batch.items.values_list("n_open", "n_reserved")) == {(1, 0)}
    assert positions(claim(batch, dora, 6)) == [1, 2, 3, 4, 5, 6]


def test_two_reservations_of_an_item_are_released_at_once(batch, bob, dora):
    reserve(batch, bob, 1)
    reserve(batch, dora, 1, 2)

    reassign(batch, bob, dora)

    assert set(batch.items.values_list("n_open", "n_reserved")) == {(2, 0)}


def test_single_items_are_reassigned(batch, bob, dora):
    reserve(batch, bob, 1, 2, 3)

    reassign(batch, bob, to=dora, items=[items(batch, 2)[0].public_id])

    assert positions(claim(batch, dora)) == [2]
    assert_places_match(batch)


def test_nothing_goes_to_somebody_who_judged_one_of_the_items(batch, bob, dora):
    reserve(batch, bob, 1, 2)
    submit(claim(batch, dora)[0], now=after(5))
    name = items(batch, 1)[0].public_id

    with pytest.raises(ReservationError, match=rf"1 item was judged by dora already: {name}"):
        reassign(batch, bob, to=dora)

    assert Reservation.objects.standing().filter(annotator=bob).count() == 2
    assert_places_match(batch)


def test_reassigning_says_what_is_wrong(batch, bob, dora):
    reserve(batch, bob, 1)
    unknown = uuid.uuid4()

    with pytest.raises(ReservationError, match=f"1 of the items named are not left .*{unknown}"):
        reassign(batch, bob, to=dora, items=[unknown])
    with pytest.raises(ReservationError, match="are those of bob already"):
        reassign(batch, bob, to=bob)
    with pytest.raises(ReservationError, match="nothing is left"):
        reassign(batch, dora)
    claim(batch, bob)
    with pytest.raises(ReservationError, match="nothing is left to reassign: 1 are on a desk"):
        reassign(batch, bob)
    with pytest.raises(ReservationError, match="1 item is on a desk now"):
        reassign(batch, bob, items=[items(batch, 1)[0].public_id])


def test_a_late_submission_after_reassigning_is_surplus(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1)
    (held,) = claim(batch, bob)
    claims.expire_all(batch=batch)

    reassign(batch, bob, to=dora)

    assert submit(held, now=after(60)).is_surplus
    assert_places_match(batch)
    assert positions(claim(batch, dora)) == [1]


def test_revoking_leaves_the_part_stuck_and_it_can_be_reassigned(study, bob, dora):
    trusted = qualification(study)
    grant(trusted, bob, dora)
    asks = open_batch(study, trusted, name="full")
    reserve(asks, bob, 1, 2)
    claim(asks, bob)

    revoke(trusted, bob)

    (line,) = queries.parts(asks)
    assert line.obstacle == "does not hold the qualification trusted"
    assert (line.is_stuck, queries.n_stuck(asks, queries.people_at_parts(asks))) == (True, 2)
    assert positions(claim(asks, dora)) == [1]  # the other place
    reassign(asks, bob)
    assert queries.n_stuck(asks, queries.people_at_parts(asks)) == 0
    assert_places_match(asks)


def test_an_excluded_item_waits_until_it_is_included_again(batch, bob, alice):
    reserve(batch, bob, 1, 2)
    (first,) = items(batch, 1)
    reviews.exclude(item=first, reason="r", by=alice)

    assert positions(claim(batch, bob)) == [2]
    submit(claim(batch, bob)[0], now=after(5))
    assert positions(claim(batch, bob)) == [3]
    reviews.readmit(item=first, reason="r", by=alice)
    assert positions(claim(batch, bob, 2))[-1] == 1


def test_the_person_is_told_how_far_they_are_in_their_part(batch, bob):
    reserve(batch, bob, 4, 5)
    before = annotator_progress.desk_progress(batch, bob, NOW)
    submit(claim(batch, bob)[0], now=after(5))

    at_desk = annotator_progress.desk_progress(batch, bob, NOW)

    assert (before.n_part, before.n_part_done, before.n_left) == (2, 0, 6)
    assert (at_desk.n_part, at_desk.n_part_done, at_desk.n_left) == (2, 1, 5)
    listed = annotator_progress.progress_by_batch([batch], bob, NOW)[batch.pk]
    assert (listed.n_part, listed.n_part_done, listed.n_left) == (2, 1, 5)


@pytest.mark.parametrize("hidden", ["control_every", "repeat_every"])
def test_in_a_batch_with_hidden_items_only_the_size_of_the_part_is_told(batch, bob, hidden):
    """A number that does not move would tell that the item judged was a control item or a repeat."""
    reserve(batch, bob, 4, 5)
    setattr(batch, hidden, 5)
    batch.save()

    told = annotator_progress.desk_progress(batch, bob, NOW)

    assert (told.n_part, told.n_part_done) == (2, None)


def test_the_share_left_counts_what_is_reserved_once(batch, bob):
    Batch.objects.filter(pk=batch.pk).update(most_per_person=3)
    batch.refresh_from_db()
    batch.items.filter(position__lte=2).update(n_wanted=1, n_open=1)
    reserve(batch, bob, 1, 2)

    at_desk = annotator_progress.desk_progress(batch, bob, NOW)
    listed = annotator_progress.progress_by_batch([batch], bob, NOW)[batch.pk]

    assert (at_desk.n_left, listed.n_left) == (3, 3)
    assert positions(claim(batch, bob, 6)) == [1, 2, 3]


def test_items_are_fetched_ahead_although_few_are_open_to_all(batch, bob, dora):
    batch.items.update(n_wanted=1, n_open=1)
    claim(batch, dora)
    reserve(batch, bob, 2, 3, 4, 5)

    synced = desk_sync.sync(batch=batch, by=bob, sent=[], n_more=6)

    assert positions(synced.new)[:4] == [2, 3, 4, 5]


def test_for_whom_an_item_is_reserved_fills_no_other_place_of_it(batch, bob, dora):
    assert completion.shortfall(batch) is None
    reserve(batch, bob, 1)

    assert completion.shortfall(batch) is None
    open_batches.raise_judgements(batch=batch, judgements_per_item=3, by=batch.study.created_by)

    found = completion.shortfall(Batch.objects.get(pk=batch.pk))
    assert found.n_missing == 6


def n_queries(act) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def test_a_claim_asks_no_query_more_where_nothing_is_reserved_for_the_person(batch, bob, dora):
    """And a constant number more, however many are reserved, where something is."""
    plain = open_batch(batch.study, None, n_items=6, name="plain", prefetch_depth=50)
    for each in (batch, plain):
        for person in (bob, dora):
            submit(claim(each, person)[0], now=after(5))
    reserve(batch, bob, 2, 3, 4, 5)
    desk_progress = annotator_progress.desk_progress
    counted = {
        name: (
            n_queries(lambda b=each, p=person: claim(b, p)),
            n_queries(lambda b=each, p=person: desk_progress(b, p, NOW)),
        )
        for name, each, person in (
            ("plain", plain, dora),
            ("others", batch, dora),
            ("one", batch, bob),
        )
    }
    submit(claim(batch, bob)[0], now=after(6))
    more = n_queries(lambda: claim(batch, bob, 3))

    assert counted["others"] == counted["plain"]
    assert counted["one"][0] == counted["plain"][0] + 2 == more
    assert counted["one"][1] <= counted["plain"][1] + 2
