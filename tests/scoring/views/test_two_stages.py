"""Two stages on pages: asked for beside the model, said with what they are worth wherever their scores are."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Scorer
from tests.corpus.uploads import job_page, post, run_newest_job
from tests.parts import part
from tests.scoring.stand_in_models import NoisyCrossEncoder, many_answers, use_model


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


@part
def imported(study, folder):
    # 300 are tried: as many as it takes to show that 1 % at most are wrong, if none is
    runs = {f"run {seed}": seed for seed in range(1, 10)}
    return many_answers(study, folder, **runs)


@pytest.fixture
def dataset(imported, tiny, monkeypatch, settings):
    settings.SIMILARITY_MODELS = {"tiny": str(tiny)}
    use_model(monkeypatch, tiny, NoisyCrossEncoder(tiny, noise=0.001))
    return imported


@pytest.fixture
def calibrated(client, study, dataset, tiny):
    asked = {"dataset": dataset.pk, "metrics": ["sas"], "model": "tiny", "about": "0.5"}
    reply = post(client, "score_start", study, asked)
    assert reply.headers["Location"].startswith(reverse("scores", args=[study.slug]))
    return run_newest_job()


def test_the_job_says_what_the_band_is_worth_and_leads_to_the_scoring(client, study, calibrated):
    text = job_page(client, calibrated)

    assert calibrated.kind == "calibrate"
    assert "In two stages about the threshold 0.5." in text
    assert "of all answers are on the wrong side of the threshold, with 95 % confidence" in text
    assert "by the cross-encoder alone, at the speed of the machines" in text
    scoring = study.jobs.get(kind="score")
    assert reverse("job", args=[study.slug, scoring.pk]) in text


def test_the_page_of_scores_says_what_the_band_is_worth(client, study, dataset, calibrated):
    run_newest_job()

    text = client.get(reverse("scores", args=[study.slug])).content.decode()

    assert "two-stage:tiny" in text
    assert "In two stages about the threshold 0.5." in text


def test_a_second_time_it_says_that_it_was_calibrated_before(
    client, study, dataset, calibrated, tiny
):
    run_newest_job()
    asked = {"dataset": dataset.pk, "metrics": ["sas"], "model": "tiny", "about": "0.5"}
    post(client, "score_start", study, asked)

    assert "It was calibrated so before: nothing is scored twice." in job_page(
        client, run_newest_job()
    )
    assert Scorer.objects.filter(name="two-stage:tiny").count() == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"about": "1.5"}, "Ensure this value is less than or equal to 1"),
        ({"about": "half"}, "Enter a number."),
        ({"about": "0.5", "model": ""}, "Two stages need a cross-encoder: name it as the model."),
    ],
)
def test_what_cannot_be_had_in_two_stages_is_said_at_its_field(
    client, study, dataset, tiny, changes, said
):
    asked = {"dataset": dataset.pk, "metrics": ["sas"], "model": "tiny", **changes}

    reply = post(client, "score_start", study, asked)

    assert said in reply.content.decode()
    assert not study.jobs.exists()


def test_a_pool_is_drawn_at_the_one_threshold_only(client, study, calibrated):
    run_newest_job()
    desk = reverse("pool_new", args=[study.slug])
    scorer = Scorer.objects.get(name="two-stage:tiny")
    rule = {"scorer": scorer.pk, "min_candidates": "1", "bag": "default", "seed": "1"}

    begun = client.get(desk, {"scorer": scorer.pk}).content.decode()
    refused = client.post(desk, {**rule, "name": "pool", "threshold": "0.6"})
    drawn = client.post(desk, {**rule, "name": "pool", "threshold": "0.5"})

    assert 'name="threshold" value="0.5"' in begun
    assert "a pool can only be drawn at this one" in begun
    assert "is as good as it says about the threshold 0.5 only" in refused.content.decode()
    assert drawn.status_code == 302
    assert study.pools.get().rule["threshold"] == 0.5
