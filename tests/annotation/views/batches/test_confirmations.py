"""What the requester reads before an act: what follows, and nothing that is not so."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Role
from annotation.actions import batches as acts
from annotation.actions import returned_drafts, reviews, settlement
from annotation.models import Batch, BatchState
from tests.annotation.desk import claim_one, judge
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.conftest import member
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def confirmation_page(client, act: str, batch: Batch) -> str:
    href = reverse(f"batch_{act}", kwargs={"study": batch.study.slug, "batch": batch.pk})
    return client.get(href).text.split("<main")[1]


@pytest.mark.parametrize(
    ("act", "state"),
    [
        ("open", BatchState.DRAFT),
        ("discard", BatchState.DRAFT),
        ("pause", BatchState.OPEN),
        ("close", BatchState.OPEN),
        ("resume", BatchState.PAUSED),
    ],
)
def test_where_nothing_else_is_asked_nothing_stands_above_the_button(client, study, act, state):
    batch = BatchFactory(pool__dataset__study=study, state=state)

    form = confirmation_page(client, act, batch).split("<form")[1].split("<p class")[0]

    assert "None" not in form
    assert re.sub(r"<[^>]*>", "", form.partition(">")[2]).strip() == ""


def test_opening_a_batch_whose_answers_all_have_evidence_asks_nothing_more(client, study):
    pool = evidence_pool_of(pool_of(study))
    batch = BatchFactory(pool=pool, scheme="faithfulness", state=BatchState.DRAFT)

    assert "None" not in confirmation_page(client, "open", batch)
    assert "ask_without_evidence" not in confirmation_page(client, "open", batch)


def test_opening_a_batch_says_how_long_its_evidence_takes_to_read(client, study):
    pool = evidence_pool_of(pool_of(study))
    batch = BatchFactory(pool=pool, scheme="faithfulness", state=BatchState.DRAFT)
    assert "words long" not in confirmation_page(client, "open", batch)  # nobody has counted them

    pool.counts = {"n_words_median": 55.5, "n_words_ninetieth": 153}
    pool.save(update_fields=["counts"])

    assert (
        "The evidence of half of the questions is at most 55.5 words long (0.3 min at 200 words a"
        " minute), that of nine in ten at most 153 (0.8 min)."
    ) in confirmation_page(client, "open", batch)


def test_opening_a_batch_counts_the_answers_without_evidence(client, study):
    pool = evidence_pool_of(pool_of(study), without=1)
    batch = BatchFactory(pool=pool, scheme="faithfulness", state=BatchState.DRAFT)

    assert "2 answers have no evidence." in confirmation_page(client, "open", batch)


def test_opening_says_that_items_without_evidence_are_not_asked_about(client, study):
    pool = evidence_pool_of(pool_of(study), without=1)
    batch = BatchFactory(pool=pool, scheme="faithfulness", state=BatchState.DRAFT)

    page = " ".join(confirmation_page(client, "open", batch).split())

    assert (
        "6 items are created, and 8 judgements asked for (2 of each, without the 2 items that have no evidence)."
        in page
    )


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (
            "Say *faithful* or *unfaithful*: does the evidence say it?",
            "plausible, implausible, malformed",
        ),
        ("1 plausible, 2 implausible", "malformed"),
        ("1 Plausible, 2 implausible, 3 malformed.", ""),
        ("", ""),
    ],
)
def test_opening_says_which_labels_the_guideline_does_not_name(client, study, text, missing):
    guideline = GuidelineFactory(study=study, text=text, scheme="plausibility")
    batch = BatchFactory(pool__dataset__study=study, guideline=guideline, state=BatchState.DRAFT)

    page = confirmation_page(client, "open", batch)

    assert ("The guideline does not name" in page) == bool(missing)
    assert not missing or (
        f"The guideline does not name {missing}: is it the text for plausibility?" in page
    )


def test_discarding_a_draft_that_was_open_does_not_say_that_nobody_saw_it(
    client, alice, batch, items
):
    returned_drafts.return_to_draft(batch=batch, by=alice)

    page = confirmation_page(client, "discard", batch)

    assert "No annotator has seen it" not in page
    assert "Nobody has judged anything in it" in page


def test_closing_speaks_of_items_on_desks_only_where_there_are_some(
    client, bob, dora, batch, items
):
    assert "there are no open claims" in confirmation_page(client, "close", batch)

    claim_one(batch, bob)
    assert "1 item is assigned (fetched ahead or on screen)" in confirmation_page(
        client, "close", batch
    )

    claim_one(batch, dora)
    assert "2 items are assigned (fetched ahead or on screen)" in confirmation_page(
        client, "close", batch
    )


def test_settling_says_where_the_rules_make_no_difference(client, alice, bob, dora, batch, items):
    for person in (bob, dora):
        judge(batch, person)
    acts.close(batch=batch, by=alice)
    assert "unanimous and majority are the same" in confirmation_page(client, "settle", batch)

    reviews.ask_again(item=items[0], by=alice)
    acts.close(batch=batch, by=alice)
    items[0].refresh_from_db()
    items[0].n_counted, items[0].n_open = 3, 0
    items[0].save(update_fields=["n_counted", "n_open"])

    assert "unanimous and majority are the same" not in confirmation_page(client, "settle", batch)


def test_settling_asks_about_claims_where_there_are_some_and_says_what_they_are(
    client, alice, bob, batch, items
):
    claim_one(batch, bob)
    acts.close(batch=batch, by=alice)

    page = confirmation_page(client, "settle", batch)
    assert "Release the item that somebody still holds" in page
    assert "An item is held by who was assigned it" in page

    href = reverse("batch_settle", kwargs={"study": batch.study.slug, "batch": batch.pk})
    client.post(href, {"rule": "majority", "expire_claims": "on"})
    assert batch.items.filter(n_claimed__gt=0).count() == 0
    assert "claim" not in confirmation_page(client, "settle", batch)


def test_settling_with_open_claims_stays_on_its_page_with_what_was_chosen(
    client, alice, bob, batch, items
):
    claim_one(batch, bob, timezone.now())
    acts.close(batch=batch, by=alice)
    href = reverse("batch_settle", kwargs={"study": batch.study.slug, "batch": batch.pk})

    reply = client.post(href, {"rule": "posterior"})

    assert reply.status_code == 400
    assert "still open: wait until it expires, or release them here." in reply.text
    assert "Release the item that somebody still holds" in reply.text
    assert re.search(r'value="posterior"[^>]* checked', reply.text)
    assert "--expire" not in reply.text


# What the batch's page leads to


def settled(batch: Batch, *labels: str) -> Batch:
    """Everything is judged by as many people, each with one label, and settled."""
    people = [each.user for each in batch.study.memberships.with_role("annotator").order_by("pk")]
    for person, label in zip(people, labels, strict=True):
        for _ in range(batch.items.count()):
            judge(batch, person, label)
    by = batch.created_by
    acts.close(batch=batch, by=by)
    settlement.settle(batch=batch, rule="unanimous", by=by)
    return batch


def dark(client, batch: Batch) -> list[str]:
    href = reverse("batch", kwargs={"study": batch.study.slug, "batch": batch.pk})
    page = client.get(href).text.split("<main")[1]
    found = re.findall(r'<a class="button primary"[^>]*>([^<]*)</a>', page)
    return [words.strip() for words in found]


def test_a_settled_batch_leads_to_its_disputes_first(client, study, bob, dora):
    batch = settled(launched(pool_of(study)), "plausible", "malformed")

    assert dark(client, batch) == ["6 disputes"]


def test_a_settled_batch_without_disputes_leads_on_to_faithfulness(client, study, bob, dora):
    batch = settled(launched(pool_of(study)), "plausible", "plausible")

    assert dark(client, batch) == ["On to faithfulness"]


def test_a_settled_batch_that_accepted_nothing_leads_to_no_evidence(client, study, bob, dora):
    batch = settled(launched(pool_of(study)), "malformed", "malformed")

    assert dark(client, batch) == ["On to the release"]
    page = client.get(reverse("evidence_new", args=[study.slug, batch.pk])).text
    assert "settled, and none of its answers was accepted" in page
    assert "close and settle it first" not in page


def test_a_settled_faithfulness_batch_leads_on_to_the_release(client, study, bob, dora):
    pool = evidence_pool_of(pool_of(study))
    batch = settled(launched(pool, scheme="faithfulness"), "faithful", "faithful")

    assert dark(client, batch) == ["On to the release"]


def test_no_batch_has_two_dark_buttons(client, study):
    for state in BatchState:
        closed = {"closed_by": study.created_by, "closed_at": "2026-03-02T09:00:00Z"}
        batch = BatchFactory(
            pool__dataset__study=study, state=state, **(closed if state == "closed" else {})
        )
        if state != BatchState.DRAFT:
            ItemFactory(batch=batch)

        assert len(dark(client, batch)) <= 1


def test_settling_again_says_how_many_items_another_rule_changes(
    client, study, alice, bob, dora, batch, items
):
    erin = member(study, "erin", Role.ANNOTATOR, by=alice)
    for item in items[:2]:
        reviews.ask_again(item=item, by=alice)
    for person, label in ((bob, "plausible"), (dora, "plausible")):
        for _ in items:
            judge(batch, person, label)
    for _ in range(2):
        judge(batch, erin, "implausible")
    acts.close(batch=batch, by=alice)
    before = confirmation_page(client, "settle", batch)
    settlement.settle(batch=batch, rule="majority", by=alice)

    page = confirmation_page(client, "settle", batch)

    assert "Settling again" not in before
    assert "By the same rule, only items with new judgements or decisions change" in page
    assert (
        "majority: more than half give the same label, otherwise the item is disputed. The batch is settled by this rule."
        in page
    )
    assert "Settling by this rule changes the outcome of 2 items." in page


def test_the_page_of_a_batch_names_the_rule_that_settled_it(client, study, bob, dora):
    batch = settled(launched(pool_of(study)), "plausible", "plausible")

    page = client.get(reverse("batch", kwargs={"study": study.slug, "batch": batch.pk}))

    assert "Settled by the rule unanimous." in " ".join(page.text.split())
