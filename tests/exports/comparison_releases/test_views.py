"""A comparison is released from its page, listed with the other releases, and downloaded."""

import io
import json
import zipfile
from unittest.mock import patch

import pytest
from django.test import override_settings
from django.urls import reverse

from annotation.actions import batches
from exports.models import Release
from jobs.actions import execution
from jobs.models import Job
from tests.exports.judged_batches import reject
from tests.exports.releases.stored_release import folder_of
from tests.jobs.clients import client_of
from tests.parts import part


@pytest.fixture
def client(alice, releases_of_parts, monkeypatch):
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)
    return client_of(alice)


@pytest.fixture
def page(study):
    return page_of(study)


def page_of(study):
    return reverse("compared_study_release", args=[study.slug])


@part
def closed(rated, preferred) -> None:
    for batch in (rated, preferred):
        batches.close(batch=batch, by=batch.created_by)


@part
def made(closed, study, alice, releases_folder) -> Release:
    with override_settings(RELEASES=releases_folder), patch("jobs.tasks.work_on.delay"):
        assert client_of(alice).post(page_of(study)).status_code == 302
        execution.run(Job.objects.get(kind="release_comparison"))
    return Release.objects.get()


def release_page(client, study):
    return client.get(reverse("release", args=[study.slug, 1]))


def test_the_comparison_leads_to_its_release(study, closed, client, page, rated):
    whole = client.get(reverse("compared_study", args=[study.slug])).text
    one = client.get(reverse("compared", args=[study.slug, rated.pk])).text

    assert f'href="{page}"' in whole
    assert f'href="{page}?only=rating%20gold"' in one


def test_from_one_batch_the_others_are_left_out(closed, client, page):
    text = " ".join(client.get(page, {"only": "rating gold"}).text.split())

    assert 'value="preference gold" aria-label="Leave out preference gold" checked' in text
    assert 'value="rating gold" aria-label="Leave out rating gold" >' in text


def test_a_study_that_compares_nothing_is_led_to_the_comparison(study, client, page):
    assert client.get(page).url == reverse("compared_study", args=[study.slug])


def test_open_batches_are_named_at_the_form(study, rated, client, page):
    refused = client.post(page)
    taken = client.post(page, {"with_open_batches": "on"})

    assert refused.status_code == 400
    assert "There is no release: people still judge in rating gold" in refused.text
    assert taken.status_code == 302


def test_a_release_of_no_batch_is_refused(closed, client, page):
    response = client.post(page, {"without": ["rating gold", "preference gold"]})

    assert response.status_code == 400
    assert "Every batch is left out" in response.text


def test_its_page_shows_the_table_and_the_files(study, made, client):
    text = release_page(client, study).text

    for piece in ("comparison of systems", "Win-rate", "alder", "table7.tex", "rating gold"):
        assert piece in text


def test_the_release_stays_when_the_judgements_change(study, made, client, rated):
    before = (folder_of(made) / "systems.csv").read_bytes()
    reject(rated.items.first().assignments.first().judgements.get())

    response = client.get(reverse("release_file", args=[study.slug, 1, "systems.csv"]))

    assert b"".join(response.streaming_content) == before


def test_a_changed_file_is_no_release(study, made, client):
    (folder_of(made) / "figures.json").write_text("{}")

    assert "is not what was released" in release_page(client, study).text


def test_all_files_are_given_in_one(study, made, client):
    response = client.get(reverse("release_zip", args=[study.slug, 1]))

    with zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content))) as packed:
        names = {name.rpartition("/")[2] for name in packed.namelist()}
    assert {"table7.tex", "figures.json", "manifest.json"} <= names


def test_it_is_listed_as_a_comparison(study, made, client):
    listed = client.get(reverse("releases", args=[study.slug])).text

    assert "comparison of systems" in listed


def test_the_api_lists_it_without_a_data_set(study, made, client):
    listed = client.get(f"/api/v1/studies/{study.slug}/releases/", {"contents": "comparison"})

    (found,) = json.loads(listed.content)["results"]
    assert (found["contents"], found["dataset"]) == ("comparison", None)


def test_the_last_released_comparison_is_named_at_the_form(made, client, page):
    text = " ".join(client.get(page).text.split())

    assert "The last comparison that was released is" in text
    assert "rating gold" in text


def test_the_results_of_a_study_that_only_compares_lead_to_the_comparison(study, rated, client):
    dataset = rated.pool.dataset_id

    text = client.get(reverse("results", args=[study.slug, dataset])).text

    assert "This study compares runs" in text
    assert f'href="{reverse("compared_study", args=[study.slug])}"' in text
    assert "There are no results yet" not in text


def test_the_new_release_of_a_study_that_only_compares_is_that_of_the_comparison(
    study, rated, client, page
):
    text = client.get(reverse("release_new", args=[study.slug])).text

    assert f'href="{page}"' in text
    assert "There is no batch" not in text


def test_a_study_that_also_judges_answers_is_led_to_both(study, rated, plausibility, client):
    dataset = plausibility.pool.dataset_id

    results = client.get(reverse("results", args=[study.slug, dataset])).text
    release = client.get(reverse("release_new", args=[study.slug])).text

    assert "This study compares runs" not in results + release
    assert "Create the release" in release
    assert "adds no answer" in release


def test_a_withdrawn_comparison_is_not_the_last_and_is_named(study, made, client, page):
    where = [study.slug, made.number]
    client.post(reverse("release_withdraw", args=where), {"reason": "one batch too many"})

    assert "one batch too many" in client.get(reverse("release", args=where)).text
    form = client.get(page).text
    assert "The last comparison that was released is" not in form
    assert f"Release {made.number}</a> is withdrawn." in form
