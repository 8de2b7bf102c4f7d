"""What the service worker may keep: the desk of one person, and nothing that is anybody else's."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import GuidelineReading
from annotation.views.desk import offline
from tests.annotation.desk_pages import address, client_of, open_desk


@pytest.fixture
def desk(bob, batch) -> Client:
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=bob)
    return client_of(bob)


def test_the_script_is_the_same_for_everybody_and_is_asked_for_anew(db):
    reply = Client().get(reverse("service_worker"))

    assert reply.status_code == 200
    assert reply["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in reply["Cache-Control"]
    assert not reply.cookies
    assert reply.text.startswith("const GIVEN = {")
    for ending in (
        "/sign-in/",
        "/sign-out/",
        "/account/sign-out-everywhere/",
        "/join/",
        "/password/",
    ):
        assert f'"{ending}"' in reply.text


def test_the_names_of_its_caches_are_those_of_the_release(db, settings):
    offline._release.cache_clear()
    settings.VERSION = "9.8.7"
    text = Client().get(reverse("service_worker")).text
    name = offline.copy_name()
    offline._release.cache_clear()

    assert re.search(r'"files": "touchstone-files-9\.8\.7', text)
    assert f'"copies": "{name}"' in text
    assert name.startswith("touchstone-private-9.8.7")


def test_only_the_page_with_an_item_may_be_kept_and_names_its_person(desk, batch, item):
    page = open_desk(desk, batch)
    others = [
        desk.get(reverse("work")),
        desk.get(address("desk_recent", batch)),
        desk.get(address("desk_guidelines", batch)),
    ]

    assert page[offline.KEPT_FOR] == "bob"
    assert "no-store" in page["Cache-Control"]
    assert not any(offline.KEPT_FOR in each for each in others)
