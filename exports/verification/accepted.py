"""What became of each drawn answer, from its items, and the accepted answers of gold.json and silver.json."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from exports.verification.findings import Findings
from exports.verification.per_run import EXTRACTED, TIERS
from exports.verification.relations import RELATION, pairs_of_items
from exports.verification.tables import Row, Rows

ALTERNATIVE = "Truth_answers_alternative"
EXTRACTED_FROM = "extracted_from"
STRENGTH = {"decided": 2, "disputed": 1}
Deciding = Mapping[tuple[str, str], Row]  # by scheme and answer


def deciding_items(items: Rows) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for row in items:
        if row["scheme"] == RELATION:
            continue
        if row["is_control"] == "false" and row["is_newest"] == row["stands"] == "true":
            key = row["scheme"], row["answer_id"]
            if row["answer_id"] and key in found:
                ids = found[key]["item_id"], row["item_id"]
                raise ValueError(f"two items decide the {key[0]} of {key[1]}: {' and '.join(ids)}")
            found[key] = row
    return found


def check_outcomes(answers: Rows, items: Rows, findings: Findings) -> None:
    """What answers.csv says that became of each drawn answer."""
    deciding = deciding_items(items)
    first_runs: dict[str, str] = {}
    for row in answers:
        if row["sampled"] == "drawn":
            known = first_runs.setdefault(row["answer_id"], row["run"])
            first_runs[row["answer_id"]] = min(known, row["run"])
    for number, row in enumerate(answers):
        is_drawn = row["sampled"] == "drawn"
        outcome = _outcome(row, deciding) if is_drawn else dict.fromkeys(OUTCOME, "")
        outcome["first_credit"] = _text(is_drawn and first_runs[row["answer_id"]] == row["run"])
        written = {key: row[key] for key in outcome}
        if outcome != written:
            findings.compare(outcome, written, f"answers.csv[{number}]")


OUTCOME = ("plausibility", "faithfulness", "tier", "own_evidence")


def _text(value: bool) -> str:
    return "true" if value else "false"


def _outcome(row: Row, deciding: Deciding) -> dict[str, str]:
    plausibility = _ending(deciding.get(("plausibility", row["answer_id"])), "unjudged")
    item = deciding.get(("faithfulness", row["answer_id"]))
    faithfulness = _ending(item, "not_asked") if plausibility == "plausible" else ""
    return {
        "plausibility": plausibility,
        "faithfulness": faithfulness,
        "tier": tier_of(faithfulness),
        "own_evidence": _own_evidence(row["run"], item, faithfulness),
    }


def _ending(item: Row | None, without: str) -> str:
    if item is None:
        return without
    if item["state"] == "set aside":
        reason = item["set_aside_reason"]
        return "disputed" if reason == "disagreement" else reason.replace(" ", "_")
    return {"decided": item["verdict"], "disputed": "disputed", "": "unjudged"}[item["state"]]


def tier_of(faithfulness: str) -> str:
    """Of a plausible answer; the faithfulness of others is empty."""
    if faithfulness == "faithful":
        return "gold"
    return "silver" if faithfulness in ("no_evidence", "not_asked") else ""


def _own_evidence(run: str, item: Row | None, faithfulness: str) -> str:
    if item is None or faithfulness in ("", "no_evidence", "not_asked"):
        return ""
    spans = json.loads(item["evidence"]) if item["evidence"] else ()
    for own in ("quoted", "cited"):
        if any(run in span[f"{own}_by"] for span in spans):
            return own
    return "pool" if spans else "none"


def accepted_answers(
    answers: Rows, deciding: Deciding, tiers: Collection[str]
) -> dict[str, list[dict[str, Any]]]:
    """The accepted answers of each turn that has any, as the extended data sets give them."""
    rows_of: dict[tuple[str, str, str, str], Rows] = {}
    for row in answers:
        if row["tier"] in tiers:
            key = row["turn_id"], row["answer_id"], row["tier"], row["faithfulness"]
            rows_of.setdefault(key, []).append(row)
    found: dict[str, list[dict[str, Any]]] = {}
    for (turn, answer, tier, status), rows in rows_of.items():
        record = _accepted(deciding, answer, status.replace("_", " "))
        runs = sorted({row["run"] for row in rows})
        whole = {**record, "tier": tier, "runs": runs, **_passages_of(rows)}
        found.setdefault(turn, []).append(whole)
    for records in found.values():
        records.sort(key=lambda record: (record["tier"], record["answer"]))
    return found


def _passages_of(rows: Rows) -> dict[str, list[str]]:
    """Where a run of extracted sentences gave the answer of these rows, the passages that it was extracted from."""
    sentences = [row for row in rows if row["kind"] == EXTRACTED]
    passages = sorted({row["passage_id"] for row in sentences} - {""})
    return {EXTRACTED_FROM: passages} if sentences else {}


def _accepted(deciding: Deciding, answer: str, status: str) -> dict[str, Any]:
    plausible = deciding["plausibility", answer]
    record = {
        "answer": plausible["answer"],
        "plausible": {"verdict": plausible["verdict"], **_made_from(plausible)},
        "faithful": {"status": status},
        "evidence": [],
        "batch": plausible["batch"],
        "accepted_at": plausible["decided_at"],
    }
    if status != "faithful":
        return record
    faithful = deciding["faithfulness", answer]
    return {
        **record,
        "faithful": {"status": status, "batch": faithful["batch"], **_made_from(faithful)},
        "evidence": [
            {key: span[key] for key in ("passage_id", "start", "end", "text")}
            for span in json.loads(faithful["evidence"] or "[]")
        ],
        "accepted_at": max(plausible["decided_at"], faithful["decided_at"]),
    }


def _made_from(item: Row) -> dict[str, Any]:
    return {"source": item["source"], "votes": json.loads(item["votes"])}


def check_precedence(items: Rows, findings: Findings) -> None:
    """That of several items of an answer one decides that says no less of it than the others."""
    accepted = {
        row["item_id"]: (row["state"], row["verdict"]) == ("decided", "plausible") for row in items
    }
    strongest: dict[tuple[str, str], tuple[bool, int, bool]] = {}
    of_answer: dict[tuple[str, str], list[tuple[int, Row]]] = {}
    pairs = pairs_of_items(items)
    for number, row in enumerate(items):
        if row["came_from"] in accepted:
            stands = _text(accepted[row["came_from"]])
            findings.compare(stands, row["stands"], f"items.csv[{number}].stands")
        about = row["answer_id"]
        if row["item_id"] in pairs:  # one row stands for both of its answers
            first, second = (each["answer_id"] for each in pairs[row["item_id"]])
            about = f"{first} and {second}" if about == first else ""
        if row["is_control"] == "false" and about:
            key = row["scheme"], about
            of_answer.setdefault(key, []).append((number, row))
            strongest[key] = max(strongest.get(key, (False, 0, False)), _strength(row))
    for key, rows in of_answer.items():
        newest = [(number, row) for number, row in rows if row["is_newest"] == "true"]
        where = f"items.csv[{rows[0][0]}].is_newest"
        if len(newest) != 1:
            message = f"{len(newest)} items decide the {key[0]} of {key[1]}, not one"
            findings.complain(where, message)
        elif _strength(newest[0][1]) < strongest[key]:
            findings.complain(
                f"items.csv[{newest[0][0]}].is_newest", "another item of the answer goes before it"
            )


def _strength(row: Row) -> tuple[bool, int, bool]:
    is_adjudicated = row["source"] == "adjudication"
    return row["stands"] == "true", STRENGTH.get(row["state"], 0), is_adjudicated


def accepted_with_earlier(
    tables: Mapping[str, Rows],
    earlier: Mapping[str, list[dict[str, Any]]],
    tiers: Collection[str],
) -> dict[str, list[dict[str, Any]]]:
    """The accepted answers of each turn, with those of an earlier release about which nobody decided in this one."""
    expected = accepted_answers(tables["answers"], deciding_items(tables["items"]), tiers)
    for turn, kept in earlier.items():
        texts = {each["answer"] for each in kept}
        own = [each for each in expected.get(turn, []) if each["answer"] not in texts]
        own += [each for each in kept if each["tier"] in tiers]
        expected[turn] = sorted(own, key=lambda each: (each["tier"], each["answer"]))
    return expected


def check_truth(
    name: str,
    contents: bytes,
    records: Any,
    tables: Mapping[str, Rows],
    earlier: Mapping[str, list[dict[str, Any]]],
    findings: Findings,
) -> None:
    """gold.json or silver.json, byte for byte; what it says of a turn but for accepted answers is its own.

    `earlier` has by turn those accepted answers of an earlier release about which nobody decided in this one.
    """
    tiers = TIERS[: TIERS.index(name.partition(".")[0]) + 1]
    expected = accepted_with_earlier(tables, earlier, tiers)
    computed, turns = [], set()
    for record in records:
        turn = turn_of(record)
        if turn in turns:
            findings.complain(name, f"the turn {turn} comes twice")
        turns.add(turn)
        computed.append({**record, ALTERNATIVE: expected.get(turn, [])})
    for turn in sorted(expected.keys() - turns):
        findings.complain(name, f"the turn {turn} has accepted answers and no record")
    before = len(findings.problems)
    findings.compare(computed, records, name)
    text = json.dumps(computed, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    if len(findings.problems) == before and text.encode("utf-8") != contents:
        same = next(
            (at for at, (a, b) in enumerate(zip(text.encode("utf-8"), contents)) if a != b),
            min(len(text.encode("utf-8")), len(contents)),
        )
        findings.complain(name, f"is written in another way from byte {same}")


def check_earlier(
    earlier: Mapping[str, list[dict[str, Any]]],
    deciding: Deciding,
    answers: Rows,
    findings: Findings,
) -> None:
    """That nobody decided in this release about an accepted answer of an earlier one, but by gold there and silver here."""
    tiers = {row["answer_id"]: row["tier"] for row in answers if row["answer_id"]}
    decided = {
        (row["turn_id"], row["answer"]): tiers.get(answer, "")
        for (scheme, answer), row in deciding.items()
        if scheme == "plausibility" and row["state"] == "decided"
    }
    for turn, records in earlier.items():
        for number, record in enumerate(records):
            here = decided.get((turn, record["answer"]))
            if here is not None and (record["tier"], here) != ("gold", "silver"):
                where = f"earlier.json.{turn}[{number}]"
                findings.complain(where, "people decided about it in this release")


def numbers_of_earlier(
    earlier: Mapping[str, list[dict[str, Any]]], answers: Rows, deciding: Deciding
) -> dict[str, int]:
    """The numbers of these answers by tier, and of those that are silver by the tables, too."""
    tiers = [each["tier"] for records in earlier.values() for each in records]
    here = accepted_answers(answers, deciding, ["silver"])
    texts = {(turn, each["answer"]) for turn, records in here.items() for each in records}
    both = [(turn, each["answer"]) for turn, records in earlier.items() for each in records]
    return {
        "gold": tiers.count("gold"),
        "silver": tiers.count("silver"),
        "gold_also_silver": len(texts.intersection(both)),
    }


def accepted_in(records: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    return {turn_of(record): record.get(ALTERNATIVE, []) for record in records}


def turn_of(record: Mapping[str, Any]) -> str:
    return f"{record['Conversation_no']}_{record['Turn_no']}"


def check_same_truth(gold: Any, silver: Any, findings: Findings) -> None:
    """That both files say the same of every turn but for its accepted answers."""
    one, other = ([_without_accepted(each) for each in records] for records in (gold, silver))
    findings.compare(one, other, "silver.json")


def _without_accepted(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != ALTERNATIVE}
