"""Blind: nothing that an annotator can fetch from the desk tells where an answer came from or what is
said of it. Sentinels stand in everything near the items that is not on the screen."""

import pytest
from django.urls import reverse

from accounts.actions import studies
from annotation.actions import batches, guideline_readings, judgements, reviews, settlement
from annotation.models import Batch
from corpus.models import Conversation, Dataset, RunKind
from sampling.models import Pool
from scoring.models import ImportedScore, Metric, Scorer
from tests.annotation.desk_pages import address, client_of, open_desk, send_form
from tests.factories import AnswerFactory, RunFactory

SCORE = 0.876543


@pytest.fixture
def sentinels(study, batch, items, alice, dora):
    """What only organisers may know, in words that stand nowhere else, and what others said.

    A contact is named, so that not even the name of who made the batch is told.
    """
    studies.describe_study(study=study, by=alice, contact_name="The office")
    dataset = batch.pool.dataset
    Dataset.objects.filter(pk=dataset.pk).update(name="SENTINEL-dataset")
    Pool.objects.update(name="SENTINEL-pool")
    run = RunFactory(dataset=dataset, name="SENTINEL-run", team="SENTINEL-team")
    references = RunFactory(dataset=dataset, name="SENTINEL-references", kind=RunKind.REFERENCE)
    scorer = Scorer.objects.create(metric=Metric.SAS, name="SENTINEL-scorer", version="1")
    for number, item in enumerate(items):
        Conversation.objects.filter(turns=item.turn).update(key=f"SENTINEL-{number}")
        answer = AnswerFactory(run=run, turn=item.turn, text=item.payload["answers"][0]["text"])
        AnswerFactory(run=references, turn=item.turn, text="SENTINEL-reference")
        ImportedScore.objects.create(answer=answer, scorer=scorer, value=SCORE)
    guideline_readings.confirm(batch=batch, by=dora)
    hers = client_of(dora)
    page = open_desk(hers, batch)
    send_form(hers, page, "implausible", comment="SENTINEL-comment")
    judgements.flag(assignment=page.context["assignment"], message="SENTINEL-flag", by=dora)
    secrets = [str(item.public_id) for item in items] + [item.payload_sha256 for item in items]
    return ["SENTINEL", "dora", "alice", str(SCORE), "wanted", *secrets]


def every_page(desk, batch):
    """All that the desk ever answers in an annotator's hour."""
    work = reverse("work")
    yield desk.get(address("desk", batch))
    yield desk.get(address("desk_guidelines", batch))
    desk.post(address("desk_guidelines", batch))
    page = open_desk(desk, batch)
    held = page.context["assignment"]
    yield page
    yield send_form(desk, page, label="")
    yield desk.get(address("desk_skip", batch, held))
    yield desk.post(address("desk_skip", batch, held), {"reason": ""})
    yield desk.get(address("desk_flag", batch, held))
    yield desk.post(address("desk_flag", batch, held), {"message": "?"})
    yield desk.get(work)
    yield send_form(desk, page)
    yield send_form(desk, page, "malformed")
    yield desk.get(address("desk_recent", batch))
    yield desk.post(address("desk_take_back", batch, held))
    yield open_desk(desk, batch)
    yield send_form(desk, open_desk(desk, batch))
    yield desk.post(
        address("desk_skip", batch, open_desk(desk, batch).context["assignment"]), {"reason": "?"}
    )
    yield send_form(desk, open_desk(desk, batch))
    yield desk.get(address("desk", batch))
    yield desk.get(work)


def test_no_page_of_the_desk_tells_what_an_annotator_must_not_know(batch, items, bob, sentinels):
    for page in every_page(client_of(bob), batch):
        shown = page.content.decode() + str(page.headers)
        assert [secret for secret in sentinels if secret in shown] == [], page.request


def test_after_the_batch_is_settled_the_desk_tells_no_more(
    batch, items, alice, bob, carol, sentinels
):
    guideline_readings.confirm(batch=batch, by=bob)
    desk = client_of(bob)
    for _ in items:
        send_form(desk, open_desk(desk, batch), "plausible")
    batches.close(batch=Batch.objects.get(pk=batch.pk), by=alice)
    settlement.settle(batch=Batch.objects.get(pk=batch.pk), rule="majority", by=alice)
    reviews.adjudicate(item=items[0], label="malformed", reason="SENTINEL-why", by=carol)

    for href in (address("desk", batch), address("desk_recent", batch), reverse("work")):
        shown = desk.get(href).content.decode()
        assert [secret for secret in sentinels if secret in shown] == [], href
        assert "malformed" not in shown
        assert "disput" not in shown
