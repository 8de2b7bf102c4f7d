"""Judgements as records: what counts, and whom it is credited to."""

from dataclasses import replace

from exports.comparison.records_from_rows import records
from stats.pairwise.records import PassageJudgement, Preference, Rating, SupportJudgement
from tests.exports.rows_for_tests import item, judgement


def row(question, **fields):
    about = {"turn_id": "1_1", "answer_id": "a", "runs": "alder|birch", "question": question}
    return judgement(item(), "p1", fields.pop("label", ""), **(about | fields))


def test_a_rating_counts_for_each_run_that_gave_the_answer():
    rows = [
        row("appropriate", value=4.0),
        row("faithful", value=2.0),
        row("unknown", label="no"),
        row("incoherent", label="yes"),
    ]

    found = records(rows, unanswerable={"1_1"})

    assert found.ratings == [
        Rating("1_1", run, "a", "p1", 2.0, 4.0, incoherent=True, is_answerable=False)
        for run in ("alder", "birch")
    ]


def test_a_rating_without_a_passage_has_no_faithful():
    (found, _) = records([row("appropriate", value=1.0)], ()).ratings

    assert (found.faithful, found.appropriate) == (None, 1.0)


def test_a_comparison_counts_for_each_pair_of_runs_left_first():
    rows = [
        row("preference", label="preferred", position=2),
        row("preference", label="other", position=1, answer_id="b", runs="cedar"),
    ]

    found = records(rows, ()).comparisons

    assert [(each.left, each.right, each.winner()) for each in found] == [
        ("cedar", "alder", "alder"),
        ("cedar", "birch", "birch"),
    ]
    assert len({each.judgement for each in found}) == 1


def test_a_tie_is_nobody_s():
    rows = [
        row("preference", label="tie", position=1, runs="alder"),
        row("preference", label="tie", position=2, answer_id="b", runs="birch"),
    ]

    (found,) = records(rows, ()).comparisons

    assert isinstance(found, Preference)
    assert found.preferred == "tie"


def test_passages_are_told_with_what_they_support():
    rows = [
        row("relevant", label="irrelevant", passage_id="w", answer_id="", runs=""),
        row("supports", label="yes", passage_id="w", runs="alder"),
    ]

    found = records(rows, ())

    assert found.passage_judgements == [PassageJudgement("1_1", "w", "p1", is_relevant=False)]
    assert found.support_judgements == [
        SupportJudgement("1_1", "alder", "a", "w", "p1", supports=True)
    ]


def test_what_does_not_count_is_no_record():
    one = row("appropriate", value=4.0)

    for other in (replace(one, counted=False), replace(one, is_control=True)):
        assert records([other], ()).ratings == []
