"""The sampling desk in a browser: the threshold is moved, the numbers follow, and what is shown is drawn."""

import re

import pytest
from playwright.sync_api import expect

from sampling.models import Pool
from scoring import queries as scoring_tables
from tests.browser import axe
from tests.browser.conftest import PHONE
from tests.corpus.imports import answer, create_demo_dataset, create_run
from tests.corpus.uploads import run_newest_job
from tests.sampling.scored_dataset import (
    begin_evidence,
    create_scored_dataset,
    draw_pool,
    import_scores,
)


@pytest.fixture
def dataset(study, tmp_path):
    return create_scored_dataset(study, tmp_path)


@pytest.fixture
def desk(page, sign_in, dataset, alice):
    sign_in(alice)
    page.goto(f"/studies/{dataset.study.slug}/pools/new/?threshold=0.8&min_candidates=1")
    return page


def figure(page, what):
    return page.locator(".figures div", has_text=what).locator("dd")


def test_the_slider_moves_the_mark_at_once_and_the_numbers_follow(desk):
    expect(figure(desk, "questions of")).to_have_text("2")
    slider = desk.get_by_role("slider", name="Threshold")
    assert axe.violations(desk) == []

    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")

    expect(desk.get_by_role("spinbutton", name="Threshold")).to_have_value("0.85")
    assert desk.locator("#histogram .mark").get_attribute("x1") == "850"
    expect(
        desk.locator(".figures dt", has_text=re.compile("^candidates$")).locator("..")
    ).to_have_text(re.compile(r"2"))
    expect(desk.locator("#desk-status")).to_have_text("2 candidates for 2 questions")
    expect(desk.locator("#rule-drawn")).to_contain_text("above 0.85")
    expect(slider).to_be_focused()
    assert "threshold=0.85" in desk.url
    assert axe.violations(desk) == []


def test_what_is_nearly_the_same_is_looked_at_before_it_is_drawn(desk, dataset, tmp_path):
    create_run(dataset, tmp_path, [answer(2, "Black ox.")], name="gorse")
    import_scores(dataset, tmp_path, {"gorse": [("1_2", 0.85)]})
    said = desk.locator("#desk-status")

    desk.get_by_label("Merge near-duplicates above similarity").fill("0.8")
    expect(said).to_have_text("3 candidates for 2 questions")
    desk.get_by_role("link", name="1 answer").click()

    expect(desk.locator("#preview article")).to_contain_text("nearness 0.800")
    assert axe.violations(desk) == []
    desk.get_by_role("spinbutton", name="Threshold").fill("0.86")  # what is kept is above it still
    expect(said).to_have_text("2 candidates for 2 questions")
    expect(desk.locator("#preview")).to_contain_text("No two answers above the threshold")
    desk.get_by_role("spinbutton", name="Threshold").fill("0.8")
    expect(said).to_have_text("3 candidates for 2 questions")
    desk.get_by_label("Name of the pool").fill("near")
    desk.get_by_role("button", name="Draw the pool").click()

    expect(desk.get_by_text("1 text above the threshold goes with another")).to_be_visible()
    assert Pool.objects.get().rule["near"] == 0.8


def test_the_threshold_is_drawn_on_the_picture(desk):
    box = desk.locator("#histogram > svg").bounding_box()

    desk.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 50)
    desk.mouse.down()
    desk.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 60, steps=5)
    desk.mouse.up()

    expect(desk.get_by_role("spinbutton", name="Threshold")).to_have_value("0.3")
    expect(desk.locator("#rule-drawn")).to_contain_text("above 0.3")
    expect(desk.locator("#numbers")).to_contain_text("it would draw nothing more")


@pytest.mark.smoke
def test_what_is_drawn_is_what_the_numbers_are_of(desk):
    button = desk.get_by_role("button", name="Draw the pool")
    desk.get_by_label("Name of the pool").fill("first")
    threshold = desk.get_by_role("spinbutton", name="Threshold")

    threshold.fill("0.99")
    expect(button).to_be_disabled()
    expect(desk.locator("#numbers")).to_contain_text("Nothing would be drawn")
    expect(button).to_be_disabled()
    threshold.fill("")
    expect(desk.locator("#numbers")).to_contain_text("These settings are invalid")
    expect(button).to_be_disabled()
    threshold.fill("0.84")
    expect(button).to_be_enabled()
    expect(desk.get_by_label("Name of the pool")).to_have_value("first")
    button.click()

    desk.wait_for_url(re.compile(r"/pools/\d+/"))
    assert Pool.objects.get().rule["threshold"] == 0.84
    assert axe.violations(desk) == []


def test_a_table_that_was_opened_stays_open_while_the_threshold_moves(desk):
    desk.get_by_text("The numbers as a table").click()
    desk.get_by_text("Share of each run").click()

    desk.get_by_role("spinbutton", name="Threshold").fill("0.85")

    expect(desk.locator("#rule-drawn")).to_contain_text("above 0.85")
    expect(desk.locator("#histogram-table table")).to_be_visible()
    expect(desk.locator("#shares table")).to_be_visible()


def test_numbers_that_cannot_be_fetched_are_said_until_they_are_there(
    context, sign_in, dataset, alice
):
    sign_in(alice)
    page = context.new_page()  # here the browser may complain
    page.goto(f"/studies/{dataset.study.slug}/pools/new/?threshold=0.8&min_candidates=1")
    threshold = page.get_by_role("spinbutton", name="Threshold")

    page.route("**/pools/new/**", lambda route: route.abort())
    threshold.fill("0.85")
    expect(page.get_by_role("alert")).to_contain_text("could not be fetched")
    expect(page.get_by_role("button", name="Draw the pool")).to_be_disabled()

    page.unroute("**/pools/new/**")
    threshold.fill("0.84")
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.get_by_role("button", name="Draw the pool")).to_be_enabled()


def test_a_survey_appears_when_its_job_has_ended(page, sign_in, dataset, alice, monkeypatch):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    sign_in(alice)
    page.goto(f"/studies/{dataset.study.slug}/pools/new/?threshold=0.8&min_candidates=1")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Read the answers").click()
    expect(page.get_by_text("are being read")).to_be_visible()
    assert axe.violations(page) == []

    run_newest_job()

    expect(figure(page, "questions of")).to_have_text("2")
    expect(page.get_by_role("slider", name="Threshold")).to_be_visible()


def test_a_pool_appears_when_the_job_that_builds_it_has_ended(page, sign_in, dataset, alice):
    begin_evidence(draw_pool(dataset))
    sign_in(alice)
    unbuilt = Pool.objects.get(name="evidence")
    page.goto(f"/studies/{dataset.study.slug}/pools/{unbuilt.pk}/")
    expect(page.get_by_text("The pool is being built")).to_be_visible()
    assert axe.violations(page) == []

    run_newest_job()

    expect(page.get_by_text("The pool is being built")).to_have_count(0)
    expect(page.locator("article.seen").first).to_be_visible()


def test_without_scripts_everything_goes(browser, live_server, sign_in, context, dataset, alice):
    sign_in(alice)
    plain = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=context.storage_state()
    )
    page = plain.new_page()
    page.goto(f"/studies/{dataset.study.slug}/pools/new/")
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_role("spinbutton", name="Threshold").fill("0.85")
    page.get_by_role("spinbutton", name="Fewest per question").fill("1")
    page.locator("#show-rule").click()
    expect(figure(page, "questions of")).to_have_text("2")
    page.get_by_label("Name of the pool").fill("plain")
    page.get_by_role("button", name="Draw the pool").click()

    page.wait_for_url(re.compile(r"/pools/\d+/"))
    assert Pool.objects.get().rule["threshold"] == 0.85
    plain.close()


def test_the_pages_are_accessible_and_fit_a_phone(page, sign_in, study, dataset, alice):
    drawn = draw_pool(dataset)
    begin_evidence(drawn)
    run_newest_job()
    begin_evidence(drawn, name="unbuilt")
    sign_in(alice)
    page.set_viewport_size(PHONE)
    home = f"/studies/{study.slug}/"
    pks = Pool.objects.order_by("pk").values_list("pk", flat=True)
    for address in (
        "scores/",
        "scores/start/",
        "scores/import/",
        "pools/",
        "pools/new/?threshold=0.8&min_candidates=1",
        "pools/new/?threshold=2&min_candidates=1&show=below_threshold",
        f"pools/{pks[0]}/",
        f"pools/{pks[0]}/?list=left-out",
        *(f"pools/{pk}/" for pk in pks[1:]),
    ):
        page.goto(home + address)
        assert axe.violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address


def test_the_way_there_is_accessible_too(page, sign_in, study, alice):
    sign_in(alice)
    home = f"/studies/{study.slug}/"
    for address in ("scores/", "pools/", "pools/new/"):
        page.goto(home + address)
        assert axe.violations(page) == [], address
    create_demo_dataset(study, "alder")
    for address in ("scores/", "pools/new/"):
        page.goto(home + address)
        assert axe.violations(page) == [], address
