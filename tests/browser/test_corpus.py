"""Data sets and runs come in by the browser: chosen or dropped, watched, looked at."""

import json
import re

import pytest
from playwright.sync_api import expect

from jobs import shortcuts
from jobs.actions import execution, jobs
from jobs.models import ChunkState, Job
from tests.browser import axe
from tests.browser.conftest import PHONE
from tests.corpus.imports import DEMO, create_demo_dataset
from tests.corpus.uploads import run_newest_job

DROP = """([field, files]) => {
  const carried = new DataTransfer();
  for (const [name, text] of files) carried.items.add(new File([text], name));
  field.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path, monkeypatch):
    settings.UPLOADS = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    monkeypatch.setattr(shortcuts.work_on, "delay", lambda pk: None)
    return settings.UPLOADS


def test_a_data_set_is_chosen_checked_and_imported_before_one_s_eyes(page, sign_in, study, alice):
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/datasets/")
    page.get_by_role("link", name="Import a data set").click()
    assert axe.violations(page) == []
    page.get_by_label("Truth").set_input_files(DEMO / "truth.json")
    page.get_by_label("Passages").set_input_files(DEMO / "passages.tsv")
    page.get_by_role("textbox", name="Name").fill("everyday")
    expect(page.get_by_text("passages.tsv, ")).to_be_visible()
    page.get_by_role("button", name="Check the files").click()

    page.wait_for_url(re.compile(r"/jobs/\d+/"))
    expect(page.locator("#job")).to_contain_text("waiting")
    assert axe.violations(page) == []
    run_newest_job()
    expect(page.get_by_text("A new data set would be created")).to_be_visible()
    expect(page.locator("#job-said")).to_contain_text("The job has ended: done")
    assert axe.violations(page) == []

    page.get_by_role("button", name="Import").click()
    run_newest_job()
    expect(page.get_by_text("The data set is there")).to_be_visible()
    page.get_by_role("link", name="Look at the data set").click()
    expect(page.get_by_role("heading", name="everyday@1")).to_be_visible()
    assert axe.violations(page) == []


def test_runs_are_dropped_and_suggest_their_names(page, sign_in, study, alice):
    create_demo_dataset(study)
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/runs/import/")
    field = page.locator(".field", has=page.locator("input[type=file]"))
    files = [
        [f"{name}.json", (DEMO / "runs" / f"{name}.json").read_text(encoding="utf-8")]
        for name in ("alder", "birch")
    ]

    page.evaluate(DROP, [field.element_handle(), files])

    expect(page.get_by_label("Names")).to_have_value("alder\nbirch")
    page.get_by_label("Names").fill("Alder\nBirch")
    page.evaluate(DROP, [field.element_handle(), files])  # what was written stays
    expect(page.get_by_label("Names")).to_have_value("Alder\nBirch")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Check the files").click()
    page.wait_for_url(re.compile(r"/jobs/\d+/"))
    run_newest_job()
    expect(page.get_by_text("2 runs would be added")).to_be_visible()
    assert axe.violations(page) == []
    page.get_by_role("button", name="Import 2 runs").click()
    run_newest_job()
    page.get_by_role("link", name="Birch").click()
    expect(page.get_by_role("heading", name="Birch")).to_be_visible()
    assert axe.violations(page) == []


def test_what_is_too_large_is_said_and_not_sent(page, sign_in, study, alice, settings):
    settings.MOST_UPLOAD_MB = 1
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/datasets/import/")
    page.get_by_role("textbox", name="Name").fill("everyday")
    large = {"name": "truth.json", "mimeType": "application/json", "buffer": b" " * 1_500_000}
    page.get_by_label("Truth").set_input_files(large)

    expect(page.get_by_role("alert")).to_contain_text("1.5 MB; at most 1.0 MB")
    page.get_by_role("button", name="Check the files").click()

    assert page.url.endswith("/datasets/import/")
    assert not Job.objects.exists()


def test_what_a_form_lacks_is_said(page, sign_in, study, alice):
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/datasets/import/")
    page.locator("form[data-most]").evaluate("form => { form.noValidate = true }")
    page.get_by_role("button", name="Check the files").click()

    expect(page.get_by_text("Choose a file.")).to_be_visible()
    assert axe.violations(page) == []


def test_without_scripts_everything_goes(browser, live_server, sign_in, context, study, alice):
    sign_in(alice)
    plain = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, storage_state=context.storage_state()
    )
    page = plain.new_page()
    page.goto(f"/studies/{study.slug}/datasets/import/")
    page.get_by_label("Truth").set_input_files(DEMO / "truth.json")
    page.get_by_role("textbox", name="Name").fill("everyday")
    page.get_by_role("button", name="Check the files").click()
    expect(page.locator("#job")).to_contain_text("waiting")
    run_newest_job()
    page.reload()
    page.get_by_role("button", name="Import").click()
    run_newest_job()
    page.reload()
    expect(page.get_by_text("The data set is there")).to_be_visible()
    plain.close()


def test_a_job_at_work_keeps_the_focus_and_speaks_in_tens(page, sign_in, study, alice):
    runs = [{"file": "x", "settings": {"name": str(n)}} for n in range(30)]
    params = {"runs": runs, "dataset": 0, "upload": "", "leave_out_unknown": False}
    job = jobs.start(study=study, kind="check_runs", key="thirty", params=params, by=alice)
    execution.plan(job, execution.handler_of(job))
    sign_in(alice)
    page.goto(f"/studies/{study.slug}/jobs/{job.pk}/")
    page.get_by_role("link", name="Cancel the job").focus()

    job.chunks.filter(number__lt=7).update(state=ChunkState.DONE)
    expect(page.locator("#job")).to_contain_text("7 of 30 parts")
    expect(page.locator("#job-said")).to_have_text("20 % done")
    expect(page.get_by_role("link", name="Cancel the job")).to_be_focused()
    assert axe.violations(page) == []

    page.get_by_role("link", name="Cancel the job").press("Enter")
    page.wait_for_url("**/cancel/")
    assert axe.violations(page) == []
    page.get_by_role("button", name="Cancel the job").click()
    expect(page.get_by_text("The job was cancelled.")).to_be_visible()
    assert axe.violations(page) == []


def test_lists_and_problems_are_accessible_and_fit_a_phone(page, sign_in, study, alice):
    create_demo_dataset(study, "alder", "birch")
    wrong = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    for turn in wrong:
        turn["Truth_answer"] = ["x" * 200]
    sign_in(alice)
    page.set_viewport_size(PHONE)
    page.goto(f"/studies/{study.slug}/datasets/import/")
    page.get_by_label("Truth").set_input_files(
        {
            "name": "truth.json",
            "mimeType": "application/json",
            "buffer": json.dumps(wrong).encode(),
        }
    )
    page.get_by_role("textbox", name="Name").fill("everyday")
    page.get_by_role("button", name="Check the files").click()
    page.wait_for_url(re.compile(r"/jobs/\d+/"))
    run_newest_job()
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    addresses = [
        page.url,
        *(f"/studies/{study.slug}/{part}/" for part in ("runs", "datasets", "jobs", "history")),
    ]
    for address in addresses:
        page.goto(address)
        assert axe.violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address
