"""Blind: whatever somebody can fetch tells them nothing that the table keeps from them.

Secrets that stand nowhere else are planted (tests/blind/world.py); everything that a person can get is
fetched, from every address that there is to every answer of the desk; and nothing that leaves the server,
body, header, redirect or cookie, holds one that tests/blind/table.py keeps from that person.
"""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta

import pytest
import time_machine
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from annotation import schemes
from annotation.actions import claiming, judging
from annotation.models import Assignment, Batch, Judgement
from tests.access.table import address_of
from tests.annotation.desk import submission
from tests.annotation.desk_pages import address, filled, opened
from tests.annotation.sheets import first_part, hidden_fields
from tests.blind.table import ADJUDICATOR, ANNOTATOR, LEARNT, OUTSIDERS, TABLE, keeps
from tests.blind.world import (
    DISPUTED,
    SETTLED,
    World,
    adjudicate,
    build,
    end_all,
    parts_of_addresses,
    something_whole,
)
from tests.crawling import Crawler, Reply, api_patterns, patterns

# They end the session, and the crawl with it; or a dispute, and with it what is kept from who settles.
ENDING = {"sign_out", "sign_out_everywhere", "api_mark_correct"}
# What the API takes, so that its answers are read and not only its complaints.
API_SENDS = {
    "api_item_notes": {"text": "looked at"},
    "api_reviews": {
        **dict.fromkeys(("is_paid", "is_counted"), True),
        **dict.fromkeys(("paid_reason", "counted_reason"), "looked at"),
    },
}


@pytest.fixture
def world(db, tmp_path) -> World:
    return build(tmp_path)


def all_addresses(world: World) -> dict[str, str]:
    """Every address with everything that there is, by itself; the value is its name."""
    parts = parts_of_addresses(world)
    return {
        address_of(str(each.name), options): str(each.name)
        for each in [*patterns(), *api_patterns()]
        for options in parts[frozenset(each.pattern.converters)]
    }


def look_everywhere(person: Crawler, world: World) -> None:
    """Fetch all that there is and all that it leads to, then send an empty form to every address."""
    hrefs = all_addresses(world)
    person.crawl(["/", "/work/", *hrefs])
    for href, name in hrefs.items():
        if name not in ENDING:
            person.post(href)
        if name.startswith("api_") and name not in ENDING:
            person.send(href, API_SENDS.get(name, {}))
    person.crawl(["/work/?after"])  # messages of what was done
    person.post(reverse("sign_out"))


def found_out(
    world: World, who: str, replies: Iterable[Reply], told: tuple[int, ...] = ()
) -> list[str]:
    """Each secret that a reply gives away, with the promise that it breaks. Who asks for an address
    that holds one knows it already."""
    kept = [(each, keeps(who, each, told)) for each in world.secrets.all]
    broken = [(each.kind, each.word.lower(), sentence) for each, sentence in kept if sentence]
    return [
        f"{reply} tells the {kind} {word}. But: {sentence}"
        for reply, sent in ((each, each.sent.lower()) for each in replies)
        for kind, word, sentence in broken
        if says(sent, word) and word not in reply.asked.lower()
    ]


def says(text: str, word: str) -> bool:
    """A number that goes on is another one: .9947 is no .994, and neither is a fraction of a second."""
    return word in text and re.search(rf"{re.escape(word)}(?!\d)", text) is not None


def kinds_in(world: World, replies: Iterable[Reply]) -> set[str]:
    sent = "\n".join(reply.sent.lower() for reply in replies)
    return {each.kind for each in world.secrets.all if each.word.lower() in sent}


def at_the_desk(person: Crawler, world: World) -> None:
    """All that the desk ever answers: consent, guidelines, judging, and everything that goes wrong."""
    batch, bob = world.asked, world.persons[ANNOTATOR]
    consent = person.client.get(reverse("consent", args=[world.study.slug]))
    person.post(
        reverse("consent", args=[world.study.slug]), {"text": consent.context["sha256"], "next": ""}
    )
    for each in (batch, world.led_on):
        person.get(address("desk", each))
        person.get(address("desk_guidelines", each))
        person.post(address("desk_guidelines", each))
    person.get(f"{address('desk', batch)}?item={world.control.public_id}")

    page = opened(person.client, batch)
    held = page.context["assignment"]
    submit = address("desk_submit", batch, held)
    person.get(address("desk", batch))
    person.post(submit, filled(page, label=""))
    person.post(submit, filled(page) | {"client_id": ""})
    person.post(address("desk_flag", batch, held), {"message": "Which lighthouse?"})
    sent = filled(page)
    assert person.post(submit, sent).status == 302
    assert person.post(submit, sent | {batch.scheme: "malformed"}).status == 409
    assert person.post(submit, filled(page) | {"client_id": "another"}).status == 409
    person.post(address("desk_skip", batch, held), {"reason": "too late for that"})
    person.post(address("desk_take_back", batch, held))
    person.post(submit, sent)  # a page from before
    person.post(submit, filled(opened(person.client, batch)))

    skipped = opened(person.client, batch).context["assignment"]
    person.get(address("desk_skip", batch, skipped))
    person.post(address("desk_skip", batch, skipped), {"reason": "not my language"})
    person.post(address("desk_submit", batch, skipped), sent | {"client_id": "skipped"})

    page = opened(person.client, batch)
    late = page.context["assignment"]
    claiming.expire_lapsed(batch=batch, now=timezone.now() + timedelta(days=1))
    while held := claiming.claim(batch=batch, by=world.persons["third"]):
        judging.submit(assignment=held[0], submission=submission(), by=held[0].annotator)
    person.post(address("desk_submit", batch, late), filled(page))
    late.refresh_from_db()
    assert late.judgements.get().is_surplus

    while "assignment" in (page := person.client.get(address("desk", batch))).context:
        person.post(address("desk_submit", batch, page.context["assignment"]), filled(page))
    assert "left" in page.context  # the end page
    person.get(address("desk", batch))
    person.get(address("desk_recent", batch))
    for other in (world.led_on, *world.compared):
        judge(person, other)
    own = Judgement.objects.filter(assignment__annotator=bob)
    assert {each.assignment.item.batch.scheme for each in own} == set(schemes.names())
    others(person, world, bob.pk)


def judge(person: Crawler, batch: Batch) -> None:
    """An item, part by part without a script, sent again, taken back, and by the script's requests."""
    person.get(address("desk_guidelines", batch))
    person.post(address("desk_guidelines", batch))
    page = opened(person.client, batch)
    person.get(address("desk", batch))
    held = page.context["assignment"]
    submit = address("desk_submit", batch, held)
    sent = hidden_fields(page)
    assert person.post(submit, sent).status == 400
    said = something_whole(held)
    if batch.scheme == "rating":
        first = first_part(said)
        assert person.post(submit, sent | first).status == 200
    assert person.post(submit, sent | said | {"part": "2"}).status == 302
    person.get(address("desk", batch))
    person.get(address("desk_recent", batch))
    person.post(address("desk_take_back", batch, held))
    person.get(address("desk", batch))
    person.send(address("desk_feed", batch), {"wanted": 1})
    again = {"client_id": "again", "shown_at": sent["shown_at"], "part": "2"}
    assert person.post(submit, again | said).status == 302
    person.get(address("desk", batch))


def others(person: Crawler, world: World, own: int) -> None:
    """What was handed to other people, with forms that would be taken of them."""
    theirs = Assignment.objects.exclude(annotator=own).select_related("item__batch__study")
    for held in theirs.order_by("pk"):
        batch = held.item.batch
        person.get(f"{address('desk', batch)}?item={held.public_id}")
        sent = {"client_id": "x", "shown_at": "2026-03-02T09:00:00Z", batch.scheme: "plausible"}
        assert person.post(address("desk_submit", batch, held), sent).status == 403
        for name in ("desk_skip", "desk_flag", "desk_take_back"):
            said = {"reason": "mine", "message": "mine"}
            assert person.post(address(name, batch, held), said).status == 403


# The table and the world


def test_the_table_speaks_of_every_kind_of_secret(world):
    kept = {kind for line in TABLE for kind in line.kinds}

    assert kept | {"study elsewhere"} == {each.kind for each in world.secrets.all}


def test_whoever_organises_finds_every_secret_there_is(world):
    """Else a secret could be one because it was never planted."""
    end_all(world)
    alice = Crawler(world.persons["requester"], follows=lambda href: "sort=" not in href)

    alice.crawl(["/", *all_addresses(world)])

    planted = {each.kind for each in world.secrets.all} - {"study elsewhere"}
    assert kinds_in(world, alice.replies) >= planted


# The people


@pytest.mark.parametrize("who", OUTSIDERS)
def test_who_is_not_in_the_study_learns_nothing_of_it(world, who):
    end_all(world)
    person = Crawler(world.persons.get(who))

    look_everywhere(person, world)

    assert found_out(world, who, person.replies) == []


def test_an_annotator_at_work_learns_what_is_on_the_screen_and_no_more(world):
    bob = Crawler(world.persons[ANNOTATOR])

    at_the_desk(bob, world)
    look_everywhere(bob, world)

    assert found_out(world, ANNOTATOR, bob.replies) == []
    assert kinds_in(world, bob.replies) >= set(LEARNT[ANNOTATOR])


def test_an_annotator_learns_no_more_once_everything_is_settled_and_given_out(world):
    bob = Crawler(world.persons[ANNOTATOR])
    at_the_desk(bob, world)
    end_all(world)

    look_everywhere(bob, world)

    assert found_out(world, ANNOTATOR, bob.replies) == []


def test_an_adjudicator_learns_what_stands_behind_a_turn_once_nothing_about_it_is_open(world):
    first, second = world.disputes()

    def learns() -> list[Reply]:
        carol = Crawler(world.persons[ADJUDICATOR], follows=sorted_once(world))
        carol.crawl(["/", *all_addresses(world)])
        return carol.replies

    carol = Crawler(world.persons[ADJUDICATOR], follows=sorted_once(world))
    look_everywhere(carol, world)
    before = carol.replies
    assert found_out(world, ADJUDICATOR, before) == []
    assert kinds_in(world, before) >= set(LEARNT[ADJUDICATOR])
    assert behind(world, before, SETTLED) == {"run", "score", "reference"}

    adjudicate(world, first)
    assert found_out(world, ADJUDICATOR, learns()) == []

    adjudicate(world, second)
    after = learns()
    assert found_out(world, ADJUDICATOR, after, told=(DISPUTED,)) == []
    assert behind(world, after, DISPUTED) == {"run", "score", "reference"}


def sorted_once(world: World) -> Callable[[str], bool]:
    """However a list is sorted, it has the same rows. Each way to sort one is looked at once, in the batch that
    has disputes, and not again for every item, person and batch.
    """
    seen: set[str] = set()

    def follows(href: str) -> bool:
        if "sort=" not in href:
            return True
        kind = re.sub(r"[0-9a-f-]{36}|\d+", "N", href)
        is_elsewhere = "/batches/" in href and f"/batches/{world.judged.pk}/" not in href
        if is_elsewhere or kind in seen:
            return False
        seen.add(kind)
        return True

    return follows


def behind(world: World, replies: Iterable[Reply], turn: int) -> set[str]:
    """What these tell of that turn."""
    sent = "\n".join(reply.sent.lower() for reply in replies)
    kinds = {"run", "score", "reference"}
    return {
        each.kind
        for each in world.secrets.all
        if each.about == turn and each.kind in kinds and each.word.lower() in sent
    }


# Others' labels: the same words for everybody, so no word gives them away, only a difference would


@time_machine.travel("2026-03-02 09:00Z", tick=False)
def test_what_others_say_changes_nothing_of_what_an_annotator_gets(db, tmp_path):
    agreeing = {"asked": ("plausible", ""), "disputed": ("plausible", "plausible")}
    disputing = {"asked": ("malformed", ""), "disputed": ("malformed", "implausible")}

    one, said = what_an_annotator_gets(tmp_path / "one", said=agreeing, seed=1)
    other, said_too = what_an_annotator_gets(tmp_path / "other", said=disputing, seed=12)

    assert len(one) > 50
    assert one == other
    assert not [scheme for scheme in said if said[scheme] == said_too[scheme]]


@time_machine.travel("2026-03-02 09:00Z", tick=False)
def test_the_order_of_the_runs_changes_nothing_of_what_an_annotator_gets(db, tmp_path):
    """So no page has it."""
    (one, _), (other, _) = (
        what_an_annotator_gets(tmp_path / str(backwards), runs_backwards=backwards)
        for backwards in (False, True)
    )

    assert one == other


def what_an_annotator_gets(folder, **how) -> tuple[list[str], dict[str, object]]:
    """And what somebody else had said of comparisons, by scheme."""
    folder.mkdir()
    with transaction.atomic():
        world = build(folder, **how)
        said = {each.scheme: said_in(each) for each in world.compared}
        bob = Crawler(world.persons[ANNOTATOR])
        at_the_desk(bob, world)
        for href in ("/work/", address("desk_recent", world.asked), address("desk", world.judged)):
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
    text = re.sub(r"sessionid=\w+|messages=[^;]*|Content-Length: \d+", "", text)
    return re.sub(r"/(desk|batches)/\d+/", r"/\1/N/", text)
