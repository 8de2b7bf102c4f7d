"""The pages of review: who did what, a decision shown before it is made, and its undoing."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Role
from annotation.actions import bulk_reviews, settlement
from annotation.models import Batch, BatchState, Judgement, Review, ReviewAct
from annotation.review_decisions import Decision
from annotation.views.review import pages as review_pages
from tests.annotation import judged_batches
from tests.annotation.desk_pages import client_of, text_of
from tests.parts import part

SPAM = Decision(False, "random answers", "", False, "random answer", "always 3")
SAID = {"paid": "no: random answers", "counted": "no: random answer"}


@part
def judged_batch(study, alice, bob, dora):
    judged_batch = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)
    return judged_batch


def href(name, judged_batch, **more):
    return reverse(name, kwargs={"study": "lighthouses", "batch": judged_batch.batch.pk, **more})


def main(response) -> str:
    return text_of(response).split("<main")[1]


def of_fay(judged_batch):
    return [judgement.pk for judgement in judged_batch.of(judged_batch.fay)]


def carried(response) -> dict[str, str]:
    """What the form of the preview sends when it is confirmed."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', main(response))
    return {name: value.replace("&amp;", "&") for name, value in fields} | {"confirm": "1"}


def previewed(client, judged_batch, **said):
    return client.post(href("review_decide", judged_batch), SAID | said)


# Who did what


def test_the_people_stand_there_with_what_they_did_and_how_alike_others(judged_batch, alice):
    bulk_reviews.decide(
        batch=judged_batch.batch, decisions=dict.fromkeys(of_fay(judged_batch), SPAM), by=alice
    )

    page = main(client_of(alice).get(href("batch_review", judged_batch)))

    rows = [re.sub("<[^>]+>| ", "", row) for row in re.findall("<tr>(.*?)</tr>", page)]
    # bob beside dora: alike on items 1, 2 and 6, not so on 3, 4, 5 and 8; fay does not count
    assert any(row.startswith("fayp") and row.endswith("\N{EN DASH}") for row in rows), rows
    assert any("bob" in row and "43%of7" in row for row in rows), rows
    decided = "decided on 2 judgements: 2 not paid (random answers), not counted (random answer)"
    assert decided in re.sub("<[^>]+>", "", page)


def test_an_adjudicator_sees_pseudonyms_and_no_names(judged_batch, carol):
    client = client_of(carol)

    for name in ("batch_review", "review_work"):
        page = main(client.get(href(name, judged_batch)))
        assert "p0004" in page or "p0002" in page
        for person in ("bob", "dora", "fay"):
            assert person not in page


def test_where_nobody_has_begun_there_is_nothing_to_review(study, alice, batch):
    response = client_of(alice).get(reverse("batch_review", args=[study.slug, batch.pk]))

    assert "There is no work to review yet" in main(response)


# The list


def listed_judgements(client, judged_batch, **narrowed) -> list[int]:
    response = client.get(href("review_work", judged_batch), narrowed)
    return [each.judgement.pk for each in response.context["lines"]]


def test_the_list_is_narrowed_by_person_label_speed_others_and_decision(judged_batch, alice, study):
    client = client_of(alice)
    fays = of_fay(judged_batch)
    pseudonym = study.memberships.get(user=judged_batch.fay).pseudonym
    Judgement.objects.filter(pk=fays[0]).update(active_seconds=1.0)

    assert listed_judgements(client, judged_batch, person=pseudonym) == fays
    assert listed_judgements(client, judged_batch, label="malformed") == fays
    assert listed_judgements(client, judged_batch, speed="fast") == fays[:1]
    assert len(listed_judgements(client, judged_batch, speed="rest")) == 16
    assert set(fays) <= set(listed_judgements(client, judged_batch, others="alone"))
    alike = Judgement.objects.filter(assignment__item__in=judged_batch.items[:2])
    assert set(listed_judgements(client, judged_batch, others="alike")) == {
        each.pk for each in alike
    }
    bulk_reviews.decide(batch=judged_batch.batch, decisions={fays[0]: SPAM}, by=alice)
    assert listed_judgements(client, judged_batch, decided="uncounted") == fays[:1]
    assert listed_judgements(client, judged_batch, decided="unpaid", person=pseudonym) == fays[:1]
    assert len(listed_judgements(client, judged_batch, decided="none")) == 16


def test_the_list_can_be_that_of_one_item(judged_batch, alice):
    own = Judgement.objects.filter(assignment__item=judged_batch.item(6))
    shown = listed_judgements(client_of(alice), judged_batch, item=str(judged_batch.item(6)))

    assert set(shown) == {each.pk for each in own}
    assert len(listed_judgements(client_of(alice), judged_batch, item="nonsense")) == 17


def test_what_others_said_is_shown_while_the_batch_is_open(study, alice, bob, dora):
    found = judged_batches.create_judged_batch(study, alice, bob, dora, closed=False)
    client = client_of(alice)

    lines = client.get(href("review_work", found)).context["lines"]
    people = main(client.get(href("batch_review", found)))

    assert lines[0].others == ["plausible"]
    assert listed_judgements(client, found, others="alone") != []
    assert "of 9" in re.sub("<[^>]+>", "", people)


def test_a_list_that_shows_nothing_says_so(judged_batch, alice):
    page = main(client_of(alice).get(href("review_work", judged_batch), {"decided": "unpaid"}))

    assert "No judgement matches" in page
    assert "Show what this changes" not in page


# Deciding


def test_what_a_decision_changes_is_shown_and_nothing_is_done(judged_batch, alice):
    page = main(previewed(client_of(alice), judged_batch, judgement=of_fay(judged_batch)))

    text = re.sub(" +", " ", re.sub("<[^>]+>", " ", page))
    assert "2 judgements of 2 items: decided." in text
    assert "Excluded from results: 2 judgements." in text
    assert "Payment refused: 2 judgements." in text
    assert "settled again by the rule unanimous, the label of 2 items would change" in text
    assert "in dispute plausible 1" in text
    assert "in dispute set aside: too few judgements 1" in text
    assert not Review.objects.exists()


def test_money_that_is_not_paid_is_shown_in_its_currency(judged_batch, alice):
    Batch.objects.filter(pk=judged_batch.batch.pk).update(reward="6.3", currency="GBP")

    page = main(previewed(client_of(alice), judged_batch, judgement=of_fay(judged_batch)))

    assert "£12.60 not paid." in page


def test_confirmed_it_is_done_and_leads_back_to_the_list(judged_batch, alice, study):
    client = client_of(alice)
    pseudonym = study.memberships.get(user=judged_batch.fay).pseudonym
    page = previewed(
        client,
        judged_batch,
        all="1",
        list=f"person={pseudonym}",
        counted_words="always 3",
        ask_again="on",
    )

    done = client.post(href("review_decide", judged_batch), carried(page))

    assert done.url == f"{href('review_work', judged_batch)}?person={pseudonym}"
    act = ReviewAct.objects.get()
    assert {each.judgement_id for each in act.reviews.all()} == set(of_fay(judged_batch))
    assert {each.counted_because for each in act.reviews.all()} == {"random answer: always 3"}
    judged_batch.batch.refresh_from_db()
    assert (act.asks_again, judged_batch.batch.state) == (True, BatchState.OPEN)


def test_what_changed_since_it_was_shown_is_shown_anew(judged_batch, alice, carol):
    client = client_of(alice)
    page = previewed(client, judged_batch, judgement=of_fay(judged_batch))
    good = Decision(True, "in good faith", "", True, "good", "")
    bulk_reviews.decide(
        batch=judged_batch.batch, decisions={of_fay(judged_batch)[0]: good}, by=carol
    )

    again = client.post(href("review_decide", judged_batch), carried(page))

    assert "Nothing was decided: something was decided meanwhile" in text_of(again)
    assert Review.objects.count() == 1
    assert client.post(href("review_decide", judged_batch), carried(again)).status_code == 302


def test_what_cannot_be_decided_is_named_by_its_question(
    study, judged_batch, alice, bob, django_assert_max_num_queries
):
    """Who settles was handed these items: as many questions for one as for eight."""
    study.memberships.get(user=bob).grants.create(role=Role.ADJUDICATOR, granted_by=alice)
    every = [each.pk for each in judged_batch.of(bob)]
    client = client_of(bob)
    with CaptureQueriesContext(connection) as asked:
        previewed(client, judged_batch, judgement=every[:1])

    with django_assert_max_num_queries(len(asked)):
        page = text_of(previewed(client, judged_batch, judgement=every))

    assert page.count("Who?") == page.count("you were assigned the item yourself") == len(every)


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ({"judgement": ""}, "No judgement is selected"),
        ({"paid": ""}, "This field is required"),
        ({"paid": "no: good"}, "Select a valid choice"),
        ({"counted": "no: other"}, "the reason for the count is empty"),
    ],
)
def test_what_is_missing_is_said_beside_the_list(judged_batch, alice, said, missing):
    sent = {"judgement": of_fay(judged_batch)} | said

    response = previewed(client_of(alice), judged_batch, **sent)

    assert response.status_code == 400
    assert missing in main(response)
    assert not Review.objects.exists()


def test_the_preview_says_of_how_many_items_nobody_is_left_to_judge(judged_batch, alice):
    page = text_of(
        previewed(client_of(alice), judged_batch, judgement=of_fay(judged_batch), ask_again="on")
    )

    assert "the batch opens again" in page
    assert "1 item: nobody is left to judge it" in page


def test_asking_again_is_the_requesters(judged_batch, carol):
    client = client_of(carol)
    assert "ask_again" not in main(client.get(href("review_work", judged_batch)))

    page = previewed(client, judged_batch, judgement=of_fay(judged_batch), ask_again="on")
    client.post(href("review_decide", judged_batch), carried(page))

    assert ReviewAct.objects.get().asks_again is False


def test_the_address_of_the_form_leads_to_the_list(judged_batch, alice):
    response = client_of(alice).get(href("review_decide", judged_batch))

    assert response.url == href("review_work", judged_batch)


def test_judgements_of_another_batch_are_none(judged_batch, alice):
    page = main(previewed(client_of(alice), judged_batch, judgement=["999999999"]))

    assert "Nothing would change" in page


# What was decided


def test_the_history_has_the_newest_first_and_that_of_one_person(judged_batch, alice, carol, study):
    client = client_of(alice)
    assert "No review decision yet" in main(client.get(href("review_history", judged_batch)))
    bulk_reviews.decide(
        batch=judged_batch.batch, decisions={of_fay(judged_batch)[0]: SPAM}, by=alice
    )
    bob = judged_batch.judgement(1, study.memberships.get(user__username="bob").user)
    bulk_reviews.decide(batch=judged_batch.batch, decisions={bob.pk: SPAM}, by=carol)

    everybody = main(client.get(href("review_history", judged_batch)))
    pseudonym = study.memberships.get(user=judged_batch.fay).pseudonym
    fays = main(client.get(href("review_history", judged_batch), {"person": pseudonym}))

    assert everybody.index("<strong>carol") < everybody.index("<strong>alice")
    assert "on the work of fay" in fays
    assert "<strong>carol" not in fays


def test_an_act_is_undone_after_it_was_shown_what_that_changes(judged_batch, alice):
    client = client_of(alice)
    decisions = dict.fromkeys(of_fay(judged_batch), SPAM)
    act = bulk_reviews.decide(batch=judged_batch.batch, decisions=decisions, by=alice)
    undo = href("review_undo", judged_batch, act=act.public_id)

    page = client.get(undo)
    assert "Restored to results: 2 judgements." in main(page)
    done = client.post(undo, carried(page))

    assert done.url == href("review_history", judged_batch)
    assert Judgement.objects.counted().count() == 17
    assert "Nothing would change" in main(client.get(undo))
    history = main(client.get(done.url))
    assert "Undone, or changed by later decisions" in history
    assert "undid the decision of" in history


def test_an_act_of_another_batch_is_not_found(judged_batch, alice, batch):
    act = ReviewAct.objects.create(batch=batch, reviewed_by=alice)

    assert (
        client_of(alice).get(href("review_undo", judged_batch, act=act.public_id)).status_code
        == 404
    )


def test_the_pages_ask_as_many_questions_for_two_judgements_as_for_many(
    judged_batch, alice, django_assert_max_num_queries
):
    client = client_of(alice)
    for name in ("batch_review", "review_work", "review_history"):
        with django_assert_max_num_queries(20):
            client.get(href(name, judged_batch))


def test_a_decision_that_was_broken_off_says_how_many_were_written(
    judged_batch, alice, monkeypatch
):
    client = client_of(alice)
    sent = carried(previewed(client, judged_batch, judgement=of_fay(judged_batch)))
    message = "4 of 9 were written, then it was broken off: x. Doing it again does the rest"

    def broken(**_):
        raise bulk_reviews.BrokenOffError(message)

    monkeypatch.setattr(bulk_reviews, "decide", broken)
    page = main(client.post(href("review_decide", judged_batch), sent))

    assert f"{message}." in page
    assert "Nothing was decided" not in page


@pytest.mark.parametrize("chosen", [{"all": "1"}, {"judgement": range(1, 4)}])
def test_more_than_one_act_decides_on_is_refused_and_not_cut(
    judged_batch, alice, monkeypatch, chosen
):
    monkeypatch.setattr(review_pages, "MOST_CHOSEN", 2)

    response = previewed(client_of(alice), judged_batch, **chosen)

    assert response.status_code == 400
    assert "filter the list" in main(response)
    assert "Confirm" not in main(response)
