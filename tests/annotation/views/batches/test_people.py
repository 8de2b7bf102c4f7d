"""Many people at work on a batch's page: in pages, sorted by each column."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Role, User
from annotation.actions import judgements
from annotation.models import Assignment, Batch, Judgement
from pages.templatetags.pages import when
from tests.annotation.desk import NOW, claim_one, judge
from tests.annotation.desk_pages import address, client_of
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part


@dataclass(frozen=True)
class World:
    batch: Batch
    crowd: list[User]


@part
def world(study, alice) -> World:
    """Sixty people; the n-th has judged n % 3 items, and every tenth holds one."""
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=2, claim_seconds=600)
    crowd = [member(study, f"person{n:02d}", Role.ANNOTATOR, by=alice) for n in range(60)]
    made = [ItemFactory(batch=batch, position=n, n_wanted=60) for n in (1, 2, 3)]
    for n, person in enumerate(crowd):
        for _ in made[: n % 3]:
            judge(batch, person)
        if n % 3 == 0 or n % 10 == 0:
            claim_one(batch, person)
    return World(batch, crowd)


@pytest.fixture
def batch(world) -> Batch:
    return world.batch


@pytest.fixture
def crowd(world) -> list[User]:
    return world.crowd


@pytest.fixture
def client(batch) -> Client:
    return client_of(batch.study.created_by)


def named(response) -> list[str]:
    return [each.name for each in response.context["workers"]]


def test_people_at_work_stand_on_pages(client, batch, crowd):
    href = address("batch", batch)

    first, second = (client.get(href, {"page": n}) for n in (1, 2))

    assert named(first) + named(second) == [person.username for person in crowd]
    assert len(named(first)) == 50
    assert "50 of 60 people" in first.text
    assert "60 of 60 people" in second.text


@pytest.mark.parametrize(
    ("sort", "field"),
    [
        ("judged", "n_judged"),
        ("skipped", "n_skipped"),
        ("flagged", "n_flagged"),
        ("late", "n_surplus"),
        ("holds", "n_claimed"),
        ("annotator", "name"),
    ],
)
def test_people_at_work_are_sorted_by_what_stands_in_the_column(client, batch, crowd, sort, field):
    rows = Assignment.objects.filter(annotator__in=crowd).order_by("pk")
    skips, flags, late = rows[10::7], rows[:9], rows.filter(state="submitted")[::5]
    for each in flags:
        judgements.flag(assignment=each, message="Odd.", by=each.annotator)
    Judgement.objects.filter(assignment__in=late).update(is_surplus=True)
    rows.filter(pk__in=[each.pk for each in skips]).exclude(state="submitted").update(
        state="skipped"
    )

    for asked, is_down in ((sort, False), (f"-{sort}", True)):
        pages = [client.get(address("batch", batch), {"sort": asked, "page": n}) for n in (1, 2)]
        shown = [getattr(each, field) for page in pages for each in page.context["workers"]]

        assert len(set(shown)) > 1
        assert shown == sorted(shown, reverse=is_down)


def test_the_moving_part_stays_on_its_page_and_leads_to_the_whole_one(client, batch, crowd):
    asked = {"sort": "-judged", "page": "2"}
    whole, part = address("batch", batch), address("batch_progress", batch)
    moving = f'hx-get="{part}?sort=-judged&amp;page=2"'

    page, refreshed = client.get(whole, asked), client.get(part, asked)

    assert named(page) == named(refreshed)
    for each in (page, refreshed):
        assert moving in each.text
        assert f'href="{whole}?sort=holds"' in each.text
        assert f'href="{whole}?sort=-judged&amp;page=1"' in each.text


@pytest.mark.parametrize(("seconds", "is_marked"), [(0.4, True), (1.5, False)])
def test_who_works_faster_than_reading_is_marked_whatever_others_do(study, bob, seconds, is_marked):
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=1, expected_seconds=30)
    for position in range(1, 6):
        ItemFactory(batch=batch, position=position, n_wanted=1, n_open=1)
        judge(batch, bob)
    Judgement.objects.update(active_seconds=seconds)

    text = client_of(study.created_by).get(address("batch", batch)).text

    assert ('<span class="tag warn">too fast to read</span>' in text) is is_marked


def test_a_person_s_line_says_when_they_were_last_active(study, bob):
    batch = BatchFactory(pool__dataset__study=study, judgements_per_item=1)
    for position in (1, 2):
        ItemFactory(batch=batch, position=position, n_wanted=1, n_open=1)
    judge(batch, bob, now=NOW)
    judge(batch, bob, now=NOW + timedelta(minutes=7))

    response = client_of(study.created_by).get(address("batch", batch))

    [worker] = response.context["workers"]
    assert worker.last_active_at == NOW + timedelta(minutes=7)
    assert f"last active {when(worker.last_active_at)}" in response.text


def test_of_a_person_who_judged_before_today_too_only_today_is_counted(client, batch, crowd):
    first, second = Judgement.objects.filter(assignment__annotator=crowd[2])
    times = {first: timezone.now() - timedelta(hours=25), second: timezone.now()}
    for judgement, at in times.items():
        Judgement.objects.filter(pk=judgement.pk).update(submitted_at=at)
        Assignment.objects.filter(pk=judgement.assignment_id).update(submitted_at=at)

    found = client.get(address("batch", batch), {"people-q": crowd[2].username}).context["workers"]

    [person] = [each for each in found if each.name == crowd[2].username]
    assert (person.n_judged, person.n_today) == (2, 1)
