"""One answer a question: that all who worked on it gave, or that an adjudicator decided for. The world is in rounds.py."""

import json
from dataclasses import replace

import pytest

from annotation.actions import batches, written_decisions
from annotation.models import Batch, Judgement
from exports.written.columns import rows as written_rows
from exports.written.standing import AGREED, Decided, standing
from exports.written.standing import counts as counts_of
from tests.annotation.desk_pages import client_of
from tests.exports.judged_batches import reject
from tests.exports.written import rounds
from tests.exports.written.made_answers import answer
from tests.exports.written.test_export import export, meta, outputs, rows
from tests.exports.written.test_views import compute, text_of

THIRD = rounds.answered("It burnt oil,\nthen gas.", 2, 5, minimal="yes")


@pytest.fixture
def second(lights):
    """The second round of it, closed."""
    return batches.close(batch=Batch.objects.get(name="R2"), by=lights.study.created_by)


def decide(batch, key, label, by, response=None):
    item = rounds.item_of(batch, key)
    return written_decisions.decide(item=item, label=label, response=response, reason="=so", by=by)


def adjudicated(folder):
    return outputs(folder / "adjudicated.jsonl")


def counts(folder):
    return json.loads((folder / "manifest.json").read_text())["adjudicated"]


def decided(by, *annotators, **more):
    return meta(*annotators, **more) | {"decision": by}


def test_before_anybody_decides_the_file_has_what_was_agreed_on(second, lights, tmp_path):
    export(lights, tmp_path / "out")

    assert adjudicated(tmp_path / "out") == {
        "1": [
            ("It was lit in 1702.", [1, 3], decided(AGREED, 1, 2, round=2, non_consecutive=True))
        ],
        "4": [("", [], decided(AGREED, 1, 2, round=2))],
        "7": [("Gas.", [3], decided(AGREED, 1, 2, round=1))],
    }
    assert counts(tmp_path / "out") == {
        "n": 5,
        "agreed": 3,
        "first": 0,
        "second": 0,
        "third": 0,
        "left_out": 0,
        "several": 0,
        "open": 2,
    }


@pytest.mark.parametrize(
    ("label", "response", "output"),
    [
        (
            "first",
            None,
            ("It burnt oil.", [2, 5], decided("first", 1, round=1, non_consecutive=True)),
        ),
        (
            "second",
            None,
            (
                "It burnt oil and gas.",
                [2, 3, 5],
                decided("second", 2, round=2, non_consecutive=True),
            ),
        ),
        (
            "third",
            THIRD,
            (
                "It burnt oil,\nthen gas.",
                [2, 5],
                decided("third", round=3, minimal=True, non_consecutive=True),
            ),
        ),
    ],
)
def test_what_was_decided_is_the_one_answer_and_all_else_is_as_before(
    second, lights, carol, tmp_path, label, response, output
):
    export(lights, tmp_path / "before")
    decide(second, "2", label, carol, response)

    export(lights, tmp_path / "after")

    assert adjudicated(tmp_path / "after")["2"] == [output]
    assert counts(tmp_path / "after")[label] == 1
    for name in ("answers/dev.jsonl", "answers/train.jsonl", "round1.jsonl", "figures.json"):
        before, after = ((tmp_path / which / name).read_bytes() for which in ("before", "after"))
        assert before == after
    told = [
        (row["round"], row["decision"], row["decision_reason"])
        for row in rows(tmp_path / "after")
        if row["decision"]
    ]
    assert told == [("2", label, "=so")]


def test_a_question_that_is_left_out_in_the_end_has_no_line(second, lights, carol, tmp_path):
    decide(second, "3", "second", carol)

    export(lights, tmp_path / "out")

    assert "3" not in adjudicated(tmp_path / "out")
    assert (counts(tmp_path / "out")["left_out"], counts(tmp_path / "out")["open"]) == (1, 1)


def test_a_decision_about_an_answer_that_counts_no_more_is_not_exported(
    second, lights, carol, tmp_path
):
    decide(second, "2", "third", carol, THIRD)
    reject(Judgement.objects.get(assignment__item=rounds.item_of(second, "2")))

    export(lights, tmp_path / "out")

    assert "2" not in adjudicated(tmp_path / "out")
    assert not any(row["decision"] for row in rows(tmp_path / "out"))


def test_a_decision_leaves_the_figures_of_the_two_rounds_up_to_date(second, lights, carol, alice):
    client = client_of(alice)
    compute(client, lights)

    decide(second, "2", "first", carol)

    page = text_of(client, "written", lights)
    assert "Up to date" in page
    assert "Answers that differ" in page


def ends(*answers, **decisions):
    found = standing(answers, decisions)
    return found and (found.by, found.content.answer, [each.annotator for each in found.given])


def test_of_several_first_answers_all_have_to_end_with_the_same():
    one = answer("x", 1, n=1, person="A1")
    same, other = answer("x", 1, n=2, person="A2"), answer("y", 1, n=3, person="A3")
    assert ends(one, same) == (AGREED, "x", ["A1", "A2"])
    assert ends(one, other) is None

    seen = answer("x", 1, n=4, person="A4", round=2, first=3)
    assert ends(one, other, seen) is None
    decision = Decided("second", seen.content, minimal=False, reason="so")
    assert ends(one, other, seen, **{seen.item_id: decision}) == ("second", "x", ["A1", "A4"])


def counted(*answers, **decisions):
    found = counts_of({1: answers}, decisions)
    return {name for name, n in found.items() if n and name != "n"}


def test_answers_that_ended_apart_are_counted_as_several_and_not_as_open():
    one, other = answer("x", 1, n=1, person="A1"), answer("y", 1, n=2, person="A2")
    seen = replace(answer("z", 1, n=3, person="A3", round=2, first=2), item_id="of the other")
    decision = Decided("first", other.content, minimal=False, reason="so")

    assert counted(one, other) == {"several"}
    assert counted(one, other, seen) == {"open"}
    assert counted(one, other, seen, **{seen.item_id: decision}) == {"several"}


def test_who_skipped_in_the_first_round_holds_up_nobodys_answer():
    skip = replace(answer("", n=1, person="A1"), outcome="skip")
    one = answer("x", 1, n=2, person="A2")
    kept = answer("x", 1, n=3, person="A3", round=2, first=2)

    assert ends(skip, one, kept) == (AGREED, "x", ["A2", "A3"])
    assert counted(skip, one, kept) == {"agreed"}
    assert counted(skip, one) == {"open"}


def test_a_row_says_whether_an_adjudicator_decided_for_what_it_says():
    first = replace(answer("x", 1, n=1, person="A1"), item_id="of the first")
    several = [
        answer(text, 1, n=n, person=f"A{n}", round=2, first=1) for n, text in enumerate("yzx", 2)
    ]

    def decided_for(label, said):
        decisions = {"i": Decided(label, said, minimal=False, reason="so")}
        found = written_rows("s", [first, *several], decisions)
        return {row.annotator for row in found if row.decided_for}

    assert decided_for("second", several[1].content) == {"A3"}
    assert decided_for("first", first.content) == {"A1", "A4"}
    assert decided_for("third", answer("w", 1).content) == set()
