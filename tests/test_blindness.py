"""Blind: whatever somebody can fetch tells them nothing that the table keeps from them.

Secrets that stand nowhere else are planted (tests/blind/world.py); everything that a person can get is
fetched, from every address that there is to every answer of the desk; and nothing that leaves the server,
body, header, redirect or cookie, holds one that tests/blind/table.py keeps from that person.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest

import pytest
from django.urls import reverse

from annotation.actions import answer_sources
from annotation.review_decisions import ReviewError
from tests.access.table import PEOPLE, address_of
from tests.blind.at_the_desk import at_the_desk
from tests.blind.table import ADJUDICATOR, ANNOTATOR, LEARNT, OUTSIDERS, TABLE, keeps
from tests.blind.world import (
    DISPUTED,
    SETTLED,
    World,
    adjudicate,
    build,
    end_all,
    parts_of_addresses,
)
from tests.crawling import Crawler, Reply, api_patterns, methods_of, patterns
from tests.parts import part
from tests.test_permissions import ROWS

pytestmark = pytest.mark.each_landing

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


@dataclass(frozen=True)
class AfterTheDesk:
    """When the annotator has been led through all that the desk answers."""

    world: World
    replies: tuple[Reply, ...]  # to the annotator


@part
def world(folder) -> World:
    return build(folder)


@part
def ended(world: World) -> World:
    end_all(world)
    return world


@part
def of_each_page(ended: World) -> dict[str, tuple[Reply, ...]]:
    """Of each address, by its name, what whoever organises is told of two things, or of more where it is a page of
    few things only.
    """
    who = "requester"
    alice = Crawler(ended.persons[who], follows=lambda href: False)
    found = {}
    for name, hrefs in by_name(all_addresses(ended, who)).items():
        some = list(dict.fromkeys([hrefs[0], hrefs[len(hrefs) // 2]]))
        replies = [alice.get(href) for href in some]
        others = [] if is_closed_to(who, name) else [each for each in hrefs if each not in some]
        while others and all(each.status != 200 for each in replies):
            replies.append(alice.get(others.pop()))
        found[name] = tuple(replies)
    return found


@part
def after_the_desk(world: World) -> AfterTheDesk:
    bob = Crawler(world.persons[ANNOTATOR])
    at_the_desk(bob, world)
    return AfterTheDesk(world, tuple(bob.replies))


# What these people are in the table of permissions.
IN_TABLE = {
    ANNOTATOR: "annotator",
    ADJUDICATOR: "adjudicator",
    "annotator elsewhere": "other_annotator",
    "requester elsewhere": "other_requester",
    "nobody": "anonymous",
    "requester": "requester",
}


def is_closed_to(who: str, name: str) -> bool:
    """Whether the address answers that person nothing, whatever it is about."""
    status = ROWS[name].expected[PEOPLE.index(IN_TABLE[who])]
    return status in ((302, 401, 403, 404) if who in OUTSIDERS else (403,))


def all_addresses(world: World, who: str, method: str = "GET") -> dict[str, str]:
    """Every address that takes the method, with everything that there is, by itself; the value is its name.

    Of what is closed to the person, with one thing of each study: who they are decides, and not what it is about.
    """
    found = {}
    parts = parts_of_addresses(world)
    for each in [*patterns(), *api_patterns()]:
        name, things = str(each.name), parts[frozenset(each.pattern.converters)]
        if method in methods_of(each):
            chosen = [things[0], things[-1]] if is_closed_to(who, name) else things
            found |= {address_of(name, options): name for options in chosen}
    return found


def by_name(addresses: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for href, name in addresses.items():
        found.setdefault(name, []).append(href)
    return found


def look_everywhere(who: str, person: Crawler, world: World) -> None:
    """Fetch all that there is and all that it leads to, then send an empty form to every address that takes one.

    What is closed to the person in the study refuses them.
    """
    addresses = all_addresses(world, who) | all_addresses(world, who, "POST")
    closed = {
        href
        for href, name in addresses.items()
        if is_closed_to(who, name) and f"/studies/{world.study.slug}/" in href
    }
    person.crawl(["/", "/work/", *all_addresses(world, who)])
    for href, name in all_addresses(world, who, "POST").items():
        if name not in ENDING:
            person.post(href)
        if name.startswith("api_") and name not in ENDING:
            person.send(href, API_SENDS.get(name, {}))
    person.crawl(["/work/?after"])  # messages of what was done
    person.post(reverse("sign_out"))
    answered = [each for each in person.replies if each.status < 300]
    assert [str(each) for each in answered if each.asked.partition(" ")[2] in closed] == []


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
    """A number that goes on is another one: .9947 is no .994, and neither is a fraction of a second; nor is 40.994."""
    return word in text and by_itself(word).search(text) is not None


@cache
def by_itself(word: str) -> re.Pattern[str]:
    """There are more words than Python keeps patterns of by itself."""
    before = r"(?<!\d)" if word[0].isdigit() else ""
    return re.compile(rf"{before}{re.escape(word)}(?!\d)")


def kinds_in(world: World, replies: Iterable[Reply]) -> set[str]:
    sent = "\n".join(reply.sent.lower() for reply in replies)
    return {each.kind for each in world.secrets.all if says(sent, each.word.lower())}


# The table and the world


def test_the_table_speaks_of_every_kind_of_secret(world):
    kept = {kind for line in TABLE for kind in line.kinds}

    assert kept | {"study elsewhere"} == {each.kind for each in world.secrets.all}


def test_whoever_organises_finds_every_secret_there_is(ended, of_each_page):
    """Else a secret could be one because it was never planted."""
    alice = Crawler(ended.persons["requester"])
    missing = {each.kind for each in ended.secrets.all} - {"study elsewhere"}
    missing -= kinds_in(ended, chain.from_iterable(of_each_page.values()))
    # One more address of each name, then another one, the newest first: what is told is told by few names.
    hrefs = by_name(all_addresses(ended, "requester")).values()
    in_turns = chain.from_iterable(zip_longest(*map(reversed, hrefs)))

    for href in ["/", *filter(None, in_turns)]:
        if not missing:
            break
        missing -= kinds_in(ended, [alice.get(href)])

    assert missing == set()


def test_what_annotators_say_of_themselves_stands_on_a_page_of_its_own_and_beside_no_judgement(
    ended, of_each_page
):
    """Not even whoever organises finds it anywhere else: of each page, and of each answer of the API, some are read."""
    told = {
        name for name, replies in of_each_page.items() if "background" in kinds_in(ended, replies)
    }

    assert told == {"background_answers"}


# The people


@pytest.mark.parametrize("who", OUTSIDERS)
def test_who_is_not_in_the_study_learns_nothing_of_it(ended, who):
    person = Crawler(ended.persons.get(who))

    look_everywhere(who, person, ended)

    assert found_out(ended, who, person.replies) == []


def test_an_annotator_at_work_learns_what_is_on_the_screen_and_no_more(after_the_desk):
    world = after_the_desk.world
    bob = Crawler(world.persons[ANNOTATOR])

    look_everywhere(ANNOTATOR, bob, world)

    replies = [*after_the_desk.replies, *bob.replies]
    assert found_out(world, ANNOTATOR, replies) == []
    assert kinds_in(world, replies) >= set(LEARNT[ANNOTATOR])


def test_an_annotator_learns_no_more_once_everything_is_settled_and_given_out(after_the_desk):
    """What the desk told them before that is looked at by the test above."""
    world = after_the_desk.world
    bob = Crawler(world.persons[ANNOTATOR])
    end_all(world)

    look_everywhere(ANNOTATOR, bob, world)

    assert found_out(world, ANNOTATOR, bob.replies) == []


@pytest.mark.slow  # all that an adjudicator reaches, before and after each of several decisions
def test_an_adjudicator_learns_nothing_of_what_stands_behind_a_turn_while_its_batch_has_undecided_ones(
    world,
):
    first, second = world.disputes()
    carol = Crawler(world.persons[ADJUDICATOR], follows=sorted_once(world))
    look_everywhere(ADJUDICATOR, carol, world)
    assert found_out(world, ADJUDICATOR, carol.replies) == []
    assert kinds_in(world, carol.replies) >= set(LEARNT[ADJUDICATOR])
    assert behind(world, carol.replies, SETTLED) == set()

    adjudicate(world, first)
    adjudicate(world, second)
    with pytest.raises(ReviewError, match="stay hidden"):  # of what was led on something is open
        answer_sources.show(batch=second.batch, by=world.persons[ADJUDICATOR])

    again = Crawler(world.persons[ADJUDICATOR], follows=lambda href: False)
    again.crawl(["/", *all_addresses(world, ADJUDICATOR)])
    assert found_out(world, ADJUDICATOR, again.replies) == []
    assert behind(world, again.replies, DISPUTED) == set()


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
        if each.about == turn and each.kind in kinds and says(sent, each.word.lower())
    }
