"""The journey by the pages: what each person does in the browser. Annotators and the adjudicator have a
keyboard and nothing else.
"""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser import label_rule, small_dataset
from tests.browser.headless import DATASET, STUDY, TITLE
from tests.browser.key_presses import press

PASSWORD = "brass-lamp-1811"
HOME = f"/studies/{STUDY}/"
# Milliseconds until a job is given up: many times what it takes on a busy machine.
LONGEST = 90_000
# Milliseconds before a digit is pressed: one that comes sooner after an item is a key that bounces.
MOMENT = 90


# The requester


def become_administrator(page: Page, link: str) -> None:
    """Make alice the administrator by the link that the server printed."""
    page.goto(link)
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create the account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def create_study(page: Page) -> None:
    page.get_by_role("link", name="New study").click()
    page.get_by_label("Title").fill(TITLE)
    page.get_by_label("Short name").fill(STUDY)
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("heading", name=TITLE)).to_be_visible()


def create_invitation(page: Page, role: str, n: int) -> str:
    """Invite n people to the role; return the link."""
    page.goto(HOME)
    page.get_by_role("link", name="Invite people").click()
    page.get_by_label(role).check()
    page.get_by_label("Maximum of people").fill(str(n))
    page.get_by_role("button", name="Create the link").click()
    return page.get_by_label("The link of the new invitation").input_value()


def import_data(page: Page, data: Path) -> None:
    page.goto(HOME)
    page.get_by_role("link", name="Import a data set").click()
    page.get_by_label("Truth").set_input_files(data / "truth.json")
    page.get_by_label("Questions").set_input_files(data / "questions-original.json")
    page.get_by_label("Passages").set_input_files(data / "passages.tsv")
    page.get_by_role("textbox", name="Name").fill(DATASET)
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_text("A new data set would be created")).to_be_visible(timeout=LONGEST)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("The data set is there")).to_be_visible(timeout=LONGEST)
    systems = [run for run in small_dataset.RUNS if run not in small_dataset.BASELINES]
    for kind, runs in (("system", systems), ("baseline", small_dataset.BASELINES)):
        page.get_by_role("link", name=re.compile("^Import (more )?runs$")).click()
        page.get_by_label("Runs").set_input_files([data / "runs" / f"{run}.json" for run in runs])
        page.get_by_label("Kind").select_option(kind)
        page.get_by_role("button", name="Check the files").click()
        page.get_by_role("button", name=re.compile(r"^Import \d runs?$")).click(timeout=LONGEST)
        expect(page.get_by_text("Imported to the data set")).to_be_visible(timeout=LONGEST)


def compute_scores(page: Page) -> None:
    """Score by all metrics, a job each: F1 is computed by the job of EM, and SAS takes longest."""
    page.get_by_role("link", name="Compute scores").click()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.get_by_text("3 scoring jobs started")).to_be_visible()
    for metric in ("em", "f1", "sas"):
        page.goto(f"{HOME}jobs/")
        page.get_by_role("row", name=re.compile(rf"@\d+ {metric}\b")).get_by_role("link").click()
        has_scores = re.compile(rf"(computed:|every answer that can have)\s+{metric}\s+by")
        expect(page.get_by_text(has_scores)).to_be_visible(timeout=LONGEST)


def draw_pool(page: Page) -> None:
    page.get_by_role("link", name="Sampling desk").click()
    page.get_by_role("spinbutton", name="Threshold").fill("0.62")
    page.get_by_label("Fewest per question").fill("3")
    expect(page.locator("#rule-drawn")).to_contain_text(
        "all-MiniLM-L6-v2 is above 0.62, at least 3 distinct"
    )
    page.get_by_label("Name of the pool").fill("candidates")
    page.get_by_role("button", name="Draw the pool").click()
    expect(page.get_by_role("heading", name="candidates", exact=True)).to_be_visible()
    page.get_by_role("link", name="Open a batch on it").click()


def open_batch(page: Page, scheme: str) -> None:
    """Open a batch on the pool of the page."""
    page.get_by_label("Name", exact=True).fill(scheme)
    expect(page.get_by_label("What is judged")).to_have_value(scheme)
    page.get_by_role("textbox", name="Guideline optional", exact=True).fill(
        small_dataset.guideline(scheme)
    )
    page.get_by_role("button", name="Create the draft").click()
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("button", name="Open the batch").click()
    expect(page.get_by_text(f"“{scheme}” is open")).to_be_visible()


def close_and_settle(page: Page, batch: str) -> None:
    page.goto(f"{HOME}batches/")
    page.get_by_role("link", name=batch, exact=True).click()
    page.get_by_role("link", name="Close").click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Settle").click()
    page.get_by_label("unanimous").check()
    page.get_by_role("button", name="Settle the batch").click()
    expect(page.get_by_role("heading", name="Verdicts")).to_be_visible()


def find_evidence(page: Page, batch: str) -> None:
    """Find evidence for the plausible answers; end on the form of the batch on faithfulness."""
    page.goto(f"{HOME}batches/")
    page.get_by_role("link", name=batch, exact=True).click()
    page.get_by_role("link", name="On to faithfulness").click()
    page.get_by_label("Name of the pool").fill("evidence")
    page.get_by_role("button", name="Find the evidence").click()
    page.get_by_role("link", name="Open a batch on it").click(timeout=LONGEST)


def download_release(page: Page, packed: Path) -> None:
    """Create the release and download all of it."""
    page.goto(HOME)
    page.get_by_role("link", name="Create the release").click()
    page.get_by_role("button", name="Create the release").click()
    page.get_by_role("link", name="Open").click(timeout=LONGEST)
    with page.expect_download() as begun:
        page.get_by_role("link", name="Download all").click()
    begun.value.save_as(packed)


# By keyboard alone


def tab_to(page: Page, target: Locator) -> None:
    expect(target).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"the keyboard does not reach {target}")


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    tab_to(page, page.get_by_label("User name"))
    for text in (name, PASSWORD, PASSWORD):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Welcome to {TITLE}")).to_be_visible()


def judge_all_items(page: Page, scheme: str, *, doubts: bool) -> int:
    """Judge every item that the batch has for this person; return how many."""
    page.goto("/work/")
    tab_to(page, page.get_by_role("link", name=f"Start with {scheme}"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="I have read it"))
    page.keyboard.press("Enter")
    n_done = 0
    while has_item(page, n_done):
        text = page.locator(".response .text").text_content() or ""
        label = label_rule.label_of(scheme, text, doubts=doubts)
        key = page.locator(f"#judgement input[value='{label}']").get_attribute("aria-keyshortcuts")
        page.wait_for_timeout(MOMENT)
        page.keyboard.press(str(key))
        n_done += 1
    return n_done


def has_item(page: Page, n_done: int) -> bool:
    """Whether the desk has another item, once it shows that `n_done` are done."""
    end = page.get_by_role("heading", name="You have finished this batch")
    progress = page.locator(".desk-bar .progress", has_text=re.compile(rf"^\s*{n_done} of "))
    expect(end.or_(progress)).to_be_visible()
    expect(end.or_(page.locator("#judgement"))).to_be_visible()  # it may still be on its way
    page.wait_for_load_state()
    return not end.is_visible()


def adjudicate_all_disputes(page: Page, scheme: str) -> int:
    """Adjudicate every dispute of the study; return how many there were."""
    page.goto(f"{HOME}disputes/")
    tab_to(page, page.locator("tbody a").first)
    page.keyboard.press("Enter")
    n_settled = 0
    while True:
        expect(page.get_by_role("heading", name="Item in dispute")).to_be_visible()
        text = page.locator(".response .text").text_content() or ""
        label = label_rule.label_of(scheme, text)
        options = page.locator("#adjudicate input[type=radio]")
        values = options.evaluate_all("(all) => all.map((each) => each.value)")
        press(page, str(values.index(label) + 1))
        page.keyboard.type(label_rule.REASON)
        before = page.url
        page.keyboard.press("Enter")
        n_settled += 1
        page.wait_for_url(lambda url, before=before: url != before)
        if page.url.endswith("/disputes/"):
            expect(page.get_by_text("Nothing is in dispute")).to_be_visible()
            return n_settled
