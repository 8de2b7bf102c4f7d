"""An audit sample on its pages: what is asked, what is refused, and what was drawn."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from jobs.actions import execution
from jobs.models import Job
from sampling.actions import surveys
from sampling.models import Pool
from tests.factories import PoolFactory
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, draw_pool

ASKED = {"name": "audit", "below_threshold": 1, "represented": 2, "seed": 1}


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def pool(dataset):
    return draw_pool(dataset)


def address_of(pool, name="pool_audit"):
    return reverse(name, args=[pool.study.slug, pool.pk])


def words(reply):
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def test_the_form_asks_about_the_reasons_there_are_and_says_who_is_never_drawn(client, pool):
    reply = client.get(address_of(pool))

    assert re.findall(r'name="(\w+)" value="(\d+)"', reply.text) == [
        ("below_threshold", "2"),
        ("represented", "2"),
        ("seed", "1"),
    ]
    assert "same as the question (2 answers)" in words(reply)
    assert "empty (2 answers)" in words(reply)


def test_a_pool_leads_to_its_audit_and_from_there_to_a_batch(client, pool):
    assert address_of(pool) in client.get(address_of(pool, "pool")).text

    reply = client.post(address_of(pool), ASKED, follow=True)

    made = Pool.objects.get(name="audit")
    assert reply.redirect_chain[-1][0] == address_of(made, "pool")
    assert "The audit sample audit was drawn." in reply.text
    assert f"{reverse('batch_new', args=[pool.study.slug])}?pool={made.pk}" in reply.text
    assert "Below the threshold 2 1 0.5000" in words(reply)
    assert "Represented 2 2 1.0000" in words(reply)
    before = client.get(address_of(pool, "pool")).text
    assert address_of(made, "pool_missed") in before
    assert "audit of pool" in words(client.get(reverse("pools", args=[pool.study.slug])))


def test_many_answers_are_left_to_a_job(client, pool, monkeypatch):
    monkeypatch.setattr(surveys, "is_at_once", lambda dataset: False)

    reply = client.post(address_of(pool), ASKED)

    job = Job.objects.get(kind="draw_audit")
    assert reply.url == reverse("job", args=[pool.study.slug, job.pk])
    execution.run(job)
    assert address_of(Pool.objects.get(name="audit"), "pool") in client.get(reply.url).text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": ""}, "Give the sample a name."),
        ({"name": "pool"}, "There is a pool pool already"),
        ({"below_threshold": 0, "represented": 0}, "Nothing is drawn: a sample of none"),
        ({"below_threshold": -1}, "greater than or equal to 0"),
        ({"seed": ""}, "This field is required."),
    ],
)
def test_what_cannot_be_drawn_is_said_at_the_form(client, pool, changed, said):
    reply = client.post(address_of(pool), ASKED | changed)

    assert reply.status_code == 400
    assert said in reply.text
    assert Pool.objects.count() == 1


@pytest.mark.parametrize("which", ["evidence", "audit", "unbuilt"])
def test_only_what_a_rule_drew_is_audited(client, pool, which):
    client.post(address_of(pool), ASKED)
    execution.run(begin_evidence(pool))
    PoolFactory(dataset=pool.dataset, built_at=None, name="unbuilt")

    reply = client.get(address_of(Pool.objects.get(name=which)), follow=True)

    assert "Only a pool that was drawn by a rule can be audited." in reply.text


def test_where_nothing_was_left_out_there_is_nothing_to_audit(client, pool):
    counts = pool.counts | {"n_answers": dict.fromkeys(pool.counts["n_answers"], 0)}
    Pool.objects.filter(pk=pool.pk).update(counts=counts)

    assert "there is nothing to audit" in client.get(address_of(pool)).text


def test_the_page_of_a_sample_takes_as_many_queries_however_large_it_is(
    client, pool, django_assert_max_num_queries
):
    client.post(address_of(pool), ASKED)

    with django_assert_max_num_queries(20):
        client.get(address_of(Pool.objects.get(name="audit"), "pool"))
