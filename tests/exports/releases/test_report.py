import json
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from annotation.models import SetAside, VerdictState
from annotation.schemes.plausibility import SCHEME as PLAUSIBILITY
from exports.relations.figures import relation_figures
from exports.releases.merge import extended_truth
from exports.releases.report import CountedAnswers, report
from exports.rows.tiers import TIERS, tier
from exports.writers import json_file
from stats.aggregation import consensus
from stats.aggregation.consensus import RULES
from tests.cases import all_cases
from tests.exports.rows_for_tests import (
    CAT,
    CMD,
    KEPT,
    LION,
    SAID,
    answer,
    answer_id,
    excluded_under,
    item,
    judged,
    judgement,
    precision,
    study,
    without_verdict,
)

NOTHING = {"judgements": [], "items": [], "answers": []}
NO_RUNS = {
    "rates": [],
    "pairs": [],
    "n_tested": 0,
    "n_open": 0,
    "groups": [],
    "typical": {
        "n_pairs": 0,
        "n_questions": 0.0,
        "discordance": None,
        "design_effect": 1.0,
        "detectable": None,
        "reason": "it takes two runs with settled answers",
        "detectable_holm": None,
        "holm_reason": "it takes two runs with settled answers",
        "needed": [{"difference": each, "n_questions": None} for each in (0.05, 0.1)],
    },
}
AUDITED = [
    precision(LION, n_gold=3, n_silver=2),
    precision("a", n_gold=3, n_silver=2, plausibility="implausible", faithfulness=""),
    precision("b", n_gold=3, n_silver=2, plausibility="", faithfulness="", tier_now=""),
    precision("c", n_gold=3, n_silver=2, tier="silver", faithfulness=""),
    precision("d", audit=2, n_gold=50, n_silver=9),
]


def reported(rows=NOTHING, **changes):
    return report(**{**rows, **changes})


def agreement(rows, batch=0):
    [figures] = reported(**rows)["batches"][batch]["agreement"].values()
    return figures


def judged_items(*labels_of_items, one_turn=False, **changes):
    """Items of a conversation each (or of one turn), judged with these labels."""
    items = [
        item(f"Answer {n}", turn="1_1" if one_turn else f"{n}_1", **changes)
        for n in range(1, len(labels_of_items) + 1)
    ]
    pairs = zip(items, labels_of_items, strict=True)
    said = [row for each, labels in pairs for row in judged(each, *labels)]
    return {"items": items, "judgements": said, "answers": []}


def large_study(*, n_turns=40, seed=3):
    """Tables that hold together, with texts and endings by chance."""
    chance = Random(seed)
    rows = {"judgements": [], "items": [], "answers": []}
    for number in range(1, n_turns + 1):
        runs = chance.sample([f"r{n}" for n in range(1, 9)], 8)  # each has one answer to a turn
        for text in chance.sample(["a, b", 'c "d"', "é\nf", "=1+1", "NA", "x\ry"], 4):
            own = sorted(runs.pop() for _ in range(chance.choice([1, 2])))
            _add_answer(rows, text, f"1_{number}", chance, own)
    return rows


def _add_answer(rows, text, turn, chance, runs):
    labels = ["plausible", "plausible", "plausible", "implausible", "malformed"]
    said = [chance.choice(labels) for _ in range(chance.choice([1, 2, 2, 3]))]
    agreed = len(set(said)) == 1 and len(said) > 1
    decided = {"verdict": said[0]} if agreed else without_verdict("disputed")
    asked = item(text, turn=turn, **decided)
    rows["items"].append(asked)
    rows["judgements"] += [
        replace(row, active_seconds=chance.uniform(1, 20)) for row in judged(asked, *said)
    ]
    plausibility = said[0] if agreed else "disputed"
    faithfulness = ""
    if plausibility == "plausible":
        faithfulness = chance.choice(["faithful", "unfaithful", "not_asked"])
    if faithfulness in ("faithful", "unfaithful"):
        again = item(text, turn=turn, scheme="faithfulness", verdict=faithfulness)
        rows["items"].append(again)
        rows["judgements"] += judged(again, faithfulness, faithfulness)
    rows["answers"] += [
        answer(
            text,
            turn=turn,
            run=run,
            plausibility=plausibility,
            faithfulness=faithfulness,
            tier=tier(plausibility, faithfulness),
            first_credit=run == runs[0],
        )
        for run in runs
    ]


def test_the_funnel_of_the_study_worked_by_hand():
    """13 answers, of which 9 drawn: b CMD GNU, r1 LION DEER GNU, r2 LION EMU, r3 CAT FISH.

    Distinct: 7 drawn, and the question, "gnus", "" and "Who knows?" that were not. Of the drawn EMU
    (disputed) and FISH (excluded) are not settled; DEER is implausible; LION alone is faithful.
    """
    steps = reported(study())["funnel"]

    assert [tuple(step.values()) for step in steps] == [
        ("answers", 13, 11, 4),
        ("drawn", 9, 7, 3),
        ("settled", 7, 5, 3),
        ("plausible", 6, 4, 2),
        ("faithful", 2, 1, 1),
        ("gold", 2, 1, 1),
        ("silver", 2, 2, 1),
    ]


def test_what_the_report_is_about():
    found = reported(study(), seed=7, replicates=1_200)

    assert (found["study"], found["dataset"], found["is_rehearsal"]) == (
        "zoo",
        "animals v1",
        False,
    )
    assert found["bootstrap"] == {"replicates": 1_200, "seed": 7}
    assert found["accepted"] == {"gold": 1, "silver": 2}
    assert [row["run"] for row in found["per_run"]] == ["r1", "r2", "r3", "b"]


def test_the_batches_of_the_study_worked_by_hand():
    """p1: 7 items and a control; 14 judgements that count, and one each of the other four fates.

    The 18 took 14·6 + 3 + 1 + 12 + 2 = 102 seconds. f1: 3 items, of which CAT had no evidence.
    """
    faithfulness, plausibility = reported(study())["batches"]

    assert plausibility["n_items"] == 7
    assert plausibility["n_controls"] == 1
    assert plausibility["n_judgements"] == {
        "all": 18,
        "counted": 14,
        "not_counted": 1,
        "surplus": 1,
        "withdrawn": 1,
        "on_controls": 1,
    }
    assert plausibility["n_annotators"] == 3
    assert plausibility["verdicts"] == {"plausible": 4, "implausible": 1}
    assert plausibility["sources"] == {"consensus": 4, "adjudication": 1}
    assert (plausibility["n_disputed"], plausibility["n_unsettled"]) == (1, 0)
    assert plausibility["set_aside"] == {"excluded": 1}
    assert plausibility["active_time"] == {
        "n_judgements": 18,
        "total_minutes": 1.7,
        "median_seconds": 6.0,
        "reason": None,
    }
    assert (faithfulness["batch"], faithfulness["scheme"]) == ("f1", "faithfulness")
    assert faithfulness["verdicts"] == {"faithful": 1, "unfaithful": 1}
    assert faithfulness["set_aside"] == {"no evidence": 1}


def test_the_agreement_of_the_study_worked_by_hand():
    """FISH is excluded; LION pp, CAT pi, CMD pp, DEER ii, EMU pm, GNU pp: before adjudication.

    Raw: 4 of 6 agree. Labels: 8 p, 3 i, 1 m, so alpha = 1 - 11·2 / (8·3 + 8·1 + 3·1) = 13/35. AC1: the
    shares are 8/12, 3/12, 1/12, E = (8·4 + 3·9 + 1·11) / 144 / 2 = 70/288, AC1 = (4/6 - E) / (1 - E).
    """
    figures = agreement(study(), batch=1)

    raw, alpha = figures["raw"], figures["alpha"]
    assert raw["value"] == pytest.approx(4 / 6)
    assert (raw["n_items"], raw["n_judgements"], raw["n_annotators"]) == (6, 12, 2)
    assert (raw["n_questions"], raw["labels"]) == (3, ["implausible", "malformed", "plausible"])
    assert raw["wilson"]["reason"] == "items of one question are not independent"
    assert (raw["n_conversations"], raw["interval"]["reason"]) == (1, "a single conversation")
    assert alpha["value"] == pytest.approx(13 / 35)
    chance = 70 / 288
    assert figures["ac1"]["value"] == pytest.approx((4 / 6 - chance) / (1 - chance))
    assert figures["prevalence"] == pytest.approx(
        {"plausible": 8 / 12, "implausible": 3 / 12, "malformed": 1 / 12}
    )


def test_wilson_stands_where_each_item_is_a_conversation_of_its_own():
    rows = judged_items(*[["plausible"] * 2] * 8, ["plausible", "implausible"])

    raw = agreement(rows)["raw"]

    assert raw["value"] == pytest.approx(8 / 9)
    assert raw["wilson"]["low"] < 8 / 9 < raw["wilson"]["high"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (judged_items(["plausible"], ["implausible"]), "a single annotator"),
        (judged_items([], []), "no judgements"),
        (judged_items(["plausible"] * 2, ["plausible"] * 2), None),
    ],
)
def test_what_is_undefined_is_none_with_the_reason(rows, reason):
    figures = agreement(rows)

    assert figures["raw"]["reason"] == reason
    assert (figures["raw"]["value"] is None) == (reason is not None)
    assert figures["alpha"]["value"] is figures["ac1"]["value"] is None
    assert figures["alpha"]["reason"] == (reason or "one category only")


def test_a_single_turn_has_agreement_and_no_interval():
    rows = judged_items(["plausible"] * 2, ["plausible", "implausible"], one_turn=True)

    raw = agreement(rows)["raw"]

    assert raw["value"] == 0.5
    assert (raw["interval"]["low"], raw["interval"]["reason"]) == (None, "a single question")


@pytest.mark.parametrize(
    "left_out", [{"is_excluded": True}, {"is_control": True, "n_wanted": None}]
)
def test_control_and_excluded_items_are_left_out_of_agreement(left_out):
    rows = judged_items(["plausible"] * 2, ["plausible", "implausible"])
    disagreeing = replace(rows["items"][1], **left_out)

    raw = agreement({**rows, "items": [rows["items"][0], disagreeing]})["raw"]

    assert (raw["value"], raw["n_items"]) == (1.0, 1)


def test_judgements_that_do_not_count_are_left_out_of_agreement():
    rows = judged_items(["plausible"] * 2, ["plausible"] * 2)
    rows["judgements"] += [
        judgement(each, "w3", "malformed", counted=False) for each in rows["items"]
    ]

    assert agreement(rows)["raw"]["n_judgements"] == 4


def test_a_judgement_of_several_rows_is_one_submission_and_each_question_has_its_agreement():
    [first, second] = items = [item("A"), item("B", turn="1_2")]
    said = [*judged(first, "plausible", "plausible"), *judged(second, "plausible", "malformed")]
    also = [replace(row, question="fluency", label="yes") for row in said]

    [batch] = reported(items=items, judgements=[*said, *also])["batches"]

    assert batch["n_judgements"]["all"] == 4
    assert batch["agreement"]["plausibility"]["raw"]["value"] == 0.5
    assert batch["agreement"]["fluency"]["raw"]["value"] == 1.0


def test_a_judgement_taken_back_and_given_again_is_two_submissions():
    asked = item()
    withdrawn = judgement(asked, "w1", "malformed", withdrawn=True, counted=False)
    again = judgement(asked, "w1", "plausible", submitted_at="2026-01-01T12:01:00.000000Z")

    [batch] = reported(items=[asked], judgements=[withdrawn, again])["batches"]

    assert (batch["n_judgements"]["all"], batch["n_judgements"]["withdrawn"]) == (2, 1)
    assert batch["n_annotators"] == 1


def test_the_clusters_of_the_study_worked_by_hand():
    """Plausible: three in 1_1, none in 1_2, GNU in 1_3; gold: LION. 1_4 had nothing drawn."""
    assert reported(study())["clusters"] == {
        "n_turns": 3,
        "by_n_plausible": [
            {"n_answers": 0, "n_turns": 1},
            {"n_answers": 1, "n_turns": 1},
            {"n_answers": 3, "n_turns": 1},
        ],
        "by_n_gold": [{"n_answers": 0, "n_turns": 2}, {"n_answers": 1, "n_turns": 1}],
        "several_plausible": [
            {
                "turn_id": "1_1",
                "n_plausible": 3,
                "n_gold": 1,
                "answer_ids": sorted(answer_id(text, "1_1") for text in (LION, CAT, CMD)),
            }
        ],
    }


def test_unlike_verdicts_of_two_batches_are_listed():
    first = item()
    second = replace(first, batch="p2", item_id="again", verdict="malformed", is_newest=False)
    unsettled = item("B", turn="1_2", **without_verdict("disputed"))
    other = replace(unsettled, batch="p2", item_id="B again", state="decided", verdict="plausible")

    [conflict] = reported(items=[second, first, unsettled, other])["conflicts"]

    assert conflict["answer_id"] == first.answer_id
    assert [
        (each["batch"], each["verdict"], each["is_newest"]) for each in conflict["verdicts"]
    ] == [
        ("p1", "plausible", True),
        ("p2", "malformed", False),
    ]


def test_equal_verdicts_and_those_of_controls_are_no_conflict():
    first = item()
    equal = replace(first, batch="p2", item_id="again", is_newest=False)
    control = replace(equal, batch="p3", item_id="c", verdict="malformed", is_control=True)

    assert reported(items=[first, equal, control])["conflicts"] == []


def test_a_verdict_that_no_longer_stands_is_listed():
    stale = item(scheme="faithfulness", stands=False, came_from="p1:x")
    undecided = item("B", scheme="faithfulness", stands=False, **without_verdict("disputed"))
    rows = [item(verdict="implausible"), stale, undecided]

    [found] = reported(items=rows)["not_standing"]

    assert (found["item_id"], found["verdict"], found["came_from"]) == (
        stale.item_id,
        "faithful",
        "p1:x",
    )


def test_without_rows_the_report_says_so_and_claims_nothing():
    assert reported() == {
        "study": None,
        "dataset": None,
        "is_rehearsal": None,
        "bootstrap": {"replicates": 1_000, "seed": 0},
        "funnel": [
            {"step": step, "n_answers": 0, "n_distinct": 0, "n_turns": 0}
            for step in ("answers", "drawn", "settled", "plausible", "faithful", "gold", "silver")
        ],
        "accepted": {"gold": 0, "silver": 0},
        "batches": [],
        "conflicts": [],
        "not_standing": [],
        "per_run": [],
        "runs": {
            "drawn": "all",
            "measures": dict.fromkeys(("plausible", "faithful", "gold"), NO_RUNS),
            "with_excluded": {"n_excluded": 0, "rates": {}},
        },
        "precision": [],
        "clusters": {"n_turns": 0, "by_n_plausible": [], "by_n_gold": [], "several_plausible": []},
        "relations": relation_figures([]),
    }


def test_a_batch_nobody_judged_is_reported_as_unsettled():
    rows = {"items": [item(**without_verdict(""))], "answers": [answer()]}

    found = reported(**rows)
    [batch] = found["batches"]

    assert (batch["n_unsettled"], batch["n_annotators"], batch["verdicts"]) == (1, 0, {})
    assert batch["active_time"] == {
        "n_judgements": 0,
        "total_minutes": 0.0,
        "median_seconds": None,
        "reason": "no judgements",
    }
    assert found["per_run"][0]["plausible_rate"] is None


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        ({"answers": [answer(), answer(dataset="animals v2", run="r2")]}, "dataset"),
        ({"items": [item(), item("B", study="other")]}, "study"),
        ({"items": [item(), item("B", is_rehearsal=True)]}, "is_rehearsal"),
    ],
)
def test_tables_of_two_studies_data_sets_or_kinds_are_refused(rows, name):
    with pytest.raises(ValueError, match=f"{name} differs between the rows"):
        reported(**rows)


@pytest.mark.parametrize("rows", [study() | {"precision": AUDITED}, large_study()])
def test_the_order_of_rows_changes_no_byte(rows):
    shuffled = {name: Random(5).sample(each, len(each)) for name, each in rows.items()}

    assert json_file.text(reported(shuffled)) == json_file.text(reported(rows))


def test_the_report_holds_json_values_only():
    found = reported(large_study())

    assert json.loads(json_file.text(found)) == found


def test_the_accepted_answers_are_as_many_as_those_of_the_extended_truth():
    rows = large_study()
    turns = [(f"1_{n}", {"Conversation_no": 1, "Turn_no": n}) for n in range(1, 41)]

    merged = extended_truth(turns, rows["items"], rows["answers"], tiers=TIERS)

    tiers = [each["tier"] for record in merged for each in record["Truth_answers_alternative"]]
    assert {name: tiers.count(name) for name in TIERS} == reported(rows)["accepted"]
    assert min(map(tiers.count, TIERS)) > 5


@pytest.mark.parametrize("rule", RULES)
def test_whatever_a_rule_makes_of_an_excluded_item_it_is_reported(rule):
    rows = excluded_under(rule)
    votes = {each.item_id: {} for each in rows["items"]}
    for row in rows["judgements"]:
        votes[row.item_id][row.annotator] = row.label
    outcomes = RULES[rule](votes, labels=PLAUSIBILITY.labels).values()

    found = reported(rows)["runs"]["with_excluded"]

    (rate,) = found["rates"]["plausible"]
    assert found["n_excluded"] == rate["n_excluded"] == len(SAID)
    settled = [each.label for each in list(outcomes)[: len(SAID)] if each.label]
    assert rate["n_questions"] == len(KEPT) + len(settled)
    assert rate["n_accepted"] == len(KEPT) + settled.count("plausible")
    reasons = {each.reason for each in outcomes}
    assert {consensus.TOO_FEW, consensus.DISAGREEMENT} <= reasons
    assert (consensus.UNCERTAIN in reasons) == (rule == "posterior")


@all_cases("rule", [*RULES, ""])
@all_cases("said", SAID.values(), ids=SAID)
def test_every_state_and_reason_under_every_rule_is_reported(said, rule):
    """Also those that no action leaves."""
    ends = list(product(["", *VerdictState.values], ["", *SetAside.values]))
    items = [
        item(
            f"{number}",
            turn=f"{number}_1",
            **without_verdict(state, reason, rule=rule, is_excluded=reason == SetAside.EXCLUDED),
        )
        for number, (state, reason) in enumerate(ends)
    ]
    rows = [row for each in items for row in judged(each, *said.split())]
    answers = [
        answer(
            f"{number}",
            turn=f"{number}_1",
            plausibility="excluded" if reason == SetAside.EXCLUDED else "disputed",
        )
        for number, (_, reason) in enumerate(ends)
    ]

    found = reported({"items": items, "judgements": rows, "answers": answers})

    n_excluded = len([reason for _, reason in ends if reason == SetAside.EXCLUDED])
    assert found["runs"]["with_excluded"]["n_excluded"] == n_excluded > 0


# Of half a million answers a release holds those that were drawn


def test_a_report_of_counted_answers_is_that_of_all_their_rows():
    many = large_study()
    many["answers"] += [
        answer(text, turn=turn, run="r9", sampled=sampled)
        for text, turn, sampled in product("ab", ("1_1", "1_2"), ("below_threshold", "empty"))
    ]
    counted = CountedAnswers()
    passed = list(counted.counting(iter(many["answers"])))

    assert passed == many["answers"]
    found = reported(many | {"answers": counted.rows}, answers_step=counted.step())
    assert found == reported(many)


def test_answers_that_were_not_drawn_share_a_row_of_their_run():
    rows = [
        answer(f"text {n}", run=run, turn=f"{n}_1", sampled="below_threshold", answer_id="")
        for run in ("r1", "r2")
        for n in range(50)
    ]
    counted = CountedAnswers()
    list(counted.counting(rows))

    assert len(counted.rows) == 100
    assert len({id(row) for row in counted.rows}) == 2
