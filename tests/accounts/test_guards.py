"""Where somebody comes back to who has to sign in first: accounts/guards.py."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import BatchFactory


@pytest.fixture
def batch(study):
    return BatchFactory(pool__dataset__study=study)


def href(name: str, batch) -> str:
    return reverse(name, args=[batch.study.slug, batch.pk])


def come_back_to(batch, referer: str) -> list[str]:
    """Where the sign-in leads who sent an act from that page after their session had ended."""
    response = Client(headers={"referer": referer}).post(href("batch_pause", batch))
    asked = urlsplit(response.url)
    assert asked.path == reverse("sign_in")
    return parse_qs(asked.query)["next"]


def test_who_was_signed_out_before_they_sent_a_form_comes_back_to_its_page(batch):
    page = f"{href('batch', batch)}?page=2"

    assert come_back_to(batch, f"http://testserver{page}#end") == [page]


@pytest.mark.parametrize("referer", ["", "http://elsewhere.test/x/", "http://testserver:9/x/", "x"])
def test_a_page_of_another_host_is_not_come_back_to(batch, referer):
    assert come_back_to(batch, referer) == [href("batch_pause", batch)]


def test_a_part_of_a_page_is_not_replaced_by_the_sign_in(batch):
    """The page is loaded anew, and leads to the sign-in with its own address."""
    response = Client(headers={"hx-request": "true"}).get(href("batch_progress", batch))

    assert response["HX-Refresh"] == "true"
    assert response.content == b""
