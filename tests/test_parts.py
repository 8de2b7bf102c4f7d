"""Parts: exactly what a test asks for stands when it begins, whatever the tests before it did."""

import pytest

from accounts.models import Study, User
from tests.factories import StudyFactory, UserFactory
from tests.parts import Parts

PARTS = Parts()
world = PARTS.world()
built: list[str] = []


@PARTS.fixture
def owner() -> User:
    built.append("owner")
    return UserFactory(username="owner")


@PARTS.fixture
def owned(owner: User) -> Study:
    built.append("owned")
    return StudyFactory(slug="owned", created_by=owner)


@PARTS.fixture
def alone() -> User:
    return UserFactory(username="alone")


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_one_test_changes_another_does_not_see(owned, owner, time):
    assert (owned.title, Study.objects.get().title) == ("A study", "A study")
    assert owned.created_by is owner
    assert built.count("owned") == 1

    owned.title = owner.username = "changed"
    owned.save()
    StudyFactory(slug=time)


def test_only_what_is_asked_for_and_what_it_needs_is_there(alone):
    assert (User.objects.get(), Study.objects.count()) == (alone, 0)


@pytest.mark.django_db(transaction=True)
def test_rows_are_there_without_a_transaction_around_the_test(owned):
    assert Study.objects.get().created_by == owned.created_by


def test_a_test_that_asks_for_no_part_has_nothing(db):
    assert not User.objects.exists()


def test_the_order_in_which_parts_are_asked_for_makes_no_difference():
    assert PARTS.needed(["owned", "alone"]) == PARTS.needed(["alone", "owner", "owned", "other"])


def test_a_part_may_be_made_otherwise_in_a_module():
    inner = Parts(PARTS)

    @inner.fixture
    def owner() -> None: ...

    assert inner.makers["owner"] is not PARTS.makers["owner"]
    assert inner.needed(["owned"]) == ("owner", "owned")
