"""Erasing a person, and downloading one's own data, by keyboard and on a phone in the dark."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.factories import UserFactory


def assert_fit(page: Page) -> None:
    """Wide, and on a phone in the dark: nothing that axe finds, and nothing beside the screen."""
    for size, scheme in ((WIDE, "light"), (PHONE, "dark")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert axe.violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(WIDE)


def test_an_administrator_erases_somebody_by_keyboard_after_typing_the_name(
    live_server, page, sign_in, study, bob
):
    root = UserFactory(username="root", is_superuser=True)
    UserFactory(username="away", is_active=False)
    sign_in(root)
    page.goto("/house/")
    assert_fit(page)

    page.get_by_role("link", name="Erase bob").focus()
    page.keyboard.press("Enter")
    assert_fit(page)
    typed = page.get_by_label("To confirm, type the name: bob")
    typed.focus()
    page.keyboard.type("bobby")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is not bob. Nothing was erased.")).to_be_visible()
    assert_fit(page)
    typed.fill("bob")
    page.keyboard.press("Enter")

    expect(page.get_by_text(f"the user is called erased-{bob.pk} now")).to_be_visible()
    assert_fit(page)
    assert User.objects.get(pk=bob.pk).is_erased
    page.goto(f"/house/users/{study.created_by.pk}/erase/")
    expect(page.get_by_text("alice is the only requester of lighthouses")).to_be_visible()
    assert_fit(page)


def test_everybody_downloads_their_data_from_their_account(live_server, page, sign_in, bob):
    sign_in(bob)
    page.goto("/account/")
    assert_fit(page)

    with page.expect_download() as download:
        page.get_by_role("link", name="Download your data").press("Enter")

    assert json.loads(Path(download.value.path()).read_text())["account"]["user_name"] == "bob"
