"""What is promised of skipping, flagging, guidelines, the last ten and taking back, as pages."""

import re

import pytest

from annotation.actions import batches, claims, guideline_readings, judgements, reviews
from annotation.models import Assignment, AssignmentState, Flag, Judgement, Withdrawal
from tests.annotation.desk import judge, places
from tests.annotation.desk_pages import address, client_of, open_desk, send_form, text_of
from tests.factories import ItemFactory


@pytest.fixture
def desk(batch, bob):
    """Bob's browser; he has read the guidelines."""
    guideline_readings.confirm(batch=batch, by=bob)
    return client_of(bob)


def judged(desk, batch, label="plausible"):
    """The assignment of an item that was just judged."""
    page = open_desk(desk, batch)
    send_form(desk, page, label, comment="said before")
    return page.context["assignment"]


# Skip


def test_skip_keeps_the_reason_and_the_next_item_comes(desk, batch, items):
    held = open_desk(desk, batch).context["assignment"]

    response = desk.post(address("desk_skip", batch, held), {"reason": " not my language "})

    held.refresh_from_db()
    assert (held.state, held.skip_reason) == (AssignmentState.SKIPPED, "not my language")
    assert response.url == address("desk", batch)
    following = open_desk(desk, batch)
    assert following.context["assignment"] != held
    assert "Skipped." in text_of(following)


def test_skip_takes_one_of_the_batchs_reasons_with_or_without_words(desk, batch, items):
    first = open_desk(desk, batch).context["assignment"]
    desk.post(address("desk_skip", batch, first), {"choice": "Wrong language"})
    second = open_desk(desk, batch).context["assignment"]
    desk.post(address("desk_skip", batch, second), {"choice": "Offensive", "reason": "a slur"})

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.skip_choice, first.skip_because) == ("Wrong language", "Wrong language")
    assert (second.skip_choice, second.skip_because) == ("Offensive", "Offensive: a slur")


def test_a_reason_that_the_batch_does_not_have_is_refused(desk, batch, item):
    held = open_desk(desk, batch).context["assignment"]

    response = desk.post(address("desk_skip", batch, held), {"choice": "Too dull"})

    assert response.status_code == 400
    assert places(item) == (2, 1, 1, 0)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 1001, "a\0b"])
def test_skip_without_a_reason_that_can_be_kept_asks_again(desk, batch, item, reason):
    held = open_desk(desk, batch).context["assignment"]

    response = desk.post(address("desk_skip", batch, held), {"reason": reason})

    assert response.status_code == 400
    assert response.context["form"].errors["reason"]
    assert places(item) == (2, 1, 1, 0)


def test_skip_has_a_page_of_its_own_for_browsers_without_a_script(desk, batch, item):
    page = open_desk(desk, batch)
    href = address("desk_skip", batch, page.context["assignment"])

    assert f'href="{href}"' in text_of(page)
    assert "Why do you skip this item?" in text_of(desk.get(href))
    assert places(item) == (2, 1, 1, 0)


def test_what_was_judged_is_not_skipped_and_says_why(desk, batch, items):
    done = judged(desk, batch)

    response = desk.post(address("desk_skip", batch, done), {"reason": "no idea"})

    assert response.status_code == 409
    assert "your answer is saved" in text_of(response)


def test_what_was_skipped_is_not_skipped_again(desk, batch, items, bob):
    held = open_desk(desk, batch).context["assignment"]
    judgements.skip(assignment=held, reason="first", by=bob)

    response = desk.post(address("desk_skip", batch, held), {"reason": "second"})

    assert response.status_code == 409
    held.refresh_from_db()
    assert held.skip_reason == "first"


def test_an_item_whose_time_ran_out_needs_no_skip_and_says_so(desk, batch, item, bob):
    held = open_desk(desk, batch).context["assignment"]
    claims.expire_all(batch=batch)

    response = desk.post(address("desk_skip", batch, held), {"reason": "no idea"})

    assert response.url == address("desk", batch)
    assert "had run out" in text_of(desk.get(response.url))


# Flag


def test_a_flag_reaches_the_requester_and_the_same_item_stays(desk, batch, items):
    held = open_desk(desk, batch).context["assignment"]

    response = desk.post(address("desk_flag", batch, held), {"message": "<b>two answers</b>"})

    assert Flag.objects.get().message == "<b>two answers</b>"
    page = desk.get(response.url)
    assert page.context["assignment"] == held
    assert "Message sent" in text_of(page)
    assert "&lt;b&gt;two answers&lt;/b&gt;" in text_of(page)


def test_a_flag_on_something_judged_leads_back_to_the_last_ten(desk, batch, items):
    done = judged(desk, batch)

    response = desk.post(address("desk_flag", batch, done), {"message": "on second thoughts"})

    assert response.url == address("desk_recent", batch)
    assert Flag.objects.get().assignment == done


@pytest.mark.parametrize("message", ["", " ", "x" * 1001])
def test_a_flag_says_something(desk, batch, item, message):
    held = open_desk(desk, batch).context["assignment"]

    assert desk.post(address("desk_flag", batch, held), {"message": message}).status_code == 400
    assert not Flag.objects.exists()


# Taking back


def test_take_back_brings_the_same_item_with_its_old_label_named_and_nothing_chosen(
    desk, batch, items
):
    done = judged(desk, batch, "malformed")
    current = open_desk(desk, batch).context["assignment"]

    page = desk.get(desk.post(address("desk_take_back", batch, done)).url)

    assert page.context["assignment"] == done != current
    shown = text_of(page)
    assert "Undone. Your answer was “<strong>malformed</strong>”" in shown
    assert "said before" in shown
    assert not re.findall(r'<input type="radio"[^>]* checked', shown)
    send_form(desk, page, "plausible")
    assert Judgement.objects.counted().get().response == {"plausibility": "plausible"}
    assert open_desk(desk, batch).context["assignment"] == current


def test_take_back_twice_shows_the_item_and_withdraws_once(desk, batch, items):
    done = judged(desk, batch)

    first = desk.post(address("desk_take_back", batch, done))
    second = desk.post(address("desk_take_back", batch, done))

    assert first.url == second.url
    assert Withdrawal.objects.count() == 1


def test_late_work_that_was_taken_back_is_on_the_desk_although_its_item_is_full(
    desk, batch, item, bob, dora
):
    page = open_desk(desk, batch)
    claims.expire_all(batch=batch)
    item.refresh_from_db()
    item.n_open = 0
    item.save()
    send_form(desk, page)
    assert Judgement.objects.get().is_surplus

    again = desk.get(desk.post(address("desk_take_back", batch, page.context["assignment"])).url)

    assert again.context["assignment"] == page.context["assignment"]
    assert "is over, and others may get it" in text_of(again)
    send_form(desk, again, "malformed")
    assert Judgement.objects.not_withdrawn().get().is_surplus


def test_what_cannot_be_taken_back_says_why(desk, batch, items, alice, bob):
    done = judged(desk, batch)
    decided = {"is_paid": True, "paid_reason": "r", "is_counted": True, "counted_reason": "r"}
    reviews.review(judgement=Judgement.objects.get(), by=alice, **decided)

    response = desk.post(address("desk_take_back", batch, done))

    shown = text_of(desk.get(response.url))
    assert "It stays as it is: the judgement was reviewed." in shown
    assert "Stays: it was reviewed." in shown
    assert address("desk_take_back", batch, done) not in shown
    assert not Withdrawal.objects.exists()


def test_in_a_closed_batch_nothing_offers_to_be_changed(desk, batch, items, alice):
    done = judged(desk, batch)
    batches.close(batch=batch, by=alice)

    shown = text_of(desk.get(address("desk_recent", batch)))

    assert "Stays: the batch is closed." in shown
    assert address("desk_take_back", batch, done) not in shown
    response = desk.post(address("desk_take_back", batch, done))
    assert response.url == address("desk_recent", batch)
    assert not Withdrawal.objects.exists()


def test_take_back_called_up_by_its_address_changes_nothing(desk, batch, items):
    done = judged(desk, batch)

    response = desk.get(address("desk_take_back", batch, done))

    assert response.url == address("desk_recent", batch)
    assert not Withdrawal.objects.exists()


@pytest.mark.parametrize("named", ["nonsense", "00000000-0000-4000-8000-000000000000"])
def test_an_item_in_the_address_that_is_not_ones_own_is_passed_over(
    desk, batch, items, dora, named
):
    claims.claim(batch=batch, by=dora)
    theirs = Assignment.objects.get(annotator=dora)
    own = open_desk(desk, batch).context["assignment"]

    for item in (named, theirs.public_id):
        page = desk.get(address("desk", batch), {"item": item})
        assert page.context["assignment"] == own


# The last ten


def test_the_last_ten_are_listed_newest_first_and_no_more(desk, batch, bob, dora):
    for position in range(1, 13):
        ItemFactory(batch=batch, position=position)
    done = [judge(batch, bob) for _ in range(12)]
    judge(batch, dora)

    page = desk.get(address("desk_recent", batch))

    assert [each.judgement for each in page.context["judgements"]] == done[:1:-1]
    assert text_of(page).count(">Change</button>") == 10


def test_who_judged_nothing_yet_is_told_so(desk, batch):
    assert "You have judged nothing" in text_of(desk.get(address("desk_recent", batch)))


def test_the_last_ten_ask_as_often_as_the_last_two(desk, batch, bob, django_assert_max_num_queries):
    for position in range(1, 13):
        ItemFactory(batch=batch, position=position)
    asked = []
    for n in (2, 8):
        for _ in range(n):
            judge(batch, bob)
        with django_assert_max_num_queries(12) as queries:
            desk.get(address("desk_recent", batch))
        asked.append(len(queries))

    assert asked[0] == asked[1]
