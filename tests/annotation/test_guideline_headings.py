"""A guideline has headings of its own: wherever it is shown, the page has one first heading and skips no level."""

import re
from itertools import pairwise

import pytest
from django.urls import reverse

from annotation.actions import guideline_readings
from tests.annotation.desk_pages import address, client_of
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory

TEXT = "# Kindness\n\nBe kind.\n\n### Odd cases\n\nNone.\n\n# Grammar\n\nNever mind it.\n"


@pytest.fixture
def batch(study):
    made = BatchFactory(
        pool__dataset__study=study, guideline=GuidelineFactory(study=study, text=TEXT)
    )
    ItemFactory(batch=made)
    return made


def headings(page) -> list[tuple[int, str]]:
    assert page.status_code == 200
    found = re.findall(r"<h([1-6])\b[^>]*>(.*?)</h\1>", page.content.decode(), re.DOTALL)
    return [(int(level), " ".join(words.split())) for level, words in found]


def check(page) -> list[tuple[int, str]]:
    found = headings(page)
    levels = [level for level, _ in found]
    assert levels.count(1) == 1, found
    assert levels[0] == 1, found
    assert all(b <= a + 1 for a, b in pairwise(levels)), found
    kindness, odd, grammar = (
        next(level for level, said in found if said == words)
        for words in ("Kindness", "Odd cases", "Grammar")
    )
    assert (odd, grammar) == (kindness + 1, kindness)
    return found


def test_before_the_first_item(batch, bob):
    check(client_of(bob).get(address("desk_guidelines", batch)))


def test_on_the_desk(batch, bob):
    guideline_readings.confirm(batch=batch, by=bob)

    check(client_of(bob).get(address("desk", batch)))


@pytest.mark.parametrize("name", ["batch", "batch_preview"])
def test_on_the_requester_s_pages(batch, alice, name):
    check(client_of(alice).get(address(name, batch)))


def test_while_it_is_written(study, batch, alice):
    sent = {"name": "b", "scheme": "plausibility", "pool": batch.pool_id, "guideline": TEXT}

    check(client_of(alice).post(reverse("batch_new", args=[study.slug]), {**sent, "preview": "1"}))


def test_beside_an_item_that_is_settled(batch, carol):
    item = batch.items.get()

    check(client_of(carol).get(reverse("item", args=[batch.study.slug, item.public_id])))
