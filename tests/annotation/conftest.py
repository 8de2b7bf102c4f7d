import pytest

from accounts.models import Study, User
from annotation.models import Batch, Item
from tests.annotation import judged_batches
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part


@pytest.fixture
def batch(study: Study) -> Batch:
    """An open batch in which every item is to be judged twice, each claim within ten minutes."""
    return BatchFactory(pool__dataset__study=study, judgements_per_item=2, claim_seconds=600)


@pytest.fixture
def item(batch: Batch) -> Item:
    return ItemFactory(batch=batch, position=1)


@pytest.fixture
def items(batch: Batch) -> list[Item]:
    return [ItemFactory(batch=batch, position=position) for position in (1, 2, 3)]


@part
def judged_batch(study: Study, alice: User, bob: User, dora: User) -> judged_batches.JudgedBatch:
    return judged_batches.create_judged_batch(study, alice, bob, dora)
