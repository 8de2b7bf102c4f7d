"""Who works now, when people were last active, and how far they are."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.actions import batches as acts
from annotation.models import Assignment, Batch, Item, Judgement
from annotation.queries import batch_workers, people_at_work
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory


@pytest.fixture
def batch(study) -> Batch:
    batch = BatchFactory(pool__dataset__study=study, name="first round")
    for _ in range(4):
        ItemFactory(batch=batch)
    return batch


def client_of(user) -> Client:
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


def long_ago(**where) -> None:
    move(Assignment.objects.filter(**where), timezone.now() - timedelta(days=2))


def work_of(study, person) -> people_at_work.Work | None:
    return people_at_work.work_of(study, [person.pk]).get(person.pk)


def now(batch, *people) -> None:
    own = Assignment.objects.filter(item__batch=batch, annotator__in=people)
    move(own, timezone.now())


def move(assignments, at) -> None:
    assignments.update(claimed_at=at)
    assignments.filter(submitted_at__isnull=False).update(submitted_at=at)
    Judgement.objects.filter(assignment__in=assignments).update(submitted_at=at)


def test_open_claims_of_long_ago_are_no_work(batch, study, bob, dora):
    judge(batch, bob)
    judge(batch, dora)
    long_ago()
    Assignment.objects.update(state="claimed", submitted_at=None)

    assert batch_workers.n_working(batch_workers.activity_by_person(batch)) == 0
    assert not work_of(study, bob).is_working


def test_whoever_was_active_in_the_last_minutes_works_now_and_is_one_person(
    batch, study, bob, dora
):
    judge(batch, bob)
    judge(batch, dora)
    long_ago()
    now(batch, bob)

    assert batch_workers.n_working(batch_workers.activity_by_person(batch)) == 1
    assert work_of(study, bob).is_working
    assert not work_of(study, dora).is_working


def test_judgements_are_counted_in_all_and_of_the_last_day(batch, study, bob):
    for _ in range(4):
        judge(batch, bob)
    long_ago()
    own = Assignment.objects.filter(annotator=bob)
    own.filter(pk=own.first().pk).update(submitted_at=timezone.now())

    work = work_of(study, bob)

    assert (work.n_judged, work.n_today) == (4, 1)
    assert work.is_working


def test_how_far_somebody_is_counts_what_one_person_may_be_handed(batch, study, bob):
    judge(batch, bob)
    assert [(each.batch, each.n_most) for each in work_of(study, bob).batches] == [(batch, 4)]

    Batch.objects.update(most_per_person=3)
    assert [each.n_most for each in work_of(study, bob).batches] == [3]

    Item.objects.filter(pk__in=Item.objects.values("pk")[:2]).update(is_excluded=True)
    assert [each.n_most for each in work_of(study, bob).batches] == [2]


def test_work_of_other_studies_is_not_counted(batch, study, bob):
    elsewhere = BatchFactory()

    judge(batch, bob)

    assert work_of(elsewhere.study, bob) is None


def test_the_page_of_people_says_who_works_and_how_far_they_are(batch, study, alice, bob):
    assert (
        "working now</span>" not in client_of(alice).get(reverse("people", args=[study.slug])).text
    )
    judge(batch, bob)
    now(batch, bob)

    text = client_of(alice).get(reverse("people", args=[study.slug])).text

    assert text.count("working now</span>") == 1
    assert "first round</a>" in text
    assert "of 4 items" in text
    assert "in the last 24 h" in text


def test_the_page_of_a_batch_says_how_many_work_now_and_how_many_claims_are_open(
    batch, study, alice, bob
):
    judge(batch, bob)
    now(batch, bob)

    text = client_of(alice).get(reverse("batch", args=[study.slug, batch.pk])).text

    assert "working now," in text
    assert "open claim" in text
    assert "being judged now" not in text


def test_the_page_of_a_closed_batch_counts_who_still_works_as_its_table_does(
    batch, study, alice, bob
):
    judge(batch, bob)
    now(batch, bob)
    acts.close(batch=batch, by=alice)

    text = client_of(alice).get(reverse("batch", args=[study.slug, batch.pk])).text

    assert '<div class="figure">1</div>\n        <div class="quiet">working now' in text
    assert text.count("working now</span>") == 1


def test_an_item_that_two_people_hold_is_held_once(batch, study, alice, bob, dora):
    for person in (bob, dora):
        judge(batch, person)
    Assignment.objects.update(state="claimed", submitted_at=None)
    n_held = Assignment.objects.values("item").distinct().count()
    assert n_held < Assignment.objects.count()

    assert people_at_work.n_held_items(batch) == n_held
