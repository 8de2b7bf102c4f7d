"""The cast of tests/conftest.py as parts: tests.parts says how they are made."""

from accounts.actions import studies
from accounts.models import Role, Study, User
from tests.conftest import member
from tests.factories import UserFactory
from tests.parts import Parts

CAST = Parts()


@CAST.fixture
def alice() -> User:
    return UserFactory(username="alice")


@CAST.fixture
def study(alice: User) -> Study:
    return studies.create_study(slug="lighthouses", title="Lighthouses", requester=alice)


@CAST.fixture
def bob(study: Study, alice: User) -> User:
    return member(study, "bob", Role.ANNOTATOR, by=alice)


@CAST.fixture
def dora(study: Study, alice: User) -> User:
    return member(study, "dora", Role.ANNOTATOR, by=alice)


@CAST.fixture
def carol(study: Study, alice: User) -> User:
    return member(study, "carol", Role.ADJUDICATOR, by=alice)
