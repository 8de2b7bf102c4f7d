"""Who may do what in a study: accounts/permissions.py."""

import pytest

from accounts import permissions
from accounts.models import Role, User
from accounts.permissions import NotAllowedError
from tests.cases import all_cases
from tests.conftest import member
from tests.factories import StudyFactory


@pytest.fixture
def cast(alice, bob, carol, mallory) -> dict[str, User]:
    return {person.username: person for person in (alice, bob, carol, mallory)}


ROLES = {
    "alice": {Role.REQUESTER},
    "bob": {Role.ANNOTATOR},
    "carol": {Role.ADJUDICATOR},
    "mallory": set(),
}


@pytest.mark.parametrize("name", ROLES)
def test_roles_are_those_that_were_given_in_the_study(study, cast, name):
    assert permissions.roles(cast[name], study) == ROLES[name]


@pytest.mark.parametrize("name", ROLES)
def test_roles_in_one_study_are_none_in_another(cast, name):
    assert permissions.roles(cast[name], StudyFactory()) == set()


@all_cases("name", ROLES)
@all_cases("wanted", [[Role.REQUESTER], [Role.ANNOTATOR, Role.ADJUDICATOR]])
def test_require_lets_pass_who_holds_one_of_the_wanted_roles(study, cast, name, wanted):
    if ROLES[name] & set(wanted):
        permissions.require(cast[name], study, *wanted)
        return
    with pytest.raises(NotAllowedError, match=f"{name} is not {' or '.join(wanted)} in the study"):
        permissions.require(cast[name], study, *wanted)


def test_who_annotates_and_nothing_else_has_a_desk(study, cast):
    permissions.require_desk(cast["bob"], study)

    for name in ("alice", "carol", "mallory"):
        with pytest.raises(NotAllowedError, match=f"{name} is not annotator"):
            permissions.require_desk(cast[name], study)


@pytest.mark.parametrize("more", [Role.REQUESTER, Role.ADJUDICATOR])
def test_who_may_see_what_a_judgement_must_not_know_has_no_desk(study, alice, more):
    both = member(study, "frieda", Role.ANNOTATOR, more, by=alice)

    with pytest.raises(NotAllowedError, match="therefore gets no desk there"):
        permissions.require_desk(both, study)


def test_a_desk_is_asked_for_with_one_query(study, bob, django_assert_num_queries):
    with django_assert_num_queries(1):
        permissions.require_desk(bob, study)
