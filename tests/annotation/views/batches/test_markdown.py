"""A batch that shows Markdown: where it is said, where it is seen, and that it stays as it was opened."""

import json
import re

import pytest
from django.urls import reverse

from annotation.actions import drafts, study_copies
from annotation.actions.batches import BatchError
from annotation.models import Batch
from exports.writers.manifests import batch_entry
from sampling.models import Candidate
from tests.annotation.desk import judge
from tests.annotation.desk_pages import address, client_of
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.annotation.views.batches.test_pages import filled
from tests.commands.command_calls import StudyCommands, open_batch

ANSWER = "It was **1702**:\n\n| year | who |\n| - | - |\n| 1702 | masons |\n\n    code  here"
AS_WRITTEN = '<p class="text as-written" dir="auto">It was **1702**:'


@pytest.fixture
def pool(study):
    made = pool_of(study, n_turns=1, n_each=1)
    Candidate.objects.filter(pool=made).update(text=ANSWER)
    return made


@pytest.fixture
def batch(pool) -> Batch:
    return launched(pool, shows_markdown=True)


def pages_of(batch, alice, bob) -> dict[str, str]:
    """What shows an item: the desk, the preview and the item's page."""
    item = batch.items.get()
    organiser = client_of(alice)
    return {
        "desk": client_of(bob).get(address("desk", batch)).text,
        "preview": organiser.get(address("batch_preview", batch)).text,
        "item": organiser.get(reverse("item", args=[batch.study.slug, item.public_id])).text,
    }


def test_an_answer_is_markdown_wherever_its_item_is_shown_with_the_text_beside_it(
    batch, alice, bob
):
    for name, page in pages_of(batch, alice, bob).items():
        assert "<strong>1702</strong>" in page, name
        assert "<td>masons</td>" in page, name
        assert AS_WRITTEN in page, name


def test_without_the_setting_answers_are_as_they_were_written(pool, alice, bob):
    for name, page in pages_of(launched(pool), alice, bob).items():
        assert AS_WRITTEN in page, name
        assert '<details class="source"' not in page, name
        assert "<strong>1702</strong>" not in page, name


def test_an_item_that_is_fetched_ahead_is_rendered_as_on_the_page(batch, bob):
    desk = client_of(bob)

    reply = desk.post(address("desk_feed", batch), json.dumps({"wanted": 1}), "application/json")

    (item,) = reply.json()["items"]
    on_page = desk.get(address("desk", batch)).text
    rendered = re.search(r'<div class="text markdown">.*?</div>', item["html"], re.DOTALL)[0]
    assert "<strong>1702</strong>" in rendered
    assert rendered in on_page


def test_questions_and_evidence_stay_as_they_were_written(pool, bob):
    batch = launched(evidence_pool_of(pool), scheme="faithfulness", shows_markdown=True)
    item = batch.items.get()
    item.payload |= {"question": "Is it **so**?", "evidence": ["It is **so**."]}
    item.save(update_fields=["payload"])

    page = client_of(bob).get(address("desk", batch)).text

    assert "Is it **so**?" in page
    assert '<p class="text as-written" dir="auto">It is **so**.</p>' in page
    assert "<strong>so</strong>" not in page


def test_the_form_sets_it_and_the_page_of_the_batch_says_it(study, pool, alice):
    client = client_of(alice)
    client.post(reverse("batch_new", args=[study.slug]), filled(pool, shows_markdown="on"))
    batch = study.batches.get()

    assert batch.shows_markdown
    assert client.get(address("batch_edit", batch)).context["form"]["shows_markdown"].value()
    assert "shown as Markdown" in client.get(address("batch", batch)).text


def test_it_is_off_unless_it_is_asked_for(study, pool, alice):
    client = client_of(alice)
    client.post(reverse("batch_new", args=[study.slug]), filled(pool))
    batch = study.batches.get()

    assert not batch.shows_markdown
    assert "shown as they were written" in client.get(address("batch", batch)).text


def test_once_the_batch_is_open_it_stays(batch, alice):
    with pytest.raises(BatchError, match="is open, not draft"):
        drafts.edit(
            batch=batch,
            name=batch.name,
            scheme=batch.scheme,
            pool=batch.pool,
            guideline="",
            by=alice,
            shows_markdown=False,
        )

    batch.refresh_from_db()
    assert batch.shows_markdown


def test_the_command_sets_it(study, pool):
    commands = StudyCommands(study.slug)

    open_batch(commands, pool, "--markdown", name="drawn")
    open_batch(commands, pool, name="written")

    assert study.batches.get(name="drawn").shows_markdown
    assert not study.batches.get(name="written").shows_markdown


def test_the_manifest_of_a_release_records_it(batch, pool):
    assert batch_entry(batch)["shows_markdown"] is True
    assert batch_entry(launched(pool, name="other"))["shows_markdown"] is False


def test_the_first_batch_of_a_copied_study_begins_with_it(batch, study, alice, bob):
    judge(batch, bob)
    made = study_copies.copy_study(study=study, slug="again", title="Again", by=alice)
    pool_of(made)

    form = client_of(alice).get(reverse("batch_new", args=[made.slug])).context["form"]

    assert form["shows_markdown"].value() is True


def test_the_texts_that_are_stored_and_hashed_are_those_that_were_written(pool):
    shown, written = launched(pool, shows_markdown=True), launched(pool, name="other")

    assert shown.items.get().payload == written.items.get().payload
    assert shown.items.get().payload_sha256 == written.items.get().payload_sha256
