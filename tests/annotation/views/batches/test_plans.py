"""The page of plans of analysis, and the command."""

import pytest
from django.urls import reverse

from annotation.actions import analysis_plans
from annotation.models import AnalysisPlan
from tests.annotation.desk import claim_one, submit
from tests.annotation.desk_pages import client_of, text_of
from tests.annotation.trust import open_batch


@pytest.fixture
def requester(alice):
    return client_of(alice)


@pytest.fixture
def batch(study):
    return open_batch(study, None, name="full")


def href(batch):
    return reverse("batch_plan", args=[batch.study.slug, batch.pk])


def test_a_plan_is_frozen_as_it_was_typed_and_shown_with_its_time(requester, batch):
    reply = requester.post(href(batch), {"plan": "Unanimous.\r\n\r\n<b>"}, follow=True)

    plan = AnalysisPlan.objects.get()
    assert plan.text == "Unanimous.\n\n<b>"
    page = text_of(reply)
    assert plan.sha256 in page
    assert "before the first judgement" in page
    assert "<b>" not in page
    of_batch = text_of(requester.get(reverse("batch", args=[batch.study.slug, batch.pk])))
    assert "before the first judgement" in of_batch
    assert f'href="{href(batch)}"' in of_batch


def test_after_a_judgement_the_page_says_so_before_and_after(requester, batch, bob):
    submit(claim_one(batch, bob))

    assert "The batch has 1 judgement." in text_of(requester.get(href(batch)))
    page = text_of(requester.post(href(batch), {"plan": "Late."}, follow=True))
    assert "after 1 judgement" in page


def test_another_plan_stands_beside_the_first_as_a_deviation(requester, batch):
    for text in ("One.", "Two."):
        page = text_of(requester.post(href(batch), {"plan": text}, follow=True))

    assert [each.text for each in batch.analysis_plans.all()] == ["One.", "Two."]
    assert "Decided after the plan" in page
    assert "another plan was frozen" in page


@pytest.mark.parametrize("text", ["", " \n", "One."])
def test_no_text_or_the_same_again_freezes_nothing(requester, batch, alice, text):
    analysis_plans.freeze(batch=batch, text="One.", by=alice)

    assert requester.post(href(batch), {"plan": text}).status_code == 400
    assert AnalysisPlan.objects.count() == 1


def test_the_history_says_it_in_words(requester, batch, alice):
    analysis_plans.freeze(batch=batch, text="One.", by=alice)

    page = text_of(requester.get(reverse("history", args=[batch.study.slug])))
    assert "froze the plan of analysis of batch full" in page
