"""A text of 4,000 characters of all scripts, from the box of the desk through a lost network, the database and the pages
to the files: nothing changes but line ends, and letters that become one with their marks.
"""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from annotation.actions import guideline_readings
from annotation.models import Batch, Judgement
from corpus.models import Turn
from exports.curation import actions as curation_actions
from exports.written import actions as written_actions
from jobs.actions import execution
from jobs.models import Job
from stats.bootstrap_settings import Bootstrap
from tests import mixed_text
from tests.annotation.desk_pages import address, client_of
from tests.annotation.rounds import answered, first_round, second_round, write
from tests.browser.conftest import LONGEST, WIDE
from tests.browser.test_desk import batch_of, set_beat
from tests.browser.test_desk_offline import FEED, expect_kept
from tests.browser.test_rating import FIRST_LOOK, press
from tests.exports.curation.judged import curation_batch, judged_alike

FEW = Bootstrap(replicates=1_000, seed=0)  # the least
TOO_LONG = "4,001 characters: at most 4,000."


@pytest.fixture
def context(browser: Browser, live_server) -> Iterator[BrowserContext]:
    """A browser with a service worker, and with a clipboard that the test may fill."""
    opened = browser.new_context(base_url=live_server.url, viewport=WIDE, reduced_motion="reduce")
    opened.set_default_timeout(LONGEST)
    opened.grant_permissions(["clipboard-read", "clipboard-write"])
    yield opened
    opened.close()


@pytest.fixture
def open_desk(context, sign_in, bob) -> Iterator[Callable[[Batch], Page]]:
    """Open the desk of bob, kept by the service worker. The console may tell of a network that is away."""

    wrong: list[str] = []

    def opened(batch: Batch) -> Page:
        guideline_readings.confirm(batch=batch, by=bob)
        sign_in(bob)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error.stack)))
        set_beat(page, 0)
        with page.expect_response(FEED):
            page.goto(address("desk", batch))
        page.wait_for_function("() => navigator.serviceWorker.controller")
        expect_kept(page, address("desk", batch))
        page.wait_for_timeout(FIRST_LOOK)
        return page

    yield opened
    assert wrong == []


def paste(page: Page, box: Locator, text: str) -> None:
    """In place of what is in the box, by the keys that everybody pastes with."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    expect(box).to_be_focused()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.press("ControlOrMeta+V")
    expect(box).to_have_value(text.replace("\r\n", "\n"))


def refuse_one_more(page: Page, box: Locator) -> None:
    """A character after the last that may be: said in words, and nothing is lost; then it is taken away."""
    before = box.input_value()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("x")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("fieldset.wrong legend")).to_contain_text(TOO_LONG)
    expect(box).to_have_value(f"{before}x")
    box.press("ControlOrMeta+End")
    page.keyboard.press("Backspace")
    expect(box).to_have_value(before)


def send_offline(page: Page, context: BrowserContext) -> None:
    """Submit without a network, load the page again from the device, and let it go."""
    context.set_offline(True)
    press(page, "Shift+Enter")
    expect(page.locator("#trouble")).to_contain_text("1 answer is saved on this device")
    page.reload()
    expect(page.locator("#trouble")).to_contain_text("1 answer is saved on this device")
    assert not Judgement.objects.filter(assignment__annotator__username="bob").exists()
    context.set_offline(False)
    expect(page.locator("#trouble")).not_to_be_visible()
    wait_for_judgement(page)


def wait_for_judgement(page: Page) -> None:
    """Until the server has it."""
    end = time.monotonic() + LONGEST / 1000
    while not Judgement.objects.exists() and time.monotonic() < end:
        page.wait_for_timeout(50)


def table(contents: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(contents, newline="")))


def answers_in(file) -> list[str]:
    """The texts of the outputs of each line."""
    lines = file.read_text(encoding="utf-8").split("\n")
    return [each["answer"] for line in lines if line for each in json.loads(line)["output"]]


def edited(question: str) -> dict[str, str]:
    said = {"question": "edit", "question_text": question, "answer": "keep", "proof": "keep"}
    return said | {"promote": "yes"}


def signs(text: str) -> str:
    """The text without white space, which a page that marks words folds."""
    return "".join(text.split())


def downloaded(client: Client, name: str, *args: object) -> str:
    """A file of a page, as it goes over the wire."""
    reply = client.get(reverse(name, args=args))
    assert reply.status_code == 200
    contents = b"".join(reply) if reply.streaming else reply.content
    return contents.decode()


def test_an_answer_of_4000_characters_of_all_scripts_is_in_every_file_as_it_was_pasted(
    open_desk, context, sign_in, study, tmp_path, alice, bob, dora
):
    first = first_round(study, tmp_path, n=2)
    page = open_desk(first)
    box = page.locator("textarea[name=answer]")
    pasted = mixed_text.pasted()
    kept = mixed_text.kept(pasted)
    assert len(kept) == 4_000 < len(pasted)

    press(page, "a", "2", "5", "Enter")
    paste(page, box, pasted)
    expect(page.locator("[data-question='answer'] [data-length]")).to_have_text("4,000 of 4,000")
    press(page, "Escape")
    page.locator("[data-question='confirm']").focus()
    press(page, "1", "2", "3")
    box.focus()
    refuse_one_more(page, box)
    send_offline(page, context)

    stored = Judgement.objects.get().response
    assert stored["answer"] == kept

    # Another person's box has it, and where only a word is changed both stand beside each other.
    changed = kept[:-1] + "y"
    second = second_round(first)
    write(second, dora, answered(2, 5, text=changed, kept="modify"))
    dataset = first.pool.dataset
    client = client_of(alice)
    here = [study.slug, dataset.pk]
    client.post(reverse("written_start", args=here))
    execution.run(Job.objects.get(kind="written_answers"))
    sign_in(alice)
    page.goto(reverse("written", args=here))
    for side, text in enumerate((kept, changed)):
        shown = page.locator(".written-sides .text").nth(side).text_content()
        assert signs(shown) == signs(text)

    out = tmp_path / "out"
    by = study.created_by
    written_actions.export(dataset=dataset, batches=(), out=out, bootstrap=FEW, by=by)
    assert answers_in(out / "answers/dev.jsonl") == [kept, changed]
    written = table((out / "written.csv").read_bytes().decode())
    assert [row["answer"] for row in written] == [kept, changed]

    # A table for a spreadsheet has a quotation mark before what it would compute; the same as JSON Lines has not.
    args = (study.slug, first.pk, "judgements")
    rows = table(downloaded(client, "batch_table", *args, "csv"))
    assert [row["text"] for row in rows if row["question"] == "answer"] == [f"'{kept}"]
    lines = downloaded(client, "batch_table", *args, "jsonl").split("\n")
    rows = [json.loads(line) for line in lines if line]
    assert [row["text"] for row in rows if row["question"] == "answer"] == [kept]


def test_an_edited_question_of_4000_characters_is_in_the_next_version_and_in_every_file(
    open_desk, context, study, tmp_path, alice, bob, dora
):
    batch = curation_batch(study)
    page = open_desk(batch)
    box = page.locator("textarea[name=question_text]")
    pasted = mixed_text.pasted()
    kept = mixed_text.kept(pasted)

    press(page, "2")
    paste(page, box, pasted)
    expect(page.locator("[data-question='question_text'] [data-length]")).to_have_text(
        "4,000 of 4,000"
    )
    page.locator("[data-question='answer']").focus()
    press(page, "1", "1")
    box.focus()
    refuse_one_more(page, box)
    send_offline(page, context)

    stored = Judgement.objects.get().response
    assert stored["question_text"] == kept

    # Another person makes the same edit, and it is decided so.
    judged_alike(batch, [dora], lambda n: edited(kept), alice)
    curation_actions.make_next_version(batch=batch, by=alice)
    turn = Turn.objects.get(conversation__dataset__version=2)
    assert turn.question == kept
    assert turn.meta["curation"]["before"]["question"] == "How long does lamp 0 burn?"

    out = tmp_path / "out"
    curation_actions.export(batch=batch, out=out, by=alice)
    (row,) = table((out / "questions.csv").read_bytes().decode())
    assert row["question_curated"] == kept
    (line,) = (out / "few_shot.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    assert json.loads(line)["question"] == kept

    # A table for a spreadsheet has a quotation mark before what it would compute.
    args = (study.slug, batch.pk, "questions.csv")
    (row,) = table(downloaded(client_of(alice), "batch_curated_file", *args))
    assert row["question_curated"] == f"'{kept}"


def test_a_reload_without_a_network_after_the_last_item_shows_that_it_waits_and_it_is_sent(
    open_desk, context, study
):
    page = open_desk(batch_of(study, n=1))
    context.set_offline(True)
    press(page, "1")
    expect(page.locator("#trouble")).to_contain_text("1 answer is saved on this device")

    page.reload()

    expect(page.locator("#waiting")).to_contain_text("The next item comes when you are online.")
    expect(page.locator("#judged")).to_be_empty()
    expect(page.locator("#trouble")).to_contain_text("1 answer is saved on this device")
    context.set_offline(False)
    expect(page.locator("#desk")).to_have_count(0)  # sent, and nothing is left
    assert Judgement.objects.count() == 1
