"""What is promised of reviewing by commands: one, many, by a file, undone, and by the shared task's codes."""

import pytest

from annotation.actions import settlement
from annotation.models import Judgement, Review, ReviewAct, Verdict
from tests.annotation import judged_batches
from tests.annotation.judged_batches import JudgedBatch
from tests.parts import part

HEADER = "assignment_id,paid,paid_reason,counted,counted_reason\n"
SPAM = ("--paid", "no", "--counted", "no", "--reason", "random answers: always 3")
FAYS = ("review", "--batch", "campaign", "--annotator", "fay")


@part
def judged_batch(study, alice, bob, dora) -> JudgedBatch:
    found = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=found.batch, rule="unanimous", by=alice)
    return found


@pytest.fixture
def table(tmp_path):
    def written(*rows: str, header: str = HEADER):
        path = tmp_path / "decisions.csv"
        path.write_text(header + "".join(f"{row}\n" for row in rows), encoding="utf-8")
        return path

    return written


def ids(judged_batch) -> list[str]:
    return [str(judgement.assignment) for judgement in judged_batch.of(judged_batch.fay)]


def test_all_that_somebody_did_is_reviewed_in_one_act(commands, judged_batch):
    said = commands.run(*FAYS, *SPAM, "--counted-reason", "random answer")

    assert said["act"] == str(ReviewAct.objects.get())
    assert (said["n_decided"], said["n_counted_no_more"], said["n_paid_no_more"]) == (2, 2, 2)
    assert {"from": "in dispute", "to": "plausible", "items": 1} in said["changes"]
    reviews = Review.objects.all()
    assert {(each.paid_because, each.counted_because) for each in reviews} == {
        ("random answers: always 3", "random answer")
    }


def test_a_person_is_named_by_pseudonym_too(commands, judged_batch, study):
    pseudonym = study.memberships.get(user=judged_batch.fay).pseudonym
    by_pseudonym = ("review", "--batch", "campaign", "--annotator", pseudonym)

    assert commands.run(*by_pseudonym, *SPAM)["n_decided"] == 2


def test_a_dry_run_says_the_same_and_changes_nothing(commands, judged_batch):
    before = commands.run(*FAYS, *SPAM, "--ask-again", "--dry-run")
    assert not Review.objects.exists()

    after = commands.run(*FAYS, *SPAM, "--ask-again")

    assert before.pop("act") is None
    assert after.pop("act")
    assert before == after


def test_a_dry_run_of_one_assignment_says_what_would_change(commands, judged_batch):
    said = commands.run("review", "--assignment", ids(judged_batch)[0], *SPAM, "--dry-run")

    assert said["n_counted_no_more"] == 1
    assert not Review.objects.exists()


def test_an_act_is_taken_back(commands, judged_batch):
    act = commands.run(*FAYS, *SPAM)["act"]

    said = commands.run("review", "--batch", "campaign", "--undo", act)

    assert (said["n_counted_again"], said["n_paid_again"]) == (2, 2)
    assert Judgement.objects.counted().count() == 17
    again = commands.error("review", "--batch", "campaign", "--undo", act)
    assert "nothing of the decision is left" in again


def test_a_file_decides_row_by_row(commands, judged_batch, table):
    first, second = ids(judged_batch)
    file = table(
        f"{first},yes,in good faith,no,misread the task: judged the grammar",
        f"{second},FALSE,random answers,false,other: a sleepy hour",
    )

    commands.run("review", "--batch", "campaign", "--file", file)

    decided = {
        str(each.judgement.assignment): (each.is_paid, each.paid_because, each.counted_because)
        for each in Review.objects.select_related("judgement__assignment")
    }
    assert decided == {
        first: (True, "in good faith", "misread the task: judged the grammar"),
        second: (False, "random answers", "a sleepy hour"),
    }
    assert ReviewAct.objects.count() == 1


def test_a_file_with_a_problem_decides_nothing_and_names_row_and_column(
    commands, judged_batch, table
):
    first, second = ids(judged_batch)
    missing = "00000000-0000-4000-8000-000000000000"
    file = table(
        f"{first},no,random answers,no,random answer",
        f"{second},maybe,random answers,no,random answer",
        "7,no,random answers,no,random answer",
        f"{first},no,random answers,no,random answer",
        f"{second},no,sleepy,no,",
        f"{missing},yes,random answers,no,random answer",
        f"{missing},no,random answers,no,random answer",
    )

    said = commands.error("review", "--batch", "campaign", "--file", file).split("\n")

    assert said == [
        'decisions.csv: row 3: paid: "maybe" is not yes or no',
        'decisions.csv: row 4: assignment_id: "7" is not an id',
        f"decisions.csv: row 5: assignment_id: {first} stands in row 2 already",
        "decisions.csv: row 6: paid_reason: sleepy is no reason of the list for paid: in good faith,"
        " random answers, not own work, test or mistake, other; write other: and your words",
        "decisions.csv: row 6: counted_reason: there is no reason",
        "decisions.csv: row 7: paid_reason: random answers is no reason for paid: in good faith, other",
        f"decisions.csv: row 8: assignment_id: {missing} is no assignment with a judgement in the"
        " batch campaign",
    ]
    assert not Review.objects.exists()


def test_what_is_no_table_is_said(commands, judged_batch, table, tmp_path):
    review = ("review", "--batch", "campaign", "--file")

    assert "there is no row below the header" in commands.error(*review, table())
    header = "assignment_id,paid\n"
    assert "row 1: the header lacks paid_reason, counted, counted_reason" in commands.error(
        *review, table(header=header)
    )
    (tmp_path / "utf16.csv").write_text(HEADER, encoding="utf-16")
    assert "save it as UTF-8" in commands.error(*review, tmp_path / "utf16.csv")


def test_what_cannot_be_is_refused_in_words(commands, judged_batch):
    assert commands.error(*FAYS) == "say also --paid, --counted, --reason"
    assert commands.error("review", "--annotator", "fay", *SPAM) == "say also --batch"
    batch = ("review", "--batch", "campaign")
    assert "has nobody called nina" in commands.error(*batch, "--annotator", "nina", *SPAM)
    assert "alice judged nothing" in commands.error(*batch, "--annotator", "alice", *SPAM)
    assert commands.error(*batch, "--undo", "7") == "7 is not an id"
    missing = "00000000-0000-4000-8000-000000000000"
    assert "has no act" in commands.error(*batch, "--undo", missing)
    assert "is not adjudicator or requester" in commands.error(*FAYS, *SPAM, "--by", "bob")
    assert not Review.objects.exists()


# The shared task's codes


def test_a_code_on_an_item_or_a_judgement_does_what_it_means(commands, judged_batch, carol, dora):
    by = ("--by", "carol")
    code = ("review_code", "--code")
    random, _ = ids(judged_batch)

    assert commands.run(*code, "random answer", "--assignment", random, "--paid", "yes") == {
        "assignment": random,
        "is_paid": True,
        "is_counted": False,
    }
    confusing = commands.run(*code, "confusing answer", "--item", judged_batch.item(4))
    assert confusing["is_excluded"] is True
    right = judged_batch.judgement(5, dora).assignment
    assert commands.run(*code, "correct answer", "--assignment", right, *by)["label"] == "plausible"
    malformed = commands.run(*code, "malformed answer", "--item", judged_batch.item(3), *by)
    assert malformed["label"] == "malformed"
    verdict = Verdict.objects.current().get(item=judged_batch.item(3))
    assert verdict.adjudication.reason == "malformed answer"


def test_a_code_says_what_it_needs(commands, judged_batch):
    code = ("review_code", "--code")

    assert "say --paid" in commands.error(
        *code, "random answer", "--assignment", ids(judged_batch)[0]
    )
    assert commands.error(*code, "random answer") == "random answer: say also --assignment"
    assert commands.error(*code, "malformed answer") == "malformed answer: say also --item"


# Second looks


def test_a_share_is_drawn_for_a_second_look(commands, judged_batch, carol):
    item = ("adjudicate", "--label", "plausible", "--reason", "x", "--by", "carol", "--item")
    for number in (3, 5, 8):
        commands.run(*item, judged_batch.item(number))

    assert commands.run("draw_second_looks", "--batch", "campaign", "--share", "0.5") == {
        "n_adjudicated": 3,
        "n_drawn": 2,
    }
    assert "share is more than 0" in commands.error(
        "draw_second_looks", "--batch", "campaign", "--share", "0"
    )
