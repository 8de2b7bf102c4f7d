"""Erasure: nothing says any more who somebody was, and all that they judged stays as it was."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.test import Client
from django.urls import reverse

from accounts.actions import consent, members, passwords, sessions, studies, tokens, users
from accounts.actions.names import NameTakenError
from accounts.models import ApiToken, Consent, Role, SecondFactor, User
from accounts.permissions import NotAllowedError, roles
from annotation.actions import pauses
from annotation.models import Judgement
from audit.models import Event
from exports.personal_data import actions
from exports.personal_data.actions import ErasureError
from exports.releases import actions as release_actions
from exports.rows.judgements import judgement_rows
from jobs.actions import jobs
from tests.accounts.invitations import create_invitation
from tests.accounts.phones import Phone
from tests.annotation.desk import judge
from tests.blind.world import World, build, end_all
from tests.commands.command_calls import command_error, run_command
from tests.factories import BatchFactory, DatasetFactory, ItemFactory, StudyFactory, UserFactory
from tests.jobs.clients import client_of
from tests.parts import part

PASSWORD = "brass-lamp-1811"


@pytest.fixture
def root(db) -> User:
    return UserFactory(username="root", is_superuser=True)


def erase(user: User, by: User) -> User:
    actions.erase(user=user, by=by)
    return User.objects.get(pk=user.pk)


def places_of(word: str) -> set[str]:
    """The columns of the database in which the word stands."""
    found = re.compile(rf"\b{re.escape(word)}\b")
    return {place for place, value in all_values() if found.search(str(value))}


def all_values() -> Iterator[tuple[str, Any]]:
    for model in apps.get_models():
        for row in model._base_manager.iterator():
            for field in model._meta.concrete_fields:
                yield f"{model._meta.label}.{field.attname}", getattr(row, field.attname)


def files_of(folder: Path) -> dict[str, bytes]:
    """The manifest has the number of the release, which is another one each time."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != "manifest.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


# What goes, what stays


@part
def ended(folder) -> World:
    """A study with something of everything, in whose batches nobody is at work any more."""
    world = build(folder)
    end_all(world)
    return world


@pytest.mark.database
def test_no_table_has_the_name_of_an_erased_annotator_and_releases_keep_every_byte(
    ended, tmp_path, root
):
    world, released = ended, ended.folder / "release"
    person, alice = world.persons["second"], world.persons["requester"]
    pauses.pause(batch=world.asked, annotator=person, reason="a rest", by=alice)
    passwords.make_password_link_for_anybody(user=person, by=root)
    given_out = files_of(released)
    judged = list(Judgement.objects.filter(assignment__annotator=person).values())
    assert {"accounts.User.username", "audit.Event.target", "audit.Event.details"} <= places_of(
        person.username
    )

    erase(person, root)

    assert places_of(person.username) == set()
    assert list(Judgement.objects.filter(assignment__annotator=person).values()) == judged
    assert files_of(released) == given_out
    assert person.username.encode() not in b"".join(given_out.values())
    release_actions.release(
        study=world.study, dataset=world.dataset, out=tmp_path / "again", by=alice
    )
    assert files_of(tmp_path / "again") == given_out


def test_no_table_has_the_name_of_an_erased_requester_or_adjudicator(ended, root):
    world = ended
    members.hand_over(study=world.study, to=root, by=root)
    for job in world.study.jobs.unfinished():
        jobs.cancel(job=job, by=root)
    n_events = Event.objects.count()
    assert "audit.Event.actor" in places_of("alice")

    for name in ("alice", "carol"):
        erase(User.objects.get(username=name), root)

        assert places_of(name) == set()
    assert (
        Event.objects.count() == n_events + 5
    )  # each: the role taken back, the erasure; and an invitation revoked


def test_the_trail_says_that_somebody_was_erased_by_whom_and_not_who(study, bob, root):
    person = erase(bob, root)

    event = Event.objects.get(verb="erased")
    assert (event.actor, event.target, event.study, event.details) == (
        "root",
        f"user erased-{person.pk}",
        "",
        {},
    )


def test_words_of_an_event_that_only_look_like_the_name_stay(study, alice, root):
    wren = UserFactory(username="plausible")
    about = {"study": study.slug, "verb": "adjudicated", "target": "item plausible"}
    Event.objects.create(actor="alice", details={"label": "plausible"}, **about)

    erase(wren, root)

    kept = Event.objects.get(verb="adjudicated")
    assert (kept.target, kept.details) == ("item plausible", {"label": "plausible"})


@pytest.mark.parametrize(
    ("name", "message", "after"),
    [
        ("e", "the table e has no rows", "the table e has no rows"),
        ("e", "alice is not requester in the study e", "alice is not requester in the study e"),
        ("e.", "e. is not requester in the study e", "{number} is not requester in the study e"),
        ("e", "e. is not requester", "e. is not requester"),
        (
            "e",
            "unexpected NotAllowedError: e is not e",
            "unexpected NotAllowedError: {number} is not e",
        ),
        ("e", "e is requester or adjudicator in x", "{number} is requester or adjudicator in x"),
    ],
)
def test_in_the_message_of_a_failed_job_only_the_name_of_who_was_refused_goes(
    study, root, name, message, after
):
    person = UserFactory(username=name)
    members.hand_over(study=study, to=person, by=root)
    job = jobs.start(study=study, kind="score", key="everyday", params={}, by=person)
    jobs.fail(job=job, message=message)

    erased = erase(person, root)

    job.refresh_from_db()
    assert job.message == after.format(number=erased.username)


def test_the_open_invitations_of_an_erased_person_end(study, alice, root):
    members.hand_over(study=study, to=root, by=root)
    invitation, _ = create_invitation(study, by=alice)

    erase(alice, root)

    invitation.refresh_from_db()
    assert invitation.revoked_by == root


def test_the_rows_that_every_figure_is_computed_from_stay_as_they_were(study, bob, dora, root):
    batch = BatchFactory(pool__dataset=DatasetFactory(study=study))
    for _ in range(2):
        ItemFactory(batch=batch)
    for person in (bob, dora):
        judge(batch, person)
    before = judgement_rows([batch])

    erase(bob, root)

    assert judgement_rows([batch]) == before


def test_consents_tokens_sessions_and_failed_sign_ins_are_gone(study, alice, bob, root):
    studies.describe_study(study=study, by=alice, consent="I take part.")
    consent.agree(study=study, text_sha256=consent.sha256("I take part."), by=bob)
    members.hand_over(study=study, to=root, by=root)
    tokens.make(name="nightly", days=9, by=alice)
    signed_in = client_of(alice)
    AccessAttempt.objects.create(username="alice", ip_address="192.0.2.1", failures_since_start=3)

    for person in (alice, bob):
        erase(person, root)

    assert not ApiToken.objects.exists()
    assert not Consent.objects.exists()
    assert not AccessAttempt.objects.exists()
    assert sessions.of_user(alice) == []
    assert signed_in.get(reverse("account")).status_code == 302


def test_nobody_signs_in_as_an_erased_person_nor_takes_their_number(study, bob, root):
    bob.set_password(PASSWORD)
    bob.save()
    link = passwords.link_token(bob, by_administrator=True)

    person = erase(bob, root)

    for name in ("bob", person.username):
        assert not Client().login(username=name, password=PASSWORD)
    with pytest.raises(passwords.LinkEndedError):
        passwords.user_of_link(link)
    with pytest.raises(NameTakenError, match="were erased"):
        users.create_user(name="Erased-7", password=None)
    with pytest.raises(users.AccessError, match="was erased"):
        users.reactivate(user=person, by=root)


def test_an_erased_person_has_no_role_and_gets_none(study, alice, bob, root):
    person = erase(bob, root)

    assert roles(person, study) == set()
    with pytest.raises(NotAllowedError, match="was erased"):
        members.add_member(study=study, user=person, roles=[Role.ANNOTATOR], by=alice)
    people = client_of(alice).get(reverse("people", args=[study.slug])).content.decode()
    assert "bob" not in people
    assert person.username in people


def test_a_role_for_an_erased_person_is_refused_in_words(study, alice, bob, root):
    person = erase(bob, root)
    href = reverse("member_roles", args=[study.slug, person.memberships.get().pk])

    page = client_of(alice).post(href, {"roles": ["annotator"]}).content.decode()

    assert "was erased and gets no role any more" in page


def test_nobody_chooses_a_name_of_erased_people_on_a_page(root):
    page = client_of(root).post(reverse("user_new"), {"name": "erased-9"}).content.decode()

    assert "No name begins with erased-" in page


def test_erasing_again_changes_nothing(study, bob, root):
    person = erase(bob, root)
    n_events = Event.objects.count()

    assert not actions.erase(user=person, by=root)

    assert Event.objects.count() == n_events


def test_an_erasure_that_breaks_off_changes_nothing(study, bob, root, monkeypatch):
    def refuse(*args, **kwargs):
        raise RuntimeError("the machine was turned off")

    monkeypatch.setattr(actions, "_rename_in_failed_jobs", refuse)
    before = list(all_values())

    with pytest.raises(RuntimeError):
        actions.erase(user=bob, by=root)

    assert list(all_values()) == before


# Refusals


def test_the_last_administrator_stays(root):
    UserFactory(username="away", is_superuser=True, is_active=False)

    with pytest.raises(ErasureError, match="root is the last administrator: make somebody else"):
        actions.erase(user=root, by=root)


def test_the_only_requester_of_studies_hands_them_over_first(study, alice, root):
    StudyFactory(slug="bridges", created_by=alice)

    with pytest.raises(ErasureError, match="alice is the only requester of bridges, lighthouses:"):
        actions.erase(user=alice, by=root)

    for each in alice.studies_created.all():
        members.hand_over(study=each, to=root, by=root)
    assert erase(alice, root).is_erased


def test_whose_work_is_not_done_waits_for_it(study, alice, root):
    members.hand_over(study=study, to=root, by=root)
    jobs.start(study=study, kind="score", key="everyday", params={}, by=alice)

    with pytest.raises(ErasureError, match=r"not done \(score everyday in lighthouses\)"):
        actions.erase(user=alice, by=root)


def test_simulated_people_are_nobody_to_erase(root):
    with pytest.raises(ErasureError, match="is simulated"):
        actions.erase(user=UserFactory(is_simulated=True), by=root)


def test_only_administrators_erase(study, alice, bob):
    with pytest.raises(NotAllowedError, match="alice is not administrator"):
        actions.erase(user=bob, by=alice)


def test_a_requester_who_is_deactivated_is_no_other_requester(study, alice, carol, root):
    members.add_member(study=study, user=carol, roles=[Role.REQUESTER], by=alice)
    User.objects.filter(pk=carol.pk).update(is_active=False)

    with pytest.raises(ErasureError, match="alice is the only requester of lighthouses"):
        actions.erase(user=alice, by=root)


def test_who_was_deactivated_meanwhile_erases_nobody(study, bob, root):
    User.objects.filter(pk=root.pk).update(is_active=False)

    with pytest.raises(NotAllowedError, match="root is not administrator"):
        actions.erase(user=bob, by=root)


# The page


def erase_on_page(root, person, name):
    href = reverse("user_erase", args=[person.pk])
    return client_of(root).post(href, {"name": name}, follow=True).content.decode()


def test_the_page_erases_once_the_name_was_typed(study, bob, root):
    page = erase_on_page(root, bob, "bob")

    assert f"the user is called erased-{bob.pk} now" in page
    assert User.objects.get(pk=bob.pk).is_erased
    assert "Reactivate" not in page


@pytest.mark.parametrize("typed", ["", "Bob", "bob ", "alice"])
def test_another_name_erases_nobody(study, bob, root, typed):
    page = erase_on_page(root, bob, typed)

    assert "Erase bob" in page
    assert User.objects.filter(username="bob", is_active=True).exists()


def test_the_page_says_at_once_what_stands_against_it(study, alice, root):
    page = client_of(root).get(reverse("user_erase", args=[alice.pk])).content.decode()

    assert "alice is the only requester of lighthouses" in page
    assert 'name="name"' not in page
    assert "only requester" in erase_on_page(root, alice, "alice")
    assert User.objects.filter(username="alice").exists()


def test_nobody_erases_themselves_on_the_page(root):
    UserFactory(is_superuser=True)

    assert "You cannot erase yourself" in erase_on_page(root, root, "root")
    assert "Erase root" not in client_of(root).get(reverse("house")).content.decode()


def test_the_list_of_users_shows_who_was_erased_apart_from_who_is_deactivated(study, bob, root):
    person = erase(bob, root)

    def listed(kind):
        page = client_of(root).get(reverse("house"), {"users_kind": kind}).content.decode()
        return person.username in page

    assert listed("erased")
    assert not listed("deactivated")
    assert erase_on_page(root, person, "bob").count("was erased already") == 1


# Commands


def test_the_command_erases_in_the_name_of_the_only_administrator(study, bob, root):
    said = run_command("erase_user", "bob")

    assert said == {"user": f"erased-{bob.pk}", "erased": True}
    assert run_command("erase_user", said["user"])["erased"] is False
    assert Event.objects.get(verb="erased").actor == "root"


def test_the_command_asks_which_administrator_does_it(study, bob, root):
    UserFactory(username="sam", is_superuser=True)

    assert (
        command_error("erase_user", "bob") == "say by --by which administrator does it: root, sam"
    )
    assert "alice is not administrator" in command_error("erase_user", "bob", "--by", "alice")
    assert run_command("erase_user", "root", "--by", "root")["erased"]
    assert "root" not in Event.objects.values_list("actor", flat=True)


def test_without_an_administrator_the_command_says_how_to_make_one(study, bob):
    assert "create_user --administrator" in command_error("erase_user", "bob")


def test_users_are_deactivated_and_reactivated_by_commands(study, bob, root):
    bob.set_password(PASSWORD)
    bob.save()

    assert run_command("deactivate_user", "bob") == {"user": "bob", "can_sign_in": False}
    assert not Client().login(username="bob", password=PASSWORD)
    assert run_command("reactivate_user", "bob") == {"user": "bob", "can_sign_in": True}
    assert Client().login(username="bob", password=PASSWORD)
    assert "cannot deactivate yourself" in command_error("deactivate_user", "root")


def test_the_second_factor_goes_with_its_person(study, bob, root):
    Phone(bob)

    erase(bob, root)

    assert not SecondFactor.objects.exists()
