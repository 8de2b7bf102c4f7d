"""Every page of the demonstration that links lead to, for everybody: nothing is wrong with it.

Asked of each: the server answers 200. Asked of the pages whose name is in turn: nothing in the console, where
breaches of the content security policy are said too; axe finds nothing, wide and light, and narrow and dark where
pages of a kind differ; on a phone nothing stands beyond the edge.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

import pytest
from playwright.sync_api import Browser

from tests.browser import demonstration_server, page_walk
from tests.browser.conftest import WIDE
from tests.browser.demonstration_server import DemonstrationServer
from tests.crawling import methods_of, patterns

pytestmark = pytest.mark.each_landing

NOBODY = "nobody"
# She goes through the study of written answers by itself: there are pages of the same kinds.
OF_WRITTEN = "alice, of written answers"
WITHIN = {OF_WRITTEN: "/studies/written/"}
# Whoever goes, and where they begin besides the first page: no link leads from there to these.
BEGIN = {
    "alice": [
        *("/studies/demo/", "/studies/compared/", "/studies/rehearsed/"),
        "/studies/rehearsed/scores/people/",
        # The page of a new release has its contents instead of the link, once its scripts are there.
        "/studies/demo/releases/new/changes/",
        # Linked where a data set has read a release, which those of the demonstration have not.
        "/studies/rehearsed/scores/references/",
        # Its link names a data set.
        "/studies/demo/scores/questions/",
    ],
    OF_WRITTEN: ["/studies/written/", "/studies/written/pools/curation/"],
    "carol": [],
    "bob": ["/studies/demo/consent/"],
    "erin": ["/work/"],
    "ada": [],
    NOBODY: ["/first-steps/"],
}
# What can be read, and no link of the demonstration leads to.
NOT_LINKED = {
    # Nothing of the demonstration is withdrawn. The page is that of withdrawing, with other words.
    *("batch_bring_back", "run_bring_back", "pool_bring_back", "dataset_bring_back"),
    *("study_bring_back", "release_bring_back"),
    # Offered where nothing uses the thing: tests/exports/deletions
    *("pool_delete", "run_delete", "dataset_delete"),
    *(
        "desk_submit",
        "desk_take_back",
        "item_adjudicate",
        "item_exclude",
        "item_readmit",
        "item_note",
    ),
    *("item_retract", "item_unclear", "review_decide"),
    "precision_item",  # once an answer was judged: tests/browser/test_precision.py
    # Of people with a second factor: tests/browser/test_second_factor.py
    *("recovery_codes", "second_factor_off", "sign_in_code", "user_second_factor"),
    # Of a settled batch that gives feedback: tests/annotation/views/desk/test_fair_terms.py
    "desk_feedback",
    "pool_spans",  # of evidence by verdicts of real people: tests/browser/test_spans.py
    "batch_controls",  # of a batch that has them: tests/annotation/views/batches/test_controls.py
    *(
        "batch_check",
        "desk_check",
    ),  # of a batch that asks questions: tests/browser/test_training.py
    # Of a batch of which something is reserved: tests/browser/test_reserved.py
    *("batch_reassign", "reserved_part"),
    "own_background",  # where a study asks people about themselves: tests/browser/test_background.py
    "batch_more",  # of a batch that real people disagreed on: tests/browser/test_more.py
}


@dataclass(frozen=True)
class Walk:
    """What somebody saw: the names of the addresses, and what was wrong with pages, a line each."""

    names: list[str]
    faults: list[str]


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemonstrationServer]:
    with demonstration_server.serve_demonstration(
        tmp_path_factory.mktemp("demonstration")
    ) as found:
        yield found


@pytest.fixture(scope="module")
def walk(
    demonstration: DemonstrationServer, browser: Browser, in_turn: Callable[[str], bool]
) -> Callable[[str], Walk]:
    """Everybody goes once."""
    return cache(partial(walk_as, browser, demonstration, in_turn))


def walk_as(
    browser: Browser, demonstration: DemonstrationServer, in_turn: Callable[[str], bool], name: str
) -> Walk:
    context = browser.new_context(
        base_url=demonstration.url, viewport=WIDE, reduced_motion="reduce"
    )
    context.set_default_timeout(30_000)
    look, found, kinds = page_walk.PageCheck(context), Walk([], []), set[page_walk.Kind]()
    begin, limits = ["/", *BEGIN[name]], {}
    if name in WITHIN:
        begin, limits = BEGIN[name], {"within": WITHIN[name], "alike": 1}
    if name == NOBODY:
        begin += demonstration.links.values()
    else:
        demonstration_server.sign_in(look.page, name.partition(",")[0])
    for address, status in page_walk.linked_pages(context.request, begin, **limits):
        kind = page_walk.kind_of(address)
        found.names.append(kind.name)
        if status != 200:
            found.faults.append(f"{address}: status {status}")
        if not in_turn(kind.name):
            continue
        look.page.goto(address)
        is_alike = kind in kinds and kind.name not in page_walk.MOST_OF_A_KIND
        found.faults.extend(f"{address}: {each}" for each in look.faults(is_alike=is_alike))
        kinds.add(kind)
    context.close()
    return found


@pytest.mark.parametrize("name", BEGIN)
def test_nothing_is_wrong_with_any_page_that_somebody_comes_to(walk, name):
    faults = walk(name).faults

    assert not faults, "\n".join([f"what {name} sees:", *faults])


def test_every_page_that_there_is_was_looked_at(walk):
    """So that a page which no link leads to is found, and none is left out above."""
    seen = set().union(*(walk(name).names for name in BEGIN))

    # The API has one page: tests/browser/test_api.py.
    pages = {str(each.name) for each in patterns() if "GET" in methods_of(each)}
    assert pages - page_walk.NO_PAGES - NOT_LINKED - seen == set()
