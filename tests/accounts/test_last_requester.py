import pytest

from accounts.actions import members, studies
from accounts.actions.members import LastRequesterError
from accounts.models import Role


def test_the_requesters_of_another_study_do_not_count(study, alice):
    studies.create_study(slug="towers", title="Towers", requester=alice)
    membership = study.memberships.get(user=alice)

    with pytest.raises(LastRequesterError):
        members.withdraw(membership=membership, roles=[Role.REQUESTER], by=alice)
