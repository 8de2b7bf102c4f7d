"""What a scrape has of the database, and of one process by itself."""

import pytest
from django.db import OperationalError, connection
from prometheus_client.parser import text_string_to_metric_families

from annotation.models import GuidelineReading
from config.exposition import exposition
from jobs import queries
from jobs.actions import jobs, liveness
from monitoring import metrics, process_files
from pages.middleware import time_locks
from tests.annotation.desk_pages import client_of, open_desk, send_form
from tests.factories import ItemFactory

TOKEN = "a-token-that-only-prometheus-has"


def series():
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(exposition().decode())
        for sample in family.samples
    }


def test_the_queue_is_told_in_three_queries(study, alice, django_assert_num_queries):
    jobs.start(study=study, kind="results", key="", params={}, by=alice)
    liveness.record_beat()

    with django_assert_num_queries(3):
        now = series()

    assert now[("touchstone_database_up",)] == 1
    assert now[("touchstone_jobs", "waiting")] == 1
    assert now[("touchstone_job_longest_wait_seconds",)] > 0
    assert now[("touchstone_worker_heard_timestamp_seconds",)] > 0


def test_a_database_that_is_away_is_told_and_costs_no_other_metric(client, settings, monkeypatch):
    def fail():
        raise OperationalError("the connection is lost")

    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(queries, "queue", fail)

    reply = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})

    assert reply.status_code == 200
    assert "touchstone_database_up 0.0" in reply.text
    assert "touchstone_requests_total{" in reply.text
    assert "touchstone_jobs" not in reply.text


def test_metrics_are_read_over_plain_http_too(db, client, settings):
    """Prometheus asks on the machine itself, past the proxy."""
    settings.METRICS_TOKEN, settings.SECURE_SSL_REDIRECT = TOKEN, True

    reply = client.get("/metrics/", headers={"Authorization": f"Bearer {TOKEN}"})

    assert reply.status_code == 200


@pytest.fixture
def batch(study):
    return ItemFactory(batch__pool__dataset__study=study).batch


@pytest.fixture
def desk(bob, batch):
    """The browser of bob, who has read the guideline."""
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=bob)
    return client_of(bob)


def test_a_judgement_is_counted_once_it_is_saved(batch, desk, django_capture_on_commit_callbacks):
    key = ("touchstone_judgements_total", batch.scheme)
    before = series().get(key, 0)

    with django_capture_on_commit_callbacks(execute=True):
        page = open_desk(desk, batch)
        send_form(desk, page)
        send_form(desk, page)  # the same once more

    assert series()[key] == before + 1


@pytest.mark.parametrize(
    ("sql", "wait"),
    [
        ("BEGIN IMMEDIATE", metrics.WRITE_LOCK),
        ('SELECT "x"."id" FROM "x" FOR UPDATE OF "x" SKIP LOCKED', metrics.ROW_LOCK),
        ('SELECT "x"."id" FROM "x" FOR NO KEY UPDATE', metrics.ROW_LOCK),
    ],
)
def test_statements_that_wait_for_other_writers_are_timed(sql, wait):
    before = observed(wait)

    assert time_locks(lambda *arguments: "rows", sql, None, False, {}) == "rows"

    assert observed(wait) == before + 1


def observed(histogram):
    return sum(bucket.get() for bucket in histogram._buckets)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_request_that_writes_is_timed_where_it_takes_the_lock(batch, desk):
    wait = metrics.ROW_LOCK if connection.features.has_select_for_update else metrics.WRITE_LOCK
    page = open_desk(desk, batch)
    before = observed(wait)

    send_form(desk, page)

    assert observed(wait) > before


def test_a_process_without_room_for_its_counts_works_without_them(tmp_path, monkeypatch):
    monkeypatch.setattr(process_files, "_folder", None)

    assert process_files.use(tmp_path / "nowhere") is False
