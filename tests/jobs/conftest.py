import pytest

from accounts.models import Study, User
from jobs.actions import execution, jobs
from jobs.models import Job
from tests.jobs.carving_job import KIND, Work


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """What every job does in this test."""
    work = Work()
    monkeypatch.setattr(execution, "handler_of", lambda job: work.handler)
    return work


@pytest.fixture
def job(study: Study, alice: User, work: Work) -> Job:
    return jobs.start(study=study, kind=KIND, key="a stone", params={}, by=alice)
