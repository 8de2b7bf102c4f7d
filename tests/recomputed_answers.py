"""What became of the answers, computed anew from docs/report.md: per run, and those accepted."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from tests.recomputed_tables import Rows, only, table

LABELS = ("plausible", "implausible", "malformed")
NOT_SETTLED = ("disputed", "excluded", "too_few_judgements", "skipped_by_all", "unjudged")
FAITHFULNESS_LABELS = ("faithful", "unfaithful", "irrelevant")
NOT_SAMPLED = (
    "empty",
    "no_reference",
    "no_score",
    "not_in_pool",
    "same_as_reference",
    "same_as_question",
    "represented",
    "below_threshold",
    "too_few_in_turn",
    "turn_not_drawn",
    "capped",
)
OWN = {
    "quoted": "faithful_to_quoted",
    "cited": "faithful_to_cited",
    "pool": "faithful_to_pool",
    "none": "faithful_without_evidence",
}
TIERS = ("gold", "silver")
KINDS = ("system", "baseline", "reference")
RUN_WORDS = ("run", "kind", "team", "system", "setup")


def recomputed_per_run(folder: Path) -> Rows:
    """The rows that `table(folder, "per_run")` must give, their columns in order."""
    rows = per_run(table(folder, "answers"))
    return [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in rows]


def per_run(answers: Rows) -> list[dict[str, Any]]:
    firsts: dict[str, str] = {}
    for row in answers:
        if row["sampled"] == "drawn":
            known = firsts.setdefault(row["answer_id"], row["run"])
            firsts[row["answer_id"]] = min(known, row["run"])
    runs = sorted({(KINDS.index(row["kind"]), row["run"]) for row in answers})
    return [_run([row for row in answers if row["run"] == run], firsts) for _, run in runs]


def _run(rows: Rows, firsts: Mapping[str, str]) -> dict[str, Any]:
    drawn = [row for row in rows if row["sampled"] == "drawn"]
    once = [row for row in drawn if firsts[row["answer_id"]] == row["run"]]
    assert once == [row for row in rows if row["first_credit"] == "true"], "first_credit is wrong"
    plausibility, first = _endings(drawn), _endings(once)
    sampled = Counter(row["sampled"] for row in rows)
    asked = [*FAITHFULNESS_LABELS, *(f"faithfulness_{each}" for each in NOT_SETTLED[:-1])]
    asked += ["no_evidence", "faithfulness_unjudged", "not_asked"]
    counts = {
        **{key: str(only(rows, key)) for key in RUN_WORDS},
        "n_answers": len(rows),
        **{key: sampled[key] for key in NOT_SAMPLED},
        **{key: plausibility[key] for key in (*LABELS, *NOT_SETTLED)},
        "drawn": len(drawn),
        **{key: plausibility[key] for key in (*asked, *TIERS)},
        "first_drawn": len(once),
        **{f"first_{key}": first[key] for key in (*LABELS, *FAITHFULNESS_LABELS, *TIERS)},
        **{key: plausibility[key] for key in OWN.values()},
    }
    settled = sum(plausibility[key] for key in LABELS)
    asked_and_settled = sum(plausibility[key] for key in FAITHFULNESS_LABELS)
    return {
        **counts,
        **_rates("plausible", plausibility["plausible"], settled, len(drawn)),
        **_rates(
            "faithful", plausibility["faithful"], asked_and_settled, plausibility["plausible"]
        ),
    }


def _endings(drawn: Rows) -> Counter[str]:
    """How often the columns of a run occur in its rows, which answers can count in several of."""
    own = (*FAITHFULNESS_LABELS, "no_evidence", "not_asked")
    endings = Counter[str]()
    for row in drawn:
        endings[row["plausibility"]] += 1
        endings[row["tier"]] += 1
        if row["plausibility"] == "plausible":
            status = row["faithfulness"]
            endings[status if status in own else f"faithfulness_{status}"] += 1
            if status == "faithful":
                endings[OWN[row["own_evidence"]]] += 1
    return endings


def _rates(name: str, accepted: int, settled: int, of: int) -> dict[str, float | None]:
    return {
        f"{name}_rate": accepted / settled if settled else None,
        f"{name}_rate_low": accepted / of if of else None,
        f"{name}_rate_high": (accepted + of - settled) / of if of else None,
    }


# --- how an answer ended, and the accepted ones


def endings(folder: Path) -> dict[str, tuple[str, str, str]]:
    """Plausibility, faithfulness and tier of every drawn answer, from the items with the say."""
    with_say = _with_say(table(folder, "items"))
    ended = {}
    for row in table(folder, "answers"):
        if row["sampled"] == "drawn":
            key = row["answer_id"]
            plausibility = _ending(with_say.get(("plausibility", key)), "unjudged")
            faithfulness = _ending(with_say.get(("faithfulness", key)), "not_asked")
            faithfulness = faithfulness if plausibility == "plausible" else ""
            ended[key] = plausibility, faithfulness, _tier(faithfulness)
    return ended


def _with_say(items: Rows) -> dict[tuple[str, str], dict[str, str]]:
    found = {}
    for row in items:
        if row["is_control"] == "false" and row["is_newest"] == row["stands"] == "true":
            key = row["scheme"], row["answer_id"]
            assert key not in found, f"two items have the say on {key}"
            found[key] = row
    return found


def _ending(item: Mapping[str, str] | None, without: str) -> str:
    if item is None:
        return without
    if item["state"] == "set aside":
        reason = item["set_aside_reason"]
        return "disputed" if reason == "disagreement" else reason.replace(" ", "_")
    return {"decided": item["verdict"], "disputed": "disputed", "": "unjudged"}[item["state"]]


def _tier(faithfulness: str) -> str:
    if faithfulness == "faithful":
        return "gold"
    return "silver" if faithfulness in ("no_evidence", "not_asked") else ""


def recomputed_alternatives(folder: Path, tiers: Collection[str]) -> dict[str, list[Any]]:
    """The accepted answers of each turn that has any, as the extended data sets give them."""
    with_say = _with_say(table(folder, "items"))
    runs: dict[tuple[str, str, str, str], set[str]] = {}
    for row in table(folder, "answers"):
        if row["tier"] in tiers:
            key = row["turn_id"], row["answer_id"], row["tier"], row["faithfulness"]
            runs.setdefault(key, set()).add(row["run"])
    found: dict[str, list[Any]] = {}
    for (turn, answer, tier, status), names in runs.items():
        record = _accepted(with_say, answer, status.replace("_", " "))
        found.setdefault(turn, []).append({**record, "tier": tier, "runs": sorted(names)})
    for records in found.values():
        records.sort(key=lambda record: (record["tier"], record["answer"]))
    return found


def _accepted(
    with_say: Mapping[tuple[str, str], Mapping[str, str]], answer: str, status: str
) -> dict[str, Any]:
    plausible = with_say["plausibility", answer]
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
    faithful = with_say["faithfulness", answer]
    return {
        **record,
        "faithful": {"status": status, "batch": faithful["batch"], **_made_from(faithful)},
        "evidence": [
            {key: span[key] for key in ("passage_id", "start", "end", "text")}
            for span in json.loads(faithful["evidence"])
        ],
        "accepted_at": max(plausible["decided_at"], faithful["decided_at"]),
    }


def _made_from(item: Mapping[str, str]) -> dict[str, Any]:
    return {"source": item["source"], "votes": json.loads(item["votes"])}
