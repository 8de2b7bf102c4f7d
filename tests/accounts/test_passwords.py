"""Links to set a password: accounts/actions/passwords.py."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.actions import members, passwords, sessions, studies, users
from accounts.actions.passwords import LinkEndedError, LinkRefusedError
from accounts.models import Role, RoleGrant, User
from tests.cases import all_cases
from tests.conftest import member
from tests.factories import UserFactory

NEW = "brass-lamp-1811"


@pytest.fixture(params=[True, False], ids=["an administrator's", "a requester's"])
def link(request):
    """The token of a link of either kind."""
    return lambda user: passwords.link_token(user, by_administrator=request.param)


def test_a_link_sets_the_password_of_the_person_it_was_made_for(bob, link):
    passwords.set_by_link(token=link(bob), password=NEW)

    bob.refresh_from_db()
    assert bob.check_password(NEW)


def test_a_link_works_once(bob, link):
    token = link(bob)
    passwords.set_by_link(token=token, password=NEW)

    with pytest.raises(LinkEndedError):
        passwords.set_by_link(token=token, password="other-lamp-1811")


def test_a_link_ends_after_a_day(bob, link):
    token = link(bob)

    with time_machine.travel(timezone.now() + timedelta(hours=23, minutes=59), tick=False):
        assert passwords.user_of_link(token) == bob
    with (
        time_machine.travel(timezone.now() + timedelta(hours=24, minutes=1), tick=False),
        pytest.raises(LinkEndedError),
    ):
        passwords.user_of_link(token)


def test_a_link_ends_with_a_new_password_and_with_a_sign_in(bob, client, link):
    before = link(bob)
    passwords.change(password=NEW, by=bob)
    after = link(bob)
    client.login(username="bob", password=NEW)

    for token in (before, after):
        with pytest.raises(LinkEndedError):
            passwords.user_of_link(token)


@pytest.mark.parametrize(
    "gain",
    [
        lambda bob, alice: User.objects.update(is_superuser=True),
        lambda bob, alice: studies.create_study(slug="lamps", title="Lamps", requester=bob),
        lambda bob, alice: RoleGrant.objects.filter(membership__user=bob).delete(),
    ],
    ids=["administrator", "requester", "no role"],
)
def test_a_requesters_link_ends_when_the_persons_rights_change(bob, alice, gain):
    """Or its maker would keep the key to what they have no say in."""
    token = passwords.link_token(bob, by_administrator=False)

    gain(bob, alice)

    with pytest.raises(LinkEndedError):
        passwords.user_of_link(token)


def test_an_administrators_link_outlives_a_new_role_for_they_may_make_another(bob):
    """A new user is given the link first, and a study then."""
    token = passwords.link_token(bob, by_administrator=True)

    studies.create_study(slug="lamps", title="Lamps", requester=bob)

    assert passwords.user_of_link(token) == bob


def test_no_link_opens_somebody_who_is_not_active_any_more(bob, link):
    token = link(bob)

    User.objects.update(is_active=False)

    with pytest.raises(LinkEndedError):
        passwords.user_of_link(token)


def test_a_link_that_ended_with_deactivation_stays_ended(bob, link):
    root = UserFactory(is_superuser=True)
    token = link(bob)
    users.deactivate(user=bob, by=root)
    users.reactivate(user=bob, by=root)

    with pytest.raises(LinkEndedError):
        passwords.user_of_link(token)


def test_a_link_ends_when_the_person_signs_out_everywhere(bob, link):
    token = link(bob)

    sessions.sign_out_everywhere(revoke_tokens=False, by=bob)

    with pytest.raises(LinkEndedError):
        passwords.user_of_link(token)


@all_cases(
    "token",
    ["", "-", "1", "1-", "x-y", "9" * 400 + "-a-b", "0-abc-def", "1-\x00", "\u0661-abc-def", "1-ą"],
)
def test_nonsense_is_no_link(bob, token):
    with pytest.raises(LinkEndedError):
        passwords.user_of_link(token)


def test_a_link_is_not_turned_to_somebody_else(bob, dora, link):
    token = link(bob)

    with pytest.raises(LinkEndedError):
        passwords.user_of_link(f"{dora.pk}-{token.partition('-')[2]}")


def test_no_link_opens_a_simulated_person(db, link):
    robot = UserFactory(is_simulated=True)

    with pytest.raises(LinkEndedError):
        passwords.user_of_link(link(robot))


# Whose password a requester may set


def allowed(maker, user, study):
    passwords.require_may_make_link(maker=maker, user=user, study=study)


def raises_refusal(sentence):
    return pytest.raises(LinkRefusedError, match=sentence)


def test_a_requester_makes_links_for_annotators(study, alice, bob):
    allowed(alice, bob, study)


@pytest.mark.parametrize("role", [Role.REQUESTER, Role.ADJUDICATOR])
def test_not_for_somebody_whose_decisions_would_bear_their_name(study, alice, role):
    """Nobody settles, adjudicates or asks as somebody else."""
    with raises_refusal("frieda has roles besides annotator"):
        allowed(alice, member(study, "frieda", Role.ANNOTATOR, role, by=alice), study)


def test_not_for_an_administrator(study, alice, bob):
    bob.is_superuser = True

    with raises_refusal("bob is an administrator"):
        allowed(alice, bob, study)


def test_not_for_a_simulated_person(study, alice):
    robot = UserFactory(username="robot", is_simulated=True)
    members.add(study=study, user=robot, roles=[Role.ANNOTATOR], by=alice)

    with raises_refusal("robot is simulated"):
        allowed(alice, robot, study)


def test_not_for_somebody_who_is_not_in_the_study_or_left_it(study, alice, bob, mallory):
    RoleGrant.objects.filter(membership__user=bob).delete()

    for person in (bob, mallory):
        with raises_refusal(f"{person.username} is not in the study lighthouses"):
            allowed(alice, person, study)


@pytest.mark.parametrize("role", Role)
def test_not_for_somebody_with_a_role_in_a_study_of_other_people(study, alice, bob, mallory, role):
    """Who adds a person to a study of their own must not become that person elsewhere."""
    elsewhere = studies.create_study(slug="lamps", title="Lamps", requester=mallory)
    members.add(study=elsewhere, user=bob, roles=[role], by=mallory)

    with raises_refusal("bob is in another study too"):
        allowed(alice, bob, study)


def test_to_annotate_in_the_other_study_does_not_make_one_its_requester(study, alice, bob, mallory):
    elsewhere = studies.create_study(slug="lamps", title="Lamps", requester=mallory)
    members.add(study=elsewhere, user=bob, roles=[Role.ANNOTATOR], by=mallory)
    members.add(study=elsewhere, user=alice, roles=[Role.ADJUDICATOR], by=mallory)

    with raises_refusal("bob is in another study too"):
        allowed(alice, bob, study)


def test_for_somebody_whose_other_studies_are_ones_own_too(study, alice, bob):
    second = studies.create_study(slug="lamps", title="Lamps", requester=alice)
    members.add(study=second, user=bob, roles=[Role.ANNOTATOR], by=alice)

    allowed(alice, bob, study)
