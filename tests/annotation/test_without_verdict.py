"""What is promised of batches whose items end with no verdict: whatever is asked of them is answered in words."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Min
from django.test import Client

from accounts.models import Study, User
from annotation import schemes
from annotation.actions import batches, guideline_readings, rehearsals
from annotation.actions.batches import BatchError
from annotation.design import screens
from annotation.models import Assignment, Batch, BatchState, Item, Judgement
from annotation.queries import batch_forecast, item_history
from dashboard import progress
from exports.releases.batch_report import batch_figures
from exports.rows.items import item_rows
from exports.rows.judgements import judgement_rows
from exports.rows.shown_answers import released_batches
from sampling.models import Candidate, Pool, PoolPassage
from stats.bootstrap_settings import Bootstrap
from tests.access.table import PEOPLE, address_of
from tests.annotation.batches_without_verdict import (
    SCHEMES,
    STATES,
    batch_in_state,
    create_draft,
    judge_next_item,
    open_batch,
)
from tests.annotation.desk_pages import address, client_of, text_of
from tests.commands.command_calls import StudyCommands
from tests.crawling import api_patterns, methods_of, patterns, without_contexts
from tests.factories import PoolFactory
from tests.parts import part
from tests.sampling.comparison_dataset import create_comparison_dataset, draw_comparison
from tests.sampling.writing_dataset import create_writing_dataset, draw_writing
from tests.test_permissions import ROWS
from tests.undone import undone

PICTURE = {"batch", "asked", "picture"}

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)
every_state = pytest.mark.parametrize("state", STATES)


@part
def comparison_pool(study: Study, folder: Path) -> Pool:
    return draw_comparison(create_comparison_dataset(study, folder))


@part
def writing_pool(study: Study, folder: Path) -> Pool:
    return draw_writing(create_writing_dataset(study, folder))


@part
def every_batch(
    comparison_pool: Pool, writing_pool: Pool, bob: User, dora: User
) -> dict[tuple[str, str], Batch]:
    """By scheme and state."""
    return {
        (scheme, state): batch_in_state(
            writing_pool if scheme == "writing" else comparison_pool, scheme, state, [bob, dora]
        )
        for scheme in SCHEMES
        for state in STATES
    }


@pytest.fixture
def batch(every_batch, scheme, state):
    return every_batch[scheme, state]


@pytest.fixture
def pool(comparison_pool, writing_pool, scheme):
    """The pool that the scheme of the test asks about."""
    return writing_pool if scheme == "writing" else comparison_pool


def parts_of(batch, names: frozenset[str]) -> Iterator[dict[str, Any]]:
    """What these parts of an address can be in the batch."""
    items = Item.objects.filter(batch=batch)[:1]
    handed = Assignment.objects.filter(item__batch=batch).select_related("item")[:1]
    wanted = names - {"study"}
    if wanted == {"batch"}:
        yield {"batch": batch.pk}
    elif wanted == {"item"}:
        yield from ({"item": each.public_id} for each in items)
    elif wanted == {"assignment"}:
        yield from ({"assignment": each.public_id} for each in handed)
    elif wanted == {"batch", "assignment"}:
        yield from ({"batch": batch.pk, "assignment": each.public_id} for each in handed)
    elif wanted == {"batch", "member"}:
        # Of somebody who judged, and of somebody who did not.
        for each in batch.study.memberships.filter(user__username__in=("bob", "carol")):
            yield {"batch": batch.pk, "member": each.pk}
    elif wanted == PICTURE:
        for picture in ("confusion", "over-time"):
            yield {"batch": batch.pk, "asked": 1, "picture": picture}


def addresses(batch, role: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Each with the methods that it takes, but for those that refuse whoever has the role before they look."""
    found: dict[frozenset[str], list[dict[str, Any]]] = {}
    for each in [*patterns(), *api_patterns()]:
        if ROWS[str(each.name)].expected[PEOPLE.index(role)] == 403:
            continue
        names = frozenset(each.pattern.converters)
        if names not in found:
            found[names] = list(parts_of(batch, names))
        for parts in found[names]:
            href = address_of(str(each.name), {"study": batch.study.slug, **parts})
            yield href, methods_of(each)


def of_study(study) -> Iterator[str]:
    """Pages on which all batches of the study are."""
    for each in patterns():
        if set(each.pattern.converters) == {"study"}:
            yield address_of(str(each.name), {"study": study.slug})


SENT = {"label": "preferred", "reason": "so", "rule": "majority", "text": "so", "message": "so"}


def replies(client: Client, href: str, methods: frozenset[str]) -> Iterator[Any]:
    """The address looked at, and sent something, where it takes that; all stays as it was."""
    of_api = {"content_type": "application/json"} if href.startswith("/api/") else {}
    asks = {"GET": lambda: client.get(href), "POST": lambda: client.post(href, SENT, **of_api)}
    for method in methods & set(asks):
        with undone(), without_contexts():
            yield asks[method]()


@pytest.mark.rotates
@every_scheme
@every_state
def test_no_address_of_such_a_batch_or_of_its_items_fails(batch, alice, carol):
    failed = set()
    for person, role in ((carol, "adjudicator"), (alice, "requester")):
        client = client_of(person)
        client.raise_request_exception = False
        for href, methods in addresses(batch, role):
            for reply in replies(client, href, methods):
                if reply.status_code >= 500:
                    sent = reply.wsgi_request
                    name = sent.resolver_match.view_name
                    failed.add(f"{sent.method} {name}: {reply.exc_info[1]!r}")
    assert failed == set()


def test_no_page_of_a_study_that_has_them_fails(every_batch, study, alice):
    client = client_of(alice)

    found = {href: client.get(href).status_code for href in of_study(study)}

    assert {href for href, status in found.items() if status >= 500} == set()


NEEDS_A_VERDICT = ("batch_rules", "batch_more", "evidence_new", "second_looks", "batch_unclear")


@pytest.mark.parametrize("scheme", ["preference"])
@pytest.mark.parametrize("state", ["closed"])
@pytest.mark.parametrize("name", NEEDS_A_VERDICT)
def test_what_needs_a_verdict_is_not_there_and_the_page_says_why(batch, alice, name):
    reply = client_of(alice).get(address(name, batch))

    assert reply.status_code == 404
    assert "items of preference end with no verdict" in text_of(reply)


@pytest.mark.parametrize("scheme", ["rating"])
@pytest.mark.parametrize("state", ["closed"])
def test_a_program_is_told_the_same(batch, carol):
    item = batch.items.first()
    href = address_of("api_item_adjudicate", {"study": batch.study.slug, "item": item.public_id})

    reply = client_of(carol).post(href, SENT, content_type="application/json")

    assert reply.status_code == 404
    assert "items of rating end with no verdict" in reply.json()["detail"]


@every_scheme
@pytest.mark.parametrize("state", ["closed"])
def test_commands_that_need_a_verdict_say_so(batch, scheme, bob, carol):
    commands, words = StudyCommands(batch.study.slug), f"items of {scheme} end with no verdict"
    assignment = str(batch.items.first().assignments.first().public_id)
    item = ("--item", batch.items.first().public_id, "--by", "carol")

    assert words in commands.error("settle", "--batch", batch.name, "--rule", "majority")
    decided = ("--label", "preferred", "--reason", "so")
    assert words in commands.error("adjudicate", *item, *decided)
    assert words in commands.error("mark_correct", "--assignment", assignment, "--by", "carol")


@every_scheme
@pytest.mark.parametrize("state", STATES)
def test_the_page_of_the_batch_speaks_of_no_verdict(batch, alice, state):
    page = text_of(client_of(alice).get(address("batch", batch)))

    for name in ("batch_settle", *NEEDS_A_VERDICT):
        assert address(name, batch) not in page
    if state != BatchState.DRAFT:
        assert "there is nothing to settle" in page


@every_scheme
@pytest.mark.parametrize("state", ["closed"])
def test_the_page_of_an_item_shows_what_was_said_in_full(batch, alice, scheme):
    item = batch.items.filter(n_counted__gt=0).first()

    page = text_of(client_of(alice).get(f"/studies/{batch.study.slug}/items/{item.public_id}/"))

    (first, *_) = item_history.current_judgements(item)
    for words in first.lines:
        assert " ".join(html.escape(words).split()) in page
    assert "there is nothing to settle" in page


@every_scheme
@pytest.mark.parametrize("state", ["draft"])
def test_before_it_opens_items_are_counted_as_they_will_be(batch, alice):
    n_items = sum(batch_forecast.items_per_question(batch))
    page = text_of(client_of(alice).get(address("batch_open", batch)))

    batches.launch(batch=batch, by=alice)

    assert batch.items.count() == n_items
    assert f"{n_items} items are created, and {2 * n_items} judgements asked for" in page
    assert "Yield" not in page


@pytest.mark.parametrize("opponents", [None, 1, 2])
def test_pairs_are_counted_without_making_them(comparison_pool, opponents):
    batch = create_draft(comparison_pool, "preference", opponents_per_answer=opponents)

    assert sum(batch_forecast.items_per_question(batch)) == len(screens.batch_screens(batch))


def test_what_a_batch_cannot_ask_is_refused_in_words(comparison_pool):
    pool = comparison_pool
    PoolPassage.objects.filter(pool=pool).delete()

    with pytest.raises(BatchError, match="the pool gold has no passages: nothing to ask about"):
        create_draft(pool, "relevance")
    with pytest.raises(BatchError, match="rating compares no answers: leave the opponents out"):
        create_draft(pool, "rating", opponents_per_answer=2)
    Candidate.objects.filter(pool=pool).exclude(
        pk__in=Candidate.objects.filter(pool=pool).values("turn").annotate(n=Min("pk")).values("n")
    ).update(pool=PoolFactory(dataset=pool.dataset))
    with pytest.raises(BatchError, match="no question of the pool gold has two answers"):
        create_draft(pool, "preference")


@every_scheme
def test_such_a_batch_is_in_no_release_and_the_page_says_so(pool, scheme, alice, bob, dora):
    batch = batch_in_state(pool, scheme, BatchState.CLOSED, [bob, dora])
    assert not released_batches(batch.pool.dataset, is_rehearsal=False).exists()

    page = text_of(client_of(alice).get(f"/studies/{batch.study.slug}/releases/new/"))

    said = "People write or curate in" if scheme == "writing" else "Open the comparison"
    assert said in page


@every_scheme
def test_a_rehearsal_says_all_that_is_asked(pool, scheme, alice):
    batch = open_batch(pool, scheme)

    rehearsed = rehearsals.rehearse(batch=batch, n_annotators=3, accuracy=0.8, seed=1, by=alice)

    assert rehearsed.n_judgements == 2 * batch.items.count()
    asked = schemes.get(scheme)
    for judgement in Judgement.objects.filter(assignment__item__batch=batch):
        assert (
            asked.clean(judgement.response, judgement.assignment.item.payload) == judgement.response
        )


@every_scheme
def test_agreement_is_computed_of_every_question_that_was_asked(pool, scheme, alice):
    batch = open_batch(pool, scheme)
    rehearsals.rehearse(batch=batch, n_annotators=3, accuracy=0.9, seed=1, by=alice)

    rows, items = judgement_rows([batch]), item_rows([batch])
    found = batch_figures(
        batch.name, judgements=rows, items=items, bootstrap=Bootstrap(replicates=1000, seed=1)
    )["agreement"]

    assert set(found) == {row.question for row in rows if not row.text}
    if scheme == "preference":
        assert found["preference"]["alpha"]["n_items"] == batch.items.count()


@every_scheme
def test_what_an_annotator_is_handed_names_no_run_and_no_passage_id(pool, scheme, bob):
    """Runs are alder and birch; what they cited is w1 to w9."""
    batch = open_batch(pool, scheme)
    guideline_readings.confirm(batch=batch, by=bob)
    client = client_of(bob)

    page = client.get(address("desk", batch)).content.decode()
    wanted = {"client": "one", "submissions": [], "wanted": 5, "ahead": []}
    fed = client.post(address("desk_feed", batch), wanted, content_type="application/json")

    for told in (page, fed.content.decode()):
        assert not re.search(r"\b(alder|birch|w[1-9])\b", told)


def test_a_study_that_only_compares_goes_its_own_way_and_settles_nothing(
    comparison_pool, study, alice, bob, dora
):
    assert (
        progress.study_progress(study).next_step,
        progress.study_progress(study).next_comparison_action.page,
    ) == (
        "compared",
        "batch_new",
    )

    batch = create_draft(comparison_pool, "preference")
    assert progress.study_progress(study).next_comparison_action.page == "batch_open"

    batches.launch(batch=batch, by=alice)
    assert progress.study_progress(study).next_comparison_action.page == "batch"
    for _ in range(batch.items.count()):
        judge_next_item(batch, bob)
        judge_next_item(batch, dora)
    assert progress.study_progress(study).next_comparison_action.page == "batch_close"

    batches.close(batch=batch, by=alice)
    assert progress.study_progress(study).next_step == "done"
    page = text_of(client_of(alice).get(f"/studies/{study.slug}/"))
    assert "Settle" not in page
    assert "not settled" not in page
    assert "Results of the comparison" in page


def test_the_preview_of_a_sheet_says_what_is_asked_each_thing_once(comparison_pool, alice):
    page = client_of(alice).get(address("batch_preview", create_draft(comparison_pool, "rating")))

    shown = page.context["payloads"][0]["asks"]
    assert len(set(shown)) == len(shown) >= 4
    assert all(html.escape(asks) in text_of(page) for asks in shown)
