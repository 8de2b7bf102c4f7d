import pytest

from accounts.models import Study
from annotation.models import Batch, Item
from tests.factories import BatchFactory, ItemFactory


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
