"""What is promised of the desk: one item a screen, judged without a script, whatever happens meanwhile."""

import gzip
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actions import consent, members
from accounts.models import Role
from annotation import schemes
from annotation.actions import batches, claims, flags, guideline_readings, judgements, reviews
from annotation.models import Assignment, Batch, Judgement
from annotation.schemes import payloads
from tests.annotation.desk import places
from tests.annotation.desk_pages import address, client_of, form_data, open_desk, send_form, text_of
from tests.conftest import member
from tests.factories import BatchFactory, GuidelineFactory, ItemFactory


@pytest.fixture
def desk(batch, bob):
    """Bob's browser; he has read the guidelines."""
    guideline_readings.confirm(batch=batch, by=bob)
    return client_of(bob)


def update_batch(batch, **fields):
    Batch.objects.filter(pk=batch.pk).update(**fields)
    batch.refresh_from_db()


def lapse(assignment):
    """The claim's time is over, and somebody asked for work since: the place is free."""
    now = timezone.now()
    Assignment.objects.filter(pk=assignment.pk).update(expires_at=now - timedelta(seconds=1))
    claims.expire_lapsed(batch=assignment.item.batch, now=now)


# What is on the desk


def test_the_desk_shows_one_item_with_nothing_chosen(desk, batch, items):
    page = open_desk(desk, batch)

    shown = text_of(page)
    assert [item.payload["answers"][0]["text"] in shown for item in items] == [True, False, False]
    choices = re.findall(r'<input type="radio" name="plausibility"[^>]*>', shown)
    assert len(choices) == 3
    assert not any("checked" in each for each in choices)


def test_reload_and_another_device_resume_at_the_same_item(desk, batch, items, bob):
    first = open_desk(desk, batch).context["assignment"]

    assert open_desk(desk, batch).context["assignment"] == first
    assert open_desk(client_of(bob), batch).context["assignment"] == first


def test_the_way_back_leads_to_what_is_there_now(desk, batch, item):
    assert "no-store" in open_desk(desk, batch)["Cache-Control"]


def test_texts_of_files_are_shown_as_text(desk, batch):
    hostile = '<script>alert(1)</script><img src=x onerror="alert(2)">'
    ItemFactory(
        batch=batch,
        position=1,
        payload=payloads.payload(
            question=hostile, context=[hostile], answers=[hostile], evidence=[hostile]
        ),
    )

    shown = text_of(open_desk(desk, batch))

    assert "<script>alert" not in shown
    assert "<img" not in shown
    assert shown.count("&lt;script&gt;alert(1)") >= 3


def test_a_faithfulness_item_shows_its_evidence(batch, bob):
    faithfulness = BatchFactory(
        pool=batch.pool,
        scheme="faithfulness",
        guideline=GuidelineFactory(study=batch.study, scheme="faithfulness", text=""),
    )
    content = payloads.payload(
        question="Who?", context=[], answers=["Masons."], evidence=["Masons built it.", "In 1702."]
    )
    ItemFactory(batch=faithfulness, position=1, payload=content)

    shown = text_of(open_desk(client_of(bob), faithfulness))

    assert "Masons built it." in shown
    assert "In 1702." in shown
    assert "Does the response follow from the evidence?" in shown


TWO_ANSWERS = payloads.payload(
    question="Who built it?",
    context=[],
    answers=["Fraser.", "Halpin."],
    evidence=None,
    passages=[{"title": "", "text": "Fraser did.", "sentences": []}],
)

# What an item of curation shows besides.
MADE = {"answer": "Fraser.", "proof": "Fraser did.", "type": "", "types": [], "section": ""}


def test_every_scheme_has_a_template(desk, batch, bob):
    for name in schemes.names():
        of_scheme = BatchFactory(
            pool=batch.pool,
            scheme=name,
            guideline=GuidelineFactory(study=batch.study, scheme=name, text=""),
        )
        ItemFactory(batch=of_scheme, payload={**TWO_ANSWERS, "made": MADE})

        assert schemes.get(name).asks in text_of(open_desk(desk, of_scheme))


# Judging


def test_a_submission_is_stored_and_the_next_item_comes_with_what_was_saved(
    desk, batch, items, bob
):
    page = open_desk(desk, batch)

    response = send_form(desk, page, "malformed", comment=" unreadable ", active_seconds="0.001")

    stored = Judgement.objects.get()
    assert (stored.response, stored.comment) == ({"plausibility": "malformed"}, "unreadable")
    assert stored.assignment.annotator == bob
    assert stored.active_seconds == 0.001
    assert response.url == address("desk", batch)
    following = open_desk(desk, batch)
    assert following.context["assignment"] != page.context["assignment"]
    assert "Saved: malformed" in text_of(following)
    assert "1 of 3" in text_of(following)


def test_without_a_choice_nothing_is_saved_and_the_same_item_says_so_with_what_was_typed(
    desk, batch, item
):
    page = open_desk(desk, batch)

    response = send_form(desk, page, label="", comment="half a thought")

    assert response.status_code == 400
    assert response.context["assignment"] == page.context["assignment"]
    assert 'id="missing">Choose 1, 2 or 3: nothing is saved yet.' in text_of(response)
    assert "half a thought" in text_of(response)
    assert not Judgement.objects.exists()


@pytest.mark.parametrize("label", ["yes", "faithful", "' OR 1=1"])
def test_a_label_that_the_scheme_does_not_have_is_refused(desk, batch, item, label):
    assert send_form(desk, open_desk(desk, batch), label).status_code == 400
    assert not Judgement.objects.exists()


@pytest.mark.parametrize(
    "broken",
    [{"client_id": ""}, {"client_id": "x" * 65}, {"shown_at": ""}, {"shown_at": "yesterday"}],
)
def test_a_form_without_its_hidden_parts_is_made_afresh(desk, batch, item, broken):
    response = send_form(desk, open_desk(desk, batch), **broken)

    assert response.url == address("desk", batch)
    assert "nothing was saved" in text_of(open_desk(desk, batch))
    assert not Judgement.objects.exists()


def test_the_form_called_up_by_its_address_leads_to_the_desk(desk, batch, item):
    held = open_desk(desk, batch).context["assignment"]

    assert desk.get(address("desk_submit", batch, held)).url == address("desk", batch)


def test_the_same_form_sent_twice_is_one_judgement(desk, batch, items):
    page = open_desk(desk, batch)

    first, second = send_form(desk, page), send_form(desk, page)

    assert first.url == second.url == address("desk", batch)
    assert Judgement.objects.count() == 1


def test_the_same_form_with_another_label_is_answered_with_what_stands(desk, batch, items):
    page = open_desk(desk, batch)
    send_form(desk, page, "plausible")

    response = send_form(desk, page, "malformed")

    assert response.status_code == 409
    assert "Your answer “<strong>plausible</strong>” is saved" in text_of(response)
    assert address("desk_take_back", batch, page.context["assignment"]) in text_of(response)
    assert Judgement.objects.get().response == {"plausibility": "plausible"}


def test_another_window_with_the_same_item_is_told_what_stands(desk, batch, items, bob):
    one, other = open_desk(desk, batch), open_desk(client_of(bob), batch)
    send_form(desk, one, "plausible")

    response = send_form(desk, other, "malformed")

    assert response.status_code == 409
    assert "Your answer “<strong>plausible</strong>” is saved" in text_of(response)
    assert Judgement.objects.count() == 1


def test_what_was_reviewed_meanwhile_cannot_be_changed_from_there(desk, batch, items, alice, bob):
    one, other = open_desk(desk, batch), open_desk(client_of(bob), batch)
    send_form(desk, one, "plausible")
    decided = {"is_paid": True, "paid_reason": "r", "is_counted": True, "counted_reason": "r"}
    reviews.review(judgement=Judgement.objects.get(), by=alice, **decided)

    response = send_form(desk, other, "malformed")

    assert response.status_code == 409
    assert "take-back" not in text_of(response)


def test_a_page_from_before_a_take_back_does_not_bring_the_old_label_back(desk, batch, items):
    page = open_desk(desk, batch)
    send_form(desk, page, "plausible")
    desk.post(address("desk_take_back", batch, page.context["assignment"]))

    response = send_form(desk, page, "malformed")

    assert response.url.startswith(address("desk", batch))
    assert "Choose again to save" in text_of(desk.get(response.url))
    assert not Judgement.objects.not_withdrawn().exists()


# Times


def test_without_a_script_the_time_since_the_item_was_shown_stands_for_active_time(
    desk, batch, item
):
    page = open_desk(desk, batch)
    shown = timezone.now() - timedelta(seconds=40)
    Assignment.objects.update(claimed_at=shown - timedelta(seconds=5))

    send_form(desk, page, shown_at=shown.isoformat())

    stored = Judgement.objects.get()
    assert stored.shown_at == shown
    assert 40 <= stored.active_seconds < 45


def test_unmeasured_time_ends_after_two_minutes(desk, batch, item):
    page = open_desk(desk, batch)
    Assignment.objects.update(claimed_at=timezone.now() - timedelta(hours=1))

    send_form(desk, page, shown_at=(timezone.now() - timedelta(minutes=50)).isoformat())

    assert Judgement.objects.get().active_seconds == 120


@pytest.mark.parametrize("shown_at", ["1999-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"])
def test_nobody_saw_the_item_before_they_held_it_or_after_now(desk, batch, item, shown_at):
    page = open_desk(desk, batch)

    send_form(desk, page, shown_at=shown_at, active_seconds="99999")

    stored = Judgement.objects.get()
    assert stored.assignment.claimed_at <= stored.shown_at <= stored.submitted_at
    assert stored.active_seconds <= (stored.submitted_at - stored.shown_at).total_seconds()


@pytest.mark.parametrize("seconds", ["-1", "nan", "inf", "soon"])
def test_nonsense_for_active_time_saves_nothing_and_says_so(desk, batch, item, seconds):
    send_form(desk, open_desk(desk, batch), active_seconds=seconds)

    assert not Judgement.objects.exists()
    assert "nothing was saved" in text_of(open_desk(desk, batch))


# What happens meanwhile


def test_late_work_on_an_item_with_room_counts_and_nothing_is_said(desk, batch, item):
    page = open_desk(desk, batch)
    lapse(page.context["assignment"])

    send_form(desk, page)

    assert not Judgement.objects.get().is_surplus
    assert "late" not in text_of(desk.get(address("desk", batch)))


def test_late_work_on_a_full_item_is_said_to_be_payable_and_not_counted(
    desk, batch, item, study, alice, dora
):
    page = open_desk(desk, batch)
    lapse(page.context["assignment"])
    for person in (dora, member(study, "eve", Role.ANNOTATOR, by=alice)):
        claims.claim(batch=batch, by=person)

    send_form(desk, page)

    assert Judgement.objects.get().is_surplus
    shown = text_of(desk.get(address("desk", batch)))
    assert "Saved after the time limit" in shown
    assert "payable" in shown
    assert "not used in the results" in shown


def test_a_claim_can_be_judged_after_the_batch_closed_and_then_it_is_over(
    desk, batch, items, alice
):
    page = open_desk(desk, batch)
    batches.close(batch=batch, by=alice)
    assert "What you have on the screen can still be judged" in text_of(open_desk(desk, batch))

    send_form(desk, page)

    assert not Judgement.objects.get().is_surplus
    assert "The batch is closed" in text_of(desk.get(address("desk", batch)))


def test_an_item_that_was_skipped_in_another_window_says_so(desk, batch, item):
    page = open_desk(desk, batch)
    judgements.skip(
        assignment=page.context["assignment"], reason="no idea", by=page.context["user"]
    )

    response = send_form(desk, page)

    assert response.status_code == 409
    assert "You skipped this item" in text_of(response)


@pytest.mark.parametrize("name", ["desk_submit", "desk_skip", "desk_flag", "desk_take_back"])
def test_what_was_handed_to_somebody_else_cannot_be_touched(desk, batch, item, dora, name):
    guideline_readings.confirm(batch=batch, by=dora)
    theirs = open_desk(client_of(dora), batch)
    before = places(item)

    response = desk.post(
        address(name, batch, theirs.context["assignment"]),
        form_data(theirs) | {"reason": "r", "message": "m"},
    )

    assert response.status_code == 403
    assert "assigned to another annotator" in text_of(response)
    assert "Masons" not in text_of(response)
    assert places(item) == before


def test_an_assignment_of_another_batch_is_not_found(desk, batch, item):
    other = BatchFactory(pool=batch.pool)
    held = open_desk(desk, batch).context["assignment"]

    assert desk.post(address("desk_submit", other, held)).status_code == 404


# Who has a desk


def test_a_draft_is_not_there(desk, batch, item):
    update_batch(batch, state="draft")

    assert desk.get(address("desk", batch)).status_code == 404


def test_a_rehearsed_batch_is_refused_in_words(desk, batch, item):
    update_batch(batch, is_rehearsal=True)

    response = desk.get(address("desk", batch))

    assert response.status_code == 409
    assert "This batch is a rehearsal" in text_of(response)
    assert not Assignment.objects.exists()


def test_who_became_requester_as_well_has_no_desk_there_any_more(
    desk, batch, item, study, bob, alice
):
    members.add(study=study, user=bob, roles=[Role.REQUESTER], by=alice)

    response = desk.get(address("desk", batch))

    assert response.status_code == 403
    assert "no desk there" in text_of(response)


def test_who_has_to_agree_first_is_sent_there_and_back(desk, batch, item, study, bob):
    study.consent = "Taking part is voluntary."
    study.save()

    response = desk.get(address("desk", batch))

    assert response.url == reverse("consent", args=[study.slug]) + "?next=" + address(
        "desk", batch
    ).replace("/", "%2F")
    assert not Assignment.objects.exists()

    consent.agree(study=study, text_sha256=consent.sha256(study.consent), by=bob)
    open_desk(desk, batch)


# Guidelines come first


def test_the_guidelines_come_before_the_first_item_and_only_once(batch, items, bob):
    desk = client_of(bob)
    assert desk.get(address("desk", batch)).url == address("desk_guidelines", batch)
    page = desk.get(address("desk_guidelines", batch))
    assert batch.guideline.text in text_of(page)
    assert not Assignment.objects.exists()

    assert desk.post(address("desk_guidelines", batch)).url == address("desk", batch)

    assert batch.guideline.text in text_of(open_desk(desk, batch))  # in the drawer
    assert "begin" not in text_of(desk.get(address("desk_guidelines", batch)))


def test_guidelines_are_read_as_markdown_and_do_no_harm(batch, item, bob):
    guideline = GuidelineFactory(
        study=batch.study, text="# Rules\n\n**Mind** this. <script>alert(1)</script>"
    )
    Batch.objects.filter(pk=batch.pk).update(guideline=guideline)

    shown = text_of(client_of(bob).get(address("desk_guidelines", batch)))

    assert "<strong>Mind</strong>" in shown
    assert "<script>alert" not in shown


def test_who_comes_to_an_empty_batch_is_not_made_to_read_first(batch, bob):
    assert "Nothing to judge here" in text_of(client_of(bob).get(address("desk", batch)))


# Nothing left


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"state": "paused"}, "The batch is paused"),
        ({"deadline_at": timezone.now() - timedelta(days=1)}, "Its deadline was"),
        ({"most_per_person": 1}, "as many items as one person may have"),
    ],
)
def test_the_end_page_says_why_nothing_comes_and_what_was_done(desk, batch, items, fields, words):
    send_form(desk, open_desk(desk, batch), active_seconds="0")
    update_batch(batch, **fields)

    shown = text_of(desk.get(address("desk", batch)))

    assert words in shown
    assert "You judged 1 item" in shown
    assert "checked" not in shown


def test_the_end_page_says_when_all_is_done(desk, batch, items):
    for _ in items:
        send_form(desk, open_desk(desk, batch))

    shown = text_of(desk.get(address("desk", batch)))

    assert "You have finished this batch" in shown
    assert "You judged 3 items" in shown


def test_the_end_page_says_until_when_others_hold_the_rest(desk, batch, dora, bob):
    update_batch(batch, judgements_per_item=1)
    ItemFactory(batch=batch, position=1)
    (theirs,) = claims.claim(batch=batch, by=dora)

    shown = text_of(desk.get(address("desk", batch)))

    assert "1 item that you could judge is assigned to others." in shown.replace("&#x27;", "'")
    assert f"{theirs.expires_at:%Y-%m-%d %H:%M} UTC" in shown


def test_the_end_page_leads_on_to_other_work(desk, batch, study):
    other = BatchFactory(pool=batch.pool, name="the next round")
    ItemFactory(batch=other)

    shown = text_of(desk.get(address("desk", batch)))

    assert "the next round" in shown
    assert address("desk", other) in shown


# Answers to flags


def test_an_answer_is_shown_until_the_next_judgement(desk, batch, items, alice, bob):
    page = open_desk(desk, batch)
    flag = judgements.flag(assignment=page.context["assignment"], message="cut off?", by=bob)
    shown = text_of(open_desk(desk, batch))
    assert "cut off?" in shown
    assert "no answer yet" in shown
    send_form(desk, page)
    flags.answer(flag=flag, text="Judge what is there.", by=alice)

    following = open_desk(desk, batch)
    assert "Judge what is there." in text_of(following)
    send_form(desk, following)

    assert "Judge what is there." not in text_of(open_desk(desk, batch))


# How much the database is asked


@pytest.fixture
def many_items(batch):
    return [ItemFactory(batch=batch, position=position) for position in range(1, 101)]


def test_the_page_is_sent_compressed_to_a_browser_that_takes_it(desk, batch, item):
    plain = open_desk(desk, batch)

    packed = desk.get(address("desk", batch), headers={"Accept-Encoding": "gzip"})

    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2
    assert gzip.decompress(packed.content).startswith(b"<!doctype html>")


def test_the_first_page_of_a_person_asks_few_times(
    desk, batch, many_items, django_assert_num_queries
):
    with django_assert_num_queries(29):
        open_desk(desk, batch)


def test_the_desk_and_a_submission_ask_as_often_after_a_long_day_in_a_large_batch(
    desk, batch, many_items, bob, django_assert_max_num_queries
):
    def judged(n):
        for _ in range(n):
            page = open_desk(desk, batch)
            send_form(desk, page)

    def asked():
        page = open_desk(desk, batch)
        with django_assert_max_num_queries(22) as for_the_page:
            open_desk(desk, batch)
        with django_assert_max_num_queries(18) as for_the_submission:
            send_form(desk, page)
        return len(for_the_page), len(for_the_submission)

    judged(3)
    early = asked()
    judged(25)

    assert asked() == early
