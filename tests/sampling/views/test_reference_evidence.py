"""The page that starts the search for the evidence of the references of a data set."""

import re

import pytest
from django.urls import reverse

from annotation.actions import archived_studies
from corpus.models import Answer, RunKind
from jobs.actions import execution
from jobs.models import Job
from sampling.models import Pool, Purpose
from tests.jobs.clients import client_of

ASKED = {
    "name": "references",
    "threshold": "0.3",
    "scorer": "none",
    "sas_threshold": "",
    "max_words": "200",
}


@pytest.fixture
def client(alice):
    return client_of(alice)


def where(study):
    return reverse("reference_evidence_new", args=[study.slug])


def words(reply):
    return " ".join(re.sub(r"<[^>]*>", " ", reply.text).split())


@pytest.fixture
def asked(dataset, monkeypatch):
    # Without a model: every sentence that overlaps is kept.
    monkeypatch.setattr("sampling.forms.search.evidence_threshold_of_model", lambda model: None)
    return ASKED | {"dataset": str(dataset.pk)}


def test_the_form_starts_a_job_whose_page_leads_to_the_evidence(client, dataset, asked):
    study = dataset.study
    of_dataset = client.get(reverse("dataset", args=[study.slug, dataset.name, dataset.version]))
    assert f"{where(study)}?dataset={dataset.pk}" in of_dataset.text
    assert where(study) in client.get(reverse("pools", args=[study.slug])).text
    shown = client.get(where(study), {"dataset": dataset.pk})
    assert f'<option value="{dataset.pk}" selected>' in shown.text

    started = client.post(where(study), asked)

    job = execution.run(Job.objects.get(kind="find_reference_evidence"))
    assert started.url == reverse("job", args=[study.slug, job.pk])
    found = Pool.objects.get(name="references")
    assert found.purpose == Purpose.REFERENCES
    address = reverse("pool", args=[study.slug, found.pk])
    assert f'href="{address}"' in client.get(started.url).text
    assert address in client.get(where(study)).text
    assert "A touchstone is a small dark tablet." in client.get(address).text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"dataset": "999"}, "Select a valid choice."),
        ({"name": ".."}, "choose another"),
        ({"max_words": "0"}, "greater than or equal to 1"),
        ({"threshold": "2"}, "less than or equal to 1"),
    ],
)
def test_what_is_wrong_is_said_in_the_form_and_nothing_is_begun(change, said, client, asked, study):
    reply = client.post(where(study), asked | change)

    assert (reply.status_code, said in words(reply)) == (400, True)
    assert not Job.objects.filter(kind="find_reference_evidence").exists()


def test_a_taken_name_and_a_data_set_without_references_are_refused(client, asked, dataset):
    client.post(where(dataset.study), asked)
    execution.run(Job.objects.get(kind="find_reference_evidence"))
    taken = client.post(where(dataset.study), asked)
    Answer.objects.filter(run__kind=RunKind.REFERENCE).delete()
    without = client.post(where(dataset.study), asked | {"name": "other"})

    assert (taken.status_code, without.status_code) == (400, 400)
    assert "there is a pool references already" in words(taken)
    assert "has a reference" in words(without)


def test_without_a_data_set_the_page_leads_to_the_import(client, study):
    reply = client.get(where(study))

    assert reply.status_code == 200
    assert reverse("dataset_import", args=[study.slug]) in reply.text
    assert 'method="post"' not in reply.text.partition("<main")[2]


def test_an_archived_study_is_not_searched(client, dataset, alice):
    archived_studies.archive(study=dataset.study, by=alice)

    page = client.get(where(dataset.study)).text

    assert 'method="post"' not in page.partition("<main")[2]
