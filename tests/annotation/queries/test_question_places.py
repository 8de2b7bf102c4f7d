"""What is promised of the place of an item among those with the same question."""

import pytest
from django.db import connection

from annotation.queries.question_places import positions_of, question_places
from tests.factories import BatchFactory, ItemFactory


def test_a_place_is_among_the_items_of_the_batch_with_the_same_question(batch):
    second = ItemFactory(batch=batch, position=7)
    first = ItemFactory(batch=batch, position=3, turn=second.turn)
    ItemFactory(batch=BatchFactory(pool=batch.pool), position=1, turn=second.turn)

    assert question_places(batch, [first, second]) == {
        first.pk: "Answer 1 of 2 to this question",
        second.pk: "Answer 2 of 2 to this question",
    }


def test_the_only_item_of_its_question_has_no_place(batch, item):
    assert question_places(batch, [item]) == {item.pk: ""}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL goes by what tables hold")
def test_a_place_is_found_without_going_through_the_batch(item):
    assert "annotation_item_turn_id" in positions_of([item.turn_id]).explain()
