"""The rows of per_run.csv, from answers.csv."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from exports.verification.tables import Rows, only

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
EXTRACTED = "extracted"
KINDS = ("system", "baseline", "reference", EXTRACTED)
RUN_WORDS = ("run", "kind", "team", "system", "setup")


def per_run(answers: Rows) -> list[dict[str, Any]]:
    firsts: dict[str, str] = {}
    for row in answers:
        if row["sampled"] == "drawn":
            known = firsts.setdefault(row["answer_id"], row["run"])
            firsts[row["answer_id"]] = min(known, row["run"])
    of_run: dict[str, Rows] = {}
    for row in answers:
        of_run.setdefault(row["run"], []).append(row)
    return [_run_row(of_run[run], firsts) for run in runs_in_order(answers)]


def runs_in_order(answers: Rows) -> list[str]:
    """By kind and name."""
    return [run for _, run in sorted({(KINDS.index(row["kind"]), row["run"]) for row in answers})]


def _run_row(rows: Rows, firsts: Mapping[str, str]) -> dict[str, Any]:
    drawn = [row for row in rows if row["sampled"] == "drawn"]
    once = [row for row in drawn if firsts[row["answer_id"]] == row["run"]]
    plausibility, first = _run_endings(drawn), _run_endings(once)
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
        **_run_rates("plausible", plausibility["plausible"], settled, len(drawn)),
        **_run_rates(
            "faithful", plausibility["faithful"], asked_and_settled, plausibility["plausible"]
        ),
    }


def _run_endings(drawn: Rows) -> Counter[str]:
    """How often the columns of a run occur in its rows, which answers can count in several of."""
    own = (*FAITHFULNESS_LABELS, "no_evidence", "not_asked")
    endings: Counter[str] = Counter()
    for row in drawn:
        endings[row["plausibility"]] += 1
        endings[row["tier"]] += 1
        if row["plausibility"] == "plausible":
            status = row["faithfulness"]
            endings[status if status in own else f"faithfulness_{status}"] += 1
            if status == "faithful":
                endings[OWN[row["own_evidence"]]] += 1
    return endings


def _run_rates(name: str, accepted: int, settled: int, of: int) -> dict[str, float | None]:
    return {
        f"{name}_rate": accepted / settled if settled else None,
        f"{name}_rate_low": accepted / of if of else None,
        f"{name}_rate_high": (accepted + of - settled) / of if of else None,
    }
