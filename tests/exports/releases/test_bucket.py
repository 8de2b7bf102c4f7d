"""Releases and uploads in a bucket, tried with a local S3 in a process of its own."""

import zipfile
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse

from config import file_places, object_storage
from corpus import uploads
from corpus.models import Dataset
from exports.models import Release
from exports.tasks import clear_unfinished_releases
from jobs.actions import execution
from jobs.models import Job
from tests.config import buckets
from tests.config.serving import free_port
from tests.corpus.imports import turn
from tests.corpus.uploads import import_checked, run_newest_job, uploaded_file

pytestmark = pytest.mark.worker

STORAGES = ("releases", "uploads")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with buckets.bucket(tmp_path_factory.mktemp("s3") / "log") as environment:
        yield environment


@pytest.fixture
def bucket(service, settings, monkeypatch, tmp_path):
    """The bucket, and folders that nobody is to use."""
    for name, value in service.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("jobs.tasks.work_on.delay", lambda job: None)
    settings.RELEASES = settings.UPLOADS = tmp_path / "not-for-use"
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    place = service["TOUCHSTONE_FILES"]
    settings.STORAGES = settings.STORAGES | {
        name: file_places.storage(place, name) for name in STORAGES
    }
    yield service
    for key in buckets.names(service):
        buckets.client(service).delete_object(Bucket=buckets.NAME, Key=key)
    assert not (tmp_path / "not-for-use").exists()


@pytest.fixture
def client(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client


def test_an_upload_lies_in_the_bucket_until_it_is_imported(
    bucket, client, study, tmp_path, django_capture_on_commit_callbacks
):
    sent = {
        "truth": uploaded_file([turn(1, "A stone.")], "Wahrheit für 東京 (1).json"),
        "name": "touch",
    }
    client.post(reverse("dataset_import", kwargs={"study": study.slug}), sent)
    (kept,) = buckets.names(bucket)
    assert kept.startswith("ours/uploads/")
    assert kept.endswith("/1/Wahrheit für 東京 (1).json")

    import_checked(client, run_newest_job())
    with django_capture_on_commit_callbacks(execute=True):
        run_newest_job()

    assert "Wahrheit für 東京 (1).json" in str(Dataset.objects.get().files)
    assert buckets.names(bucket) == []
    assert list(tmp_path.iterdir()) == []  # nor a copy on the worker


def test_uploads_in_the_bucket_are_counted_and_cleared(bucket, settings, alice):
    settings.MOST_KEPT_UPLOADS_MB = 1
    upload = uploads.keep([uploaded_file(b"x" * 700_000)], by=alice)
    with pytest.raises(
        uploads.NotKeptError, match="what you sent before and did not import takes 1 MB"
    ):
        uploads.keep([uploaded_file(b"x" * 700_000)], by=alice)
    assert uploads.is_kept(upload.name)

    uploads.forget(upload.name)

    assert not uploads.is_kept(upload.name)
    assert uploads.clear() == 0


def test_a_release_in_the_bucket_is_shown_and_given_as_it_was_written(
    bucket, client, study, plausibility
):
    client.post(
        reverse("release_new", kwargs={"study": study.slug}),
        {"dataset": plausibility.pool.dataset_id},
    )
    execution.run(Job.objects.get(kind="release"))

    release = Release.objects.get()
    at = {"study": study.slug, "number": 1}
    assert "Outcome of the answers" in client.get(reverse("release", kwargs=at)).text
    whole = client.get(reverse("release_zip", kwargs=at))
    with zipfile.ZipFile(BytesIO(b"".join(whole.streaming_content))) as archive:
        zipped = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    assert zipped.keys() == {*release.manifest["files"], "manifest.json"}
    for name, contents in zipped.items():
        given = client.get(reverse("release_file", kwargs=at | {"name": name}))
        assert b"".join(given.streaming_content) == contents
    before = buckets.names(bucket)
    assert clear_unfinished_releases() == 0
    assert buckets.names(bucket) == before


def test_a_bucket_that_is_away_is_a_sentence_on_the_page(
    bucket, client, study, plausibility, monkeypatch, settings
):
    client.post(
        reverse("release_new", kwargs={"study": study.slug}),
        {"dataset": plausibility.pool.dataset_id},
    )
    execution.run(Job.objects.get(kind="release"))
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    settings.STORAGES = dict(settings.STORAGES)  # opened anew
    at = {"study": study.slug, "number": 1}

    page = client.get(reverse("release", kwargs=at))

    assert "Its files cannot be shown" in page.text
    assert "the storage of TOUCHSTONE_FILES fails: Could not connect to the endpoint" in page.text
    assert client.get(reverse("release_zip", kwargs=at)).status_code == 404


def test_a_bucket_that_is_away_is_a_sentence_at_the_form(
    bucket, client, study, monkeypatch, settings
):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
    settings.STORAGES = dict(settings.STORAGES)  # opened anew
    sent = {"truth": uploaded_file([turn(1, "A stone.")]), "name": "touch"}

    page = client.post(reverse("dataset_import", kwargs={"study": study.slug}), sent)

    assert "The files could not be kept (the storage of TOUCHSTONE_FILES fails" in page.text
    assert not Job.objects.exists()


def test_a_large_file_goes_by_way_of_the_disk_and_stays_whole(bucket, monkeypatch):
    monkeypatch.setattr(object_storage, "MOST_IN_MEMORY", 1000)
    contents = bytes(range(256)) * 50_000
    storages["releases"].save("large", ContentFile(contents))

    with storages["releases"].open("large") as file:
        assert file.read() == contents
