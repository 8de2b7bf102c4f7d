"""Scores are started and imported on pages, and what was begun is watched on the page of its job."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.actions import score_jobs
from scoring.models import Scorer
from scoring.registry import KINDS
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.uploads import job_page, post, run_newest_job, uploaded_file
from tests.parts import part


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def dataset(study, folder):
    made = create_dataset(study, folder, [turn(1, "A stone."), turn(2, "Black.")])
    create_run(made, folder, [answer(1, "A stone."), answer(2, "Grey.")])
    return made


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return settings.UPLOADS


def test_without_a_data_set_one_is_sent_to_its_import(client, study):
    for name in ("score_start", "scores_import"):
        reply = client.get(reverse(name, args=[study.slug]))
        assert reply.headers["Location"] == reverse("dataset_import", args=[study.slug])


def test_who_starts_scoring_comes_back_to_the_scores_and_sees_how_far_it_is(client, dataset, study):
    reply = post(client, "score_start", study, {"dataset": dataset.pk, "metrics": ["em"]})

    scores = f"{reverse('scores', args=[study.slug])}?dataset={dataset.pk}"
    assert reply.headers["Location"] == scores
    page = client.get(scores).text
    assert "1 scoring job started." in page
    assert "1 scoring job is running." in " ".join(page.split())
    text = job_page(client, run_newest_job())
    assert "2 scores computed: em by" in text
    assert scores in text
    assert "is running" not in client.get(scores).text


def test_the_measures_are_in_groups_by_what_they_are_of_and_three_are_chosen(
    client, dataset, study
):
    text = client.get(reverse("score_start", args=[study.slug])).content.decode()

    legends = re.findall(r"<legend>([^<]*)</legend>", text)
    assert legends == ["Measures", *(kind.replace("'", "&#x27;") for kind in KINDS.values())]
    boxes = re.findall(
        r'<input type="checkbox" name="metrics" value="(\w+)"[^>]*?( checked)?>', text
    )
    assert {name for name, _ in boxes} == set(score_jobs.METRICS)
    assert [name for name, checked in boxes if checked] == ["em", "f1", "sas"]
    assert text.index('value="sas"') < text.index('value="qr"')


def test_several_metrics_lead_to_the_scores_too(client, dataset, study):
    reply = post(client, "score_start", study, {"dataset": dataset.pk, "metrics": ["em", "sas"]})

    assert reply.headers["Location"].startswith(reverse("scores", args=[study.slug]))
    assert sorted(job.params["scorer"] for job in study.jobs.all()) == ["", "all-MiniLM-L6-v2"]


def test_a_model_that_is_allowed_is_chosen_by_its_name(client, dataset, study, tiny, settings):
    settings.SIMILARITY_MODELS = {"tiny": str(tiny)}
    asked = {"dataset": dataset.pk, "metrics": ["sas"], "model": "tiny", "bf16": "on"}
    post(client, "score_start", study, asked)

    job = run_newest_job()

    assert (job.params["scorer"], job.params["bf16"]) == (str(tiny.resolve()), True)
    assert job.state == "done"
    assert Scorer.objects.get().name == tiny.name


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"metrics": []}, "Choose at least one."),
        ({"metrics": ["bleu"]}, "bleu is not one of the available choices"),
        ({"dataset": "0"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_scored_is_said_at_its_field(client, dataset, study, changes, said):
    asked = {"dataset": dataset.pk, "metrics": ["em"], **changes}

    reply = post(client, "score_start", study, asked)

    assert said in reply.content.decode()
    assert not study.jobs.exists()


@pytest.mark.parametrize("model", ["/etc", "/nowhere", "~root", "an/owner-s-model", "tiny"])
def test_whatever_else_is_refused_in_the_same_words_whether_it_is_there_or_not(
    client, dataset, study, model
):
    """Or a requester could learn which folders the server has."""
    asked = {"dataset": dataset.pk, "metrics": ["sas"], "model": model}

    reply = post(client, "score_start", study, asked)

    refusal = f"Select a valid choice. {model} is not one of the available choices."
    assert refusal in html.unescape(reply.content.decode())
    assert not study.jobs.exists()


def test_scoring_that_is_begun_otherwise_is_said(client, dataset, study):
    asked = {"dataset": dataset.pk, "metrics": ["sas"]}
    post(client, "score_start", study, asked)

    reply = post(client, "score_start", study, {**asked, "bf16": "on"})

    assert "was started with other parameters" in reply.content.decode()
    assert study.jobs.count() == 1


def scores(*rows):
    return uploaded_file("\n".join(["id,run,sas", *rows]) + "\n", "sas.csv")


def test_a_file_of_scores_is_imported_by_a_job_that_counts_them(client, dataset, study):
    asked = {"dataset": dataset.pk, "metric": "sas", "scorer": "paper", "leave_out_unknown": "on"}
    reply = post(
        client,
        "scores_import",
        study,
        {**asked, "file": scores("1_1,alder,.9", "1_9,alder,.1")},
    )

    assert reply.headers["Location"] == reverse("job", args=[study.slug, study.jobs.get().pk])
    text = job_page(client, run_newest_job())
    assert "1 score imported for the scorer" in text
    assert "1 of answers that are not there were left out" in text


def test_problems_of_the_file_stand_on_the_page_of_the_job_by_row(client, dataset, study):
    asked = {"dataset": dataset.pk, "metric": "sas", "scorer": "paper"}
    file = scores("1_1,alder,<script>", "1_9,alder,.1")
    post(client, "scores_import", study, {**asked, "file": file})

    text = job_page(client, run_newest_job())

    assert "row 2" in text
    assert "&lt;script&gt;" in text
    assert "<script>" not in text.replace("<script src", "")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"file": ""}, "Choose a file."),
        ({"file": uploaded_file("", "sas.csv")}, "“sas.csv” is empty."),
        ({"scorer": "a#b"}, "The name of a scorer has no #"),
        ({"scorer": ""}, "This field is required."),
        ({"metric": ""}, "This field is required."),
    ],
)
def test_what_the_form_lacks_is_said_and_nothing_is_imported(client, dataset, study, changes, said):
    asked = {
        "dataset": dataset.pk,
        "metric": "sas",
        "scorer": "paper",
        "file": scores("1_1,alder,.9"),
    }

    reply = post(client, "scores_import", study, {**asked, **changes})

    assert said in reply.content.decode()
    assert not study.jobs.exists()


def test_a_file_that_cannot_be_kept_is_said(client, dataset, study, monkeypatch):
    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("config.storages.sync", full)
    asked = {"dataset": dataset.pk, "metric": "sas", "scorer": "p", "file": scores("1_1,alder,.9")}

    reply = post(client, "scores_import", study, asked)

    assert "could not be kept (No space left on device)" in reply.content.decode()
    assert not study.jobs.exists()


def test_a_file_that_is_too_large_is_refused(client, dataset, study, settings):
    settings.MOST_UPLOAD_MB = 1
    asked = {"dataset": dataset.pk, "metric": "sas", "scorer": "paper"}

    reply = post(
        client, "scores_import", study, {**asked, "file": uploaded_file(" " * 1_100_000, "s.csv")}
    )

    assert reply.status_code == 413
