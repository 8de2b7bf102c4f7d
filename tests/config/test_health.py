"""/health/: whether the database answers and a worker is there; /health/ready/ and /health/live/ ask for less."""

import pytest
from django.db import OperationalError, connection

from config import views
from jobs.actions import liveness


@pytest.fixture(autouse=True)
def all_was_well(monkeypatch):
    for part in ("DATABASE", "WORKER"):
        monkeypatch.setattr(views, part, views.Watched())


def test_a_worker_that_was_heard_of_is_well(db, client):
    liveness.record_beat()

    reply = client.get("/health/")

    assert reply.status_code == 200
    assert reply.json() == {"status": "ok", "database": "ok", "worker": "ok"}


def test_a_worker_that_nobody_heard_of_is_told(db, client):
    reply = client.get("/health/")

    assert reply.status_code == 503
    assert reply.json() == {
        "status": "failing",
        "database": "ok",
        "worker": "not heard of",
    }


def test_a_database_that_does_not_answer_is_told_without_its_words(client, monkeypatch, caplog):
    def fail():
        raise OperationalError("password authentication failed for user touchstone")

    monkeypatch.setattr(liveness, "worker_is_alive", fail)

    reply = client.get("/health/")

    assert reply.status_code == 503
    assert reply.json() == {
        "status": "failing",
        "database": "does not answer",
        "worker": "not known",
    }
    assert "password authentication failed" in caplog.text


def test_the_log_says_once_that_a_part_is_away_and_once_that_it_is_back(db, client, caplog):
    for _ in range(3):
        client.get("/health/")
    liveness.record_beat()
    for _ in range(3):
        client.get("/health/")

    assert messages(caplog, "config.views") == [
        "no worker was heard of lately",
        "a worker was heard of again",
    ]


def messages(caplog, logger):
    return [each.getMessage() for each in caplog.records if each.name == logger]


def test_pages_are_ready_without_a_worker_so_that_a_balancer_leaves_the_desk_in(db, client):
    reply = client.get("/health/ready/")

    assert reply.status_code == 200
    assert reply.json() == {"status": "ok", "database": "ok"}


def test_without_its_database_a_process_is_alive_and_not_ready(client, monkeypatch):
    def fail():
        raise OperationalError("the connection is lost")

    monkeypatch.setattr(connection, "cursor", fail)

    assert client.get("/health/live/").json() == {"status": "ok"}
    reply = client.get("/health/ready/")
    assert reply.status_code == 503
    assert reply.json() == {"status": "failing", "database": "does not answer"}


@pytest.mark.parametrize("address", ["/health/", "/health/live/", "/health/ready/"])
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_health_can_only_be_read(client, address, method):
    assert getattr(client, method)(address).status_code == 405
