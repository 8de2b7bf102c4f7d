"""An opened batch on pages: what can be changed, what it costs, and that it cannot be finished."""

from decimal import Decimal

import pytest
from django.test import Client

from accounts.models import User
from annotation.actions import batches as acts
from annotation.actions import claims, guideline_readings, guideline_versions
from annotation.models import Batch, BatchState
from audit.models import Event
from tests.annotation.desk import judge
from tests.annotation.desk_pages import address, client_of, text_of
from tests.annotation.pools import evidence_pool_of, launched, pool_of
from tests.factories import BatchFactory

HOSTILE = "<script>alert('x')</script>"


@pytest.fixture
def client(alice) -> Client:
    return client_of(alice)


@pytest.fixture
def opened(study) -> Batch:
    """Six items, each to be judged twice."""
    return launched(pool_of(study))


def get(client, name, batch):
    return text_of(client.get(address(name, batch)))


def send(client, page, batch, **data):
    return client.post(address(page, batch), data, follow=True)


def set_share(batch, share, most):
    Batch.objects.filter(pk=batch.pk).update(largest_share=share, most_per_person=most)


# It cannot be finished


def test_before_it_opens_a_batch_says_that_two_people_cannot_finish_it(study, client, bob, dora):
    draft = BatchFactory(pool=pool_of(study), state=BatchState.DRAFT, largest_share=0.6)

    page = get(client, "batch_open", draft)

    assert "4 of 12 judgements cannot be made by anybody" in page
    assert "4 because of the maximum of items per annotator" in page
    assert "People who were invited and have not joined do not count." in page
    assert address("batch_edit", draft) in page


def test_a_batch_that_people_can_finish_says_nothing_of_it(study, client, opened, bob, dora):
    draft = BatchFactory(pool=opened.pool, name="draft", state=BatchState.DRAFT)

    assert "nobody" not in get(client, "batch_open", draft)
    assert "nobody" not in get(client, "batch_progress", opened)


def test_a_batch_in_which_nobody_can_take_anything_says_so_and_why(client, opened, bob, dora):
    set_share(opened, 0.5, 3)
    for who in (bob, dora) * 3:
        judge(opened, who)

    page = get(client, "batch", opened)

    assert "6 judgements are not assigned yet, and nobody can take any of them." in page
    assert "6 because of the maximum of items per annotator" in page
    assert address("batch_share", opened) in page


def test_too_few_people_are_named_with_their_number(client, opened, bob, dora):
    User.objects.filter(pk=dora.pk).update(is_active=False)

    page = get(client, "batch", opened)

    assert "12 judgements are not assigned yet, and nobody can make 6 of them" in page
    assert "the study has one annotator, and nobody judges an item twice" in page


def test_what_people_hold_is_called_assigned_and_not_judged(client, opened, bob, dora):
    claims.claim(batch=opened, by=bob, n=3)

    assert "3 open claims" in get(client, "batch", opened)
    assert "being judged" not in get(client, "batch", opened)
    assert "3 items are assigned" in get(client, "batch_close", opened)


# Changes


def test_a_batch_is_renamed_on_its_page(client, opened):
    assert address("batch_rename", opened) in get(client, "batch", opened)

    page = send(client, "batch_rename", opened, name="better")

    assert "The batch is renamed." in page.text
    opened.refresh_from_db()
    assert opened.name == "better"
    assert Event.objects.get(verb="renamed").target == "batch better"


def test_a_name_that_is_taken_is_said_and_nothing_changes(client, opened):
    BatchFactory(pool=opened.pool, name="taken")

    page = send(client, "batch_rename", opened, name="taken")

    assert "Nothing was changed: there is a batch taken already" in page.text


def test_the_largest_share_is_changed_in_per_cent(client, opened):
    assert "One person may take all of them now." in get(client, "batch_share", opened)

    send(client, "batch_share", opened, largest_share="50")

    opened.refresh_from_db()
    assert (opened.largest_share, opened.most_per_person) == (0.5, 3)
    assert "One person may take 3 of them now." in get(client, "batch_share", opened)
    assert client.post(address("batch_share", opened), {"largest_share": "0"}).status_code == 400


def test_the_time_of_more_judgements_is_the_expected_one_until_there_are_enough(
    client, opened, bob
):
    judge(opened, bob)

    page = get(client, "batch_judgements", opened)

    assert "3 of each: 6 further judgements, about 3 min of work." in page
    assert "A judgement is taken to last 30 s, as expected: fewer than 10 are there yet." in page


def test_more_judgements_are_asked_for_after_their_price_was_shown(client, opened):
    Batch.objects.filter(pk=opened.pk).update(reward=Decimal("0.10"), currency="EUR")

    page = get(client, "batch_judgements", opened)
    assert "3 of each: 6 further judgements for €0.60, about" in page
    assert "4 of each: 12 further judgements for €1.20, about" in page

    send(client, "batch_judgements", opened, judgements_per_item="3")

    assert {item.n_wanted for item in opened.items.all()} == {3}
    fewer = client.post(address("batch_judgements", opened), {"judgements_per_item": "2"})
    assert fewer.status_code == 400


@pytest.mark.parametrize("name", ["batch_rename", "batch_share", "batch_judgements"])
def test_a_closed_batch_leads_back_to_its_page(client, opened, alice, name):
    acts.close(batch=opened, by=alice)

    page = client.get(address(name, opened), follow=True)

    assert "The batch is closed: open it again first." in page.text
    assert address(name, opened) not in get(client, "batch", opened)


# Back to a draft


def test_an_empty_batch_is_made_a_draft_again(client, opened):
    assert address("batch_return", opened) in get(client, "batch", opened)
    assert "expire_claims" not in get(client, "batch_return", opened)

    page = send(client, "batch_return", opened)

    assert "is a draft again" in page.text
    assert address("batch_edit", opened) in page.text


def test_who_holds_an_item_is_named_and_released_on_demand(client, opened, bob):
    claims.claim(batch=opened, by=bob)
    page = get(client, "batch_return", opened)
    assert "1 item is assigned to annotators." in page
    assert "has judged without a connection and not sent yet is lost" in page

    refused = client.post(address("batch_return", opened), {})
    assert refused.status_code == 400
    opened.refresh_from_db()
    assert opened.state == BatchState.OPEN

    send(client, "batch_return", opened, expire_claims="on")
    opened.refresh_from_db()
    assert opened.state == BatchState.DRAFT
    assert client_of(bob).get(address("desk", opened)).status_code == 404


def test_a_batch_with_a_judgement_has_no_way_back(client, opened, bob):
    judge(opened, bob)

    assert address("batch_return", opened) not in get(client, "batch", opened)
    page = client.get(address("batch_return", opened), follow=True)
    assert "has judgements: withdraw it" in page.text


# The guideline


def test_the_change_is_previewed_and_nothing_is_saved(client, opened, alice):
    guideline_versions.change(batch=opened, text="Be kind.", by=alice)

    page = send(client, "batch_guideline", opened, guideline=f"Be strict. {HOSTILE}", preview="1")

    assert "What would change" in page.text
    assert "<ins>" in page.text
    assert HOSTILE not in page.text
    opened.refresh_from_db()
    assert opened.guideline.text == "Be kind."


def test_a_new_version_is_saved_and_all_are_listed(client, opened):
    assert address("batch_guideline", opened) in get(client, "batch", opened)

    page = send(client, "batch_guideline", opened, guideline="Be strict.\r\nAlways.")

    assert "Annotators read it before they continue." in page.text
    assert "Versions of the guideline" in page.text
    opened.refresh_from_db()
    assert opened.guideline.text == "Be strict.\nAlways."
    assert "version 2" in get(client, "batch", opened)
    again = send(client, "batch_guideline", opened, guideline="Be strict.\nAlways.")
    assert "Nothing was changed: the text is the same." in again.text


def test_a_version_that_somebody_else_saved_meanwhile_is_not_overwritten_unseen(
    client, opened, alice
):
    seen = opened.guideline.sha256
    guideline_versions.change(batch=opened, text="Be kind to each.", by=alice)

    page = send(client, "batch_guideline", opened, guideline="Be strict.", seen=seen)

    assert page.status_code == 400
    assert "was changed after you opened this page" in page.text
    assert "What would change" in page.text
    opened.refresh_from_db()
    assert opened.guideline.text == "Be kind to each."
    seen = opened.guideline.sha256
    assert f'name="seen" value="{seen}"' in page.text
    send(client, "batch_guideline", opened, guideline="Be strict.", seen=seen)
    opened.refresh_from_db()
    assert opened.guideline.text == "Be strict."


def test_a_closed_batch_shows_its_guideline_without_a_form(client, opened, alice):
    guideline_versions.change(batch=opened, text="Be strict.", by=alice)
    acts.close(batch=opened, by=alice)

    page = get(client, "batch_guideline", opened)

    assert "<textarea" not in page
    assert "Be strict." in page
    refused = send(client, "batch_guideline", opened, guideline="x")
    assert "is closed, not open or paused" in refused.text


def test_at_the_desk_the_new_version_is_read_before_the_next_item(opened, alice, bob):
    guideline_versions.change(batch=opened, text="Be kind to each.", by=alice)
    opened.refresh_from_db()
    guideline_readings.confirm(batch=opened, by=bob)
    desk = client_of(bob)
    held = desk.get(address("desk", opened)).context["assignment"]
    guideline_versions.change(batch=opened, text="Be strict to each.", by=alice)

    page = desk.get(address("desk", opened), follow=True)

    assert "Before you continue" in page.text
    assert "The guideline has changed since you read it" in page.text
    opened.refresh_from_db()
    desk.post(address("desk_guidelines", opened), {"sha256": opened.guideline.sha256})
    assert desk.get(address("desk", opened)).context["assignment"] == held


def test_who_confirms_a_text_that_was_changed_meanwhile_reads_the_new_one(opened, alice, bob):
    guideline_versions.change(batch=opened, text="Be kind.", by=alice)
    opened.refresh_from_db()
    read = opened.guideline.sha256
    guideline_versions.change(batch=opened, text="Be strict.", by=alice)

    page = client_of(bob).post(address("desk_guidelines", opened), {"sha256": read})

    assert "Be strict." in page.text
    opened.refresh_from_db()
    assert guideline_readings.is_due(opened, bob)


def test_who_holds_an_item_of_a_paused_batch_comes_back_to_it_after_reading(opened, alice, bob):
    desk = client_of(bob)
    held = desk.get(address("desk", opened)).context["assignment"]
    acts.pause(batch=opened, by=alice)
    guideline_versions.change(batch=opened, text="Be strict.", by=alice)

    assert desk.get(address("desk", opened)).status_code == 302
    desk.post(address("desk_guidelines", opened))

    assert desk.get(address("desk", opened)).context["assignment"] == held


# The preview


def test_the_preview_shows_no_answer_that_annotators_do_not_get(study, client):
    pool = evidence_pool_of(pool_of(study), without=2)
    draft = BatchFactory(pool=pool, scheme="faithfulness", state=BatchState.DRAFT)

    def evidence():
        payloads = client.get(address("batch_preview", draft)).context["payloads"]
        return [each["evidence"] for each in payloads]

    assert len(evidence()) == 2
    assert [] not in evidence()
    acts.launch(batch=draft, by=pool.created_by)
    draft.refresh_from_db()
    assert len(evidence()) == 2


def test_the_preview_of_a_batch_that_asks_about_all_shows_all(study, client):
    pool = evidence_pool_of(pool_of(study), without=3)
    batch = launched(pool, scheme="faithfulness", ask_without_evidence=True)

    assert len(client.get(address("batch_preview", batch)).context["payloads"]) == 5
