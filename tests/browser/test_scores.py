"""The page of scores in a browser: sorted and chosen by keyboard and mouse, accessible, whole on a phone."""

import pytest
from playwright.sync_api import expect

from scoring import queries as scoring_queries
from tests.browser import axe
from tests.browser.conftest import PHONE, WIDE
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.corpus.uploads import run_newest_job
from tests.scoring.score_jobs import score

LONG = "a-system-with-a-name-that-is-longer-than-a-phone-is-wide-and-has-no-space-in-it"


@pytest.fixture
def dataset(study, tmp_path):
    """Four conversations, two systems on original and rewritten questions, and a run of nothing."""
    turns = [turn(1, f"stone {n}", conversation=n) for n in range(1, 5)]
    made = create_dataset(study, tmp_path, turns)
    for place, name in enumerate(("alder", LONG), start=1):
        said = [
            answer(1, f"stone {n}" if n <= place else "slate", conversation=n) for n in range(1, 5)
        ]
        for setup in ("original", "rewritten"):
            about = {"team": "rare", "system": name, "setup": setup}
            create_run(made, tmp_path, said, name=f"{name}-{setup}", **about)
    create_run(made, tmp_path, [answer(1, "", conversation=1)], name="silent", kind="baseline")
    for metric in ("em", "f1", "rouge_l", "qr", "length"):
        score(made, metric)
    return made


@pytest.fixture
def scores(page, sign_in, study, dataset, alice):
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/scores/")
    return page


def test_the_table_is_sorted_and_its_turns_are_chosen(scores):
    scores.get_by_role("link", name="F1 squad").click()
    expect(scores.get_by_role("columnheader", name="F1 squad")).to_have_attribute(
        "aria-sort", "ascending"
    )
    scores.get_by_label("Turns").select_option("as evaluator")
    scores.get_by_label("Compare rankings with").select_option("ROUGE-L rouge-score")
    scores.get_by_role("button", name="Show").click()

    expect(scores.get_by_text("Means as in the shared task's evaluator")).to_be_visible()
    expect(scores.get_by_text("Rank correlation of each measure with ROUGE-L")).to_be_visible()
    assert "sort=mean_" in scores.url
    assert scores.locator("[aria-sort=ascending]").count() == 1


def test_a_table_appears_when_the_job_that_computes_it_has_ended(scores, monkeypatch):
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", 2)
    scores.reload()
    scores.get_by_role("button", name="Compute the table").click()
    scores.wait_for_url("**/jobs/*/")
    scores.go_back()
    scores.reload()
    expect(scores.get_by_text("The table is being computed")).to_be_visible()
    assert axe.violations(scores) == []

    run_newest_job()

    expect(scores.get_by_text("The table is being computed")).to_have_count(0)
    expect(scores.get_by_role("link", name="F1 squad")).to_be_visible()


def test_the_files_are_what_the_page_shows(scores):
    scores.get_by_label("Search").fill("alder")
    scores.get_by_role("button", name="Show").click()
    with scores.expect_download() as waited:
        scores.get_by_role("link", name="Download as LaTeX").click()

    text = waited.value.path().read_text(encoding="utf-8")
    assert "alder-original &" in text
    assert "silent" not in text


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_are_accessible_and_fit(scores, study, size, scheme):
    scores.emulate_media(color_scheme=scheme)
    scores.set_viewport_size(size)
    for address in ("scores/", "scores/?over=evaluator&q=nobody", "scores/start/"):
        scores.goto(f"/studies/{study.slug}/{address}")
        assert axe.violations(scores) == [], address
        assert scores.evaluate("document.documentElement.scrollWidth") <= size["width"], address
