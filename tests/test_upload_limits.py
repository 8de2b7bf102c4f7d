"""How much can be sent to which address, and what is said of more. tests/pages/test_middleware.py has the
limit itself, tests/corpus/test_uploads.py what becomes of the files."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import resolve, reverse

from pages.middleware import MB
from tests.access.world import World, build
from tests.corpus.uploads import uploaded_file
from tests.crawling import Crawler, patterns
from tests.hostile.forms import forms_of
from tests.parts import part

MANY = 101  # files; a form takes a hundred


@part
def made() -> World:
    return build()


@pytest.fixture
def world(made, tmp_path, settings) -> World:
    settings.UPLOADS = settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return made


@pytest.fixture
def alice(world) -> Client:
    return Crawler(world.persons["requester"]).client


def address(world: World, name: str) -> str:
    page = "run_table" if name == "run_table_check" else name  # its page has the form
    of_dataset = {"dataset": world.study.datasets.get().pk} if page == "run_table" else {}
    return reverse(page, kwargs={"study": world.study.slug, **of_dataset})


def taking_files() -> set[str]:
    """The addresses that take as much as an upload may have."""
    return {str(each.name) for each in patterns() if getattr(each.callback, "takes_uploads", False)}


def test_as_much_as_an_upload_may_have_is_taken_where_a_form_sends_files_and_nowhere_else(world):
    alice = Crawler(world.persons["requester"], follows=lambda href: "?" not in href)
    alice.crawl(["/", *(address(world, name) for name in taking_files())])

    pages = [(reply.asked.partition(" ")[2], reply.html) for reply in alice.replies]
    sending = {
        str(resolve(form.action).url_name)
        for href, html in pages
        for form in forms_of(html, href)
        if form.files
    }

    assert (
        sending
        == taking_files()
        == {
            "dataset_import",
            "run_import",
            "scores_import",
            "run_table_check",
        }
    )


@pytest.mark.parametrize("name", ["study_settings", "batch_new"])
def test_texts_that_are_longer_than_a_form_may_be_are_told_so(world, alice, name):
    page = alice.post(address(world, name), {"consent": "x" * 3 * MB, "guideline": "x" * 3 * MB})

    assert page.status_code == 400
    assert "The texts of a form may have 2.5\xa0MB in all" in page.content.decode()


def test_more_files_than_are_taken_at_once_are_told_so_and_none_is_kept(world, alice, settings):
    runs = [uploaded_file([], f"{number}.json") for number in range(MANY)]

    page = alice.post(address(world, "run_import"), {"runs": runs})

    assert page.status_code == 400
    assert "At most 100 files are taken at once" in page.content.decode()
    assert list(settings.UPLOADS.iterdir()) == []


def test_more_fields_than_are_taken_at_once_are_told_so(world, alice):
    page = alice.post(address(world, "pool_new"), {"runs": ["alder"] * 1_001})

    assert page.status_code == 400
    assert "At most 1,000 fields or choices" in page.content.decode()


@pytest.mark.parametrize("who", ["requester", "annotator", "other_requester", "anonymous"])
def test_nothing_stays_of_files_that_are_refused(world, settings, who):
    """Without a token, without the role, or without what else the form wants: large files lie on the disk
    while they are read."""
    client = Crawler(world.persons[who]).client
    client.handler.enforce_csrf_checks = who == "requester"
    large = SimpleUploadedFile("truth.json", b"[" + b" " * 3 * MB)

    page = client.post(address(world, "dataset_import"), {"truth": large})

    assert page.status_code in (302, 403, 404)
    assert list(settings.UPLOADS.iterdir()) == []


def test_a_form_whose_length_is_not_said_is_as_good_as_empty(world, alice, settings):
    page = alice.post(
        address(world, "dataset_import"),
        {"truth": uploaded_file([], "truth.json")},
        CONTENT_LENGTH="",
    )

    assert "Choose a file." in page.content.decode()
    assert list(settings.UPLOADS.iterdir()) == []
