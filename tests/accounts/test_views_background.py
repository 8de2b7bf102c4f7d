"""The pages on which people are asked about themselves: accounts/views/consent.py and background.py."""

import pytest
from django.urls import reverse

from accounts.actions import consent, members
from accounts.models import BackgroundAnswer, Consent
from annotation.actions import archived_studies
from tests.accounts.background import TEXT, ask, say
from tests.annotation.desk_pages import address, client_of, text_of
from tests.annotation.pools import launched, pool_of
from tests.annotation.views.desk.test_sync import sync_desk


@pytest.fixture
def asking(study):
    return ask(study)


def consent_href(study):
    return reverse("consent", args=[study.slug])


def sent(study, *said, text=""):
    """What the form of these answers sends, in the order of the questions."""
    questions = study.background_questions.exclude(position=None).order_by("position")
    keys = list(questions.values_list("pk", flat=True))
    answers = {f"question-{key}": each for key, each in zip(keys, said, strict=True)}
    return {"text": consent.sha256(text), "shown": keys, **answers}


def answers_of(person):
    own = BackgroundAnswer.objects.filter(membership__user=person)
    return list(own.order_by("question__position").values_list("text", flat=True))


# The step before the work


def test_the_desk_leads_to_the_questions_and_on_once_they_are_answered(asking, bob):
    batch = launched(pool_of(asking), guideline="")
    desk = client_of(bob)
    asked = desk.get(address("desk", batch))
    assert asked["Location"].startswith(consent_href(asking))

    page = desk.get(asked["Location"])
    assert "Do you sail?" in text_of(page)
    assert "Save and go on" in text_of(page)
    assert "I agree" not in text_of(page)
    went_on = desk.post(asked["Location"], sent(asking, "Often", "At home"))

    assert went_on["Location"] == address("desk", batch)
    assert answers_of(bob) == ["Often", "At home"]
    assert not desk.get(address("desk", batch)).get("Location", "").startswith(consent_href(asking))


def test_the_script_s_request_is_told_that_something_is_due_and_gets_no_item(asking, bob):
    batch = launched(pool_of(asking), guideline="")
    desk = client_of(bob)

    said = sync_desk(desk, batch, wanted=1)

    assert said["is_due"]
    assert said["items"] == []


def test_everything_can_be_skipped(asking, bob):
    went_on = client_of(bob).post(consent_href(asking), sent(asking, "", ""))

    assert went_on.status_code == 302
    assert answers_of(bob) == ["", ""]
    assert not consent.is_needed(bob, asking)


def test_consent_and_answers_are_one_step(asking, bob):
    asking.consent = "We keep it."
    asking.save(update_fields=["consent"])
    desk = client_of(bob)

    page = desk.get(consent_href(asking))
    assert "We keep it." in text_of(page)
    assert "Do you sail?" in text_of(page)
    desk.post(consent_href(asking), sent(asking, "Never", "", text="We keep it."))

    assert answers_of(bob) == ["Never", ""]
    assert Consent.objects.count() == 1
    assert "You agreed to this on" in text_of(desk.get(consent_href(asking)))


def test_an_answer_that_is_too_long_comes_back_and_nothing_is_recorded(asking, bob):
    asking.consent = "We keep it."
    asking.save(update_fields=["consent"])

    page = client_of(bob).post(
        f"{consent_href(asking)}?next=/account/",
        sent(asking, "Never", "x" * 501, text="We keep it."),
    )

    assert page.status_code == 400
    assert "at most 500 characters (it has 501)" in text_of(page)
    assert 'value="Never" checked' in page.content.decode()
    assert 'name="next" value="/account/"' in page.content.decode()
    assert answers_of(bob) == []
    assert not Consent.objects.exists()


def test_a_choice_that_is_none_is_refused(asking, bob):
    page = client_of(bob).post(consent_href(asking), sent(asking, "Sometimes", ""))

    assert page.status_code == 400
    assert "Choose one of the choices." in text_of(page)


def test_a_text_that_was_changed_meanwhile_takes_no_answers_either(asking, bob):
    asking.consent = "Another text"
    asking.save(update_fields=["consent"])

    client_of(bob).post(consent_href(asking), sent(asking, "Never", "", text="An older text"))

    assert answers_of(bob) == []


def test_a_question_that_came_while_the_page_was_open_is_not_taken_as_skipped(asking, bob):
    old = sent(asking, "Never", "")
    ask(asking, f"{TEXT}\n\nCan you swim?\n( ) yes\n( ) no")

    client_of(bob).post(consent_href(asking), old)

    page = client_of(bob).get(consent_href(asking))
    assert "Can you swim?" in text_of(page)
    assert "Do you sail?" not in text_of(page)


def test_what_people_wrote_does_no_harm(study, bob):
    script = "<script>alert(1)</script>"
    ask(study, f"{script} q?\n( ) {script} a\n( ) b\n\nWhere {script}?\n___")
    desk = client_of(bob)

    asked = desk.get(consent_href(study)).content.decode()
    desk.post(consent_href(study), sent(study, f"{script} a", f"</textarea>{script}"))
    own = desk.get(reverse("own_background", args=[study.slug])).content.decode()
    table = client_of(study.created_by).get(reverse("background_answers", args=[study.slug]))

    for page in (asked, own, table.content.decode()):
        assert "alert(1)" in page
        assert script not in page


def test_an_organiser_sees_the_questions_and_is_asked_none(asking, alice, carol):
    for person in (alice, carol):
        desk = client_of(person)
        page = desk.get(consent_href(asking))
        assert "Do you sail?" in text_of(page)
        assert '<form method="post" novalidate' not in page.content.decode()

        desk.post(consent_href(asking), sent(asking, "Often", ""))

    assert not BackgroundAnswer.objects.exists()


def test_my_work_says_that_something_is_asked_and_where(asking, bob):
    work = client_of(bob).get(reverse("work"))
    assert f'href="{consent_href(asking)}"' in work.content.decode()

    say(asking, bob, "", "")

    assert consent_href(asking) not in client_of(bob).get(reverse("work")).content.decode()


# One's own


def test_the_account_leads_to_what_one_said_once_one_was_asked(asking, bob):
    href = reverse("own_background", args=[asking.slug])
    assert href not in client_of(bob).get(reverse("account")).content.decode()

    say(asking, bob, "Often", "At home")

    assert href in client_of(bob).get(reverse("account")).content.decode()
    own = client_of(bob).get(href).content.decode()
    assert 'value="Often" checked' in own
    assert "At home</textarea>" in own


def test_one_changes_one_s_answers_also_without_a_role(asking, bob, alice):
    say(asking, bob, "Often", "At home")
    membership = asking.memberships.get(user=bob)
    members.change_roles(membership=membership, roles=[], by=alice)
    href = reverse("own_background", args=[asking.slug])

    saved = client_of(bob).post(href, sent(asking, "Never", ""), follow=True)

    assert "Saved." in text_of(saved)
    assert answers_of(bob) == ["Never", ""]


def test_one_removes_all_of_one_s_answers(asking, bob, dora):
    for person in (bob, dora):
        say(asking, person, "Often", "At home")
    href = reverse("own_background", args=[asking.slug])

    removed = client_of(bob).post(href, {"remove": "1"}, follow=True)

    assert "Your answers are removed." in text_of(removed)
    assert answers_of(bob) == ["", ""]
    assert answers_of(dora) == ["Often", "At home"]
    assert "Remove all" not in text_of(removed)


def test_an_answer_to_a_question_that_is_asked_no_more_can_be_removed(asking, bob):
    say(asking, bob, "Often", "At home")
    old = sent(asking, "Often", "")
    ask(asking, "Can you swim?\n( ) yes\n( ) no")
    href = reverse("own_background", args=[asking.slug])
    assert "At home" in text_of(client_of(bob).get(href))

    client_of(bob).post(href, old)

    assert "At home" not in text_of(client_of(bob).get(href))


def test_a_wrong_answer_of_one_s_own_is_refused(asking, bob):
    say(asking, bob, "Often", "At home")

    page = client_of(bob).post(
        reverse("own_background", args=[asking.slug]), sent(asking, "Sometimes", "x" * 501)
    )

    assert page.status_code == 400
    assert answers_of(bob) == ["Often", "At home"]


def test_a_line_break_is_one_character(asking, bob):
    href = reverse("own_background", args=[asking.slug])
    say(asking, bob, "Often", "At home")
    typed = "a\r\n" * 250  # as a browser sends 500 characters

    page = client_of(bob).post(href, sent(asking, "Often", typed))

    assert page.status_code == 302
    assert answers_of(bob) == ["Often", ("a\n" * 250).strip()]


def test_in_an_archived_study_one_reads_what_one_said(asking, alice, bob):
    say(asking, bob, "Often", "At home")
    archived_studies.archive(study=asking, by=alice)
    href = reverse("own_background", args=[asking.slug])

    page = client_of(bob).get(href)
    assert "At home" in text_of(page)
    assert "Remove all" not in text_of(page)
    refused = client_of(bob).post(href, {"remove": "1"})

    assert refused.status_code == 403
    assert "archived" in text_of(refused)
    assert answers_of(bob) == ["Often", "At home"]


def test_who_was_asked_nothing_is_told_so(study, bob):
    page = client_of(bob).get(reverse("own_background", args=[study.slug]))

    assert "You have not been asked anything about yourself here." in text_of(page)


# For organisers


def test_the_table_counts_people_and_names_nobody(asking, alice, bob):
    say(asking, bob, "Often", "At home")

    page = client_of(alice).get(reverse("background_answers", args=[asking.slug]))

    said = text_of(page)
    assert "Answered by 1 person, skipped or removed by 0." in said
    assert "At home" in said
    assert said.count("fewer than 5") == 3  # what that means, and beside either answer
    assert "bob" not in said
    assert asking.memberships.get(user=bob).pseudonym not in said


def test_a_study_without_questions_says_where_they_are_written(study, alice):
    page = client_of(alice).get(reverse("background_answers", args=[study.slug]))

    assert "Annotators are asked nothing about themselves." in text_of(page)
    assert reverse("study_settings", args=[study.slug]) in page.content.decode()


def test_more_answers_in_words_than_a_page_has_are_counted(asking, alice, bob, monkeypatch, dora):
    monkeypatch.setattr("accounts.views.background.SHOWN", 1)
    say(asking, bob, "Often", "At home")
    say(asking, dora, "Often", "At sea")

    page = client_of(alice).get(reverse("background_answers", args=[asking.slug]))

    assert "And 1 other answer" in text_of(page)


def test_the_settings_say_what_is_wrong_with_the_questions_and_save_nothing(study, alice):
    href = reverse("study_settings", args=[study.slug])

    page = client_of(alice).post(href, {"title": "Ships", "background": "Q?\r\n(x) a"})

    assert "Line 2: no choice is right here: write ( )." in text_of(page)
    study.refresh_from_db()
    assert (study.title, study.background) == ("Lighthouses", "")


def test_the_settings_keep_the_questions(study, alice):
    href = reverse("study_settings", args=[study.slug])
    text = TEXT.replace("\n", "\r\n")

    saved = client_of(alice).post(href, {"title": study.title, "background": text}, follow=True)

    assert "Annotators are asked what is new before they continue." in text_of(saved)
    study.refresh_from_db()
    assert study.background == TEXT
    assert study.background_questions.count() == 2


def test_members_without_the_role_see_no_table(asking, bob, carol):
    href = reverse("background_answers", args=[asking.slug])

    assert [client_of(each).get(href).status_code for each in (bob, carol)] == [403, 403]
