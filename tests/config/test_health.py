"""/health/: whether the database answers and a worker is there."""

import pytest
from django.db import OperationalError

from jobs.actions import liveness


def test_a_worker_that_was_heard_of_is_well(db, client):
    liveness.record_beat()

    reply = client.get("/health/")

    assert reply.status_code == 200
    assert reply.json() == {"status": "ok", "version": "0.1.0", "database": "ok", "worker": "ok"}


def test_a_worker_that_nobody_heard_of_is_told(db, client):
    reply = client.get("/health/")

    assert reply.status_code == 503
    assert reply.json() | {"version": ""} == {
        "status": "failing",
        "version": "",
        "database": "ok",
        "worker": "not heard of",
    }


def test_a_database_that_does_not_answer_is_told_without_its_words(client, monkeypatch, caplog):
    def fail():
        raise OperationalError("password authentication failed for user touchstone")

    monkeypatch.setattr(liveness, "worker_is_alive", fail)

    reply = client.get("/health/")

    assert reply.status_code == 503
    assert reply.json() | {"version": ""} == {
        "status": "failing",
        "version": "",
        "database": "does not answer",
        "worker": "not known",
    }
    assert "password authentication failed" in caplog.text


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_health_can_only_be_read(client, method):
    assert getattr(client, method)("/health/").status_code == 405
