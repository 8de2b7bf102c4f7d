"""A batch with one item on which bob and dora disagree, and programs of the cast."""

from collections.abc import Callable

import pytest

from accounts.models import User
from annotation.actions import batches, settlement
from annotation.models import Assignment, Batch, Item
from tests.annotation.desk import judge
from tests.api.programs import Program
from tests.factories import BatchFactory, DatasetFactory, ItemFactory


@pytest.fixture
def program() -> Callable[[User | None], Program]:
    return Program


@pytest.fixture
def batch(study) -> Batch:
    return BatchFactory(pool__dataset=DatasetFactory(study=study))


@pytest.fixture
def item(batch) -> Item:
    return ItemFactory(batch=batch)


@pytest.fixture
def judged(item, batch, bob, dora) -> list[Assignment]:
    """Bob's and dora's."""
    return [
        judge(batch, who, label).assignment
        for who, label in ((bob, "plausible"), (dora, "malformed"))
    ]


@pytest.fixture
def disputed(judged, batch, item, alice) -> Item:
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    item.refresh_from_db()
    return item
