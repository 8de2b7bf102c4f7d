"""Errors are pages that say what happened; nothing about the inside gets out."""

import logging

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.test import Client, override_settings
from django.urls import path

from accounts.permissions import NotAllowedError
from config.urls import (
    handler400,  # noqa: F401  found here by name
    handler403,  # noqa: F401
    handler404,  # noqa: F401
    handler500,  # noqa: F401
)
from config.urls import urlpatterns as real


def raising(error: Exception):
    def view(request):
        raise error

    return view


urlpatterns = [
    path("gone/", raising(Http404("a secret"))),
    path("denied/", raising(PermissionDenied("This page is for the requester of the study."))),
    path("refused/", raising(NotAllowedError("bob is not requester in the study lighthouses"))),
    path("broken/", raising(RuntimeError("a secret"))),
    *real,
]


@pytest.fixture
def client(db) -> Client:
    with override_settings(ROOT_URLCONF=__name__):
        yield Client(raise_request_exception=False)


def test_what_is_not_there_is_said_without_saying_what(client):
    response = client.get("/gone/")

    assert response.status_code == 404
    assert "There is nothing here" in response.text
    assert "secret" not in response.text


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("/denied/", "for the requester of the study"),
        ("/refused/", "bob is not requester in the study lighthouses"),
    ],
)
def test_what_is_refused_says_which_role_is_missing(client, address, why):
    response = client.get(address)

    assert response.status_code == 403
    assert why in response.text


def test_the_unexpected_gives_a_reference_that_the_log_has_too(client, caplog):
    caplog.set_level(logging.ERROR)

    response = client.get("/broken/")

    assert response.status_code == 500
    assert "secret" not in response.text
    reference = response.text.split("<strong>")[1].split("</strong>")[0]
    assert f"unexpected error {reference} at /broken/" in caplog.text


def test_every_page_comes_with_a_policy_that_lets_nothing_in_from_elsewhere(client):
    policy = client.get("/gone/").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
