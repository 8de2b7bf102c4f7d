"""Background questions in a browser: answered by keyboard, also without a script, and pages in order on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import BackgroundAnswer, Role
from tests.accounts.background import ask, say
from tests.annotation.pools import launched, pool_of
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.conftest import member

pytestmark = pytest.mark.browser

LONG = "w" * 280
TEXT = f"{LONG}?\n( ) {LONG} often\n( ) Never\n\nWhere did you learn it?\n___"


def assert_in_order(page, href):
    """Wide and light, narrow and dark."""
    for scheme, size in (("light", WIDE), ("dark", PHONE)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.goto(href)
        assert axe.violations(page) == [], (href, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (
            href,
            scheme,
        )


def test_the_questions_are_answered_by_keyboard_on_the_way_to_the_desk(page, sign_in, study, bob):
    ask(study)
    batch = launched(pool_of(study), guideline="")
    sign_in(bob)
    page.goto(reverse("desk", args=[study.slug, batch.pk]))
    expect(page.get_by_role("heading", name="About you")).to_be_visible()

    page.get_by_role("radio", name="I would rather not say").focus()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="Never")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.type("At sea")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    page.wait_for_url(f"**/desk/{batch.pk}/**")
    assert {each.text for each in BackgroundAnswer.objects.all()} == {"Never", "At sea"}


def test_without_a_script_answers_are_removed_again(browser, live_server, study, bob, client):
    say(ask(study), bob, "Often", "At home")
    client.force_login(bob, backend="accounts.backends.RealPeopleBackend")
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto("/account/")
    page.get_by_role("link", name="What you said of yourself").click()
    expect(page.get_by_role("radio", name="Often")).to_be_checked()

    page.get_by_role("button", name="Remove all my answers").click()

    expect(page.get_by_text("Your answers are removed.")).to_be_visible()
    context.close()
    assert not BackgroundAnswer.objects.exclude(text="").exists()


def test_the_pages_of_an_annotator_are_in_order(page, sign_in, study, bob, alice):
    study.consent = "We keep *what you judge*."
    study.save(update_fields=["consent"])
    ask(study, TEXT)
    sign_in(bob)
    assert_in_order(page, reverse("consent", args=[study.slug]))

    say(study, bob, f"{LONG} often", LONG)

    assert_in_order(page, reverse("own_background", args=[study.slug]))
    assert_in_order(page, reverse("account"))


def test_the_pages_of_a_requester_are_in_order(page, sign_in, study, bob, alice):
    ask(study, TEXT)
    for person in (bob, member(study, "erin", Role.ANNOTATOR, by=alice)):
        say(study, person, "Never", LONG)
    sign_in(alice)

    for name in ("background_answers", "consent", "study_settings"):
        assert_in_order(page, reverse(name, args=[study.slug]))
