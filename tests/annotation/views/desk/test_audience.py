"""A batch for those who hold a qualification: what the others find of it, and who was taken off it."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import batches, notices
from annotation.models import Assignment, GuidelineReading, Judgement
from annotation.queries.work_terms import terms_in
from tests.annotation.desk import assert_counts_match, claim_one, submit
from tests.annotation.desk_pages import address, client_of, open_desk, send_form, text_of
from tests.annotation.trust import grant, open_batch, qualification, revoke
from tests.annotation.views.desk.test_sync import sent_judgement, sync_desk

PAGES = ("desk", "desk_guidelines", "desk_recent", "desk_feedback")


@pytest.fixture
def trusted(study):
    return qualification(study, "sharp eyes")


@pytest.fixture
def full(study, trusted):
    return open_batch(study, trusted, name="the full round")


@pytest.fixture
def desk(trusted, full, bob):
    """The browser of bob, who holds the qualification and has read the guideline."""
    grant(trusted, bob)
    GuidelineReading.objects.create(guideline=full.guideline, read_by=bob)
    return client_of(bob)


def work(client) -> str:
    return text_of(client.get(reverse("work")))


# Without the qualification


def test_my_work_lists_the_batch_only_to_who_holds_its_qualification(desk, full, dora):
    assert "the full round" in work(desk)
    assert "the full round" not in work(client_of(dora))


@pytest.mark.parametrize("name", PAGES)
def test_no_page_of_the_batch_is_found_by_others(name, desk, full, dora):
    assert client_of(dora).get(address(name, full)).status_code == 404


def test_the_data_request_finds_nothing_and_stores_nothing_for_others(desk, full, bob, dora):
    held = claim_one(full, bob)

    reply = client_of(dora).post(
        address("desk_feed", full),
        json.dumps({"submissions": [sent_judgement(held)], "wanted": 3}),
        content_type="application/json",
    )

    assert reply.status_code == 404
    assert not Judgement.objects.exists()


def test_an_invitation_offers_only_batches_for_everybody(study, full, bob):
    for_all = open_batch(study, None)

    assert [each.batch for each in terms_in(study)] == [for_all]


def test_a_question_about_a_batch_names_it_only_to_its_audience(desk, study, full, dora):
    href = f"{reverse('ask', args=[study.slug])}?batch={full.pk}"

    assert "the full round" in text_of(desk.get(href))
    assert "the full round" not in text_of(client_of(dora).get(href))


def test_a_notice_in_the_batch_is_for_its_audience(desk, full, dora, alice):
    notices.write(batch=full, text="No work on Friday.", by=alice)

    assert "No work on Friday." in work(desk)
    assert "No work on Friday." not in work(client_of(dora))


def test_annotators_never_read_the_name_of_the_qualification(desk, trusted, full, bob):
    for page in (work(desk), text_of(open_desk(desk, full))):
        assert "sharp eyes" not in page
    revoke(trusted, bob)
    assert "sharp eyes" not in work(desk) + text_of(desk.get(address("desk", full)))


# Taken off it


def test_who_is_taken_off_reads_what_became_of_their_work(desk, trusted, full, bob):
    submit(claim_one(full, bob))
    revoke(trusted, bob, reason="spam, I think")

    shown = work(desk)

    assert (
        "You no longer work on <strong>the full round</strong>. The 1 item that you judged" in shown
    )
    assert "stays saved and payable as before" in shown
    assert address("desk", full) not in shown
    assert "spam" not in shown


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_the_batch_tells_who_was_taken_off_it(name, desk, trusted, full, bob):
    claim_one(full, bob)
    revoke(trusted, bob)

    reply = desk.get(address(name, full))

    assert reply.status_code == 403
    assert "You no longer work on this batch" in text_of(reply)


def test_who_was_taken_off_before_they_began_finds_nothing_and_is_told_in_my_work(
    desk, trusted, full, bob
):
    revoke(trusted, bob)

    assert desk.get(address("desk", full)).status_code == 404
    assert "You no longer work on <strong>the full round</strong>" in work(desk)


def test_once_the_batch_is_closed_nobody_is_told_any_more(desk, trusted, full, bob, alice):
    revoke(trusted, bob)
    batches.close(batch=full, by=alice)

    assert "the full round" not in work(desk)


def test_what_was_judged_without_a_network_is_stored_as_surplus_and_nothing_comes(
    desk, trusted, full, bob
):
    held = open_desk(desk, full).context["assignment"]
    revoke(trusted, bob)

    reply = sync_desk(desk, full, [sent_judgement(held)], wanted=3, progress=True)

    assert [each["outcome"] for each in reply["results"]] == ["late"]
    assert reply["batch"]["state"] == "left"
    assert reply["items"] == []
    assert reply["is_due"] is False
    assert Judgement.objects.get().is_surplus
    assert_counts_match(full)


def test_a_form_without_a_script_is_stored_as_surplus_too(desk, trusted, full, bob):
    page = open_desk(desk, full)
    revoke(trusted, bob)

    send_form(desk, page)

    assert Judgement.objects.get().is_surplus


@pytest.mark.parametrize("name", ["desk_skip", "desk_flag", "desk_take_back"])
def test_all_other_acts_on_an_item_are_refused_with_words(name, desk, trusted, full, bob):
    held = open_desk(desk, full).context["assignment"]
    revoke(trusted, bob)

    reply = desk.post(address(name, full, held), {"reason": "unsure", "message": "odd"})

    assert reply.status_code == 403
    assert Assignment.objects.get(pk=held.pk).state == "expired"


def test_who_is_let_in_again_goes_on(desk, trusted, full, bob):
    held = open_desk(desk, full).context["assignment"]
    revoke(trusted, bob)
    grant(trusted, bob, reason="we talked")

    assert open_desk(desk, full).context["assignment"] == held
    assert "You no longer work" not in work(desk)


# The cost


def test_the_data_request_asks_as_often_with_a_qualification_as_without(study, trusted, full, bob):
    grant(trusted, bob)
    for_all = open_batch(study, None)
    client, counts = client_of(bob), []
    for batch in (for_all, full):
        GuidelineReading.objects.get_or_create(guideline=batch.guideline, read_by=bob)
        held = open_desk(client, batch).context["assignment"]
        with CaptureQueriesContext(connection) as asked:
            sync_desk(client, batch, [sent_judgement(held)], wanted=1)
        counts.append(len(asked))

    assert counts[0] == counts[1]
