"""Others' labels are the same words for everybody, so no word gives them away: only a difference between two
worlds would. tests/test_blindness.py looks for words."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse

from annotation.models import Batch, Judgement
from tests.annotation.desk_pages import address
from tests.blind.at_the_desk import at_the_desk
from tests.blind.table import ANNOTATOR
from tests.blind.world import build
from tests.crawling import Crawler
from tests.parts import part

pytestmark = pytest.mark.each_landing

AGREEING = {
    "asked": ("plausible", ""),
    "disputed": ("plausible", "plausible"),
    "trained": ("plausible", ""),
}
DISPUTING = {
    "asked": ("malformed", ""),
    "disputed": ("malformed", "implausible"),
    "trained": ("implausible", ""),
}


@dataclass(frozen=True)
class Disputing:
    """A world in which others dispute."""

    got: list[str]  # by the annotator
    said: dict[str, object]  # of comparisons by somebody else, by scheme


@part
def disputing(folder: Path) -> Disputing:
    """Both tests compare it with another world."""
    with time_machine.travel("2026-03-02 09:00Z", tick=False):
        return Disputing(*what_an_annotator_gets(folder / "disputing", said=DISPUTING, seed=12))


@time_machine.travel("2026-03-02 09:00Z", tick=False)
def test_what_others_say_changes_nothing_of_what_an_annotator_gets(disputing, tmp_path):
    got, said = what_an_annotator_gets(tmp_path / "agreeing", said=AGREEING, seed=1)

    assert len(got) > 50
    assert got == disputing.got
    assert not [scheme for scheme in said if said[scheme] == disputing.said[scheme]]


@time_machine.travel("2026-03-02 09:00Z", tick=False)
def test_the_order_of_the_runs_changes_nothing_of_what_an_annotator_gets(disputing, tmp_path):
    """So no page has it."""
    backwards = {"said": DISPUTING, "seed": 12, "runs_backwards": True}

    got, _ = what_an_annotator_gets(tmp_path / "backwards", **backwards)

    assert got == disputing.got


def what_an_annotator_gets(folder, **how) -> tuple[list[str], dict[str, object]]:
    """And what somebody else had said of comparisons, by scheme."""
    folder.mkdir()
    with transaction.atomic():
        world = build(folder, **how)
        said = {each.scheme: said_in(each) for each in world.compared}
        bob = Crawler(world.persons[ANNOTATOR])
        at_the_desk(bob, world)
        own_pages = ("/work/", address("desk_recent", world.asked), reverse("own_data"))
        for href in (*own_pages, address("desk", world.judged)):
            bob.get(href)
        transaction.set_rollback(True)
    return [alike(f"{reply}\n{reply.sent}") for reply in bob.replies], said


def said_in(batch: Batch) -> object:
    return Judgement.objects.get(assignment__item__batch=batch).response


def alike(text: str) -> str:
    """Without what is another one each time: random ids and tokens, keys in addresses and their length."""
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", text)
    text = re.sub(r'(csrfmiddlewaretoken" value|csrftoken|client_id" value)="?\w+', r"\1=T", text)
    text = re.sub(r'"csrf": "\w+"', "CSRF", text)
    text = re.sub(r"sessionid=\w+|messages=[^;]*|Content-Length: \d+|X-Request-Id: \w+", "", text)
    return re.sub(r"/(desk|batches)/\d+/", r"/\1/N/", text)
