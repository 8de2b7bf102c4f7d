"""The administrators' pages: accounts/views/site_administration.py."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions import invitations, members, passwords, tokens, users
from accounts.models import Role, User
from accounts.permissions import NotAllowedError, roles
from audit.models import Event
from tests.accounts.invitations import create_invitation
from tests.factories import StudyFactory, UserFactory
from tests.jobs.clients import client_of


@pytest.fixture
def root(db) -> User:
    return UserFactory(username="root", is_superuser=True)


def page(root, **asked):
    return client_of(root).get(reverse("house"), asked).content.decode()


def test_users_and_studies_are_listed(root, study, bob):
    said = page(root)

    for words in ("bob", "administrator", "Lighthouses", "alice"):
        assert words in said


def test_users_are_found_by_name_and_kind_and_studies_by_title(root, study, bob):
    StudyFactory(title="Bridges")

    assert "Password link for alice" not in page(root, users_q="bob")
    assert "Password link for bob" not in page(root, users_kind="administrator")
    found = page(root, studies_q="bridg")
    assert "Hand over Bridges" in found
    assert "Hand over Lighthouses" not in found
    assert "Password link for bob" in found


def test_simulated_people_are_shown_only_to_who_asks_for_them(root):
    UserFactory(username="robot", is_simulated=True)

    assert "robot" not in page(root)
    assert "robot" in page(root, users_kind="simulated")


def test_no_list_is_empty_without_a_sentence(root):
    assert "There is no study yet" in page(root)
    assert "No user matches" in page(root, users_q="nobody like that")
    StudyFactory()
    assert "No study matches" in page(root, studies_q="nothing like that")


def test_a_study_that_nobody_runs_any_more_is_marked(root, study, alice):
    study.memberships.all().delete()

    assert "nobody" in page(root)


def test_long_lists_take_no_more_queries(root, study, django_assert_max_num_queries):
    def n_queries():
        with django_assert_max_num_queries(100) as asked:
            page(root)
        return len(asked)

    few = n_queries()
    for _ in range(30):
        StudyFactory()

    assert n_queries() == few


# Users


def make(root, **sent):
    return client_of(root).post(reverse("user_new"), {"name": "erin"} | sent, follow=True)


def token_on(page):
    return page.content.decode().partition("http://testserver/password/")[2].partition("/")[0]


def test_a_new_user_gets_a_link_to_set_a_password(root):
    made = make(root)

    erin = User.objects.get(username="erin")
    assert not erin.has_usable_password()
    assert not erin.is_superuser
    assert passwords.user_of_link(token_on(made)) == erin


def test_an_administrator_makes_administrators(root):
    make(root, is_administrator="on")

    assert User.objects.get(username="erin").is_superuser


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("root", "There is a user of this name already."),
        ("a b", "Use these characters only, and no spaces."),
        ("", "required"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_words(root, name, said):
    assert said in make(root, name=name).content.decode()
    assert User.objects.count() == 1


def test_a_link_for_anybody_is_shown_once(root, bob):
    administrator, href = client_of(root), reverse("user_password_link", args=[bob.pk])
    assert token_on(administrator.get(href)) == ""

    assert passwords.user_of_link(token_on(administrator.post(href, follow=True))) == bob

    assert token_on(administrator.get(href)) == ""


def test_there_is_no_link_for_simulated_people(root):
    robot = UserFactory(is_simulated=True)

    href = reverse("user_password_link", args=[robot.pk])

    assert client_of(root).get(href).status_code == client_of(root).post(href).status_code == 404


def deactivate(root, person):
    return client_of(root).post(reverse("user_deactivate", args=[person.pk]), follow=True)


def test_who_is_deactivated_is_shut_out_everywhere(root, study, alice):
    """Session, API token and password link end; nobody signs in with the password."""
    alice.set_password("brass-lamp-1811")
    alice.save()
    signed_in, link = client_of(alice), passwords.link_token(alice, by_administrator=True)
    _, token = tokens.make(name="nightly", days=9, by=alice)

    page = deactivate(root, alice).content.decode()

    assert "alice is deactivated." in page
    assert signed_in.get(reverse("account")).status_code == 302
    assert not Client().login(username="alice", password="brass-lamp-1811")
    assert tokens.valid_token(token) is None
    with pytest.raises(passwords.LinkEndedError):
        passwords.user_of_link(link)


def test_who_is_reactivated_signs_in_anew_and_keeps_their_roles(root, study, alice):
    alice.set_password("brass-lamp-1811")
    alice.save()
    before, (_, token) = client_of(alice), tokens.make(name="nightly", days=9, by=alice)
    deactivate(root, alice)

    client_of(root).post(reverse("user_reactivate", args=[alice.pk]))

    again = Client()
    assert again.login(username="alice", password="brass-lamp-1811")
    assert again.get(reverse("people", args=[study.slug])).status_code == 200
    assert before.get(reverse("account")).status_code == 302
    assert tokens.valid_token(token) is None


def test_a_deactivated_user_is_marked_and_found_and_has_no_password_link(root, study, bob, alice):
    deactivate(root, bob)

    found = page(root, users_kind="deactivated")

    assert "Reactivate bob" in found
    assert "Password link for alice" not in found
    href = reverse("user_password_link", args=[bob.pk])
    assert client_of(root).get(href).status_code == client_of(root).post(href).status_code == 404
    people = client_of(alice).get(reverse("people", args=[study.slug])).content.decode()
    assert "deactivated" in people


def test_nobody_deactivates_themselves_so_that_an_administrator_is_left(root):
    said = deactivate(root, root).content.decode()

    assert "you cannot deactivate yourself" in said
    assert User.objects.get(pk=root.pk).is_active


def test_an_act_that_changes_nothing_leaves_no_event(root, bob):
    for _ in range(2):
        deactivate(root, bob)
    for _ in range(2):
        client_of(root).post(reverse("user_reactivate", args=[bob.pk]))

    acts = Event.objects.filter(target="user bob", actor=root.username, study="")
    assert set(acts.values_list("verb", flat=True)) == {"deactivated", "reactivated"}
    assert acts.count() == 2


@pytest.mark.parametrize("act", [users.deactivate, users.reactivate])
def test_only_an_administrator_says_who_may_sign_in(alice, bob, act):
    with pytest.raises(NotAllowedError):
        act(user=bob, by=alice)


@pytest.mark.parametrize("act", [users.deactivate, users.reactivate])
def test_a_simulated_user_has_no_access_to_take_or_give(root, act):
    with pytest.raises(users.AccessError, match="robot is simulated"):
        act(user=UserFactory(username="robot", is_simulated=True), by=root)


# Studies


def hand_over(root, study, person):
    return client_of(root).post(reverse("study_requester", args=[study.slug]), {"person": person})


def test_a_study_is_handed_to_somebody(root, study, mallory):
    hand_over(root, study, "mallory")

    assert roles(mallory, study) == {Role.REQUESTER}


def test_an_administrator_has_no_say_in_a_study_before_and_says_so_by_taking_it(root, study):
    administrator, href = client_of(root), reverse("people", args=[study.slug])
    assert administrator.get(href).status_code == 404

    hand_over(root, study, "root")

    assert administrator.get(href).status_code == 200


@pytest.mark.parametrize("name", ["nobody", "robot", "", "x" * 151])
def test_a_study_is_not_handed_to_nobody(root, study, name):
    UserFactory(username="robot", is_simulated=True)

    assert "errorlist" in hand_over(root, study, name).content.decode()
    assert study.memberships.count() == 1


def test_a_study_that_is_not_there_is_not_found(root):
    assert client_of(root).get(reverse("study_requester", args=["none"])).status_code == 404


def test_whom_a_study_was_handed_to_sees_it_at_once(root, study, mallory):
    members.add(study=study, user=mallory, roles=[Role.ANNOTATOR], by=root)
    hand_over(root, study, "mallory")

    assert roles(mallory, study) == {Role.REQUESTER, Role.ANNOTATOR}
    assert client_of(mallory).get(reverse("people", args=[study.slug])).status_code == 200


def test_of_two_administrators_who_deactivate_each_other_one_is_left(root):
    other = UserFactory(username="sam", is_superuser=True)
    users.deactivate(user=other, by=root)

    # `other` as their own request had loaded them, before the first act was stored.
    with pytest.raises(NotAllowedError, match="sam is not administrator"):
        users.deactivate(user=root, by=other)

    assert User.objects.filter(is_superuser=True, is_active=True).get() == root


def test_the_open_invitations_of_a_deactivated_person_end_and_stay_ended(root, study, alice):
    invitation, token = create_invitation(study, by=alice)

    users.deactivate(user=alice, by=root)
    users.reactivate(user=alice, by=root)

    with pytest.raises(invitations.InvitationEndedError, match="taken back"):
        invitations.open_invitation(token)
    event = Event.objects.get(verb="revoked")
    assert (event.actor, event.study) == ("root", study.slug)
    assert event.target == f"invitation {invitation}"
