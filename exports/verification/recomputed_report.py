"""Every number of report.json, computed anew from the tables: the counts by the standard library alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from statistics import median
from typing import Any, Optional

from exports.verification.agreement import agreement
from exports.verification.findings import NOT_INSTALLED, WORDS
from exports.verification.intervals import Bootstrap
from exports.verification.libraries import ARE_INSTALLED
from exports.verification.per_run import LABELS, TIERS, per_run
from exports.verification.precision import precision
from exports.verification.relations import RELATION, RELATIONS_TABLE, figures_of_relations
from exports.verification.runs import figures_of_runs
from exports.verification.tables import Rows, n_distinct, only

BOOLEANS: Mapping[Optional[str], bool] = {"true": True, "false": False}
ReportTables = Mapping[str, Rows]


def report(tables: ReportTables, bootstrap: Bootstrap) -> dict[str, Any]:
    """What report.json must hold by judgements.csv, items.csv, answers.csv, precision.csv and relations.csv."""
    judgements, items, answers = (tables[name] for name in ("judgements", "items", "answers"))
    judgements_of, items_of = _by_batch(judgements), _by_batch(items)
    return {
        "study": only([*judgements, *items, *answers], "study"),
        "dataset": only(answers, "dataset"),
        "is_rehearsal": BOOLEANS.get(only([*judgements, *items], "is_rehearsal")),
        "bootstrap": {"seed": bootstrap.seed, "replicates": bootstrap.replicates},
        **_of_answers(answers),
        "batches": [
            _batch(name, items_of[name], judgements_of[name], bootstrap)
            for name in sorted({*items_of, *judgements_of})
        ],
        "conflicts": _conflicts(_decided(items)),
        "not_standing": _not_standing(_decided(items)),
        "per_run": per_run(answers),
        "runs": figures_of_runs(answers, items, judgements, bootstrap)
        if ARE_INSTALLED
        else NOT_INSTALLED,
        "precision": precision(tables["precision"]) if ARE_INSTALLED else NOT_INSTALLED,
        "relations": figures_of_relations(tables[RELATIONS_TABLE]),
    }


def _by_batch(rows: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = defaultdict(list)
    for row in rows:
        found[row["batch"]].append(row)
    return found


def _of_answers(answers: Rows) -> dict[str, Any]:
    drawn = [row for row in answers if row["sampled"] == "drawn"]
    plausible = [row for row in drawn if row["plausibility"] == "plausible"]
    steps = {
        "drawn": drawn,
        "settled": [row for row in drawn if row["plausibility"] in LABELS],
        "plausible": plausible,
        "faithful": [row for row in plausible if row["faithfulness"] == "faithful"],
        **{tier: [row for row in drawn if row["tier"] == tier] for tier in TIERS},
    }
    texts = {(row["turn_id"], row["answer"].strip()) for row in answers}
    first = {"step": "answers", "n_answers": len(answers), "n_distinct": len(texts)}
    return {
        "funnel": [
            {**first, "n_turns": n_distinct(answers, "turn_id")},
            *({"step": step, **_step_counts(rows)} for step, rows in steps.items()),
        ],
        "accepted": {tier: n_distinct(steps[tier], "answer_id") for tier in TIERS},
        "clusters": _clusters(drawn),
    }


def _step_counts(rows: Rows) -> dict[str, int]:
    return {
        "n_answers": len(rows),
        "n_distinct": n_distinct(rows, "answer_id"),
        "n_turns": n_distinct(rows, "turn_id"),
    }


def _clusters(drawn: Rows) -> dict[str, Any]:
    plausible: dict[str, set[str]] = {row["turn_id"]: set() for row in drawn}
    gold: dict[str, set[str]] = {row["turn_id"]: set() for row in drawn}
    for row in drawn:
        if row["plausibility"] == "plausible":
            plausible[row["turn_id"]].add(row["answer_id"])
        if row["tier"] == "gold":
            gold[row["turn_id"]].add(row["answer_id"])
    return {
        "n_turns": len(plausible),
        "by_n_plausible": _by_size(plausible.values()),
        "by_n_gold": _by_size(gold.values()),
        "several_plausible": [
            {
                "turn_id": turn,
                "n_plausible": len(plausible[turn]),
                "n_gold": len(gold[turn]),
                "answer_ids": sorted(plausible[turn]),
            }
            for turn in sorted(plausible)
            if len(plausible[turn]) > 1
        ],
    }


def _by_size(clusters: Iterable[set[str]]) -> list[dict[str, int]]:
    sizes = Counter(map(len, clusters))
    return [{"n_answers": size, "n_turns": n} for size, n in sorted(sizes.items())]


def _batch(name: str, items: Rows, judgements: Rows, bootstrap: Bootstrap) -> dict[str, Any]:
    real = list({row["item_id"]: row for row in items if row["is_control"] == "false"}.values())
    work = {(row["assignment_id"], row["submitted_at"]): row for row in judgements}
    on_real_items = [row for row in judgements if row["is_control"] == "false"]
    decided = [row for row in real if row["state"] == "decided"]
    set_aside = [row for row in real if row["state"] == "set aside"]
    scheme = only(items, "scheme") or ""
    return {
        "batch": name,
        "scheme": scheme,
        "n_items": len(real),
        "n_controls": n_distinct([row for row in items if row["is_control"] == "true"], "item_id"),
        "n_judgements": _fates(work.values()),
        "n_annotators": n_distinct(on_real_items, "annotator"),
        "verdicts": dict(Counter(row["verdict"] for row in decided)),
        "sources": dict(Counter(row["source"] for row in decided)),
        "n_disputed": sum(row["state"] == "disputed" for row in real),
        "n_unsettled": sum(row["state"] == "" for row in real),
        "set_aside": dict(Counter(row["set_aside_reason"] for row in set_aside)),
        "active_time": _active_time([float(row["active_seconds"]) for row in work.values()]),
        "agreement": {
            question: agreement(rows, bootstrap) if ARE_INSTALLED else NOT_INSTALLED
            for question, rows in _by_question(items, judgements, scheme).items()
        },
    }


def _fates(work: Iterable[Mapping[str, str]]) -> dict[str, int]:
    fates = Counter(map(_fate, work))
    names = ("on_controls", "withdrawn", "surplus", "counted", "not_counted")
    return {"all": sum(fates.values()), **{name: fates[name] for name in names}}


def _fate(row: Mapping[str, str]) -> str:
    if row["is_control"] == "true":
        return "on_controls"
    for fate in ("withdrawn", "surplus", "counted"):
        if row[fate] == "true":
            return fate
    return "not_counted"


def _active_time(seconds: list[float]) -> dict[str, Any]:
    return {
        "n_judgements": len(seconds),
        "total_minutes": sum(seconds) / 60,
        "median_seconds": median(seconds) if seconds else None,
        "reason": None if seconds else WORDS,
    }


def _by_question(items: Rows, judgements: Rows, scheme: str) -> dict[str, Rows]:
    left_out = {
        row["item_id"] for row in items if "true" in (row["is_control"], row["is_excluded"])
    }
    by_question: dict[str, Rows] = {}
    for row in judgements:
        answered = row["label"] or row["value"]
        if row["counted"] == "true" and answered and row["item_id"] not in left_out:
            by_question.setdefault(row["question"], []).append(row)
    return by_question or {scheme: []}


def _decided(items: Rows) -> Rows:
    decided = [row for row in items if row["is_control"] == "false" and row["state"] == "decided"]
    return sorted(decided, key=lambda row: (row["batch"], row["item_id"], row["answer_id"]))


def _conflicts(decided: Rows) -> list[dict[str, Any]]:
    of_answer: dict[tuple[str, str, str], Rows] = {}
    for row in decided:
        if row["scheme"] == RELATION:
            continue
        key = row["scheme"], row["turn_id"], row["answer_id"]
        of_answer.setdefault(key, []).append(row)
    return [
        {
            "scheme": scheme,
            "turn_id": turn,
            "answer_id": answer,
            "verdicts": [
                {
                    **{key: row[key] for key in ("batch", "item_id", "verdict", "source")},
                    "is_newest": row["is_newest"] == "true",
                }
                for row in rows
            ],
        }
        for (scheme, turn, answer), rows in sorted(of_answer.items())
        if n_distinct(rows, "verdict") > 1
    ]


def _not_standing(decided: Rows) -> list[dict[str, str]]:
    columns = ("batch", "item_id", "turn_id", "answer_id", "verdict", "came_from")
    ordered = sorted(decided, key=lambda row: (row["batch"], row["turn_id"], row["item_id"]))
    return [{key: row[key] for key in columns} for row in ordered if row["stands"] == "false"]
