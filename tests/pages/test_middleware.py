"""What is too large is refused before it is read, with a page that says how much is taken."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from pages.middleware import MB, UploadLimitMiddleware, takes_uploads


def plain(request):
    return HttpResponse()


@takes_uploads
def taking(request):
    return HttpResponse()


@pytest.fixture
def limit(settings):
    settings.MOST_UPLOAD_MB = 20
    return UploadLimitMiddleware(plain)


@pytest.mark.parametrize(
    ("view", "megabytes", "is_taken"),
    [(plain, 10, True), (plain, 11, False), (taking, 20, True), (taking, 21, False)],
)
def test_a_view_takes_what_it_may_and_no_more(rf, limit, view, megabytes, is_taken):
    request = rf.post("/", CONTENT_LENGTH=str(megabytes * MB))

    refused = limit.process_view(request, view, (), {})

    assert (refused is None) == is_taken


@pytest.mark.parametrize("length", ["", "many", "-5", None])
def test_a_length_that_says_nothing_is_left_to_the_server(rf, limit, length):
    request = rf.post("/")
    request.META["CONTENT_LENGTH"] = length

    assert limit.process_view(request, plain, (), {}) is None


def test_the_page_says_how_much_is_taken(client, study, alice, settings):
    settings.MOST_UPLOAD_MB = 1
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    href = reverse("dataset_import", kwargs={"study": study.slug})

    response = client.post(href, CONTENT_LENGTH=str(2 * MB))

    assert response.status_code == 413
    assert "larger than 1 MB" in response.content.decode()
