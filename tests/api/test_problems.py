"""What went wrong, as RFC 9457 has it: accounts/api/problems.py and pages/problems.py."""

import logging

import pytest
from django.test import Client
from django.urls import include, path
from rest_framework.exceptions import ErrorDetail, ValidationError

from accounts.api import problems
from accounts.api.base import ApiView
from config.urls import (
    handler400,  # noqa: F401  found here by name
    handler403,  # noqa: F401
    handler404,  # noqa: F401
    handler500,  # noqa: F401
)
from pages.middleware import MB
from pages.problems import KINDS, problem
from tests.api.programs import Program


class Broken(ApiView):
    def get(self, request):
        raise RuntimeError("a secret")

    post = get


class Full(ApiView):
    def post(self, request):
        raise OSError(28, "no space left")


urlpatterns = [
    path("api/v1/broken/", Broken.as_view()),
    path("api/v1/full/", Full.as_view()),
    path("", include("config.urls")),
]


def test_a_problem_says_its_kind_title_status_and_detail():
    assert problem(409, "it is closed") == {
        "type": "/api/v1/#problem-refused",
        "title": "Refused",
        "status": 409,
        "detail": "it is closed",
    }


def test_errors_point_to_where_they_belong():
    wrong = ValidationError(
        {"decisions": {3: {"a/b~c": ["x", "y"]}}, "non_field_errors": [ErrorDetail("z")]}
    )

    response = problems.handler(wrong, {})

    assert response.status_code == 422
    assert response.data["errors"] == [
        {"pointer": "#/decisions/3/a~1b~0c", "detail": "x"},
        {"pointer": "#/decisions/3/a~1b~0c", "detail": "y"},
        {"pointer": "#", "detail": "z"},
    ]


def test_errors_of_a_list_point_to_the_member():
    """As DRF tells them of a list whose members are checked one by one."""
    wrong = ValidationError({"rows": [{}, {"label": ["x"]}], "note": "y"})

    assert problems.handler(wrong, {}).data["errors"] == [
        {"pointer": "#/rows/1/label", "detail": "x"},
        {"pointer": "#/note", "detail": "y"},
    ]


@pytest.mark.parametrize(
    ("status", "asked"),
    [
        (400, lambda client, batch: client.post(f"{batch}settle/", "{", content_type=JSON)),
        (400, lambda client, batch: client.post(f"{batch}settle/", DEEP, content_type=JSON)),
        (401, lambda client, batch: Client().get(batch)),
        (403, lambda client, batch: client.post(f"{OWN}items/{NO}/adjudicate/")),
        (404, lambda client, batch: client.get(f"{batch}0/")),
        (404, lambda client, batch: client.get("/api/v1/nothing/at/all")),
        (404, lambda client, batch: client.get("/api/v2/studies/")),
        (405, lambda client, batch: client.delete(batch)),
        (406, lambda client, batch: client.get(batch, headers={"Accept": "text/csv"})),
        (409, lambda client, batch: client.post(f"{batch}resume/")),
        (413, lambda client, batch: client.post(f"{batch}pause/", CONTENT_LENGTH=str(11 * MB))),
        (415, lambda client, batch: client.post(f"{batch}deadline/", {"deadline_at": ""})),
        (422, lambda client, batch: client.post(f"{batch}settle/", "{}", content_type=JSON)),
    ],
)
def test_every_refusal_is_a_problem_in_json(study, batch, alice, status, asked):
    client = Client(headers=Program(alice).headers)

    reply = asked(client, f"/api/v1/studies/{study.slug}/batches/{batch.pk}/")

    assert reply.status_code == status
    assert reply.headers["Content-Type"].startswith("application/problem+json")
    said = reply.json()
    assert (said["status"], said["title"]) == (status, KINDS[status][1])
    assert said["detail"]


JSON = "application/json"
DEEP = "[" * 100_000 + "]" * 100_000
OWN = "/api/v1/studies/lighthouses/"
NO = "00000000-0000-0000-0000-000000000000"


def test_a_defect_is_told_by_its_reference_and_nothing_else(alice, study, settings, caplog):
    settings.ROOT_URLCONF = __name__
    caplog.set_level(logging.ERROR)
    client = Client(raise_request_exception=False, headers=Program(alice).headers)

    for reply in (client.get("/api/v1/broken/"), client.post("/api/v1/broken/", content_type=JSON)):
        assert reply.status_code == 500
        assert "secret" not in reply.text
        reference = reply.json()["detail"].removeprefix("an unexpected error, with the reference ")
        assert reference == reply.headers["X-Request-Id"]
        assert "Internal Server Error: /api/v1/broken/" in caplog.text


def test_a_full_disk_is_a_problem_too(alice, study, settings):
    settings.ROOT_URLCONF = __name__
    client = Client(raise_request_exception=False, headers=Program(alice).headers)

    reply = client.post("/api/v1/full/", content_type=JSON)

    assert (reply.status_code, reply.json()["title"]) == (507, "No room")


def test_no_token_gets_into_the_log(alice, study, settings, caplog):
    settings.ROOT_URLCONF = __name__
    caplog.set_level(logging.DEBUG)
    program = Program(alice)
    client = Client(raise_request_exception=False, headers=program.headers)

    client.get("/api/v1/broken/")
    Program(None, "touchstone_wrong").get("studies/")

    assert "touchstone_" not in caplog.text
