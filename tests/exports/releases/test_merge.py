import json
from dataclasses import replace
from random import Random

import pytest

from exports.releases.merge import ALTERNATIVE, extended_truth
from exports.rows import earlier_answers
from exports.rows.per_run import FAITHFULNESS_COLUMNS, PLAUSIBILITY_OUTCOMES
from exports.rows.tiers import TIERS, tier
from tests.cases import all_cases
from tests.corpus.release_folders import accepted as accepted_earlier
from tests.exports.rows_for_tests import CAT, CMD, LION, SPAN, answer, item, study


def source(turn, text="A cat."):
    conversation, number = map(int, turn.split("_"))
    return {
        "Conversation_no": conversation,
        "Turn_no": number,
        "Truth_rewrite": "What is a lion?",
        "Truth_passages": ["p9", "p1"],
        "Truth_answer": text,
    }


TURNS = [(turn, source(turn)) for turn in ("1_3", "1_1", "1_2")]
GOLD = {"plausibility": "plausible", "faithfulness": "faithful", "tier": "gold"}
SILVER = {"plausibility": "plausible", "faithfulness": "not_asked", "tier": "silver"}
BOTH = [item(), item(scheme="faithfulness")]


def merged(items, answers, *, tiers=TIERS, turns=TURNS):
    return extended_truth(turns, items, answers, tiers=tiers)


def accepted(records, turn=1):
    [record] = [record for record in records if record["Turn_no"] == turn]
    return record[ALTERNATIVE]


def study_merged(tiers):
    rows = study()
    return merged(rows["items"], rows["answers"], tiers=tiers)


def test_gold_is_plausible_and_faithful_and_silver_is_plausible_and_nobody_could_say():
    tiers = {
        (plausibility, faithfulness): tier(plausibility, faithfulness)
        for plausibility in PLAUSIBILITY_OUTCOMES
        for faithfulness in (*FAITHFULNESS_COLUMNS, "")
    }

    assert {pair for pair, found in tiers.items() if found} == {
        ("plausible", "faithful"),
        ("plausible", "not_asked"),
        ("plausible", "no_evidence"),
    }
    assert tiers["plausible", "faithful"] == "gold"
    assert tiers["plausible", "not_asked"] == tiers["plausible", "no_evidence"] == "silver"


def test_a_gold_answer_carries_its_runs_votes_evidence_and_the_later_time():
    """LION of the study: plausible on the 2nd of January, faithful on the 5th, given by r1 and r2."""
    assert accepted(study_merged(["gold"])) == [
        {
            "answer": LION,
            "tier": "gold",
            "runs": ["r1", "r2"],
            "plausible": {
                "verdict": "plausible",
                "source": "consensus",
                "votes": {"plausible": 2},
            },
            "faithful": {
                "status": "faithful",
                "source": "consensus",
                "votes": {"faithful": 2},
                "batch": "f1",
            },
            "evidence": [SPAN],
            "batch": "p1",
            "accepted_at": "2026-01-05T12:00:00.000000Z",
        }
    ]


def test_silver_answers_come_after_gold_by_code_point_with_their_status_in_words():
    found = accepted(study_merged(TIERS))

    assert [each["answer"] for each in found] == [LION, CMD, CAT]
    assert [each["tier"] for each in found] == ["gold", "silver", "silver"]
    assert found[1]["faithful"] == {"status": "not asked"}
    assert found[2]["faithful"] == {"status": "no evidence"}
    assert found[2]["plausible"] == {
        "verdict": "plausible",
        "source": "adjudication",
        "votes": {"implausible": 1, "plausible": 1},
    }
    assert [each["evidence"] for each in found[1:]] == [[], []]
    assert [each["accepted_at"][:10] for each in found] == [
        "2026-01-05",
        "2026-01-02",
        "2026-01-09",
    ]


def test_gold_is_accepted_when_the_plausibility_verdict_came_last():
    items = [item(decided_at="2026-02-01T00:00:00.000000Z"), BOTH[1]]

    [found] = accepted(merged(items, [answer(**GOLD)]))

    assert found["accepted_at"] == "2026-02-01T00:00:00.000000Z"


def test_the_truth_comes_out_untouched_and_in_its_own_order():
    records = study_merged(TIERS)

    without = [{k: v for k, v in record.items() if k != ALTERNATIVE} for record in records]
    assert without == [source for _, source in TURNS]
    assert [len(record[ALTERNATIVE]) for record in records] == [0, 3, 0]


def test_the_sources_are_not_changed():
    turns = [("1_1", source("1_1"))]

    merged(BOTH, [answer(**GOLD)], turns=turns)

    assert turns == [("1_1", source("1_1"))]


def test_a_turn_without_a_truth_record_is_left_out():
    records = merged([], [], turns=[("1_1", {}), ("1_2", source("1_2", ""))])

    assert [record["Turn_no"] for record in records] == [2]
    assert records[0][ALTERNATIVE] == []


@pytest.mark.parametrize("rows", [{"items": [], "answers": []}, {"items": BOTH, "answers": []}])
def test_without_runs_the_truth_gains_nothing(rows):
    assert accepted(merged(**rows)) == []


def test_where_nothing_is_plausible_the_truth_gains_nothing():
    rows = [answer(plausibility="implausible"), answer(turn="1_2"), answer(sampled="empty")]

    assert all(record[ALTERNATIVE] == [] for record in merged([item(verdict="implausible")], rows))


def test_the_text_is_the_one_that_was_judged():
    [found] = accepted(merged(BOTH, [answer("  Lions are cats.\n", **GOLD)]))

    assert found["answer"] == "Lions are cats."


def test_a_run_whose_name_holds_the_separator_is_one_run():
    rows = [answer(run="a|b", **SILVER), answer(run="a", **SILVER)]

    [found] = accepted(merged([item(runs="a|a|b")], rows))

    assert found["runs"] == ["a", "a|b"]


def test_the_item_that_has_the_say_is_read():
    older = item(item_id="old", batch="p0", verdict="implausible", is_newest=False)
    control = item(item_id="control", batch="p2", is_control=True)
    stale = replace(BOTH[1], item_id="stale", batch="f0", stands=False)

    [found] = accepted(merged([control, older, stale, *BOTH], [answer(**GOLD)]))

    assert (found["batch"], found["faithful"]["batch"]) == ("p1", "f1")


def test_the_order_of_rows_changes_nothing():
    rows = study()
    shuffled = {name: Random(1).sample(each, len(each)) for name, each in rows.items()}

    found = merged(shuffled["items"], shuffled["answers"])

    assert found == merged(rows["items"], rows["answers"])


def test_records_hold_json_values_only():
    records = study_merged(TIERS)

    assert json.loads(json.dumps(records)) == records


@all_cases(
    ("items", "answers", "message"),
    [
        ([], [answer(**SILVER)], "1_1:Lions are cats. has no verdict 'plausible'"),
        ([item(verdict="malformed")], [answer(**SILVER)], "has no verdict 'plausible'"),
        ([item()], [answer(**GOLD)], "has no verdict 'faithful'"),
        ([item(), replace(BOTH[1], stands=False)], [answer(**GOLD)], "no verdict 'faithful'"),
        ([*BOTH, item(item_id="x")], [answer(**GOLD)], "two items have the say"),
        (BOTH, [answer(**GOLD), answer(run="r2", **SILVER)], "rows of the answer .* differ"),
        ([item(turn="7_7")], [answer(turn="7_7", **SILVER)], "turns without truth: 7_7"),
    ],
)
def test_tables_that_contradict_each_other_are_refused(items, answers, message):
    with pytest.raises(ValueError, match=message):
        merged(items, answers)


def standing_earlier(earlier, items, answers):
    return earlier_answers.standing(earlier, earlier_answers.tiers_decided(items, answers))


def test_of_an_earlier_release_stays_what_nobody_decided_about_here():
    """The lion's turn has an answer that is gold here, and one of the earlier release alone."""
    items, answers = BOTH, [answer(**GOLD)]
    decided = items[0].answer
    earlier = {
        "1_1": [accepted_earlier(decided, "silver"), accepted_earlier("A big cat.", "silver")]
    }

    standing = standing_earlier(earlier, items, answers)
    records = extended_truth(TURNS, items, answers, tiers=TIERS, earlier=standing)

    found = [(each["answer"], each["tier"]) for each in accepted(records)]
    assert found == [(decided, "gold"), ("A big cat.", "silver")]


def test_what_was_decided_against_here_is_gone():
    items = [item(verdict="implausible")]
    earlier = {"1_1": [accepted_earlier(items[0].answer)]}

    assert standing_earlier(earlier, items, [answer(plausibility="implausible")]) == {}


def test_gold_of_an_earlier_release_stays_gold_where_nobody_asked_whether_it_is_faithful():
    items, answers = [item()], [answer(**SILVER)]
    earlier = {"1_1": [accepted_earlier(items[0].answer)]}

    standing = standing_earlier(earlier, items, answers)

    for tiers in (TIERS, TIERS[:1]):
        records = extended_truth(TURNS, items, answers, tiers=tiers, earlier=standing)
        assert [each["tier"] for each in accepted(records)] == ["gold"]
