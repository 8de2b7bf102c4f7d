import pytest

from accounts.actions import people
from accounts.actions.people import LastRequesterError
from accounts.models import Role


def test_the_requesters_of_another_study_do_not_count(study, alice):
    people.create_study(slug="towers", title="Towers", requester=alice)
    membership = study.memberships.get(user=alice)

    with pytest.raises(LastRequesterError):
        people.take_back(membership=membership, roles=[Role.REQUESTER])
