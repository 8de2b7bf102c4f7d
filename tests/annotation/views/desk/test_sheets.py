"""What is promised of sheets at the desk without a script, and of the desk's data request."""

import json
from dataclasses import replace
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.actions import first_parts, judgements
from annotation.actions.judgements import NotClaimedError
from annotation.models import Judgement
from annotation.models.limits import LONGEST_REASON
from tests.annotation.desk import claim_one, submission, submit_with_first_part
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.annotation.sheets import (
    PASSAGES,
    batch_of_sheets,
    content,
    fields_of,
    first_part,
    ratings,
    second_part,
)

SAID = ratings(2, 2)


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


def shows_passages(page):
    """Whether any word of a passage, or of what is asked with it in view, has left the server."""
    words = [word for each in PASSAGES[:2] for word in (each["title"], each["text"][:30])]
    words += [PASSAGES[0]["sentences"][0], "faithful.1", "relevant.1"]
    page = page if isinstance(page, str) else text_of(page)
    found = {bool(word and word in page) for word in words if word}
    assert len(found) == 1
    return found == {True}


def test_a_rating_is_given_in_two_parts_and_stored_after_the_second(desk, batch):
    page = open_desk(desk, batch)
    assert not shows_passages(page)
    assert "Show the passages" in text_of(page)

    second = send(desk, page, first_part(SAID) | {"unknown.2": "yes", "comment": "hm"})

    assert second.status_code == 200
    assert not Judgement.objects.exists()
    assert shows_passages(second)
    assert "Part 2 of 2: with the passage." in text_of(second)
    assert '<p class="missing" id="missing" hidden>' in text_of(second)
    assert "hm" in text_of(second)

    assert send(desk, second, second_part(SAID) | {"comment": "hm"}).status_code == 302
    stored = Judgement.objects.get()
    assert stored.response == SAID | {"unknown.2": "yes"}
    assert stored.comment == "hm"


def test_the_desk_opened_anew_goes_on_with_the_passages(desk, batch):
    """In another tab, on another device, or after the page was sent a second time."""
    page = open_desk(desk, batch)
    send(desk, page, first_part(SAID))

    again = open_desk(desk, batch)
    twice = send(desk, page, first_part(SAID) | {"confidence": "1"})

    for each in (again, twice):
        assert each.status_code == 200
        assert shows_passages(each)
        assert checked(each) == first_part(SAID)


def checked(page):
    """What the page has set of the sheet, also where it can no longer be changed."""
    asked = page.context["payload"]
    lines = [
        *asked["questions"],
        *(line for each in asked["answers"] for line in each["questions"]),
    ]
    marks = [mark for line in lines for mark, is_set in line.marks if is_set]
    return {mark.name: mark.value for mark in marks}


@pytest.mark.parametrize(
    "changed", [{"confidence": "1"}, {"appropriate.1": "4"}, {"unknown.1": "yes"}]
)
def test_what_was_said_without_the_passages_cannot_be_changed_with_them(desk, batch, changed):
    second = send(desk, open_desk(desk, batch), first_part(SAID))

    again = send(desk, second, SAID | changed)

    assert again.status_code == 400
    assert "the answers to part 1 are locked since the passages were shown" in text_of(again)
    assert not Judgement.objects.exists()


def test_of_a_whole_rating_by_who_never_saw_a_passage_the_first_part_is_kept(desk, batch):
    at_once = send(desk, open_desk(desk, batch), SAID | {"part": "2"})

    assert shows_passages(at_once)
    assert checked(at_once) == first_part(SAID)
    assert not Judgement.objects.exists()


def test_the_data_request_takes_no_rating_before_its_first_part(desk, batch, bob):
    held = claim_one(batch, bob)

    told = sync_desk(desk, batch, sent_judgement(held, SAID))["results"][0]

    assert told["outcome"] == "refused"
    assert "the passages were not shown yet" in told["words"]
    assert not Judgement.objects.exists()


def test_what_is_missing_of_the_part_on_the_screen_is_told_and_of_no_other(desk, batch):
    said = first_part(SAID)
    del said["appropriate.2"]

    again = send(desk, open_desk(desk, batch), said)

    assert again.status_code == 400
    assert not shows_passages(again)
    assert "1 question not answered yet, marked above" in text_of(again)
    assert text_of(again).count('<span class="missing">Not answered yet.') == 1
    assert dict(fields_of(again))["appropriate.1"] == said["appropriate.1"]
    assert not Judgement.objects.exists()


def test_an_answer_that_is_faithful_needs_a_passage_that_supports_it(desk, batch):
    second = send(desk, open_desk(desk, batch), first_part(SAID))
    said = second_part(SAID)
    del said["supports.1.1"]

    again = send(desk, second, said)

    assert again.status_code == 400
    assert "1 question not answered yet" in text_of(again)
    assert shows_passages(again)
    assert send(desk, again, {"supports.1.2": "yes"}).status_code == 302
    assert Judgement.objects.get().response["supports.1.2"] == "yes"


def test_passages_that_support_an_answer_that_is_not_faithful_are_not_stored(desk, batch):
    second = send(desk, open_desk(desk, batch), first_part(SAID))

    assert send(desk, second, second_part(SAID) | {"faithful.1": "2"}).status_code == 302
    assert "supports.1.1" not in Judgement.objects.get().response


@pytest.mark.parametrize("broken", [{"odd": "yes"}, {"relevant.1": "perhaps"}, {"part": "0"}])
def test_what_no_question_asks_is_refused(desk, batch, broken):
    second = send(desk, open_desk(desk, batch), first_part(SAID))

    assert send(desk, second, second_part(SAID) | broken).status_code == 400
    assert not Judgement.objects.exists()


def test_a_part_that_does_not_exist_is_the_last(desk, batch):
    second = send(desk, open_desk(desk, batch), first_part(SAID))

    send(desk, second, second_part(SAID) | {"part": "9"})

    assert Judgement.objects.get().response == ratings(2, 2)


def test_without_a_passage_the_first_part_is_all(study, desk):
    batch = batch_of_sheets(study, payload=content(1, 0))
    page = open_desk(desk, batch)
    assert "There is no passage for this question." in text_of(page)
    assert "Part 1 of" not in text_of(page)

    send(desk, page, {"confidence": "1", "appropriate.1": "2"})

    assert Judgement.objects.get().response == {"confidence": "1", "appropriate.1": "2"}


def test_a_sheet_that_was_taken_back_comes_with_what_was_said(desk, batch):
    page = open_desk(desk, batch)
    held = page.context["assignment"]
    send(desk, send(desk, page, first_part(SAID)), second_part(SAID))
    recent = text_of(desk.get(address("desk_recent", batch)))
    assert "<strong>your rating</strong>" in recent
    assert 'dir="auto">confidence 3</li>' in recent

    again = desk.post(address("desk_take_back", batch, held), follow=True)

    assert "Undone: <strong>your rating</strong>. Your answers are filled in" in text_of(again)
    assert dict(fields_of(again)).items() >= second_part(SAID).items()
    assert checked(again).items() >= first_part(SAID).items()
    assert send(desk, again, {"relevant.2": "relevant"}).status_code == 302
    changed = Judgement.objects.not_withdrawn().get()
    assert changed.response == ratings(2, 2) | {"relevant.2": "relevant"}


def test_relevance_marks_the_words_of_the_question_in_the_passages(study, desk):
    batch = batch_of_sheets(study, "relevance", payload=content(0, 3))
    page = open_desk(desk, batch)

    assert "and was <mark>built</mark> by masons" in text_of(page)
    assert "<mark>the</mark>" not in text_of(page)
    said = {"relevant.1": "relevant", "relevant.2": "irrelevant", "relevant.3": "irrelevant"}
    assert send(desk, page, said).status_code == 302
    assert Judgement.objects.get().response == said


def test_no_text_of_a_sheet_is_taken_for_anything_else(study, desk):
    hostile = '<script>alert("tower")</script>'
    passage = {"title": hostile, "text": hostile, "sentences": [hostile]}
    payload = content(2, 1) | {"question": hostile, "passages": [{"number": 1, **passage}]}
    payload["answers"] = [{"number": n, "text": f"{hostile} {n}"} for n in (1, 2)]

    rating = open_desk(desk, batch_of_sheets(study, "rating", payload=payload))
    relevance = open_desk(desk, batch_of_sheets(study, "relevance", payload=payload))
    rated = send(desk, rating, first_part(ratings(2)))
    again = {"assignment": str(rating.context["assignment"].public_id), "response": {}}
    told = sync_desk(desk, rating.context["batch"], opens=again)["opened"]["html"]

    for page in (text_of(rating), text_of(relevance), text_of(rated), told):
        assert "<script>alert" not in page
        assert "&lt;" in page
        assert 'alert("tower")' not in page
    for page in (text_of(rated), told):
        assert page.split('class="passages"')[1].count("&lt;script&gt;") >= 2  # title and sentence


def sync_desk(desk, batch, *submissions, **more):
    reply = desk.post(
        address("desk_feed", batch),
        json.dumps({"submissions": submissions, **more}),
        content_type="application/json",
    )
    assert reply.status_code == 200, reply.content
    return reply.json()


def sent_judgement(assignment, response, client_id="c1"):
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
    first_parts.show_the_rest(assignment=held, response=first_part(SAID), by=bob)
    backwards = dict(reversed(ratings(2, 2).items()))

    first = sync_desk(desk, batch, sent_judgement(held, ratings(2, 2)))["results"][0]
    again = sync_desk(desk, batch, sent_judgement(held, backwards))["results"][0]
    elsewhere = sync_desk(desk, batch, sent_judgement(held, backwards, "c2"))["results"][0]
    other = sync_desk(desk, batch, sent_judgement(held, ratings(2, 2) | {"confidence": "1"}, "c3"))[
        "results"
    ][0]

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
    first_parts.show_the_rest(assignment=held, response=first_part(SAID), by=bob)

    result = sync_desk(desk, batch, sent_judgement(held, first_part(SAID)))["results"][0]

    assert result["outcome"] == "refused"
    assert "relevant.1: choose one of relevant, irrelevant" in result["words"]


def test_the_item_of_the_data_request_is_what_the_page_would_show(desk, batch):
    (item,) = sync_desk(desk, batch, wanted=1)["items"]
    assert not shows_passages(item["html"])
    assert item["html"].strip() in open_desk(desk, batch).content.decode()

    first = {"assignment": item["assignment"], "response": first_part(SAID)}
    whole = sync_desk(desk, batch, opens=first)["opened"]

    assert whole["assignment"] == item["assignment"]
    assert whole["words"] == ""
    assert shows_passages(whole["html"])
    assert whole["html"].strip() in open_desk(desk, batch).content.decode()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "confidence: choose one of 1, 2, 3, 4"),
        (SAID, "nothing called faithful.1 is asked in the first part"),
        (first_part(SAID) | {"confidence": "9"}, "confidence: choose one of 1, 2, 3, 4"),
    ],
    ids=["nothing", "more than is asked", "what is no option"],
)
def test_what_is_not_the_whole_first_part_shows_nothing(desk, batch, bob, said, words):
    held = claim_one(batch, bob)

    told = sync_desk(desk, batch, opens={"assignment": str(held.public_id), "response": said})[
        "opened"
    ]

    assert told["html"] == ""
    assert words in told["words"]
    held.refresh_from_db()
    assert held.first_part is None


def test_the_first_part_of_somebody_elses_item_shows_nothing(desk, batch, study, dora):
    held = claim_one(batch, dora)

    first = {"assignment": str(held.public_id), "response": first_part(SAID)}
    told = sync_desk(desk, batch, opens=first)["opened"]

    assert told == {
        "assignment": str(held.public_id),
        "html": "",
        "is_over": False,
        "words": "The item is not assigned to you.",
    }
    with pytest.raises(NotClaimedError, match="another annotator"):
        first_parts.show_the_rest(assignment=held, response=first_part(SAID), by=study.created_by)


def test_what_was_skipped_shows_its_passages_to_nobody_any_more(desk, batch, bob):
    held = claim_one(batch, bob)
    judgements.skip(assignment=held, reason="not my field", by=bob)

    first = {"assignment": str(held.public_id), "response": first_part(SAID)}

    told = sync_desk(desk, batch, opens=first)["opened"]

    assert (told["html"], told["is_over"]) == ("", True)


def test_the_first_part_of_what_was_skipped_or_judged_meanwhile_is_told_so(desk, batch, bob):
    page = open_desk(desk, batch)
    held = page.context["assignment"]
    submit_with_first_part(assignment=held, submission=replace(submission(), response=SAID), by=bob)
    judged = send(desk, page, first_part(SAID))

    other = batch_of_sheets(batch.study, payload=content(2, 2))
    skipped = open_desk(desk, other)
    judgements.skip(assignment=skipped.context["assignment"], reason="not my field", by=bob)

    assert judged.status_code == 409
    assert "You judged this item already" in text_of(judged)
    assert send(desk, skipped, first_part(SAID)).status_code == 409


def test_a_page_from_before_shows_what_was_kept_and_misses_nothing_that_nobody_saw(desk, batch):
    page = open_desk(desk, batch)
    send(desk, page, first_part(SAID))

    too_long = {"confidence": "1", "comment": "x" * (LONGEST_REASON + 1)}
    again = send(desk, page, first_part(SAID) | too_long)

    assert again.status_code == 400
    assert checked(again) == first_part(SAID)
    assert "questions not answered yet" not in text_of(again)


def test_an_item_without_parts_has_no_first_one(study, desk, bob):
    batch = batch_of_sheets(study, "relevance", payload=content(0, 2))
    held = claim_one(batch, bob)

    told = sync_desk(desk, batch, opens={"assignment": str(held.public_id), "response": {}})[
        "opened"
    ]

    assert told["words"] == "relevance: all of this item is shown at once"


@pytest.mark.parametrize(
    ("opens", "named"),
    [
        ("item", "opens is not an object"),
        ({"assignment": 7, "response": {}}, "opens.assignment is not the id of an assignment"),
        ({"assignment": str(UUID(int=7))}, "opens.response is not an object"),
    ],
)
def test_a_first_part_that_cannot_be_read_is_named(desk, batch, opens, named):
    reply = desk.post(
        address("desk_feed", batch), json.dumps({"opens": opens}), content_type="application/json"
    )

    assert reply.status_code == 400
    assert named in reply.json()["error"]


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
        open_desk(desk, batch)
        return n_queries(lambda: open_desk(desk, batch)), n_queries(
            lambda: sync_desk(desk, batch, wanted=2)
        )

    choice = counted("plausibility", content(1, 0))

    def counted_whole(payload):
        batch = batch_of_sheets(study, n=1, payload=payload)
        page = open_desk(desk, batch)
        said = first_part(ratings(len(payload["answers"])))
        first = {"assignment": str(page.context["assignment"].public_id), "response": said}
        shows = n_queries(lambda: sync_desk(desk, batch, opens=first))
        return shows, n_queries(lambda: open_desk(desk, batch))

    # A choice also asks which place the item has among those of its question.
    expected = tuple(n - 1 for n in choice)
    assert counted("rating", content(3, 3)) == expected
    assert counted_whole(content(3, 3)) == counted_whole(content(1, 1))
    assert counted_whole(content(1, 1))[1] == expected[0]
    assert counted("relevance", content(0, 3)) == expected
