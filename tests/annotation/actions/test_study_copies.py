"""What is promised of a copy of a study: annotation/actions/study_copies.py."""

from decimal import Decimal

import pytest
from django.urls import reverse

from accounts.actions import consent, studies
from accounts.actions.names import NameTakenError
from accounts.models import Role, Study
from accounts.permissions import NotAllowedError, roles
from annotation.actions import archived_studies, study_copies
from annotation.models import Batch, Judgement
from audit.models import Event
from tests.annotation.desk import judge
from tests.annotation.pools import launched, pool_of
from tests.commands.command_calls import StudyCommands
from tests.jobs.clients import client_of

ABOUT = {
    "description": "What *they* said.",
    "licence": "CC BY 4.0",
    "citation": "Keeper, 1702",
    "consent": "You agree.",
}
CHECK = "Is it lit?\n( ) no\n(x) yes"


@pytest.fixture
def judged(study, alice, bob):
    """A study with settings, a batch with a guideline and pay, and judgements."""
    studies.describe_study(study=study, by=alice, **ABOUT)
    batch = launched(
        pool_of(study),
        guideline="Judge what is there.",
        check=CHECK,
        judgements_per_item=3,
        largest_share=0.5,
        reward=Decimal("0.06"),
        currency="USD",
        expected_seconds=20,
    )
    judge(batch, bob)
    return study


def copy(study, by, slug="again", people=()):
    return study_copies.copy_study(study=study, slug=slug, title="Again", people=people, by=by)


def member(study, person):
    return study.memberships.get(user=person)


def test_a_copy_has_the_settings_of_the_study_and_its_own_requester(judged, alice):
    made = copy(judged, alice)

    assert {name: getattr(made, name) for name in ABOUT} == ABOUT
    assert (made.slug, made.title) == ("again", "Again")
    assert roles(alice, made) == {Role.REQUESTER}
    assert made.memberships.count() == 1


def test_a_copy_has_the_guidelines_and_no_data_batches_or_judgements(judged, alice):
    n_judgements = Judgement.objects.count()

    made = copy(judged, alice)

    assert [each.text for each in made.guidelines.all()] == ["Judge what is there."]
    for rows in (made.datasets, made.pools, made.batches, made.releases, made.jobs):
        assert not rows.exists()
    assert Judgement.objects.count() == n_judgements > 0


def test_the_first_batch_of_a_copy_begins_with_the_settings_of_the_newest_batch(judged, alice):
    made = copy(judged, alice)
    pool_of(made)
    page = reverse("batch_new", args=[made.slug])

    form = client_of(alice).get(page).context["form"]

    begins_with = {
        name: form[name].value()
        for name in (
            "guideline",
            "check",
            "judgements",
            "largest_share",
            "reward",
            "currency",
            "name",
        )
    }
    assert begins_with == {
        "guideline": "Judge what is there.",
        "check": CHECK,
        "judgements": 3,
        "largest_share": 50,
        "reward": "0.06",
        "currency": "USD",
        "name": None,
    }
    assert form["expected_seconds"].value() == 20


def test_a_later_batch_of_a_copy_begins_as_in_every_study(judged, alice):
    made = copy(judged, alice)
    launched(pool_of(made), guideline="Another text.")

    form = client_of(alice).get(reverse("batch_new", args=[made.slug])).context["form"]

    assert form["guideline"].value() == "Another text."
    assert form["judgements"].value() == 2


def test_a_copy_of_a_copy_has_the_settings_too(judged, alice):
    made = copy(copy(judged, alice), alice, slug="third")

    (preset,) = made.batch_presets.all()
    assert preset.settings["judgements_per_item"] == 3
    assert preset.guideline.study == made


def test_a_withdrawn_batch_sets_nothing(judged, alice):
    Batch.objects.update(state="closed", closed_at="2026-01-01T00:00Z", closed_by=alice)
    Batch.objects.update(is_withdrawn=True)

    assert not copy(judged, alice).batch_presets.exists()


def test_people_who_are_chosen_have_the_same_roles_and_are_asked_for_consent_again(
    judged, alice, bob, dora
):
    consent.agree(study=judged, text_sha256=consent.sha256(judged.consent), by=bob)
    assert not consent.is_needed(bob, judged)

    made = copy(judged, alice, people=[member(judged, bob)])

    assert roles(bob, made) == {Role.ANNOTATOR}
    assert roles(dora, made) == set()
    assert consent.is_needed(bob, made)


def test_both_studies_have_their_history(judged, alice, bob):
    before = Event.objects.filter(study=judged.slug).count()

    made = copy(judged, alice, people=[member(judged, bob)])

    events = Event.objects.filter(study=made.slug).order_by("pk")
    assert [each.verb for each in events] == ["created", "granted", "copied"]
    assert events.last().target == f"study {judged}"
    assert Event.objects.filter(study=judged.slug).count() == before


def test_a_taken_short_name_copies_nothing(judged, alice):
    with pytest.raises(NameTakenError):
        copy(judged, alice, slug=judged.slug)
    assert Study.objects.count() == 1


def test_only_a_requester_copies_a_study(judged, bob):
    with pytest.raises(NotAllowedError):
        copy(judged, bob)


def test_an_archived_study_is_copied_and_its_copy_is_not_archived(study, alice):
    archived_studies.archive(study=study, by=alice)

    assert not copy(study, alice).is_archived


def test_a_study_is_copied_on_its_page_with_the_people_that_are_ticked(judged, alice, bob, dora):
    client, page = client_of(alice), reverse("study_copy", args=[judged.slug])
    shown = client.get(page).content.decode()
    assert "bob (annotator)" in shown
    assert "alice (" not in shown

    sent = {"title": "Again", "slug": "again", "people": [member(judged, dora).pk]}
    response = client.post(page, sent)

    made = Study.objects.get(slug="again")
    assert response.url == reverse("study", args=["again"])
    assert {each.user for each in made.memberships.all()} == {alice, dora}


def test_the_page_takes_nobody_who_is_no_member(judged, alice, mallory):
    page = reverse("study_copy", args=[judged.slug])

    refused = client_of(alice).post(page, {"title": "A", "slug": "a", "people": ["99999"]})

    assert refused.status_code == 400
    assert not Study.objects.filter(slug="a").exists()


def test_a_study_is_copied_by_a_command(judged, bob, dora):
    commands = StudyCommands("lighthouses")
    summary = commands.run("copy_study", "again", "--title", "Again", "--person", "bob")

    assert summary == {"study": "again", "copied_from": "lighthouses", "n_people": 1}
    error = commands.error("copy_study", "other", "--title", "Other", "--person", "nobody")
    assert "nobody: no active member of the study lighthouses besides alice" in error
    assert commands.run("copy_study", "all", "--title", "All", "--everybody")["n_people"] == 2
