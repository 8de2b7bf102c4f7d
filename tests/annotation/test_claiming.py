"""What is promised of claims: annotation/actions/claiming.py."""

from annotation.actions import claiming
from tests.factories import BatchFactory, ItemFactory


def test_claim_hands_out_the_items_in_the_batchs_order(study, bob):
    batch = BatchFactory(pool__dataset__study=study)
    items = [ItemFactory(batch=batch) for _ in range(3)]

    claimed = claiming.claim(batch=batch, by=bob, n=3)

    assert [assignment.item for assignment in claimed] == items
