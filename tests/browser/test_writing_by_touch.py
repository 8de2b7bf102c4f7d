"""Writing in two rounds, curation and a decision between answers, by touch on a phone, with a passage of many screens."""

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Adjudication, Batch, Judgement
from tests.annotation.desk_pages import address
from tests.annotation.differing import CHANGED, second_round_said
from tests.annotation.pools import launched
from tests.annotation.rounds import CONFIRMED, SETTINGS, second_round
from tests.browser.test_rating import FIRST_LOOK
from tests.exports.curation.judged import KEEP, curation_batch
from tests.sampling.writing_dataset import LAMP, create_writing_dataset, draw_writing, question

HIGH = LAMP | {"sentences": [" ".join(LAMP["sentences"]) + " "] * 12 + LAMP["sentences"]}
# The second, the third and the fifth of the sentences that are short, below all that is high.
TICKS, ANOTHER = ("s.1.14", "s.1.17"), "s.1.15"
OWN = "Oil, and then gas."


@pytest.fixture
def go(touched, sign_in):
    """Open an address as a person, on a phone that is touched."""

    def as_person(person, path: str) -> Page:
        sign_in(person)
        page = touched()
        page.goto(path)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(FIRST_LOOK)
        return page

    return as_person


def choose(page: Page, question: str, value: str) -> None:
    """Tap an option of the question."""
    tap(page.locator(f"[data-question='{question}'] label:has([value='{value}'])"))


def tick(page: Page, *names: str) -> None:
    for name in names:
        tap(page.locator(f"label:has([name='{name}'])"))


def tap(label: Locator) -> None:
    label.tap()
    expect(label.locator("input")).to_be_checked()


def submit(page: Page, n: int) -> None:
    """The n-th of two judgements; with the last one the batch is done."""
    page.locator("#judgement .submit button").tap()
    if n == 1:
        expect(page.locator(".progress")).to_contain_text("1 of 2")
    else:
        expect(page.locator("#desk")).to_have_count(0)


def box(page: Page, name: str = "answer") -> Locator:
    return page.locator(f"textarea[name={name}]")


def responses(batch: Batch) -> list[dict[str, str]]:
    stored = Judgement.objects.filter(assignment__item__batch=batch)
    return [each.response for each in stored.order_by("pk")]


def test_answers_are_written_and_another_person_changes_and_keeps_them(
    go, study, tmp_path, bob, dora
):
    asked = tuple(question(str(n), f"what burnt in lamp {n}", HIGH) for n in (1, 2))
    pool = draw_writing(create_writing_dataset(study, tmp_path, dev=asked), name="R1")
    first = launched(pool, scheme="writing", name="R1", **SETTINGS)
    page = go(bob, address("desk", first))
    for n in (1, 2):
        page.wait_for_timeout(FIRST_LOOK)
        choose(page, "outcome", "answered")
        tick(page, *TICKS)
        page.get_by_role("button", name="Copy the ticked sentences").tap()
        expect(box(page)).not_to_have_value("")
        tick(page, *CONFIRMED)
        submit(page, n)
    ticks = dict.fromkeys(TICKS, "yes")
    copied = f"{LAMP['sentences'][1]} {LAMP['sentences'][4]}"
    written = {"outcome": "answered", "answer": copied, **ticks, **CONFIRMED}
    assert responses(first) == [written, written]

    second = second_round(first)
    page = go(dora, address("desk", second))
    page.wait_for_timeout(FIRST_LOOK)
    choose(page, "kept", "modify")
    tick(page, ANOTHER)
    box(page).tap()
    box(page).fill(OWN)
    tick(page, *CONFIRMED)
    submit(page, 1)
    page.wait_for_timeout(FIRST_LOOK)
    choose(page, "kept", "keep")
    tick(page, *CONFIRMED)
    submit(page, 2)
    changed, kept = responses(second)
    assert changed == written | {"kept": "modify", ANOTHER: "yes", "answer": OWN}
    assert kept == written | {"kept": "keep"}


def test_questions_are_edited_and_rejected(go, study, bob):
    batch = curation_batch(study, 2)
    page = go(bob, address("desk", batch))
    page.wait_for_timeout(FIRST_LOOK)
    choose(page, "question", "edit")
    box(page, "question_text").tap()
    box(page, "question_text").fill("Lamp 1 burns for how long?")
    tick(page, "why.unclear")
    choose(page, "answer", "keep")
    choose(page, "proof", "keep")
    submit(page, 1)
    page.wait_for_timeout(FIRST_LOOK)
    choose(page, "question", "reject")
    tick(page, "why.unclear")
    submit(page, 2)
    edited, rejected = responses(batch)
    assert edited == KEEP | {
        "question": "edit",
        "question_text": "Lamp 1 burns for how long?",
        "why.unclear": "yes",
        "type": edited["type"],
    }
    assert rejected == {"question": "reject", "why.unclear": "yes"}


def test_an_adjudicator_writes_a_third_answer(go, study, tmp_path, bob, dora, carol):
    batch = second_round_said(study, tmp_path, bob, dora, CHANGED)
    page = go(carol, address("written_pairs", batch))
    page.locator("a.button.primary").tap()
    expect(page.locator("h1")).to_have_text("Answers that differ")
    tap(page.locator("label:has([value='third'])"))
    page.locator("[name='third.answer']").tap()
    page.locator("[name='third.answer']").fill(OWN)
    tick(page, "third.s.1.6", *(f"third.{each}" for each in CONFIRMED))
    page.locator("[name=reason]").fill("Both are right.")
    page.get_by_role("button", name="Save and next").tap()
    expect(
        page.locator(".messages, [role=status]").filter(has_text="Decided:").first
    ).to_be_visible()
    assert Adjudication.objects.get().response["answer"] == OWN
