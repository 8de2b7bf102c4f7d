"""The page that draws questions to write answers to, and the page of the pool."""

import pytest
from django.test import Client
from django.urls import reverse

from sampling.models import Pool
from tests.annotation.desk_pages import text_of
from tests.parts import part
from tests.sampling.writing_dataset import create_writing_dataset

ASKED = {"name": "R1", "min_sentences": 6, "seed": 1}


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def lights(study, folder):
    return create_writing_dataset(study, folder)


def address_of(study):
    return reverse("writing_new", args=[study.slug])


def test_without_a_data_set_the_page_leads_to_an_import(client, study):
    assert "Import a data set" in text_of(client.get(address_of(study)))


def test_questions_are_drawn_and_the_pool_shows_them_with_their_sentences(client, lights):
    form = text_of(client.get(address_of(lights.study)))
    assert "train.jsonl" in form

    sent = ASKED | {"dataset": lights.pk, "parts": ["dev.jsonl"], "n_questions": 5}
    drawn = client.post(address_of(lights.study), sent)

    pool = Pool.objects.get()
    assert drawn.url == reverse("pool", args=[pool.study.slug, pool.pk])
    assert pool.rule["parts"] == ["dev.jsonl"]
    page = text_of(client.get(drawn.url))
    assert "2 of 2" in page
    assert "1 question whose passage has fewer than 6 sentences" in " ".join(page.split())
    assert "what did the lamp burn" in page
    assert "Its lamp burnt oil until 1869." in page
    assert f'href="{reverse("batch_new", args=[pool.study.slug])}?pool={pool.pk}"' in page
    assert "writing" in text_of(client.get(reverse("pools", args=[pool.study.slug])))
    empty = text_of(client.get(drawn.url, {"q": "nothing of it"}))
    assert "No question matches." in empty


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": ""}, "Give the pool a name."),
        ({"min_sentences": 40}, "No question is drawn: no passage has at least 40 sentences"),
        ({"parts": ["x"]}, "The data set has no part x"),
        ({"n_questions": 0}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_the_form(client, lights, wrong, why):
    page = client.post(address_of(lights.study), ASKED | {"dataset": lights.pk} | wrong)

    assert page.status_code == 400
    assert why in text_of(page)
    assert not Pool.objects.exists()


def test_an_unknown_data_set_is_not_found(client, lights):
    sent = ASKED | {"dataset": 0}

    assert client.post(address_of(lights.study), sent).status_code == 404
