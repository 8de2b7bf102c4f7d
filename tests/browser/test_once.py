"""What is sent by a form is sent once, however often its button is pressed."""

import time
from urllib.parse import urljoin

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.actions import invitations
from accounts.models import Invitation
from tests.browser.conftest import LONGEST

BUTTON = "Create the link"


@pytest.fixture
def invite(page, sign_in, study, alice) -> Page:
    page.clock.install()
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/people/invitations/")
    return page


@pytest.fixture
def sent_addresses(invite) -> list[str]:
    """Where forms were sent to. No answer comes, so that the page stays."""
    found: list[str] = []

    def kept(route):
        if route.request.method != "POST":
            return route.continue_()
        found.append(route.request.url)
        return route.abort("aborted")

    invite.route("**/*", kept)
    return found


def press(page: Page, n: int = 1) -> None:
    """One after the other, as people do: each click is over before the next."""
    for _ in range(n):
        page.get_by_role("button", name=BUTTON).click(no_wait_after=True)
        page.wait_for_timeout(100)


def test_a_double_click_makes_one_invitation(page, sign_in, study, alice, monkeypatch):
    """The server takes a moment, so that the second click comes while the first is under way."""
    invite = invitations.invite
    monkeypatch.setattr(invitations, "invite", lambda **what: time.sleep(0.5) or invite(**what))
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/people/invitations/")

    page.get_by_role("button", name=BUTTON).dblclick(no_wait_after=True, delay=50)

    expect(page.get_by_label("The link of the new invitation")).to_be_visible()
    page.wait_for_timeout(700)  # a second one would be there by now
    assert Invitation.objects.count() == 1


def test_a_form_is_sent_again_only_when_that_is_meant(invite, sent_addresses):
    press(invite, 3)
    assert len(sent_addresses) == 1

    invite.clock.fast_forward(5000)
    press(invite, 2)
    assert len(sent_addresses) == 2


def test_a_page_that_is_back_can_be_sent_again_at_once(invite, sent_addresses):
    press(invite, 2)

    back = "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    invite.evaluate(back)
    press(invite, 2)

    assert len(sent_addresses) == 2


def test_two_forms_of_a_page_are_sent_each(invite, sent_addresses):
    here = invite.url
    press(invite)
    invite.get_by_role("button", name="Sign out").click(no_wait_after=True)

    deadline = time.monotonic() + LONGEST / 1000
    while len(sent_addresses) < 2 and time.monotonic() < deadline:
        invite.wait_for_timeout(10)  # judgements that are not sent yet go out before a sign-out
    assert sent_addresses == [here, urljoin(here, reverse("sign_out"))]


def test_what_a_script_sends_itself_is_the_scripts_own(invite, sent_addresses):
    invite.evaluate(
        """() => {
          window.nKept = 0;
          const form = document.querySelector("form.invite");
          form.addEventListener("submit", (event) => {
            if (event.defaultPrevented) return;
            window.nKept += 1;
            if (window.nKept <= 3) event.preventDefault();
          });
        }"""
    )

    press(invite, 4)

    assert invite.evaluate("window.nKept") == 4
    assert len(sent_addresses) == 1


def test_a_question_is_asked_as_often_as_one_likes(invite, sent_addresses):
    asked: list[str] = []
    invite.on("request", lambda request: asked.append(request.url))

    for _ in range(2):
        invite.evaluate("document.querySelector('form.invite').method = 'get'")
        with invite.expect_navigation():
            press(invite)

    assert sum("role=" in url for url in asked) == 2
