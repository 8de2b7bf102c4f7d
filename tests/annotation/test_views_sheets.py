"""What is promised of sheets at the desk without a script, and of the desk's data request."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Judgement
from tests.annotation.desk import claim_one
from tests.annotation.desk_pages import address, client_of, opened, text_of
from tests.annotation.sheets import (
    PASSAGES,
    batch_of_sheets,
    content,
    fields_of,
    hidden_fields,
    ratings,
    sent_whole,
)

FIRST_PART = ("confidence", "appropriate", "unknown", "incoherent")


@pytest.fixture
def desk(bob):
    return client_of(bob)


@pytest.fixture
def batch(study):
    return batch_of_sheets(study, payload=content(2, 2))


def send(desk, page, said):
    """The form as a browser sends it: what the page holds, and what is set now."""
    where = address("desk_submit", page.context["batch"], page.context["assignment"])
    return desk.post(where, dict(fields_of(page)) | said)


def first_part(n_answers=2):
    said = ratings(n_answers, 2)
    return {name: value for name, value in said.items() if name.split(".")[0] in FIRST_PART}


def second_part(n_answers=2):
    return {k: v for k, v in ratings(n_answers, 2).items() if k not in first_part(n_answers)}


def passages_are_hidden(page):
    return "hidden" in text_of(page).split('<div class="passages"')[1].split(">")[0]


def test_a_rating_is_given_in_two_parts_and_stored_after_the_second(desk, batch):
    page = opened(desk, batch)
    assert passages_are_hidden(page)
    assert "Show the passages" in text_of(page)

    second = send(desk, page, first_part() | {"unknown.2": "yes", "comment": "hm"})

    assert second.status_code == 200
    assert not Judgement.objects.exists()
    assert not passages_are_hidden(second)
    assert "Part 2 of 2: with the passage." in text_of(second)
    assert '<p class="missing" id="missing" hidden>' in text_of(second)
    sent = dict(fields_of(second))
    assert sent["part"] == "2"
    assert {k: sent[k] for k in first_part()} == first_part()
    assert "hm" in text_of(second)

    assert send(desk, second, second_part() | {"comment": "hm"}).status_code == 302
    stored = Judgement.objects.get()
    assert stored.response == ratings(2, 2) | {"unknown.2": "yes"}
    assert stored.comment == "hm"


def test_what_is_missing_of_the_part_on_the_screen_is_told_and_of_no_other(desk, batch):
    said = first_part()
    del said["appropriate.2"]

    again = send(desk, opened(desk, batch), said)

    assert again.status_code == 400
    assert passages_are_hidden(again)
    assert "1 question not answered yet, marked above" in text_of(again)
    assert text_of(again).count('<span class="missing">Not answered yet.') == 1
    assert dict(fields_of(again))["appropriate.1"] == said["appropriate.1"]
    assert not Judgement.objects.exists()


def test_an_answer_that_is_faithful_needs_a_passage_that_supports_it(desk, batch):
    second = send(desk, opened(desk, batch), first_part())
    said = second_part()
    del said["supports.1.1"]

    again = send(desk, second, said)

    assert again.status_code == 400
    assert "1 question not answered yet" in text_of(again)
    assert not passages_are_hidden(again)
    assert send(desk, again, {"supports.1.2": "yes"}).status_code == 302
    assert Judgement.objects.get().response["supports.1.2"] == "yes"


def test_passages_that_support_an_answer_that_is_not_faithful_are_not_stored(desk, batch):
    second = send(desk, opened(desk, batch), first_part())

    assert send(desk, second, second_part() | {"faithful.1": "2"}).status_code == 302
    assert "supports.1.1" not in Judgement.objects.get().response


@pytest.mark.parametrize("broken", [{"odd": "yes"}, {"relevant.1": "perhaps"}, {"part": "0"}])
def test_what_no_question_asks_is_refused(desk, batch, broken):
    page = opened(desk, batch)

    response = desk.post(
        address("desk_submit", batch, page.context["assignment"]),
        sent_whole(page, ratings(2, 2)) | broken,
    )

    assert response.status_code == 400
    assert not Judgement.objects.exists()


def test_a_part_that_does_not_exist_is_the_last(desk, batch):
    page = opened(desk, batch)

    desk.post(
        address("desk_submit", batch, page.context["assignment"]),
        sent_whole(page, ratings(2, 2)) | {"part": "9"},
    )

    assert Judgement.objects.get().response == ratings(2, 2)


def test_without_a_passage_the_first_part_is_all(study, desk):
    batch = batch_of_sheets(study, payload=content(1, 0))
    page = opened(desk, batch)
    assert "There is no passage for this question." in text_of(page)
    assert "Part 1 of" not in text_of(page)

    send(desk, page, {"confidence": "1", "appropriate.1": "2"})

    assert Judgement.objects.get().response == {"confidence": "1", "appropriate.1": "2"}


def test_a_sheet_that_was_taken_back_comes_with_what_was_said(desk, batch):
    page = opened(desk, batch)
    held = page.context["assignment"]
    desk.post(address("desk_submit", batch, held), sent_whole(page, ratings(2, 2)))
    recent = text_of(desk.get(address("desk_recent", batch)))
    assert "<strong>your rating</strong>" in recent
    assert "<li>confidence 3</li>" in recent

    again = desk.post(address("desk_take_back", batch, held), follow=True)

    assert "You took <strong>your rating</strong> back. What you said is filled in" in text_of(
        again
    )
    assert dict(fields_of(again)) | hidden_fields(again) == sent_whole(again, ratings(2, 2)) | {
        "csrfmiddlewaretoken": dict(fields_of(again))["csrfmiddlewaretoken"]
    }
    assert send(desk, again, {"relevant.2": "relevant"}).status_code == 302
    changed = Judgement.objects.standing().get()
    assert changed.response == ratings(2, 2) | {"relevant.2": "relevant"}


def test_relevance_marks_the_words_of_the_question_in_the_passages(study, desk):
    batch = batch_of_sheets(study, "relevance", payload=content(0, 3))
    page = opened(desk, batch)

    assert "and was <mark>built</mark> by masons" in text_of(page)
    assert "<mark>the</mark>" not in text_of(page)
    assert not passages_are_hidden(page)
    said = {"relevant.1": "relevant", "relevant.2": "irrelevant", "relevant.3": "irrelevant"}
    assert send(desk, page, said).status_code == 302
    assert Judgement.objects.get().response == said


def test_no_text_of_a_sheet_is_taken_for_anything_else(study, desk):
    hostile = '<script>alert("tower")</script>'
    passage = {"title": hostile, "text": hostile, "sentences": [hostile]}
    payload = content(2, 1) | {"question": hostile, "passages": [{"number": 1, **passage}]}
    payload["answers"] = [{"number": n, "text": f"{hostile} {n}"} for n in (1, 2)]

    for scheme in ("rating", "relevance"):
        page = text_of(opened(desk, batch_of_sheets(study, scheme, payload=payload)))

        assert "<script>alert" not in page
        assert "&lt;" in page
        assert 'alert("tower")' not in page


def ask(desk, batch, *submissions, **more):
    reply = desk.post(
        address("desk_feed", batch),
        json.dumps({"submissions": submissions, **more}),
        content_type="application/json",
    )
    assert reply.status_code == 200, reply.content
    return reply.json()


def sent(assignment, response, client_id="c1"):
    return {
        "assignment": str(assignment.public_id),
        "client_id": client_id,
        "response": response,
        "comment": "",
        "shown_at": "2026-05-12T10:00:00.250Z",
        "active_seconds": 3.5,
    }


def test_the_data_request_stores_a_sheet_once_and_knows_it_again(desk, batch, bob):
    held = claim_one(batch, bob)
    backwards = dict(reversed(ratings(2, 2).items()))

    first = ask(desk, batch, sent(held, ratings(2, 2)))["results"][0]
    again = ask(desk, batch, sent(held, backwards))["results"][0]
    elsewhere = ask(desk, batch, sent(held, backwards, "c2"))["results"][0]
    other = ask(desk, batch, sent(held, ratings(2, 2) | {"confidence": "1"}, "c3"))["results"][0]

    assert [each["outcome"] for each in (first, again, elsewhere, other)] == [
        "saved",
        "saved",
        "already",
        "already",
    ]
    assert [each["is_same"] for each in (first, again, elsewhere, other)] == [
        True,
        True,
        True,
        False,
    ]
    assert first["said"] == "your rating"
    assert Judgement.objects.get().response == ratings(2, 2)


def test_a_sheet_that_is_not_whole_is_refused_with_what_is_missing(desk, batch, bob):
    held = claim_one(batch, bob)

    result = ask(desk, batch, sent(held, first_part()))["results"][0]

    assert result["outcome"] == "refused"
    assert "relevant.1: choose one of relevant, irrelevant" in result["words"]


def test_the_item_of_the_data_request_is_what_the_page_would_show(desk, batch):
    (item,) = ask(desk, batch, wanted=1)["items"]

    assert item["html"].strip() in opened(desk, batch).content.decode()
    assert PASSAGES[0]["sentences"][0] in item["html"]


def n_queries(act):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        act()
    return len(asked)


def test_a_sheet_asks_the_database_no_more_than_a_choice_does(study, desk):
    """However many questions it has."""

    def counted(scheme, payload):
        batch = batch_of_sheets(study, scheme, n=3, payload=payload)
        opened(desk, batch)
        return n_queries(lambda: opened(desk, batch)), n_queries(lambda: ask(desk, batch, wanted=2))

    choice = counted("plausibility", content(1, 0))

    assert counted("rating", content(3, 3)) == choice
    assert counted("relevance", content(0, 3)) == choice
