"""The page Planning: with assumed values, from a pilot, for a batch, and with fields that are wrong."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches
from tests.cases import all_cases
from tests.exports import compared_runs

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def page(client, study, **query):
    reply = client.get(reverse("planning", args=[study.slug]), query)
    assert reply.status_code == 200
    return reply.text


def words(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).replace("&nbsp;", " ").split())


def test_without_a_field_it_shows_a_plan_with_assumed_values(client, study):
    """F+A: V = .49 / 100 + .0729 / 3 + 1 / 300 = .0325, 2.9 degrees."""
    text = words(page(client, study))

    assert "One more annotator or 20 more questions?" in text
    assert "300 judgements: 100 questions, 3 annotators each, 1 item per question" in text
    assert "used above 0.70 0.27 1.00" in text
    assert "Cost" not in text


def test_more_people_make_the_margin_smaller_and_cost_nothing_more(client, study):
    text = words(page(client, study, people=6, price="0.5", currency="EUR"))

    assert "as planned 100 6 3" in text
    assert "one more annotator 100 7 3" in text
    assert "€150.00" in text
    assert "€200.00" in text  # with one more judgement of each question
    assert "€180.00" in text  # with 20 more questions


def test_a_pilot_gives_the_standard_deviations(client, study, rated):
    text = words(page(client, study, pilot=rated.pk))

    assert "Pilot: rating gold , 9 first judgements." in text
    assert "the pilot: 2 questions, 3 annotators 0.00 0.00 0.90" in text
    assert "used above 0.00 0.00 0.90" in text


def test_what_is_typed_takes_the_place_of_the_pilots(client, study, rated):
    text = words(page(client, study, pilot=rated.pk, people_sd="0.5"))

    assert "used above 0.00 0.50 0.90" in text


def test_a_pilot_of_too_few_people_says_so_and_the_plan_is_assumed(client, study, plausibility):
    text = words(page(client, study, measure="plausible", pilot=plausibility.pk))

    assert "fewer than 3 people judged" in text
    assert "used above 0.40 0.15 0.50" in text


def test_a_batch_gives_the_numbers_and_its_page_leads_here(client, study, gold):
    batch = compared_runs.open_batch(gold, "rating")

    text = words(page(client, study, batch=batch.pk))

    assert "9 judgements: 3 questions, 3 annotators each, 1 item per question" in text
    of_batch = client.get(reverse("batch", args=[study.slug, batch.pk])).text
    assert (
        f"{reverse('planning', args=[study.slug])}?batch={batch.pk}&amp;pilot={batch.pk}"
        in of_batch
    )


def test_the_page_of_a_scheme_without_a_planned_figure_does_not_lead_here(client, study, gold):
    batch = compared_runs.open_batch(gold, "relevance")

    of_batch = client.get(reverse("batch", args=[study.slug, batch.pk])).text

    assert "Plan further judgements" not in of_batch


@pytest.mark.parametrize("batch", ["0", "x", "-1", "²", "9" * 30, "999999"])
def test_a_batch_that_is_not_there_changes_nothing(client, study, batch):
    assert "100 questions" in page(client, study, batch=batch)


@all_cases(
    ("fields", "error"),
    [
        ({"questions": "1"}, "greater than or equal to 2"),
        ({"people": "x"}, "Enter a whole number"),
        ({"people": "3", "per_question": "4"}, "at most all annotators"),
        ({"rest_sd": "-1"}, "greater than or equal to 0"),
        ({"rest_sd": "nan"}, "Enter a number"),
        ({"measure": "beauty"}, "Select a valid choice"),
        ({"pilot": "77777"}, "No batch of this study with judgements"),
        ({"price": "0"}, "greater than or equal to 0.0001"),
    ],
)
def test_a_field_that_is_wrong_says_so_and_nothing_is_computed(client, study, fields, error):
    text = page(client, study, **fields)

    assert error in text
    assert 'id="figures"' not in text


def test_a_pilot_of_another_scheme_says_what_the_figure_needs(client, study, rated):
    text = page(client, study, measure="preference", pilot=rated.pk)

    assert "rating gold has judgements of rating, and the figure needs preference." in text


def test_two_annotators_have_margins_for_themselves_only(client, study):
    text = words(page(client, study, people=2, per_question=2))

    assert "fewer than 3 people: nothing can be said of others" in text


def test_a_draft_leads_here_before_it_opens(client, study, pool):
    """On the page that asks whether to open it."""
    batch = batches.create(
        study=study, name="draft", scheme="plausibility", pool=pool, by=pool.created_by
    )

    text = client.get(reverse("batch_open", args=[study.slug, batch.pk])).text

    assert f"{reverse('planning', args=[study.slug])}?batch={batch.pk}" in text
