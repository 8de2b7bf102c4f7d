"""Settling by keys and taking back, unclear marks, second looks: what the pages do, and what they hide."""

import re

import pytest
from django.urls import reverse

from accounts.models import Role
from annotation.actions import (
    double_adjudication,
    guideline_marks,
    reviews,
    settlement,
    verdicts,
)
from annotation.models import Adjudication, Batch, SecondAdjudication, UnclearMark, VerdictState
from annotation.queries.batch_progress import OutcomeKind
from tests.annotation import judged_batches
from tests.annotation.desk_pages import client_of, text_of
from tests.conftest import member
from tests.crawling import body_of
from tests.parts import part

SENTINEL = "zqfirstreasonqz"
TEXT = "# Kindness\n\nBe kind.\n\n# Grammar\n\nNever mind it."


@part
def judged_batch(study, alice, bob, dora):
    """Settled by the strictest rule: items 3 to 8 are in dispute."""
    judged_batch = judged_batches.create_judged_batch(study, alice, bob, dora)
    guideline = judged_batch.batch.guideline
    type(guideline).objects.filter(pk=guideline.pk).update(text=TEXT)
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)
    return judged_batch


@pytest.fixture
def erin(study, alice):
    return member(study, "erin", Role.ADJUDICATOR, by=alice)


@pytest.fixture
def second_looks(judged_batch, alice, carol):
    """Carol settled items 3 and 8 as malformed, and both wait for a second look."""
    for number in (3, 8):
        reviews.adjudicate(
            item=judged_batch.item(number), label="malformed", reason=SENTINEL, by=carol
        )
    double_adjudication.draw(batch=judged_batch.batch, share=1, seed=1, by=alice)
    return judged_batch


def address_of(name, item=None, **more):
    parts = {"study": "lighthouses"} | ({"item": item.public_id} if item else {}) | more
    return reverse(name, kwargs=parts)


def main(response) -> str:
    return text_of(response).split("<main")[1]


# One after the other


def test_disputes_of_one_question_come_in_a_row_the_most_disputed_first(study, judged_batch, carol):
    queue = client_of(carol).get(address_of("disputes")).context["disputes"]

    positions = [each.item.position for each in queue]
    # 6 is 2:1; all others are 1:1. Items 3, 4 and 5, 7 and 8 by question; 6 is of the question of 7 and 8.
    assert positions == [3, 4, 5, 7, 8, 6]


def test_what_was_settled_last_can_be_taken_back_from_the_next_page(judged_batch, carol, erin):
    client, item = client_of(carol), judged_batch.item(3)
    said = {"label": "plausible", "reason": "it answers"}
    following = client.post(address_of("item_adjudicate", item), said).url
    page = main(client.get(following))
    assert "Last decision:" in page
    seen = re.search(r'id="undo".*?name="seen" value="(\d+)"', page)[1]
    assert "Last decision:" not in main(client_of(erin).get(following))

    back = client.post(address_of("item_retract", item), {"seen": seen})

    assert back.url == address_of("item", item)
    assert verdicts.current_verdict(item).state == VerdictState.DISPUTED
    assert "Last decision:" not in main(client.get(following))
    assert "undid the adjudication as plausible" in main(client.get(back.url))


def test_an_empty_form_takes_nothing_back(judged_batch, carol):
    item = judged_batch.item(3)
    verdict = reviews.adjudicate(item=item, label="plausible", reason="x", by=carol)

    client_of(carol).post(address_of("item_retract", item))

    assert verdicts.current_verdict(item) == verdict


def test_the_page_says_where_a_verdict_comes_from(judged_batch, alice, carol):
    item = judged_batch.item(6)
    reviews.review(
        judgement=judged_batch.judgement(6, judged_batch.fay),
        is_paid=True,
        paid_code="in good faith",
        paid_reason="",
        is_counted=False,
        counted_code="misread the task",
        counted_reason="",
        by=alice,
    )
    reviews.exclude(item=item, reason="confusing", by=alice)
    reviews.readmit(item=item, reason="it is not", by=alice)
    reviews.adjudicate(item=item, label="plausible", reason="It answers.", by=carol)
    reviews.ask_again(item=item, by=alice)

    page = main(client_of(carol).get(address_of("item", item)))

    text = re.sub("<[^>]+>", "|", page)
    for said in (
        "adjudicated by carol",
        "reason: It answers.",
        "votes: 1 malformed, 2 plausible, evaluated by the rule unanimous",
        "set aside: excluded, by decision (alice",
        "in dispute, by consensus (alice",
        "2 counted of 3; 3 needed",
        "C: paid (in good faith), not counted (misread the task), by alice",
        "excluded by alice: confusing",
        "included again by alice: it is not",
        "asked for one more judgement: alice",
        "opened the batch again: alice",
    ):
        assert f"|{said}" in text, said


# Unclear guidelines


def test_a_section_is_marked_as_unclear_and_the_mark_taken_back(judged_batch, carol):
    client, item = client_of(carol), judged_batch.item(3)
    assert '<option value="Grammar">Grammar</option>' in main(client.get(address_of("item", item)))

    client.post(address_of("item_unclear", item), {"section": "Grammar"})
    page = main(client.get(address_of("item", item)))
    client.post(address_of("item_unclear", item), {"section": "Grammar", "undo": "1"})

    assert "Undo: Grammar is unclear" in page
    assert [mark.is_unclear for mark in UnclearMark.objects.all()] == [True, False]


def test_a_section_that_there_is_not_is_refused(judged_batch, carol):
    response = client_of(carol).post(
        address_of("item_unclear", judged_batch.item(3)), {"section": "Lamps"}
    )

    assert response.status_code == 400
    assert not UnclearMark.objects.exists()


def test_marks_are_counted_by_section_for_requesters_and_adjudicators(judged_batch, alice, carol):
    batch = {"batch": judged_batch.batch.pk}
    assert "The guideline has not been marked" in main(
        client_of(carol).get(address_of("batch_unclear", **batch))
    )
    for number, section in ((3, "Grammar"), (4, "Grammar"), (4, "")):
        guideline_marks.mark_unclear(item=judged_batch.item(number), section=section, by=carol)

    page = re.sub("<[^>]+>| ", "", main(client_of(carol).get(address_of("batch_unclear", **batch))))
    table = body_of(client_of(carol).get(address_of("unclear_csv", **batch))).decode()
    on_batch = re.sub("<[^>]+>", "", main(client_of(alice).get(address_of("batch", **batch))))

    assert "thewholeguideline1Kindness0Grammar2" in page
    assert [line.split(",")[0] for line in table.split()[0:1]] == ["section"]
    assert table.count("Grammar,") == 2
    assert "Grammar: 2 items" in on_batch
    assert "3 marks" in main(client_of(carol).get(address_of("disputes")))


# Second looks


def crawl(client, judged_batch) -> list[str]:
    """Everything about these items that an adjudicator can fetch, and be told after an empty form."""
    batch = {"batch": judged_batch.batch.pk}
    hrefs = [address_of("disputes"), address_of("second_queue"), address_of("flags")]
    hrefs += [address_of(name, **batch) for name in ("batch_items", "batch_review", "review_work")]
    hrefs += [address_of("batch_unclear", **batch), address_of("review_history", **batch)]
    hrefs += [f"{address_of('batch_items', **batch)}?verdict=malformed&by=adjudication"]
    for number in (3, 8):
        item = judged_batch.item(number)
        names = ("item", "item_second")
        hrefs += [address_of(name, item) for name in names]
        for name in ("item_note", "item_exclude", "item_adjudicate", "item_retract"):
            hrefs.append(address_of(name, item))
    texts = [client.get(href, follow=True).content.decode() for href in hrefs]
    posts = [href for href in hrefs if "/items/" in href and "/batches/" not in href]
    return texts + [client.post(href, follow=True).content.decode() for href in posts]


def test_who_looks_a_second_time_sees_neither_the_first_label_nor_its_reason(second_looks, erin):
    texts = crawl(client_of(erin), second_looks)

    assert not any(SENTINEL in text for text in texts)
    assert not any("Settled as malformed" in text for text in texts)
    assert not any("adjudicated it as" in text for text in texts)
    listed = (
        client_of(erin)
        .get(address_of("batch_items", batch=second_looks.batch.pk), {"verdict": "malformed"})
        .context["listing"]
    )
    assert list(listed.page) == []
    assert not SecondAdjudication.objects.exists()
    assert Adjudication.objects.count() == 2


def test_no_filter_of_the_items_finds_the_first_label_for_who_looks_a_second_time(
    second_looks, carol, erin
):
    listed = address_of("batch_items", batch=second_looks.batch.pk)
    waiting = [address_of("item", second_looks.item(number)) for number in (3, 8)]

    def shown(reader, verdict):
        page = main(client_of(reader).get(listed, {"verdict": verdict}))
        return [href for href in waiting if href in page]

    malformed = OutcomeKind("decided", "malformed", "").key
    assert shown(carol, malformed) == waiting
    assert shown(erin, malformed) == []
    assert shown(erin, "none") == waiting


def test_who_settled_it_first_and_the_requester_see_it_as_it_is(second_looks, carol, alice):
    for person in (carol, alice):
        page = main(client_of(person).get(address_of("item", second_looks.item(3))))
        assert "Settled as malformed" in page
        assert SENTINEL in page


def test_second_looks_are_settled_one_after_the_other(second_looks, erin):
    client = client_of(erin)
    said = {"label": "plausible", "reason": "read anew"}
    assert "2 items for blind re-adjudication" in main(client.get(address_of("disputes")))
    assert "2 items that another adjudicator settled" in main(
        client.get(address_of("second_queue"))
    )

    first = client.post(address_of("item_second", second_looks.item(3)), said)
    last = client.post(first.url, said)

    assert (first.url, last.url) == (
        address_of("item_second", second_looks.item(8)),
        address_of("second_queue"),
    )
    assert "No item waits for your second look" in main(client.get(last.url))
    assert verdicts.current_verdict(second_looks.item(3)).label == "malformed"
    page = main(client.get(address_of("item", second_looks.item(3))))
    assert "labelled plausible by erin: read anew" in page


def test_what_is_missing_is_said(second_looks, erin):
    response = client_of(erin).post(
        address_of("item_second", second_looks.item(3)), {"label": "plausible"}
    )

    assert response.status_code == 400
    assert not SecondAdjudication.objects.exists()


def test_an_item_that_waits_for_nobody_leads_to_its_page(second_looks, carol):
    response = client_of(carol).get(address_of("item_second", second_looks.item(3)))

    assert response.url == address_of("item", second_looks.item(3))


def test_the_requester_draws_a_share_and_reads_how_far_two_agree(judged_batch, alice, carol, erin):
    client, here = client_of(alice), address_of("second_looks", batch=judged_batch.batch.pk)
    assert "No adjudication is left to draw" in main(client.get(here))
    for number in (3, 4, 5, 8):
        reviews.adjudicate(item=judged_batch.item(number), label="plausible", reason="x", by=carol)
    page = main(client.get(here))
    assert "Undefined: no item was settled a second time yet" in page
    assert "4 adjudications can be drawn" in page

    assert client.post(here, {"share": "1", "seed": "7"}).url == here
    for number, label in ((3, "malformed"), (4, "plausible"), (5, "plausible")):
        double_adjudication.settle(item=judged_batch.item(number), label=label, reason="y", by=erin)

    page = re.sub(" +", " ", re.sub("<[^>]+>", " ", main(client.get(here))))
    assert "67 %" in page
    assert "2 of 3 items got the same label" in page
    assert "95 % interval 0.208 to 0.939" in page  # Wilson for 2 of 3
    assert "Items on which they differ" in page
    assert "malformed erin" in page
    assert "a share of 1.0, seed 7" in page
    on_batch = re.sub(
        "<[^>]+>", "", main(client.get(address_of("batch", batch=judged_batch.batch.pk)))
    )
    assert "2 of 3 items got the same label twice" in on_batch


@pytest.mark.parametrize("said", [{"share": "0", "seed": "1"}, {"share": "2", "seed": "1"}, {}])
def test_what_is_no_share_is_refused_in_words(judged_batch, alice, carol, said):
    reviews.adjudicate(item=judged_batch.item(3), label="plausible", reason="x", by=carol)

    response = client_of(alice).post(address_of("second_looks", batch=judged_batch.batch.pk), said)

    assert response.status_code == 400
    assert "errorlist" in main(response)


def test_with_one_adjudicator_it_is_said_that_nobody_could_look(judged_batch, alice, carol):
    page = main(client_of(alice).get(address_of("second_looks", batch=judged_batch.batch.pk)))

    assert "fewer than two adjudicators" in page


def test_a_second_look_shows_markdown_as_the_annotators_saw_it(second_looks, erin):
    Batch.objects.filter(pk=second_looks.batch.pk).update(shows_markdown=True)

    page = client_of(erin).get(address_of("item_second", second_looks.item(3)))

    assert '<div class="text markdown">' in page.text
