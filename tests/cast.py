"""The cast of tests/conftest.py in a world that is made once a module (tests/worlds.py).

    def build(folder):
        world = cast("bob", "dora")
        world.batch = BatchFactory(pool__dataset__study=world.study)
        return world

    made = made_once(build)
    world = copied()
    alice, study, bob, dora, batch = parts("alice", "study", "bob", "dora", "batch")

Whoever the world does not have, a test gets from tests/conftest.py, made for that test alone.
"""

import copy
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.actions import studies
from accounts.models import Role, Study
from tests.conftest import member
from tests.factories import UserFactory

ROLES = {"bob": Role.ANNOTATOR, "dora": Role.ANNOTATOR, "carol": Role.ADJUDICATOR}


def cast(*names: str) -> SimpleNamespace:
    """A world with alice, her study and these members of it."""
    alice = UserFactory(username="alice")
    study = studies.create_study(slug="lighthouses", title="Lighthouses", requester=alice)
    members = {name: member(study, name, ROLES[name], by=alice) for name in names}
    return SimpleNamespace(alice=alice, study=study, **members)


def copied() -> Any:
    """A fixture: what the module's `made` has made, copied for each test."""

    @pytest.fixture
    def world(db: None, made: Any) -> Any:
        return copy.deepcopy(made)

    return world


def parts(*names: str) -> list[Any]:
    """A fixture for each of these attributes of the module's `world`."""
    return [_part(name) for name in names]


def _part(name: str) -> Any:
    @pytest.fixture
    def part(world: Any) -> Any:
        return getattr(world, name)

    return part


def study_of(part: str) -> Any:
    """The fixture `study`: the world's for a test that looks at this part of it, else an empty one of alice's."""

    @pytest.fixture
    def study(request: pytest.FixtureRequest, world: Any) -> Study:
        if part in request.fixturenames:
            return world.study
        return studies.create_study(slug="empty", title="Nothing yet", requester=world.alice)

    return study
