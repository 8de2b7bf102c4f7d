"""The page that makes answers of sentences of evidence, and the pages of what it makes."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from corpus.models import Run, RunKind
from jobs.actions import execution
from jobs.models import Job
from sampling.actions import reference_evidence
from sampling.actions.reference_evidence import ReferenceEvidenceRule
from tests.parts import part
from tests.sampling.scored_dataset import begin_evidence, draw_pool

ASKED = {"name": "extracted", "most": "1"}


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def evidence(dataset):
    drawn = draw_pool(dataset)
    execution.run(begin_evidence(drawn))
    return drawn.study.pools.get(name="evidence")


@part
def references(dataset):
    job = reference_evidence.begin(
        dataset=dataset,
        name="references",
        rule=ReferenceEvidenceRule("none", None),
        model="none",
        by=dataset.created_by,
    )
    execution.run(job)
    return dataset.study.pools.get(name="references")


def address_of(pool, name="pool_spans"):
    return reverse(name, args=[pool.study.slug, pool.pk])


def words(reply):
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


def test_a_pool_of_evidence_leads_to_the_form_and_that_to_a_job(client, evidence):
    assert address_of(evidence) in client.get(address_of(evidence, "pool")).text
    assert "The 4 sentences of evidence that equal no candidate" in words(
        client.get(address_of(evidence))
    )

    reply = client.post(address_of(evidence), ASKED)

    job = Job.objects.get(kind="draw_spans")
    assert reply.url == reverse("job", args=[evidence.study.slug, job.pk])
    execution.run(job)
    assert "2 sentences to 2 questions, in 1 run: extracted ." in words(client.get(reply.url))
    assert Run.objects.get(name="extracted").kind == RunKind.EXTRACTED


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"name": ""}, "Give the runs a name."),
        ({"name": "fir"}, "has a run fir already: choose another name."),
        ({"name": "a|b"}, "has no |: it parts the names of runs in tables"),
        ({"most": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said_in_the_form(asked, said, client, evidence):
    reply = client.post(address_of(evidence), ASKED | asked)

    assert (reply.status_code, said in words(reply)) == (400, True)


def test_a_pool_of_answers_says_that_it_has_no_sentences(client, evidence):
    pool = evidence.study.pools.get(name="pool")

    reply = client.get(address_of(pool), follow=True)

    assert "Only a pool of evidence has sentences that can be asked about." in words(reply)
    assert address_of(pool) not in client.get(address_of(pool, "pool")).text


def test_a_rehearsal_offers_nothing(client, evidence):
    evidence.is_rehearsal = True
    evidence.save()

    assert address_of(evidence) not in client.get(address_of(evidence, "pool")).text


def test_the_runs_are_listed_with_their_kind(client, evidence):
    client.post(address_of(evidence), ASKED)
    execution.run(Job.objects.get(kind="draw_spans"))

    listed = words(client.get(reverse("runs", args=[evidence.study.slug]), {"kind": "extracted"}))

    assert "extracted" in listed
    assert "alder" not in listed.partition("Setup")[2]


def test_a_run_of_sentences_is_not_described_anew(client, evidence):
    client.post(address_of(evidence), ASKED)
    execution.run(Job.objects.get(kind="draw_spans"))
    run = Run.objects.get(name="extracted")

    shown = client.get(reverse("run", args=[evidence.study.slug, run.pk]))
    table = client.get(reverse("run_table", args=[evidence.study.slug, run.dataset_id]))

    assert "Change name or description" not in shown.text
    assert "evidence evidence" in shown.text
    assert 'value="extracted"' not in table.text


def test_the_evidence_of_references_has_a_page_without_a_batch(client, references):
    shown = client.get(address_of(references, "pool"))

    assert "A touchstone is a small dark tablet." in shown.text
    assert "found for the reference (F1 0.75)" in words(shown)
    assert "A touchstone is a dark stone." in shown.text
    assert "No evidence was found for this question." in shown.text
    assert "Open a batch on it" not in shown.text


def test_questions_without_evidence_can_be_asked_for(client, references):
    shown = client.get(address_of(references, "pool"), {"evidence": "none"})

    assert "As dark as coal." in shown.text
    assert "A touchstone is a small dark tablet." not in shown.text


def test_the_page_of_a_question_says_that_it_supports_the_reference(client, references):
    turn = references.spans.get().turn

    shown = words(client.get(reverse("question", args=[references.study.slug, turn.pk])))

    assert "references Found for the reference. A touchstone is a small dark tablet." in shown


def test_the_list_of_pools_names_the_kind(client, references):
    shown = words(
        client.get(reverse("pools", args=[references.study.slug]), {"purpose": "references"})
    )

    assert "references" in shown
