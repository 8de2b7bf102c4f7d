"""What is promised of handing out control items: annotation/actions/hidden_claims.py."""

import re
from itertools import pairwise

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Role, User
from annotation.actions import claims, controls, desk_sync, judgements
from annotation.models import Assignment, AssignmentState, Batch, Cursor, Item, Key
from annotation.queries import annotator_progress, batch_workers, why_no_work
from annotation.queries.why_no_work import Reason
from tests.annotation.batches_with_controls import (
    are_controls,
    full_pool,
    open_batch,
    settled_batch,
    work,
)
from tests.annotation.desk import NOW, after, submit
from tests.conftest import member
from tests.parts import part


@part
def source(study, alice, bob, dora) -> Batch:
    return settled_batch(study, [bob, dora], alice)


@part
def batch(study, alice, source) -> Batch:
    return open_batch(full_pool(study), alice, source)


@part
def fay(study, alice) -> User:
    return member(study, "fay", Role.ANNOTATOR, by=alice)


def test_control_items_stand_among_the_items_and_every_item_is_judged(batch, fay):
    judged = work(batch, fay)

    kinds = are_controls(judged)
    assert sum(not kind for kind in kinds) == 30
    assert 5 <= sum(kinds) <= 20
    assert len({each.item_id for each in judged}) == len(judged)


def test_nobody_is_handed_what_they_judged_elsewhere(batch, bob):
    """Bob judged the settled batch, whose items are the control items."""
    assert not any(are_controls(work(batch, bob)))


def test_nobody_is_handed_two_items_of_a_question(batch, fay):
    turns = [each.item.turn_id for each in work(batch, fay)]

    assert len(set(turns)) == len(turns)


def test_items_fetched_ahead_come_in_the_same_order(study, batch, fay):
    ahead = claims.claim(batch=batch, by=fay, n=20, now=NOW)

    held = claims.claim(batch=batch, by=fay, n=20, now=after(5))
    assert [each.pk for each in held] == [each.pk for each in ahead]
    kinds = are_controls(ahead)
    assert any(kinds[:-1])
    Assignment.objects.filter(annotator=fay).delete()
    Cursor.objects.filter(annotator=fay).delete()
    Item.objects.real().filter(batch=batch).update(n_open=2, n_claimed=0)
    one_by_one = [each.item_id for each in work(batch, fay, most=20)]
    assert one_by_one == [each.item_id for each in ahead]


def test_where_items_of_a_question_come_in_a_row_none_stands_among_them(study, alice, source, fay):
    grouped = open_batch(full_pool(study, n=30, each=3), alice, source, grouping="question")

    judged = work(grouped, fay)

    turns = [each.item.turn_id for each in judged]
    assert any(are_controls(judged))
    assert sum(a != b for a, b in pairwise(turns)) == len(set(turns)) - 1


def test_the_places_of_items_are_as_without_control_items(batch, fay):
    work(batch, fay, most=30)

    for key in Key.objects.select_related("item"):
        item = key.item
        assert (item.n_wanted, item.n_open, item.n_claimed, item.n_counted) == (None, 0, 0, 0)
    cursor = Cursor.objects.get(annotator=fay)
    counted = Item.objects.real().filter(batch=batch, n_counted=1).count()
    assert cursor.n_taken - cursor.n_controls == counted
    assert (
        cursor.n_controls == Assignment.objects.filter(annotator=fay, item__n_wanted=None).count()
    )


def a_control(batch, by, now=NOW) -> Assignment:
    """The first control item that the person is handed; what comes before is judged."""
    while True:
        (assignment,) = claims.claim(batch=batch, by=by, n=1, now=now)
        if assignment.item.n_wanted is None:
            return assignment
        submit(assignment, now=now)


def test_one_whose_time_ran_out_comes_back_and_is_taken_late(batch, fay):
    control = a_control(batch, fay)
    late = after(batch.claim_seconds + 60)

    claims.expire_lapsed(batch=batch, now=late)
    control.refresh_from_db()
    assert control.state == AssignmentState.EXPIRED
    (again,) = claims.claim(batch=batch, by=fay, n=1, now=late)
    assert again == control
    claims.expire_lapsed(batch=batch, now=late + (late - NOW))
    judgement = submit(Assignment.objects.get(pk=control.pk), now=late + (late - NOW))
    assert not judgement.is_surplus


def test_one_is_skipped_and_taken_back_as_any_item(batch, fay):
    control = a_control(batch, fay)
    judgement = submit(control)

    back = judgements.take_back(judgement=judgement, by=fay, now=after(1))
    assert back.state == AssignmentState.CLAIMED
    judgements.skip(assignment=back, reason="unclear", by=fay)
    assert Assignment.objects.get(pk=back.pk).state == AssignmentState.SKIPPED
    assert control.item_id not in {each.item_id for each in work(batch, fay)}


def test_the_number_of_items_falls_by_one_with_each_whatever_it_is(batch, fay):
    seen = []
    for _ in range(60):
        ahead = annotator_progress.desk_progress(batch, fay, NOW)
        listed = annotator_progress.progress_by_batch([batch], fay, NOW)[batch.pk]
        assert (listed.n_done, listed.n_left) == (ahead.n_done, ahead.n_left)
        seen.append((ahead.n_done, ahead.n_left))
        if not work(batch, fay, most=1, label="plausible"):
            break
    done, left = zip(*seen, strict=True)
    assert list(done) == list(range(len(done)))
    assert list(left) == list(range(left[0], -1, -1))


def test_a_share_of_the_items_is_one_without_control_items(study, alice, source, fay):
    limited = open_batch(full_pool(study), alice, source, largest_share=0.5)
    expected = annotator_progress.desk_progress(limited, fay, NOW).n_left

    judged = work(limited, fay)

    assert sum(not kind for kind in are_controls(judged)) == 15
    assert len(judged) == expected
    assert why_no_work.why_no_work(limited, fay, NOW).reason == Reason.SHARE


def test_who_has_judged_all_is_done_whatever_control_items_others_hold(study, alice, batch, fay):
    gus = member(study, "gus", Role.ANNOTATOR, by=alice)
    a_control(batch, gus)
    work(batch, fay)

    assert why_no_work.why_no_work(batch, fay, NOW).reason == Reason.DONE


def test_right_answers_halve_the_rate_after_fifty_claims(study, alice, source, fay):
    gus = member(study, "gus", Role.ANNOTATOR, by=alice)
    # More control items than anybody is handed, from as many settled ones.
    long = open_batch(full_pool(study, n=150), alice, None, control_every=6)
    controls.add_from_batch(batch=long, source=source, n=30, seed=1, by=alice)

    right = are_controls(work(long, fay))
    wrong = are_controls(work(long, gus, label="malformed"))

    assert sum(right[50:]) < sum(wrong[50:])


def test_nobody_has_judged_more_items_than_there_are_for_them(batch, fay):
    judged = work(batch, fay)

    (line,) = batch_workers.workers(
        batch, batch_workers.members_at_work(batch), 30, batch_workers.activity_by_person(batch)
    )

    assert line.n_judged == line.n_most == len(judged)


# Cost


def n_queries(act) -> int:
    return len(statements(act))


def statements(act) -> list[str]:
    """What the database was asked, without values and names of savepoints."""
    with CaptureQueriesContext(connection) as queries:
        act()
    return [re.sub(r"'[^']*'|\b\d+\b|\bs\d+_x\d+", "?", query["sql"]) for query in queries]


def test_a_control_item_is_handed_out_and_judged_by_the_same_statements_as_another(batch, fay):
    """Else the time that an answer takes would tell."""
    seen: dict[bool, set[tuple[str, ...]]] = {False: set(), True: set()}
    claims.claim(batch=batch, by=fay, n=1, now=NOW)

    for _ in range(20):
        (held,) = claims.claim(batch=batch, by=fay, n=1, now=NOW)
        judged = statements(lambda a=held: submit(a, now=NOW))
        claimed = statements(lambda: claims.claim(batch=batch, by=fay, n=1, now=NOW))
        (following,) = claims.claim(batch=batch, by=fay, n=1, now=NOW)
        seen[held.item.n_wanted is None].add(tuple(judged))
        seen[following.item.n_wanted is None].add(tuple(claimed))

    assert seen[True] == seen[False]
    assert len(seen[True]) == 2


def test_the_desk_asks_two_queries_more_in_such_a_batch_and_none_for_a_judgement(
    study, alice, source, fay
):
    plain = open_batch(full_pool(study), alice, None, name="plain", control_every=None)
    controlled = open_batch(full_pool(study), alice, source)
    counts: dict[int, dict[str, set[int]]] = {}
    now = timezone.now()
    for batch in (plain, controlled):
        found = counts[batch.pk] = {"claim": set(), "judge": set(), "progress": set()}
        work(batch, fay, most=1)
        for _ in range(12):
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
    most, controlled_most = (
        {kind: max(found) for kind, found in counts[each.pk].items()}
        for each in (plain, controlled)
    )
    assert controlled_most["claim"] == most["claim"] + 2
    assert controlled_most["judge"] == most["judge"]
    assert controlled_most["progress"] == most["progress"] + 1
