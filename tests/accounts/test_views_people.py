"""The people of a study, for its requesters: accounts/views/people.py."""

import pytest
from django.urls import reverse

from accounts.actions import members, passwords, studies
from accounts.models import Role, User
from accounts.permissions import roles
from tests.conftest import member
from tests.factories import UserFactory
from tests.jobs.clients import client_of


@pytest.fixture
def robots(study, alice) -> list[User]:
    made = [UserFactory(username=f"robot{n}", is_simulated=True) for n in range(3)]
    for robot in made:
        members.add(study=study, user=robot, roles=[Role.ANNOTATOR], by=alice)
    return made


def page(alice, study, **asked):
    return client_of(alice).get(reverse("people", args=[study.slug]), asked).content.decode()


def roles_href(study, person):
    return reverse("member_roles", args=[study.slug, study.memberships.get(user=person).pk])


def link_href(study, person):
    return reverse("member_password_link", args=[study.slug, study.memberships.get(user=person).pk])


def test_the_page_names_the_members_with_pseudonym_and_roles(study, alice, bob, carol):
    said = page(alice, study)

    for words in ("p0001", "p0003", "bob", "carol", "adjudicator", "never"):
        assert words in said


def test_simulated_people_are_shown_only_to_who_asks_for_them(study, alice, bob, robots):
    assert "robot1" not in page(alice, study)
    assert "robot1" not in page(alice, study, q="robot")

    said = page(alice, study, who="simulated")
    assert "robot1" in said
    assert ">bob<" not in said


def test_people_are_found_by_name_and_by_role(study, alice, bob, carol):
    assert "carol" not in page(alice, study, q="BO")
    found = page(alice, study, role="adjudicator")
    assert "carol" in found
    assert "Roles of bob" not in found


def test_who_has_lost_every_role_is_still_listed(study, alice, bob):
    members.withdraw(membership=study.memberships.get(user=bob), roles=[Role.ANNOTATOR], by=alice)

    assert "Roles of bob" in page(alice, study, role="none")


def test_no_list_of_people_is_empty_without_a_sentence(study, alice):
    assert "Nobody in this study matches" in page(alice, study, q="nobody like that")


def test_a_long_list_takes_no_more_queries(study, alice, django_assert_max_num_queries):
    def n_queries():
        with django_assert_max_num_queries(100) as asked:
            page(alice, study)
        return len(asked)

    few = n_queries()
    for n in range(30):
        member(study, f"person{n:02d}", Role.ANNOTATOR, Role.ADJUDICATOR, by=alice)

    assert n_queries() == few


# Roles


def test_roles_are_granted_and_taken_back(study, alice, bob):
    sent = client_of(alice).post(roles_href(study, bob), {"roles": ["adjudicator"]}, follow=True)

    assert roles(bob, study) == {Role.ADJUDICATOR}
    assert "bob holds now: adjudicator." in sent.content.decode()


def test_the_form_shows_what_is_held(study, alice, bob):
    said = client_of(alice).get(roles_href(study, bob)).content.decode()

    assert said.count(" checked") == 1


def test_nothing_ticked_takes_every_role(study, alice, bob):
    sent = client_of(alice).post(roles_href(study, bob), {}, follow=True)

    assert roles(bob, study) == set()
    assert "bob holds now: no role." in sent.content.decode()


def test_the_last_requester_is_told_why_the_role_stays(study, alice):
    said = client_of(alice).post(roles_href(study, alice), {}).content.decode()

    assert "alice is the last requester of the study lighthouses" in said
    assert roles(alice, study) == {Role.REQUESTER}


def test_who_lays_the_role_down_goes_where_they_may_be(study, alice):
    member(study, "frieda", Role.REQUESTER, by=alice)

    sent = client_of(alice).post(roles_href(study, alice), {"roles": ["adjudicator"]})

    assert sent["Location"] == reverse("home")


def test_a_role_that_is_none_is_refused(study, alice, bob):
    said = client_of(alice).post(roles_href(study, bob), {"roles": ["emperor"]}).content.decode()

    assert "emperor" in said
    assert roles(bob, study) == {Role.ANNOTATOR}


def test_simulated_people_have_no_such_pages(study, alice, robots):
    for href in (roles_href(study, robots[0]), link_href(study, robots[0])):
        assert client_of(alice).get(href).status_code == 404
        assert client_of(alice).post(href).status_code == 404


# Links to set a password


def test_a_link_is_made_by_asking_for_it_and_shown_once(study, alice, bob):
    requester, href = client_of(alice), link_href(study, bob)
    assert "/password/" not in requester.get(href).content.decode()

    said = requester.post(href, follow=True).content.decode()
    token = said.partition("http://testserver/password/")[2].partition("/")[0]
    assert passwords.user_of_link(token) == bob

    assert "/password/" not in requester.get(href).content.decode()


def test_a_link_is_shown_to_nobody_else(study, alice, bob):
    second = member(study, "frieda", Role.REQUESTER, by=alice)
    client_of(alice).post(link_href(study, bob))

    assert "/password/" not in client_of(second).get(link_href(study, bob)).content.decode()


def test_where_a_requester_may_not_the_page_says_why_and_makes_none(study, alice, bob, mallory):
    elsewhere = studies.create_study(slug="lamps", title="Lamps", requester=mallory)
    members.add(study=elsewhere, user=bob, roles=[Role.ADJUDICATOR], by=mallory)
    requester, href = client_of(alice), link_href(study, bob)

    for said in (requester.get(href), requester.post(href, follow=True)):
        assert "bob is in another study too" in said.content.decode()
        assert "/password/" not in said.content.decode()


def test_an_administrator_who_is_requester_is_led_to_where_they_may(study, alice, carol):
    User.objects.filter(pk=alice.pk).update(is_superuser=True)

    page = client_of(alice).get(link_href(study, carol)).content.decode()

    assert "carol has roles besides annotator" in page
    assert reverse("user_password_link", args=[carol.pk]) in page
