"""Every number of a release's report, computed anew from its tables.

Written from docs/report.md alone and with nothing of Touchstone's, so that it can say whether the
program and its documentation mean the same.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import isclose
from pathlib import Path
from statistics import median
from typing import Any

from tests.recomputed_agreement import WORDS, figures
from tests.recomputed_answers import LABELS, TIERS, per_run
from tests.recomputed_runs import precision, runs
from tests.recomputed_tables import Rows, n_distinct, only, table

BOOLEANS: Mapping[str | None, bool] = {"true": True, "false": False}


def recomputed(folder: Path, *, seed: int = 0, replicates: int = 1000) -> dict[str, Any]:
    """What `report.json` in the folder must hold; WORDS stands for words."""
    judgements, items, answers = (
        table(folder, name) for name in ("judgements", "items", "answers")
    )
    bootstrap = {"seed": seed, "replicates": replicates}
    return {
        "study": only([*judgements, *items, *answers], "study"),
        "dataset": only(answers, "dataset"),
        "is_rehearsal": BOOLEANS.get(only([*judgements, *items], "is_rehearsal")),
        "bootstrap": bootstrap,
        **_of_answers(answers),
        "batches": [
            _batch(
                name,
                [row for row in items if row["batch"] == name],
                [row for row in judgements if row["batch"] == name],
                **bootstrap,
            )
            for name in sorted({row["batch"] for row in items})
        ],
        "conflicts": _conflicts(_decided(items)),
        "not_standing": _not_standing(_decided(items)),
        "per_run": per_run(answers),
        "runs": runs(answers, items, judgements, **bootstrap),
        "precision": precision(table(folder, "precision")),
    }


# --- answers: funnel, accepted, clusters


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
            *({"step": step, **_counts(rows)} for step, rows in steps.items()),
        ],
        "accepted": {tier: n_distinct(steps[tier], "answer_id") for tier in TIERS},
        "clusters": _clusters(drawn),
    }


def _counts(rows: Rows) -> dict[str, int]:
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


# --- batches


def _batch(
    name: str, items: Rows, judgements: Rows, *, seed: int, replicates: int
) -> dict[str, Any]:
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
            question: figures(rows, seed=seed, replicates=replicates)
            for question, rows in _by_question(items, judgements, scheme).items()
        },
    }


def _fates(work: Iterable[Mapping[str, str]]) -> dict[str, int]:
    fates = Counter(map(_fate, work))
    names = ("on_controls", "withdrawn", "surplus", "counted", "not_counted")
    return {"all": fates.total(), **{name: fates[name] for name in names}}


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


# --- verdicts


def _decided(items: Rows) -> Rows:
    decided = [row for row in items if row["is_control"] == "false" and row["state"] == "decided"]
    return sorted(decided, key=lambda row: (row["batch"], row["item_id"], row["answer_id"]))


def _conflicts(decided: Rows) -> list[dict[str, Any]]:
    of_answer: dict[tuple[str, str, str], Rows] = {}
    for row in decided:
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
    return [{key: row[key] for key in columns} for row in decided if row["stands"] == "false"]


# --- comparing


def assert_same(computed: object, reported: object, path: str = "report") -> None:
    """Fails with the path of the first difference; floats may differ by 1e-9, WORDS is any text."""
    if computed is WORDS:
        assert isinstance(reported, str), f"{path}: words expected, not {reported!r}"
        assert reported, f"{path}: no words"
        return

    def difference() -> str:
        return f"{path}: computed {computed!r}, reported {reported!r}"

    assert type(computed) is type(reported), difference()
    if isinstance(computed, dict) and isinstance(reported, dict):
        assert computed.keys() == reported.keys(), f"{path}: {computed.keys() ^ reported.keys()}"
        for key, value in computed.items():
            assert_same(value, reported[key], f"{path}.{key}")
    elif isinstance(computed, list) and isinstance(reported, list):
        assert len(computed) == len(reported), (
            f"{path}: {len(computed)} and {len(reported)} entries"
        )
        for number, (mine, theirs) in enumerate(zip(computed, reported, strict=True)):
            assert_same(mine, theirs, f"{path}[{number}]")
    elif isinstance(computed, float) and isinstance(reported, float):
        assert isclose(computed, reported, rel_tol=1e-9, abs_tol=1e-9), difference()
    else:
        assert computed == reported, difference()
