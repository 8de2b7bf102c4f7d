"""Written answers at the desk without a script, in its data request, and as rows."""

import json

import pytest

from annotation.actions import judgements
from annotation.models import Judgement
from annotation.schemes import payloads
from exports.rows.judgements import judgement_rows
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.annotation.sheets import batch_of_sheets, fields_of

HOSTILE = (
    "\n=1+1 </script><b>e\u0301 \u202e\u0645\u0631\u062d\u0628\u0627 \U0001f30a z\u0335\u0301\t\r\n"
    + "-" * 40
)
STORED = (
    HOSTILE.replace("\r\n", "\n")
    .replace("e\u0301", "\u00e9")
    .replace("z\u0335\u0301", "\u017a\u0335")
)
CONFIRMED = {"makes_sense": "yes", "concise": "yes", "grammatical": "yes"}
ANSWERED = {"outcome": "answered", "s.1.2": "yes", "answer": "It falls.", **CONFIRMED}
PASSAGE = {
    "title": "Tide",
    "text": "It rises. It falls. It rises.",
    "sentences": ["It rises.", "It falls.", "</textarea><script>x</script>"],
}


@pytest.fixture
def batch(study):
    payload = payloads.payload(
        question="what is a tide", context=[], answers=[], evidence=None, passages=[PASSAGE]
    )
    return batch_of_sheets(study, "writing", payload=payload)


@pytest.fixture
def desk(bob):
    return client_of(bob)


def send(desk, page, said):
    where = address("desk_submit", page.context["batch"], page.context["assignment"])
    return desk.post(where, dict(fields_of(page)) | said)


def deliver(desk, batch, page, response, client_id="1"):
    """What the script of the desk sends, and what comes of it."""
    entry = {
        "assignment": str(page.context["assignment"].public_id),
        "client_id": client_id,
        "response": response,
        "shown_at": "2026-01-01T00:00:00Z",
        "active_seconds": 3,
    }
    return desk.post(
        address("desk_feed", batch),
        json.dumps({"submissions": [entry], "ahead": [], "wanted": 0}),
        content_type="application/json",
    )


def test_without_a_script_an_answer_is_written_and_stored_as_it_was_typed(desk, batch):
    page = open_desk(desk, batch)
    assert "Copy the ticked sentences" in text_of(page)
    assert "<script>x</script>" not in text_of(page)

    assert send(desk, page, ANSWERED | {"answer": HOSTILE}).status_code == 302

    stored = Judgement.objects.get()
    assert stored.response == ANSWERED | {"answer": STORED}
    (text,) = [row.text for row in judgement_rows([batch]) if row.question == "answer"]
    assert text == STORED


def test_what_is_refused_comes_back_with_every_character_of_the_text(desk, batch):
    page = open_desk(desk, batch)

    refused = send(desk, page, {**ANSWERED, "answer": HOSTILE, "concise": ""})

    assert refused.status_code == 400
    assert dict(fields_of(refused))["s.1.2"] == "yes"
    # A browser drops one line break after the tag; the template writes one before the text.
    area = refused.content.decode().partition('name="answer"')[2].partition(">\n")[2]
    assert area.startswith("\n=1+1 &lt;/script&gt;&lt;b&gt;")
    assert not Judgement.objects.exists()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"answer": "a\x07"}, "control character U+0007"),
        ({"answer": "a" * 4001}, "at most 4,000 characters, not 4,001"),
        ({"outcome": "unanswerable"}, "outcome is answered, and something is written there"),
        ({"outcome": "skip", "reason": "other"}, "remove it, or choose that"),
    ],
)
def test_a_text_that_cannot_stay_is_refused_in_words_and_nothing_is_dropped(
    desk, batch, change, why
):
    refused = send(desk, open_desk(desk, batch), ANSWERED | change)

    assert refused.status_code == 400
    assert why in text_of(refused)
    assert (ANSWERED | change)["answer"][:20] in text_of(refused)
    assert not Judgement.objects.exists()


def test_the_data_request_stores_the_same_and_sent_again_it_is_the_same(desk, batch):
    page = open_desk(desk, batch)

    replies = [deliver(desk, batch, page, ANSWERED | {"answer": HOSTILE}) for _ in range(2)]

    assert [reply.json()["results"][0]["outcome"] for reply in replies] == ["saved", "saved"]
    assert Judgement.objects.get().response["answer"] == STORED


def test_another_text_on_a_second_device_is_refused_and_the_first_one_stands(desk, batch):
    page = open_desk(desk, batch)
    deliver(desk, batch, page, ANSWERED)

    (second,) = deliver(
        desk, batch, page, ANSWERED | {"answer": "It sinks."}, client_id="2"
    ).json()["results"]

    assert (second["outcome"], second["is_same"]) == ("already", False)
    assert second["said"] == "your written answer"
    assert Judgement.objects.get().response["answer"] == "It falls."


def test_the_data_request_refuses_what_the_scheme_refuses_and_takes_long_texts(desk, batch):
    page = open_desk(desk, batch)

    (long,) = deliver(desk, batch, page, ANSWERED | {"answer": "e\u0301" * 4001}).json()["results"]
    assert (long["outcome"], long["words"]) == (
        "refused",
        "answer: at most 4,000 characters, not 4,001",
    )
    too_long = deliver(desk, batch, page, ANSWERED | {"answer": "e" * 20_001})
    assert too_long.status_code == 400
    assert "response.answer" in too_long.json()["error"]
    # Of characters that are put together, 4,000 are stored, however many are sent.
    deliver(desk, batch, page, ANSWERED | {"answer": "e\u0301" * 4000}, client_id="2")
    assert Judgement.objects.get().response["answer"] == "\u00e9" * 4000


def test_taken_back_the_answer_is_filled_in_and_told_in_the_list(desk, batch, bob):
    send(desk, open_desk(desk, batch), ANSWERED | {"answer": HOSTILE})
    recent = desk.get(address("desk_recent", batch)).content.decode()
    assert "&lt;/script&gt;&lt;b&gt;\u00e9 \u202e" in recent

    judgements.take_back(judgement=Judgement.objects.get(), by=bob)
    again = open_desk(desk, batch)

    assert "=1+1 &lt;/script&gt;" in again.content.decode()
    assert dict(fields_of(again))["s.1.2"] == "yes"


def test_organisers_see_the_passage_and_what_was_written_without_boxes(desk, batch, alice):
    send(desk, open_desk(desk, batch), ANSWERED)
    client = client_of(alice)

    item = batch.items.get()
    page = text_of(client.get(f"/studies/{batch.study.slug}/items/{item.public_id}/"))

    assert "It falls." in page
    assert "sentence 2" in page
    assert "data-copies-ticked" not in page
    preview = text_of(client.get(address("batch_preview", batch)))
    assert "Tick the sentences that the answer rests on" in preview
