"""Two programs that know nothing of each other find the same numbers in the same tables."""

import json
from dataclasses import replace
from itertools import cycle
from random import Random

import pytest

from exports.releases.merge import extended_truth
from exports.releases.report import report
from exports.rows.columns import AnswerRow, ItemRow, JudgementRow, RunRow
from exports.rows.derived_columns import PrecisionRow, RelationRow
from exports.rows.per_run import run_rows
from exports.verification.accepted import accepted_answers, check_outcomes, deciding_items
from exports.verification.findings import Findings, Sign
from exports.verification.per_run import (
    FAITHFULNESS_LABELS,
    LABELS,
    NOT_SAMPLED,
    NOT_SETTLED,
    TIERS,
    per_run,
)
from exports.verification.tables import read_table
from exports.writers import csv_table, json_file
from stats.aggregation.consensus import RULES
from tests.exports.releases.test_report import large_study
from tests.exports.rows_for_tests import (
    answer,
    asked_again,
    excluded_under,
    item,
    judged,
    judgement,
    many_people,
    on_a_scale,
    precision,
    study,
    without_verdict,
)
from tests.exports.verification.recomputed import differences, recomputed
from tests.seeds import first_of

TABLES = {
    "judgements": JudgementRow,
    "items": ItemRow,
    "answers": AnswerRow,
    "precision": PrecisionRow,
    "relations": RelationRow,
}
ASKED = (*FAITHFULNESS_LABELS, *NOT_SETTLED, "no_evidence")
TIER = {"faithful": "gold", "no_evidence": "silver", "not_asked": "silver"}
ENDED = [*((p, "") for p in (*LABELS[1:], *NOT_SETTLED))]
ENDED += [("plausible", f) for f in (*ASKED, "not_asked", *TIER)]


def ending(word):
    """What an item of that ending has in its columns."""
    if word == "unjudged":
        return without_verdict("", source="", rule="", decided_at="")
    if word in NOT_SETTLED:
        reason = "disagreement" if word == "disputed" else word.replace("_", " ")
        return without_verdict("set aside", reason, is_excluded=word == "excluded")
    if word == "no_evidence":
        return without_verdict("set aside", "no evidence", evidence="", votes="{}")
    source = "adjudication" if word in ("implausible", "unfaithful") else "consensus"
    return {"verdict": word, "source": source, "votes": json.dumps({word: 2})}


def items_of(number, plausibility, faithfulness):
    """An answer's items, in two batches of plausibility and in one of faithfulness."""
    text, turn = f"answer {number}", f"{number % 5}_1"
    newest = item(text, turn=turn, **ending(plausibility))
    older = item(
        text,
        turn=turn,
        batch="older",
        item_id=f"older {number}",
        is_newest=False,
        verdict=LABELS[number % 3],
    )
    asked = {"came_from": newest.item_id, "scheme": "faithfulness", "turn": turn}
    if faithfulness in ASKED:
        return [newest, older, item(text, **asked, **ending(faithfulness))]
    if faithfulness == "not_asked":
        return [newest, item(text, **asked, stands=False, verdict="unfaithful")]
    return [newest]


def answers_of(number, plausibility, faithfulness):
    """Given by one run or two, each with one answer to a turn; their names do not sort as the numbers do."""
    runs = [("r10", "r2"), ("r3",), ("r21",), ("a", "r4")][number // 5 % 4]
    ended = {"plausibility": plausibility, "faithfulness": faithfulness}
    return [
        answer(
            f" answer {number}" if run == "r2" else f"answer {number}",
            turn=f"{number % 5}_1",
            run=run,
            tier=TIER.get(faithfulness, ""),
            first_credit=run == runs[0],
            **ended,
        )
        for run in runs
    ]


def said_of(items):
    """Nobody, one, two, three or four people judged an item, and every fate of a judgement occurs."""
    fates = cycle(
        [
            {"counted": False, "withdrawn": True, "active_seconds": 0.25},
            {"counted": False, "surplus": True, "active_seconds": 71.5},
            {"counted": False, "counted_reason": "random"},
            {"label": "", "value": 2.5},
            {"question": "how sure"},
        ]
    )
    rows = []
    for number, each in enumerate(items):
        labels = LABELS if each.scheme == "plausibility" else FAITHFULNESS_LABELS
        rows += judged(each, *([*labels, labels[0]][: number % 5]))
        fate = {"label": labels[number % 2]} | next(fates)
        rows.append(judgement(each, f"x{number % 3}", **fate))
    return rows


def every_state():
    numbered = list(enumerate(ENDED))
    items = [each for number, pair in numbered for each in items_of(number, *pair)]
    items.append(item("disputed", batch="q1", turn="1_1", **without_verdict("disputed")))
    items += [item(f"c{n}", is_control=True, **without_verdict("")) for n in range(3)]
    answers = [each for number, pair in numbered for each in answers_of(number, *pair)]
    for number, state in enumerate(NOT_SAMPLED):
        told = {"turn": f"{number}_1", "sampled": state}
        runs = ("r2", "unsampled", "r10")[: 1 + number % 3]
        answers += [answer("twice told", run=run, **told) for run in runs]
    rows = {"judgements": said_of(items), "items": items, "answers": answers}
    return rows | {"precision": audited()}


def plausibility_only(*labels_of_items, turns=("1_1", "2_1", "3_1")):
    """One batch whose items were given these labels, the items dealt out to the turns."""
    items = [item(f"{n}", turn=turn) for n, turn in zip(range(len(labels_of_items)), cycle(turns))]
    pairs = zip(items, labels_of_items, strict=True)
    rows = [row for each, labels in pairs for row in judged(each, *labels.split())]
    return {"judgements": rows, "items": items, "answers": []}


def at_random(seed):
    """A batch of any shape, with few turns and many ties."""
    random = Random(seed)
    labels = LABELS[: random.randint(1, 3)]
    most = random.choice([1, 2, 2, 3, 4])
    items = [
        item(
            f"{n}",
            turn=f"{random.randint(1, 12)}_1",
            is_control=random.random() < 0.1,
            is_excluded=random.random() < 0.1,
        )
        for n in range(random.randint(1, 25))
    ]
    rows = [
        judgement(each, worker, random.choice(labels), counted=random.random() < 0.9)
        for each in items
        for worker in random.sample(["w1", "w2", "w3", "w4", "w5"], random.randint(0, most))
    ]
    return {"judgements": rows, "items": items, "answers": []}


def runs_apart():
    """Three runs, two of them alike and one far behind; a fourth has no question in common with them."""
    random, answers = Random(3), []
    for turn in range(60):
        for run, share in (("fine", 0.95), ("good", 0.9), ("poor", 0.3)):
            label = "plausible" if random.random() < share else "malformed"
            asked = "not_asked" if label == "plausible" else ""
            said = {"plausibility": label, "turn": f"{turn}_1", "run": run, "faithfulness": asked}
            answers.append(answer(f"{run} {turn}", **said))
        said = {"plausibility": "plausible", "faithfulness": "not_asked", "run": "apart"}
        answers.append(answer("x", turn=f"{turn}_2", **said))
    return {"judgements": [], "items": [], "answers": answers}


def audited():
    """Two audits: one of both tiers, partly judged; one of gold with none of silver, one of its kind."""
    random = Random(5)
    rows = []
    for number in range(12):
        plausible = random.choice(["plausible"] * 4 + ["implausible", ""])
        tier = "gold" if number % 3 else "silver"
        said = {"plausibility": plausible, "tier": tier, "tier_now": tier if number else ""}
        asked = tier == "gold" and plausible == "plausible"
        said["faithfulness"] = random.choice(["faithful", "irrelevant", ""]) if asked else ""
        rows.append(precision(f"answer {number}", n_gold=30, n_silver=7, **said))
    rows += [precision("a", audit=2, n_gold=4, n_silver=3, plausibility="", faithfulness="")]
    rows += [precision("b", audit=3, n_gold=1, n_silver=0)]
    return rows


def a_rehearsal():
    rows = study()
    for name in ("judgements", "items"):
        rows[name] = [replace(row, is_rehearsal=True) for row in rows[name]]
    return rows


def drawn_unequally(rows):
    """The same with chances of being asked about of 1, 1/2 and 1/4, by question."""
    turns = sorted({row.turn_id for row in rows["items"]})
    chances = dict(zip(turns, cycle((1.0, 0.5, 0.25)), strict=False))
    items = [replace(row, inclusion_probability=chances[row.turn_id]) for row in rows["items"]]
    return {**rows, "items": items}


RELEASES = {
    "a small study": study(),
    "audited": {**study(), "precision": audited()},
    "every state": every_state(),
    "runs told apart": runs_apart(),
    **{f"excluded under {rule}": excluded_under(rule) for rule in RULES},
    "large": large_study(),
    "large, of one turn": large_study(n_turns=1),
    "drawn unequally": drawn_unequally(large_study()),
    "drawn unequally, of one turn": drawn_unequally(large_study(n_turns=1)),
    "drawn unequally, every state": drawn_unequally(every_state()),
    "nothing": {"judgements": [], "items": [], "answers": []},
    "a rehearsal": a_rehearsal(),
    "nobody judged": {**study(), "judgements": []},
    "one category only": plausibility_only("a a", "a a", "a a"),
    "one category where two judged": plausibility_only("a a", "a a", "b"),
    "a single turn": plausibility_only("a a", "a b", "b b", turns=["1_1"]),
    "single judgements": plausibility_only("a", "b", "a"),
    "two an item, one a turn": plausibility_only("a a", "a b", "b b"),
    "three an item": plausibility_only("a a b", "a b b", "b b b", "a b c"),
    "of two and of four": plausibility_only("a b", "a a b b", "b b", "a", "a a a b"),
    "many people": many_people(),
    "the same two people": plausibility_only(*["a a", "a b", "b b", "a a"] * 4),
    "one label prevails": plausibility_only(*["a a"] * 9, "a b", "b b"),
    "on a scale": on_a_scale("1 2", "2 2", "4 2.5", "1 1 2", "4 4", "10 4", "2 10"),
    "on a scale, five people": on_a_scale("1 2 1 1 3", "2 2 2 3 3", "3 1 3 3 2", "1 1 1 1 1"),
    "on a scale, one number": on_a_scale("3 3", "3 3"),
    "asked again": asked_again(many_people(n_items=24)),
    "asked again on a scale": asked_again(on_a_scale("1 2 2", "2 2", "3 3 1 2", "1 2 4")),
    "equal in all turns": plausibility_only("a a b", "a b b", "a a b", "a a b b", "a a b b"),
}


def write_tables(folder, rows):
    """The folder, with the tables in it; one that the test does not care about is empty."""
    for name, row_type in TABLES.items():
        csv_table.write(folder / f"{name}.csv", row_type, rows.get(name, []))
    return folder


def reported(rows, **bootstrap):
    """The report as it is read from its file."""
    return json.loads(json_file.text(report(**rows, **bootstrap)))


@pytest.mark.parametrize("rows", RELEASES.values(), ids=RELEASES)
def test_the_report_is_what_its_tables_give(rows, tmp_path):
    assert differences(recomputed(write_tables(tmp_path, rows)), reported(rows)) == []


# Seed 11 makes a large batch, and one whose alpha has an interval.
@pytest.mark.parametrize("seed", first_of(11, *range(11), *range(12, 20)))
def test_agreement_is_the_same_whatever_was_judged(seed, tmp_path):
    rows = at_random(seed)
    computed = recomputed(write_tables(tmp_path, rows), seed=seed)

    assert differences(computed, reported(rows, seed=seed)) == []


def test_the_table_of_runs_is_what_the_answers_give(tmp_path):
    rows = every_state()

    csv_table.write(tmp_path / "per_run.csv", RunRow, run_rows(rows["answers"]))

    answers = read_table(write_tables(tmp_path, rows), "answers.csv")
    computed = [
        [(key, "" if cell is None else str(cell)) for key, cell in row.items()]
        for row in per_run(answers)
    ]
    found = read_table(tmp_path, "per_run.csv")
    assert [list(row.items()) for row in found] == computed


def test_how_answers_ended_follows_from_their_items(tmp_path):
    folder = write_tables(tmp_path, every_state())
    findings = Findings()

    check_outcomes(read_table(folder, "answers.csv"), read_table(folder, "items.csv"), findings)

    assert findings.problems == []


@pytest.mark.parametrize("tiers", [TIERS, ["gold"]])
def test_the_accepted_answers_are_those_of_the_tables(tiers, tmp_path):
    rows = every_state()
    turns = {row.turn_id: {"Truth_answer": row.turn_id} for row in rows["answers"]}

    records = extended_truth(turns.items(), rows["items"], rows["answers"], tiers=tiers)

    told = {r["Truth_answer"]: r["Truth_answers_alternative"] for r in records}
    folder = write_tables(tmp_path, rows)
    deciding = deciding_items(read_table(folder, "items.csv"))
    computed = accepted_answers(read_table(folder, "answers.csv"), deciding, tiers)
    assert computed == {turn: accepted for turn, accepted in told.items() if accepted}


def places(value, path=()):
    """The path of every leaf of a report and of every list."""
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in entries:
            yield from places(inner, (*path, key))
    if not isinstance(value, dict):
        yield path


def changed(value):
    if isinstance(value, list):
        return [*value, 0]
    if isinstance(value, bool):
        return not value
    if isinstance(value, float):
        return value + 1e-6
    return {int: lambda: value + 1, str: lambda: value + "x"}.get(type(value), lambda: 0)()


def value_at(value, path):
    for key in path:
        value = value[key]
    return value


def shape(path):
    """Where numbers of one kind stand: what is true of one batch, run or turn is true of all."""
    return tuple("*" if isinstance(key, int) else key for key in path)


def test_one_changed_number_of_any_kind_is_found_where_it_is(tmp_path):
    rows = every_state()
    computed, told = recomputed(write_tables(tmp_path, rows)), reported(rows)
    paths = [path for path in places(told) if not isinstance(value_at(computed, path), Sign)]
    one_of_each = {shape(path): path for path in paths}.values()

    for path in one_of_each:
        *before, last = path
        holder = value_at(told, before)
        true, holder[last] = holder[last], changed(holder[last])
        where = "report" + "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path)
        (found,) = differences(computed, told)
        assert found.startswith((f"{where}:", f"{where} (its length):"))
        holder[last] = true
    assert differences(computed, told) == []
    assert len(one_of_each) > 200
