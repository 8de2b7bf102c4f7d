"""Rows of the three tables with what a test does not care about filled in, and a small study of them."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import cycle
from random import Random

from exports.agreement.stored_figures import AgreementFigures
from exports.precision_audit.estimate import holds
from exports.releases.batch_report import batch_figures
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.derived_columns import PrecisionRow
from stats.bootstrap_settings import Bootstrap

SPAN = {"passage_id": "p1", "start": 4, "end": 21, "text": "Lions are cats. “”"}
FOUND = {
    "source": "overlap",
    "sas": 0.7,
    "f1": 0.5,
    "reference_f1": None,
    "cited_by": [],
    "quoted_by": [],
}


def answer_id(text, turn):
    return f"{turn}:{text.strip()}"


def own_evidence(faithfulness):
    """No run of these cites anything."""
    return "" if faithfulness in ("", "not_asked", "no_evidence") else "pool"


def answer(text="Lions are cats.", *, turn="1_1", run="r1", **changes):
    """A drawn answer that nobody has judged; with `sampled` something else, one that was not drawn."""
    is_drawn = changes.get("sampled", "drawn") == "drawn"
    row = AnswerRow(
        study="zoo",
        dataset="animals v1",
        run=run,
        kind="system",
        team="t",
        system="s",
        setup="rewritten",
        turn_id=turn,
        answer=text,
        sampled="drawn",
        score=0.9,
        answer_id=answer_id(text, turn) if is_drawn else "",
        represented_by="",
        plausibility="unjudged" if is_drawn else "",
        faithfulness="",
        tier="",
        first_credit=is_drawn,
        own_evidence=own_evidence(changes.get("faithfulness", "")),
    )
    return replace(row, **changes)


def item(text="Lions are cats.", *, turn="1_1", scheme="plausibility", **changes):
    """An item decided by consensus for the label that lets the answer go on."""
    label = {"plausibility": "plausible", "faithfulness": "faithful"}[scheme]
    row = ItemRow(
        study="zoo",
        batch=scheme[0] + "1",
        scheme=scheme,
        item_id=f"{scheme[0]}1:{turn}:{text}",
        turn_id=turn,
        question="What is a lion?",
        answer_id=answer_id(text, turn),
        answer=text,
        runs="r1",
        state="decided",
        verdict=label,
        source="consensus",
        rule="unanimous",
        set_aside_reason="",
        votes=json.dumps({label: 2}),
        posterior="{}",
        n_wanted=2,
        n_counted=2,
        is_excluded=False,
        is_control=False,
        is_rehearsal=False,
        is_newest=True,
        came_from="",
        stands=True,
        inclusion_probability=1.0,
        score=0.9,
        evidence=json.dumps([SPAN | FOUND]) if scheme == "faithfulness" else "",
        quoted_by="",
        cited_by="",
        decided_at={"p": "2026-01-02", "f": "2026-01-05"}[scheme[0]] + "T12:00:00.000000Z",
        after_sources=False,
    )
    return replace(row, **changes)


def without_verdict(state, reason="", **changes):
    no_verdict = {"verdict": "", "source": "consensus", "set_aside_reason": reason}
    return {"state": state, **no_verdict, **changes}


def judgement(of, annotator, label, **changes):
    """A counted judgement of an item."""
    row = JudgementRow(
        study=of.study,
        batch=of.batch,
        scheme=of.scheme,
        item_id=of.item_id,
        turn_id=of.turn_id,
        question=of.scheme,
        answer_id=of.answer_id,
        answer=of.answer,
        runs=of.runs,
        annotator=annotator,
        assignment_id=f"{of.item_id}/{annotator}",
        value=None,
        label=label,
        comment="",
        position=1,
        shown_at="2026-01-01T12:00:00.000000Z",
        submitted_at="2026-01-01T12:00:06.000000Z",
        active_seconds=6.0,
        withdrawn=False,
        surplus=False,
        flagged=False,
        is_control=of.is_control,
        is_rehearsal=of.is_rehearsal,
        paid=True,
        paid_reason="",
        counted=True,
        counted_reason="",
        guideline_sha256="0" * 64,
        payload_sha256="1" * 64,
    )
    row = replace(row, **changes)
    is_compared = row.counted and not row.is_control
    return replace(row, round=changes.get("round", 1 if is_compared else None))


def precision(text="Lions are cats.", *, turn="1_1", **changes):
    """An audited gold answer that holds."""
    row = PrecisionRow(
        study="zoo",
        dataset="animals v1",
        audit=1,
        tier="gold",
        n_gold=10,
        n_silver=0,
        turn_id=turn,
        answer_id=answer_id(text, turn),
        answer=text,
        plausibility="plausible",
        faithfulness="faithful",
        holds=None,
        tier_now="gold",
        plausibility_comment="",
        faithfulness_comment="",
    )
    row = replace(row, **changes)
    return replace(row, holds=holds(row.tier, row.plausibility, row.faithfulness))


def judged(of, *labels):
    return [judgement(of, f"w{number}", label) for number, label in enumerate(labels, start=1)]


def on_a_scale(*numbers_of_items, turns=("1_1", "2_1", "3_1")):
    """One batch whose items were given these numbers: "1 2.5" by two people."""
    items = [item(f"{n}", turn=turn) for n, turn in zip(range(len(numbers_of_items)), cycle(turns))]
    rows = [
        replace(row, label="", value=float(row.label))
        for each, numbers in zip(items, numbers_of_items, strict=True)
        for row in judged(each, *numbers.split())
    ]
    return {"judgements": rows, "items": items, "answers": []}


def asked_again(rows):
    """The same rows where two judgements were asked of each item, and the others are further ones."""
    n_of_item, said = Counter(), []
    for row in rows["judgements"]:
        n_of_item[row.item_id] += 1
        said.append(replace(row, round=max(1, n_of_item[row.item_id] - 1)))
    return rows | {"judgements": said}


def many_people(n_items=60):
    """Three of seven people judge each item, some days apart."""
    random = Random(7)
    people = [f"w{number}" for number in range(7)]
    items = [item(f"{n}", turn=f"{n // 2}_1") for n in range(n_items)]
    rows = [
        judgement(
            each,
            person,
            random.choice(["plausible", "plausible", "plausible", "malformed"]),
            submitted_at=f"2026-01-{1 + number % 25:02}T12:00:0{place}.000000Z",
        )
        for number, each in enumerate(items)
        for place, person in enumerate(random.sample(people, 3))
    ]
    return {"judgements": rows, "items": items, "answers": []}


@cache
def agreement_result(n_items=60):
    """What a job leaves of a batch that many people judged, as it is read back."""
    rows = many_people(n_items)
    found = batch_figures(
        "p1",
        judgements=rows["judgements"],
        items=rows["items"],
        bootstrap=Bootstrap(replicates=1000, seed=0),
    )
    basis = {"counts": {"judgement": found["n_judgements"]["counted"]}, "batches": []}
    stamp = {"version": AgreementFigures.version, "basis": basis}
    bootstrap = {"replicates": 1000, "seed": 0}
    return json.loads(json.dumps({**stamp, **found, "bootstrap": bootstrap}))


LION, CAT, CMD = "Lions are cats.", "A cat, of “Africa”", '=cmd|" /C calc"!A0'
DEER, EMU, FISH, GNU = "A deer\nor so", "إيمو 🐦", "A fish", "A gnu"


def _items():
    adjudicated = {
        "source": "adjudication",
        "votes": '{"implausible": 1, "plausible": 1}',
        "decided_at": "2026-01-09T12:00:00.000000Z",
    }
    second = {"scheme": "faithfulness", "came_from": "p1"}
    return [
        item(LION, runs="r1|r2"),
        item(CAT, **adjudicated),
        item(CMD),
        item(DEER, turn="1_2", verdict="implausible"),
        item(EMU, turn="1_2", **without_verdict("disputed")),
        item(FISH, turn="1_2", is_excluded=True, **without_verdict("set aside", "excluded")),
        item(GNU, turn="1_3"),
        item("A rock", is_control=True, n_wanted=None, **without_verdict("")),
        item(LION, **second),
        item(CAT, evidence="", **second, **without_verdict("set aside", "no evidence", votes="{}")),
        item(GNU, turn="1_3", **second, verdict="unfaithful"),
    ]


def _judgements(items):
    lion, cat, cmd, deer, emu, fish, gnu, rock, lion_again, _, gnu_again = items
    return [
        *judged(lion, "plausible", "plausible"),
        *judged(cat, "plausible", "implausible"),
        *judged(cmd, "plausible", "plausible"),
        *judged(deer, "implausible", "implausible"),
        *judged(emu, "plausible", "malformed"),
        *judged(fish, "plausible", "malformed"),
        *judged(gnu, "plausible", "plausible"),
        judgement(rock, "w1", "implausible", active_seconds=3.0),
        judgement(lion, "w3", "malformed", counted=False, withdrawn=True, active_seconds=1.0),
        judgement(cat, "w3", "malformed", counted=False, surplus=True, active_seconds=12.0),
        judgement(deer, "w3", "malformed", counted=False, active_seconds=2.0),
        *judged(lion_again, "faithful", "faithful"),
        *judged(gnu_again, "unfaithful", "unfaithful"),
    ]


def _answers():
    gold = {"plausibility": "plausible", "faithfulness": "faithful", "tier": "gold"}
    silver = {"plausibility": "plausible", "tier": "silver"}
    wrong = {"plausibility": "plausible", "faithfulness": "unfaithful"}
    base = {"run": "b", "kind": "baseline"}
    return [
        answer(f" {LION}", run="r1", **gold),
        answer(DEER, run="r1", turn="1_2", plausibility="implausible"),
        answer(GNU, run="r1", turn="1_3", first_credit=False, **wrong),
        answer("Who knows?", run="r1", turn="1_4", sampled="below_threshold"),
        answer(LION, run="r2", first_credit=False, **gold),
        answer(EMU, run="r2", turn="1_2", plausibility="disputed"),
        answer("gnus", run="r2", turn="1_3", sampled="represented", represented_by="1_3:A gnu"),
        answer(CAT, run="r3", faithfulness="no_evidence", **silver),
        answer(FISH, run="r3", turn="1_2", plausibility="excluded"),
        answer(" ", run="r3", turn="1_3", sampled="empty", score=None),
        answer(CMD, faithfulness="not_asked", **base, **silver),
        answer("What is a lion?", turn="1_2", sampled="same_as_question", **base),
        answer(GNU, turn="1_3", **base, **wrong),
    ]


def study():
    """A study small enough to be worked by hand.

    | turn | answer | runs  | plausibility: said, ended            | faithfulness: said, ended |
    | ---- | ------ | ----- | ------------------------------------ | ------------------------- |
    | 1_1  | LION   | r1 r2 | p p, plausible                       | f f, faithful: gold       |
    | 1_1  | CAT    | r3    | p i, adjudicated plausible, later    | no evidence: silver       |
    | 1_1  | CMD    | b     | p p, plausible                       | not asked: silver         |
    | 1_2  | DEER   | r1    | i i, implausible                     |                           |
    | 1_2  | EMU    | r2    | p m, disputed                        |                           |
    | 1_2  | FISH   | r3    | p m, excluded                        |                           |
    | 1_3  | GNU    | b r1  | p p, plausible                       | u u, unfaithful           |

    and a control item, a withdrawn, a surplus and a refused judgement, and four answers not drawn.
    """
    items = _items()
    return {"judgements": _judgements(items), "items": items, "answers": _answers()}


# How an item can be judged: whatever a rule may make of it is among these.
SAID = {
    "nobody": "",
    "too few": "plausible",
    "agreed": "plausible plausible",
    "two differ": "plausible implausible",
    "two of three": "plausible plausible implausible",
    "all differ": "plausible implausible malformed",
    "agreed on another": "malformed malformed malformed",
}
# What was said of the others: nobody is always right.
KEPT = [
    "plausible implausible plausible",
    "implausible plausible implausible",
    "malformed plausible implausible",
]


def excluded_under(rule):
    """A batch settled by the rule whose excluded items were judged in every way, and kept ones beside them."""
    out = {"is_excluded": True, "rule": "", **without_verdict("set aside", "excluded")}
    items, said, answers = [], [], []
    for number, labels in enumerate([*SAID.values(), *KEPT]):
        is_out = number < len(SAID)
        changes = out if is_out else {"rule": rule}
        items.append(item(f"{number}", turn=f"{number}_1", **changes))
        said += judged(items[-1], *labels.split())
        told = {"plausibility": "excluded"}
        if not is_out:
            told = {"plausibility": "plausible", "faithfulness": "not_asked", "tier": "silver"}
        answers.append(answer(f"{number}", turn=f"{number}_1", **told))
    return {"items": items, "judgements": said, "answers": answers}
