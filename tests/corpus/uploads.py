"""Uploaded files, and the jobs that import them, run at once."""

import contextlib
import json

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from jobs.actions import execution
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.markup import one_line


def uploaded_file(content, name="truth.json"):
    """A file as a browser sends it: bytes and text as they are, all else as JSON."""
    if not isinstance(content, bytes | str):
        content = json.dumps(content)
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def post(client, view, study, data):
    return client.post(reverse(view, kwargs={"study": study.slug}), data)


def run_newest_job() -> Job:
    """Run the newest job, whether it fails or not, and return it."""
    job = Job.objects.order_by("-pk").first()
    with contextlib.suppress(JobFailedError):  # said in the row
        execution.work(job)
    job.refresh_from_db()
    return job


def job_page(client, job) -> str:
    address = reverse("job", kwargs={"study": job.study.slug, "job": job.pk})
    return one_line(client.get(address).content.decode())


def import_checked(client, job, **data):
    address = reverse("import_checked", kwargs={"study": job.study.slug, "job": job.pk})
    return client.post(address, data, follow=True)
