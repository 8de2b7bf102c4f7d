"""Files sent by a page, and the jobs that work on them, done here and now."""

import contextlib
import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from jobs.actions import execution
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.markup import one_line


def sent(content, name="truth.json"):
    """A file as a browser sends it: bytes and text as they are, all else as JSON."""
    if not isinstance(content, bytes | str):
        content = json.dumps(content)
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def post(client, view, study, data):
    return client.post(reverse(view, kwargs={"study": study.slug}), data)


def work() -> Job:
    """The newest job, worked on by a worker that takes a failure as it comes."""
    job = Job.objects.order_by("-pk").first()
    with contextlib.suppress(JobFailedError):  # said in the row
        execution.work(job)
    job.refresh_from_db()
    return job


def page(client, job) -> str:
    address = reverse("job", kwargs={"study": job.study.slug, "job": job.pk})
    return one_line(client.get(address).content.decode())


def import_checked(client, job, **data):
    address = reverse("import_checked", kwargs={"study": job.study.slug, "job": job.pk})
    return client.post(address, data, follow=True)
