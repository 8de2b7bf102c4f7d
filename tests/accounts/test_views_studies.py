"""A new study, and its settings: accounts/views/studies.py."""

import pytest
from django.urls import reverse

from accounts import guards
from accounts.actions import consent, studies
from accounts.actions.studies import OwnSecondFactorError
from accounts.models import Role, Study
from accounts.permissions import roles
from audit.models import Event
from tests.accounts.phones import Phone
from tests.api.programs import Program
from tests.factories import UserFactory
from tests.jobs.clients import client_of

LAMPS = {"title": "Lamps", "slug": "lamps"}


@pytest.fixture
def root(db):
    return UserFactory(username="root", is_superuser=True)


def new(person, **sent):
    return client_of(person).post(reverse("study_new"), LAMPS | sent)


def test_a_requester_makes_another_study_and_goes_there(study, alice):
    response = new(alice)

    assert response["Location"] == reverse("study", args=["lamps"])
    assert roles(alice, Study.objects.get(slug="lamps")) == {Role.REQUESTER}


def test_an_administrator_makes_one_for_somebody(root, mallory):
    response = new(root, requester="mallory")

    made = Study.objects.get(slug="lamps")
    assert response["Location"] == reverse("house")
    assert roles(mallory, made) == {Role.REQUESTER}
    assert roles(root, made) == set()


def test_an_administrator_makes_one_for_themselves(root):
    assert new(root, requester="root")["Location"] == reverse("study", args=["lamps"])


def test_a_requester_names_nobody_else(study, alice, mallory):
    new(alice, requester="mallory")

    assert roles(mallory, Study.objects.get(slug="lamps")) == set()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"slug": "lighthouses"}, "There is a study of this short name already."),
        ({"slug": "new"}, "A study cannot be called new."),
        (
            {"slug": "two words"},
            "Use only letters (a to z, A to Z), digits, hyphens and underscores",
        ),
        ({"slug": "é"}, "Use only letters (a to z, A to Z), digits, hyphens and underscores"),
        ({"slug": "x" * 61}, "at most 60"),
        ({"title": ""}, "required"),
        ({"title": "x" * 201}, "at most 200"),
        ({"requester": "nobody"}, "There is no user nobody."),
        ({"requester": "robot"}, "There is no user robot."),
        ({"requester": ""}, "required"),
    ],
)
def test_what_cannot_be_is_refused_in_words(study, root, wrong, said):
    UserFactory(username="robot", is_simulated=True)

    page = new(root, **{"requester": "root"} | wrong)

    assert said in page.content.decode()
    assert page.content.decode().count("<li>") == 1
    assert Study.objects.count() == 1


def test_the_short_name_may_be_all_that_its_hint_says(root):
    assert "letters (a to z, A to Z), digits, hyphens and underscores" in (
        client_of(root).get(reverse("study_new")).text
    )

    new(root, requester="root", slug="Lamps_2-b")

    assert Study.objects.filter(slug="Lamps_2-b").exists()


# Settings

SAID = {"title": "Lighthouses", "description": "", "licence": "", "citation": "", "consent": ""}


def save(person, study, **sent):
    return client_of(person).post(
        reverse("study_settings", args=[study.slug]), SAID | sent, follow=True
    )


def test_what_is_saved_is_what_was_said(study, alice):
    page = save(alice, study, licence="CC BY 4.0", citation="Alice (2026)", description="Old ones.")

    study.refresh_from_db()
    assert (study.licence, study.citation) == ("CC BY 4.0", "Alice (2026)")
    assert "Saved." in page.content.decode()


def test_saving_what_is_there_changes_nothing(study, alice):
    study.consent = "One line\nand another"
    study.save(update_fields=["consent"])

    page = save(alice, study, consent="One line\r\nand another")

    assert "Nothing was changed." in page.content.decode()
    assert [event.verb for event in Event.objects.all()] == ["created"]


def test_a_new_consent_is_asked_for(study, alice, bob):
    page = save(alice, study, consent="We keep it.")

    study.refresh_from_db()
    assert consent.is_needed(bob, study)
    assert "asked for their consent" in page.content.decode()


def test_who_has_agreed_is_counted_before_the_text_is_changed(study, alice, bob):
    study.consent = "We keep it."
    study.save(update_fields=["consent"])
    consent.agree(study=study, text_sha256=consent.sha256(study.consent), by=bob)

    page = client_of(alice).get(reverse("study_settings", args=[study.slug])).content.decode()

    assert "1 person has agreed" in page


def test_a_study_keeps_its_title_and_the_page_goes_on_naming_it(study, alice):
    page = save(alice, study, title="")

    assert "required" in page.content.decode()
    assert 'class="study-title" href="/studies/lighthouses/">Lighthouses<' in page.content.decode()
    study.refresh_from_db()
    assert study.title == "Lighthouses"


# A second factor


@pytest.fixture
def phone(alice) -> Phone:
    phone = Phone(alice)
    alice.refresh_from_db()
    return phone


def test_a_requester_who_has_a_second_factor_requires_one(study, alice, phone):
    save(alice, study, requires_second_factor="on")

    study.refresh_from_db()
    assert study.requires_second_factor
    event = Event.objects.get(verb="described")
    assert event.details["after"] == {"requires_second_factor": True}


def test_who_has_none_requires_none(study, alice):
    page = save(alice, study, requires_second_factor="on")

    study.refresh_from_db()
    assert not study.requires_second_factor
    assert "set one up for yourself first" in page.content.decode()
    with pytest.raises(OwnSecondFactorError):
        studies.describe_study(study=study, requires_second_factor=True, by=alice)


def test_the_settings_name_who_has_none(study, alice, bob, carol, phone):
    page = client_of(alice).get(reverse("study_settings", args=[study.slug])).content.decode()

    assert " ".join(page.split()).count("Without a second factor at present: carol.") == 1


def test_without_one_a_page_of_the_study_says_why_and_leads_to_it(study, alice, carol, phone):
    save(alice, study, requires_second_factor="on")
    href = reverse("disputes", args=[study.slug])

    response = client_of(carol).get(href)

    assert response.status_code == 403
    page = response.content.decode()
    assert "The study Lighthouses requires a second factor" in page
    assert f'href="{reverse("second_factor")}?next=%2Fstudies%2Flighthouses%2Fdisputes%2F"' in page
    part = client_of(carol).get(href, headers={"HX-Request": "true"})
    assert part["HX-Refresh"] == "true"


def test_with_one_it_opens(study, alice, carol, phone):
    save(alice, study, requires_second_factor="on")
    Phone(carol)
    carol.refresh_from_db()

    assert client_of(carol).get(reverse("disputes", args=[study.slug])).status_code == 200


def test_the_api_refuses_the_token_of_who_has_none_in_a_sentence(study, alice, carol, phone):
    save(alice, study, requires_second_factor="on")

    refused, allowed = (Program(who).get(f"studies/{study.slug}/") for who in (carol, alice))

    assert refused.status_code == 403
    assert refused.json()["detail"] == (
        "The study Lighthouses requires a second factor of its requesters and adjudicators."
        " Set one up on the page of your account."
    )
    assert allowed.status_code == 200


def test_it_costs_annotators_no_query(study, alice, bob, phone, django_assert_num_queries):
    for is_required in (False, True):
        Study.objects.update(requires_second_factor=is_required)
        with django_assert_num_queries(1):
            guards.study_and_roles(bob, study.slug, Role.ANNOTATOR)
