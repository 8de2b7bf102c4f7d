"""A comparison of systems in a browser: the counts follow the form, and what the form says is drawn."""

import pytest
from playwright.sync_api import expect

from sampling.models import Pool
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.sampling.comparison_dataset import create_comparison_dataset


@pytest.fixture
def form(page, sign_in, study, alice, tmp_path):
    create_comparison_dataset(study, tmp_path)
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/pools/")
    page.get_by_role("link", name="draw a comparison of systems").click()
    return page


def fits(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_counts_follow_and_the_comparison_is_drawn_by_keyboard(form):
    counts = form.locator("#outlook [role=status]")
    expect(counts).to_have_text("6 questions of 6 that are eligible")
    answerable = form.locator("#id_answerable")

    answerable.focus()
    form.keyboard.press("Control+A")
    form.keyboard.type("1")

    expect(counts).to_have_text("3 questions of 6 that are eligible")
    expect(answerable).to_be_focused()
    assert axe.violations(form) == []
    form.get_by_label("Name of the pool").focus()
    form.keyboard.type("by hand")
    form.get_by_role("button", name="Draw the comparison").press("Enter")
    expect(form.get_by_role("heading", level=1)).to_have_text("by hand")
    assert Pool.objects.get().rule["quotas"] == {"answerable": 1, "unanswerable": 10}
    assert axe.violations(form) == []


def test_what_was_typed_before_the_scripts_came_is_counted_when_they_are_there(form):
    held = []
    form.wait_for_load_state()  # or the script of the page before would be held as well
    form.route("**/htmx*.js", lambda route: held.append(route))
    with form.expect_request("**/htmx*.js"):
        form.reload(wait_until="commit")
    form.locator("#id_answerable").focus()
    form.keyboard.press("Control+A")
    form.keyboard.type("1")
    expect(form.locator("#id_answerable")).to_have_value("1")
    while not held:  # the route is told a moment after the request
        form.wait_for_timeout(10)

    held[0].continue_()

    expect(form.locator("#outlook [role=status]")).to_have_text(
        "3 questions of 6 that are eligible"
    )


def test_what_a_press_of_enter_in_a_field_does_is_counting(form):
    form.get_by_label("Name of the pool").fill("kept")
    form.get_by_label("Seed").press("Enter")

    expect(form.get_by_label("Name of the pool")).to_have_value("kept")
    assert not Pool.objects.exists()


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_form_and_pool_fit_and_are_accessible_dark(form, size):
    form.set_viewport_size(size)
    form.emulate_media(color_scheme="dark")
    assert axe.violations(form) == []
    assert fits(form)

    form.get_by_label("Name of the pool").fill("by hand")
    form.get_by_role("button", name="Draw the comparison").click()
    form.get_by_text("1 passage", exact=True).first.click()

    assert axe.violations(form) == []
    assert fits(form)
