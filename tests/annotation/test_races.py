"""What holds when people work at the same time: real processes, on the database that is configured."""

import time

import pytest
from django.utils import timezone

from accounts.models import Role, User
from annotation.actions import batches, claims, verdicts
from annotation.models import Assignment, Batch, BatchState, Cursor, Item, Judgement
from tests.annotation.batches_with_repeats import repeating_batch, worked
from tests.annotation.desk import assert_counts_match, claim_one, places, submit
from tests.annotation.pools import launched, pool_of
from tests.annotation.racing import race, workers
from tests.conftest import member
from tests.factories import ItemFactory

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def panel(study, alice) -> list[str]:
    """Three people, by name."""
    names = ["bob", "dora", "eve"]
    for name in names:
        member(study, name, Role.ANNOTATOR, by=alice)
    return names


@pytest.fixture
def batch_of_twelve(batch) -> Batch:
    for position in range(1, 13):
        ItemFactory(batch=batch, position=position)
    return batch


def work(batch: Batch, by: str, **how: float) -> dict:
    return {"task": "work", "batch": batch.pk, "by": by, **how}


def assert_all_full_and_none_too_often(batch: Batch) -> None:
    assert_counts_match(batch)
    assert {places(item) for item in batch.items.all()} == {(2, 0, 0, 2)}


def test_people_who_work_at_once_fill_every_item_and_none_too_often(batch_of_twelve, panel):
    reports = race(*(work(batch_of_twelve, name, n=2, pause=0.01) for name in panel))

    assert_all_full_and_none_too_often(batch_of_twelve)
    assert sum(report.get("submit", 0) for report in reports) == Judgement.objects.count() == 24
    assert not Judgement.objects.filter(is_surplus=True).exists()


def test_people_who_work_at_once_share_repeats_and_nobody_gets_one_twice(study, alice, panel):
    repeating = repeating_batch(study, alice, n=72, judgements_per_item=3)
    for name in panel:
        worked(repeating, User.objects.get(username=name), 60)

    race(*(work(repeating, name, n=3) for name in (*panel, *panel[:2])))

    again = Item.objects.filter(batch=repeating, repeats__isnull=False)
    handed = Assignment.objects.filter(item__in=again)
    assert handed.count() > again.count() > 0
    for assignment in handed.select_related("item"):
        before = Assignment.objects.filter(item=assignment.item.repeats_id)
        assert before.filter(annotator=assignment.annotator).exists()
    real = Item.objects.real().filter(batch=repeating)
    assert {places(item) for item in real} == {(3, 0, 0, 3)}
    for cursor in Cursor.objects.filter(batch=repeating):
        assert cursor.n_controls == handed.filter(annotator=cursor.annotator).count() > 0


def test_browsers_that_fetch_ahead_and_lose_answers_fill_every_item_and_none_twice(
    batch_of_twelve, panel, tmp_path
):
    kept = {name: tmp_path / name for name in panel}
    browsers = [
        {
            "task": "browse",
            "batch": batch_of_twelve.pk,
            "by": name,
            "forgets": 0.3,
            "kept": str(kept[name]),
        }
        for name in panel
    ]

    reports = race(*browsers)

    assert_all_full_and_none_too_often(batch_of_twelve)
    assert sum(report.get("saved", 0) for report in reports) == Judgement.objects.count() == 24
    acknowledged = [line for path in kept.values() for line in path.read_text().splitlines()]
    assert sorted(acknowledged) == sorted(Judgement.objects.values_list("client_id", flat=True))


def test_one_person_in_two_browsers_judges_nothing_twice(batch_of_twelve, panel):
    reports = race(
        *({"task": "browse", "batch": batch_of_twelve.pk, "by": "bob"} for _ in range(2))
    )

    assert_counts_match(batch_of_twelve)
    assert sum(report.get("saved", 0) for report in reports) == Judgement.objects.count() == 12


def test_what_people_skip_and_take_back_in_a_race_is_handed_to_others(batch_of_twelve, panel):
    race(*(work(batch_of_twelve, name, n=2, fickle=0.3) for name in panel))
    assert_counts_match(batch_of_twelve)

    # Who was done before somebody gave an item back asks once more.
    for person in User.objects.filter(username__in=panel):
        for assignment in claims.claim(batch=batch_of_twelve, by=person, n=24):
            submit(assignment, now=timezone.now())

    assert_counts_match(batch_of_twelve)
    assert set(Assignment.objects.values_list("state", flat=True)) == {"submitted", "skipped"}
    for item in batch_of_twelve.items.all():
        assert item.n_counted == 2 or item.assignments.count() == len(panel)


def test_claims_that_lapse_in_the_midst_make_no_item_too_full(batch_of_twelve, panel):
    """Every claim lapses at once, so that each is taken from under whoever works on it."""
    Batch.objects.update(claim_seconds=0)
    late, *others = panel

    with workers({"task": "come_late", "batch": batch_of_twelve.pk, "by": late}) as (latecomer,):
        latecomer.go()
        latecomer.wait_for("claimed")
        race(*(work(batch_of_twelve, name, n=2, pause=0.02) for name in others))
        assert_all_full_and_none_too_often(batch_of_twelve)
        latecomer.go()
        report = latecomer.result()

    assert report == {"is_surplus": True}
    assert_all_full_and_none_too_often(batch_of_twelve)
    assert (
        Judgement.objects.not_withdrawn().count()
        == Assignment.objects.exclude(state="expired").count()
    )


def test_one_person_at_three_desks_is_handed_nothing_twice(batch_of_twelve, panel):
    reports = race(*(work(batch_of_twelve, "bob", n=2, pause=0.01) for _ in range(3)))

    assert_counts_match(batch_of_twelve)
    assert {places(item) for item in batch_of_twelve.items.all()} == {(2, 1, 0, 1)}
    assert sum(report.get("submit", 0) for report in reports) == Judgement.objects.count() == 12


def test_of_several_submissions_at_once_one_is_stored_and_named_to_all(batch, item, bob):
    """Two processes send one client id, two another: one pair gets what it stored, the other is refused."""
    held = claim_one(batch, bob, timezone.now())
    ids = ["page-1", "page-1", "page-2", "page-2"]

    reports = race(*({"task": "submit", "assignment": held.pk, "client_id": each} for each in ids))

    stored = Judgement.objects.get()
    assert [report["outcome"] for report in reports] == [
        "stored" if client_id == stored.client_id else "refused" for client_id in ids
    ]
    assert {report["judgement"] for report in reports} == {stored.pk}
    assert places(item) == (2, 1, 0, 1)


def test_a_batch_that_is_closed_and_settled_in_the_midst_does_not_change_afterwards(
    batch_of_twelve, panel, alice
):
    settle = {
        "task": "close_and_settle",
        "batch": batch_of_twelve.pk,
        "by": alice.username,
        "after": 0.05,
    }

    race(*(work(batch_of_twelve, name, n=2, pause=0.02) for name in panel), settle)

    batch_of_twelve.refresh_from_db()
    assert batch_of_twelve.state == BatchState.CLOSED
    assert_counts_match(batch_of_twelve)
    assert not Assignment.objects.claimed().exists()
    for item in batch_of_twelve.items.all():
        verdict = verdicts.current_verdict(item)
        assert sum(verdict.votes.values()) == item.n_counted


def test_workers_killed_in_the_midst_leave_nothing_half_and_others_finish(
    batch_of_twelve, panel, alice
):
    Batch.objects.update(claim_seconds=1)
    member(batch_of_twelve.study, "frieda", Role.ANNOTATOR, by=alice)
    people = [*panel, "frieda"]
    plan = [work(batch_of_twelve, name, n=2, pause=0.05, patience=60) for name in people]

    with workers(*plan) as started:
        for worker in started:
            worker.go()
        wait_until(lambda: Judgement.objects.count() >= 6)
        for worker in started[:2]:
            worker.kill()
        wait_until(lambda: not batch_of_twelve.items.exclude(n_counted=2).exists())
        batches.close(batch=batch_of_twelve, by=alice)
        reports = [worker.result() for worker in started[2:]]

    assert_all_full_and_none_too_often(batch_of_twelve)
    assert all(report["submit"] for report in reports)


def test_two_first_rehearsals_of_a_study_at_once_share_the_simulated_people(study, alice):
    pool = pool_of(study)
    both = [launched(pool, name=name) for name in ("one", "two")]

    reports = race(
        *({"task": "rehearse", "batch": batch.pk, "by": alice.username} for batch in both)
    )

    assert reports == [{"n_judgements": 12}] * 2
    assert User.objects.filter(is_simulated=True).count() == 6


def wait_until(happened) -> None:
    give_up_at = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < give_up_at, "it did not happen"
        time.sleep(0.02)
