"""What a large pilot showed is stored by a job, and the page says what came since."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.actions import batches, claims, judgements, reviews
from annotation.models import Batch, Item, Judgement, Key, Standing
from exports.after_pilot import stored_figures
from exports.after_pilot.pilot_queries import pilot_figures
from exports.after_pilot.shown import as_json, from_json
from exports.after_pilot.stored_figures import StoredPilotFigures
from exports.current_figures import queries as current_figures
from jobs.actions import execution, jobs
from jobs.models import Job, JobState
from tests.annotation.desk import judge, submission
from tests.annotation.trust import open_batch, settled_batch
from tests.exports.after_pilot.pilot_page import href, opened, page, words
from tests.factories import ItemFactory
from tests.parts import part

pytestmark = pytest.mark.django_db

OUT_OF_DATE = "Out of date."


@pytest.fixture(autouse=True)
def _every_batch_is_large(monkeypatch) -> None:
    monkeypatch.setattr(stored_figures, "MOST_READ_FOR_A_VIEW", 0)


def stored(batch: Batch) -> StoredPilotFigures:
    return StoredPilotFigures(batch.study, batch)


def compute(batch: Batch) -> Batch:
    found = stored(batch)
    job = jobs.start(
        study=batch.study,
        kind=found.kind,
        key=found.key,
        params=found.params,
        by=batch.created_by,
    )
    execution.run(job)
    assert stored(batch).since == ""
    return batch


@part
def settled(study, bob, dora, carol, fay) -> Batch:
    """People differ in one item of three, which carol decided, and in another, which waits."""
    given = {bob: "ppp", dora: "ppi", fay: "pip"}
    batch = settled_batch(study, given, name="large")
    reviews.adjudicate(item=batch.items.all()[1], label="plausible", reason="it is", by=carol)
    return batch


@part
def at_work(study, bob, dora) -> Batch:
    batch = open_batch(study, None, judgements_per_item=2)
    for person in (bob, dora):
        judge(batch, person, now=timezone.now())
    return batch


def test_what_is_stored_is_what_would_be_read(settled):
    read = pilot_figures(settled)

    assert from_json(json.loads(json.dumps(as_json(read)))) == read
    assert stored(compute(settled)).figures == read
    assert read.answers
    assert read.accepted
    assert len(read.disputes) == 2


def test_where_nothing_could_be_said_the_reason_is_stored(at_work):
    read = pilot_figures(at_work)

    assert stored(compute(at_work)).figures == read
    assert "is not settled" in read.why_no_answers


def test_the_page_shows_what_is_stored_and_reads_no_judgement(
    requester, settled, django_assert_num_queries
):
    read = page(requester, settled)
    compute(settled)
    Judgement.objects.update(active_seconds=99)  # which the program does not do

    with django_assert_num_queries(26):
        shown = page(requester, settled)

    assert "Up to date." in shown
    assert OUT_OF_DATE not in shown
    assert "99.0 s a judgement" not in shown
    for line in ("2 items of 3 accepted", "plausible 3 2 67 % 1 1 of 1"):
        assert line in read
        assert line in shown


def adjudicate(batch, carol, bob) -> None:
    reviews.adjudicate(item=batch.items.all()[2], label="plausible", reason="it is", by=carol)


def exclude(batch, carol, bob) -> None:
    reviews.exclude(item=batch.items.first(), reason="It is cut off.", by=batch.created_by)


def withdraw(batch, carol, bob) -> None:
    batches.reopen(batch=batch, by=batch.created_by)
    last = Judgement.objects.filter(assignment__annotator=bob).order_by("-pk").first()
    judgements.take_back(judgement=last, by=bob)


def withdraw_and_judge_again(batch, carol, bob) -> None:
    withdraw(batch, carol, bob)
    judge(batch, bob, "implausible", now=timezone.now())


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (adjudicate, "1 adjudication was recorded."),
        (exclude, "1 exclusion was recorded."),
        (withdraw, "Since then only 8 of 9 judgements count now, and 1 judgement withdrawal"),
        (withdraw_and_judge_again, "1 judgement withdrawal was recorded."),
    ],
)
def test_the_page_says_what_came_after_the_figures_were_stored(
    change, what, requester, settled, carol, bob
):
    compute(settled)
    before = page(requester, settled)

    change(settled, carol, bob)
    after = page(requester, settled)

    assert OUT_OF_DATE not in before
    assert OUT_OF_DATE in after
    assert what in after
    assert "This is not in the figures." in after


def test_a_judgement_that_comes_too_late_to_count_makes_them_out_of_date(at_work, bob, dora, fay):
    """It has a time and an answer like others."""
    held = {person: claims.claim(batch=at_work, by=person)[0] for person in (bob, dora)}
    late = held[bob]
    claims.expire_lapsed(batch=at_work, now=timezone.now() + timedelta(days=1))
    for person in (dora, fay):
        while late.item_id not in judged_by(person):
            judge(at_work, person, now=timezone.now())
    compute(at_work)

    made = judgements.submit(assignment=late, submission=submission(), by=bob)

    assert made.is_surplus
    assert "1 judgement came in" in stored(at_work).since


def judged_by(person) -> set[int]:
    found = Judgement.objects.filter(assignment__annotator=person)
    return set(found.values_list("assignment__item", flat=True))


def test_a_control_item_that_is_added_makes_them_out_of_date(at_work):
    compute(at_work)

    item = ItemFactory(batch=at_work, position=99, n_wanted=None, n_open=0)
    Key.objects.create(item=item, label="plausible", created_by=at_work.created_by)

    assert "something was decided" in stored(at_work).since


def test_until_a_job_has_stored_them_the_page_reads_them(requester, settled, carol, bob):
    adjudicate(settled, carol, bob)

    text = page(requester, settled)

    assert "3 items of 3 accepted" in text
    assert "stored figures" not in text
    assert "are read now: nothing is stored yet." in text
    start = reverse("after_pilot_start", args=[settled.study.slug, settled.pk])
    assert f'action="{start}"' in requester.get(href(settled)).text


def test_a_first_job_that_failed_is_told_of(requester, settled):
    found = stored(settled)
    job = jobs.start(
        study=found.study,
        kind=found.kind,
        key=found.key,
        params=found.params,
        by=found.study.created_by,
    )
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, finished_at=timezone.now())

    assert "The last computation failed" in page(requester, settled)


def shown_job(client, batch) -> str:
    """What the form of the page says of the figures that it shows."""
    found = re.search(r'name="stored" value="(\d+)"', client.get(href(batch)).text)
    return found[1] if found else ""


@pytest.mark.parametrize("is_stored_again", [False, True])
def test_who_ticked_by_old_figures_looks_once_at_those_of_now(
    is_stored_again, requester, settled, pool, bob, dora, carol
):
    compute(settled)
    job = shown_job(requester, settled)
    adjudicate(settled, carol, bob)
    if is_stored_again:
        compute(settled)

    reply = opened(requester, settled, pool, bob, dora, stored=job)

    text = words(reply)
    assert (reply.status_code, Standing.objects.exists()) == (400, False)
    assert "the page that you sent showed old figures" in text
    assert "3 items of 3 accepted" in text
    assert 'name="stored"' not in reply.text
    opened(requester, settled, pool, bob, dora)
    assert Standing.objects.count() == 2


def test_who_ticked_by_stored_figures_of_now_is_asked_nothing(requester, settled, pool, bob, dora):
    compute(settled)

    opened(requester, settled, pool, bob, dora, stored=shown_job(requester, settled))

    assert Standing.objects.count() == 2


def test_the_full_batch_opens_with_what_people_answered_and_not_with_what_was_stored(
    requester, settled, pool, bob, dora, fay, carol
):
    compute(settled)
    adjudicate(settled, carol, bob)

    opened(requester, settled, pool, bob, dora, fay)

    evidence = Standing.objects.get(user=bob).evidence
    assert evidence["accuracy"]["n"] == 3


def test_a_button_stores_them_anew(requester, settled, carol, bob):
    compute(settled)
    adjudicate(settled, carol, bob)
    start = reverse("after_pilot_start", args=[settled.study.slug, settled.pk])
    assert f'action="{start}"' in requester.get(href(settled)).text

    reply = requester.post(start)
    execution.run(Job.objects.filter(kind="pilot_figures").latest("pk"))

    assert reply.url == href(settled)
    assert "3 items of 3 accepted" in page(requester, settled)
    assert "Up to date." in page(requester, settled)


def kinds_due(batch: Batch) -> Iterator[str]:
    return (each.kind for each in current_figures.state(batch.study, since=timezone.now()).due)


def test_the_worker_stores_those_of_a_closed_batch_and_again_after_a_decision(settled, carol, bob):
    assert "pilot_figures" in kinds_due(settled)
    compute(settled)
    assert "pilot_figures" not in kinds_due(settled)

    adjudicate(settled, carol, bob)

    assert "pilot_figures" in kinds_due(settled)


def test_those_of_a_small_batch_are_stored_by_nobody(settled, monkeypatch, requester):
    monkeypatch.setattr(stored_figures, "MOST_READ_FOR_A_VIEW", 9)

    requester.post(reverse("after_pilot_start", args=[settled.study.slug, settled.pk]))

    assert "pilot_figures" not in kinds_due(settled)
    assert not Job.objects.filter(kind="pilot_figures").exists()


def test_the_worker_stores_those_of_an_open_batch_once_enough_was_judged(at_work, monkeypatch):
    assert not [*current_figures.due_on_open_batches()]
    monkeypatch.setattr(current_figures, "MORE_JUDGEMENTS", 2)

    kinds = {each.kind for each in current_figures.due_on_open_batches()}

    assert kinds == {"annotators_of_batch", "pilot_figures"}
    assert Item.objects.filter(batch=at_work).count() == 3


def test_the_page_of_the_job_leads_to_the_pilot(requester, settled):
    job = stored(compute(settled)).newest_done

    text = requester.get(reverse("job", args=[settled.study.slug, job.pk])).text

    assert f'href="{href(settled)}"' in text
