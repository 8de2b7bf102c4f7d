import pytest

from accounts.actions import members, studies
from accounts.actions.members import LastRequesterError
from accounts.models import Role, User


def test_the_requesters_of_another_study_do_not_count(study, alice):
    studies.create_study(slug="towers", title="Towers", requester=alice)
    membership = study.memberships.get(user=alice)

    with pytest.raises(LastRequesterError):
        members.withdraw(membership=membership, roles=[Role.REQUESTER], by=alice)


def test_a_requester_who_is_deactivated_does_not_count(study, alice, carol):
    members.add_member(study=study, user=carol, roles=[Role.REQUESTER], by=alice)
    User.objects.filter(pk=carol.pk).update(is_active=False)
    membership = study.memberships.get(user=alice)

    with pytest.raises(LastRequesterError):
        members.withdraw(membership=membership, roles=[Role.REQUESTER], by=alice)


def test_other_roles_are_taken_back_where_every_requester_is_deactivated(study, alice, bob):
    User.objects.filter(pk=alice.pk).update(is_active=False)
    membership = study.memberships.get(user=bob)

    members.withdraw(membership=membership, roles=[Role.ANNOTATOR], by=alice)

    assert not membership.grants.exists()
