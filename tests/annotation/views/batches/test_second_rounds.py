"""The page that draws a second round of written answers, and the command."""

import pytest
from django.urls import reverse

from annotation.actions import batches, withdrawn_batches
from annotation.models import Batch
from tests.annotation.desk_pages import client_of, text_of
from tests.annotation.rounds import GAPS, ONE, SKIPPED, first_round, second_round, write
from tests.commands.command_calls import command_error, run_command

FORM = {"name": "R2", "routes": "gaps", "seed": "1"}
SUMMARY = {
    "batch": "R2",
    "state": "draft",
    "written": 3,
    "routed": 1,
    "one_sentence": 1,
    "consecutive": 0,
    "unanswerable": 0,
    "skipped": 1,
    "added": 0,
    "excluded": 0,
}


@pytest.fixture
def first(study, tmp_path, bob, dora) -> Batch:
    made = first_round(study, tmp_path)
    for person, response in ((bob, GAPS), (dora, ONE), (dora, SKIPPED)):
        write(made, person, response)
    return made


@pytest.fixture
def organiser(alice):
    return client_of(alice)


def page_of(name: str, batch: Batch) -> str:
    return reverse(name, args=[batch.study.slug, batch.pk])


def words(response) -> str:
    return " ".join(text_of(response).split())


def test_the_page_says_what_is_routed_and_draws_a_draft_that_leads_back(first, organiser, alice):
    assert "Close this batch first" in words(organiser.get(page_of("batch_second_round", first)))
    batches.close(batch=first, by=alice)
    assert page_of("batch_second_round", first) in text_of(organiser.get(page_of("batch", first)))

    drawn = organiser.post(page_of("batch_second_round", first), FORM, follow=True)

    assert "The draft R2 shows 1 of 3 written answers" in words(drawn)
    second = Batch.objects.get(name="R2")
    assert page_of("batch", first) in text_of(drawn)
    preview = words(organiser.get(page_of("batch_preview", second)))
    assert "Written in the first round: answered" in preview
    assert "Its lamp burnt oil, and oil again later." in preview
    assert "bob" not in preview
    again = words(organiser.get(page_of("batch_second_round", first)))
    assert "It takes the answers that are routed when it is opened." in again


def test_what_is_new_is_added_from_the_page(first, organiser, alice, bob):
    batches.close(batch=first, by=alice)
    organiser.post(page_of("batch_second_round", first), FORM)
    second = batches.launch(batch=Batch.objects.get(name="R2"), by=alice)
    batches.reopen(batch=first, by=alice)
    write(first, bob, GAPS)
    batches.close(batch=first, by=alice)

    told = organiser.post(page_of("batch_second_round", first), {}, follow=True)

    assert "1 added, 0 excluded." in words(told)
    assert second.items.count() == 2

    batches.close(batch=second, by=alice)
    closed = words(organiser.get(page_of("batch_second_round", first)))
    assert "It is closed" in closed
    assert "Bring it up to date" not in closed


def test_who_withdraws_a_first_round_is_told_of_the_second_whose_page_warns(
    first, organiser, alice
):
    second = second_round(first)
    asked = words(organiser.get(page_of("batch_withdraw", first)))
    assert "Its second round, whose answers do not count while it is withdrawn" in asked
    assert "R2 (open)" in asked

    withdrawn_batches.withdraw(batch=first, reason="a mistake", by=alice)

    assert "is withdrawn: what is judged here does not count" in words(
        organiser.get(page_of("batch", second))
    )


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": "R1"}, "it is no second round of R1"),
        ({"name": ""}, "Give the batch a name."),
        ({"name": "a\0b"}, "ull characters are not allowed"),
        ({"routes": "none"}, "none is not one of the available choices"),
        ({"routes": "unanswerable", "seed": "-1"}, "greater than or equal to 0"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_the_form(first, organiser, alice, wrong, why):
    batches.close(batch=first, by=alice)

    refused = organiser.post(page_of("batch_second_round", first), FORM | wrong)

    assert refused.status_code == 400
    assert why in words(refused)
    assert Batch.objects.count() == 1


def test_the_command_says_the_same_and_adds_up(first, alice):
    options = ("draw_second_round", "R1", "--study", first.study.slug, "--name", "R2")
    assert "the batch R1 is open, not closed" in command_error(*options)
    batches.close(batch=first, by=alice)

    assert run_command(*options) == SUMMARY
    assert run_command(*options) == SUMMARY
    assert "not all" in command_error(*options, "--all")
