"""A second factor by the browser: set up, asked for, replaced by a recovery code, required by a study."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pyotp import TOTP

from accounts.actions import members, users
from accounts.models import Role, User
from tests.accounts.phones import STEP, Phone
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE

PASSWORD = "brass-lamp-1811"


@pytest.fixture
def erin(study, alice) -> User:
    erin = users.create_user(name="erin", password=PASSWORD)
    members.add(study=study, user=erin, roles=[Role.REQUESTER], by=alice)
    return erin


def assert_in_order(page: Page) -> None:
    assert axe.violations(page) == [], page.url
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], page.url
    page.set_viewport_size(WIDE)


def sign_in_by_form(page: Page) -> None:
    page.get_by_label("User name").fill("erin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def set_up(page: Page) -> TOTP:
    app = TOTP(page.get_by_role("textbox", name="The key").input_value())
    page.get_by_role("textbox", name="Code").fill(app.now())
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Turn on").click()
    return app


def test_it_is_set_up_and_asked_for_at_the_next_sign_in(page, context, erin):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/account/")
    sign_in_by_form(page)
    page.get_by_role("link", name="Set up a second factor").click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    assert page.get_by_role("textbox", name="Code").get_attribute("autocomplete") == "one-time-code"
    assert page.get_by_role("textbox", name="Code").get_attribute("inputmode") == "numeric"
    assert_in_order(page)
    app = set_up(page)

    expect(page.get_by_text("Your second factor is on.")).to_be_visible()
    assert_in_order(page)
    codes = page.get_by_label("Your recovery codes").input_value().split()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split() == codes
    page.get_by_role("link", name="I have saved them").click()
    page.wait_for_url("**/account/")

    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in_by_form(page)
    expect(page.get_by_role("heading", name="Enter a code")).to_be_visible()
    assert_in_order(page)
    page.get_by_role("textbox", name="Code").press_sequentially(app.at(timezone.now() + STEP))
    page.get_by_role("textbox", name="Code").press("Enter")
    page.wait_for_url(lambda url: url.endswith("/"))
    expect(page.get_by_role("link", name="erin")).to_be_visible()

    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    sign_in_by_form(page)
    page.get_by_role("textbox", name="Code").fill(codes[0])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("you have 9 recovery codes left")).to_be_visible()


def test_a_study_requires_it_and_leads_back_to_its_page(context, sign_in, study, alice, erin):
    Phone(alice)
    alice.refresh_from_db()
    sign_in(alice)
    # Not the page of the other tests: a browser reports the status of such a page as an error.
    page = context.new_page()
    page.goto(f"/studies/{study.slug}/settings/")
    expect(page.get_by_text("Without a second factor at present: erin.")).to_be_visible()
    page.get_by_label("Requesters and adjudicators need a second factor").check()
    assert_in_order(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()

    sign_in(erin)
    page.goto(f"/studies/{study.slug}/pools/")
    expect(page.get_by_role("heading", name="A second factor is needed")).to_be_visible()
    assert_in_order(page)
    page.get_by_role("link", name="Set up a second factor").click()
    set_up(page)
    page.get_by_role("link", name="I have saved them").click()

    page.wait_for_url(f"**/studies/{study.slug}/pools/")
    expect(page.get_by_role("heading", name="Pools")).to_be_visible()


def test_its_other_pages_are_in_order(context, sign_in, erin):
    phone = Phone(erin)
    root = users.create_user(name="root", password=PASSWORD, is_administrator=True)
    erin.refresh_from_db()
    sign_in(erin)
    page = context.new_page()

    for path in ("", "recovery-codes/", "turn-off/"):
        page.goto(f"/account/second-factor/{path}")
        assert_in_order(page)
    for _ in range(5):
        page.get_by_role("textbox", name="Code").fill(phone.wrong_code())
        page.get_by_role("button", name="Turn it off").click()
    expect(page.get_by_role("heading", name="Too many wrong codes")).to_be_visible()
    assert_in_order(page)

    sign_in(root)
    page.goto("/house/")
    assert_in_order(page)
    page.get_by_role("link", name="Remove the second factor of erin").click()
    assert_in_order(page)
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("erin has no second factor any more.")).to_be_visible()
