"""The pages of curation: of the pool, the desk without a script, the item in dispute, and the curated questions."""

import pytest

from annotation.actions import batches, settlement
from annotation.models import Adjudication
from corpus.models import Dataset
from sampling.models import Pool, PoolPassage
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.annotation.sheets import hidden_fields
from tests.commands.command_calls import run_command
from tests.exports.curation.judged import KEEP, curation_batch, judge_all, judged_alike
from tests.parts import part
from tests.sampling.curation_dataset import MODEL, create_made_questions
from tests.sampling.writing_dataset import create_writing_dataset


@part
def disputed(study, alice, bob, dora):
    """A batch of one question, on which bob and dora differ, settled."""
    batch = curation_batch(study)
    for person, response in ((bob, KEEP), (dora, {"question": "reject"})):
        judge_all(batch, person, lambda n, said=response: said)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="majority", by=alice)
    batch.refresh_from_db()
    return batch


def test_questions_are_drawn_on_a_page_and_a_batch_opens_on_them(study, alice):
    create_made_questions(study, 3)
    client = client_of(alice)
    sent = {"name": "to curate", "n_questions": "2", "seed": "4"}

    reply = client.post(f"/studies/{study.slug}/pools/curation/", sent, follow=True)

    assert "lamp" in text_of(reply)
    pool = Pool.objects.get()
    assert pool.rule == {"parts": [], "n_questions": 2, "seed": 4}
    run_command(
        *("open_batch", "--study", study.slug, "--pool", "to curate", "--scheme", "curation"),
        *("--name", "curated", "--judgements", 2),
    )
    page = client.get(address("batch", study.batches.get()))
    assert "The questions as they were decided" in text_of(page)


def test_every_data_set_with_passages_can_be_curated_also_without_proofs_and_types(study, tmp_path):
    create_writing_dataset(study, tmp_path)

    drawn = run_command(
        "draw_curation", "--study", study.slug, "--dataset", "lights", "--name", "lights"
    )

    assert drawn["n_turns"] == 4
    assert PoolPassage.objects.count() == 4


def test_without_a_script_a_whole_sheet_is_sent_with_all_its_boxes(study, bob):
    batch = curation_batch(study)
    client = client_of(bob)
    page = open_desk(client, batch)
    shown = text_of(page)
    assert "<mark>" in page.content.decode()
    assert MODEL not in page.content.decode()
    assert "Section" in shown
    boxes = {"question_text": page.context["payload"]["question"]}
    sent = hidden_fields(page) | boxes | KEEP | {"promote": "yes"}

    reply = client.post(address("desk_submit", batch, page.context["assignment"]), sent)

    assert reply.status_code == 302
    judged = page.context["assignment"].judgements.get()
    assert judged.response == KEEP | {"promote": "yes"}


def test_an_adjudicator_takes_a_version_or_writes_one(disputed, carol):
    client = client_of(carol)
    item = disputed.items.get()
    page = client.get(f"/studies/{disputed.study.slug}/items/{item.public_id}/")
    assert "Take the version of A" in text_of(page)
    form = page.context["adjudicate"]
    assert form["question"].value() == "How long does lamp 0 burn?"
    sent = {
        "label": "edited",
        "question": "How long does a lamp burn?",
        "answer": form["answer"].value(),
        "proof": "",
        "reason": "no numbers",
        "seen": str(page.context["verdict"].pk),
    }
    href = f"/studies/{disputed.study.slug}/items/{item.public_id}/adjudicate/"

    refused = client.post(href, sent | {"label": "kept"})
    settled = client.post(href, sent)

    assert "a text was changed" in text_of(refused)
    assert settled.status_code == 302
    assert Adjudication.objects.get().response == {
        "question": "edit",
        "question_text": "How long does a lamp burn?",
        "answer": "keep",
        "proof": "none",
    }


@pytest.mark.parametrize("label", ["kept", "rejected"])
def test_the_page_of_curated_questions_makes_the_next_version(disputed, alice, carol, label):
    client = client_of(alice)
    href = address("batch_curated", disputed)
    assert "1 question is in dispute" in text_of(client.get(href))
    item = disputed.items.get()
    run_command(
        *("adjudicate", "--study", disputed.study.slug, "--by", "carol"),
        *("--item", str(item.public_id), "--label", label, "--reason", "so"),
    )

    made = client.post(f"{href}version/", follow=True)

    page = text_of(client.get(href))
    assert MODEL in page
    if label == "kept":  # nothing is changed: it is the version that is there
        assert "The version lamps@1 is there already." in text_of(made)
    else:
        assert "every question is rejected" in text_of(made)
    assert Dataset.objects.count() == 1
    table = b"".join(client.get(f"{href}questions.csv").streaming_content).decode()
    assert table.splitlines()[1].count(label) == 1


@pytest.mark.parametrize("said", ["keep", "disputed"])
def test_the_page_offers_the_next_version_once_nothing_stands_against_it(
    study, alice, bob, dora, said
):
    batch = curation_batch(study)
    dora_says = KEEP if said == "keep" else {"question": "reject"}
    for person, response in ((bob, KEEP), (dora, dora_says)):
        judge_all(batch, person, lambda n, said=response: said)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="majority", by=alice)

    page = client_of(alice).get(address("batch_curated", batch)).text
    part = page.split("Next version of the data set</h2>")[1].split("<h2>")[0]

    assert ("Make the next version" in part) == (said == "keep")
    assert ('class="note"' in part) == (said == "disputed")


def test_a_settled_batch_of_curation_leads_on_to_its_questions_and_to_no_release(
    study, alice, bob, dora
):
    batch = judged_alike(curation_batch(study), [bob, dora], lambda n: KEEP, alice)

    page = client_of(alice).get(address("batch", batch)).text

    buttons = page.split('<p class="actions">')[1].split("</p>")[0]
    assert f'<a class="button primary" href="{address("batch_curated", batch)}">' in buttons
    assert "On to the release" not in buttons
