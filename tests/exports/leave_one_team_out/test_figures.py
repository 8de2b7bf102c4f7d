"""Accepted answers without those of a team: from the rows of a release to figures."""

from dataclasses import replace

import pytest

from exports.leave_one_team_out import figures
from exports.leave_one_team_out.jobs import BOOTSTRAP
from exports.rows.columns import EXTRACTED
from tests.exports.leave_one_team_out.worked_example import TRUTH, answers, result


def left_out(rows, tier="gold"):
    tiers = figures.ACCEPTED_TIERS[tier]
    lost = figures.lost_by_givers(figures.accepted_texts(rows, tiers))
    found = figures.figures(rows, TRUTH, lost, bootstrap=BOOTSTRAP, beat=lambda: None)
    return {run["run"]: run for run in found["em"]["runs"]}


def test_the_worked_example_has_its_values_from_the_rows():
    runs = left_out(answers())

    assert [
        (name, run["bias"]["value"], run["unique_share"]["value"]) for name, run in runs.items()
    ] == [
        ("a1", pytest.approx(2 / 3), 1),
        ("a2", pytest.approx(1 / 3), 1 / 2),
        ("b1", pytest.approx(1 / 3), 1),
        ("c1", 0, 0),
    ]


def test_a_run_without_a_team_is_left_out_by_itself():
    runs = left_out(answers(by_team=False))

    assert runs["a1"]["left_out"] == pytest.approx(2 / 3)
    assert {run["team"] for run in runs.values()} == {""}
    assert figures.n_without_team(answers(by_team=False)) == 4


def test_a_run_named_like_a_team_is_not_in_it():
    rows = [replace(row, team="" if row.run == "a2" else row.team) for row in answers()]
    rows = [replace(row, run="A" if row.run == "a2" else row.run) for row in rows]

    assert left_out(rows)["a1"]["left_out"] == pytest.approx(2 / 3)


def test_silver_answers_are_accepted_only_where_they_are_asked_for():
    rows = answers(tier="silver")

    assert left_out(rows)["a1"]["full"] == pytest.approx(1 / 3)
    assert left_out(rows, "silver")["a1"]["full"] == 1


def test_who_only_repeats_an_accepted_answer_did_not_find_it():
    """c1 came later: its answer equals a1's, and was not drawn."""
    late = [
        replace(row, answer="u", sampled="not_in_pool", answer_id="")
        if (row.run, row.turn_id) == ("c1", "3_1")
        else row
        for row in answers()
    ]

    runs = left_out(late)

    assert runs["a1"]["left_out"] == pytest.approx(1 / 3)
    assert runs["c1"]["full"] == runs["c1"]["left_out"] == 1


def test_turns_without_truth_are_not_scored():
    rows = [*answers(), *(replace(row, turn_id="4_1") for row in answers() if row.turn_id == "1_1")]

    assert left_out(rows) == left_out(answers())


def test_what_a_draw_without_the_team_would_not_draw_is_lost():
    """Without C the question 2_1 has too few answers: r and s go, though A and B gave them."""
    accepted = figures.accepted_texts(answers(), ["gold"])
    without = {
        "A": {("2_1", "r"), ("2_1", "s")},
        "B": {("1_1", "p"), ("2_1", "s"), ("3_1", "u")},
        "C": {("1_1", "p"), ("3_1", "u")},
    }

    lost = figures.lost_when_redrawn(accepted, accepted.keys(), without)

    assert lost == {
        ("1_1", "p"): {"A"},
        ("2_1", "r"): {"B", "C"},
        ("2_1", "s"): {"C"},
        ("3_1", "u"): {"A"},
    }


def test_an_accepted_answer_that_no_rule_drew_is_lost_with_the_only_team_that_gave_it():
    accepted = figures.accepted_texts(answers(), ["gold"])

    lost = figures.lost_when_redrawn(accepted, (), dict.fromkeys("ABC", ()))

    assert lost == figures.lost_by_givers(accepted)


def test_no_result_has_a_letter_that_a_database_refuses():
    assert "\0" not in str(result()) + str(left_out(answers(by_team=False)))


SENTENCE = {"kind": EXTRACTED, "run": "extracted", "team": "", "passage_id": "doc"}


def with_sentence(text="u"):
    """The answers, and those of c1 once more as sentences of evidence; at 3_1 it is `text`, accepted."""
    said = [replace(row, **SENTENCE) for row in answers() if row.run == "c1"]
    return [
        *answers(),
        *(replace(row, answer=text, tier="gold") for row in said if row.turn_id == "3_1"),
    ]


def lost_of(rows, givers):
    return figures.lost_by_givers(figures.accepted_texts(rows, ["gold"], givers))


@pytest.mark.parametrize(
    ("givers", "lost"),
    [({"A"}, {"A"}), ({"A", "B"}, set()), ({"A", figures.OFFERED}, set()), (set(), set())],
)
def test_a_sentence_is_lost_with_the_only_team_whose_citations_offered_its_passage(givers, lost):
    rows = with_sentence("A sentence.")

    assert lost_of(rows, {("3_1", "doc"): givers})["3_1", "A sentence."] == lost


def test_a_sentence_that_another_team_gave_as_its_answer_is_not_lost():
    """a1 of team A answers u; a passage that B cites has it as a sentence, too."""
    assert lost_of(with_sentence("u"), {("3_1", "doc"): {"B"}})["3_1", "u"] == set()


def test_sentences_are_no_run_that_is_ranked():
    rows = with_sentence()

    assert left_out(rows).keys() == left_out(answers()).keys()
    assert figures.n_without_team(rows) == figures.n_without_team(answers())


def test_drawn_anew_a_sentence_goes_with_the_team_that_offered_its_passage():
    accepted = figures.accepted_texts(
        with_sentence("A sentence."), ["gold"], {("3_1", "doc"): {"A"}}
    )
    kept = dict.fromkeys("ABC", accepted.keys())

    lost = figures.lost_when_redrawn(accepted, accepted.keys(), kept)

    assert lost["3_1", "A sentence."] == {"A"}
