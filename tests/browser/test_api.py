"""Tokens and the reference of the API, in the browser."""

import pytest
from playwright.sync_api import expect

from accounts.actions import tokens
from tests.browser.page_walk import PageCheck


@pytest.fixture
def page_check(context, sign_in, study, alice) -> PageCheck:
    sign_in(alice)
    return PageCheck(context)


def test_a_token_is_made_shown_once_and_revoked(page_check, alice):
    page = page_check.page
    page.goto("/account/")
    page.get_by_role("link", name="Your API tokens").click()
    expect(page.get_by_text("You have no token yet")).to_be_visible()
    assert list(page_check.faults()) == []

    page.get_by_label("Name").fill("notebook <b>")
    expect(page.get_by_label("Valid for (days)")).to_have_value("90")
    page.get_by_role("button", name="Create the token").click()
    token = page.get_by_label("The token").input_value()
    assert tokens.valid_token(token) is not None
    assert list(page_check.faults()) == []

    page.get_by_role("link", name="Back to the tokens").click()
    expect(page.get_by_text(token)).to_have_count(0)
    assert list(page_check.faults()) == []
    page.get_by_role("link", name="Revoke notebook <b>").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("cell", name="revoked")).to_be_visible()
    assert tokens.valid_token(token) is None


def test_the_reference_is_read_without_a_request_to_another_host(page_check, live_server):
    asked = []
    page_check.page.on("request", lambda request: asked.append(request.url))

    page_check.page.goto("/api/v1/")

    expect(page_check.page.get_by_role("heading", name="REST API")).to_be_visible()
    assert list(page_check.faults()) == []
    assert all(each.startswith(live_server.url) for each in asked)
