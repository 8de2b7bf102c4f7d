"""Who may still be handed an item: annotation/queries/item_takers.py."""

import pytest

from annotation.queries import item_takers
from tests.annotation.desk import claim_one, submit


@pytest.mark.database
def test_more_items_than_a_statement_takes_values_are_counted(batch, item, bob):
    claim = claim_one(batch, bob)
    submit(claim)
    more = {item.pk} | set(range(1_000_000, 1_070_000))

    assert item_takers.n_handed(batch, {bob.pk}, more) == {item.pk: 1}
