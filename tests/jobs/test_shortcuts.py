"""What a view does with a job that it started: a worker is woken, and a broker that is away loses nothing."""

import pytest
from django.contrib.messages import get_messages
from django.contrib.messages.storage.fallback import FallbackStorage
from kombu.exceptions import ChannelError, OperationalError

from jobs import shortcuts
from jobs.models import JobState


@pytest.fixture
def request_(rf, alice):
    request = rf.post("/")
    request.user, request.session = alice, {}
    request._messages = FallbackStorage(request)
    return request


def test_leave_wakes_a_worker_once_the_job_is_committed(
    job, request_, monkeypatch, django_capture_on_commit_callbacks
):
    woken = []
    monkeypatch.setattr(shortcuts.work_on, "delay", woken.append)

    with django_capture_on_commit_callbacks() as on_commit:
        reply = shortcuts.hand_to_worker(request_, job)
        assert woken == []
    for call in on_commit:
        call()

    assert woken == [job.pk]
    assert (reply.status_code, reply["Location"]) == (302, f"/studies/lighthouses/jobs/{job.pk}/")


@pytest.mark.parametrize("error", [OperationalError("no"), ChannelError("no"), OSError("no")])
def test_a_broker_that_is_away_loses_no_job_and_the_page_says_so(
    error, job, request_, monkeypatch, django_capture_on_commit_callbacks
):
    def refuse(pk):
        raise error

    monkeypatch.setattr(shortcuts.work_on, "delay", refuse)

    with django_capture_on_commit_callbacks(execute=True):
        shortcuts.hand_to_worker(request_, job)

    job.refresh_from_db()
    assert job.state == JobState.WAITING
    assert "the broker cannot be reached" in str(next(iter(get_messages(request_))))
